"""Three ends of a log, and what a replica is told that asks from a place in it."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import NO_EPOCH, OffsetAndEpoch
from metaquorum.quorum.log_view import Diverging, LogView, NeedsSnapshot, Valid
from metaquorum.quorum.types import ZERO_SNAPSHOT, Batch, SnapshotId


def batch(base: int, epoch: int, records: int = 1) -> Batch:
    return Batch(base, base + records - 1, epoch, 72 * records, records)


def view_of(*epochs_and_counts: tuple[int, int]) -> LogView:
    view = LogView()
    for ticket, (epoch, count) in enumerate(epochs_and_counts, 1):
        view = view.appended(ticket, (batch(view.end, epoch, count),)).durable(ticket)
    return view


# Epoch 1: 0-9, epoch 3: 10-19, epoch 4: 20-24.
LOG = view_of((1, 10), (3, 10), (4, 5))


@pytest.mark.parametrize(
    ("offset", "epoch", "place"),
    [
        (9, 1, NeedsSnapshot(SnapshotId(4, 22))),
        (17, 3, NeedsSnapshot(SnapshotId(4, 22))),
        (18, 3, Valid()),
        (18, 1, NeedsSnapshot(SnapshotId(4, 22))),
        (18, 4, NeedsSnapshot(SnapshotId(4, 22))),
        (25, 2, NeedsSnapshot(SnapshotId(4, 22))),
        (0, 0, NeedsSnapshot(SnapshotId(4, 22))),
        (20, 3, Valid()),
        (22, 4, Valid()),
        (21, 3, Diverging(OffsetAndEpoch(3, 20))),
        (26, 4, Diverging(OffsetAndEpoch(4, 25))),
    ],
)
def test_a_fetch_below_log_start_or_of_another_epoch_needs_a_snapshot(
    offset: int, epoch: int, place: object
) -> None:
    log = LOG.committed(24).with_snapshot(SnapshotId(1, 8), 9).with_snapshot(SnapshotId(3, 18), 9)
    log = log.with_snapshot(SnapshotId(4, 22), 9).dropped(18)
    assert [one.offset for one, _ in log.snapshots] == [18, 22]
    assert list(log.epochs) == [(3, 18), (4, 20)]
    assert log.place(offset, epoch) == place


def test_no_prefix_beyond_the_newest_snapshot_or_watermark_is_dropped() -> None:
    log = LOG.committed(24).with_snapshot(SnapshotId(3, 18), 9)
    for before in (0, 19, 25):
        with pytest.raises(InvariantViolated):
            log.dropped(before)
    with pytest.raises(InvariantViolated):
        LOG.dropped(1)
    assert log.dropped(18).end_id == LOG.end_id


def test_the_durable_end_follows_the_tickets() -> None:
    view = LogView().appended(1, (batch(0, 1),)).appended(2, (batch(1, 1), batch(2, 1)))
    assert (view.end, view.durable_end) == (3, 0)
    assert view.durable(1).durable_end == 1
    assert view.durable(2).durable_end == 3


def test_a_cut_makes_durable_no_more_than_is_left() -> None:
    view = LogView().appended(1, (batch(0, 1),)).appended(2, (batch(1, 1), batch(2, 1)))
    cut = view.truncated(3, 1)
    assert (cut.end, cut.durable_end) == (1, 0)
    assert cut.durable(2).durable_end == 1
    assert cut.durable(3) == cut.durable(3).durable(3)
    again = cut.appended(4, (batch(1, 2, 5),))
    assert again.durable(3).durable_end == 1
    assert again.durable(4).durable_end == 6


def test_a_batch_must_begin_at_the_end() -> None:
    with pytest.raises(InvariantViolated, match="after the log end 25"):
        LOG.appended(9, (batch(24, 4),))


def test_what_is_committed_is_never_cut() -> None:
    with pytest.raises(InvariantViolated, match="below the high watermark"):
        LOG.committed(12).truncated(9, 11)


def test_the_watermark_never_falls_nor_leaves_the_log() -> None:
    with pytest.raises(InvariantViolated):
        LOG.committed(12).committed(11)
    with pytest.raises(InvariantViolated):
        LOG.committed(26)


@pytest.mark.parametrize(
    ("offset", "epoch", "place"),
    [
        (0, 0, Valid()),
        (5, 1, Valid()),
        (10, 1, Valid()),
        (11, 1, Diverging(OffsetAndEpoch(1, 10))),
        (12, 2, Diverging(OffsetAndEpoch(1, 10))),
        (20, 3, Valid()),
        (25, 4, Valid()),
        (26, 4, Diverging(OffsetAndEpoch(4, 25))),
        (25, 9, Diverging(OffsetAndEpoch(4, 25))),
    ],
)
def test_a_position_is_valid_or_told_where_the_logs_part(
    offset: int, epoch: int, place: object
) -> None:
    assert LOG.place(offset, epoch) == place


def test_an_empty_log_has_nothing_to_diverge_from() -> None:
    assert LogView().place(0, 0) == Valid()
    assert LogView().place(5, 2) == Diverging(OffsetAndEpoch(0, 0))


def test_a_replica_without_records_starts_from_the_newest_snapshot() -> None:
    view = LOG.committed(20).with_snapshot(SnapshotId(3, 15), 100)
    assert view.place(0, 0) == NeedsSnapshot(SnapshotId(3, 15))
    assert view.place(1, 1) == NeedsSnapshot(SnapshotId(3, 15)), "older epoch than the snapshot's"
    assert view.place(16, 3) == Valid()


def test_the_zero_checkpoint_is_no_snapshot_to_start_from() -> None:
    view = LogView(snapshots=((ZERO_SNAPSHOT, 500),))
    assert view.place(0, 0) == Valid()
    assert view.snapshot_bytes(ZERO_SNAPSHOT) is None
    assert view.last_epoch == 0


def test_a_log_that_starts_at_a_snapshot_knows_its_epoch() -> None:
    view = LogView().installed(SnapshotId(6, 9000), 77)
    assert view.end_id == OffsetAndEpoch(6, 9000)
    assert view.place(9000, 6) == Valid()
    assert view.place(8999, 6) == NeedsSnapshot(SnapshotId(6, 9000))
    assert view.place(9000, 5) == NeedsSnapshot(SnapshotId(6, 9000))
    more = view.appended(1, (batch(9000, 8),))
    assert more.place(9000, 7) == NeedsSnapshot(SnapshotId(6, 9000))
    assert more.place(9001, 7) == Diverging(OffsetAndEpoch(6, 9000))
    assert more.place(9001, 8) == Valid()


@pytest.mark.parametrize(
    ("diverging", "keep"),
    [
        (OffsetAndEpoch(1, 7), 7),
        (OffsetAndEpoch(1, 30), 10),
        (OffsetAndEpoch(2, 15), 10),
        (OffsetAndEpoch(3, 12), 12),
        (OffsetAndEpoch(0, 0), 0),
    ],
)
def test_a_follower_keeps_what_both_may_share(diverging: OffsetAndEpoch, keep: int) -> None:
    assert LOG.truncation_point(diverging) == keep


def test_a_snapshot_covers_committed_records_only() -> None:
    with pytest.raises(InvariantViolated):
        LOG.committed(12).with_snapshot(SnapshotId(3, 13), 1)


def test_the_newest_snapshot_is_told_or_none() -> None:
    assert LOG.newest_snapshot is None
    one = LOG.committed(24).with_snapshot(SnapshotId(3, 18), 9)
    assert one.newest_snapshot == SnapshotId(3, 18)
    assert one.with_snapshot(SnapshotId(4, 22), 9).newest_snapshot == SnapshotId(4, 22)


@pytest.mark.parametrize("snapshot", [SnapshotId(5, 20), SnapshotId(2, 10), SnapshotId(1, 11)])
def test_a_snapshot_ends_in_an_epoch_that_the_log_has_there(snapshot: SnapshotId) -> None:
    """A later epoch than the log's, one that it never had, one that ended before: none is ours."""
    with pytest.raises(InvariantViolated, match="epoch"):
        LOG.committed(24).with_snapshot(snapshot, 9)


def test_before_the_watermark_is_known_nothing_is_snapshotted() -> None:
    with pytest.raises(InvariantViolated, match="above the high watermark None"):
        LOG.with_snapshot(SnapshotId(1, 8), 9)


@pytest.mark.parametrize(("committed", "epoch"), [(1, 1), (10, 1), (11, 3), (20, 3), (21, 4)])
def test_the_committed_epoch_is_that_of_the_last_committed_record(
    committed: int, epoch: int
) -> None:
    assert LOG.committed(committed).committed_epoch == epoch


def test_without_a_known_commit_there_is_no_committed_epoch() -> None:
    assert LOG.committed_epoch == NO_EPOCH
    assert LogView(high_watermark=0).committed_epoch == NO_EPOCH


def test_a_log_of_only_a_snapshot_is_committed_in_the_snapshots_epoch() -> None:
    snapshot = SnapshotId(3, 18)
    log = LogView(18, 18, 18, snapshots=((snapshot, 9),), high_watermark=18)
    assert log.committed_epoch == 3
