# GENERATED from schemas/ by `make generate`: edit the schemas, not this file.
"""Every record type of the metadata log with its fields, as columns are made of them."""

from __future__ import annotations

from typing import Final

from pyspark_metaquorum.record_type import Part, RecordType

# Metadata records by their type.
METADATA: Final[dict[int, RecordType]] = {
    0: RecordType(
        0, "RegisterBrokerRecord", "records.register_broker_record",
        (
            Part("broker_id", "int32"),
            Part("is_migrating_zk_broker", "bool"),
            Part("incarnation_id", "uuid"),
            Part("broker_epoch", "int64"),
            Part(
                "end_points", "struct", True,
                (
                    Part("name", "string"),
                    Part("host", "string"),
                    Part("port", "uint16"),
                    Part("security_protocol", "int16"),
                ),
            ),
            Part(
                "features", "struct", True,
                (
                    Part("name", "string"),
                    Part("min_supported_version", "int16"),
                    Part("max_supported_version", "int16"),
                ),
            ),
            Part("rack", "string"),
            Part("fenced", "bool"),
            Part("in_controlled_shutdown", "bool"),
            Part("log_dirs", "uuid", True),
            Part("cordoned_log_dirs", "uuid", True),
        ),
    ),
    1: RecordType(
        1, "UnregisterBrokerRecord", "records.unregister_broker_record",
        (
            Part("broker_id", "int32"),
            Part("broker_epoch", "int64"),
        ),
    ),
    2: RecordType(
        2, "TopicRecord", "records.topic_record",
        (
            Part("name", "string"),
            Part("topic_id", "uuid"),
        ),
    ),
    3: RecordType(
        3, "PartitionRecord", "records.partition_record",
        (
            Part("partition_id", "int32"),
            Part("topic_id", "uuid"),
            Part("replicas", "int32", True),
            Part("isr", "int32", True),
            Part("removing_replicas", "int32", True),
            Part("adding_replicas", "int32", True),
            Part("leader", "int32"),
            Part("leader_recovery_state", "int8"),
            Part("leader_epoch", "int32"),
            Part("partition_epoch", "int32"),
            Part("directories", "uuid", True),
            Part("eligible_leader_replicas", "int32", True),
            Part("last_known_elr", "int32", True),
        ),
    ),
    4: RecordType(
        4, "ConfigRecord", "records.config_record",
        (
            Part("resource_type", "int8"),
            Part("resource_name", "string"),
            Part("name", "string"),
            Part("value", "string"),
        ),
    ),
    5: RecordType(
        5, "PartitionChangeRecord", "records.partition_change_record",
        (
            Part("partition_id", "int32"),
            Part("topic_id", "uuid"),
            Part("isr", "int32", True),
            Part("leader", "int32"),
            Part("replicas", "int32", True),
            Part("removing_replicas", "int32", True),
            Part("adding_replicas", "int32", True),
            Part("leader_recovery_state", "int8"),
            Part("directories", "uuid", True),
            Part("eligible_leader_replicas", "int32", True),
            Part("last_known_elr", "int32", True),
        ),
    ),
    7: RecordType(
        7, "FenceBrokerRecord", "records.fence_broker_record",
        (
            Part("id", "int32"),
            Part("epoch", "int64"),
        ),
    ),
    8: RecordType(
        8, "UnfenceBrokerRecord", "records.unfence_broker_record",
        (
            Part("id", "int32"),
            Part("epoch", "int64"),
        ),
    ),
    9: RecordType(
        9, "RemoveTopicRecord", "records.remove_topic_record",
        (
            Part("topic_id", "uuid"),
        ),
    ),
    10: RecordType(
        10, "DelegationTokenRecord", "records.delegation_token_record",
        (
            Part("owner", "string"),
            Part("requester", "string"),
            Part("renewers", "string", True),
            Part("issue_timestamp", "int64"),
            Part("max_timestamp", "int64"),
            Part("expiration_timestamp", "int64"),
            Part("token_id", "string"),
        ),
    ),
    11: RecordType(
        11, "UserScramCredentialRecord", "records.user_scram_credential_record",
        (
            Part("name", "string"),
            Part("mechanism", "int8"),
            Part("salt", "bytes"),
            Part("stored_key", "bytes"),
            Part("server_key", "bytes"),
            Part("iterations", "int32"),
        ),
    ),
    12: RecordType(
        12, "FeatureLevelRecord", "records.feature_level_record",
        (
            Part("name", "string"),
            Part("feature_level", "int16"),
        ),
    ),
    14: RecordType(
        14, "ClientQuotaRecord", "records.client_quota_record",
        (
            Part(
                "entity", "struct", True,
                (
                    Part("entity_type", "string"),
                    Part("entity_name", "string"),
                ),
            ),
            Part("key", "string"),
            Part("value", "float64"),
            Part("remove", "bool"),
        ),
    ),
    15: RecordType(
        15, "ProducerIdsRecord", "records.producer_ids_record",
        (
            Part("broker_id", "int32"),
            Part("broker_epoch", "int64"),
            Part("next_producer_id", "int64"),
        ),
    ),
    17: RecordType(
        17, "BrokerRegistrationChangeRecord", "records.broker_registration_change_record",
        (
            Part("broker_id", "int32"),
            Part("broker_epoch", "int64"),
            Part("fenced", "int8"),
            Part("in_controlled_shutdown", "int8"),
            Part("log_dirs", "uuid", True),
            Part("cordoned_log_dirs", "uuid", True),
        ),
    ),
    18: RecordType(
        18, "AccessControlEntryRecord", "records.access_control_entry_record",
        (
            Part("id", "uuid"),
            Part("resource_type", "int8"),
            Part("resource_name", "string"),
            Part("pattern_type", "int8"),
            Part("principal", "string"),
            Part("host", "string"),
            Part("operation", "int8"),
            Part("permission_type", "int8"),
        ),
    ),
    19: RecordType(
        19, "RemoveAccessControlEntryRecord", "records.remove_access_control_entry_record",
        (
            Part("id", "uuid"),
        ),
    ),
    20: RecordType(
        20, "NoOpRecord", "records.no_op_record",
        (
        ),
    ),
    21: RecordType(
        21, "ZkMigrationStateRecord", "records.zk_migration_state_record",
        (
            Part("zk_migration_state", "int8"),
        ),
    ),
    22: RecordType(
        22, "RemoveUserScramCredentialRecord", "records.remove_user_scram_credential_record",
        (
            Part("name", "string"),
            Part("mechanism", "int8"),
        ),
    ),
    23: RecordType(
        23, "BeginTransactionRecord", "records.begin_transaction_record",
        (
            Part("name", "string"),
        ),
    ),
    24: RecordType(
        24, "EndTransactionRecord", "records.end_transaction_record",
        (
        ),
    ),
    25: RecordType(
        25, "AbortTransactionRecord", "records.abort_transaction_record",
        (
            Part("reason", "string"),
        ),
    ),
    26: RecordType(
        26, "RemoveDelegationTokenRecord", "records.remove_delegation_token_record",
        (
            Part("token_id", "string"),
        ),
    ),
    27: RecordType(
        27, "RegisterControllerRecord", "records.register_controller_record",
        (
            Part("controller_id", "int32"),
            Part("incarnation_id", "uuid"),
            Part("zk_migration_ready", "bool"),
            Part(
                "end_points", "struct", True,
                (
                    Part("name", "string"),
                    Part("host", "string"),
                    Part("port", "uint16"),
                    Part("security_protocol", "int16"),
                ),
            ),
            Part(
                "features", "struct", True,
                (
                    Part("name", "string"),
                    Part("min_supported_version", "int16"),
                    Part("max_supported_version", "int16"),
                ),
            ),
        ),
    ),
    28: RecordType(
        28, "ClearElrRecord", "records.clear_elr_record",
        (
            Part("topic_name", "string"),
        ),
    ),
    29: RecordType(
        29, "UnregisterControllerRecord", "records.unregister_controller_record",
        (
            Part("controller_id", "int32"),
        ),
    ),
}

# Control records by the type in their key.
CONTROLS: Final[dict[int, RecordType]] = {
    2: RecordType(
        2, "LeaderChangeMessage", "leader_change_message",
        (
            Part("version", "int16"),
            Part("leader_id", "int32"),
            Part(
                "voters", "struct", True,
                (
                    Part("voter_id", "int32"),
                    Part("voter_directory_id", "uuid"),
                ),
            ),
            Part(
                "granting_voters", "struct", True,
                (
                    Part("voter_id", "int32"),
                    Part("voter_directory_id", "uuid"),
                ),
            ),
        ),
    ),
    3: RecordType(
        3, "SnapshotHeaderRecord", "snapshot_header_record",
        (
            Part("version", "int16"),
            Part("last_contained_log_timestamp", "int64"),
        ),
    ),
    4: RecordType(
        4, "SnapshotFooterRecord", "snapshot_footer_record",
        (
            Part("version", "int16"),
        ),
    ),
    5: RecordType(
        5, "KRaftVersionRecord", "kraft_version_record",
        (
            Part("version", "int16"),
            Part("kraft_version", "int16"),
        ),
    ),
    6: RecordType(
        6, "VotersRecord", "voters_record",
        (
            Part("version", "int16"),
            Part(
                "voters", "struct", True,
                (
                    Part("voter_id", "int32"),
                    Part("voter_directory_id", "uuid"),
                    Part(
                        "endpoints", "struct", True,
                        (
                            Part("name", "string"),
                            Part("host", "string"),
                            Part("port", "uint16"),
                        ),
                    ),
                    Part(
                        "kraft_version_feature", "struct", False,
                        (
                            Part("min_supported_version", "int16"),
                            Part("max_supported_version", "int16"),
                        ),
                    ),
                ),
            ),
        ),
    ),
}
