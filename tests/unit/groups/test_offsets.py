"""Offsets of groups: committed, told, deleted, forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.groups.commands import CommitOffsets, DeleteGroups, DeleteOffsets, FetchOffsets
from metaquorum.records.group_record import GroupRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from metaquorum.wire.generated.offset_delete_request import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
)
from metaquorum.wire.generated.offset_fetch_request import (
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)

DAY_MS = 86_400_000


def _commit(group: str, offset: int, text: str = "", **fields: Any) -> CommitOffsets:
    one = OffsetCommitRequestPartition(0, offset, committed_leader_epoch=3, committed_metadata=text)
    topic = OffsetCommitRequestTopic(name="t", partitions=[one])
    return CommitOffsets(OffsetCommitRequest(group_id=group, topics=[topic], **fields), 9)


def _fetch(group: str, *, everything: bool = False) -> FetchOffsets:
    topics = None if everything else [OffsetFetchRequestTopics(name="t", partition_indexes=[0, 1])]
    return FetchOffsets([OffsetFetchRequestGroup(group_id=group, topics=topics)])


def _delete(group: str) -> DeleteOffsets:
    topic = OffsetDeleteRequestTopic("t", [OffsetDeleteRequestPartition(0)])
    return DeleteOffsets(OffsetDeleteRequest(group, [topic]))


def _told(host: Any, group: str) -> list[int]:
    (told,) = host.get(_fetch(group))
    return [one.committed_offset for topic in told.topics for one in topic.partitions]


def _codes(response: Any) -> list[int]:
    return [one.error_code for topic in response.topics for one in topic.partitions]


def test_a_committed_offset_is_read_back_and_others_are_minus_one(host: Any) -> None:
    assert _codes(host.get(_commit("g", 42, "note"))) == [error_codes.NONE]
    (told,) = host.get(_fetch("g"))
    first, second = told.topics[0].partitions
    assert (first.committed_offset, first.committed_leader_epoch, first.metadata) == (42, 3, "note")
    assert (second.committed_offset, second.metadata) == (-1, "")
    (told,) = host.get(_fetch("g", everything=True))
    assert [(one.name, len(one.partitions)) for one in told.topics] == [("t", 1)]
    assert _told(host, "nobody") == [-1, -1]


def test_a_commit_is_answered_and_told_once_it_is_replicated(
    make_host: Callable[..., Any],
) -> None:
    host = make_host(is_prompt=False)
    host.lead()
    commit, fetch = host.ask(_commit("g", 42)), host.ask(_fetch("g"))
    assert host.replies == {}
    host.commit()
    assert set(host.replies) == {commit, fetch}
    assert host.replies[fetch][0].topics[0].partitions[0].committed_offset == 42


def test_a_commit_that_is_not_replicated_in_time_is_to_be_tried_again(
    make_host: Callable[..., Any],
) -> None:
    host = make_host(is_prompt=False)
    host.lead()
    commit = host.ask(_commit("g", 42))
    host.wait(4_999)
    assert host.replies == {}
    host.wait(1)
    assert host.replies[commit].code == error_codes.COORDINATOR_NOT_AVAILABLE


def test_losing_the_leadership_takes_back_what_was_not_replicated(
    make_host: Callable[..., Any],
) -> None:
    host = make_host()
    host.lead()
    host.get(_commit("g", 1))
    host.is_prompt = False
    commit = host.ask(_commit("g", 2))
    host.follow()
    assert host.replies[commit].code == error_codes.NOT_COORDINATOR
    assert host.code(_commit("g", 3)) == error_codes.NOT_COORDINATOR
    host.is_prompt = True
    host.lead()
    assert _told(host, "g") == [1, -1]


def test_the_next_coordinator_has_the_offsets_from_the_log(
    host: Any, make_host: Callable[..., Any]
) -> None:
    host.get(_commit("g", 7))
    assert _told(host.successor(make_host), "g") == [7, -1]


def test_an_append_that_is_refused_is_told(host: Any) -> None:
    host.refuse_with = error_codes.NOT_LEADER_OR_FOLLOWER
    assert host.code(_commit("g", 7)) == error_codes.NOT_COORDINATOR
    host.refuse_with = error_codes.RECORD_LIST_TOO_LARGE
    assert host.code(_commit("g", 7)) == error_codes.UNKNOWN_SERVER_ERROR
    host.refuse_with = None
    assert _told(host, "g") == [-1, -1]


def test_text_beside_an_offset_is_bounded(host: Any) -> None:
    assert _codes(host.get(_commit("g", 1, "ä" * 2_049))) == [error_codes.OFFSET_METADATA_TOO_LARGE]
    assert _told(host, "g") == [-1, -1]
    assert _codes(host.get(_commit("g", 1, "ä" * 2_048))) == [error_codes.NONE]


def test_a_commit_of_a_generation_needs_a_group(host: Any) -> None:
    request = _commit("g", 1, generation_id_or_member_epoch=3, member_id="m")
    assert host.code(request) == error_codes.GROUP_ID_NOT_FOUND
    assert host.code(CommitOffsets(request.request, 8)) == error_codes.ILLEGAL_GENERATION


def test_offsets_and_groups_are_deleted(host: Any) -> None:
    assert host.code(_delete("g")) == error_codes.GROUP_ID_NOT_FOUND
    host.get(_commit("g", 1))
    assert _codes(host.get(_delete("g"))) == [error_codes.NONE]
    assert _told(host, "g") == [-1, -1]
    host.get(_commit("g", 2))
    results = host.get(DeleteGroups(("g", "none")))
    assert [(one.group_id, one.error_code) for one in results] == [
        ("g", error_codes.NONE),
        ("none", error_codes.GROUP_ID_NOT_FOUND),
    ]
    assert host.core.state.group_ids() == []


def test_offsets_that_nobody_renews_are_forgotten_after_a_week(host: Any) -> None:
    host.get(_commit("old", 1))
    host.wait(3 * DAY_MS)
    host.get(_commit("young", 2))
    host.get(_commit("own", 3, retention_time_ms=DAY_MS))
    host.wait(2 * DAY_MS)
    assert host.core.state.group_ids() == ["old", "young"]
    host.wait(2 * DAY_MS + 600_000)
    assert host.core.state.group_ids() == ["young"]


def test_an_offset_may_be_kept_for_as_long_as_there_is_time(host: Any) -> None:
    host.get(_commit("g", 1, retention_time_ms=(1 << 63) - 1))
    (kept,) = host.core.state.rows("g").values()
    assert GroupRecord.decode(*kept.encode()).value.expire_timestamp == (1 << 63) - 1


def test_groups_are_bounded_because_clients_name_them(make_host: Callable[..., Any]) -> None:
    host = make_host(groups_max=2)
    host.lead()
    for name in ("a", "b", "a"):
        host.get(_commit(name, 1))
    assert host.code(_commit("c", 1)) == error_codes.COORDINATOR_NOT_AVAILABLE
