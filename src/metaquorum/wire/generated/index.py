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
    4: Api(4, "LeaderAndIsr", "leader_and_isr_request", "leader_and_isr_response", 0, 7, 4),
    5: Api(5, "StopReplica", "stop_replica_request", "stop_replica_response", 0, 4, 2),
    6: Api(6, "UpdateMetadata", "update_metadata_request", "update_metadata_response", 0, 8, 6),
    7: Api(
        7, "ControlledShutdown", "controlled_shutdown_request", "controlled_shutdown_response", 0,
        3, 3,
    ),
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
    19: Api(19, "CreateTopics", "create_topics_request", "create_topics_response", 0, 7, 5),
    20: Api(20, "DeleteTopics", "delete_topics_request", "delete_topics_response", 0, 6, 4),
    21: Api(21, "DeleteRecords", "delete_records_request", "delete_records_response", 0, 2, 2),
    22: Api(22, "InitProducerId", "init_producer_id_request", "init_producer_id_response", 0, 6, 2),
    23: Api(
        23, "OffsetForLeaderEpoch", "offset_for_leader_epoch_request",
        "offset_for_leader_epoch_response", 0, 4, 4,
    ),
    24: Api(
        24, "AddPartitionsToTxn", "add_partitions_to_txn_request", "add_partitions_to_txn_response",
        0, 5, 3,
    ),
    25: Api(
        25, "AddOffsetsToTxn", "add_offsets_to_txn_request", "add_offsets_to_txn_response", 0, 4, 3,
    ),
    26: Api(26, "EndTxn", "end_txn_request", "end_txn_response", 0, 5, 3),
    27: Api(
        27, "WriteTxnMarkers", "write_txn_markers_request", "write_txn_markers_response", 0, 2, 1,
    ),
    28: Api(
        28, "TxnOffsetCommit", "txn_offset_commit_request", "txn_offset_commit_response", 0, 6, 3,
    ),
    29: Api(29, "DescribeAcls", "describe_acls_request", "describe_acls_response", 0, 3, 2),
    30: Api(30, "CreateAcls", "create_acls_request", "create_acls_response", 0, 3, 2),
    31: Api(31, "DeleteAcls", "delete_acls_request", "delete_acls_response", 0, 3, 2),
    32: Api(
        32, "DescribeConfigs", "describe_configs_request", "describe_configs_response", 0, 4, 4,
    ),
    33: Api(33, "AlterConfigs", "alter_configs_request", "alter_configs_response", 0, 2, 2),
    34: Api(
        34, "AlterReplicaLogDirs", "alter_replica_log_dirs_request",
        "alter_replica_log_dirs_response", 0, 2, 2,
    ),
    35: Api(
        35, "DescribeLogDirs", "describe_log_dirs_request", "describe_log_dirs_response", 0, 5, 2,
    ),
    36: Api(
        36, "SaslAuthenticate", "sasl_authenticate_request", "sasl_authenticate_response", 0, 2, 2,
    ),
    37: Api(
        37, "CreatePartitions", "create_partitions_request", "create_partitions_response", 0, 3, 2,
    ),
    38: Api(
        38, "CreateDelegationToken", "create_delegation_token_request",
        "create_delegation_token_response", 0, 3, 2,
    ),
    39: Api(
        39, "RenewDelegationToken", "renew_delegation_token_request",
        "renew_delegation_token_response", 0, 2, 2,
    ),
    40: Api(
        40, "ExpireDelegationToken", "expire_delegation_token_request",
        "expire_delegation_token_response", 0, 2, 2,
    ),
    41: Api(
        41, "DescribeDelegationToken", "describe_delegation_token_request",
        "describe_delegation_token_response", 0, 3, 2,
    ),
    42: Api(42, "DeleteGroups", "delete_groups_request", "delete_groups_response", 0, 3, 2),
    43: Api(43, "ElectLeaders", "elect_leaders_request", "elect_leaders_response", 0, 2, 2),
    44: Api(
        44, "IncrementalAlterConfigs", "incremental_alter_configs_request",
        "incremental_alter_configs_response", 0, 1, 1,
    ),
    45: Api(
        45, "AlterPartitionReassignments", "alter_partition_reassignments_request",
        "alter_partition_reassignments_response", 0, 1, 0,
    ),
    46: Api(
        46, "ListPartitionReassignments", "list_partition_reassignments_request",
        "list_partition_reassignments_response", 0, 0, 0,
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
    51: Api(
        51, "AlterUserScramCredentials", "alter_user_scram_credentials_request",
        "alter_user_scram_credentials_response", 0, 0, 0,
    ),
    52: Api(52, "Vote", "vote_request", "vote_response", 0, 2, 0),
    53: Api(
        53, "BeginQuorumEpoch", "begin_quorum_epoch_request", "begin_quorum_epoch_response", 0, 1,
        1,
    ),
    54: Api(54, "EndQuorumEpoch", "end_quorum_epoch_request", "end_quorum_epoch_response", 0, 1, 1),
    55: Api(55, "DescribeQuorum", "describe_quorum_request", "describe_quorum_response", 0, 2, 0),
    56: Api(56, "AlterPartition", "alter_partition_request", "alter_partition_response", 0, 3, 0),
    57: Api(57, "UpdateFeatures", "update_features_request", "update_features_response", 0, 2, 0),
    58: Api(58, "Envelope", "envelope_request", "envelope_response", 0, 0, 0),
    59: Api(59, "FetchSnapshot", "fetch_snapshot_request", "fetch_snapshot_response", 0, 1, 0),
    60: Api(
        60, "DescribeCluster", "describe_cluster_request", "describe_cluster_response", 0, 2, 0,
    ),
    61: Api(
        61, "DescribeProducers", "describe_producers_request", "describe_producers_response", 0, 0,
        0,
    ),
    62: Api(
        62, "BrokerRegistration", "broker_registration_request", "broker_registration_response", 0,
        4, 0,
    ),
    63: Api(
        63, "BrokerHeartbeat", "broker_heartbeat_request", "broker_heartbeat_response", 0, 2, 0,
    ),
    64: Api(
        64, "UnregisterBroker", "unregister_broker_request", "unregister_broker_response", 0, 0, 0,
    ),
    65: Api(
        65, "DescribeTransactions", "describe_transactions_request",
        "describe_transactions_response", 0, 0, 0,
    ),
    66: Api(
        66, "ListTransactions", "list_transactions_request", "list_transactions_response", 0, 2, 0,
    ),
    67: Api(
        67, "AllocateProducerIds", "allocate_producer_ids_request",
        "allocate_producer_ids_response", 0, 0, 0,
    ),
    68: Api(
        68, "ConsumerGroupHeartbeat", "consumer_group_heartbeat_request",
        "consumer_group_heartbeat_response", 0, 1, 0,
    ),
    69: Api(
        69, "ConsumerGroupDescribe", "consumer_group_describe_request",
        "consumer_group_describe_response", 0, 1, 0,
    ),
    70: Api(
        70, "ControllerRegistration", "controller_registration_request",
        "controller_registration_response", 0, 0, 0,
    ),
    71: Api(
        71, "GetTelemetrySubscriptions", "get_telemetry_subscriptions_request",
        "get_telemetry_subscriptions_response", 0, 0, 0,
    ),
    72: Api(72, "PushTelemetry", "push_telemetry_request", "push_telemetry_response", 0, 0, 0),
    73: Api(
        73, "AssignReplicasToDirs", "assign_replicas_to_dirs_request",
        "assign_replicas_to_dirs_response", 0, 0, 0,
    ),
    74: Api(
        74, "ListConfigResources", "list_config_resources_request",
        "list_config_resources_response", 0, 1, 0,
    ),
    75: Api(
        75, "DescribeTopicPartitions", "describe_topic_partitions_request",
        "describe_topic_partitions_response", 0, 0, 0,
    ),
    76: Api(
        76, "ShareGroupHeartbeat", "share_group_heartbeat_request",
        "share_group_heartbeat_response", 0, 1, 0,
    ),
    77: Api(
        77, "ShareGroupDescribe", "share_group_describe_request", "share_group_describe_response",
        0, 1, 0,
    ),
    78: Api(78, "ShareFetch", "share_fetch_request", "share_fetch_response", 0, 2, 0),
    79: Api(
        79, "ShareAcknowledge", "share_acknowledge_request", "share_acknowledge_response", 0, 2, 0,
    ),
    80: Api(80, "AddRaftVoter", "add_raft_voter_request", "add_raft_voter_response", 0, 1, 0),
    81: Api(
        81, "RemoveRaftVoter", "remove_raft_voter_request", "remove_raft_voter_response", 0, 0, 0,
    ),
    82: Api(
        82, "UpdateRaftVoter", "update_raft_voter_request", "update_raft_voter_response", 0, 0, 0,
    ),
    83: Api(
        83, "InitializeShareGroupState", "initialize_share_group_state_request",
        "initialize_share_group_state_response", 0, 0, 0,
    ),
    84: Api(
        84, "ReadShareGroupState", "read_share_group_state_request",
        "read_share_group_state_response", 0, 0, 0,
    ),
    85: Api(
        85, "WriteShareGroupState", "write_share_group_state_request",
        "write_share_group_state_response", 0, 1, 0,
    ),
    86: Api(
        86, "DeleteShareGroupState", "delete_share_group_state_request",
        "delete_share_group_state_response", 0, 0, 0,
    ),
    87: Api(
        87, "ReadShareGroupStateSummary", "read_share_group_state_summary_request",
        "read_share_group_state_summary_response", 0, 1, 0,
    ),
    88: Api(
        88, "StreamsGroupHeartbeat", "streams_group_heartbeat_request",
        "streams_group_heartbeat_response", 0, 1, 0,
    ),
    89: Api(
        89, "StreamsGroupDescribe", "streams_group_describe_request",
        "streams_group_describe_response", 0, 1, 0,
    ),
    90: Api(
        90, "DescribeShareGroupOffsets", "describe_share_group_offsets_request",
        "describe_share_group_offsets_response", 0, 1, 0,
    ),
    91: Api(
        91, "AlterShareGroupOffsets", "alter_share_group_offsets_request",
        "alter_share_group_offsets_response", 0, 0, 0,
    ),
    92: Api(
        92, "DeleteShareGroupOffsets", "delete_share_group_offsets_request",
        "delete_share_group_offsets_response", 0, 0, 0,
    ),
    93: Api(
        93, "StreamsGroupTopologyDescriptionUpdate",
        "streams_group_topology_description_update_request",
        "streams_group_topology_description_update_response", 0, 0, 0,
    ),
    94: Api(
        94, "UnregisterController", "unregister_controller_request",
        "unregister_controller_response", 0, 0, 0,
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
