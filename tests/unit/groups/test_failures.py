"""A coordinator whose code raises: the command is refused, and its group goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import RequestError, UnexpectedError
from metaquorum.base.limits import FAILED_DEADLINE_RETRY_MS
from metaquorum.groups import classic_group, consumer, joins, offsets, rounds
from metaquorum.groups.commands import ConsumerHeartbeat
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from tests.unit.groups.asking import (
    TOPIC,
    commit,
    heartbeat,
    join,
    leave,
    listed,
    new_id,
    stable,
    state_of,
    sync,
)

MakeHost = Callable[..., Any]
UNKNOWN = error_codes.UNKNOWN_SERVER_ERROR
LONGEST_NAME = 32_767 - 37  # a dash and a uuid stand behind it in a member id


def fail(*_: Any, **__: Any) -> Any:
    raise LookupError("ours")


def code_of(reply: Any) -> int:
    return int(reply.code if isinstance(reply, RequestError) else reply.error_code)


@pytest.mark.parametrize("version", range(10))
@pytest.mark.parametrize("names", [("x", None), ("é", None), ("c", "x"), ("c", "é")])
def test_a_name_too_long_for_a_member_id_is_refused_as_kafka_does(
    host: Any, version: int, names: tuple[str, str | None]
) -> None:
    sizes = [len(one.encode()) for one in names if one is not None]
    fits = [LONGEST_NAME // size for size in sizes]
    client, instance = names[0], names[1]
    if instance is not None and version < 5:
        return

    def named(more: int) -> dict[str, Any]:
        if instance is None:
            return {"client": client * (fits[0] + more)}
        return {"client": client, "instance": instance * (fits[1] + more)}

    for more in (1, 30):
        assert host.code(join(version=version, **named(more))) == UNKNOWN
    assert listed(host) == [], "nobody is in a group that nobody could join"
    asked = host.ask(join(version=version, **named(0)))
    host.wait(3_000)
    assert host.replies[asked].error_code in (error_codes.NONE, error_codes.MEMBER_ID_REQUIRED)


def test_refused_names_leave_no_groups_behind(make_host: MakeHost) -> None:
    host = make_host(groups_max=2)
    host.lead()
    for number in range(5):
        assert host.code(join(group=f"g{number}", client="x" * 32_767)) == UNKNOWN
    assert host.get(join(group="another")).error_code == error_codes.MEMBER_ID_REQUIRED


def test_a_command_that_raises_is_refused_and_writes_nothing(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(offsets, "commit", fail)
        reply = host.get(commit(5))
    assert isinstance(reply, UnexpectedError) and isinstance(reply.cause, LookupError)
    assert host.log == []
    assert host.get(commit(5)).topics[0].partitions[0].error_code == error_codes.NONE


def test_a_join_that_raises_refuses_all_waiting_and_they_can_rejoin(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = stable(host, members=2)
    waiting = host.ask(join(first))
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "answer_join", fail)
        breaking = host.ask(join(second, metadata=b"other"))
    assert code_of(host.replies[waiting]) == UNKNOWN
    assert code_of(host.replies[breaking]) == UNKNOWN
    assert state_of(host) == "Stable", "the log has the generation before"
    assert host.get(heartbeat(first, 1)).error_code == error_codes.NONE
    asked = [host.ask(join(one, metadata=b"other")) for one in (first, second)]
    assert [host.replies[one].generation_id for one in asked] == [2, 2]


def test_answers_of_a_round_that_failed_half_way_are_refusals(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = stable(host, members=2)
    waiting = host.ask(join(first))
    left = [rounds.answer_join]

    def fails_for_the_second(output: Any, group: Any, member: Any) -> None:
        (left.pop() if left else fail)(output, group, member)

    monkeypatch.setattr(rounds, "answer_join", fails_for_the_second)
    breaking = host.ask(join(second, metadata=b"other"))
    assert [code_of(host.replies[one]) for one in (waiting, breaking)] == [UNKNOWN, UNKNOWN]


def test_a_sync_that_raises_is_refused_with_those_who_wait(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [new_id(host) for _ in range(2)]
    asked = [host.ask(join(one)) for one in ids]
    host.wait(6_000)
    leader = host.replies[asked[0]].leader
    follower = next(one for one in ids if one != leader)
    waiting = host.ask(sync(follower, 1))
    monkeypatch.setattr(classic_group.ClassicGroup, "record", fail)
    leading = host.ask(sync(leader, 1, dict.fromkeys(ids, b"")))
    assert [code_of(host.replies[one]) for one in (waiting, leading)] == [UNKNOWN, UNKNOWN]
    assert host.code(sync(follower, 1)) == error_codes.UNKNOWN_MEMBER_ID


def test_a_leave_that_raises_is_refused_and_the_group_is_unchanged(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = stable(host)
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "after_leaving", fail)
        assert host.code(leave(member)) == UNKNOWN
    assert host.get(heartbeat(member, 1)).error_code == error_codes.NONE


def test_records_that_a_failed_command_had_made_are_not_written(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = ConsumerGroupHeartbeatRequest(
        group_id="g",
        member_id="m",
        rebalance_timeout_ms=1_000,
        subscribed_topic_names=[TOPIC],
        topic_partitions=[],
    )
    command = ConsumerHeartbeat(request, 1, "c", "/127.0.0.1", (TOPIC,))
    with monkeypatch.context() as patch:
        patch.setattr(consumer.ConsumerGroups, "_assign", fail)
        assert host.code(command) == UNKNOWN
    assert host.log == []
    assert host.get(command).member_epoch == 1


def host_with_uncommitted_assignment(make_host: MakeHost) -> tuple[Any, str, Any]:
    """The host, the only member, and its SyncGroup, whose record is not committed."""
    host = make_host(is_prompt=False)
    host.lead()
    asked = host.ask(join(new_id(host)))
    host.wait(6_000)
    member = host.replies[asked].member_id
    return host, member, host.ask(sync(member, 1, {member: b"mine"}))


def test_a_commit_for_a_group_that_began_anew_answers_nobody_twice(
    make_host: MakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, member, waiting = host_with_uncommitted_assignment(make_host)
    assert waiting not in host.replies, "its record is not committed"
    with monkeypatch.context() as patch:
        patch.setattr(joins.Joining, "_join_again", fail)
        host.ask(join(member))
    assert code_of(host.replies[waiting]) == UNKNOWN
    told = dict(host.replies)
    monkeypatch.setattr(rounds, "assigned", fail)
    host.commit()
    assert (host.replies, host.failures) == (told, [])
    assert state_of_committed(host) == "Stable"


def test_what_follows_a_commit_may_raise_and_those_who_wait_are_told(
    make_host: MakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _, waiting = host_with_uncommitted_assignment(make_host)
    monkeypatch.setattr(rounds, "assigned", fail)
    host.commit()
    assert code_of(host.replies[waiting]) == UNKNOWN
    assert host.failures == [LookupError]
    assert state_of_committed(host) == "Stable", "the assignment is in the log"


def state_of_committed(host: Any) -> str:
    host.is_prompt = True
    return state_of(host)


def test_a_static_member_whose_return_fails_is_answered(
    make_host: MakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make_host()
    host.lead()
    asked = host.ask(join(instance="i"))
    host.wait(6_000)
    member = host.replies[asked].member_id
    host.get(sync(member, 1, {member: b"mine"}, group_instance_id="i"))
    host.is_prompt = False
    back = host.ask(join(instance="i"))
    assert back not in host.replies
    monkeypatch.setattr(joins.rounds, "join_refused", fail)
    host.follow()
    assert code_of(host.replies[back]) == UNKNOWN


def test_a_deadline_that_raises_comes_again_and_others_are_served(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = stable(host)
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "remove", fail)
        host.wait(10_000)
        assert host.failures == [LookupError]
        assert host.get(heartbeat(member, 1)).error_code == error_codes.NONE
    host.wait(FAILED_DEADLINE_RETRY_MS + 10_000)
    assert state_of(host) in ("Empty", "Dead")


def test_offsets_expire_although_it_failed_once(
    make_host: MakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make_host(offsets_retention_ms=1_000, offsets_retention_check_ms=5_000)
    host.lead()
    host.get(commit(5))
    with monkeypatch.context() as patch:
        patch.setattr(offsets, "expired", fail)
        host.wait(5_000)
    assert host.failures == [LookupError]
    host.wait(FAILED_DEADLINE_RETRY_MS)
    assert listed(host) == []


def test_a_consumer_session_that_fails_to_end_is_tried_again(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumer.ConsumerGroups, "time_came", fail)
    due = (consumer.SESSION, "g", "m")
    host.core._context.timers.set(due, host.now)
    host.wait(0)
    assert host.failures == [LookupError]
    assert host.core._context.timers.is_set(due)


def test_records_that_cannot_be_encoded_refuse_their_command(host: Any) -> None:
    host.refuse_for = ValueError("ours")
    reply = host.get(commit(5))
    assert isinstance(reply, UnexpectedError) and isinstance(reply.cause, ValueError)
    host.refuse_for = None
    assert host.get(commit(5)).topics[0].partitions[0].error_code == error_codes.NONE


def test_a_failed_command_is_told_to_anyone_who_asked_alone(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offsets, "commit", fail)
    host.get(commit(5))
    assert host.failures == [], "the asker is answered, and that answer is logged by its sender"
