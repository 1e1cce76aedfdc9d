"""The group APIs while there are no groups: true, final, and harmless to those who only assign."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.config.listeners import HostPort
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import (
    consumer_group_describe_request,
    consumer_group_heartbeat_request,
    delete_groups_request,
    describe_groups_request,
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

REFUSED, NO_MEMBER, NO_GROUP = 30, 25, 69


def ask(message, version, services=None):
    return PipelineClient(services or services_with_eight_records()).ask(message, version)


def find(version, key_type=0, services=None):
    codec = find_coordinator_request
    if version < 4:
        message = codec.FindCoordinatorRequest(key="g", key_type=key_type)
    else:
        message = codec.FindCoordinatorRequest(key_type=key_type, coordinator_keys=["g", "h"])
    return ask(message, version, services)


@pytest.mark.parametrize("version", range(4))
def test_this_node_coordinates_every_group_where_metadata_lists_it(version):
    services = services_with_eight_records(places={"CONTROLLER": {1: HostPort("here", 9999)}})
    response = find(version, services=services)
    told = (response.error_code, response.node_id, response.host, response.port)
    assert told == (0, 1, "here", 9999)


@pytest.mark.parametrize("version", range(4, 7))
def test_it_coordinates_several_groups_at_once(version):
    rows = [(row.key, row.error_code, row.node_id) for row in find(version).coordinators]
    assert rows == [("g", 0, 1), ("h", 0, 1)]


@pytest.mark.parametrize(("key_type", "code"), [(1, 53), (2, 30), (3, 42), (-1, 42)])
def test_what_is_not_a_group_has_no_coordinator_for_good(key_type, code):
    for version in range(1, 4):
        assert find(version, key_type).error_code == code
    for version in range(4, 7):
        assert {row.error_code for row in find(version, key_type).coordinators} == {code}


def test_a_node_unreachable_on_this_listener_is_no_coordinator_there():
    services = services_with_eight_records(places={"CONTROLLER": {2: HostPort("there", 1)}})
    assert find(2, services=services).error_code == 15


@pytest.mark.parametrize("version", range(10))
@pytest.mark.parametrize("member_id", ["", "known"])
def test_join_group_is_refused_at_once_with_an_error_clients_report(version, member_id):
    message = join_group_request.JoinGroupRequest(
        group_id="g", member_id=member_id, protocol_type="consumer"
    )
    response = ask(message, version)
    assert (response.error_code, response.generation_id) == (REFUSED, -1)
    assert response.protocol_name == (None if version >= 7 else "")
    assert (response.leader, response.member_id, list(response.members)) == ("", member_id, [])


@pytest.mark.parametrize("version", range(2))
def test_subscribers_of_the_new_protocol_are_refused_with_a_sentence(version):
    message = consumer_group_heartbeat_request.ConsumerGroupHeartbeatRequest(group_id="g")
    response = ask(message, version)
    assert response.error_code == REFUSED
    assert "assign" in response.error_message
    assert (response.member_epoch, response.assignment) == (0, None)


@pytest.mark.parametrize("version", range(8))
def test_no_offset_was_committed_and_that_is_no_error(version):
    codec = offset_fetch_request
    topic = codec.OffsetFetchRequestTopic(METADATA_TOPIC, [0, 1])
    response = ask(codec.OffsetFetchRequest(group_id="g", topics=[topic]), version)
    rows = response.topics[0].partitions
    assert [(r.partition_index, r.committed_offset, r.error_code) for r in rows] == [
        (0, -1, 0),
        (1, -1, 0),
    ]
    assert [row.metadata for row in rows] == ["", ""]
    assert response.error_code == 0


@pytest.mark.parametrize("version", range(8, 11))
def test_no_offset_was_committed_in_any_of_several_groups(version):
    codec = offset_fetch_request
    topic = codec.OffsetFetchRequestTopics(
        name=METADATA_TOPIC if version < 10 else "",
        topic_id=METADATA_TOPIC_ID if version >= 10 else bytes(16),
        partition_indexes=[0],
    )
    groups = [codec.OffsetFetchRequestGroup("g", topics=[topic])]
    groups.append(codec.OffsetFetchRequestGroup("all", topics=None))
    response = ask(codec.OffsetFetchRequest(groups=groups), version)
    first, every = response.groups
    assert (first.group_id, first.error_code) == ("g", 0)
    assert first.topics[0].partitions[0].committed_offset == -1
    assert (first.topics[0].name, bytes(first.topics[0].topic_id)) == (topic.name, topic.topic_id)
    assert (every.group_id, every.error_code, list(every.topics)) == ("all", 0, [])


def test_all_offsets_of_a_group_are_none():
    message = offset_fetch_request.OffsetFetchRequest(group_id="g", topics=None)
    assert list(ask(message, 5).topics) == []


@pytest.mark.parametrize("version", range(11))
def test_a_commit_is_refused_because_it_could_not_be_read_back(version):
    codec = offset_commit_request
    topic = codec.OffsetCommitRequestTopic(
        name=METADATA_TOPIC if version < 10 else "",
        topic_id=METADATA_TOPIC_ID if version >= 10 else bytes(16),
        partitions=[codec.OffsetCommitRequestPartition(0, 5)],
    )
    response = ask(codec.OffsetCommitRequest(group_id="g", topics=[topic]), version)
    (row,) = response.topics[0].partitions
    assert (row.partition_index, row.error_code) == (0, REFUSED)


@pytest.mark.parametrize("version", range(5))
def test_a_heartbeat_comes_from_nobody(version):
    message = heartbeat_request.HeartbeatRequest("g", 1, "m")
    assert ask(message, version).error_code == NO_MEMBER


@pytest.mark.parametrize("version", range(6))
def test_nobody_is_assigned_anything(version):
    message = sync_group_request.SyncGroupRequest("g", 1, "m")
    response = ask(message, version)
    assert (response.error_code, bytes(response.assignment)) == (NO_MEMBER, b"")


@pytest.mark.parametrize("version", range(6))
def test_nobody_can_leave(version):
    codec = leave_group_request
    if version < 3:
        assert ask(codec.LeaveGroupRequest("g", "m"), version).error_code == NO_MEMBER
        return
    members = [codec.MemberIdentity("m"), codec.MemberIdentity("n", "static")]
    response = ask(codec.LeaveGroupRequest("g", members=members), version)
    assert response.error_code == 0
    assert [(m.member_id, m.group_instance_id, m.error_code) for m in response.members] == [
        ("m", None, NO_MEMBER),
        ("n", "static", NO_MEMBER),
    ]


@pytest.mark.parametrize("version", range(6))
def test_there_are_no_groups_to_list(version):
    response = ask(list_groups_request.ListGroupsRequest(), version)
    assert (response.error_code, list(response.groups)) == (0, [])


@pytest.mark.parametrize(
    ("version", "code", "state"), [*((v, 0, "Dead") for v in range(6)), (6, 69, "Dead")]
)
def test_a_group_that_is_not_there_is_described_as_kafka_does(version, code, state):
    message = describe_groups_request.DescribeGroupsRequest(["g"])
    (group,) = ask(message, version).groups
    assert (group.group_id, group.error_code, group.group_state) == ("g", code, state)


@pytest.mark.parametrize("version", range(2))
def test_tools_hear_that_a_group_is_not_one_of_the_new_protocol(version):
    message = consumer_group_describe_request.ConsumerGroupDescribeRequest(["g"])
    (group,) = ask(message, version).groups
    assert (group.group_id, group.error_code) == ("g", NO_GROUP)


@pytest.mark.parametrize("version", range(4))
def test_a_group_that_is_not_there_cannot_be_deleted(version):
    (row,) = ask(delete_groups_request.DeleteGroupsRequest(["g"]), version).results
    assert (row.group_id, row.error_code) == ("g", NO_GROUP)


def test_nor_can_its_offsets():
    assert ask(offset_delete_request.OffsetDeleteRequest("g"), 0).error_code == NO_GROUP


def test_a_stopping_node_sends_offset_requests_to_another_coordinator():
    client = PipelineClient(services_with_eight_records())
    client.pipeline.stopping = True
    codec = offset_fetch_request
    topic = codec.OffsetFetchRequestTopic(METADATA_TOPIC, [0])
    one = codec.OffsetFetchRequest(group_id="g", topics=[topic])
    assert client.ask(one, 1).topics[0].partitions[0].error_code == 15
    response = client.ask(one, 7)
    assert (response.error_code, list(response.topics)) == (15, [])
    many = codec.OffsetFetchRequest(groups=[codec.OffsetFetchRequestGroup("g", topics=None)])
    assert client.ask(many, 9).groups[0].error_code == 15
