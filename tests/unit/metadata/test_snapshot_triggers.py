"""When a snapshot is due."""

from __future__ import annotations

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.metadata.snapshot_triggers import BYTES, TIME, SnapshotPolicy, SnapshotTriggers


def _triggers(ratio: float | None = None, interval_ms: int = 1_000) -> SnapshotTriggers:
    return SnapshotTriggers(SnapshotPolicy(100, interval_ms, ratio), since_ms=50)


def _count(triggers: SnapshotTriggers, end: int, size_bytes: int) -> None:
    triggers.replayed(end, size_bytes)
    triggers.committed(end)


def test_bytes_alone_are_enough_where_no_ratio_is_set() -> None:
    triggers = _triggers()
    _count(triggers, 5, 99)
    assert triggers.due(60) is None
    _count(triggers, 6, 1)
    assert triggers.due(60) == BYTES


def test_bytes_count_once_they_are_committed() -> None:
    triggers = _triggers()
    triggers.replayed(5, 60)
    triggers.replayed(9, 60)
    triggers.committed(8)
    assert (triggers.bytes, triggers.due(60)) == (60, None)
    triggers.restart(70)
    triggers.committed(9)
    assert triggers.bytes == 60


def test_what_was_taken_back_counts_as_what_came_in_its_place() -> None:
    triggers = _triggers()
    triggers.replayed(5, 60)
    triggers.replayed(9, 60)
    triggers.replayed(5, 7)
    triggers.committed(9)
    assert triggers.bytes == 7


@pytest.mark.parametrize(("changed", "due"), [(None, None), (0.49, None), (0.5, BYTES)])
def test_where_a_ratio_is_set_bytes_need_it_too(changed: float | None, due: str | None) -> None:
    triggers = _triggers(ratio=0.5)
    _count(triggers, 5, 100)
    assert triggers.due(60, changed) == due


def test_the_ratio_alone_is_not_enough() -> None:
    assert _triggers(ratio=0.5).due(60, 1.0) is None


def test_time_asks_for_no_ratio() -> None:
    triggers = _triggers(ratio=0.5)
    assert triggers.deadline == 1_050
    assert (triggers.due(1_049, 0.0), triggers.due(1_050, 0.0)) == (None, TIME)


def test_an_interval_of_zero_is_no_interval() -> None:
    triggers = _triggers(interval_ms=0)
    assert (triggers.deadline, triggers.due(10**9)) == (NEVER, None)


def test_a_snapshot_begun_starts_both_counts_anew() -> None:
    triggers = _triggers()
    _count(triggers, 5, 500)
    triggers.restart(900)
    assert (triggers.due(1_050), triggers.deadline) == (None, 1_900)
