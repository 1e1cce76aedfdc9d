"""A checkpoint and a log that hold metadata records of every type, and Kafka's words on them.

``tests/unit/cli/data/metadata`` keeps what Kafka's shell printed of both; the interop tests
compare that with the Kafka of the day.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.wire.generated.index import RECORDS, record_codec

TOLD: Final = Path(__file__).parent / "unit/cli/data/metadata"
CHECKPOINT_NAME: Final = "00000000000000000900-0000000003.checkpoint"
LOG_NAME: Final = "00000000000000000000.log"
START_MS: Final = 1_700_000_000_000

COMMANDS: Final = tuple(
    line.split(" ")
    for line in """ls
ls /
ls /image /local
ls image
ls /image/nothing
ls /image/topics/byName/alpha/name
ls /image/topics/byName/alpha/name /image/acls /nothing
ls /image/topics/byName/*
ls /image/topics/byName/a*/name
ls /image/topics/by{Name,Id}
ls /image/{acls,configs} /image/{a,b}cls
ls /image/scram/SCRAM-SHA-51?
ls /image/nothing*
ls /image/features /image/features
ls /image/features/m* /image/features
ls /image/../local
ls //image///features/
ls ..
ls /image/con[f]igs
cat /image
cat /image/nothing
cat /image/topics/byName/*/name
cat /image/topics/byName/alpha/name
cat /image/provenance /image/nothing /image /image/features/metadataVersion
find /image/features
find /image/features/metadataVersion
find /image/nothing
find /image/topics
find /image/topics/byName/*/name
find /image/acls /image/scram
tree /image/features
tree /image/features/metadataVersion
tree /image/nothing
tree /image/features /image/producerIds
tree image/features/../cluster""".splitlines()
)

_TYPES = {record.name: record.type for record in RECORDS.values()}
_A, _B, _C = bytes(range(1, 17)), b"\xfb" * 16, bytes([7]) * 16
_DIR = [bytes([number]) * 16 for number in range(10)]
_LOST, _UNASSIGNED = bytes(15) + b"\2", bytes(15) + b"\1"


def value(record: str, version: int = 0, /, **fields: Any) -> bytes:
    """A record's value, framed; nested rows are pairs of the class's name and its fields."""
    kind = _TYPES[record + "Record"]
    module = record_codec(kind)

    def made(one: Any) -> Any:
        if isinstance(one, tuple):
            return getattr(module, one[0])(*one[1:])
        return [made(row) for row in one] if isinstance(one, list) else one

    message = getattr(module, record + "Record")(
        **{name: made(one) for name, one in fields.items()}
    )
    return encode_metadata_record(kind, message, version)


def config(kind: int, resource: str, name: str, setting: str | None) -> bytes:
    """A Config record."""
    return value("Config", resource_type=kind, resource_name=resource, name=name, value=setting)


def quota(
    entity: list[tuple[str, str | None]], key: str, rate: float, *, remove: bool = False
) -> bytes:
    """A ClientQuota record."""
    rows = [("EntityData", kind, name) for kind, name in entity]
    return value("ClientQuota", entity=rows, key=key, value=rate, remove=remove)


def partition(number: int, **fields: Any) -> bytes:
    """A Partition record of topic alpha, every field in use."""
    given: dict[str, Any] = {
        "partition_id": number,
        "topic_id": _A,
        "replicas": [1, 2, 3],
        "isr": [2, 1],
        "removing_replicas": [1],
        "adding_replicas": [3, 2],
        "leader": 2,
        "leader_recovery_state": number % 2,
        "leader_epoch": 4,
        "partition_epoch": 9,
        "directories": [_DIR[1], _UNASSIGNED, _LOST],
        "eligible_leader_replicas": [3],
        "last_known_elr": [1, 3],
    }
    return value("Partition", 2, **{**given, **fields})


def broker(broker_id: int, epoch: int, **fields: Any) -> bytes:
    """A RegisterBroker record."""
    return value("RegisterBroker", 4, broker_id=broker_id, broker_epoch=epoch, **fields)


def rule(
    rule_id: bytes, kind: int, name: str, pattern: int, operation: int, permission: int
) -> bytes:
    """An AccessControlEntry record."""
    return value(
        "AccessControlEntry",
        id=rule_id,
        resource_type=kind,
        resource_name=name,
        pattern_type=pattern,
        principal="User:y",
        host="*",
        operation=operation,
        permission_type=permission,
    )


def feature(name: str, level: int) -> bytes:
    """A FeatureLevel record."""
    return value("FeatureLevel", name=name, feature_level=level)


NODES: Final = [
    broker(
        10,
        5,
        incarnation_id=_A,
        end_points=[
            ("BrokerEndpoint", "PLAINTEXT", "h.example", 9092, 0),
            ("BrokerEndpoint", "SSL", "h2", 9093, 1),
            ("BrokerEndpoint", "EXT", "::1", 9094, 3),
        ],
        features=[("BrokerFeature", "metadata.version", 7, 30), ("BrokerFeature", "group", 1, 1)],
        rack="r 1",
        fenced=True,
        in_controlled_shutdown=True,
        log_dirs=[_DIR[2], _B, _DIR[1]],
        cordoned_log_dirs=[_DIR[1]],
    ),
    broker(
        2,
        6,
        incarnation_id=_B,
        end_points=[("BrokerEndpoint", "X", "", 1, 2)],
        rack=None,
        fenced=False,
    ),
    value(
        "RegisterController",
        controller_id=3000,
        incarnation_id=_A,
        zk_migration_ready=True,
        end_points=[
            ("ControllerEndpoint", "CONTROLLER", "h", 9093, 0),
            ("ControllerEndpoint", "A", "h", 9094, 2),
        ],
        features=[("ControllerFeature", "z", 1, 2), ("ControllerFeature", "a", 0, 0)],
    ),
]
TOPICS: Final = [
    value("Topic", name="alpha", topic_id=_A),
    *map(partition, range(12)),
    value("Topic", name="Beta.x", topic_id=_B),
    value("Partition", partition_id=0, topic_id=_B, replicas=[1], isr=[], leader=-1),
    value("Topic", name="empty", topic_id=_C),
]
SETTINGS: Final = [
    config(2, "alpha", "retention.ms", "1000"),
    config(2, "alpha", "cleanup.policy", "compact"),
    config(2, "alpha", "no.such.key", "v"),
    config(2, "empty", "no.such.key", "v"),
    config(2, "a b", "segment.ms", "2"),
    config(4, "", "min.insync.replicas", "2"),
    config(4, "10", "ssl.key.password", "secret"),
    config(4, "10", "no.such.key", "é\U0001f600"),
    config(8, "10", "kafka", "INFO"),
    config(16, "m/1", "interval.ms", "100"),
    config(32, "g", "consumer.session.timeout.ms", "5"),
    config(77, "odd", "k", "v"),
]
QUOTAS: Final = [
    quota([("user", "anna")], "producer_byte_rate", 1e-9),
    quota([("user", None)], "consumer_byte_rate", 12345678.0),
    quota([("client-id", None)], "producer_byte_rate", 1e16 / 3),
    quota([("user", "u"), ("client-id", "c")], "request_percentage", 1e7),
    quota([("ip", "1.2.3.4")], "connection_creation_rate", 0.1),
    quota([("user", "a b/c")], "producer_byte_rate", float("inf")),
    quota([("user", "q(1)_2\\")], "producer_byte_rate", 123456.789),
    quota([("user", "z"), ("client-id", None)], "producer_byte_rate", 1.0),
    quota([("user", "neg")], "consumer_byte_rate", -0.0),
    quota([("client-id", ""), ("user", "")], "request_percentage", 5e-324),
    quota([("user", "n")], "producer_byte_rate", 0.001),
    quota([("user", "n")], "consumer_byte_rate", 1234567.0),
    quota([("user", "n")], "request_percentage", -2.5e-4),
]
SECURITY: Final = [
    rule(_DIR[5], 2, "b", 4, 4, 3),
    rule(_DIR[6], 7, "*", 3, 15, 2),
    rule(_DIR[8], 6, "n", 3, 13, 3),
    rule(_B, 5, "t", 3, 2, 3),
    value(
        "UserScramCredential",
        name="anna",
        mechanism=1,
        salt=b"salt",
        stored_key=b"\x01\xff",
        server_key=b"\x02",
        iterations=4096,
    ),
    value("UserScramCredential", name="a/b", mechanism=2, iterations=8192),
    value(
        "DelegationToken",
        owner="User:o",
        requester="User:r",
        renewers=["User:a", "User:b"],
        issue_timestamp=START_MS,
        max_timestamp=START_MS + 1,
        expiration_timestamp=START_MS + 2,
        token_id="tok/1",
    ),
    value("DelegationToken", owner="User:o", requester="User:o", token_id="AAAA"),
]
STATE: Final = [
    feature("metadata.version", 30),
    feature("group.version", 1),
    feature("eligible.leader.replicas.version", 1),
    *NODES,
    *TOPICS,
    *SETTINGS,
    *QUOTAS,
    value("ProducerIds", broker_id=1, broker_epoch=4, next_producer_id=12345),
    *SECURITY,
    value("ZkMigrationState", zk_migration_state=3),
]


def _change(number: int, **fields: Any) -> bytes:
    return value("PartitionChange", 2, partition_id=number, topic_id=_A, **fields)


def _broker_change(version: int, **fields: Any) -> bytes:
    return value("BrokerRegistrationChange", version, broker_id=2, broker_epoch=6, **fields)


CHANGES: Final = [
    [value("NoOp"), feature("share.version", 1), feature("group.version", 0)],
    [_change(0, isr=[1, 2, 3], leader=1, eligible_leader_replicas=[], last_known_elr=[])],
    [_change(1, replicas=[3, 2, 1], removing_replicas=[], adding_replicas=[], leader=2)],
    [_change(2, leader=-1, isr=[], leader_recovery_state=1, directories=[_DIR[3]] * 3)],
    [_broker_change(0, fenced=1), _broker_change(3, cordoned_log_dirs=[])],
    [_broker_change(1, in_controlled_shutdown=1), _broker_change(2, log_dirs=[_DIR[4]])],
    [broker(7, 80), value("UnfenceBroker", id=7, epoch=80), value("FenceBroker", id=7, epoch=80)],
    [broker(8, 81), value("UnregisterBroker", broker_id=8, broker_epoch=81)],
    [config(2, "alpha", "cleanup.policy", None), config(2, "a b", "segment.ms", None)],
    [quota([("user", "anna")], "producer_byte_rate", 0.0, remove=True)],
    [value("RemoveAccessControlEntry", id=_DIR[5])],
    [value("RemoveUserScramCredential", name="anna", mechanism=1)],
    [value("RemoveDelegationToken", token_id="AAAA")],
    [value("ProducerIds", broker_id=1, next_producer_id=13345)],
    [value("RemoveTopic", topic_id=_C), value("Topic", name="empty", topic_id=_DIR[9])],
    [value("BeginTransaction", name="t"), value("Topic", name="kept", topic_id=_DIR[2])],
    [config(4, "", "log.retention.ms", "9"), value("EndTransaction")],
    [value("BeginTransaction"), value("Topic", name="lost", topic_id=_DIR[3])],
    [value("AbortTransaction", reason="Controller failover")],
    [value("ClearElr", topic_name="alpha"), _change(3, eligible_leader_replicas=[2])],
]


def checkpoint() -> bytes:
    """A checkpoint with everything that a state holds."""
    batches = snapshot_batches(
        epoch=3,
        timestamp_ms=START_MS + 120,
        last_contained_ms=START_MS + 100,
        controls=(),
        values=STATE,
        records_per_batch=20,
    )
    return b"".join(batches)


def log(*more: list[bytes]) -> bytes:
    """A log that comes to that state and goes on from there, in two epochs."""
    return b"".join(log_batches(*more))


def log_batches(*more: list[bytes]) -> list[bytes]:
    """The batches of it."""
    batches, offset = [], 0
    for number, values in enumerate([STATE[:1], STATE[1:20], STATE[20:], *CHANGES, *more]):
        batches.append(
            build_batch(
                [(None, one) for one in values],
                timestamp_ms=START_MS + 10 * number,
                base_offset=offset,
                leader_epoch=1 if number < 10 else 2,
            )
        )
        offset += len(values)
    return batches


def types_held() -> list[int]:
    """The record types of the log, each once."""
    from metaquorum.records.metadata_record import read_metadata_frame

    every = [*STATE, *(one for batch in CHANGES for one in batch)]
    return sorted({read_metadata_frame(one)[0] for one in every})
