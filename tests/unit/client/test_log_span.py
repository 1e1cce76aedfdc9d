from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.log_span import (
    LogSpan,
    SnapshotGone,
    epoch_before,
    find_span,
    snapshot_batches,
)
from metaquorum.client.metadata_log import LogDiverged, MetadataLogReader, OffsetNotInLog
from tests.unit.client.fake_quorum import (
    FETCH_SNAPSHOT,
    FakeQuorum,
    data_batch,
    feature,
    leader_change,
)

LOG = [
    leader_change(0, 1, 1),
    data_batch(1, 1, feature("a", 1), feature("b", 1)),
    leader_change(3, 2, 1),
    data_batch(4, 2, feature("c", 1)),
    data_batch(5, 2, feature("not committed", 1)),
]
SNAPSHOT = OffsetAndEpoch(1, 3)
SNAPSHOT_BYTES = data_batch(0, 1, *(feature(f"in the snapshot {i}", 1) for i in range(9)))


def of(quorum: FakeQuorum, **same: Any) -> dict[str, Any]:
    """How a reader of this quorum is made."""

    def make(bootstrap: Any, **options: Any) -> MetadataLogReader:
        return quorum.reader(bootstrap=bootstrap, **options)

    return {"bootstrap": quorum.addresses, "open": make, **same}


def a_quorum(**beliefs: Any) -> FakeQuorum:
    return FakeQuorum.of(2, epoch=2, log=LOG, high_watermark=5, **beliefs)


@pytest.mark.parametrize("start", [0, 2, 5])
def test_a_span_ends_at_the_watermark_with_the_epoch_before_it(start: int) -> None:
    assert find_span(start=start, **of(a_quorum())) == LogSpan(start, 5, 2)


def test_a_start_below_the_log_names_the_snapshot_and_fetches_none() -> None:
    quorum = a_quorum()
    quorum[1].log = LOG[2:]
    quorum[1].snapshot = (SNAPSHOT, SNAPSHOT_BYTES)
    assert find_span(start=0, **of(quorum)) == LogSpan(3, 5, 2, SNAPSHOT)
    assert {api for _, api, _ in quorum.requests} == {1}


def test_an_epoch_that_the_log_no_longer_has_there_is_a_loss() -> None:
    assert find_span(start=3, start_epoch=1, **of(a_quorum())) == LogSpan(3, 5, 2)
    with pytest.raises(LogDiverged):
        find_span(start=4, start_epoch=1, **of(a_quorum()))


def test_a_start_beyond_the_log_is_refused() -> None:
    with pytest.raises(OffsetNotInLog):
        find_span(start=50, **of(a_quorum()))


@pytest.mark.parametrize(("offset", "epoch"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_the_epoch_before_an_offset_is_that_of_the_record_there(offset: int, epoch: int) -> None:
    assert epoch_before(offset=offset, **of(a_quorum())) == epoch


def test_a_named_snapshot_is_downloaded_whole_in_any_number_of_pieces() -> None:
    quorum = a_quorum(snapshot=(SNAPSHOT, SNAPSHOT_BYTES))
    (batch,) = snapshot_batches(snapshot=SNAPSHOT, **of(quorum))
    assert (bytes(batch.data), batch.snapshot) == (SNAPSHOT_BYTES, SNAPSHOT)


def test_a_snapshot_that_is_not_there_any_more_is_said() -> None:
    with pytest.raises(SnapshotGone, match="3-1"):
        list(snapshot_batches(snapshot=SNAPSHOT, **of(a_quorum())))


def test_a_connection_lost_half_way_begins_the_snapshot_again() -> None:
    quorum = a_quorum(snapshot=(SNAPSHOT, SNAPSHOT_BYTES))

    def set_up(up: bool) -> Any:
        return lambda: setattr(quorum[1], "up", up)

    quorum.before = {4: set_up(False), 5: set_up(True)}
    (batch,) = snapshot_batches(snapshot=SNAPSHOT, **of(quorum))
    assert bytes(batch.data) == SNAPSHOT_BYTES
    positions = [
        request.topics[0].partitions[0].position
        for _, api, request in quorum.requests
        if api == FETCH_SNAPSHOT
    ]
    assert positions.count(0) == 2
