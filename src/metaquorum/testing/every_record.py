"""A log of metadata records in which every type of Kafka's occurs and everything leaves a trace.

For tests of snapshots: what is in a state after it, and how each thing is written at a level of
metadata.version, is compared between two states of ours, and with the real Kafka's.
"""

from __future__ import annotations

from typing import Any

from metaquorum.metadata import versions
from metaquorum.metadata.state import MetadataState
from metaquorum.records.metadata_record import (
    MetadataRecord,
    decode_metadata_record,
    encode_metadata_record,
)
from metaquorum.wire.generated.index import RECORDS, record_codec

_TYPES = {record.name: record.type for record in RECORDS.values()}


def made(name: str, version: int = 0, /, **fields: Any) -> MetadataRecord:
    """A record as it comes out of a log: encoded and decoded at ``version``.

    Lists of structs are given as tuples of the struct's name and its fields.
    """
    type = _TYPES[name + "Record"]
    codec = record_codec(type)
    fields = {key: _structs(codec, value) for key, value in fields.items()}
    message = getattr(codec, codec.NAME)(**fields)
    return decode_metadata_record(encode_metadata_record(type, message, version))


def _structs(codec: Any, value: Any) -> Any:
    if isinstance(value, list):
        return [
            getattr(codec, one[0])(*one[1:])
            if isinstance(one, tuple) and isinstance(one[0], str) and hasattr(codec, one[0])
            else one
            for one in value
        ]
    return value


def uuid(text: str) -> bytes:
    """Sixteen bytes that are easy to know again."""
    return text.encode().ljust(16, b"#")


def every_record(level: int) -> list[MetadataRecord]:
    """The records of a log at this level of metadata.version, in an order that can be replayed."""
    return [
        made("FeatureLevel", name="metadata.version", feature_level=level),
        *([made("NoOp")] if level >= versions.NO_OP_FROM else []),
        *_features(level),
        *_nodes(level),
        *_topics(level),
        *_settings(level),
        *_security(level),
        *_in_transactions(level),
    ]


def every_state(level: int) -> MetadataState:
    """The committed state after those records, a batch each."""
    state = MetadataState()
    for offset, record in enumerate(every_record(level)):
        state.replay(record, offset, 3, 1_700_000_000_000 + offset)
        state.close_batch()
    state.commit(state.end_offset)
    return state


def _features(level: int) -> list[MetadataRecord]:
    records = [made("ZkMigrationState", zk_migration_state=0)] if level >= 8 else []
    if level >= versions.ELR_FROM:
        records += [
            made("FeatureLevel", name="transaction.version", feature_level=2),
            made("FeatureLevel", name="group.version", feature_level=1),
            made("FeatureLevel", name="eligible.leader.replicas.version", feature_level=1),
            made("FeatureLevel", name="share.version", feature_level=1),
            made("FeatureLevel", name="share.version", feature_level=0),
        ]
    return records


def _nodes(level: int) -> list[MetadataRecord]:
    records = [_broker(level, number, rack) for number, rack in ((1, "r1"), (2, None), (3, "r3"))]
    records += [
        made("BrokerRegistrationChange", broker_id=1, broker_epoch=101, fenced=-1),
        made("BrokerRegistrationChange", 1, broker_id=2, broker_epoch=102, in_controlled_shutdown=1)
        if level >= 7
        else made("UnfenceBroker", id=2, epoch=102),
        made("UnregisterBroker", broker_id=3, broker_epoch=103),
        made("FenceBroker", id=1, epoch=101),
        made("UnfenceBroker", id=1, epoch=101),
    ]
    if level >= 30:
        records.append(
            made(
                "BrokerRegistrationChange",
                3,
                broker_id=1,
                broker_epoch=101,
                cordoned_log_dirs=[uuid("dir 1b")],
            )
        )
    if level >= versions.CONTROLLER_REGISTRATION_FROM:
        records += [_controller(number) for number in (3001, 3002)]
    if level >= versions.UNREGISTER_CONTROLLER_FROM:
        records += [_controller(3003), made("UnregisterController", controller_id=3003)]
    return records


def _broker(level: int, number: int, rack: str | None) -> MetadataRecord:
    directories = [uuid(f"dir {number}a"), uuid(f"dir {number}b")]
    return made(
        "RegisterBroker",
        versions.register_broker_version(level),
        broker_id=number,
        broker_epoch=100 + number,
        incarnation_id=uuid(f"life {number}"),
        end_points=[
            ("BrokerEndpoint", "PLAINTEXT", f"host{number}", 9092, 0),
            ("BrokerEndpoint", "TLS", f"host{number}", 9093, 1),
        ],
        features=[
            ("BrokerFeature", "metadata.version", 7, level),
            ("BrokerFeature", "group.version", 0, 1),
        ],
        rack=rack,
        fenced=True,
        **({"log_dirs": directories} if level >= versions.DIRECTORIES_FROM else {}),
    )


def _controller(number: int) -> MetadataRecord:
    return made(
        "RegisterController",
        controller_id=number,
        incarnation_id=uuid(f"life {number}"),
        zk_migration_ready=False,
        end_points=[("ControllerEndpoint", "CONTROLLER", f"quorum{number}", 9093, 0)],
        features=[("ControllerFeature", "metadata.version", 7, 30)],
    )


def _topics(level: int) -> list[MetadataRecord]:
    version = versions.partition_version(level)
    records = []
    for name, count in (("alpha", 3), ("beta", 1), ("gone", 2), ("empty", 0)):
        records.append(made("Topic", name=name, topic_id=uuid(name)))
        records += [_partition(version, name, number) for number in range(count)]
    change = {"topic_id": uuid("alpha"), "partition_id": 0}
    records += [
        made("PartitionChange", **change, isr=[1], leader=1),
        made("PartitionChange", **change, leader=-1, leader_recovery_state=1),
        made(
            "PartitionChange",
            topic_id=uuid("alpha"),
            partition_id=1,
            adding_replicas=[7] if version >= 1 else [3],
            removing_replicas=[2],
            replicas=[1, 2, 7] if version >= 1 else [1, 2, 3],
        ),
        made("RemoveTopic", topic_id=uuid("gone")),
    ]
    if version >= 1:
        given = [uuid("dir 1b"), uuid("dir 2b"), bytes(15) + b"\x01"]
        records.append(made("PartitionChange", 1, **change, directories=given))
    if version >= 2:
        ranks = {"eligible_leader_replicas": [2], "last_known_elr": [3]}
        records += [
            made("PartitionChange", 2, topic_id=uuid("beta"), partition_id=0, **ranks),
            made("PartitionChange", 2, topic_id=uuid("alpha"), partition_id=2, **ranks),
            made("ClearElr", topic_name="beta"),
        ]
    return records


def _partition(version: int, topic: str, number: int) -> MetadataRecord:
    directories = [uuid("dir 1a"), uuid("dir 2a"), uuid("dir 3a")]
    return made(
        "Partition",
        version,
        partition_id=number,
        topic_id=uuid(topic),
        replicas=[1, 2, 3],
        isr=[1, 2],
        leader=2,
        leader_epoch=4 + number,
        partition_epoch=9,
        **({"directories": directories} if version >= 1 else {}),
    )


def _settings(level: int) -> list[MetadataRecord]:
    quota = [("EntityData", "user", "ann"), ("EntityData", "client-id", None)]
    records = [
        made("Config", resource_type=2, resource_name="alpha", name="retention.ms", value="1"),
        made("Config", resource_type=2, resource_name="alpha", name="segment.bytes", value="1048"),
        made("Config", resource_type=2, resource_name="alpha", name="retention.ms", value=None),
        made("Config", resource_type=2, resource_name="gone", name="retention.ms", value="7"),
        made("Config", resource_type=2, resource_name="gone", name="retention.ms", value=None),
        made("Config", resource_type=4, resource_name="", name="log.retention.ms", value="5"),
        made("Config", resource_type=4, resource_name="1", name="num.io.threads", value="9"),
        made("ClientQuota", entity=quota, key="producer_byte_rate", value=1024.5),
        made("ClientQuota", entity=quota, key="consumer_byte_rate", value=2048.0),
        made("ClientQuota", entity=quota, key="consumer_byte_rate", remove=True),
        made("ClientQuota", entity=[("EntityData", "ip", "10.0.0.1")], key="x_rate", value=3.0),
        made("ProducerIds", broker_id=1, broker_epoch=101, next_producer_id=2000),
    ]
    if level >= 22:
        records += [
            made("Config", resource_type=16, resource_name="sub", name="interval.ms", value="100"),
            made(
                "Config",
                resource_type=32,
                resource_name="group",
                name="consumer.session.timeout.ms",
                value="45000",
            ),
        ]
    return records


def _security(level: int) -> list[MetadataRecord]:
    records = [_rule(1), _rule(2), made("RemoveAccessControlEntry", id=uuid("rule 2"))]
    if level >= 11:
        for name, mechanism in (("ann", 1), ("ann", 2), ("bob", 1)):
            records.append(
                made(
                    "UserScramCredential",
                    name=name,
                    mechanism=mechanism,
                    salt=b"salt",
                    stored_key=b"s" * (32 * mechanism),
                    server_key=b"k" * (32 * mechanism),
                    iterations=8192,
                )
            )
        records.append(made("RemoveUserScramCredential", name="bob", mechanism=1))
    if level >= 14:
        for token in ("token 1", "token 2"):
            records.append(
                made(
                    "DelegationToken",
                    owner="User:ann",
                    requester="User:bob",
                    renewers=["User:cid", "User:dan"],
                    issue_timestamp=1,
                    max_timestamp=3,
                    expiration_timestamp=2,
                    token_id=token,
                )
            )
        records.append(made("RemoveDelegationToken", token_id="token 2"))
    return records


def _rule(number: int) -> MetadataRecord:
    return made(
        "AccessControlEntry",
        id=uuid(f"rule {number}"),
        resource_type=2,
        resource_name="alpha",
        pattern_type=4,
        principal="User:ann",
        host="*",
        operation=3,
        permission_type=1,
    )


def _in_transactions(level: int) -> list[MetadataRecord]:
    if level < versions.TRANSACTIONS_FROM:
        return []
    return [
        made("BeginTransaction", name="kept"),
        made("Topic", name="delta", topic_id=uuid("delta")),
        made("EndTransaction"),
        made("BeginTransaction", name="taken back"),
        made("Topic", name="never", topic_id=uuid("never")),
        made("AbortTransaction", reason="a test"),
    ]
