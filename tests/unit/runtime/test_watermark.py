"""Who waits for the watermark is woken by it, by the deadline, or forgotten on a hang-up."""

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated, RequestError
from metaquorum.base.limits import (
    WAITERS_A_MS,
    WAITERS_AT_ONCE,
    WAITERS_PAUSE_MS,
    WAKES_PER_TURN,
)
from metaquorum.runtime.driver.watermark import Watermark
from metaquorum.runtime.loop.promise import Promise


def test_a_wait_below_the_watermark_is_over_at_once():
    mark = Watermark()
    mark.advance(5, 0)
    assert mark.wait(5, deadline=100).result() is True


def test_an_advance_wakes_only_waiters_whose_threshold_it_reaches():
    mark = Watermark()
    three, four, nine = (mark.wait(n, deadline=100) for n in (3, 4, 9))
    mark.advance(4, 0)
    assert three.result() and four.result() and not nine.done
    assert mark.statistics()["parked"] == 1


def test_a_deadline_ends_a_wait_in_vain():
    mark = Watermark()
    early, late = mark.wait(9, deadline=10), mark.wait(9, deadline=20)
    assert mark.deadline == 10
    mark.expire(10)
    assert early.result() is False and not late.done
    assert mark.deadline == 20


def test_an_earlier_deadline_than_all_others_is_reported_to_the_timer():
    mark = Watermark()
    told: list[int] = []
    mark.on_sooner = lambda: told.append(mark.deadline)
    for deadline in (50, 80, 20, 30):
        mark.wait(9, deadline=deadline)
    assert told == [50, 20]


def test_a_cancelled_wait_leaves_nothing_behind():
    mark = Watermark()
    for n in range(1_000):
        mark.wait(n + 10, deadline=50).cancel()
    assert mark.deadline == NEVER
    assert mark.statistics()["parked"] == 0
    mark.advance(1, 0)
    assert len(mark._by_threshold) <= 64


def test_more_waiters_than_the_limit_are_refused_with_a_code():
    mark = Watermark(parked_limit=2)
    mark.wait(1, deadline=9)
    mark.wait(1, deadline=9)
    with pytest.raises(RequestError):
        mark.wait(1, deadline=9).result()


def test_the_watermark_never_goes_back():
    mark = Watermark()
    mark.advance(3, 0)
    with pytest.raises(InvariantViolated):
        mark.advance(2, 0)


def test_a_stop_releases_everybody():
    mark = Watermark()
    waits = [mark.wait(n, deadline=100) for n in (5, 6)]
    mark.release_all()
    assert [w.result() for w in waits] == [False, False]


def many_waiting(mark: Watermark, count: int) -> list[Promise[bool]]:
    return [mark.wait(3, deadline=1_000) for _ in range(count)]


def told(waits: list[Promise[bool]]) -> int:
    return [wait.done for wait in waits].count(True)


def test_hundreds_that_wait_for_the_same_are_told_at_a_pace():
    mark = Watermark()
    waits = many_waiting(mark, 2 * WAITERS_AT_ONCE)
    mark.advance(3, 0)
    assert told(waits) == WAITERS_AT_ONCE
    assert mark.deadline == WAITERS_PAUSE_MS
    mark.expire(0)
    assert told(waits) == WAITERS_AT_ONCE
    mark.expire(WAITERS_PAUSE_MS)
    assert told(waits) == WAITERS_AT_ONCE + WAITERS_PAUSE_MS * WAITERS_A_MS
    mark.expire(100)
    assert told(waits) == 2 * WAITERS_AT_ONCE
    assert all(wait.result() for wait in waits)


def test_among_tailers_a_newcomer_waits_behind_those_not_yet_woken():
    mark = Watermark()
    waits = many_waiting(mark, 2 * WAITERS_AT_ONCE + 1)
    mark.advance(3, 0)
    assert not mark.has_turn(0)
    newcomer = mark.wait(2, deadline=1_000, in_turn=True)
    mark.expire(100)
    assert (told(waits), newcomer.done) == (2 * WAITERS_AT_ONCE, False)
    mark.expire(200)
    assert newcomer.result() and all(wait.done for wait in waits)


def test_few_are_told_at_once_however_often():
    mark = Watermark()
    for value in range(1, 4 * WAITERS_AT_ONCE):
        now = value // 4
        wait = mark.wait(value, deadline=1_000)
        mark.advance(value, now)
        assert wait.result() and mark.has_turn(now)


def test_hundreds_whose_time_is_over_are_told_a_few_at_a_time():
    mark = Watermark()
    waits = [mark.wait(3, deadline=10) for _ in range(2 * WAKES_PER_TURN)]
    mark.expire(10)
    assert [wait.done for wait in waits].count(True) == WAKES_PER_TURN
    assert mark.deadline == 10
    mark.expire(10)
    assert not any(wait.result() for wait in waits)
    assert mark.deadline == NEVER


def test_who_is_due_already_and_gone_takes_nobody_elses_turn():
    mark = Watermark()
    waits = [mark.wait(3, deadline=10) for _ in range(2 * WAKES_PER_TURN)]
    for wait in waits[:WAKES_PER_TURN]:
        wait.cancel()
    mark.advance(3, 0)
    assert all(wait.done for wait in waits)
    assert mark.deadline == NEVER
