"""When a replica looks at its log for what may go, and what it lets go then."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import DropPrefix, MeasureLog
from metaquorum.quorum.events import (
    AppendAsked,
    LogMeasured,
    RequestArrived,
    ResponseArrived,
    SnapshotWritten,
    TimePassed,
)
from metaquorum.quorum.messages import NONE, FetchRequest, FetchResponse, FetchSnapshotRequest, Hint
from metaquorum.quorum.retention import Measured, Retention
from metaquorum.quorum.types import Batch, ElectionState, ReplicaKey, SnapshotId
from metaquorum.testing.fakes import FakeHost, data_batch, voter, voters

KAFKAS = Retention(1_000, -1)
KIPS = Retention(1_000, -1, 5_000)
FIRST, SECOND = SnapshotId(1, 3), SnapshotId(1, 5)
FULL = LogMeasured(Measured(10_000, ((0, 900),), {FIRST: 9_000, SECOND: 9_500}))
FIVE_MINUTES_MS = 300_000


def leader(retention: Retention | None) -> FakeHost:
    """Offsets 0-8 in batches of two, the LeaderChange at 0 included; all of them committed."""
    host = FakeHost.of(1, voters(1), retention=retention)
    host.started()
    for number in range(4):
        host.tell(AppendAsked(number, (data_batch(records=2),), 1))
    return host.settle()


def fetched(host: FakeHost, key: ReplicaKey, offset: int) -> None:
    request = FetchRequest(key, host.replica.epoch, offset, host.replica.epoch)
    host.tell(RequestArrived(90 + offset, request))


def with_snapshots(host: FakeHost) -> FakeHost:
    host.tell(SnapshotWritten(FIRST, 100))
    host.tell(SnapshotWritten(SECOND, 100))
    return host


def test_the_log_is_measured_after_a_snapshot_and_every_minute() -> None:
    host = leader(KAFKAS)
    assert "cleaning" not in dict(_timers(host)), "there is nothing that could go"
    assert host.tell(SnapshotWritten(FIRST, 100)) == [MeasureLog()]
    assert dict(_timers(host))["cleaning"] == 60_000
    host.now = 59_999
    assert host.tell(TimePassed()) == []
    host.now = 60_000
    assert host.tell(TimePassed()) == [MeasureLog()]
    assert host.replica.deadline == 120_000


def _timers(host: FakeHost) -> Any:
    from metaquorum.quorum.handlers.time import timers

    return timers(host.replica)


def test_without_a_rule_nothing_is_measured_and_nothing_goes() -> None:
    host = leader(None)
    assert host.tell(SnapshotWritten(FIRST, 100)) == []
    assert host.replica.deadline == NEVER
    host.tell(SnapshotWritten(SECOND, 100))
    host.tell(FULL)
    assert (host.replica.log.start, host.unsynced) == (0, [])


def test_by_kafkas_rule_excess_log_goes_with_its_older_snapshots() -> None:
    host = with_snapshots(leader(KAFKAS))
    host.tell(FULL)
    (drop,) = host.unsynced
    assert isinstance(drop, DropPrefix)
    assert drop.before == 5
    log = host.replica.log
    assert (log.start, log.end, log.last_epoch) == (5, 9, 1)
    assert log.snapshots == ((SECOND, 100),)
    assert list(log.epochs) == [(1, 5)]
    host.settle()
    host.tell(FULL)
    assert host.unsynced == [], "one snapshot is left, and it stays"


def test_who_is_behind_the_new_start_is_sent_to_the_snapshot() -> None:
    host = with_snapshots(leader(KAFKAS))
    host.tell(FULL)
    host.words.clear()
    fetched(host, voter(2).key, 4)
    fetched(host, voter(2).key, 5)
    told = [word.message for word in host.words]  # type: ignore[union-attr]
    assert (told[0].snapshot, told[0].log_start, told[0].records) == (SECOND, 5, None)
    assert told[1].records.first == 5
    host.tell(RequestArrived(7, FetchSnapshotRequest(voter(2).key, 1, FIRST, 0, 10)))
    assert host.words[-1].message.error == 98, "SNAPSHOT_NOT_FOUND"  # type: ignore[union-attr]


def test_a_snapshot_overtaken_while_being_written_changes_nothing() -> None:
    host = with_snapshots(leader(KAFKAS))
    assert host.tell(SnapshotWritten(FIRST, 100)) == []
    assert host.replica.log.snapshots == ((FIRST, 100), (SECOND, 100))


def test_by_the_kips_rule_a_leader_waits_for_its_live_replicas() -> None:
    host = with_snapshots(leader(KIPS))
    host.now = 1_000
    fetched(host, voter(2).key, 4)
    host.tell(FULL)
    assert host.replica.log.start == 3, "an observer counts, and has 4"
    fetched(host, voter(2).key, 5)
    host.tell(FULL)
    assert host.replica.log.start == 5


def test_by_the_kips_rule_it_waits_no_longer_than_the_lag_allows() -> None:
    host = with_snapshots(leader(KIPS))
    fetched(host, voter(2).key, 0)
    fetched(host, voter(2).key, 1)
    host.tell(LogMeasured(Measured(14_000, (), {FIRST: 9_000, SECOND: 9_500})))
    assert host.replica.log.start == 3
    host.tell(LogMeasured(Measured(14_500, (), {FIRST: 9_000, SECOND: 9_500})))
    assert host.replica.log.start == 5


def test_by_the_kips_rule_replicas_silent_for_5_minutes_do_not_count() -> None:
    host = with_snapshots(leader(KIPS))
    fetched(host, voter(2).key, 1)
    host.now = FIVE_MINUTES_MS - 1
    host.tell(FULL)
    assert host.replica.log.start == 0
    host.now = FIVE_MINUTES_MS
    host.tell(FULL)
    assert host.replica.log.start == 5


@pytest.mark.parametrize(("leaders", "start"), [(0, 0), (4, 4), (5, 5), (7, 5)])
def test_by_the_kips_rule_a_follower_starts_where_its_leader_does(leaders: int, start: int) -> None:
    host = follower(KIPS)
    answered(host, leaders)
    log = host.replica.log
    assert log.start == start
    assert [drop.before for drop in host.unsynced] == ([start] if start else [])  # type: ignore[union-attr]
    assert log.newest_snapshot == SECOND


def test_by_kafkas_rule_a_follower_cleans_independently_of_its_leader() -> None:
    host = follower(KAFKAS)
    answered(host, 5)
    assert host.replica.log.start == 0
    host.tell(FULL)
    assert host.replica.log.start == 5


def test_after_a_start_nothing_goes_before_the_watermark_was_heard() -> None:
    host = follower(KAFKAS)
    host.replica.log = host.replica.log.__class__(
        end=9, durable_end=9, epochs=host.replica.log.epochs, snapshots=((FIRST, 1), (SECOND, 1))
    )
    host.tell(LogMeasured(Measured(10_000, ((0, 9_000),), {})))
    assert host.replica.log.start == 0


def test_after_a_start_nothing_that_a_snapshot_covers_is_cut() -> None:
    host = follower(KAFKAS)
    host.replica.log = host.replica.log.__class__(
        end=9, durable_end=9, epochs=host.replica.log.epochs, snapshots=((SECOND, 1),)
    )
    answered(host, 0, diverging=OffsetAndEpoch(1, 4))
    assert host.replica.log.end == 9
    assert host.unsynced == []


def follower(retention: Retention) -> FakeHost:
    """A follower of node 3 with offsets 0-8, two snapshots, and a known watermark."""
    log = (Batch(0, 8, 1, 648, 9),)
    election = ElectionState(5, 3)
    host = FakeHost.of(1, voters(1, 2, 3), election=election, log=log, retention=retention)
    host.started()
    answered(host, 0)
    return with_snapshots(host)


def answered(host: FakeHost, log_start: int, **changes: Any) -> None:
    in_flight = host.replica.peers.of(3).in_flight
    assert in_flight is not None
    hint = Hint(3, 5, voter(3).endpoints)
    answer = FetchResponse(NONE, hint, high_watermark=9, log_start=log_start, **changes)
    host.tell(ResponseArrived(3, in_flight.correlation, answer))
