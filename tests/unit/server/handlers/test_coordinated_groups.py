"""The group APIs on a node that keeps groups: rights, names and versions around the coordinator."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.config.listeners import HostPort
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.local_groups import LocalGroups
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import (
    delete_groups_request,
    describe_groups_request,
    error_codes,
    find_coordinator_request,
    heartbeat_request,
    join_group_request,
    leave_group_request,
    list_groups_request,
    offset_commit_request,
    offset_delete_request,
    offset_fetch_request,
    sync_group_request,
)

NO_TOPIC = error_codes.UNKNOWN_TOPIC_OR_PARTITION
NOT_ALLOWED = error_codes.TOPIC_AUTHORIZATION_FAILED


class Refusing:
    """An authoriser that refuses some names."""

    is_on = True

    def __init__(self, *refused: str) -> None:
        self.refused = refused

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        return name not in self.refused and resource_type != ResourceType.CLUSTER


@pytest.fixture
def services() -> FakeServices:
    made = services_with_eight_records()
    made.groups = LocalGroups(made.clock)
    return made


@pytest.fixture
def client(services: FakeServices) -> PipelineClient:
    return PipelineClient(services)


def commit(client: PipelineClient, version: int, *names: str, group: str = "g") -> list[list[int]]:
    codec = offset_commit_request
    topics = []
    for name in names or (METADATA_TOPIC,):
        is_id = version >= 10
        topic_id = METADATA_TOPIC_ID if name == METADATA_TOPIC else b"x" * 16
        rows = [codec.OffsetCommitRequestPartition(index, 5 + index) for index in (0, 1)]
        topics.append(
            codec.OffsetCommitRequestTopic(
                "" if is_id else name, topic_id if is_id else ZERO_UUID, rows
            )
        )
    response = client.ask(codec.OffsetCommitRequest(group, topics=topics), version)
    return [[one.error_code for one in topic.partitions] for topic in response.topics]


def fetch(client: PipelineClient, version: int, *groups: str, everything: bool = False) -> Any:
    codec = offset_fetch_request
    if version < 8:
        topic = codec.OffsetFetchRequestTopic(METADATA_TOPIC, [0])
        return client.ask(
            codec.OffsetFetchRequest(groups[0], None if everything else [topic]), version
        )
    name, topic_id = (METADATA_TOPIC, ZERO_UUID) if version < 10 else ("", METADATA_TOPIC_ID)
    topics = None if everything else [codec.OffsetFetchRequestTopics(name, topic_id, [0])]
    asked = [codec.OffsetFetchRequestGroup(group, topics=topics) for group in groups]
    return client.ask(codec.OffsetFetchRequest(groups=asked), version)


def offset(topics: Any) -> int:
    return int(topics[0].partitions[0].committed_offset)


@pytest.mark.parametrize("version", range(11))
def test_a_commit_is_kept_for_partitions_that_exist(client: PipelineClient, version: int) -> None:
    unknown = error_codes.UNKNOWN_TOPIC_ID if version >= 10 else NO_TOPIC
    assert commit(client, version, METADATA_TOPIC, "t") == [[0, NO_TOPIC], [unknown, unknown]]
    assert offset(fetch(client, 5, "g").topics) == 5


@pytest.mark.parametrize("version", range(11))
@pytest.mark.parametrize("everything", [False, True])
def test_offsets_are_told_in_every_version(
    client: PipelineClient, version: int, everything: bool
) -> None:
    commit(client, 9)
    if everything and version < 2:
        return
    response = fetch(client, version, "g", everything=everything)
    if version < 8:
        assert offset(response.topics) == 5
        return
    (group,) = response.groups
    assert offset(group.topics) == 5
    assert group.topics[0].name == (METADATA_TOPIC if version < 10 else "")
    assert bytes(group.topics[0].topic_id) == (METADATA_TOPIC_ID if version == 10 else ZERO_UUID)


def test_several_groups_are_returned_in_the_order_of_the_request(
    client: PipelineClient,
) -> None:
    commit(client, 9, group="h")
    response = fetch(client, 8, "g", "h")
    assert [(one.group_id, offset(one.topics)) for one in response.groups] == [("g", -1), ("h", 5)]


def test_an_unknown_topic_id_is_told(client: PipelineClient) -> None:
    codec = offset_fetch_request
    topics = [codec.OffsetFetchRequestTopics("", b"x" * 16, [0])]
    asked = codec.OffsetFetchRequest(groups=[codec.OffsetFetchRequestGroup("g", topics=topics)])
    (group,) = client.ask(asked, 10).groups
    assert group.topics[0].partitions[0].error_code == error_codes.UNKNOWN_TOPIC_ID


def test_without_topic_read_access_offsets_stay_hidden_and_unchanged(
    client: PipelineClient,
) -> None:
    commit(client, 9)
    client.pipeline.authoriser = Refusing(METADATA_TOPIC)
    assert commit(client, 9) == [[NOT_ALLOWED, NOT_ALLOWED]]
    (row,) = fetch(client, 5, "g").topics[0].partitions
    assert (row.committed_offset, row.error_code) == (-1, NOT_ALLOWED)
    assert list(fetch(client, 5, "g", everything=True).topics) == []
    codec = offset_delete_request
    topic = codec.OffsetDeleteRequestTopic(METADATA_TOPIC, [codec.OffsetDeleteRequestPartition(0)])
    deleted = client.ask(codec.OffsetDeleteRequest("g", [topic]), 0)
    assert deleted.topics[0].partitions[0].error_code == NOT_ALLOWED


def test_who_may_not_know_of_a_group_learns_nothing_of_it(client: PipelineClient) -> None:
    commit(client, 9, group="g")
    commit(client, 9, group="secret")
    client.pipeline.authoriser = Refusing("secret")
    refused = error_codes.GROUP_AUTHORIZATION_FAILED
    rows = client.ask(list_groups_request.ListGroupsRequest(), 5).groups
    assert [(one.group_id, one.group_state, one.group_type) for one in rows] == [
        ("g", "Empty", "classic")
    ]
    first, second = fetch(client, 9, "secret", "g").groups
    assert (first.error_code, list(first.topics), offset(second.topics)) == (refused, [], 5)
    assert fetch(client, 5, "secret").error_code == refused
    told = client.ask(describe_groups_request.DescribeGroupsRequest(["secret", "g"], True), 6)
    rows = [(one.group_id, one.error_code, one.group_state) for one in told.groups]
    assert rows == [("secret", refused, ""), ("g", 0, "Empty")]
    deleted = client.ask(delete_groups_request.DeleteGroupsRequest(["g", "secret"]), 2)
    assert [(one.group_id, one.error_code) for one in deleted.results] == [
        ("secret", refused),
        ("g", 0),
    ]


def test_operations_on_a_group_are_told_if_asked_for(client: PipelineClient) -> None:
    commit(client, 9)
    (group,) = client.ask(describe_groups_request.DescribeGroupsRequest(["g"], True), 5).groups
    assert group.authorized_operations == 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11
    (group,) = client.ask(describe_groups_request.DescribeGroupsRequest(["g"], False), 5).groups
    assert group.authorized_operations == -(1 << 31)


@pytest.mark.parametrize("version", range(10))
def test_a_member_joins_syncs_beats_and_leaves_in_every_version(
    services: FakeServices, client: PipelineClient, version: int
) -> None:
    groups: Any = services.groups
    protocol = join_group_request.JoinGroupRequestProtocol("range", b"m")
    asked = join_group_request.JoinGroupRequest("g", 10_000, 30_000, "", None, "consumer")
    asked.protocols = [protocol]
    if version >= 4:
        told = client.ask(asked, version)
        assert told.error_code == error_codes.MEMBER_ID_REQUIRED
        asked.member_id = told.member_id
    waiting = client.send(asked, version)
    services.clock.now += 3_000  # type: ignore[attr-defined]
    groups.pass_time()
    joined = waiting.response
    assert (joined.error_code, joined.generation_id, joined.protocol_name) == (0, 1, "range")
    member = joined.member_id
    assert member.startswith("test-")
    codec = sync_group_request
    sync = codec.SyncGroupRequest("g", 1, member, None)
    if version >= 5:
        sync.protocol_type, sync.protocol_name = "consumer", "range"
    sync.assignments = [codec.SyncGroupRequestAssignment(member, b"all")]
    answer = client.ask(sync, min(version, 5))
    assert (answer.error_code, bytes(answer.assignment)) == (0, b"all")
    beat = heartbeat_request.HeartbeatRequest("g", 1, member)
    assert client.ask(beat, min(version, 4)).error_code == 0
    left = leave_group_request
    leave = left.LeaveGroupRequest("g", member)
    if version >= 3:
        leave = left.LeaveGroupRequest("g", members=[left.MemberIdentity(member)])
    assert client.ask(leave, min(version, 5)).error_code == 0
    assert client.ask(beat, min(version, 4)).error_code == error_codes.UNKNOWN_MEMBER_ID


def test_from_version_5_on_a_sync_tells_its_protocol(client: PipelineClient) -> None:
    sync = sync_group_request.SyncGroupRequest("g", 1, "m")
    assert client.ask(sync, 5).error_code == error_codes.INCONSISTENT_GROUP_PROTOCOL
    assert client.ask(sync, 4).error_code == error_codes.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize("version", range(7))
def test_the_coordinator_is_found_where_clients_reach_it(
    services: FakeServices, version: int
) -> None:
    groups: Any = services.groups
    groups.coordinator = 2
    services.places = {"CONTROLLER": {1: HostPort("here", 1), 2: HostPort("there", 2)}}
    codec = find_coordinator_request
    asked = codec.FindCoordinatorRequest("g", coordinator_keys=["g"] if version >= 4 else [])
    if version >= 4:
        asked.key = ""
    told = PipelineClient(services).ask(asked, version)
    found = told.coordinators[0] if version >= 4 else told
    assert (found.node_id, found.host, found.error_code) == (2, "there", 0)
    for missing in (None, 3):
        groups.coordinator = missing
        told = PipelineClient(services).ask(asked, version)
        found = told.coordinators[0] if version >= 4 else told
        assert found.error_code == error_codes.COORDINATOR_NOT_AVAILABLE
