"""How many of many readers are answered at a time."""

from __future__ import annotations

from metaquorum.base.limits import WAITERS_A_MS, WAITERS_AT_ONCE, WAITERS_PAUSE_MS
from metaquorum.base.pace import Pace


def test_a_few_are_told_at_once_and_then_so_many_a_millisecond() -> None:
    pace = Pace()
    assert pace.allowed(1_000) == WAITERS_AT_ONCE
    pace.woke(WAITERS_AT_ONCE)
    assert (pace.allowed(1_000), pace.next_ms) == (0, 1_000 + WAITERS_PAUSE_MS)
    assert pace.allowed(1_001) == WAITERS_A_MS


def test_what_was_not_used_is_kept_up_to_a_bound() -> None:
    pace = Pace()
    assert pace.allowed(5) == WAITERS_AT_ONCE
    pace.woke(10)
    assert pace.allowed(5) == WAITERS_AT_ONCE - 10
    assert pace.allowed(90) == WAITERS_AT_ONCE


def test_a_fork_has_a_count_of_its_own() -> None:
    pace = Pace()
    twin = pace.fork()
    pace.woke(5)
    assert (pace.allowed(0), twin.allowed(0)) == (WAITERS_AT_ONCE - 5, WAITERS_AT_ONCE)
