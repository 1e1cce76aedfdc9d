"""The recorder beside a quorum in memory: what it records, and where it goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ZERO_UUID
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.connection import ConnectionFailed, Failure
from metaquorum.client.quorum_view import QuorumView, ReplicaRow
from metaquorum.client.security import PLAIN
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.log_follower import LogFollower
from metaquorum.exporter.source import Source
from metaquorum.flight import recorder as recorder_module
from metaquorum.flight.evidence import (
    BrokerRegistered,
    Described,
    Evidence,
    LeaderElected,
    NotDescribed,
    Outcome,
    Probed,
    Wrote,
)
from metaquorum.flight.limits import LEAST_RING_BYTES
from metaquorum.flight.prober import CALM_MS, LIST_OFFSETS, ProbedNode, Prober
from metaquorum.flight.recorded_log import RecordedLog
from metaquorum.flight.recorder import Recorder, RecorderOptions
from metaquorum.flight.ring import Ring
from metaquorum.flight.ring_reading import RingReading
from metaquorum.observe.events import EventLog
from metaquorum.records.snapshot import snapshot_batches
from tests.unit.client.fake_quorum import FakeQuorum, data_batch, feature, leader_change
from tests.unit.exporter.exported_quorum import record

START_MS = 1_795_250_000_000


def broker(broker_id: int) -> bytes:
    endpoints = [("BrokerEndpoint", "P", f"b{broker_id}", 9092, 0)]
    return record("RegisterBroker", 0, broker_id=broker_id, fenced=True, end_points=endpoints)


LOG = [
    leader_change(0, 1, 1),
    data_batch(1, 1, feature("metadata.version", 29)),
    data_batch(2, 1, broker(101)),
    data_batch(3, 1, b"\x01\x14\x00\x00"),
]


@define
class Followed:
    """A recorded log that follows a quorum in memory."""

    quorum: FakeQuorum
    log: RecordedLog
    items: list[Evidence]

    @classmethod
    def of(cls, log: list[bytes], **more: Any) -> Followed:
        quorum = FakeQuorum.of(1, high_watermark=4, log=list(log))
        items: list[Evidence] = []
        return cls(quorum, RecordedLog(lambda *some: items.extend(some), **more), items)

    def follow(self, requests: int) -> None:
        """Read until so many requests more were answered."""
        lines = EventLog(lambda line: None, self._now_ms)

        def opened(bootstrap: Any, **options: Any) -> Any:
            options.pop("security")
            return self.quorum.reader(bootstrap=list(bootstrap), **options)

        follower = LogFollower(
            self.quorum.addresses,
            lambda: PLAIN,
            self.log,
            Source("log", lines, self._now_ms),
            lines,
            self._now_ms,
            lambda seconds: True,
            opened,
        )
        self.quorum.before[len(self.quorum.requests) + requests] = follower.stop
        follower.run()

    def _now_ms(self) -> int:
        return int(self.quorum.now_s * 1_000)


def test_a_log_is_recorded_without_its_state() -> None:
    one = Followed.of(LOG)
    one.follow(8)
    kinds = [type(item).__name__ for item in one.items]
    assert kinds[:2] == ["LeaderElected", "Wrote"]
    assert {"FeatureSet", "BrokerRegistered"} <= set(kinds)
    written = [item for item in one.items if isinstance(item, Wrote)]
    assert (written[-1].next_offset, one.log.position, one.log.epoch) == (4, 4, 1)
    assert one.log.brokers[101].address == "b101:9092"


def test_what_a_batch_says_is_recorded_before_that_it_was_read() -> None:
    """A recorder that is killed in between reads the batch again, and misses nothing."""
    one = Followed.of(LOG)
    one.follow(8)
    ends = 0
    for item in one.items:
        if isinstance(item, Wrote):
            ends = item.next_offset
        elif isinstance(item, LeaderElected | BrokerRegistered):
            assert item.offset >= ends


def test_a_recorded_log_goes_on_in_the_midst() -> None:
    one = Followed.of(LOG, position=3, epoch=1)
    one.follow(6)
    assert [type(item) for item in one.items] == [Wrote]
    written = one.items[0]
    assert isinstance(written, Wrote) and (written.first_offset, written.next_offset) == (3, 4)


def test_of_a_snapshot_only_brokers_are_taken() -> None:
    one = Followed.of([])
    values = [feature("metadata.version", 29), broker(101), broker(102)]
    snapshot = snapshot_batches(
        epoch=2, timestamp_ms=START_MS, last_contained_ms=START_MS, controls=[], values=values
    )
    node = one.quorum[1]
    node.snapshot = (OffsetAndEpoch(2, 40), b"".join(snapshot))
    node.log = [data_batch(40, 2, feature("x", 1))]
    node.epoch, node.high_watermark = 2, 41
    one.follow(12)
    found = [item for item in one.items if isinstance(item, BrokerRegistered)]
    assert [(item.node_id, item.offset) for item in found] == [(101, -1), (102, -1)]
    assert one.log.position == 41


# ---------------------------------------------------------------- the prober


@define
class FakeConnection:
    """Answers, or fails as it is told; ``versions`` as ApiVersions told them."""

    node: FakeNode
    versions: dict[int, tuple[int, int]] = field(factory=dict)
    closed: bool = False

    def ask(self, *_: Any, **__: Any) -> None:
        self.node.answer()

    def closed_within(self, seconds: float) -> bool:
        self.node.now_ms += int(seconds * 1_000)
        return self.node.hangs_up

    def close(self) -> None:
        self.closed = True


@define
class FakeNode:
    """A node whose fate a test decides."""

    fate: Failure | None = None
    hangs_up: bool = False
    ours: bool = False
    now_ms: int = START_MS

    def answer(self) -> None:
        if self.fate is not None:
            self.now_ms += 1_000 if self.fate is Failure.SILENT else 1
            raise ConnectionFailed("it failed", self.fate)

    def open(self, host: str, port: int, **_: Any) -> Any:
        self.answer()
        return FakeConnection(self, {LIST_OFFSETS: (0, 1)} if self.ours else {})


def prober(node: FakeNode) -> tuple[Prober, list[Probed]]:
    seen: list[Probed] = []
    asked = ProbedNode(1, "controller", HostPort("c1", 9093))
    return (
        Prober(
            asked,
            1_000,
            1_000,
            node.open,
            seen.append,
            lambda: node.now_ms,
            lambda seconds: False,
        ),
        seen,
    )


def test_an_answer_that_says_nothing_new_is_seldom_recorded() -> None:
    node = FakeNode()
    one, seen = prober(node)
    for _ in range(100):
        one.step()
    assert [(item.time_ms - START_MS, item.outcome) for item in seen] == [
        (at_ms, Outcome.ANSWERED) for at_ms in range(0, 100_000, CALM_MS)
    ]


def test_the_last_answer_before_a_failure_is_recorded() -> None:
    node = FakeNode()
    one, seen = prober(node)
    for _ in range(5):
        one.step()
    node.fate = Failure.REFUSED
    one.step()
    assert [(item.time_ms - START_MS, item.outcome) for item in seen] == [
        (0, Outcome.ANSWERED),
        (4_000, Outcome.ANSWERED),
        (5_000, Outcome.REFUSED),
    ]


def test_a_connection_that_ends_is_noticed_and_made_anew() -> None:
    node = FakeNode(hangs_up=True)
    one, seen = prober(node)
    assert one.step() == 0
    node.fate = Failure.REFUSED
    one.step()
    outcomes = [item.outcome for item in seen]
    assert outcomes == [Outcome.ANSWERED, Outcome.CLOSED, Outcome.REFUSED]


def test_a_paused_process_hangs_and_then_is_silent() -> None:
    """Over the connection that stood it does not answer; a new one it takes without a word."""
    node = FakeNode()
    one, seen = prober(node)
    one.step()
    node.fate = Failure.SILENT
    one.step()
    one.step()
    assert [item.outcome for item in seen[-2:]] == [Outcome.HANGS, Outcome.SILENT]
    assert all(item.took_ms == 1_000 for item in seen[-2:])


@pytest.mark.parametrize("ours", [False, True])
def test_a_node_of_ours_is_known_by_what_it_serves(ours: bool) -> None:
    one, seen = prober(FakeNode(ours=ours))
    one.step()
    assert seen[0].is_prompt is ours


# ---------------------------------------------------------------- the process


def recorder(directory: Path, **changes: Any) -> Recorder:
    options = {
        "bootstrap": (HostPort("c1", 9001),),
        "security": lambda: PLAIN,
        "interval_ms": 1_000,
        "timeout_ms": 1_000,
        "retention_bytes": LEAST_RING_BYTES,
        "retention_ms": 3_600_000,
        "with_brokers": True,
        **changes,
    }
    lines = EventLog(lambda line: None, lambda: 0)
    one = Recorder(RecorderOptions(directory, **options), lines, lambda: START_MS)
    one._asked_ms = START_MS
    return one


def view(cluster_id: str = "CLUSTER", **changes: Any) -> QuorumView:
    now = START_MS
    rows = tuple(
        ReplicaRow(one, ZERO_UUID, 40, now - 300 * (one != 1), now - 300 * (one != 1))
        for one in (1, 2, 3)
    )
    observers = (ReplicaRow(101, ZERO_UUID, 38, now - 400, -1),)
    fields: dict[str, Any] = {
        "leader_id": 1,
        "leader_epoch": 4,
        "high_watermark": 39,
        "voters": rows,
        "observers": observers,
        "endpoints": {one: (("CONTROLLER", f"c{one}", 9093),) for one in (1, 2, 3)},
        **changes,
    }
    return QuorumView(cluster_id=cluster_id, **fields)


def items_of(directory: Path) -> list[Evidence]:
    return list(RingReading(directory, print).items())


def test_an_answer_is_recorded_with_the_leaders_clock(tmp_path: Path) -> None:
    one = recorder(tmp_path)
    one.poller.described(view())
    one.end()
    (seen,) = items_of(tmp_path)
    assert isinstance(seen, Described)
    assert (seen.leader_id, seen.epoch, seen.leader_ms) == (1, 4, START_MS)
    rows = [(row.node_id, row.is_voter, row.lag, row.since_fetch_ms) for row in seen.replicas]
    assert rows == [(1, True, 0, 0), (2, True, 0, 300), (3, True, 0, 300), (101, False, 2, 400)]
    assert seen.replicas[3].behind_ms == -1


def test_calm_answers_are_held_and_the_last_one_is_recorded(tmp_path: Path) -> None:
    one = recorder(tmp_path)
    for watermark in range(39, 49):
        one.poller.described(view(high_watermark=watermark))
    one.poller.not_described("no-answer")
    one.poller.not_described("no-answer")
    one.end()
    found = items_of(tmp_path)
    marks = [item.high_watermark for item in found if isinstance(item, Described)]
    assert marks == [39, 48]
    assert [type(item) for item in found][-1] is NotDescribed and len(found) == 3


def test_another_cluster_ends_the_recording(tmp_path: Path) -> None:
    one = recorder(tmp_path)
    one.poller.described(view())
    one.poller.described(view("OTHER"))
    assert one.stopping.is_set()
    assert one.failure is not None and "this is OTHER; record into another" in one.failure
    one.end()


def test_a_later_recorder_goes_on_and_knows_the_brokers(tmp_path: Path) -> None:
    first = recorder(tmp_path)
    first.poller.described(view())
    known = BrokerRegistered(8, 2, START_MS, 101, "def", True, "b101:9092")
    first.put(known, Wrote(30, 40, 4, START_MS, START_MS, 10))
    first.end()
    second = recorder(tmp_path)
    assert (second.log.position, second.log.epoch) == (40, 4)
    assert second.log.brokers == {101: known}
    second.end()


def test_all_controllers_and_brokers_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Recorder, "_start", _keep_from_starting)
    one = recorder(tmp_path)
    one.poller.described(view())
    one.log.brokers[101] = BrokerRegistered(8, 2, START_MS, 101, "def", True, "b101:9092", True)
    one.log.brokers[102] = BrokerRegistered(9, 2, START_MS, 102, "ghi", True, "")
    one.look_for_nodes()
    places = {key: (str(it.node.place), it.node.by_tls) for key, it in one.probers.items()}
    assert places == {
        ("controller", 1): ("c1:9093", None),
        ("controller", 2): ("c2:9093", None),
        ("controller", 3): ("c3:9093", None),
        ("broker", 101): ("b101:9092", True),
    }
    gone = one.probers["broker", 101]
    one.log.brokers.clear()
    one.look_for_nodes()
    assert gone.gone.is_set() and ("broker", 101) not in one.probers
    one.end()


def _keep_from_starting(self: Recorder, work: Callable[[], None]) -> None:
    """A test looks at who would be asked."""


def test_no_more_nodes_are_asked_than_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Recorder, "_start", _keep_from_starting)
    monkeypatch.setattr(recorder_module, "MAX_PROBED_NODES", 4)
    one = recorder(tmp_path)
    one.poller.described(view())
    for number in range(200, 300):
        address = f"b{number}:9092"
        one.log.brokers[number] = BrokerRegistered(8, 2, 0, number, "x", True, address)
    one.look_for_nodes()
    assert sorted(one.probers) == [("broker", 200), *(("controller", n) for n in (1, 2, 3))]
    one.end()


def test_a_disk_that_takes_no_more_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    one = recorder(tmp_path)
    monkeypatch.setattr(Ring, "_append", full)
    one.put(NotDescribed(START_MS, "x"))
    one.put(NotDescribed(START_MS, "x"))
    assert one.failure == f"{tmp_path}: No space left on device"
    monkeypatch.setattr(Recorder, "begin", lambda self: None)
    with pytest.raises(OperatorError, match="No space left on device"):
        one.run()


def test_a_fault_in_a_thread_ends_the_process(tmp_path: Path) -> None:
    one = recorder(tmp_path)

    def broken() -> None:
        raise ValueError("a fault")

    raised: list[threading.ExceptHookArgs] = []
    before, threading.excepthook = threading.excepthook, raised.append
    try:
        one._start(broken)
        assert one.stopping.wait(10)
        one._threads[0].join(10)
    finally:
        threading.excepthook = before
    assert one.failure == "the recorder broke: ValueError: a fault"
    assert len(raised) == 1
    one.end()
