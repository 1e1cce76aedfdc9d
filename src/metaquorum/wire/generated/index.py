# GENERATED from schemas/ by `make generate`: edit the schemas, not this file.
"""Which messages there are: APIs by key, metadata records by type. Codecs load on first use."""

from __future__ import annotations

from metaquorum.wire.registry import Api, Codec, RecordType, load_codec

# key, name, request module, response module, lowest, highest, flexible from
APIS: dict[int, Api] = {
    0: Api(0, "Produce", "produce_request", "produce_response", 0, 13, 9),
    1: Api(1, "Fetch", "fetch_request", "fetch_response", 0, 18, 12),
    2: Api(2, "ListOffsets", "list_offsets_request", "list_offsets_response", 0, 11, 6),
    3: Api(3, "Metadata", "metadata_request", "metadata_response", 0, 13, 9),
    8: Api(8, "OffsetCommit", "offset_commit_request", "offset_commit_response", 0, 10, 8),
    9: Api(9, "OffsetFetch", "offset_fetch_request", "offset_fetch_response", 0, 10, 6),
    10: Api(
        10, "FindCoordinator", "find_coordinator_request", "find_coordinator_response", 0, 6, 3,
    ),
    11: Api(11, "JoinGroup", "join_group_request", "join_group_response", 0, 9, 6),
    12: Api(12, "Heartbeat", "heartbeat_request", "heartbeat_response", 0, 4, 4),
    13: Api(13, "LeaveGroup", "leave_group_request", "leave_group_response", 0, 5, 4),
    14: Api(14, "SyncGroup", "sync_group_request", "sync_group_response", 0, 5, 4),
    15: Api(15, "DescribeGroups", "describe_groups_request", "describe_groups_response", 0, 6, 5),
    16: Api(16, "ListGroups", "list_groups_request", "list_groups_response", 0, 5, 3),
    17: Api(17, "SaslHandshake", "sasl_handshake_request", "sasl_handshake_response", 0, 1, None),
    18: Api(18, "ApiVersions", "api_versions_request", "api_versions_response", 0, 5, 3),
    23: Api(
        23, "OffsetForLeaderEpoch", "offset_for_leader_epoch_request",
        "offset_for_leader_epoch_response", 0, 4, 4,
    ),
    32: Api(
        32, "DescribeConfigs", "describe_configs_request", "describe_configs_response", 0, 4, 4,
    ),
    33: Api(33, "AlterConfigs", "alter_configs_request", "alter_configs_response", 0, 2, 2),
    35: Api(
        35, "DescribeLogDirs", "describe_log_dirs_request", "describe_log_dirs_response", 0, 5, 2,
    ),
    36: Api(
        36, "SaslAuthenticate", "sasl_authenticate_request", "sasl_authenticate_response", 0, 2, 2,
    ),
    42: Api(42, "DeleteGroups", "delete_groups_request", "delete_groups_response", 0, 3, 2),
    44: Api(
        44, "IncrementalAlterConfigs", "incremental_alter_configs_request",
        "incremental_alter_configs_response", 0, 1, 1,
    ),
    47: Api(47, "OffsetDelete", "offset_delete_request", "offset_delete_response", 0, 0, None),
    48: Api(
        48, "DescribeClientQuotas", "describe_client_quotas_request",
        "describe_client_quotas_response", 0, 1, 1,
    ),
    49: Api(
        49, "AlterClientQuotas", "alter_client_quotas_request", "alter_client_quotas_response", 0,
        1, 1,
    ),
    50: Api(
        50, "DescribeUserScramCredentials", "describe_user_scram_credentials_request",
        "describe_user_scram_credentials_response", 0, 0, 0,
    ),
    52: Api(52, "Vote", "vote_request", "vote_response", 0, 2, 0),
    53: Api(
        53, "BeginQuorumEpoch", "begin_quorum_epoch_request", "begin_quorum_epoch_response", 0, 1,
        1,
    ),
    54: Api(54, "EndQuorumEpoch", "end_quorum_epoch_request", "end_quorum_epoch_response", 0, 1, 1),
    55: Api(55, "DescribeQuorum", "describe_quorum_request", "describe_quorum_response", 0, 2, 0),
    57: Api(57, "UpdateFeatures", "update_features_request", "update_features_response", 0, 2, 0),
    59: Api(59, "FetchSnapshot", "fetch_snapshot_request", "fetch_snapshot_response", 0, 1, 0),
    60: Api(
        60, "DescribeCluster", "describe_cluster_request", "describe_cluster_response", 0, 2, 0,
    ),
    61: Api(
        61, "DescribeProducers", "describe_producers_request", "describe_producers_response", 0, 0,
        0,
    ),
    66: Api(
        66, "ListTransactions", "list_transactions_request", "list_transactions_response", 0, 2, 0,
    ),
    68: Api(
        68, "ConsumerGroupHeartbeat", "consumer_group_heartbeat_request",
        "consumer_group_heartbeat_response", 0, 1, 0,
    ),
    69: Api(
        69, "ConsumerGroupDescribe", "consumer_group_describe_request",
        "consumer_group_describe_response", 0, 1, 0,
    ),
    74: Api(
        74, "ListConfigResources", "list_config_resources_request",
        "list_config_resources_response", 0, 1, 0,
    ),
    75: Api(
        75, "DescribeTopicPartitions", "describe_topic_partitions_request",
        "describe_topic_partitions_response", 0, 0, 0,
    ),
    80: Api(80, "AddRaftVoter", "add_raft_voter_request", "add_raft_voter_response", 0, 1, 0),
    81: Api(
        81, "RemoveRaftVoter", "remove_raft_voter_request", "remove_raft_voter_response", 0, 0, 0,
    ),
    82: Api(
        82, "UpdateRaftVoter", "update_raft_voter_request", "update_raft_voter_response", 0, 0, 0,
    ),
}

# type, name, module, lowest, highest, flexible from
RECORDS: dict[int, RecordType] = {
    0: RecordType(0, "RegisterBrokerRecord", "records.register_broker_record", 0, 4, 0),
    1: RecordType(1, "UnregisterBrokerRecord", "records.unregister_broker_record", 0, 0, 0),
    2: RecordType(2, "TopicRecord", "records.topic_record", 0, 0, 0),
    3: RecordType(3, "PartitionRecord", "records.partition_record", 0, 2, 0),
    4: RecordType(4, "ConfigRecord", "records.config_record", 0, 0, 0),
    5: RecordType(5, "PartitionChangeRecord", "records.partition_change_record", 0, 2, 0),
    7: RecordType(7, "FenceBrokerRecord", "records.fence_broker_record", 0, 0, 0),
    8: RecordType(8, "UnfenceBrokerRecord", "records.unfence_broker_record", 0, 0, 0),
    9: RecordType(9, "RemoveTopicRecord", "records.remove_topic_record", 0, 0, 0),
    10: RecordType(10, "DelegationTokenRecord", "records.delegation_token_record", 0, 0, 0),
    11: RecordType(
        11, "UserScramCredentialRecord", "records.user_scram_credential_record", 0, 0, 0,
    ),
    12: RecordType(12, "FeatureLevelRecord", "records.feature_level_record", 0, 0, 0),
    14: RecordType(14, "ClientQuotaRecord", "records.client_quota_record", 0, 0, 0),
    15: RecordType(15, "ProducerIdsRecord", "records.producer_ids_record", 0, 0, 0),
    17: RecordType(
        17, "BrokerRegistrationChangeRecord", "records.broker_registration_change_record", 0, 3, 0,
    ),
    18: RecordType(18, "AccessControlEntryRecord", "records.access_control_entry_record", 0, 0, 0),
    19: RecordType(
        19, "RemoveAccessControlEntryRecord", "records.remove_access_control_entry_record", 0, 0, 0,
    ),
    20: RecordType(20, "NoOpRecord", "records.no_op_record", 0, 0, 0),
    21: RecordType(21, "ZkMigrationStateRecord", "records.zk_migration_state_record", 0, 0, 0),
    22: RecordType(
        22, "RemoveUserScramCredentialRecord", "records.remove_user_scram_credential_record", 0, 0,
        0,
    ),
    23: RecordType(23, "BeginTransactionRecord", "records.begin_transaction_record", 0, 0, 0),
    24: RecordType(24, "EndTransactionRecord", "records.end_transaction_record", 0, 0, 0),
    25: RecordType(25, "AbortTransactionRecord", "records.abort_transaction_record", 0, 0, 0),
    26: RecordType(
        26, "RemoveDelegationTokenRecord", "records.remove_delegation_token_record", 0, 0, 0,
    ),
    27: RecordType(27, "RegisterControllerRecord", "records.register_controller_record", 0, 0, 0),
    28: RecordType(28, "ClearElrRecord", "records.clear_elr_record", 0, 0, 0),
    29: RecordType(
        29, "UnregisterControllerRecord", "records.unregister_controller_record", 0, 0, 0,
    ),
}


def request_codec(key: int) -> Codec:
    """The module of the requests of this API; KeyError if there is none."""
    return load_codec(APIS[key].request_module)


def response_codec(key: int) -> Codec:
    """The module of the responses of this API; KeyError if there is none."""
    return load_codec(APIS[key].response_module)


def record_codec(type_id: int) -> Codec:
    """The module of the metadata records of this type; KeyError if there is none."""
    return load_codec(RECORDS[type_id].module)
