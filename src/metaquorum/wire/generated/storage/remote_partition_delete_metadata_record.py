# GENERATED from schemas/storage/remote_partition_delete_metadata_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a5a1ca10ff377863, generator 1.
"""A partition's remote segments are being deleted, or are gone. Record type 2, versions 0, flexible
from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 2
NAME: Final = "RemotePartitionDeleteMetadataRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicIdPartitionEntry(Message):
    """The partition."""

    __slots__ = ("name", "id", "partition", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Id of the topic.
        id: bytes = ZERO_UUID,
        # Index of the partition.
        partition: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.id = id
        self.partition = partition
        self.unknown_tags = unknown_tags


class RemotePartitionDeleteMetadataRecord(Message):
    """A partition's remote segments are being deleted, or are gone."""

    __slots__ = (
        "topic_id_partition", "broker_id", "event_timestamp_ms", "remote_partition_delete_state",
        "unknown_tags",
    )

    def __init__(
        self,
        # The partition.
        topic_id_partition: TopicIdPartitionEntry | None = None,
        # Broker that writes this.
        broker_id: int = 0,
        # Milliseconds since 1970 at which this was written.
        event_timestamp_ms: int = 0,
        # 0 when marked, 1 while it runs, 2 when all is gone.
        remote_partition_delete_state: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id_partition = (
            TopicIdPartitionEntry() if topic_id_partition is None else topic_id_partition
        )
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.remote_partition_delete_state = remote_partition_delete_state
        self.unknown_tags = unknown_tags


_read_16siB = Struct(">16siB").unpack_from
_read_iqbB = Struct(">iqbB").unpack_from
_write_16six = Struct(">16six").pack
_write_iqbx = Struct(">iqbx").pack


def _get_topic_id_partition_entry_v0(buf: bytes, at: int) -> tuple[TopicIdPartitionEntry, int]:
    m = new(TopicIdPartitionEntry)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.id, m.partition, tags) = _read_16siB(buf, at)
    at += 21
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_remote_partition_delete_metadata_record_v0(
    buf: bytes, at: int,
) -> tuple[RemotePartitionDeleteMetadataRecord, int]:
    m = new(RemotePartitionDeleteMetadataRecord)
    m.topic_id_partition, at = _get_topic_id_partition_entry_v0(buf, at)
    (m.broker_id, m.event_timestamp_ms, m.remote_partition_delete_state, tags) = _read_iqbB(buf, at)
    at += 14
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_topic_id_partition_entry_v0(out: Parts, m: TopicIdPartitionEntry) -> None:
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    if len(m.id) != 16:
        refuse_uuid("id")
    out.append(_write_16six(m.id, m.partition))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_remote_partition_delete_metadata_record_v0(
    out: Parts, m: RemotePartitionDeleteMetadataRecord,
) -> None:
    _put_topic_id_partition_entry_v0(out, m.topic_id_partition)
    out.append(_write_iqbx(m.broker_id, m.event_timestamp_ms, m.remote_partition_delete_state))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_remote_partition_delete_metadata_record_v0}
_PUT = {0: _put_remote_partition_delete_metadata_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemotePartitionDeleteMetadataRecord:
    """The RemotePartitionDeleteMetadataRecord that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemotePartitionDeleteMetadataRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemotePartitionDeleteMetadataRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemotePartitionDeleteMetadataRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_ID_PARTITION_ENTRY_SHAPE: Shape = (
    TopicIdPartitionEntry,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("id", "id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("partition", "partition", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_REMOTE_PARTITION_DELETE_METADATA_RECORD_SHAPE: Shape = (
    RemotePartitionDeleteMetadataRecord,
    (
        (
            "topicIdPartition", "topic_id_partition", "TopicIdPartitionEntry", (0, 0), None, None,
            None, UNSET, False, (0, 0), _TOPIC_ID_PARTITION_ENTRY_SHAPE,
        ),
        ("brokerId", "broker_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "eventTimestampMs", "event_timestamp_ms", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "remotePartitionDeleteState", "remote_partition_delete_state", "int8", (0, 0), None,
            None, None, 0, False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_REMOTE_PARTITION_DELETE_METADATA_RECORD_SHAPE, (0, 0), (0, 0))
