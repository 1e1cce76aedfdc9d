"""The Python side of ``tools/java/Helper.java``: one JVM, many requests.

A JVM costs a second of start; a tool run inside one that is warm costs a few milliseconds. The
program is compiled at first use into ``build/java``.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from attrs import define, field, frozen

from tools.kafka import jars, jvm
from tools.kafka.tool import ToolResult, tool_class
from tools.process import end_by_stdin

SOURCE = Path(__file__).parents[1] / "java/Helper.java"
ANSWER_TIMEOUT_S = 90.0
STOP_TIMEOUT_S = 10.0


class HelperFailed(Exception):
    """The Java program reported an error, said nothing in time, or ended."""


@frozen
class ConsumedRecord:
    """One record as the Java consumer delivered it."""

    offset: int
    epoch: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: int


def compiled(source: Path = SOURCE, libs: Path | None = None) -> Path:
    """The directory of classes of ``source``, compiled once against the jars in ``libs``.

    By default these are all jars of the release that we test with.
    """
    return compiled_all(source.stem, [source], libs or jars.libs())


def compiled_all(
    name: str,
    sources: Sequence[Path],
    libs: Path,
    arrange: Callable[[Path], None] = lambda classes: None,
) -> Path:
    """The directory of classes of these sources; ``arrange`` may put more there, once.

    Raises HelperFailed with what the compiler says.
    """
    jvm.require("java", "javac")
    digest = hashlib.sha256(str(libs.relative_to(jars.CACHE)).encode())
    for one in sources:
        digest.update(one.read_bytes())
    target = jars.CACHE.parent / "java" / f"{name}-{digest.hexdigest()[:16]}"
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=target.parent))
    try:
        command = ["javac", "-nowarn", "-proc:none", "-cp", f"{libs}/*", "-d", str(beside)]
        command += map(str, sources)
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise HelperFailed(f"{name} does not compile:\n{ran.stdout}{ran.stderr}")
        arrange(beside)
        with contextlib.suppress(OSError):  # another process was quicker with the same text
            beside.rename(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return target


def started(
    source: Path,
    libs: Path,
    *,
    before: tuple[Path, ...] = (),
    flags: tuple[str, ...] = jvm.SHORT_LIVED_FLAGS,
    environ: Mapping[str, str] | None = None,
    stderr: int | None = None,
) -> subprocess.Popen[str]:
    """The program of this source beside the jars in ``libs``; jars ``before`` them come first."""
    return subprocess.Popen(
        jvm.command(libs, source.stem, flags=flags, class_path=(compiled(source, libs), *before)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        encoding="utf-8",
        env={**os.environ, **(environ or {})},
        start_new_session=True,
    )


@define
class JavaProgram(ABC):
    """A Java program of ours that answers in lines; use it as a context manager."""

    _process: subprocess.Popen[str] | None = field(default=None, init=False, kw_only=True)

    @abstractmethod
    def _start(self) -> subprocess.Popen[str]: ...

    def __enter__(self) -> Self:
        self._process = self._start()
        return self

    def __exit__(self, *_: object) -> None:
        end_by_stdin(self._running(), STOP_TIMEOUT_S)

    def _exchange(self, line: str) -> str:
        """One line in, one line out; HelperFailed when it has ended."""
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        if not (answer := process.stdout.readline()):
            raise HelperFailed(f"{type(self).__name__} ended")
        return answer

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            raise HelperFailed(f"{type(self).__name__} was not started")
        return self._process


@define
class JavaHelper(JavaProgram):
    """A running helper; use it as a context manager."""

    version: str = jars.KAFKA_VERSION
    _answers: dict[int, queue.Queue[dict[str, Any] | None]] = field(factory=dict, init=False)
    _next_id: int = field(default=1, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def _start(self) -> subprocess.Popen[str]:
        return started(SOURCE, jars.libs(self.version))

    def __enter__(self) -> Self:
        super().__enter__()
        threading.Thread(target=self._read_answers, daemon=True).start()
        return self

    def tool(self, name: str, *arguments: str | Path) -> ToolResult:
        """Run one of Kafka's tools (see tools.kafka.tool) inside the helper."""
        rows = self._call(
            "tool", {"class": tool_class(name), "arguments": [str(one) for one in arguments]}
        )
        row = next(rows)
        for _ in rows:
            pass
        return ToolResult(row["exit"], row["stdout"], row["stderr"])

    def consume(
        self,
        servers: str,
        *,
        from_offset: int | str = "beginning",
        count: int | None = None,
        until_offset: int | None = None,
        config: Mapping[str, str] | None = None,
        subscribe: bool = False,
    ) -> list[ConsumedRecord]:
        """Read until ``count`` records came, or the position reaches ``until_offset``."""
        with contextlib.closing(
            self.tail(
                servers,
                from_offset=from_offset,
                count=count,
                until_offset=until_offset,
                config=config,
                subscribe=subscribe,
            )
        ) as records:
            return list(records)

    def tail(
        self,
        servers: str,
        *,
        from_offset: int | str = "beginning",
        count: int | None = None,
        until_offset: int | None = None,
        config: Mapping[str, str] | None = None,
        subscribe: bool = False,
        answer_timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> Generator[ConsumedRecord, None, None]:
        """Records as they come; closing the iterator stops the consumer."""
        request: dict[str, Any] = {
            "servers": servers,
            "from": str(from_offset),
            "subscribe": subscribe,
            "config": dict(config or {}),
        }
        if count is not None:
            request["count"] = count
        if until_offset is not None:
            request["until"] = until_offset
        for row in self._call("consume", request, answer_timeout_s):
            if "offset" in row:
                yield ConsumedRecord(
                    row["offset"],
                    row["epoch"],
                    row["timestamp"],
                    _bytes(row["key"]),
                    _bytes(row["value"]),
                    row["headers"],
                )

    def alter_quota(
        self, servers: str, entity: Mapping[str, str | None], ops: Mapping[str, float | None]
    ) -> None:
        """One AlterClientQuotas through Kafka's admin client; None removes a value."""
        rows = self._call(
            "alter-quota", {"servers": servers, "entity": dict(entity), "ops": dict(ops)}
        )
        for _ in rows:
            pass

    def describe_quotas(
        self, servers: str, entity: Mapping[str, str | None] | None = None
    ) -> list[tuple[dict[str, str | None], dict[str, float]]]:
        """Every quota, or those of exactly one entity, through Kafka's admin client."""
        rows = self._call("describe-quotas", {"servers": servers, "entity": dict(entity or {})})
        return [(row["entity"], row["quotas"]) for row in rows]

    def _call(
        self, verb: str, request: dict[str, Any], answer_timeout_s: float = ANSWER_TIMEOUT_S
    ) -> Generator[dict[str, Any], None, None]:
        answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        with self._lock:
            number = self._next_id
            self._next_id += 1
            self._answers[number] = answers
        self._send({"id": number, "verb": verb, **request})
        done = False
        try:
            while not done:
                try:
                    row = answers.get(timeout=answer_timeout_s)
                except queue.Empty:
                    raise HelperFailed(f"{verb}: no answer in {answer_timeout_s} s") from None
                if row is None:
                    raise HelperFailed(f"{verb}: the Java helper ended")
                done = bool(row.get("done"))
                if row.get("error"):
                    raise HelperFailed(f"{verb}: {row['error']}")
                if not done:
                    yield row
        finally:
            if not done:
                with contextlib.suppress(BrokenPipeError, HelperFailed):
                    self._send({"id": 0, "verb": "stop", "target": number})

    def _send(self, request: dict[str, Any]) -> None:
        process = self._running()
        assert process.stdin is not None
        with self._lock:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()

    def _read_answers(self) -> None:
        process = self._running()
        assert process.stdout is not None
        for line in process.stdout:
            row = json.loads(line)
            waiting = self._answers.get(row["id"])
            if waiting is not None:
                waiting.put(row)
        for waiting in list(self._answers.values()):
            waiting.put(None)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
