"""The Python side of ``tools/java/ShellOracle.java``: Kafka's metadata shell, one JVM for many."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from attrs import define

from tools.kafka import jars
from tools.kafka.helper import JavaProgram, started

ATTEMPTS = 6
LOADER_WAITS = "the loader never catches up"
SOURCE = Path(__file__).parents[1] / "java/ShellOracle.java"


class ShellFault(Exception):
    """Kafka cannot load the file; the message is its own."""


@define
class KafkaShell(JavaProgram):
    """A running metadata shell of the release that we test with; use it as a context manager.

    ``metadata_libs`` puts another release's jars before it: 4.4.0 has no shell of its own.
    """

    metadata_libs: Path | None = None

    def _start(self) -> subprocess.Popen[str]:
        before = () if self.metadata_libs is None else (self.metadata_libs / "*",)
        return started(SOURCE, jars.libs(), before=before)

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
        request = {"file": str(file), "commands": [list(words) for words in commands]}
        answer = json.loads(self._exchange(json.dumps(request) + "\n"))
        if "fault" in answer:
            raise ShellFault(answer["fault"])
        outputs: list[str] = answer["outputs"]
        return outputs
