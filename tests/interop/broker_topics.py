"""Records as brokers keep them in topics of their own: random ones of all kinds, and odd ones."""

from __future__ import annotations

from random import Random
from struct import pack
from typing import Any

from metaquorum.cli.dump_coordinators import RECORDS
from metaquorum.records.metadata_record import FRAME_VERSION
from metaquorum.wire.generated.group import group_metadata_value as group_metadata
from metaquorum.wire.registry import Codec, load_codec
from tests.unit.wire.random_messages import Maker, versions_of

KeyValue = tuple[bytes | None, bytes | None]

REMOTE = {
    0: "remote_log_segment_metadata_record",
    1: "remote_log_segment_metadata_update_record",
    2: "remote_partition_delete_metadata_record",
    3: "remote_log_segment_metadata_snapshot_record",
}
# Tagged fields of Kafka 4.4, which 4.3 passes over.
_YOUNGER = ("stored_description_topology_epoch", "failed_description_topology_epoch")


def _message(codec: Codec, random: Random, version: int) -> Any:
    message = Maker(codec, random).message(version)
    for name in _YOUNGER:
        if hasattr(message, name):
            setattr(message, name, -1)
    return message


def coordinator_records(package: str, random: Random) -> list[KeyValue]:
    """Of each type a record of every version and one that deletes."""
    records: list[KeyValue] = []
    for record_type, module in RECORDS[package].items():
        keys = load_codec(f"{package}.{module}_key")
        values = load_codec(f"{package}.{module}_value")
        version = keys.LOWEST_VERSION
        key = pack(">h", record_type) + keys.encode(_message(keys, random, version), version)
        for version in versions_of(values):
            body = values.encode(_message(values, random, version), version)
            records.append((key, pack(">h", version) + body))
        records.append((key, None))
    return records


def odd_coordinator_records(package: str, random: Random) -> list[KeyValue]:
    """Records of types and versions that nobody knows, cut short, and with bytes too many."""
    (key, value), *_ = coordinator_records(package, random)
    assert key is not None
    assert value is not None
    unknown = [(pack(">h", number) + key[2:], value) for number in (-1, 9, 18, *range(24, 32), 99)]
    return [
        *unknown,
        (pack(">h", 99), None),
        (b"some text", b"other text"),
        (b"", value),
        (b"\0", value),
        (key, b""),
        (key, b"\0"),
        (key, pack(">h", -1) + value[2:]),
        (key, pack(">h", 9) + value[2:]),
        (key, value + b"xx"),
        (key + b"yy", value),
    ]


def damaged_coordinator_records(package: str, random: Random) -> list[KeyValue]:
    """Records of known types that end within a field."""
    (key, value), *_ = coordinator_records(package, random)
    assert key is not None
    assert value is not None
    return [(key[:-1], value), (key[:-1], None), (key, value[:-1]), (key, value[:2])]


def _text(text: str) -> bytes:
    return pack(">h", len(text)) + text.encode()


def _partitions(topic: str, *numbers: int) -> bytes:
    return pack(">i", 1) + _text(topic) + pack(f">{len(numbers) + 1}i", len(numbers), *numbers)


def subscription(version: int) -> bytes:
    """What a consumer tells its group, in the form that has all of version 3."""
    topics = pack(">i", 2) + _text("a") + _text("b")
    fields = [topics + pack(">i", 2) + b"\1\2", _partitions("a", 0, 1), pack(">i", 7), _text("r")]
    return pack(">h", version) + b"".join(fields[: max(version, 0) + 1])


def assignment(version: int) -> bytes:
    """What a consumer gets from its group."""
    return pack(">h", version) + _partitions("a", 0, 1) + pack(">i", -1)


def consumer_groups() -> list[KeyValue]:
    """Classic groups whose members speak the consumers' protocol, and other ones."""
    pairs = [(subscription(version), assignment(version)) for version in (-1, 0, 1, 2, 3, 4, 9)]
    pairs += [(b"", b""), (b"\0", b"q"), (b"\0\1junk", b""), (subscription(1), b"\0\0junk")]
    pairs += [(subscription(1) + b"xx", assignment(0) + b"yy")]
    records: list[KeyValue] = []
    for version in versions_of(group_metadata):
        for protocol_type in ("consumer", "Consumer", "connect"):
            message = group_metadata.GroupMetadataValue(
                protocol_type=protocol_type,
                members=[
                    group_metadata.MemberMetadata(subscription=told, assignment=given)
                    for told, given in pairs
                ],
            )
            value = pack(">h", version) + group_metadata.encode(message, version)
            records.append((pack(">h", 2) + _text("g"), value))
    return records


def remote_record(kind: int, random: Random, **fields: Any) -> KeyValue:
    """A record of one kind, with ``fields`` in the place of random ones."""
    codec = load_codec(f"storage.{REMOTE[kind]}")
    message = Maker(codec, random).message(0)
    for name, value in fields.items():
        setattr(message, name, value)
    return None, bytes([FRAME_VERSION, kind, 0]) + codec.encode(message, 0)


def _epochs(kind: int, random: Random) -> list[Any]:
    codec: Any = load_codec(f"storage.{REMOTE[kind]}")
    pairs = [(9, 40), (3, 2), (100, 1), (-1, 5), (3, 11), (random.randrange(50), 3)]
    return [codec.SegmentLeaderEpochEntry(leader_epoch=one, offset=at) for one, at in pairs]


def remote_records(random: Random) -> list[KeyValue]:
    """Every kind of remote metadata in every state."""
    records: list[KeyValue] = []
    for state in range(4):
        for kind in (0, 3):
            fields: dict[str, Any] = {
                "start_offset": 10,
                "end_offset": 10 + state,
                "segment_leader_epochs": _epochs(kind, random),
                "custom_metadata": None if state == 1 else random.randbytes(state),
                "remote_log_segment_state": state,
            }
            records.append(remote_record(kind, random, **fields))
        records.append(remote_record(1, random, remote_log_segment_state=state))
    records += [remote_record(2, random, remote_partition_delete_state=one) for one in range(3)]
    records.append((b"a key", records[0][1]))
    return records


def odd_remote_records(random: Random) -> list[KeyValue]:
    """Values that are no remote metadata, for many reasons."""
    whole = remote_records(random)[0][1]
    assert whole is not None
    frames = [b"", b"\0", b"\1", b"\1\0", b"\1\0\0", b"\2\0\0", b"\1\4\0", b"\1\0\1", b"other"]
    epochs = _epochs(0, random)
    entire = {"start_offset": 1, "end_offset": 2, "remote_log_segment_state": 0}
    impossible: list[dict[str, Any]] = [
        {"segment_leader_epochs": []},
        {"segment_leader_epochs": epochs, "start_offset": -1},
        {"segment_leader_epochs": epochs, "end_offset": 0},
        {"segment_leader_epochs": epochs, "remote_log_segment_state": 4},
        {"segment_leader_epochs": epochs, "remote_log_segment_state": -1},
    ]
    return [
        *((None, one) for one in frames),
        (None, whole[:-3]),
        (None, whole + b"xx"),
        (None, None),
        (b"key", None),
        *(remote_record(0, random, **(entire | one)) for one in impossible),
        remote_record(1, random, remote_log_segment_state=7),
        remote_record(2, random, remote_partition_delete_state=3),
        remote_record(3, random, segment_leader_epochs=[], remote_log_segment_state=0),
    ]
