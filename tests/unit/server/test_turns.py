"""Turns of those who hold the loop for long: one after the other, with rests between them."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from metaquorum.base.limits import LONG_TURN_MS, REST_FACTOR
from metaquorum.server.turns import Turns
from metaquorum.testing.fake_house import SetClock


@pytest.fixture
async def turns(nursery, autojump_clock):
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


async def test_after_a_long_turn_the_queue_rests_and_after_a_short_one_it_does_not(turns):
    began_s = trio.current_time()
    ended_s = []

    def take(took_ms: int):
        def turn() -> None:
            turns.clock.now += took_ms
            ended_s.append(trio.current_time() - began_s)

        return turn

    turns.queue("short", take(LONG_TURN_MS - 1))
    turns.queue("long", take(100))
    turns.queue("next", take(0))
    await trio.testing.wait_all_tasks_blocked()
    await trio.sleep(1)
    assert ended_s == pytest.approx([0, 0, REST_FACTOR * 0.1], abs=0.02)
    assert turns.rested_ms == REST_FACTOR * 100


async def test_what_a_turn_sets_going_counts_as_part_of_it(turns, nursery):
    async def driver() -> None:
        turns.clock.now += 50

    turns.queue("command", lambda: nursery.start_soon(driver))
    await trio.testing.wait_all_tasks_blocked()
    assert turns.rested_ms == REST_FACTOR * 50
