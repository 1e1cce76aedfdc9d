from __future__ import annotations

from metaquorum.client.held_batches import HeldBatches
from metaquorum.client.log_record import FetchedBatch
from metaquorum.records.batch import read_header
from tests.unit.client.fake_quorum import NOOP, data_batch


def held(*places: tuple[int, int]) -> HeldBatches:
    """Batches of one record at (offset, epoch)."""
    batches = HeldBatches()
    for offset, epoch in places:
        raw = data_batch(offset, epoch, NOOP)
        batches.add(FetchedBatch(read_header(raw), memoryview(raw)))
    return batches


def test_only_what_lies_below_the_watermark_is_taken() -> None:
    batches = held((3, 1), (4, 1))
    assert batches.take_committed(3) is None
    first = batches.take_committed(4)
    assert first is not None and first.header.base_offset == 3
    assert batches.take_committed(4) is None
    assert (batches.end_offset, batches.last_epoch, len(batches)) == (5, 1, 1)


def test_the_size_follows_what_is_held() -> None:
    batches = held((3, 1), (4, 1))
    whole = batches.size_bytes
    assert whole == 2 * len(data_batch(3, 1, NOOP))
    batches.take_committed(4)
    assert batches.size_bytes == whole // 2
    batches.clear()
    assert (batches.size_bytes, len(batches)) == (0, 0)


def test_later_epochs_and_offsets_behind_the_end_are_dropped() -> None:
    batches = held((3, 1), (4, 1), (5, 2), (6, 2))
    batches.truncate(epoch=1, end_offset=10)
    assert (batches.end_offset, batches.last_epoch) == (5, 1)
    batches.truncate(epoch=1, end_offset=4)
    assert batches.end_offset == 4


def test_a_divergence_that_drops_nothing_drops_everything() -> None:
    batches = held((3, 1), (4, 1))
    batches.truncate(epoch=5, end_offset=50)
    assert len(batches) == 0
