"""Changes that the controller writes in turns, as its host sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated, RequestError
from metaquorum.base.limits import RECORDS_PER_TURN
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.controller.context import PlanContext
from metaquorum.controller.events import TimePassed
from metaquorum.controller.outcome import InTurns, Turns
from metaquorum.controller.plans import PLANS
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest
from metaquorum.wire.generated.records.client_quota_record import ClientQuotaRecord
from metaquorum.wire.generated.records.client_quota_record import EntityData as RecordEntity
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

BOOTSTRAP = [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", 30))]
BROKER = 7


def quota(user: str) -> MetadataRecord:
    entity = [RecordEntity("user", user)]
    return MetadataRecord(14, 0, ClientQuotaRecord(entity, "producer_byte_rate", 1.0, False))


def user_of(record: MetadataRecord) -> str:
    return str(record.message.entity[0].entity_name)


def command() -> AlterClientQuotas:
    """Stands for any; the plan is the test's own."""
    return AlterClientQuotas(AlterClientQuotasRequest([]))


@pytest.fixture
def host(make_host: Callable[..., Any]) -> Any:
    host = make_host(BOOTSTRAP, max_idle_interval_ms=0, pending_replies_max=3)
    host.lead()
    host.commit()
    return host


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make this the plan of every command that follows."""

    def use(turns: Callable[[PlanContext], Turns], leaving: Sequence[int] = ()) -> None:
        def planned(context: PlanContext, asked: object) -> InTurns:
            return InTurns(turns(context), frozenset(leaving))

        monkeypatch.setitem(PLANS, AlterClientQuotas, planned)

    return use


def three_of(name: str) -> Callable[[PlanContext], Turns]:
    def turns(context: PlanContext) -> Turns:
        for number in range(3):
            yield (quota(f"{name}{number}"),)
        return f"{name} is done"

    return turns


def take_turn(host: Any) -> None:
    assert host.core.deadline <= host.now, "a turn is due at once"
    host.step(TimePassed())


def users(host: Any) -> list[str]:
    return [user_of(one) for _, _, records in host.log[1:] for one in records]


def test_two_changes_take_their_turns_in_rotation(host: Any, plan: Callable[..., None]) -> None:
    plan(three_of("a"))
    first = host.ask(command())
    plan(three_of("b"))
    second = host.ask(command())
    assert users(host) == ["a0", "b0"], "the first turn is taken when the command arrives"
    for _ in range(4):
        take_turn(host)
    assert users(host) == ["a0", "b0", "a1", "b1", "a2", "b2"]
    for _ in range(2):
        take_turn(host)
    assert host.core.deadline == NEVER
    assert host.replies == {}
    host.commit()
    assert host.replies == {first: "a is done", second: "b is done"}


def test_each_turn_plans_on_what_others_wrote_before_it(
    host: Any, plan: Callable[..., None]
) -> None:
    seen = []

    def turns(context: PlanContext) -> Turns:
        for number in range(2):
            seen.append(len(context.view.quotas))
            yield (quota(f"a{number}"),)
        return None

    plan(turns)
    host.ask(command())
    plan(three_of("b"))
    host.ask(command())
    take_turn(host)
    assert seen == [0, 2]


def test_a_turn_without_records_writes_nothing_and_goes_on(
    host: Any, plan: Callable[..., None]
) -> None:
    def turns(context: PlanContext) -> Turns:
        yield ()
        yield (quota("a"),)
        return "done"

    plan(turns)
    asked = host.ask(command())
    assert users(host) == []
    take_turn(host)
    take_turn(host)
    host.commit()
    assert (users(host), host.replies) == (["a"], {asked: "done"})


def test_lost_leadership_ends_a_change_between_two_turns(
    host: Any, plan: Callable[..., None]
) -> None:
    closed = []

    def turns(context: PlanContext) -> Turns:
        try:
            yield (quota("a"),)
            yield (quota("b"),)
        finally:
            closed.append(True)
        return None

    plan(turns)
    asked = host.ask(command())
    host.follow()
    reply = host.replies[asked]
    assert isinstance(reply, RequestError) and reply.code == error_codes.REQUEST_TIMED_OUT
    assert closed == [True]
    assert host.core.deadline == NEVER, "no turn is due any more"
    assert len(host.core.state.live().quotas) == 0, "nothing of it was committed"


def test_a_turn_that_raises_is_answered_and_the_node_lives_on(
    host: Any, plan: Callable[..., None]
) -> None:
    def turns(context: PlanContext) -> Turns:
        yield (quota("a"),)
        raise LookupError("ours")

    plan(turns)
    asked = host.ask(command())
    take_turn(host)
    host.commit()
    reply = host.replies[asked]
    assert isinstance(reply, RequestError) and reply.code == error_codes.UNKNOWN_SERVER_ERROR
    assert users(host) == ["a"], "what was written stays"
    plan(three_of("b"))
    host.ask(command())
    assert users(host) == ["a", "b0"]


def test_a_turn_that_finds_the_state_broken_stops_the_process(
    host: Any, plan: Callable[..., None]
) -> None:
    def turns(context: PlanContext) -> Turns:
        yield (quota("a"),)
        raise InvariantViolated("two leaders")

    plan(turns)
    host.ask(command())
    with pytest.raises(InvariantViolated, match="two leaders"):
        take_turn(host)


def test_a_turn_that_the_log_refuses_is_the_last_one(host: Any, plan: Callable[..., None]) -> None:
    plan(three_of("a"), leaving=(BROKER,))
    asked = host.ask(command())
    host.commit()
    host.refuse_with = error_codes.THROTTLING_QUOTA_EXCEEDED
    take_turn(host)
    assert host.replies[asked].code == error_codes.THROTTLING_QUOTA_EXCEEDED
    assert host.core.deadline == NEVER


def test_changes_in_turns_count_among_the_replies_that_wait(
    host: Any, plan: Callable[..., None]
) -> None:
    plan(three_of("a"))
    for _ in range(3):
        host.ask(command())
    refused = host.ask(command())
    assert host.replies[refused].code == error_codes.THROTTLING_QUOTA_EXCEEDED
    while host.core.deadline <= host.now:
        take_turn(host)
    assert host.replies[host.ask(command())].code == error_codes.THROTTLING_QUOTA_EXCEEDED
    host.commit()
    assert list(host.replies.values())[-3:] == ["a is done"] * 3


def test_a_broker_is_leaving_from_the_first_turn_to_the_last(
    host: Any, plan: Callable[..., None]
) -> None:
    contexts: list[PlanContext] = []

    def turns(context: PlanContext) -> Turns:
        contexts.append(context)
        yield (quota("a"),)
        yield (quota("b"),)
        return None

    plan(turns, leaving=(BROKER,))
    host.ask(command())
    take_turn(host)
    host.ask(command())
    take_turn(host)
    contacts = contexts[0].contacts
    assert contacts.is_leaving(BROKER), "the second change has a turn to go"
    while host.core.deadline <= host.now:
        take_turn(host)
    assert not contacts.is_leaving(BROKER)
    assert contacts.left_at(BROKER) == host.end - 1


def test_one_turn_is_planned_while_the_one_before_it_is_committed(
    host: Any, plan: Callable[..., None]
) -> None:
    def turns(context: PlanContext) -> Turns:
        for number in range(3):
            yield [quota(f"{number}-{one}") for one in range(RECORDS_PER_TURN)]
        return "done"

    plan(turns)
    asked = host.ask(command())
    before_the_second = host.end
    take_turn(host)
    assert len(users(host)) == 2 * RECORDS_PER_TURN
    assert host.core.deadline == NEVER, "nothing is due before the first turn is committed"
    host.step(TimePassed())
    assert len(users(host)) == 2 * RECORDS_PER_TURN
    host.commit(before_the_second)
    take_turn(host)
    assert len(users(host)) == 3 * RECORDS_PER_TURN
    assert host.core.deadline == NEVER, "nor the end before the second one is"
    host.commit()
    take_turn(host)
    assert host.replies == {asked: "done"}
