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
    REST_FACTOR,
    TURNS_BEFORE_REST,
)
from metaquorum.server.pipeline import is_there
from metaquorum.server.turns import SLOW_IN_A_ROW, Turns
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


async def test_while_others_are_served_the_queue_rests_longer_than_a_long_turn_took(
    turns, autojump_clock
):
    given_s: list[float] = []
    somebody_is_served(turns)
    turns.queue("long", lasting(turns, 100, given_s))
    turns.queue("next", lasting(turns, 0, given_s))
    await trio.sleep(1)
    assert given_s == pytest.approx([0, REST_FACTOR * 0.1])
    assert turns.rested_ms == REST_FACTOR * 100


async def test_a_few_short_turns_are_given_in_a_row_before_a_short_rest(turns, autojump_clock):
    given_s: list[float] = []
    somebody_is_served(turns)
    for number in range(2 * TURNS_BEFORE_REST):
        turns.queue(number, lasting(turns, 0, given_s))
    await trio.sleep(1)
    assert len(given_s) == 2 * TURNS_BEFORE_REST
    pause_s = given_s[TURNS_BEFORE_REST] - given_s[TURNS_BEFORE_REST - 1]
    assert pause_s == pytest.approx(LEAST_REST_MS / 1_000)
    assert turns.rested_ms == 2 * LEAST_REST_MS


@pytest.mark.parametrize("ago_ms", [None, OTHERS_SERVED_MS + 1])
async def test_on_a_node_with_nothing_else_to_do_the_queue_does_not_rest(turns, ago_ms):
    given_s: list[float] = []
    if ago_ms is not None:
        somebody_is_served(turns)
        turns.clock.now += ago_ms
    for number in range(2 * TURNS_BEFORE_REST):
        turns.queue(number, lasting(turns, 100, given_s))
    await trio.testing.wait_all_tasks_blocked()
    assert len(given_s) == 2 * TURNS_BEFORE_REST
    assert turns.rested_ms == 0


async def test_nobody_makes_himself_rest(turns):
    who, given_s = object(), []
    turns.served(who, 18, turns.clock.now, turns.clock.now)
    turns.queue(who, lasting(turns, 50, given_s))
    await trio.testing.wait_all_tasks_blocked()
    assert turns.rested_ms == 0
    somebody_is_served(turns)
    turns.queue(who, lasting(turns, 50, given_s))
    await trio.testing.wait_all_tasks_blocked()
    assert turns.rested_ms == REST_FACTOR * 50


async def test_what_a_turn_sets_going_counts_as_part_of_it(turns, nursery):
    async def driver() -> None:
        turns.clock.now += 50

    somebody_is_served(turns)
    turns.queue("command", lambda: nursery.start_soon(driver))
    await trio.testing.wait_all_tasks_blocked()
    assert turns.rested_ms == REST_FACTOR * 50


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
