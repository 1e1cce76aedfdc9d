"""Turns of those who hold the loop for long: one after the other, with rests between them."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import (
    LEAST_REST_MS,
    LONG_TURN_MS,
    OTHERS_SERVED_MS,
    REST_PERCENT,
)
from metaquorum.runtime.loop.later import Later
from metaquorum.server.pipeline.pipeline import is_there
from metaquorum.server.sockets.turns import SLOW_IN_A_ROW, Turns
from metaquorum.testing.fake_house import SetClock


@pytest.fixture
async def turns(nursery):
    turns = Turns(SetClock())
    nursery.start_soon(turns.run)
    return turns


async def test_everybody_who_queues_has_a_turn_in_order(turns):
    order = []
    for name in ("a", "b", "c"):
        turns.queue(name, lambda name=name: order.append(name))
    assert order == []
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a", "b", "c"]
    assert len(turns) == 0
    turns.queue("d", lambda: order.append("d"))
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a", "b", "c", "d"]


async def test_who_queues_twice_has_one_turn_and_who_leaves_has_none(turns):
    order = []
    for name in ("a", "a", "b"):
        turns.queue(name, lambda name=name: order.append(name))
    turns.leave("b")
    turns.leave("nobody")
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a"]


async def test_others_run_between_two_turns(turns, nursery):
    order = []

    async def other() -> None:
        order.append("other")

    def take() -> None:
        order.append("turn")
        if len(order) == 1:
            nursery.start_soon(other)
            turns.queue("a", take)

    turns.queue("a", take)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["turn", "other", "turn"]


def somebody_is_served(turns: Turns, took_ms: int = 0) -> None:
    """One request that had not to queue."""
    turns.served("somebody", 18, turns.clock.now - took_ms, turns.clock.now)


def lasting(turns: Turns, took_ms: int, given_s: list[float]):
    """A turn that takes so long, and notes when it was given."""
    began_s = trio.current_time()

    def turn() -> None:
        turns.clock.now += took_ms
        given_s.append(trio.current_time() - began_s)

    return turn


async def test_while_others_are_served_the_queue_rests_for_a_share_of_a_turn(turns, autojump_clock):
    given_s: list[float] = []
    somebody_is_served(turns)
    turns.queue("long", lasting(turns, 100, given_s))
    turns.queue("next", lasting(turns, 0, given_s))
    await trio.sleep(1)
    assert given_s == pytest.approx([0, REST_PERCENT / 1_000])
    assert turns.rested_ms == REST_PERCENT


async def test_short_turns_add_up_to_a_rest(turns, autojump_clock):
    given_s: list[float] = []
    somebody_is_served(turns)
    count = -(-100 * LEAST_REST_MS // REST_PERCENT) + 1
    for number in range(count):
        turns.queue(number, lasting(turns, 1, given_s))
    await trio.sleep(1)
    assert given_s == pytest.approx([0] * (count - 1) + [LEAST_REST_MS / 1_000])


async def test_a_rest_that_lasted_too_long_counts_for_the_next_turns(turns, autojump_clock):
    given_s: list[float] = []
    somebody_is_served(turns)

    def slow_timer() -> None:
        """The clock is this late when the queue wakes up from its rest."""
        turns.clock.now += 100 * REST_PERCENT // 100

    turns.queue("long", lasting(turns, 10, given_s))
    await trio.testing.wait_all_tasks_blocked()
    slow_timer()
    for number in range(5):
        turns.queue(number, lasting(turns, 10, given_s))
    somebody_is_served(turns)
    await trio.sleep(1)
    assert given_s == pytest.approx([0] + [10 * REST_PERCENT // 100 / 1_000] * 5)


class RunningClock:
    """Virtual time, and the work that was done in no virtual time."""

    def __init__(self) -> None:
        self.worked_ms = 0

    def now_ms(self) -> int:
        return round(trio.current_time() * 1_000) + self.worked_ms

    wall_ms = now_ms


async def test_a_long_answer_takes_less_than_twice_its_work_beside_a_client(
    nursery, autojump_clock
):
    clock = RunningClock()
    turns = Turns(clock)
    nursery.start_soon(turns.run)

    async def polls() -> None:
        while True:
            turns.served("client", 18, clock.now_ms(), clock.now_ms())
            await trio.sleep(0.001)

    def steps():
        for _ in range(1_000):
            clock.worked_ms += 1
            yield

    nursery.start_soon(polls)
    await trio.sleep(0.01)
    began_ms = clock.now_ms()
    made = turns.work(steps(), is_there)
    while not made.done:
        await trio.sleep(0.001)
    assert 1_000 + 900 * REST_PERCENT // 100 < clock.now_ms() - began_ms < 2_000
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("ago_ms", [None, OTHERS_SERVED_MS + 1])
async def test_on_a_node_with_nothing_else_to_do_the_queue_does_not_rest(turns, ago_ms):
    given_s: list[float] = []
    if ago_ms is not None:
        somebody_is_served(turns)
        turns.clock.now += ago_ms
    for number in range(6):
        turns.queue(number, lasting(turns, 100, given_s))
    await trio.testing.wait_all_tasks_blocked()
    assert len(given_s) == 6
    assert turns.rested_ms == 0


async def test_nobody_makes_himself_rest(turns, autojump_clock):
    who, given_s = object(), []
    turns.served(who, 18, turns.clock.now, turns.clock.now)
    turns.queue(who, lasting(turns, 50, given_s))
    await trio.sleep(1)
    assert turns.rested_ms == 0
    somebody_is_served(turns)
    turns.queue(who, lasting(turns, 50, given_s))
    await trio.sleep(1)
    assert turns.rested_ms == REST_PERCENT // 2


async def test_what_others_take_behind_a_turn_is_no_work_of_the_queue(
    turns, nursery, autojump_clock
):
    async def other() -> None:
        turns.clock.now += 50

    somebody_is_served(turns)
    turns.queue("short", lambda: nursery.start_soon(other))
    await trio.sleep(1)
    assert turns.rested_ms == 0


def steps_of(name: str, order: list[str], count: int):
    for number in range(count):
        order.append(f"{name}{number}")
        yield
    return name


async def test_work_is_done_a_step_a_turn_one_after_the_other_with_others_between(turns):
    order: list[str] = []
    made = [turns.work(steps_of(name, order, 2), is_there) for name in "ab"]
    turns.queue("other", lambda: order.append("other"))
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["other", "a0", "a1", "b0", "b1"]
    assert [one.result() for one in made] == ["a", "b"]
    assert turns.steps_taken == 6  # each ends with one that finds it done


async def test_others_go_on_while_a_step_waits_for_what_it_asked(turns):
    order: list[str] = []
    asked: Later[str] = Later()

    def waiting():
        order.append("asks")
        yield asked
        return asked.result()

    first = turns.work(waiting(), is_there)
    second = turns.work(steps_of("a", order, 2), is_there)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["asks", "a0", "a1"]
    assert second.done and not first.done
    asked.complete("told")
    await trio.testing.wait_all_tasks_blocked()
    assert first.result() == "told"
    assert not turns._jobs and not turns._waiting


async def test_a_step_whose_asker_goes_while_it_waits_is_not_gone_on_with(turns):
    asked: Later[None] = Later()
    order: list[str] = []

    def waiting():
        try:
            yield asked
            order.append("never")
        finally:
            order.append("closed")

    made = turns.work(waiting(), is_there)
    await trio.testing.wait_all_tasks_blocked()
    made.cancel()
    asked.complete(None)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["closed"]
    assert not turns._jobs and not turns._waiting


async def test_work_that_is_cancelled_or_that_nobody_waits_for_is_not_gone_on_with(turns):
    order: list[str] = []
    begun = turns.work(steps_of("a", order, 100), is_there)
    gone = turns.work(steps_of("b", order, 2), lambda: True)
    last = turns.work(steps_of("c", order, 1), is_there)
    turns.queue("first", lambda: None)
    turns.queue("hang-up", begun.cancel)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a0", "c0"]
    assert gone.cancelled
    assert last.result() == "c"


async def test_a_refusal_on_the_way_is_what_the_work_comes_to(turns):
    def refusing():
        yield
        raise RequestError(42, "no")

    made = turns.work(refusing(), is_there)
    await trio.testing.wait_all_tasks_blocked()
    with pytest.raises(RequestError):
        made.result()
    assert not turns._jobs


async def test_an_api_whose_requests_took_long_is_slow_until_they_are_quick_again(turns):
    assert not turns.is_slow(48)
    for _ in range(SLOW_IN_A_ROW):
        turns.served("a", 48, 0, LONG_TURN_MS)
    assert turns.is_slow(48)
    for _ in range(SLOW_IN_A_ROW):
        turns.served("a", 48, 0, LONG_TURN_MS - 1)
    assert not turns.is_slow(48)


async def test_who_is_waited_for_has_every_second_turn_before_all_others(turns):
    order: list[str] = []
    for name in ("leaves 1", "leaves 2", "leaves 3"):
        turns.queue(name, lambda name=name: order.append(name), is_waited_for=False)
    for name in ("answers 1", "answers 2"):
        turns.queue(name, lambda name=name: order.append(name))
    turns.queue("leaves 3", lambda: order.append("never"))
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["answers 1", "leaves 1", "answers 2", "leaves 2", "leaves 3"]
