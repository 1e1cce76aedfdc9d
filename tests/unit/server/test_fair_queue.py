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
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.pipeline.pipeline import is_there
from metaquorum.server.sockets.fair_queue import SLOW_IN_A_ROW, FairQueue
from metaquorum.testing.fake_services import SetClock


@pytest.fixture
async def fair_queue(nursery):
    fair_queue = FairQueue(SetClock())
    nursery.start_soon(fair_queue.run)
    return fair_queue


async def test_everybody_who_queues_has_a_turn_in_order(fair_queue):
    order = []
    for name in ("a", "b", "c"):
        fair_queue.queue(name, lambda name=name: order.append(name))
    assert order == []
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a", "b", "c"]
    assert len(fair_queue) == 0
    fair_queue.queue("d", lambda: order.append("d"))
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a", "b", "c", "d"]


async def test_who_queues_twice_has_one_turn_and_who_leaves_has_none(fair_queue):
    order = []
    for name in ("a", "a", "b"):
        fair_queue.queue(name, lambda name=name: order.append(name))
    fair_queue.leave("b")
    fair_queue.leave("nobody")
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a"]


async def test_others_run_between_two_turns(fair_queue, nursery):
    order = []

    async def other() -> None:
        order.append("other")

    def take() -> None:
        order.append("turn")
        if len(order) == 1:
            nursery.start_soon(other)
            fair_queue.queue("a", take)

    fair_queue.queue("a", take)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["turn", "other", "turn"]


def somebody_is_served(fair_queue: FairQueue, took_ms: int = 0) -> None:
    """One request that had not to queue."""
    fair_queue.served("somebody", 18, fair_queue.clock.now - took_ms, fair_queue.clock.now)


def lasting(fair_queue: FairQueue, took_ms: int, given_s: list[float]):
    """A turn that takes so long, and notes when it was given."""
    began_s = trio.current_time()

    def turn() -> None:
        fair_queue.clock.now += took_ms
        given_s.append(trio.current_time() - began_s)

    return turn


async def test_the_queue_rests_a_share_of_a_turn_while_others_are_served(
    fair_queue, autojump_clock
):
    given_s: list[float] = []
    somebody_is_served(fair_queue)
    fair_queue.queue("long", lasting(fair_queue, 100, given_s))
    fair_queue.queue("next", lasting(fair_queue, 0, given_s))
    await trio.sleep(1)
    assert given_s == pytest.approx([0, REST_PERCENT / 1_000])
    assert fair_queue.rested_ms == REST_PERCENT


async def test_short_turns_add_up_to_a_rest(fair_queue, autojump_clock):
    given_s: list[float] = []
    somebody_is_served(fair_queue)
    count = -(-100 * LEAST_REST_MS // REST_PERCENT) + 1
    for number in range(count):
        fair_queue.queue(number, lasting(fair_queue, 1, given_s))
    await trio.sleep(1)
    assert given_s == pytest.approx([0] * (count - 1) + [LEAST_REST_MS / 1_000])


async def test_a_rest_that_lasted_too_long_counts_for_the_next_turns(fair_queue, autojump_clock):
    given_s: list[float] = []
    somebody_is_served(fair_queue)

    def slow_timer() -> None:
        """The clock is this late when the queue wakes up from its rest."""
        fair_queue.clock.now += 100 * REST_PERCENT // 100

    fair_queue.queue("long", lasting(fair_queue, 10, given_s))
    await trio.testing.wait_all_tasks_blocked()
    slow_timer()
    for number in range(5):
        fair_queue.queue(number, lasting(fair_queue, 10, given_s))
    somebody_is_served(fair_queue)
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
    fair_queue = FairQueue(clock)
    nursery.start_soon(fair_queue.run)

    async def polls() -> None:
        while True:
            fair_queue.served("client", 18, clock.now_ms(), clock.now_ms())
            await trio.sleep(0.001)

    def steps():
        for _ in range(1_000):
            clock.worked_ms += 1
            yield

    nursery.start_soon(polls)
    await trio.sleep(0.01)
    began_ms = clock.now_ms()
    made = fair_queue.work(steps(), is_there)
    while not made.done:
        await trio.sleep(0.001)
    assert 1_000 + 900 * REST_PERCENT // 100 < clock.now_ms() - began_ms < 2_000
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("ago_ms", [None, OTHERS_SERVED_MS + 1])
async def test_on_a_node_with_nothing_else_to_do_the_queue_does_not_rest(fair_queue, ago_ms):
    given_s: list[float] = []
    if ago_ms is not None:
        somebody_is_served(fair_queue)
        fair_queue.clock.now += ago_ms
    for number in range(6):
        fair_queue.queue(number, lasting(fair_queue, 100, given_s))
    await trio.testing.wait_all_tasks_blocked()
    assert len(given_s) == 6
    assert fair_queue.rested_ms == 0


async def test_nobody_makes_himself_rest(fair_queue, autojump_clock):
    who, given_s = object(), []
    fair_queue.served(who, 18, fair_queue.clock.now, fair_queue.clock.now)
    fair_queue.queue(who, lasting(fair_queue, 50, given_s))
    await trio.sleep(1)
    assert fair_queue.rested_ms == 0
    somebody_is_served(fair_queue)
    fair_queue.queue(who, lasting(fair_queue, 50, given_s))
    await trio.sleep(1)
    assert fair_queue.rested_ms == REST_PERCENT // 2


async def test_what_others_take_behind_a_turn_is_no_work_of_the_queue(
    fair_queue, nursery, autojump_clock
):
    async def other() -> None:
        fair_queue.clock.now += 50

    somebody_is_served(fair_queue)
    fair_queue.queue("short", lambda: nursery.start_soon(other))
    await trio.sleep(1)
    assert fair_queue.rested_ms == 0


def steps_of(name: str, order: list[str], count: int):
    for number in range(count):
        order.append(f"{name}{number}")
        yield
    return name


async def test_work_runs_one_step_per_turn_in_order_with_others_between(fair_queue):
    order: list[str] = []
    made = [fair_queue.work(steps_of(name, order, 2), is_there) for name in "ab"]
    fair_queue.queue("other", lambda: order.append("other"))
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["other", "a0", "a1", "b0", "b1"]
    assert [one.result() for one in made] == ["a", "b"]
    assert fair_queue.steps_taken == 6  # each ends with one that finds it done


async def test_others_go_on_while_a_step_waits_for_what_it_asked(fair_queue):
    order: list[str] = []
    asked: Promise[str] = Promise()

    def waiting():
        order.append("asks")
        yield asked
        return asked.result()

    first = fair_queue.work(waiting(), is_there)
    second = fair_queue.work(steps_of("a", order, 2), is_there)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["asks", "a0", "a1"]
    assert second.done and not first.done
    asked.complete("told")
    await trio.testing.wait_all_tasks_blocked()
    assert first.result() == "told"
    assert not fair_queue._jobs and not fair_queue._waiting


async def test_a_step_whose_asker_goes_while_it_waits_is_not_gone_on_with(fair_queue):
    asked: Promise[None] = Promise()
    order: list[str] = []

    def waiting():
        try:
            yield asked
            order.append("never")
        finally:
            order.append("closed")

    made = fair_queue.work(waiting(), is_there)
    await trio.testing.wait_all_tasks_blocked()
    made.cancel()
    asked.complete(None)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["closed"]
    assert not fair_queue._jobs and not fair_queue._waiting


async def test_cancelled_or_abandoned_work_is_not_continued(fair_queue):
    order: list[str] = []
    begun = fair_queue.work(steps_of("a", order, 100), is_there)
    gone = fair_queue.work(steps_of("b", order, 2), lambda: True)
    last = fair_queue.work(steps_of("c", order, 1), is_there)
    fair_queue.queue("first", lambda: None)
    fair_queue.queue("hang-up", begun.cancel)
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["a0", "c0"]
    assert gone.cancelled
    assert last.result() == "c"


async def test_a_refusal_on_the_way_is_what_the_work_comes_to(fair_queue):
    def refusing():
        yield
        raise RequestError(42, "no")

    made = fair_queue.work(refusing(), is_there)
    await trio.testing.wait_all_tasks_blocked()
    with pytest.raises(RequestError):
        made.result()
    assert not fair_queue._jobs


async def test_an_api_with_slow_requests_is_slow_until_they_are_fast_again(fair_queue):
    assert not fair_queue.is_slow(48)
    for _ in range(SLOW_IN_A_ROW):
        fair_queue.served("a", 48, 0, LONG_TURN_MS)
    assert fair_queue.is_slow(48)
    for _ in range(SLOW_IN_A_ROW):
        fair_queue.served("a", 48, 0, LONG_TURN_MS - 1)
    assert not fair_queue.is_slow(48)


async def test_who_is_waited_for_has_every_second_turn_before_all_others(fair_queue):
    order: list[str] = []
    for name in ("leaves 1", "leaves 2", "leaves 3"):
        fair_queue.queue(name, lambda name=name: order.append(name), is_waited_for=False)
    for name in ("answers 1", "answers 2"):
        fair_queue.queue(name, lambda name=name: order.append(name))
    fair_queue.queue("leaves 3", lambda: order.append("never"))
    await trio.testing.wait_all_tasks_blocked()
    assert order == ["answers 1", "leaves 1", "answers 2", "leaves 2", "leaves 3"]
