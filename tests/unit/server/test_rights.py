"""Every API asks for Kafka's right, and puts the refusal where its clients look for it."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.state import MetadataState
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.contract.rights import Refusals
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated import fetch_request as fetch
from metaquorum.wire.generated import metadata_request as metadata
from metaquorum.wire.generated.add_raft_voter_request import AddRaftVoterRequest
from metaquorum.wire.generated.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
)
from metaquorum.wire.generated.alter_configs_request import AlterConfigsRequest
from metaquorum.wire.generated.alter_configs_request import AlterConfigsResource as AlteredResource
from metaquorum.wire.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
)
from metaquorum.wire.generated.alter_partition_request import AlterPartitionRequest
from metaquorum.wire.generated.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
    ScramCredentialDeletion,
)
from metaquorum.wire.generated.assign_replicas_to_dirs_request import AssignReplicasToDirsRequest
from metaquorum.wire.generated.begin_quorum_epoch_request import BeginQuorumEpochRequest
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.broker_registration_request import BrokerRegistrationRequest
from metaquorum.wire.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from metaquorum.wire.generated.controller_registration_request import (
    ControllerRegistrationRequest,
)
from metaquorum.wire.generated.create_acls_request import AclCreation, CreateAclsRequest
from metaquorum.wire.generated.delete_acls_request import DeleteAclsFilter, DeleteAclsRequest
from metaquorum.wire.generated.delete_groups_request import DeleteGroupsRequest
from metaquorum.wire.generated.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from metaquorum.wire.generated.describe_acls_request import DescribeAclsRequest
from metaquorum.wire.generated.describe_client_quotas_request import DescribeClientQuotasRequest
from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from metaquorum.wire.generated.describe_groups_request import DescribeGroupsRequest
from metaquorum.wire.generated.describe_quorum_request import DescribeQuorumRequest
from metaquorum.wire.generated.describe_topic_partitions_request import (
    DescribeTopicPartitionsRequest,
    TopicRequest,
)
from metaquorum.wire.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
)
from metaquorum.wire.generated.elect_leaders_request import ElectLeadersRequest
from metaquorum.wire.generated.end_quorum_epoch_request import EndQuorumEpochRequest
from metaquorum.wire.generated.fetch_snapshot_request import FetchSnapshotRequest
from metaquorum.wire.generated.find_coordinator_request import FindCoordinatorRequest
from metaquorum.wire.generated.heartbeat_request import HeartbeatRequest
from metaquorum.wire.generated.incremental_alter_configs_request import (
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from metaquorum.wire.generated.join_group_request import JoinGroupRequest
from metaquorum.wire.generated.leave_group_request import LeaveGroupRequest
from metaquorum.wire.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from metaquorum.wire.generated.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
)
from metaquorum.wire.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from metaquorum.wire.generated.offset_delete_request import OffsetDeleteRequest
from metaquorum.wire.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from metaquorum.wire.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from metaquorum.wire.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from metaquorum.wire.generated.remove_raft_voter_request import RemoveRaftVoterRequest
from metaquorum.wire.generated.sync_group_request import SyncGroupRequest
from metaquorum.wire.generated.unregister_broker_request import UnregisterBrokerRequest
from metaquorum.wire.generated.unregister_controller_request import UnregisterControllerRequest
from metaquorum.wire.generated.update_features_request import UpdateFeaturesRequest
from metaquorum.wire.generated.update_raft_voter_request import UpdateRaftVoterRequest
from metaquorum.wire.generated.vote_request import VoteRequest

TOPIC, GROUP, CLUSTER = ResourceType.TOPIC, ResourceType.GROUP, ResourceType.CLUSTER
NAMES = {TOPIC: METADATA_TOPIC, GROUP: "g", CLUSTER: "kafka-cluster"}
CODES = {
    TOPIC: error_codes.TOPIC_AUTHORIZATION_FAILED,
    GROUP: error_codes.GROUP_AUTHORIZATION_FAILED,
    CLUSTER: error_codes.CLUSTER_AUTHORIZATION_FAILED,
}
NEEDS_NOTHING = {"SaslHandshake", "ApiVersions", "SaslAuthenticate", "ListGroups"}


def any_rule() -> AclCreation:
    return AclCreation(2, "t", 3, "User:a", "*", 3, 3)


def by_name(*, replica_id: int = -1) -> fetch.FetchRequest:
    return fetch.FetchRequest(
        replica_id=replica_id,
        topics=[fetch.FetchTopic(METADATA_TOPIC, partitions=[fetch.FetchPartition(0)])],
    )


# API, request, version, what is to be done, to what kind of resource
ASKED: list[tuple[str, Any, int, Operation, ResourceType]] = [
    (
        "Produce",
        ProduceRequest(
            acks=1, topic_data=[TopicProduceData("t", partition_data=[PartitionProduceData(0)])]
        ),
        9,
        Operation.WRITE,
        TOPIC,
    ),
    ("Fetch", by_name(), 12, Operation.READ, TOPIC),
    ("Fetch", by_name(replica_id=2), 12, Operation.CLUSTER_ACTION, CLUSTER),
    (
        "ListOffsets",
        ListOffsetsRequest(topics=[ListOffsetsTopic(METADATA_TOPIC, [ListOffsetsPartition(0)])]),
        7,
        Operation.DESCRIBE,
        TOPIC,
    ),
    (
        "Metadata",
        metadata.MetadataRequest([metadata.MetadataRequestTopic(name=METADATA_TOPIC)]),
        12,
        Operation.DESCRIBE,
        TOPIC,
    ),
    (
        "OffsetCommit",
        OffsetCommitRequest(
            "g",
            topics=[OffsetCommitRequestTopic("t", partitions=[OffsetCommitRequestPartition(0)])],
        ),
        8,
        Operation.READ,
        GROUP,
    ),
    ("OffsetFetch", OffsetFetchRequest("g"), 7, Operation.DESCRIBE, GROUP),
    (
        "OffsetFetch",
        OffsetFetchRequest(groups=[OffsetFetchRequestGroup("g")]),
        9,
        Operation.DESCRIBE,
        GROUP,
    ),
    ("FindCoordinator", FindCoordinatorRequest("g"), 3, Operation.DESCRIBE, GROUP),
    (
        "FindCoordinator",
        FindCoordinatorRequest(coordinator_keys=["g"]),
        6,
        Operation.DESCRIBE,
        GROUP,
    ),
    ("JoinGroup", JoinGroupRequest("g"), 9, Operation.READ, GROUP),
    ("Heartbeat", HeartbeatRequest("g"), 4, Operation.READ, GROUP),
    ("LeaveGroup", LeaveGroupRequest("g"), 5, Operation.READ, GROUP),
    ("SyncGroup", SyncGroupRequest("g"), 5, Operation.READ, GROUP),
    ("DescribeGroups", DescribeGroupsRequest(["g"]), 6, Operation.DESCRIBE, GROUP),
    (
        "DeleteRecords",
        DeleteRecordsRequest([DeleteRecordsTopic(METADATA_TOPIC, [DeleteRecordsPartition(0)])]),
        2,
        Operation.DELETE,
        TOPIC,
    ),
    (
        "OffsetForLeaderEpoch",
        OffsetForLeaderEpochRequest(
            topics=[OffsetForLeaderTopic(METADATA_TOPIC, [OffsetForLeaderPartition(0)])]
        ),
        4,
        Operation.DESCRIBE,
        TOPIC,
    ),
    (
        "DescribeAcls",
        DescribeAclsRequest(1, None, 1, None, None, 1, 1),
        3,
        Operation.DESCRIBE,
        CLUSTER,
    ),
    ("CreateAcls", CreateAclsRequest([any_rule()]), 3, Operation.ALTER, CLUSTER),
    ("DeleteAcls", DeleteAclsRequest([DeleteAclsFilter(1)]), 3, Operation.ALTER, CLUSTER),
    (
        "DescribeConfigs",
        DescribeConfigsRequest([DescribeConfigsResource(2, METADATA_TOPIC)]),
        4,
        Operation.DESCRIBE_CONFIGS,
        TOPIC,
    ),
    (
        "DescribeConfigs",
        DescribeConfigsRequest([DescribeConfigsResource(4, "1")]),
        4,
        Operation.DESCRIBE_CONFIGS,
        CLUSTER,
    ),
    (
        "DescribeConfigs",
        DescribeConfigsRequest([DescribeConfigsResource(32, "g")]),
        4,
        Operation.DESCRIBE_CONFIGS,
        GROUP,
    ),
    (
        "AlterConfigs",
        AlterConfigsRequest([AlteredResource(4, "1")]),
        2,
        Operation.ALTER_CONFIGS,
        CLUSTER,
    ),
    (
        "IncrementalAlterConfigs",
        IncrementalAlterConfigsRequest([AlterConfigsResource(2, METADATA_TOPIC)]),
        1,
        Operation.ALTER_CONFIGS,
        TOPIC,
    ),
    ("DeleteGroups", DeleteGroupsRequest(["g"]), 2, Operation.DELETE, GROUP),
    ("OffsetDelete", OffsetDeleteRequest("g"), 0, Operation.DELETE, GROUP),
    (
        "DescribeClientQuotas",
        DescribeClientQuotasRequest(),
        1,
        Operation.DESCRIBE_CONFIGS,
        CLUSTER,
    ),
    (
        "AlterClientQuotas",
        AlterClientQuotasRequest([EntryData([EntityData("user", "a")])]),
        1,
        Operation.ALTER_CONFIGS,
        CLUSTER,
    ),
    (
        "DescribeUserScramCredentials",
        DescribeUserScramCredentialsRequest(),
        0,
        Operation.DESCRIBE,
        CLUSTER,
    ),
    (
        "AlterUserScramCredentials",
        AlterUserScramCredentialsRequest([ScramCredentialDeletion("a", 1)]),
        0,
        Operation.ALTER,
        CLUSTER,
    ),
    ("ElectLeaders", ElectLeadersRequest(), 2, Operation.ALTER, CLUSTER),
    (
        "AlterPartitionReassignments",
        AlterPartitionReassignmentsRequest(),
        1,
        Operation.ALTER,
        CLUSTER,
    ),
    (
        "ListPartitionReassignments",
        ListPartitionReassignmentsRequest(),
        0,
        Operation.DESCRIBE,
        CLUSTER,
    ),
    ("AlterPartition", AlterPartitionRequest(), 3, Operation.CLUSTER_ACTION, CLUSTER),
    ("AssignReplicasToDirs", AssignReplicasToDirsRequest(), 0, Operation.CLUSTER_ACTION, CLUSTER),
    ("Vote", VoteRequest(), 2, Operation.CLUSTER_ACTION, CLUSTER),
    ("BeginQuorumEpoch", BeginQuorumEpochRequest(), 1, Operation.CLUSTER_ACTION, CLUSTER),
    ("EndQuorumEpoch", EndQuorumEpochRequest(), 1, Operation.CLUSTER_ACTION, CLUSTER),
    ("DescribeQuorum", DescribeQuorumRequest(), 2, Operation.DESCRIBE, CLUSTER),
    ("UpdateFeatures", UpdateFeaturesRequest(), 2, Operation.ALTER, CLUSTER),
    ("FetchSnapshot", FetchSnapshotRequest(), 1, Operation.CLUSTER_ACTION, CLUSTER),
    ("DescribeCluster", DescribeClusterRequest(endpoint_type=2), 1, Operation.ALTER, CLUSTER),
    ("ConsumerGroupHeartbeat", ConsumerGroupHeartbeatRequest("g"), 1, Operation.READ, GROUP),
    ("ConsumerGroupDescribe", ConsumerGroupDescribeRequest(["g"]), 1, Operation.DESCRIBE, GROUP),
    (
        "ControllerRegistration",
        ControllerRegistrationRequest(),
        0,
        Operation.CLUSTER_ACTION,
        CLUSTER,
    ),
    (
        "DescribeTopicPartitions",
        DescribeTopicPartitionsRequest([TopicRequest(METADATA_TOPIC)]),
        0,
        Operation.DESCRIBE,
        TOPIC,
    ),
    ("AddRaftVoter", AddRaftVoterRequest(), 1, Operation.ALTER, CLUSTER),
    ("RemoveRaftVoter", RemoveRaftVoterRequest(), 0, Operation.ALTER, CLUSTER),
    ("UpdateRaftVoter", UpdateRaftVoterRequest(), 0, Operation.CLUSTER_ACTION, CLUSTER),
    ("UnregisterController", UnregisterControllerRequest(), 0, Operation.ALTER, CLUSTER),
    ("BrokerRegistration", BrokerRegistrationRequest(), 4, Operation.CLUSTER_ACTION, CLUSTER),
    ("BrokerHeartbeat", BrokerHeartbeatRequest(), 2, Operation.CLUSTER_ACTION, CLUSTER),
    ("UnregisterBroker", UnregisterBrokerRequest(), 0, Operation.ALTER, CLUSTER),
]
each_api = pytest.mark.parametrize(
    ("name", "request_", "version", "operation", "kind"),
    ASKED,
    ids=[f"{one[0]}-{one[3].name}-{one[4].name}" for one in ASKED],
)


class Without:
    """Allows everything but one right, and notes what was asked for."""

    is_on = True

    def __init__(self, operation: Operation | None, kind: ResourceType | None) -> None:
        self.denied = operation, kind
        self.asked: list[tuple[Operation, int, str]] = []

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        self.asked.append((operation, resource_type, name))
        return (operation, resource_type) != self.denied


class AllBut(Without):
    """As Without; a replica's right, which stands in for others, is not there either."""

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        allowed = super().allows(principal, host, operation, resource_type, name)
        return allowed and operation is not Operation.CLUSTER_ACTION


def client(authoriser: Without) -> tuple[PipelineClient, list[str]]:
    services = services_with_eight_records(state=MetadataState().committed())
    made, lines = PipelineClient(services), []
    made.pipeline.authoriser = authoriser
    made.pipeline.refusals = Refusals(NoteGate(lines.append, services.clock))
    return made, lines


def codes_in(answer: Any) -> list[int]:
    found = []
    for slot in answer.__slots__:
        value = getattr(answer, slot)
        if slot == "error_code":
            found.append(value)
        for item in value if isinstance(value, list | tuple) else [value]:
            if hasattr(item, "__slots__"):
                found += codes_in(item)
    return found


@each_api
def test_an_unauthorised_request_gets_its_code_a_log_line_and_a_count(
    name: str, request_: Any, version: int, operation: Operation, kind: ResourceType
) -> None:
    asker, lines = client(AllBut(operation, kind))
    exchange = asker.send(request_, version)
    asker.services.watermark.expire(10_000)
    assert CODES[kind] in codes_in(exchange.response)
    assert set(codes_in(exchange.response)) <= {0, CODES[kind]}
    assert asker.services.asked == []
    assert asker.pipeline.refusals.count == len(lines) == 1
    (line,) = lines
    for part in (name, "User:ANONYMOUS", "127.0.0.1:5000", operation.name, kind.name):
        assert part in line


@each_api
def test_with_its_right_an_api_is_not_refused(
    name: str, request_: Any, version: int, operation: Operation, kind: ResourceType
) -> None:
    is_replicas = operation is Operation.CLUSTER_ACTION
    asker, lines = client((Without if is_replicas else AllBut)(None, None))
    exchange = asker.send(request_, version)
    assert lines == []
    asked = asker.pipeline.authoriser.asked  # type: ignore[attr-defined]
    assert any(one[:2] == (operation, kind) for one in asked)
    assert all(one[2] in (NAMES[one[1]], "t") for one in asked)
    served = exchange.delivered is not None or asker.services.asked or exchange.parked is not None
    assert served


def test_every_api_is_in_the_table() -> None:
    assert {one[0] for one in ASKED} | NEEDS_NOTHING == {api_row.name for api_row in API_ROWS}


def test_an_undescribable_topic_is_not_listed_and_its_id_is_unknown() -> None:
    asker, lines = client(AllBut(Operation.DESCRIBE, TOPIC))
    assert asker.ask(metadata.MetadataRequest(None), 12).topics == []
    assert lines == []
    by_id = metadata.MetadataRequestTopic(METADATA_TOPIC_ID, None)
    (row,) = asker.ask(metadata.MetadataRequest([by_id]), 12).topics
    assert (row.error_code, row.name) == (error_codes.UNKNOWN_TOPIC_ID, None)
    assert asker.ask(DescribeTopicPartitionsRequest(), 0).topics == []


def test_an_undescribable_topic_name_does_not_reveal_its_existence() -> None:
    asker, _ = client(AllBut(Operation.DESCRIBE, TOPIC))
    wanted = [metadata.MetadataRequestTopic(name=one) for one in ("none", METADATA_TOPIC)]
    rows = asker.ask(metadata.MetadataRequest(wanted), 12).topics
    assert [row.error_code for row in rows] == [error_codes.TOPIC_AUTHORIZATION_FAILED] * 2
    assert [bytes(row.topic_id) for row in rows] == [bytes(16)] * 2
    assert [row.partitions for row in rows] == [[], []]


def test_the_operations_that_are_told_are_those_that_are_allowed() -> None:
    wanted = metadata.MetadataRequest(
        [metadata.MetadataRequestTopic(name=METADATA_TOPIC)],
        include_topic_authorized_operations=True,
        include_cluster_authorized_operations=True,
    )
    asker, lines = client(Without(Operation.READ, TOPIC))
    answer = asker.ask(wanted, 10)
    assert answer.topics[0].topic_authorized_operations == 1 << 8 | 1 << 10
    asker, lines = client(Without(Operation.DESCRIBE, CLUSTER))
    assert asker.ask(wanted, 10).cluster_authorized_operations == 0
    assert lines == []


def test_epochs_are_told_to_replicas_without_a_right_to_the_topic() -> None:
    request = OffsetForLeaderEpochRequest(
        topics=[OffsetForLeaderTopic(METADATA_TOPIC, [OffsetForLeaderPartition(0, 3, 3)])]
    )
    asker, lines = client(Without(Operation.DESCRIBE, TOPIC))
    (topic,) = asker.ask(request, 4).topics
    assert topic.partitions[0].error_code == 0
    assert lines == []


def test_brokers_are_described_to_everybody() -> None:
    asker, _ = client(AllBut(Operation.ALTER, CLUSTER))
    assert asker.ask(DescribeClusterRequest(), 1).error_code == 0


def test_access_rules_without_an_authoriser_are_security_disabled() -> None:
    asker = PipelineClient(services_with_eight_records(state=MetadataState().committed()))
    described = asker.ask(DescribeAclsRequest(1, None, 1, None, None, 1, 1), 3)
    assert described.error_code == error_codes.SECURITY_DISABLED
    made = asker.ask(CreateAclsRequest([any_rule(), any_rule()]), 3)
    assert [row.error_code for row in made.results] == [error_codes.SECURITY_DISABLED] * 2
    gone = asker.ask(DeleteAclsRequest([DeleteAclsFilter(1)]), 3)
    assert [row.error_code for row in gone.filter_results] == [error_codes.SECURITY_DISABLED]
    assert asker.services.asked == []


def test_a_flood_of_refusals_is_counted_and_only_begun_to_be_told() -> None:
    asker, lines = client(AllBut(Operation.DESCRIBE, TOPIC))
    for _ in range(100):
        asker.ask(metadata.MetadataRequest([metadata.MetadataRequestTopic(name="x" * 9_000)]), 12)
    assert asker.pipeline.refusals.count == 100
    assert 0 < len(lines) < 20
    assert max(map(len, lines)) <= 1_000


def test_a_refused_producer_with_acks_0_has_its_connection_closed() -> None:
    asker, _ = client(AllBut(Operation.WRITE, TOPIC))
    with pytest.raises(PeerError):
        asker.send(ProduceRequest(acks=0), 9)
