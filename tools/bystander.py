"""A well-behaved client that asks again and again and writes down how long each answer took.

    python -m tools.bystander PORT FILE

A process of its own, so that whoever misbehaves meanwhile does not take its turns. It ends when
its standard input does, and fails at the first error.
"""

from __future__ import annotations

import select
import statistics
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from attrs import define, field

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.client.connection import Connection
from metaquorum.wire.generated import describe_quorum_request
from tools.kafka.ports import LOOPBACK

DESCRIBE_QUORUM = 55
PAUSE_S = 0.005
END_TIMEOUT_S = 5.0


@define
class Bystander:
    """The process, and what it has written down."""

    port: int
    file: Path
    _process: subprocess.Popen[bytes] = field(init=False, repr=False)

    def __enter__(self) -> Bystander:
        self.file.touch()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tools.bystander", str(self.port), self.file],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()

    def trouble(self) -> str | None:
        """What went wrong for it, or None while nothing has."""
        if self._process.poll() is None:
            return None
        assert self._process.stderr is not None
        return self._process.stderr.read().decode(errors="replace") or "it ended by itself"

    def latencies_ms(self, since_s: float) -> list[float]:
        """Of the answers that came since a moment of ``time.monotonic``."""
        rows = (line.split() for line in self.file.read_text().splitlines(keepends=True)
                if line.endswith("\n"))  # fmt: skip
        return [float(took) for at, took in rows if float(at) >= since_s]


def median_ms(latencies: list[float]) -> float:
    """The middle one; raises ValueError when there are none."""
    if not latencies:
        raise ValueError("not one answer came")
    return statistics.median(latencies)


def main(port: int, file: Path) -> None:
    """Ask until standard input ends."""
    topic = describe_quorum_request.TopicData(
        METADATA_TOPIC, [describe_quorum_request.PartitionData(METADATA_PARTITION)]
    )
    request = describe_quorum_request.DescribeQuorumRequest([topic])
    with Connection.open(LOOPBACK, port) as connection, file.open("a", buffering=1) as out:
        version = connection.best_version(DESCRIBE_QUORUM)
        while not select.select([sys.stdin], [], [], PAUSE_S)[0]:
            started = time.monotonic()
            answer = connection.ask(DESCRIBE_QUORUM, version, request)
            ended = time.monotonic()
            if answer.error_code:
                raise SystemExit(f"answered with error {answer.error_code}")
            out.write(f"{ended:.6f} {(ended - started) * 1000:.3f}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
