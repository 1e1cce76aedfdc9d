"""The classic protocol: joining, rounds, assignments, heartbeats, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.wire.generated import error_codes
from tests.unit.groups.asking import (
    TOPIC,
    commit,
    described,
    heartbeat,
    join,
    leave,
    listed,
    new_id,
    stable,
    state_of,
    subscription,
    sync,
)

MakeHost = Callable[..., Any]


def _code(host: Any, command: Any) -> int:
    reply = host.get(command)
    return int(getattr(reply, "error_code", None) or getattr(reply, "code", 0))


def test_a_dynamic_member_is_given_an_id_and_joins_with_it(host: Any) -> None:
    told = host.get(join(client="reader"))
    assert told.error_code == error_codes.MEMBER_ID_REQUIRED
    assert told.member_id == "reader-00000000-0000-0000-0000-000000000001"
    asked = host.ask(join(told.member_id))
    assert asked not in host.replies, "the first round waits for others"
    assert state_of(host) == "PreparingRebalance"
    host.wait(3_000)
    joined = host.replies[asked]
    assert (joined.error_code, joined.generation_id) == (error_codes.NONE, 1)
    assert (joined.leader, joined.protocol_name) == (told.member_id, "range")
    assert [one.member_id for one in joined.members] == [told.member_id]
    assert state_of(host) == "CompletingRebalance"
    answer = host.get(sync(told.member_id, 1, {told.member_id: b"mine"}))
    assert (answer.assignment, answer.protocol_type) == (b"mine", "consumer")
    group = described(host)
    assert (group.group_state, group.protocol_data) == ("Stable", "range")
    assert group.members[0].member_assignment == b"mine"
    assert group.members[0].member_metadata == subscription(TOPIC)


def test_before_version_4_a_member_joins_at_once(host: Any) -> None:
    asked = host.ask(join(version=3))
    host.wait(3_000)
    assert host.replies[asked].generation_id == 1


def test_the_first_rebalance_is_extended_by_joins_up_to_a_limit(host: Any) -> None:
    first = host.ask(join(new_id(host), rebalance_ms=8_000))
    host.wait(2_000)
    second = host.ask(join(new_id(host), rebalance_ms=8_000))
    host.wait(2_000)
    assert first not in host.replies
    host.ask(join(new_id(host), rebalance_ms=8_000))
    host.wait(2_000)
    host.ask(join(new_id(host), rebalance_ms=8_000))
    host.wait(2_000)
    assert host.replies[first].generation_id == host.replies[second].generation_id == 1
    assert len(host.replies[first].members) == 4
    assert host.replies[second].members == []


def test_followers_get_their_assignment_once_the_leader_has_synced(host: Any) -> None:
    ids = [new_id(host) for _ in range(2)]
    asked = [host.ask(join(id)) for id in ids]
    host.wait(6_000)
    leader = host.replies[asked[0]].leader
    (other,) = (id for id in ids if id != leader)
    waiting = host.ask(sync(other, 1))
    assert waiting not in host.replies
    assert host.get(sync(leader, 1, {other: b"all"})).assignment == b""
    assert host.replies[waiting].assignment == b"all"
    assert host.get(sync(other, 1)).assignment == b"all"


def host_that_assigns(make_host: MakeHost) -> tuple[Any, str, Any]:
    """The host, the only member, and its SyncGroup, whose record is not committed."""
    host = make_host()
    host.lead()
    member = new_id(host)
    host.ask(join(member))
    host.wait(3_000)
    host.is_prompt = False
    return host, member, host.ask(sync(member, 1, {member: b"mine"}))


def test_an_assignment_is_told_once_it_is_replicated(make_host: MakeHost) -> None:
    host, _, asked = host_that_assigns(make_host)
    assert asked not in host.replies
    host.commit()
    assert host.replies[asked].assignment == b"mine"


def test_an_assignment_that_is_not_replicated_leads_to_another_round(make_host: MakeHost) -> None:
    host, member, asked = host_that_assigns(make_host)
    host.wait(5_000)
    assert host.replies[asked].code == error_codes.COORDINATOR_NOT_AVAILABLE
    assert host.get(heartbeat(member, 1)).error_code == error_codes.REBALANCE_IN_PROGRESS


def test_a_newcomer_makes_the_others_join_again(host: Any) -> None:
    (old,) = stable(host)
    assert host.get(heartbeat(old, 1)).error_code == error_codes.NONE
    newcomer = host.ask(join(new_id(host)))
    assert host.get(heartbeat(old, 1)).error_code == error_codes.REBALANCE_IN_PROGRESS
    assert _code(host, sync(old, 1)) == error_codes.REBALANCE_IN_PROGRESS
    again = host.get(join(old))
    assert (again.generation_id, len(again.members)) == (2, 2)
    assert host.replies[newcomer].leader == old


def test_who_does_not_join_again_in_time_is_gone(host: Any) -> None:
    (old,) = stable(host, session_ms=1_000_000)
    newcomer = host.ask(join(new_id(host)))
    host.wait(60_000)
    assert host.replies[newcomer].generation_id == 2
    assert host.replies[newcomer].leader != old
    assert _code(host, heartbeat(old, 1)) == error_codes.UNKNOWN_MEMBER_ID


def test_who_does_not_sync_in_time_is_gone(host: Any) -> None:
    ids = [new_id(host, session_ms=1_000_000) for _ in range(2)]
    asked = [host.ask(join(id, session_ms=1_000_000)) for id in ids]
    host.wait(6_000)
    leader = host.replies[asked[0]].leader
    (other,) = (id for id in ids if id != leader)
    host.get(sync(leader, 1, {}))
    host.wait(60_000)
    assert host.get(heartbeat(leader, 1)).error_code == error_codes.REBALANCE_IN_PROGRESS
    assert _code(host, heartbeat(other, 1)) == error_codes.UNKNOWN_MEMBER_ID


def test_a_silent_member_is_gone_after_its_session_time_out(host: Any) -> None:
    alive, silent = stable(host, 2)
    for _ in range(4):
        host.wait(2_500)
        code = host.get(heartbeat(alive, 1)).error_code
    assert code == error_codes.REBALANCE_IN_PROGRESS
    joined = host.get(join(alive))
    assert [one.member_id for one in joined.members] == [alive]
    assert _code(host, heartbeat(silent, 1)) == error_codes.UNKNOWN_MEMBER_ID


def test_commits_are_signs_of_life_and_need_the_generation(host: Any) -> None:
    (member,) = stable(host)
    for _ in range(4):
        host.wait(6_000)
        assert host.get(commit(5, member, 1)).topics[0].partitions[0].error_code == 0
    assert host.code(commit(5, member, 2)) == error_codes.ILLEGAL_GENERATION
    assert host.code(commit(5, "other", 1)) == error_codes.UNKNOWN_MEMBER_ID
    assert host.code(commit(5)) == error_codes.UNKNOWN_MEMBER_ID, "the group has members"
    host.get(leave(member))
    assert host.get(commit(6)).topics[0].partitions[0].error_code == error_codes.NONE


def test_commits_wait_for_the_assignment(host: Any) -> None:
    member = new_id(host)
    host.ask(join(member))
    host.wait(3_000)
    assert host.code(commit(5, member, 1)) == error_codes.REBALANCE_IN_PROGRESS


def test_a_pending_member_that_never_joins_delays_the_group_briefly(host: Any) -> None:
    (old,) = stable(host, session_ms=1_000_000)
    new_id(host, session_ms=6_000)
    asked = host.ask(join(old, session_ms=1_000_000))
    assert asked not in host.replies, "a member has an id and may join yet"
    host.wait(6_000)
    assert host.replies[asked].generation_id == 2


def test_the_last_one_to_leave_empties_the_group_and_its_offsets_stay(host: Any) -> None:
    (member,) = stable(host)
    host.get(commit(5, member, 1))
    (left,) = host.get(leave(member)).members
    assert (left.member_id, left.error_code) == (member, error_codes.NONE)
    assert state_of(host) == "Empty"
    assert listed(host) == [("g", "consumer", "Empty", "classic")]
    host.wait(600_000)
    assert listed(host) == [("g", "consumer", "Empty", "classic")]
    host.wait(604_800_000)
    assert listed(host) == []


def test_leaving_is_answered_for_each_member_and_of_old_at_the_top(host: Any) -> None:
    (member,) = stable(host)
    told = host.get(leave("x", member)).members
    assert [one.error_code for one in told] == [error_codes.UNKNOWN_MEMBER_ID, error_codes.NONE]
    assert host.get(leave("x", version=1)).error_code == error_codes.UNKNOWN_MEMBER_ID
    (told,) = host.get(leave("x", group="none")).members
    assert told.error_code == error_codes.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (join(group=""), error_codes.INVALID_GROUP_ID),
        (join(session_ms=5_999), error_codes.INVALID_SESSION_TIMEOUT),
        (join(session_ms=1_800_001), error_codes.INVALID_SESSION_TIMEOUT),
        (join("stranger"), error_codes.UNKNOWN_MEMBER_ID),
        (join(protocols=()), error_codes.INCONSISTENT_GROUP_PROTOCOL),
        (join(kind=""), error_codes.INCONSISTENT_GROUP_PROTOCOL),
        (sync("m", 1), error_codes.UNKNOWN_MEMBER_ID),
        (heartbeat("m", 1), error_codes.UNKNOWN_MEMBER_ID),
        (heartbeat("m", 1, group=""), error_codes.INVALID_GROUP_ID),
        (leave("m", group=""), error_codes.INVALID_GROUP_ID),
    ],
)
def test_what_cannot_be_is_refused(host: Any, command: Any, code: int) -> None:
    assert _code(host, command) == code
    assert listed(host) == [], "and leaves no group behind"


def test_the_generation_and_the_protocol_must_be_right(host: Any) -> None:
    (member,) = stable(host)
    assert _code(host, heartbeat(member, 2)) == error_codes.ILLEGAL_GENERATION
    assert _code(host, sync(member, 2)) == error_codes.ILLEGAL_GENERATION
    wrong = sync(member, 1, protocol_type="connect")
    assert _code(host, wrong) == error_codes.INCONSISTENT_GROUP_PROTOCOL
    wrong = sync(member, 1, protocol_name="roundrobin")
    assert _code(host, wrong) == error_codes.INCONSISTENT_GROUP_PROTOCOL
    assert _code(host, join(kind="connect")) == error_codes.INCONSISTENT_GROUP_PROTOCOL
    assert _code(host, join(protocols=("x",))) == error_codes.INCONSISTENT_GROUP_PROTOCOL


def test_the_protocol_is_what_most_like_best_of_what_all_know(host: Any) -> None:
    offers = [("a", "b", "c"), ("b", "c"), ("c", "b"), ("x", "b", "c")]
    ids = [new_id(host, protocols=offer) for offer in offers]
    asked = [host.ask(join(id, protocols=offer)) for id, offer in zip(ids, offers, strict=True)]
    host.wait(6_000)
    assert {host.replies[one].protocol_name for one in asked} == {"b"}


def test_a_group_is_full_at_its_largest_size(make_host: MakeHost) -> None:
    host = make_host(max_size=1)
    host.lead()
    stable(host)
    assert _code(host, join(version=3)) == error_codes.GROUP_MAX_SIZE_REACHED


def test_asking_again_in_a_generation_gets_the_same_answer(host: Any) -> None:
    leader, other = stable(host, 2)
    told = host.get(join(other))
    assert (told.generation_id, told.leader, told.members) == (1, leader, [])
    assert state_of(host) == "Stable"
    host.ask(join(leader))
    assert state_of(host) == "PreparingRebalance", "a leader asks because something has changed"


def test_other_topics_make_a_round(host: Any) -> None:
    _, other = stable(host, 2)
    host.ask(join(other, metadata=subscription(TOPIC, "more")))
    assert state_of(host) == "PreparingRebalance"


def test_a_returning_static_member_rejoins_without_a_rebalance(host: Any) -> None:
    asked = host.ask(join(instance="i"))
    host.wait(3_000)
    old = host.replies[asked].member_id
    assert old.startswith("i-")
    host.get(sync(old, 1, {old: b"mine"}))
    back = host.get(join(instance="i"))
    assert (back.generation_id, back.leader, back.skip_assignment) == (1, back.member_id, True)
    assert back.member_id != old
    assert host.get(sync(back.member_id, 1)).assignment == b"mine"
    assert state_of(host) == "Stable"
    assert _code(host, heartbeat(old, 1, "i")) == error_codes.FENCED_INSTANCE_ID
    assert _code(host, heartbeat(old, 1)) == error_codes.UNKNOWN_MEMBER_ID
    assert host.code(commit(5, old, 1, "i")) == error_codes.FENCED_INSTANCE_ID
    assert _code(host, heartbeat(back.member_id, 1, "i")) == error_codes.NONE


def test_an_old_static_leader_is_told_that_its_former_self_leads(host: Any) -> None:
    asked = host.ask(join(instance="i", version=8))
    host.wait(3_000)
    old = host.replies[asked].member_id
    host.get(sync(old, 1, {old: b"mine"}))
    back = host.get(join(instance="i", version=8))
    assert (back.leader, back.skip_assignment, back.members) == (old, False, [])


def test_a_static_member_that_joins_twice_fences_the_first(host: Any) -> None:
    first = host.ask(join(instance="i"))
    second = host.ask(join(instance="i"))
    assert host.replies[first].error_code == error_codes.FENCED_INSTANCE_ID
    host.wait(3_000)
    assert host.replies[second].generation_id == 1


def test_a_static_member_is_removed_by_its_name(host: Any) -> None:
    asked = host.ask(join(instance="i"))
    host.wait(3_000)
    host.get(sync(host.replies[asked].member_id, 1))
    (told,) = host.get(leave(("", "i"))).members
    assert (told.group_instance_id, told.error_code) == ("i", error_codes.NONE)
    assert state_of(host) == "Empty"


def test_after_a_fail_over_the_group_goes_on_and_sessions_begin_anew(
    host: Any, make_host: MakeHost
) -> None:
    ids = stable(host, 2)
    host.wait(9_000)
    other = host.successor(make_host)
    assert state_of(other) == "Stable"
    other.wait(9_000)
    for id in ids:
        assert other.get(heartbeat(id, 1)).error_code == error_codes.NONE
        assert other.get(sync(id, 1)).assignment == id.encode()
    other.wait(10_000)
    assert state_of(other) == "Empty"


def test_lost_leadership_answers_a_waiting_join_with_not_coordinator(host: Any) -> None:
    asked = host.ask(join(new_id(host)))
    host.follow()
    assert host.replies[asked].error_code == error_codes.NOT_COORDINATOR
    host.lead()
    assert listed(host) == []


def test_groups_are_listed_by_state_and_type(host: Any) -> None:
    stable(host)
    host.get(join(group="h"))
    assert [row[0] for row in listed(host)] == ["g", "h"]
    assert [row[0] for row in listed(host, states=("STABLE",))] == ["g"]
    assert [row[0] for row in listed(host, types=("Classic",))] == ["g", "h"]
    assert listed(host, types=("consumer",)) == []
    assert described(host, "none").error_code == error_codes.GROUP_ID_NOT_FOUND
