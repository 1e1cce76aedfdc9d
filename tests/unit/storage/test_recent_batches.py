"""Finding the last batches of a segment without reading headers."""

from __future__ import annotations

from metaquorum.base.limits import MAX_RECENT_BATCHES
from metaquorum.storage.recent_batches import RecentBatches


def test_every_offset_of_a_batch_is_found_where_the_batch_begins() -> None:
    recent = RecentBatches()
    recent.add(10, 12, 700)
    recent.add(13, 13, 800)
    found = [recent.position_of(offset) for offset in range(9, 15)]
    assert found == [None, 700, 700, 700, 800, None]


def test_an_offset_in_a_gap_belongs_to_the_batch_after_it() -> None:
    recent = RecentBatches()
    recent.add(10, 12, 700)
    recent.add(20, 21, 800)
    assert recent.position_of(15) == 800


def test_old_batches_are_forgotten_and_the_others_still_found() -> None:
    recent = RecentBatches()
    for offset in range(10 * MAX_RECENT_BATCHES):
        recent.add(offset, offset, 100 * offset)
    known = [offset for offset in range(10 * MAX_RECENT_BATCHES) if recent.position_of(offset)]
    assert MAX_RECENT_BATCHES // 2 <= len(known) <= MAX_RECENT_BATCHES
    assert known == list(range(known[0], 10 * MAX_RECENT_BATCHES))
    assert all(recent.position_of(offset) == 100 * offset for offset in known)
