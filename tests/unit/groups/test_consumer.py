"""The protocol of KIP-848: joining, sharing, giving up, static members, patterns, two protocols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.groups.commands import (
    CommitOffsets,
    ConsumerHeartbeat,
    DeleteGroups,
    DeleteOffsets,
    DescribeConsumerGroups,
    FetchOffsets,
)
from metaquorum.groups.config import TopicInfo
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from metaquorum.wire.generated.offset_delete_request import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
)
from metaquorum.wire.generated.offset_fetch_request import OffsetFetchRequestGroup
from tests.unit.groups.asking import commit, heartbeat, join, listed, new_id, stable, state_of

MakeHost = Callable[..., Any]
WIDE_ID = b"w" * 16
WIDE = {"wide": TopicInfo(WIDE_ID, 4), METADATA_TOPIC: TopicInfo(METADATA_TOPIC_ID, 1)}


def beat(
    member: str,
    epoch: int,
    owned: list[int] | None = None,
    *,
    topic: bytes = WIDE_ID,
    version: int = 1,
    **fields: Any,
) -> ConsumerHeartbeat:
    parts = None if owned is None else [TopicPartitions(topic, owned)] if owned else []
    request = ConsumerGroupHeartbeatRequest("g", member, epoch, topic_partitions=parts)
    for name, told in fields.items():
        setattr(request, name, told)
    return ConsumerHeartbeat(request, version, "c", "/127.0.0.1", tuple(WIDE))


def enter(member: str, *topics: str, **fields: Any) -> ConsumerHeartbeat:
    names = list(topics or ("wide",))
    given: dict[str, Any] = {"rebalance_timeout_ms": 60_000, "subscribed_topic_names": names}
    return beat(member, 0, [], **(given | fields))


def shares(response: Any) -> list[int] | None:
    assert response.error_code == 0
    if response.assignment is None:
        return None
    return [index for one in response.assignment.topic_partitions for index in one.partitions]


def told(host: Any) -> Any:
    (group,) = host.get(DescribeConsumerGroups(["g"]))
    return group


@pytest.fixture
def wide(make_host: MakeHost) -> Any:
    host = make_host(topics=WIDE)
    host.lead()
    return host


def test_who_joins_alone_gets_everything_with_the_first_answer(wide: Any) -> None:
    response = wide.get(enter("a"))
    assert (response.member_id, response.member_epoch) == ("a", 1)
    assert response.heartbeat_interval_ms == 5_000
    assert shares(response) == [0, 1, 2, 3]
    assert shares(wide.get(beat("a", 1, [0, 1, 2, 3]))) is None, "nothing has changed"
    assert listed(wide) == [("g", "consumer", "Stable", "consumer")]
    group = told(wide)
    assert (group.group_epoch, group.assignment_epoch, group.assignor_name) == (1, 1, "uniform")
    assert group.members[0].assignment.topic_partitions[0].topic_name == "wide"


def test_a_newcomer_gets_what_another_has_given_up(wide: Any) -> None:
    wide.get(enter("a"))
    newcomer = wide.get(enter("b"))
    assert (newcomer.member_epoch, shares(newcomer)) == (2, []), "all of it is in use yet"
    assert listed(wide)[0][2] == "Reconciling"
    revoking = wide.get(beat("a", 1, [0, 1, 2, 3]))
    assert (revoking.member_epoch, len(shares(revoking) or [])) == (1, 2)
    kept = shares(revoking)
    assert shares(wide.get(beat("b", 2, []))) is None
    done = wide.get(beat("a", 1, kept))
    assert done.member_epoch == 2
    theirs = shares(wide.get(beat("b", 2, [])))
    assert sorted((kept or []) + (theirs or [])) == [0, 1, 2, 3]
    assert listed(wide)[0][2] == "Stable"


def test_who_does_not_give_up_in_time_is_fenced(wide: Any) -> None:
    wide.get(enter("a", rebalance_timeout_ms=10_000))
    wide.get(enter("b"))
    wide.get(beat("a", 1, [0, 1, 2, 3]))
    wide.wait(9_999)
    assert wide.get(beat("a", 1, [0, 1, 2, 3])).error_code == 0
    wide.wait(1)
    assert wide.code(beat("a", 1, [0, 1, 2, 3])) == error_codes.UNKNOWN_MEMBER_ID
    assert shares(wide.get(beat("b", 2, []))) == [0, 1, 2, 3]


def test_a_silent_member_is_gone_and_the_others_share(wide: Any) -> None:
    wide.get(enter("a"))
    wide.get(enter("b"))
    wide.wait(40_000)
    wide.get(beat("b", 2, []))
    wide.wait(5_000)
    assert [one.member_id for one in told(wide).members] == ["b"]
    assert shares(wide.get(beat("b", 2, []))) == [0, 1, 2, 3]


def test_leaving_lets_the_others_have_it(wide: Any) -> None:
    wide.get(enter("a"))
    wide.get(enter("b"))
    left = wide.get(beat("a", -1))
    assert (left.member_id, left.member_epoch) == ("a", -1)
    assert shares(wide.get(beat("b", 2, []))) == [0, 1, 2, 3]
    wide.get(beat("b", -1))
    assert listed(wide) == [("g", "consumer", "Empty", "consumer")]
    assert wide.code(beat("b", -1)) == error_codes.UNKNOWN_MEMBER_ID


def test_epochs_must_be_the_members(wide: Any) -> None:
    wide.get(enter("a"))
    assert wide.code(beat("a", 2, [])) == error_codes.FENCED_MEMBER_EPOCH
    wide.get(enter("b"))
    wide.get(beat("a", 1, [0, 1]))
    response = wide.get(beat("a", 1, [0, 1]))
    assert response.member_epoch == 2
    assert wide.get(beat("a", 1, [0, 1])).member_epoch == 2, "the answer may have been lost"
    assert wide.code(beat("a", 1, [0, 1, 2])) == error_codes.FENCED_MEMBER_EPOCH
    assert wide.code(beat("x", 1, [])) == error_codes.UNKNOWN_MEMBER_ID
    again = wide.get(enter("a"))
    assert (again.member_epoch, shares(again)) == (2, [0, 1]), "a fenced member begins anew"


def test_other_topics_raise_the_epoch(wide: Any) -> None:
    wide.get(enter("a"))
    response = wide.get(beat("a", 1, [0, 1, 2, 3], subscribed_topic_names=["wide", METADATA_TOPIC]))
    assert (response.member_epoch, len(shares(response) or [])) == (2, 5)
    response = wide.get(beat("a", 2, subscribed_topic_names=["unknown"]))
    assert response.member_epoch == 2
    assert shares(response) == [], "it is to give up everything first"
    assert wide.get(beat("a", 2, [])).member_epoch == 3


def test_a_pattern_is_matched_by_the_coordinator(wide: Any) -> None:
    names = {"subscribed_topic_names": None}
    response = wide.get(enter("a", subscribed_topic_regex="__cluster.*", **names))
    assert shares(response) == [0]
    assert told(wide).members[0].subscribed_topic_regex == "__cluster.*"
    code = wide.code(enter("b", subscribed_topic_regex="(", **names))
    assert code == error_codes.INVALID_REGULAR_EXPRESSION
    wide.get(beat("a", -1))
    assert {type(one.key).__name__ for one in wide.core.state.records()} == {
        "ConsumerGroupMetadataKey",
        "ConsumerGroupTargetAssignmentMetadataKey",
    }


def test_a_pattern_matches_only_what_its_member_may_know_of(wide: Any) -> None:
    command = enter("a", subscribed_topic_regex=".*", subscribed_topic_names=None)
    hidden = ConsumerHeartbeat(command.request, 1, "c", "/h", ())
    assert shares(wide.get(hidden)) == []


def test_the_assignor_is_what_most_ask_for(wide: Any) -> None:
    for member in ("a", "b"):
        wide.get(enter(member, server_assignor="range"))
    assert told(wide).assignor_name == "range"
    code = wide.code(enter("x", server_assignor="mine"))
    assert code == error_codes.UNSUPPORTED_ASSIGNOR


def test_a_static_member_keeps_its_share_while_it_is_away(wide: Any) -> None:
    wide.get(enter("a", instance_id="i"))
    assert wide.code(enter("b", instance_id="i")) == error_codes.UNRELEASED_INSTANCE_ID
    assert wide.get(beat("a", -2, instance_id="i")).member_epoch == -2
    assert listed(wide)[0][2] == "Stable"
    response = wide.get(enter("b", instance_id="i"))
    assert (response.member_epoch, shares(response)) == (1, [0, 1, 2, 3])
    assert told(wide).group_epoch == 1, "the others did not notice"
    assert wide.code(beat("a", 1, instance_id="i")) == error_codes.FENCED_INSTANCE_ID
    assert [one.member_id for one in told(wide).members] == ["b"]
    wide.get(beat("b", -2, instance_id="i"))
    wide.wait(45_000)
    assert told(wide).members == []


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (enter(""), error_codes.INVALID_REQUEST),
        (enter("a", rebalance_timeout_ms=-1), error_codes.INVALID_REQUEST),
        (enter("a", topic_partitions=None), error_codes.INVALID_REQUEST),
        (enter("a", subscribed_topic_names=None), error_codes.INVALID_REQUEST),
        (enter("a", instance_id=""), error_codes.INVALID_REQUEST),
        (enter("a", group_id=""), error_codes.INVALID_REQUEST),
        (beat("a", -3), error_codes.INVALID_REQUEST),
        (beat("a", -2), error_codes.INVALID_REQUEST),
        (beat("a", 1), error_codes.GROUP_ID_NOT_FOUND),
        (beat("a", -1), error_codes.GROUP_ID_NOT_FOUND),
    ],
)
def test_what_cannot_be_is_refused(wide: Any, command: Any, code: int) -> None:
    assert wide.code(command) == code
    assert listed(wide) == []


def test_previews_of_the_protocol_are_given_their_ids(wide: Any) -> None:
    assert len(wide.get(enter("", version=0)).member_id) == 22


def test_a_group_is_full_at_its_largest_size(make_host: MakeHost) -> None:
    host = make_host(consumer_max_size=1)
    host.lead()
    host.get(enter("a"))
    assert host.code(enter("b")) == error_codes.GROUP_MAX_SIZE_REACHED


def test_offsets_need_the_members_epoch(wide: Any) -> None:
    wide.get(enter("a"))
    assert wide.get(commit(5, "a", 1)).topics[0].partitions[0].error_code == 0
    assert wide.code(commit(5, "a", 2)) == error_codes.STALE_MEMBER_EPOCH
    assert wide.code(commit(5, "x", 1)) == error_codes.UNKNOWN_MEMBER_ID
    assert wide.code(commit(5)) == error_codes.UNKNOWN_MEMBER_ID
    old = CommitOffsets(commit(5, "a", 1).request, 8)
    assert wide.code(old) == error_codes.UNSUPPORTED_VERSION

    def fetched(member: str | None, epoch: int) -> int:
        asked = OffsetFetchRequestGroup("g", member, epoch, topics=None)
        return int(wide.get(FetchOffsets([asked]))[0].error_code)

    assert fetched(None, -1) == fetched("a", 1) == 0
    assert fetched("a", 2) == error_codes.STALE_MEMBER_EPOCH
    assert fetched("x", 1) == error_codes.UNKNOWN_MEMBER_ID


def test_what_is_read_cannot_be_deleted(wide: Any) -> None:
    wide.get(enter("a"))
    topics = [
        OffsetDeleteRequestTopic(name, [OffsetDeleteRequestPartition(0)])
        for name in ("wide", METADATA_TOPIC)
    ]
    answer = wide.get(DeleteOffsets(OffsetDeleteRequest("g", topics)))
    codes = [one.error_code for topic in answer.topics for one in topic.partitions]
    assert codes == [error_codes.GROUP_SUBSCRIBED_TO_TOPIC, 0]
    (row,) = wide.get(DeleteGroups(("g",)))
    assert row.error_code == error_codes.NON_EMPTY_GROUP
    wide.get(beat("a", -1))
    (row,) = wide.get(DeleteGroups(("g",)))
    assert row.error_code == 0
    assert list(wide.core.state.records()) == []


def test_after_a_fail_over_members_go_on_and_sessions_begin_anew(
    wide: Any, make_host: MakeHost
) -> None:
    wide.get(enter("a"))
    wide.wait(44_000)
    other = wide.successor(make_host)
    other.wait(44_000)
    assert other.get(beat("a", 1, [0, 1, 2, 3])).member_epoch == 1
    other.wait(45_000)
    assert listed(other) == [("g", "consumer", "Empty", "consumer")]


def test_an_empty_group_changes_its_protocol_and_keeps_its_offsets(host: Any) -> None:
    (member,) = stable(host)
    host.get(commit(7, member, 1))
    assert host.code(enter("a")) == error_codes.GROUP_ID_NOT_FOUND, "it has a member"
    host.wait(10_000)
    assert state_of(host) == "Empty"
    response = host.get(enter("a", METADATA_TOPIC))
    assert shares(response) == [0]
    assert listed(host) == [("g", "consumer", "Stable", "consumer")]
    refused = host.code(join())
    assert refused == error_codes.INCONSISTENT_GROUP_PROTOCOL
    assert host.code(heartbeat(member, 1)) == error_codes.UNKNOWN_MEMBER_ID
    host.get(beat("a", -1))
    new_id(host)
    assert listed(host) == [("g", "", "Empty", "classic")]
    asked = OffsetFetchRequestGroup("g", topics=None)
    (group,) = host.get(FetchOffsets([asked]))
    assert group.topics[0].partitions[0].committed_offset == 7


def test_an_empty_group_is_forgotten_with_its_last_offset(wide: Any) -> None:
    wide.get(enter("a"))
    wide.get(commit(5, "a", 1))
    wide.get(beat("a", -1))
    wide.wait(604_000_000)
    assert listed(wide) != []
    wide.wait(1_500_000)
    assert list(wide.core.state.records()) == []
