"""A rush is so many writes without a pause."""

from __future__ import annotations

from metaquorum.base.limits import FAST_WRITES_IN_A_ROW, FAST_WRITES_PAUSE_MS
from metaquorum.runtime.disk.rush import Rush


def wrote(rush: Rush, first_ms: int, times: int, every_ms: int) -> list[bool]:
    said = []
    for number in range(times):
        rush.wrote(first_ms + number * every_ms)
        said.append(rush.is_on)
    return said


def test_it_begins_with_enough_writes_in_a_row() -> None:
    rush = Rush()
    assert not rush.is_on
    before = FAST_WRITES_IN_A_ROW - 1
    assert wrote(rush, 1_000, before + 2, FAST_WRITES_PAUSE_MS) == [False] * before + [True, True]


def test_a_pause_ends_it() -> None:
    rush = Rush()
    wrote(rush, 1_000, FAST_WRITES_IN_A_ROW, 1)
    last = 1_000 + FAST_WRITES_IN_A_ROW - 1
    assert rush.is_on
    assert rush.ends_ms == last + FAST_WRITES_PAUSE_MS + 1
    again = rush.ends_ms
    rush.wrote(again)
    assert not rush.is_on
    assert wrote(rush, again, FAST_WRITES_IN_A_ROW - 1, 1)[-1]


def test_writes_that_are_too_slow_are_none() -> None:
    assert not any(wrote(Rush(), 1_000, 100, FAST_WRITES_PAUSE_MS + 1))
