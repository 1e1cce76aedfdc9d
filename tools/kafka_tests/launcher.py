"""Runs classes of Kafka's tests in a JVM, on Kafka's kit or on ours, and reads what it says."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any, Final

from attrs import frozen

from tools.kafka import jars, jvm
from tools.kafka.helper import compiled_all
from tools.own_node import server_command

SOURCES: Final = Path(__file__).parents[1] / "java/kafkatests"
OURS, KAFKA = "ours", "kafka"
# Classes that need the jars of Kafka Streams.
STREAMS: Final = (".streams.", ".GroupsCommandTest", ".GroupCoordinator", ".ResetIntegration")
TEST_LIMIT_S: Final = 120  # JUnit interrupts a test then; those of Kafka that say so have their own
SILENCE_LIMIT_S: Final = 240  # a JVM that says nothing for so long is killed
HEAP: Final = ("-Xmx1500m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
# Kafka's classes open up fields of the JDK's, and Mockito its own agent.
OPENED: Final = (
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
)
# Kafka's admin client says at INFO only that it was closed with a call that was not answered.
SAYS_WHAT_IS_LEFT: Final = "-Dmetaquorum.log.level.admin=INFO"
LEFT_AT_CLOSE: Final = "remaining operation(s) during close"
_RUNNER: Final = "metaquorum.kafkatests.RunTests"


@frozen
class Outcome:
    """How a test ended: passed, failed, skipped or hung. ``faults`` are those of our processes.

    ``why`` also has what admin clients were closed with while a test that failed was running.
    """

    test: str
    status: str
    seconds: float
    why: str = ""
    faults: tuple[str, ...] = ()


def compiled(libs: Path) -> Path:
    """The directory of our classes; its ``runner`` is all that is ours on Kafka's own kit."""
    return compiled_all("kafkatests", sorted(SOURCES.rglob("*.java")), libs, _arranged)


def _arranged(classes: Path) -> None:
    shutil.copytree(classes / "metaquorum", classes / "runner/metaquorum")
    for one in (classes, classes / "runner"):
        shutil.copytree(SOURCES / "META-INF", one / "META-INF")


def needs_streams(words: Iterable[str]) -> bool:
    """Whether one of these classes is linked against Kafka Streams."""
    return any(part in word for word in words for part in STREAMS)


def run_classes(
    words: Sequence[str],
    *,
    on: str,
    skipped: Iterable[str],
    log: Path,
    told: Callable[[Outcome], None],
) -> None:
    """Run these classes, or CLASS#METHOD, one after the other; ``told`` hears of each test.

    A JVM that hangs is killed, and another goes on with the class behind the one that hung.
    """
    left = list(words)
    while left:
        with _Jvm(left, on, skipped, log) as running:
            left = running.follow(told)


class _Jvm:
    """One JVM with the runner: its lines, and its end."""

    def __init__(self, words: list[str], on: str, skipped: Iterable[str], log: Path) -> None:
        libs = jars.integration_test_libs(streams=needs_streams(words))
        ours = compiled(libs) / ("" if on == OURS else "runner")
        log.parent.mkdir(parents=True, exist_ok=True)
        flags = (*HEAP, *OPENED, SAYS_WHAT_IS_LEFT, f"-Dmetaquorum.server={server_command()}")
        self.left = list(words)
        self._path, self._began_bytes = log, 0
        self._log: IO[bytes] = log.open("ab")
        self._process = subprocess.Popen(
            [*jvm.command(libs, _RUNNER, flags=flags, class_path=(ours,)), str(TEST_LIMIT_S)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            start_new_session=True,
            cwd=log.parent,
        )
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"-{one}\n" for one in skipped))
        self._process.stdin.write("".join(f"{one}\n" for one in words))
        self._process.stdin.close()
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> _Jvm:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # its controllers are of its group
        self._process.wait()
        self._log.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def follow(self, told: Callable[[Outcome], None]) -> list[str]:
        """Hear it out; what is left to run when it hung or ended early."""
        started: str | None = None
        while self.left:
            try:
                line = self._lines.get(timeout=SILENCE_LIMIT_S)
            except queue.Empty:
                line = None
            if line is None:
                told(Outcome(started or self.left[0], "hung", 0.0, "the JVM hung or ended"))
                return self.left[1:]
            row = _row(line)
            if "class" in row:
                self.left.remove(row["class"])
            elif "started" in row:
                started, self._began_bytes = row["started"], self._path.stat().st_size
            elif "test" in row:
                told(outcome_of(row, left_at_close(self._path, self._began_bytes)))
        return []


def _row(line: str) -> dict[str, Any]:
    """One line of the runner; anything else that got there is nothing."""
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def left_at_close(log: Path, since_bytes: int) -> list[str]:
    """What admin clients said in the log, from there on, when they were closed with calls left."""
    with log.open("rb") as file:
        file.seek(since_bytes)
        lines = file.read().decode("utf-8", "replace").splitlines()
    return [line for line in lines if LEFT_AT_CLOSE in line]


def outcome_of(row: dict[str, Any], said: Sequence[str] = ()) -> Outcome:
    """What a line of the runner says of a test, and what was ``said`` while it ran."""
    faults = tuple(str(one) for one in row.get("faults", ()))
    why = row.get("why", "")
    if row["status"] == "failed":
        why = "\n".join([why, *said])
    return Outcome(row["test"], row["status"], float(row["seconds"]), why, faults)
