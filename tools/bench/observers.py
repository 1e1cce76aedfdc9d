"""Many observers that tail one leader while it commits: how long from commit to receipt.

Every observer has a connection of its own and asks again as soon as it is answered, as a replica
without a vote does (``--as replica``), or as a consumer in a fetch session (``--as consumer``).
A receipt is when an answer is there that holds a batch and a high watermark above it. Its lag runs
from the moment when the leader's watermark went over the batch (``commit_times``). ``append`` runs
from the time that stands in the batch: it contains the leader's disk, and is in whole milliseconds.
Server, writer and observers are processes of their own. The writes come at their rate however the
server does (``steady_writer``), and a run in which fewer of them commit shows nothing.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import select
import socket
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import define, field

from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.client.connection import Connection
from metaquorum.wire.frames import frame
from metaquorum.wire.generated import fetch_request
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from metaquorum.wire.headers import RequestHeader, put_request_header
from metaquorum.wire.slices import FileSlice, Parts
from tools.bench.commit_times import CommitTimes, noting_program
from tools.bench.processor_time import processor_seconds
from tools.bench.steady_writer import write_steadily
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.quorum_state import describe_partition

FETCH, VERSION = 1, 18
FIRST_OBSERVER = 1_000
WAIT_MS = 500
LEAST_WRITTEN = 0.95
WARM_S = 2.0
RECEIVE_BYTES = 65_536  # asked for more, the C library maps new pages for each answer, 12 us
MAX_BYTES = 1_048_576
COMMITS = "commits"
_ANSWER = struct.Struct(">iBihi")  # correlation, tags, throttle, error, session
_ROW = struct.Struct(">ihqqq")  # index, error, watermark, last stable offset, log start
_BATCH = struct.Struct(">qi")  # base offset, length
_LONG, _INT = struct.Struct(">q"), struct.Struct(">i")
_OFFSET, _WATERMARK, _REPLICA = 0x1122334455667788, 0x1233445566778899, 0x13345566
_SESSION = (0x14455667, 0x15566778)
_LAST_DELTA_AT, _MAX_TIMESTAMP_AT = 23, 35

Receipt = tuple[int, int, int, int]
"""The offset behind a batch, when it was appended and received (ms), and that in shared ns."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--observers", type=int, default=500)
    parser.add_argument("--writes", type=int, default=200, help="a second")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--voters", type=int, default=1)
    parser.add_argument("--as", dest="kind", choices=["replica", "consumer"], default="replica")
    parser.add_argument("--at-most-ms", type=float, help="fail if p99 is above")
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="metaquorum-observers-") as scratch:
        figures = measured(Path(scratch), chosen)
    if chosen.output == "json":
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<24} {value}")
    p99_ms = figures["lag_p99_ms"]
    is_late = chosen.at_most_ms is not None and (p99_ms is None or p99_ms > chosen.at_most_ms)
    return int(is_late or not kept_up(figures, chosen.writes))


def kept_up(figures: Mapping[str, Any], writes: int) -> bool:
    """Whether as many writes a second were committed as were asked for, but for a twentieth."""
    return float(figures["writes_a_second"]) >= writes * LEAST_WRITTEN


def measured(scratch: Path, chosen: argparse.Namespace) -> dict[str, float | int | str | None]:
    """One run over a new cluster."""
    properties = {"metadata.max.idle.interval.ms": "0"}
    program = noting_program(scratch / COMMITS)
    with OwnCluster(
        scratch, voters=chosen.voters, properties=properties, program=program
    ) as cluster:
        leader = cluster.nodes[cluster.wait_led()]
        partition = describe_partition(LOOPBACK, leader.controller_port)
        many_clients = ManyClients(leader.controller_port, chosen.kind, partition.leader_epoch)
        many_clients.come(chosen.observers, partition.high_watermark)
        running = multiprocessing.get_context("spawn")
        done = running.Value("i", 0)
        span_s = chosen.seconds + WARM_S
        writer = running.Process(
            target=write_steadily, args=(leader.port, chosen.writes, span_s, done), daemon=True
        )
        writer.start()
        many_clients.listen(WARM_S)
        many_clients.receipts.clear()
        many_clients.answers = 0
        assert leader.pid is not None
        before_s, began, wrote = processor_seconds(leader.pid), time.monotonic(), done.value
        own_s = time.process_time()
        many_clients.listen(chosen.seconds)
        passed_s, own_s = time.monotonic() - began, time.process_time() - own_s
        used_s, wrote = processor_seconds(leader.pid) - before_s, done.value - wrote
        writer.join(span_s)
        of_commit_ms, of_append_ms = lags_ms(
            many_clients.receipts, CommitTimes.read(scratch / COMMITS)
        )
        return {
            "observers": chosen.observers,
            "kind": chosen.kind,
            "voters": chosen.voters,
            "writes_a_second": round(wrote / passed_s, 1),
            "answers_a_second": round(many_clients.answers / passed_s, 1),
            "receipts": len(many_clients.receipts),
            **spread("lag", of_commit_ms),
            **spread("append", of_append_ms),
            "observers_cpu_share": round(own_s / passed_s, 3),
            "server_cpu_share": round(used_s / passed_s, 3),
            "server_cpu_us_an_answer": round(used_s / max(many_clients.answers, 1) * 1e6, 1),
        }


def lags_ms(receipts: Iterable[Receipt], commits: CommitTimes) -> tuple[list[float], list[float]]:
    """From commit to receipt and from append to receipt, shortest first."""
    committed_ns: dict[int, int] = {}
    of_commit, of_append = [], []
    for end, appended_ms, received_ms, received_ns in receipts:
        if end not in committed_ns:
            committed_ns[end] = commits.of(end)
        of_commit.append(round((received_ns - committed_ns[end]) / 1e6, 3))
        of_append.append(float(received_ms - appended_ms))
    return sorted(of_commit), sorted(of_append)


def spread(name: str, lags: Sequence[float]) -> dict[str, float | None]:
    """The middle, the slowest hundredth and the slowest, None without any."""
    return {
        f"{name}_p50_ms": statistics.median(lags) if lags else None,
        f"{name}_p99_ms": lags[int(len(lags) * 0.99)] if lags else None,
        f"{name}_max_ms": lags[-1] if lags else None,
    }


@define(eq=False)
class Observer:
    """One connection: where it stands, and what it holds that it does not know committed."""

    number: int
    peer: socket.socket
    offset: int
    watermark: int
    session_id: int = 0
    session_epoch: int = 0
    received: bytearray = field(factory=bytearray)
    held: list[tuple[int, int]] = field(factory=list)


@define(eq=False)
class Form:
    """An encoded request whose numbers have fixed places.

    To encode each of a hundred thousand requests would take the observers longer than answering
    them may take the server, and they would measure themselves.
    """

    frame: bytearray
    places: dict[str, int]

    @classmethod
    def of(cls, kind: str, epoch: int) -> Form:
        """The request of one kind, with marks where its numbers go."""
        row = FetchPartition(
            fetch_offset=_OFFSET, current_leader_epoch=epoch, partition_max_bytes=MAX_BYTES
        )
        request = FetchRequest(max_wait_ms=WAIT_MS, min_bytes=1, max_bytes=MAX_BYTES)
        marks = {"offset": _OFFSET.to_bytes(8, "big")}
        if kind == "replica":
            row.last_fetched_epoch = epoch
            row.high_watermark = _WATERMARK
            request.replica_state = ReplicaState(_REPLICA, -1)
            marks["watermark"] = _WATERMARK.to_bytes(8, "big")
            marks["replica"] = _REPLICA.to_bytes(4, "big")
        else:
            request.session_id, request.session_epoch = _SESSION
            marks["session"] = b"".join(one.to_bytes(4, "big") for one in _SESSION)
        request.topics = [FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[row])]
        parts: Parts = []
        put_request_header(parts, RequestHeader(FETCH, VERSION, 1, "observer"))
        fetch_request.put(parts, request, VERSION)
        framed = b"".join(part for part in frame(parts) if not isinstance(part, FileSlice))
        assert all(framed.count(mark) == 1 for mark in marks.values())
        return cls(bytearray(framed), {name: framed.index(mark) for name, mark in marks.items()})

    def filled(self, observer: Observer) -> bytes:
        """The request of one observer."""
        for name, at in self.places.items():
            if name == "offset":
                _LONG.pack_into(self.frame, at, observer.offset)
            elif name == "watermark":
                _LONG.pack_into(self.frame, at, observer.watermark)
            elif name == "replica":
                _INT.pack_into(self.frame, at, FIRST_OBSERVER + observer.number)
            else:
                _INT.pack_into(self.frame, at, observer.session_id)
                _INT.pack_into(self.frame, at + 4, observer.session_epoch)
        return bytes(self.frame)


@define(eq=False)
class ManyClients:
    """All observers, driven by one epoll."""

    port: int
    kind: str
    epoch: int
    receipts: list[Receipt] = field(factory=list)
    answers: int = 0
    _form: Form | None = None
    _poll: select.epoll = field(factory=select.epoll)
    _observers: dict[int, Observer] = field(factory=dict)

    def come(self, count: int, at_offset: int) -> None:
        """Connect all of them, at the end of the log."""
        with Connection.open(LOOPBACK, self.port) as one:
            assert one.versions[FETCH][1] >= VERSION
        for number in range(count):
            peer = socket.create_connection((LOOPBACK, self.port))
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            observer = Observer(number, peer, at_offset, at_offset)
            self._observers[peer.fileno()] = observer
            self._poll.register(peer.fileno(), select.EPOLLIN)
            peer.sendall(self._request(observer))

    def listen(self, for_s: float) -> None:
        """Answer every answer with the next request."""
        ends = time.monotonic() + for_s
        while (left_s := ends - time.monotonic()) > 0:
            for descriptor, _ in self._poll.poll(left_s):
                observer = self._observers[descriptor]
                piece = observer.peer.recv(RECEIVE_BYTES)
                if not piece:
                    raise ConnectionError(f"observer {observer.number} was cut off")
                if observer.received:
                    observer.received += piece
                    piece = bytes(observer.received)
                size = int.from_bytes(piece[:4], "big") + 4
                if len(piece) >= size:
                    assert len(piece) == size, "an answer that nobody asked for"
                    observer.received.clear()
                    self._hear(observer, memoryview(piece)[4:])
                    observer.peer.sendall(self._request(observer))
                elif not observer.received:
                    observer.received += piece

    def _request(self, observer: Observer) -> bytes:
        """The usual request with this observer's numbers put into their places."""
        form = self._form
        if form is None:
            form = self._form = Form.of(self.kind, self.epoch)
        return form.filled(observer)

    def _hear(self, observer: Observer, answer: memoryview) -> None:
        """The answer by its places: decoding would take longer than the server has for it."""
        self.answers += 1
        _, _, _, error, session_id = _ANSWER.unpack_from(answer)
        at = _ANSWER.size
        if error:
            raise ConnectionError(f"observer {observer.number} got error {error}")
        if self.kind == "consumer":
            observer.session_id = session_id
            observer.session_epoch = observer.session_epoch + 1 if session_id else 0
        if answer[at] == 1:  # no topics: nothing new in the session
            return
        at += 1 + 16 + 1
        _, row_error, watermark, _, _ = _ROW.unpack_from(answer, at)
        if row_error:
            raise ConnectionError(f"observer {observer.number} got error {row_error}")
        at += _ROW.size
        aborted = answer[at]
        assert aborted <= 1, "the log has no transactions of producers"
        at += 1 + 4
        size, shift = 0, 0
        while True:
            byte = answer[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        self._take(observer, answer[at : at + max(size - 1, 0)])
        observer.watermark = watermark
        now_ms, now_ns = int(time.time() * 1_000), time.monotonic_ns()
        while observer.held and observer.held[0][0] <= watermark:
            self.receipts.append((*observer.held.pop(0), now_ms, now_ns))

    def _take(self, observer: Observer, records: memoryview) -> None:
        at = 0
        while at < len(records):
            base, length = _BATCH.unpack_from(records, at)
            (last_delta,) = struct.unpack_from(">i", records, at + _LAST_DELTA_AT)
            (appended_ms,) = struct.unpack_from(">q", records, at + _MAX_TIMESTAMP_AT)
            observer.offset = base + last_delta + 1
            observer.held.append((observer.offset, appended_ms))
            at += _BATCH.size + length


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
