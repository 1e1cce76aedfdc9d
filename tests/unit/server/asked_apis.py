"""A request of every API, the right that it needs, and on what kind of resource."""

from __future__ import annotations

from typing import Any

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated import fetch_request as fetch
from metaquorum.wire.generated import metadata_request as metadata
from metaquorum.wire.generated.add_raft_voter_request import AddRaftVoterRequest
from metaquorum.wire.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
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
from metaquorum.wire.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from metaquorum.wire.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from metaquorum.wire.generated.delete_acls_request import DeleteAclsFilter, DeleteAclsRequest
from metaquorum.wire.generated.delete_groups_request import DeleteGroupsRequest
from metaquorum.wire.generated.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from metaquorum.wire.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
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
from metaquorum.wire.generated.envelope_request import EnvelopeRequest
from metaquorum.wire.generated.fetch_snapshot_request import FetchSnapshotRequest
from metaquorum.wire.generated.find_coordinator_request import FindCoordinatorRequest
from metaquorum.wire.generated.heartbeat_request import HeartbeatRequest
from metaquorum.wire.generated.incremental_alter_configs_request import (
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from metaquorum.wire.generated.join_group_request import JoinGroupRequest
from metaquorum.wire.generated.leave_group_request import LeaveGroupRequest
from metaquorum.wire.generated.list_config_resources_request import ListConfigResourcesRequest
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
# Rights on tokens and their owners: tests/unit/server/handlers/test_delegation_tokens.py.
OF_TOKENS = {
    *("CreateDelegationToken", "RenewDelegationToken"),
    *("ExpireDelegationToken", "DescribeDelegationToken"),
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
    (
        "CreateTopics",
        CreateTopicsRequest([CreatableTopic("t", 1, 1)], 1_000),
        7,
        Operation.CREATE,
        TOPIC,
    ),
    (
        "DeleteTopics",
        DeleteTopicsRequest([DeleteTopicState("t")], timeout_ms=1_000),
        6,
        Operation.DELETE,
        TOPIC,
    ),
    (
        "CreatePartitions",
        CreatePartitionsRequest([CreatePartitionsTopic("t", 2, None)], 1_000),
        3,
        Operation.ALTER,
        TOPIC,
    ),
    (
        "AllocateProducerIds",
        AllocateProducerIdsRequest(),
        0,
        Operation.CLUSTER_ACTION,
        CLUSTER,
    ),
    ("Envelope", EnvelopeRequest(), 0, Operation.CLUSTER_ACTION, CLUSTER),
    (
        "ListConfigResources",
        ListConfigResourcesRequest(),
        1,
        Operation.DESCRIBE_CONFIGS,
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
