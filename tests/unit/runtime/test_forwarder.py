"""Requests on their way to the leader: whom they reach, what is tried again, and what is not."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import trio
import trio.testing

from metaquorum.base.errors import RequestError, UnexpectedError
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.peers import forwarder as module
from metaquorum.runtime.peers.forwarder import HERE, says
from metaquorum.wire.enveloping import Asker
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    alter_client_quotas_response,
    error_codes,
)
from tests.unit.runtime.controllers import OK, QUOTAS, REMOVE, A, B, Leader, answer_of, later, town

ANNA = Asker("User:anna", "10.0.0.9")


@pytest.fixture
def autojump_clock() -> trio.testing.MockClock:
    return trio.testing.MockClock(autojump_threshold=0)


async def test_a_request_reaches_the_leader_as_it_came(autojump_clock: Any) -> None:
    leader = Leader()
    async with town(a=leader) as made:
        assert await made.ask(version=0) == OK
        assert await made.ask(version=1) == OK
        assert leader.asked == [(0, "asker"), (1, "asker")]
        assert leader.connections == 1


async def test_a_leader_that_is_not_known_yet_is_waited_for(autojump_clock: Any) -> None:
    leader = Leader()
    async with town(a=leader) as made:
        made.place = None
        made.nursery.start_soon(later, 0.4, partial(setattr, made, "place", A))
        assert await made.ask() == OK
        assert trio.current_time() > 0


async def test_a_node_that_leads_no_more_is_not_taken_at_its_word_for_ever(
    autojump_clock: Any,
) -> None:
    old, new = Leader(lambda: error_codes.NOT_CONTROLLER), Leader()
    async with town(a=old, b=new) as made:
        made.nursery.start_soon(later, 0.3, partial(setattr, made, "place", B))
        assert await made.ask() == OK
        assert len(old.asked) > 1 and len(new.asked) == 1


async def test_a_leader_out_of_reach_was_asked_nothing_and_is_tried_again(
    autojump_clock: Any,
) -> None:
    async with town() as made:
        made.nursery.start_soon(later, 0.3, partial(made.leaders.__setitem__, A, Leader()))
        assert await made.ask() == OK


async def test_a_connection_that_breaks_amid_a_request_leaves_it_in_doubt(
    autojump_clock: Any,
) -> None:
    leader = Leader(lambda: "hang up")
    async with town(a=leader) as made:
        error = await made.ask()
        assert error.code == error_codes.REQUEST_TIMED_OUT
        assert "lost while it worked on this" in error.reason
        assert len(leader.asked) == 1, "it may have been done, so it is not done again"


async def test_after_the_deadline_the_asker_hears_why_it_waited(autojump_clock: Any) -> None:
    async with town(a=Leader(lambda: "silence")) as made:
        assert (await made.ask()).code == error_codes.REQUEST_TIMED_OUT
        made.place = None
        error = await made.ask()
        assert (error.code, error.reason) == (7, "nobody leads the quorum")
        assert made.forwarder.statistics()["open"] == 0


async def test_a_node_that_came_to_lead_meanwhile_asks_itself(autojump_clock: Any) -> None:
    async with town() as made:
        made.place = HERE
        refused: Promise[Any] = Promise()
        refused.fail(RequestError(error_codes.NOT_CONTROLLER, "not yet"))
        rows = [alter_client_quotas_response.EntryData(OK, None, [])]
        ready = alter_client_quotas_response.AlterClientQuotasResponse(entries=rows)
        answers = iter([refused, ready])
        made.here = partial(next, answers)
        assert await made.ask() == OK


async def test_a_voter_change_is_sent_only_to_a_node_that_claims_to_lead(
    autojump_clock: Any,
) -> None:
    old, new = Leader(leads=lambda: False), Leader()
    async with town(a=old, b=new) as made:
        made.nursery.start_soon(later, 0.3, partial(setattr, made, "place", B))
        assert await made.remove() == OK
        assert (len(old.asked), len(new.asked)) == (0, 1)


@pytest.mark.parametrize("code", [error_codes.NOT_CONTROLLER, error_codes.NOT_LEADER_OR_FOLLOWER])
async def test_a_voter_change_is_not_resent_when_its_leader_lost_leadership(
    autojump_clock: Any, code: int
) -> None:
    """Kafka's leader says the same of a change that it never wrote and of one in its log."""
    old, new = Leader(lambda: code), Leader()
    async with town(a=old, b=new) as made:
        made.nursery.start_soon(later, 0.01, partial(setattr, made, "place", B))
        error = await made.remove()
        assert error.code == error_codes.REQUEST_TIMED_OUT
        assert "may have been made" in error.reason
        await trio.sleep(5)
        assert (len(old.asked), len(new.asked)) == (1, 0)


@pytest.mark.parametrize("code", [error_codes.VOTER_NOT_FOUND, error_codes.REQUEST_TIMED_OUT])
async def test_any_other_answer_to_a_change_of_voters_is_the_askers(
    autojump_clock: Any, code: int
) -> None:
    async with town(a=Leader(lambda: code)) as made:
        assert await made.remove() == code


async def test_a_voter_change_refused_by_this_node_goes_to_the_new_leader(
    autojump_clock: Any,
) -> None:
    """The core says NOT_LEADER_OR_FOLLOWER only of what it has not written."""
    new = Leader()
    async with town(a=Leader(), b=new) as made:
        made.place = HERE
        made.here = lambda: answer_of(REMOVE, error_codes.NOT_LEADER_OR_FOLLOWER)
        made.nursery.start_soon(later, 0.2, partial(setattr, made, "place", B))
        assert await made.remove() == OK
        assert len(new.asked) == 1


async def test_a_version_that_the_leader_does_not_serve_is_said_so(autojump_clock: Any) -> None:
    async with town(a=Leader(versions=(0, 0))) as made:
        error = await made.ask(version=1)
        assert error.code == error_codes.UNSUPPORTED_VERSION
        assert await made.ask(version=0) == OK


async def test_too_many_at_once_are_turned_away(
    autojump_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FORWARDS", 1)
    async with town() as made:
        made.place = None
        codes: list[int] = []

        async def ask() -> None:
            codes.append((await made.ask()).code)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            nursery.start_soon(ask)
        assert sorted(codes) == [
            error_codes.REQUEST_TIMED_OUT,
            error_codes.THROTTLING_QUOTA_EXCEEDED,
        ]


async def test_an_asker_that_hung_up_frees_its_place(autojump_clock: Any) -> None:
    async with town(a=Leader(lambda: "silence")) as made:
        later = made.forwarder.forward(
            QUOTAS,
            1,
            alter_client_quotas_request.AlterClientQuotasRequest([], False),
            client_id=None,
            deadline_ms=made.forwarder.clock.now_ms() + 60_000,
            here=lambda: None,
        )
        await trio.sleep(0.1)
        later.cancel()
        await trio.sleep(0.1)
        assert made.forwarder.statistics() == {"open": 0, "forwarded": 1, "idle": 0}


async def test_a_request_during_shutdown_is_not_counted_as_open_forever() -> None:
    async with town(a=Leader()) as made:
        await trio.testing.wait_all_tasks_blocked()
        made.nursery.cancel_scope.cancel()
        made.forwarder.forward(
            QUOTAS,
            1,
            alter_client_quotas_request.AlterClientQuotasRequest([], False),
            client_id=None,
            deadline_ms=made.forwarder.clock.now_ms() + 60_000,
            here=lambda: None,
        )
    assert made.forwarder.statistics()["open"] == 0


def test_a_code_is_found_in_whatever_row_it_stands() -> None:
    rows = [alter_client_quotas_response.EntryData(code, None, []) for code in (0, 41)]
    answer = alter_client_quotas_response.AlterClientQuotasResponse(entries=rows)
    assert says(answer, 41) and says(answer, 0) and not says(answer, 6)


async def test_a_request_that_raises_on_its_way_is_refused_and_others_go_on(
    autojump_clock: Any,
) -> None:
    def fail() -> Any:
        raise LookupError("ours")

    async with town(a=Leader()) as made:
        made.place, made.here = HERE, fail
        error = await made.ask()
        assert isinstance(error, UnexpectedError) and isinstance(error.cause, LookupError)
        made.place = A
        assert await made.ask() == OK
        assert made.forwarder.statistics()["open"] == 0


async def test_a_request_for_a_client_travels_in_an_envelope(autojump_clock: Any) -> None:
    leader = Leader()
    async with town(a=leader) as made:
        assert await made.ask(client=ANNA) == OK
        assert await made.ask(client=Asker("User:b", "", by_token=True)) == OK
        told = [(one.type, one.name, one.token_authenticated) for one in leader.enveloped_for]
        assert told == [("User", "anna", False), ("User", "b", True)]
        assert leader.asked == [(1, "asker"), (1, "asker")]
        assert leader.connections == 1


async def test_an_envelope_that_a_node_cannot_serve_goes_to_the_next(autojump_clock: Any) -> None:
    old, new = Leader(lambda: error_codes.NOT_CONTROLLER), Leader()
    async with town(a=old, b=new) as made:
        made.nursery.start_soon(later, 0.3, partial(setattr, made, "place", B))
        assert await made.ask(client=ANNA) == OK
        assert len(old.asked) > 1
        assert len(new.asked) == 1


async def test_an_envelope_that_is_refused_is_not_sent_again(autojump_clock: Any) -> None:
    leader = Leader(lambda: error_codes.INVALID_REQUEST)
    async with town(a=leader) as made:
        error = await made.ask(client=ANNA)
        assert error.code == error_codes.INVALID_REQUEST
        assert "the active controller refused it: INVALID_REQUEST" in error.reason
        assert len(leader.asked) == 1


async def test_a_leader_that_opens_no_envelopes_is_asked_nothing(autojump_clock: Any) -> None:
    leader = Leader(opens_envelopes=False)
    async with town(a=leader) as made:
        error = await made.ask(client=ANNA)
        assert error.code == error_codes.UNSUPPORTED_VERSION
        assert leader.asked == []
        assert await made.ask() == OK


async def test_an_envelope_whose_connection_breaks_is_in_doubt(autojump_clock: Any) -> None:
    async with town(a=Leader(lambda: "hang up")) as made:
        assert (await made.ask(client=ANNA)).code == error_codes.REQUEST_TIMED_OUT
