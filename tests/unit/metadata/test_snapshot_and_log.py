"""A snapshot at any batch's end and the log after it make what the whole log makes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.snapshot_writer import snapshot_of, snapshot_values
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.records.batch import BatchHeader, check
from metaquorum.records.reader import walk_batches
from tests.every_record import log_batches


def _batches() -> list[tuple[BatchHeader, bytes]]:
    """A log with records of every type, transactions that end and that are aborted among them."""
    return [(check(batch), batch) for batch in log_batches()]


def _replay(state: MetadataState, batches: list[tuple[BatchHeader, bytes]]) -> None:
    for header, batch in batches:
        for offset, record in enumerate(
            read_metadata_batch(memoryview(batch), header), header.base_offset
        ):
            state.replay(record, offset, header.leader_epoch, header.max_timestamp_ms)
        state.close_batch()
        state.commit(header.next_offset)


def _ends() -> Iterator[int]:
    """How many batches may lie before a snapshot: none may end inside of a transaction."""
    state = MetadataState()
    for number, batch in enumerate(_batches(), 1):
        _replay(state, [batch])
        if state.transaction is None:
            yield number


def _shown(state: MetadataState) -> tuple[object, ...]:
    view = state.committed()
    return sorted(snapshot_values(view)), view.partition_counts, state.stable_offset


def _written(state: MetadataState) -> bytes:
    """A snapshot of what is committed."""
    place = state.provenance
    batches = snapshot_of(
        state.committed(),
        epoch=place.epoch,
        timestamp_ms=1,
        last_contained_ms=place.timestamp_ms,
    )
    return b"".join(batches)


@pytest.mark.parametrize("cut", list(_ends()))
def test_a_snapshot_and_the_log_after_it_equal_the_whole_log(cut: int) -> None:
    batches = _batches()
    before = MetadataState()
    _replay(before, batches[:cut])
    place = before.provenance
    where = Provenance(place.end_offset, place.epoch, place.timestamp_ms)
    state = StateLoading(walk_batches(_written(before)), where).whole()
    assert _shown(state) == _shown(before)
    whole = MetadataState()
    _replay(whole, batches)
    _replay(state, batches[cut:])
    assert _shown(state) == _shown(whole)


def test_a_snapshot_of_what_was_loaded_is_the_same_snapshot() -> None:
    state = MetadataState()
    _replay(state, _batches())
    once = _written(state)
    loaded = StateLoading(walk_batches(once), state.provenance).whole()
    assert _written(loaded) == once
