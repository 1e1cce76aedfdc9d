"""A well-behaved client that asks again and again and writes down how long each answer took.

    python -m tools.bystander PORT FILE

A process of its own, so that a busy client does not take its turns. It asks what
simple clients ask, one thing after the other, with a pause after each. After every answer it asks
the same of a control: a third process that does nothing but read such a request and write such an
answer. What slows the control down is the machine, and no fault of the server.

It ends when its standard input does, and fails at the first error.
"""

from __future__ import annotations

import multiprocessing
import select
import socket
import statistics
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.client.connection import REQUEST_TIMEOUT_MS, Connection
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import (
    api_versions_request,
    describe_quorum_request,
    fetch_request,
    metadata_request,
)
from metaquorum.wire.generated.index import request_codec, response_codec
from metaquorum.wire.headers import put_response_header, read_request_header
from metaquorum.wire.slices import Parts
from tools.kafka.ports import LOOPBACK
from tools.process import end_by_stdin

API_VERSIONS, METADATA, FETCH, DESCRIBE_QUORUM = 18, 3, 1, 55
PAUSE_S = 0.005
END_TIMEOUT_S = 5.0
FETCHED_BYTES = 1_000
BY_NAME = 12  # the last version of Fetch in which topics have names


@frozen
class Felt:
    """How long answers took: the server's, and the control's beside them."""

    answers_ms: list[float]
    controls_ms: list[float]

    @property
    def median_ms(self) -> float:
        """Raises ValueError when there was not one answer."""
        return middle(self.answers_ms)

    @property
    def control_median_ms(self) -> float:
        """The same of the control."""
        return middle(self.controls_ms)

    @property
    def high_ms(self) -> float:
        """What 99 of 100 stayed within."""
        return within(self.answers_ms, 99)

    @property
    def control_high_ms(self) -> float:
        """The same of the control."""
        return within(self.controls_ms, 99)


@define
class Bystander:
    """The process, and what it has written down.

    ``module`` may be another that asks other questions; ``words`` are what it is told besides.
    """

    port: int
    file: Path
    module: str = "tools.bystander"
    words: tuple[str, ...] = ()
    _process: subprocess.Popen[bytes] = field(init=False, repr=False)

    def __enter__(self) -> Bystander:
        self.file.touch()
        self._process = subprocess.Popen(
            [sys.executable, "-m", self.module, str(self.port), self.file, *self.words],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return self

    def __exit__(self, *_: object) -> None:
        end_by_stdin(self._process, END_TIMEOUT_S)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def trouble(self) -> str | None:
        """What went wrong for it, or None while nothing has."""
        if self._process.poll() is None:
            return None
        assert self._process.stderr is not None
        return self._process.stderr.read().decode(errors="replace") or "it ended by itself"

    def felt(self, since_s: float) -> Felt:
        """Since a moment of ``time.monotonic``."""
        counted = self.rows(since_s)
        return Felt([row[1] for row in counted], [row[2] for row in counted])

    def rows(self, since_s: float) -> list[tuple[float, ...]]:
        """What it wrote since then: the moment, two times in milliseconds, and what is besides."""
        lines = self.file.read_text().splitlines(keepends=True)
        rows = [tuple(map(float, line.split())) for line in lines if line.endswith("\n")]
        return [row for row in rows if row[0] >= since_s]


def middle(latencies: list[float]) -> float:
    """The median; raises ValueError when there are none."""
    if not latencies:
        raise ValueError("not one answer came")
    return statistics.median(latencies)


def within(latencies: list[float], percent: int) -> float:
    """What so many percent stayed within; raises ValueError when there are none."""
    if not latencies:
        raise ValueError("not one answer came")
    return sorted(latencies)[min(len(latencies) * percent // 100, len(latencies) - 1)]


def questions() -> list[tuple[int, Any]]:
    """What simple clients ask: what is spoken, who is there, what is in the log, who leads."""
    partition = describe_quorum_request.PartitionData(METADATA_PARTITION)
    topic = describe_quorum_request.TopicData(METADATA_TOPIC, [partition])
    part = fetch_request.FetchPartition(METADATA_PARTITION, partition_max_bytes=FETCHED_BYTES)
    log = fetch_request.FetchTopic(METADATA_TOPIC, partitions=[part])
    return [
        (API_VERSIONS, api_versions_request.ApiVersionsRequest("bystander", "1")),
        (METADATA, metadata_request.MetadataRequest(None)),
        (FETCH, fetch_request.FetchRequest(max_bytes=FETCHED_BYTES, topics=[log])),
        (DESCRIBE_QUORUM, describe_quorum_request.DescribeQuorumRequest([topic])),
    ]


@frozen
class Exchange:
    """One thing that is asked again and again, and what the answer usually is."""

    api_key: int
    version: int
    request: Any
    answer: Any


def serve_control(listener: socket.socket, exchanges: list[Exchange]) -> None:
    """Read requests and write those answers, until the client hangs up; nothing else."""
    by_key = {one.api_key: one for one in exchanges}
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    frames = FrameReader(MAX_FRAME_BYTES)
    while data := client.recv(65_536):
        for found in frames.feed(data):
            header, at = read_request_header(found)
            one = by_key[header.api_key]
            request_codec(one.api_key).decode(found, one.version, at)
            parts: Parts = []
            put_response_header(parts, one.api_key, one.version, header.correlation_id)
            response_codec(one.api_key).put(parts, one.answer, one.version)
            client.sendall(b"".join(map(bytes, frame(parts))))  # type: ignore[arg-type]


def control_connection(exchanges: list[Exchange]) -> Connection:
    """A connection to a control in a process of its own."""
    listener = socket.create_server((LOOPBACK, 0))
    multiprocessing.Process(target=serve_control, args=(listener, exchanges), daemon=True).start()
    port = listener.getsockname()[1]
    client = socket.create_connection((LOOPBACK, port))
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(LOOPBACK, port, "bystander", REQUEST_TIMEOUT_MS, client)


def timed_ms(connection: Connection, one: Exchange) -> float:
    """How long an answer took."""
    started = time.monotonic()
    answer = connection.ask(one.api_key, one.version, one.request)
    took_ms = (time.monotonic() - started) * 1000
    if getattr(answer, "error_code", 0):
        raise SystemExit(f"answered with error {answer.error_code}")
    return took_ms


def main(port: int, file: Path) -> None:
    """Ask until standard input ends."""
    with Connection.open(LOOPBACK, port) as connection, file.open("a", buffering=1) as out:
        exchanges = []
        for key, request in questions():
            version = connection.best_version(key, most=BY_NAME if key == FETCH else None)
            answer = connection.ask(key, version, request)
            exchanges.append(Exchange(key, version, request, answer))
        control = control_connection(exchanges)
        for one in cycle(exchanges):
            if select.select([sys.stdin], [], [], PAUSE_S)[0]:
                return
            took_ms = timed_ms(connection, one)
            out.write(f"{time.monotonic():.6f} {took_ms:.3f} {timed_ms(control, one):.3f}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
