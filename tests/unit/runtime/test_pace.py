"""When a disk is fast, and when writes are a burst."""

from __future__ import annotations

from metaquorum.base.limits import (
    FAST_WRITES_IN_A_ROW,
    FAST_WRITES_PAUSE_MS,
    QUICK_SYNC_US,
    QUICK_SYNCS_IN_A_ROW,
)
from metaquorum.runtime.disk.pace import DiskPace, WriteBurst


def wrote(burst: WriteBurst, first_ms: int, times: int, every_ms: int) -> list[bool]:
    seen = []
    for number in range(times):
        burst.wrote(first_ms + number * every_ms)
        seen.append(burst.is_on)
    return seen


def test_a_burst_begins_with_enough_writes_in_a_row() -> None:
    burst = WriteBurst()
    assert not burst.is_on
    before = FAST_WRITES_IN_A_ROW - 1
    assert wrote(burst, 1_000, before + 2, FAST_WRITES_PAUSE_MS) == [False] * before + [True, True]


def test_a_pause_ends_a_burst() -> None:
    burst = WriteBurst()
    wrote(burst, 1_000, FAST_WRITES_IN_A_ROW, 1)
    last = 1_000 + FAST_WRITES_IN_A_ROW - 1
    assert burst.is_on
    assert burst.ends_ms == last + FAST_WRITES_PAUSE_MS + 1
    again = burst.ends_ms
    burst.wrote(again)
    assert not burst.is_on
    assert wrote(burst, again, FAST_WRITES_IN_A_ROW - 1, 1)[-1]


def test_slow_writes_are_no_burst() -> None:
    assert not any(wrote(WriteBurst(), 1_000, 100, FAST_WRITES_PAUSE_MS + 1))


def test_one_slow_sync_makes_a_disk_slow_until_enough_fast_ones() -> None:
    pace, fast = DiskPace(), QUICK_SYNC_US / 1e6
    for seconds in [fast] * QUICK_SYNCS_IN_A_ROW:
        assert not pace.is_quick
        pace.took(seconds)
    assert pace.is_quick
    pace.took(2 * fast)
    assert not pace.is_quick
