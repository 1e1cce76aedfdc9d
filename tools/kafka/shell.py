"""The Python side of ``tools/java/ShellOracle.java``: Kafka's metadata shell, one JVM for many."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from attrs import define, field

from tools.kafka import jars, jvm
from tools.kafka.helper import STOP_TIMEOUT_S, HelperFailed, compiled

ATTEMPTS = 6
LOADER_WAITS = "the loader never catches up"
SOURCE = Path(__file__).parents[1] / "java/ShellOracle.java"


class ShellFault(Exception):
    """Kafka cannot load the file; the message is its own."""


@define
class KafkaShell:
    """A running metadata shell of the release that we test with; use it as a context manager.

    ``metadata_libs`` puts another release's jars before it: 4.4.0 has no shell of its own.
    """

    metadata_libs: Path | None = None
    _process: subprocess.Popen[str] | None = field(default=None, init=False)

    def __enter__(self) -> KafkaShell:
        libs = jars.libs()
        before = () if self.metadata_libs is None else (self.metadata_libs / "*",)
        self._process = subprocess.Popen(
            jvm.command(
                libs,
                "ShellOracle",
                flags=jvm.SHORT_LIVED_FLAGS,
                class_path=(compiled(SOURCE, libs), *before),
            ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        process = self._process
        assert process is not None and process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def run(self, file: Path, *commands: Sequence[str]) -> list[str]:
        """What each command prints about ``file``; raises ShellFault, HelperFailed.

        Kafka's loader now and then misses its own last event and waits for ever: then once more.
        """
        for _ in range(ATTEMPTS - 1):
            try:
                return self._run(file, commands)
            except ShellFault as fault:
                if LOADER_WAITS not in str(fault):
                    raise
        return self._run(file, commands)

    def _run(self, file: Path, commands: Sequence[Sequence[str]]) -> list[str]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        request = {"file": str(file), "commands": [list(words) for words in commands]}
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise HelperFailed("the metadata shell ended")
        answer = json.loads(line)
        if "fault" in answer:
            raise ShellFault(answer["fault"])
        outputs: list[str] = answer["outputs"]
        return outputs
