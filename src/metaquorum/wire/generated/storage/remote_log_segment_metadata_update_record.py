# GENERATED from schemas/storage/remote_log_segment_metadata_update_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 03c5352d5b3ad980, generator 1.
"""A remote segment reached its next state. Record type 1, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_head, long_size, long_text, long_text_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 1
NAME: Final = "RemoteLogSegmentMetadataUpdateRecord"
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


class RemoteLogSegmentIdEntry(Message):
    """The segment in remote storage."""

    __slots__ = ("topic_id_partition", "id", "unknown_tags")

    def __init__(
        self,
        # The partition.
        topic_id_partition: TopicIdPartitionEntry | None = None,
        # Id of the segment.
        id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id_partition = (
            TopicIdPartitionEntry() if topic_id_partition is None else topic_id_partition
        )
        self.id = id
        self.unknown_tags = unknown_tags


class RemoteLogSegmentMetadataUpdateRecord(Message):
    """A remote segment reached its next state."""

    __slots__ = (
        "remote_log_segment_id", "broker_id", "event_timestamp_ms", "custom_metadata",
        "remote_log_segment_state", "unknown_tags",
    )

    def __init__(
        self,
        # The segment in remote storage.
        remote_log_segment_id: RemoteLogSegmentIdEntry | None = None,
        # Broker that writes this.
        broker_id: int = 0,
        # Milliseconds since 1970 at which this was written.
        event_timestamp_ms: int = 0,
        # Bytes of the remote storage; null when it has none.
        custom_metadata: Buffer | None = None,
        # 0 while the copy runs, 1 when it is whole, 2 while it is deleted, 3 when it is gone.
        remote_log_segment_state: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.remote_log_segment_id = (
            RemoteLogSegmentIdEntry() if remote_log_segment_id is None else remote_log_segment_id
        )
        self.broker_id = broker_id
        self.event_timestamp_ms = event_timestamp_ms
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_16siB = Struct(">16siB").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_write_16six = Struct(">16six").pack
_write_16sx = Struct(">16sx").pack
_write_bx = Struct(">bx").pack
_write_iq = Struct(">iq").pack


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


def _get_remote_log_segment_id_entry_v0(buf: bytes, at: int) -> tuple[RemoteLogSegmentIdEntry, int]:
    m = new(RemoteLogSegmentIdEntry)
    m.topic_id_partition, at = _get_topic_id_partition_entry_v0(buf, at)
    (m.id, tags) = _read_16sB(buf, at)
    at += 17
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_remote_log_segment_metadata_update_record_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[RemoteLogSegmentMetadataUpdateRecord, int]:
    m = new(RemoteLogSegmentMetadataUpdateRecord)
    m.remote_log_segment_id, at = _get_remote_log_segment_id_entry_v0(buf, at)
    (m.broker_id, m.event_timestamp_ms, n) = _read_iqB(buf, at)
    at += 13
    if n == 0:
        m.custom_metadata = None
    else:
        if n > 127:
            if 0 < buf[at] < 128:
                n += (buf[at] << 7) - 128
                at += 1
            else:
                n, at = long_size(buf, at)
        end = at + n - 1
        m.custom_metadata = view[at:end]
        at = end
    (m.remote_log_segment_state, tags) = _read_bB(buf, at)
    at += 2
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


def _put_remote_log_segment_id_entry_v0(out: Parts, m: RemoteLogSegmentIdEntry) -> None:
    _put_topic_id_partition_entry_v0(out, m.topic_id_partition)
    if len(m.id) != 16:
        refuse_uuid("id")
    out.append(_write_16sx(m.id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_remote_log_segment_metadata_update_record_v0(
    out: Parts, m: RemoteLogSegmentMetadataUpdateRecord,
) -> None:
    _put_remote_log_segment_id_entry_v0(out, m.remote_log_segment_id)
    custom_metadata = m.custom_metadata
    n = 0 if custom_metadata is None else len(custom_metadata) + 1
    out.append(_write_iq(m.broker_id, m.event_timestamp_ms))
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if custom_metadata is not None:
        out.append(custom_metadata)
    out.append(_write_bx(m.remote_log_segment_state))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_remote_log_segment_metadata_update_record_v0}
_PUT = {0: _put_remote_log_segment_metadata_update_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemoteLogSegmentMetadataUpdateRecord:
    """The RemoteLogSegmentMetadataUpdateRecord that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemoteLogSegmentMetadataUpdateRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemoteLogSegmentMetadataUpdateRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemoteLogSegmentMetadataUpdateRecord, version: int) -> None:
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
_REMOTE_LOG_SEGMENT_ID_ENTRY_SHAPE: Shape = (
    RemoteLogSegmentIdEntry,
    (
        (
            "topicIdPartition", "topic_id_partition", "TopicIdPartitionEntry", (0, 0), None, None,
            None, UNSET, False, (0, 0), _TOPIC_ID_PARTITION_ENTRY_SHAPE,
        ),
        ("id", "id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
    ),
)
_REMOTE_LOG_SEGMENT_METADATA_UPDATE_RECORD_SHAPE: Shape = (
    RemoteLogSegmentMetadataUpdateRecord,
    (
        (
            "remoteLogSegmentId", "remote_log_segment_id", "RemoteLogSegmentIdEntry", (0, 0), None,
            None, None, UNSET, False, (0, 0), _REMOTE_LOG_SEGMENT_ID_ENTRY_SHAPE,
        ),
        ("brokerId", "broker_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "eventTimestampMs", "event_timestamp_ms", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "customMetadata", "custom_metadata", "bytes", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        (
            "remoteLogSegmentState", "remote_log_segment_state", "int8", (0, 0), None, None, None,
            0, False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_REMOTE_LOG_SEGMENT_METADATA_UPDATE_RECORD_SHAPE, (0, 0), (0, 0))
