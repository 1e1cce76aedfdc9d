"""Requests on their way to a leader that another one replaces (issue 27, item 6)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
import trio
import trio.testing

from metaquorum.base.limits import REPLACED_LEADER_ANSWER_MS
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.runtime.peers import forwarder as module
from metaquorum.runtime.peers.forwarder import HERE
from metaquorum.wire.generated import error_codes
from tests.unit.runtime.controllers import OK, REMOVE, A, B, Leader, Town, answer_of, later, town

TIMED_OUT = error_codes.REQUEST_TIMED_OUT
NOT_CONTROLLER = error_codes.NOT_CONTROLLER
LAST_ANSWER_S = REPLACED_LEADER_ANSWER_MS / 1_000
LONG_MS = 30_000
ELECTED_S = 2.0


@pytest.fixture
def autojump_clock() -> trio.testing.MockClock:
    return trio.testing.MockClock(autojump_threshold=0)


def code_of(answer: Any) -> int:
    return getattr(answer, "code", answer)


def at(made: Town, seconds: float, act: Callable[[], object]) -> None:
    """Do something so long from now."""
    made.nursery.start_soon(later, seconds, act)


def elected_later(made: Town, leader_id: int | None = 2, place: Any = B) -> None:
    at(made, ELECTED_S, partial(made.elect, leader_id, place))


def silent() -> Leader:
    """A leader that takes a request and freezes."""
    return Leader(lambda: "silence")


@pytest.mark.parametrize("ask", [Town.ask, Town.remove])
async def test_a_write_in_flight_is_in_doubt_once_a_newer_epoch_is_known(
    autojump_clock: Any, ask: Callable[..., Awaitable[Any]]
) -> None:
    old, new = silent(), Leader()
    async with town(a=old, b=new) as made:
        elected_later(made)
        error = await ask(made, wait_ms=LONG_MS)
        assert trio.current_time() == pytest.approx(ELECTED_S + LAST_ANSWER_S)
        assert error.code == TIMED_OUT and "may have been done" in error.reason
        await trio.sleep(1)
        assert (len(old.asked), len(new.asked)) == (1, 0), "it is not made twice"


async def test_a_newer_epoch_without_a_leader_puts_a_write_in_doubt_too(
    autojump_clock: Any,
) -> None:
    async with town(a=silent()) as made:
        elected_later(made, None, None)
        assert code_of(await made.ask(wait_ms=LONG_MS)) == TIMED_OUT
        assert trio.current_time() == pytest.approx(ELECTED_S + LAST_ANSWER_S)


@pytest.mark.parametrize("ask", [Town.ask, Town.remove, Town.describe])
async def test_a_request_waiting_for_a_slow_connect_goes_to_the_new_leader(
    autojump_clock: Any, ask: Callable[..., Awaitable[Any]]
) -> None:
    old, new = Leader(is_frozen=True), Leader()
    async with town(a=old, b=new) as made:
        at(made, 0.5, partial(made.elect, 2, B))
        assert await ask(made, wait_ms=LONG_MS) == OK
        assert trio.current_time() == pytest.approx(0.5)
        assert (old.connections, old.asked) == (1, [])


async def test_a_voter_change_goes_to_new_leader_if_the_old_froze_before_it(
    autojump_clock: Any,
) -> None:
    """It was asked only whether it leads, and never answered that."""
    old, new = Leader(), Leader()
    async with town(a=old, b=new) as made:
        assert await made.ask() == OK  # the connection is open, and idle
        old.asked.clear()
        old.is_frozen = True
        elected_later(made)
        assert await made.remove(wait_ms=LONG_MS) == OK
        assert trio.current_time() == pytest.approx(ELECTED_S)
        assert (len(old.asked), len(new.asked)) == (0, 1)


async def test_requests_that_wait_for_a_connection_go_to_the_new_leader(
    autojump_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FORWARD_CONNECTIONS", 2)
    old, new = silent(), Leader()
    answers: list[tuple[int, float]] = []
    async with town(a=old, b=new) as made:
        elected_later(made)

        async def ask() -> None:
            answers.append((code_of(await made.ask(wait_ms=LONG_MS)), trio.current_time()))

        async with trio.open_nursery() as nursery:
            for _ in range(6):
                nursery.start_soon(ask)
        ends = pytest.approx(ELECTED_S + LAST_ANSWER_S)
        assert sorted(answers) == [(OK, ends)] * 4 + [(TIMED_OUT, ends)] * 2
        assert (len(old.asked), len(new.asked)) == (2, 4)


async def test_a_read_in_flight_is_sent_to_the_new_leader(autojump_clock: Any) -> None:
    old, new = Leader(), Leader()
    async with town(a=old, b=new) as made:
        assert await made.describe() == OK
        old.is_frozen = True
        elected_later(made)
        assert await made.describe(wait_ms=LONG_MS) == OK
        assert trio.current_time() == pytest.approx(ELECTED_S + LAST_ANSWER_S)


async def test_a_read_whose_connection_breaks_is_sent_again(autojump_clock: Any) -> None:
    leader = Leader(hangs_up_on_reads=2)
    async with town(a=leader) as made:
        assert await made.describe() == OK
        assert await made.ask() == OK


async def test_a_voter_change_is_sent_if_only_its_leader_check_was_lost(
    autojump_clock: Any,
) -> None:
    leader = Leader(hangs_up_on_reads=1)
    async with town(a=leader) as made:
        assert await made.remove() == OK
        assert len(leader.asked) == 1


async def test_a_replaced_leader_that_runs_says_what_it_did_not_write(
    autojump_clock: Any,
) -> None:
    """Then the write is not in doubt: the new leader makes it."""
    old, new = Leader(), Leader()
    async with town(a=old, b=new) as made:
        assert await made.ask() == OK
        old.say, old.is_frozen = (lambda: NOT_CONTROLLER), True
        elected_later(made)
        at(made, ELECTED_S + LAST_ANSWER_S / 2, old.thaw)
        assert await made.ask(wait_ms=LONG_MS) == OK
        assert len(new.asked) == 1


async def test_a_leader_that_leads_the_newer_epoch_too_is_waited_for(autojump_clock: Any) -> None:
    leader = Leader()
    async with town(a=leader) as made:
        assert await made.ask() == OK
        leader.is_frozen = True
        at(made, 1.0, partial(made.elect, None, None))
        at(made, 1.0 + LAST_ANSWER_S / 2, partial(made.elect, 1, A))
        at(made, 5.0, leader.thaw)
        assert await made.ask(wait_ms=LONG_MS) == OK
        assert trio.current_time() == pytest.approx(5.0)


async def test_a_leader_out_of_sight_in_the_same_epoch_is_waited_for(autojump_clock: Any) -> None:
    """Nobody else leads, so it may still answer: a cable was cut and is mended."""
    leader = Leader()
    async with town(a=leader) as made:
        assert await made.ask() == OK
        leader.is_frozen = True
        unknown = LeaderAndEpoch(None, made.epoch)
        at(made, 1.0, partial(made.forwarder.leader_changed, unknown))
        at(made, 5.0, leader.thaw)
        assert await made.ask(wait_ms=LONG_MS) == OK
        assert trio.current_time() == pytest.approx(5.0)


async def test_a_late_answer_of_a_replaced_leader_reaches_no_other_request(
    autojump_clock: Any,
) -> None:
    """It thaws and leads again: what it owes the first request is no answer to the second."""
    answers = iter([OK, error_codes.INVALID_REQUEST, OK])
    leader = Leader(lambda: next(answers))
    async with town(a=leader) as made:
        assert await made.ask() == OK
        leader.is_frozen = True
        at(made, 1.0, partial(made.elect, 2, B))
        assert code_of(await made.ask(wait_ms=LONG_MS)) == TIMED_OUT
        leader.thaw()
        made.elect(1, A)
        assert await made.ask() == OK
        assert (leader.connections, len(leader.asked)) == (2, 3)


async def test_idle_connections_to_a_replaced_leader_are_closed(autojump_clock: Any) -> None:
    old = Leader()
    async with town(a=old, b=Leader()) as made:
        assert await made.ask() == OK
        assert made.forwarder.statistics()["idle"] == 1
        made.elect(None, None)
        await trio.sleep(1)
        assert (old.hang_ups, made.forwarder.statistics()["idle"]) == (0, 1)
        made.elect(2, B)
        await trio.sleep(1)
        assert (old.hang_ups, made.forwarder.statistics()["idle"]) == (1, 0)


async def test_a_node_that_is_elected_itself_makes_what_it_had_not_sent(
    autojump_clock: Any,
) -> None:
    async with town(a=Leader(is_frozen=True)) as made:
        made.here = lambda: answer_of(REMOVE, OK)
        at(made, 0.5, partial(made.elect, 7, HERE))
        assert await made.remove(wait_ms=LONG_MS) == OK
        assert trio.current_time() == pytest.approx(0.5)


async def test_a_node_elected_leader_does_not_repeat_requests_it_had_sent(
    autojump_clock: Any,
) -> None:
    async with town(a=silent()) as made:
        elected_later(made, 7, HERE)
        assert code_of(await made.ask(wait_ms=LONG_MS)) == TIMED_OUT


async def test_a_new_leader_is_asked_as_soon_as_it_is_known(autojump_clock: Any) -> None:
    async with town(a=Leader(), b=Leader()) as made:
        made.elect(None, None)
        at(made, 0.73, partial(made.elect, 2, B))
        assert await made.ask(wait_ms=LONG_MS) == OK
        assert trio.current_time() == pytest.approx(0.73)
