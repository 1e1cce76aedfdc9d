# GENERATED from schemas/storage/remote_log_segment_metadata_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 02a64daeba08a57a, generator 1.
"""A segment that is being copied to remote storage (KIP-405). Record type 0, versions 0, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, long_head, long_size,
    long_text, long_text_head, put_tags, refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 0
NAME: Final = "RemoteLogSegmentMetadataRecord"
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


class SegmentLeaderEpochEntry(Message):
    """Epochs of the segment's records."""

    __slots__ = ("leader_epoch", "offset", "unknown_tags")

    def __init__(
        self,
        # Epoch of a leader.
        leader_epoch: int = 0,
        # Offset at which that epoch begins.
        offset: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.leader_epoch = leader_epoch
        self.offset = offset
        self.unknown_tags = unknown_tags


class RemoteLogSegmentMetadataRecord(Message):
    """A segment that is being copied to remote storage (KIP-405)."""

    __slots__ = (
        "remote_log_segment_id", "start_offset", "end_offset", "broker_id", "max_timestamp_ms",
        "event_timestamp_ms", "segment_leader_epochs", "segment_size_in_bytes", "custom_metadata",
        "remote_log_segment_state", "txn_index_empty", "unknown_tags",
    )

    def __init__(
        self,
        # The segment in remote storage.
        remote_log_segment_id: RemoteLogSegmentIdEntry | None = None,
        # First offset of the segment.
        start_offset: int = 0,
        # Last offset of the segment.
        end_offset: int = 0,
        # Broker that writes this.
        broker_id: int = 0,
        # Highest timestamp of a record in the segment.
        max_timestamp_ms: int = 0,
        # Milliseconds since 1970 at which this was written.
        event_timestamp_ms: int = 0,
        # Epochs of the segment's records.
        segment_leader_epochs: Sequence[SegmentLeaderEpochEntry] = (),
        # Size of the segment in bytes.
        segment_size_in_bytes: int = 0,
        # Bytes of the remote storage; null when it has none.
        custom_metadata: Buffer | None = None,
        # 0 while the copy runs, 1 when it is whole, 2 while it is deleted, 3 when it is gone.
        remote_log_segment_state: int = 0,
        # True when the segment has no aborted transaction. (tag 0)
        txn_index_empty: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.remote_log_segment_id = (
            RemoteLogSegmentIdEntry() if remote_log_segment_id is None else remote_log_segment_id
        )
        self.start_offset = start_offset
        self.end_offset = end_offset
        self.broker_id = broker_id
        self.max_timestamp_ms = max_timestamp_ms
        self.event_timestamp_ms = event_timestamp_ms
        self.segment_leader_epochs: Sequence[SegmentLeaderEpochEntry] = (
            [] if segment_leader_epochs == () else segment_leader_epochs
        )
        self.segment_size_in_bytes = segment_size_in_bytes
        self.custom_metadata = custom_metadata
        self.remote_log_segment_state = remote_log_segment_state
        self.txn_index_empty = txn_index_empty
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_16siB = Struct(">16siB").unpack_from
_read_2qi2qB = Struct(">2qi2qB").unpack_from
_read_t = Struct(">?").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_rows_iqx = Struct(">iqx").iter_unpack
_write_16six = Struct(">16six").pack
_write_16sx = Struct(">16sx").pack
_write_2qi2qB = Struct(">2qi2qB").pack
_write_t = Struct(">?").pack
_write_bx = Struct(">bx").pack
_write_i = Struct(">i").pack
_write_iqx = Struct(">iqx").pack


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


def _get_tags_remote_log_segment_metadata_record_v0(
    m: RemoteLogSegmentMetadataRecord, buf: bytes, view: memoryview, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.txn_index_empty,) = _read_t(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_remote_log_segment_metadata_record_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[RemoteLogSegmentMetadataRecord, int]:
    m = new(RemoteLogSegmentMetadataRecord)
    m.remote_log_segment_id, at = _get_remote_log_segment_id_entry_v0(buf, at)
    (
        m.start_offset, m.end_offset, m.broker_id, m.max_timestamp_ms, m.event_timestamp_ms, n,
    ) = _read_2qi2qB(buf, at)
    at += 37
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 13)
    segment_leader_epochs: list[SegmentLeaderEpochEntry] = []
    m.segment_leader_epochs = segment_leader_epochs
    left_segment_leader_epochs = n - 1
    if (
        left_segment_leader_epochs > 4
        and buf[at + 12 : at + 13 * left_segment_leader_epochs : 13] ==
            bytes(left_segment_leader_epochs)
    ):
        end = at + 13 * left_segment_leader_epochs
        segment_leader_epochs += map(
            new, repeat(SegmentLeaderEpochEntry, left_segment_leader_epochs),
        )
        left_segment_leader_epochs = 0
        for leader_epoch_entry, values in zip(segment_leader_epochs, _rows_iqx(buf[at:end])):
            (leader_epoch_entry.leader_epoch, leader_epoch_entry.offset) = values
            leader_epoch_entry.unknown_tags = ()
        at = end
    while left_segment_leader_epochs:
        left_segment_leader_epochs -= 1
        leader_epoch_entry = new(SegmentLeaderEpochEntry)
        segment_leader_epochs.append(leader_epoch_entry)
        (leader_epoch_entry.leader_epoch, leader_epoch_entry.offset, tags) = _read_iqB(buf, at)
        at += 13
        leader_epoch_entry.unknown_tags = ()
        if tags:
            leader_epoch_entry.unknown_tags, at = get_tags(buf, at - 1)
    (m.segment_size_in_bytes, n) = _read_iB(buf, at)
    at += 5
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
    m.txn_index_empty = False
    m.unknown_tags = ()
    if tags:
        at = _get_tags_remote_log_segment_metadata_record_v0(m, buf, view, at - 1)
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


def _tags_of_remote_log_segment_metadata_record_v0(
    m: RemoteLogSegmentMetadataRecord,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.txn_index_empty:
        tags.append((0, _write_t(m.txn_index_empty)))
    return tags


def _put_remote_log_segment_metadata_record_v0(
    out: Parts, m: RemoteLogSegmentMetadataRecord,
) -> None:
    _put_remote_log_segment_id_entry_v0(out, m.remote_log_segment_id)
    segment_leader_epochs = m.segment_leader_epochs
    n = len(segment_leader_epochs) + 1
    out.append(_write_2qi2qB(
        m.start_offset, m.end_offset, m.broker_id, m.max_timestamp_ms, m.event_timestamp_ms,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for leader_epoch_entry in segment_leader_epochs:
        out.append(_write_iqx(leader_epoch_entry.leader_epoch, leader_epoch_entry.offset))
        if leader_epoch_entry.unknown_tags:
            put_tags(out, [], leader_epoch_entry.unknown_tags)
    custom_metadata = m.custom_metadata
    n = 0 if custom_metadata is None else len(custom_metadata) + 1
    out.append(_write_i(m.segment_size_in_bytes))
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if custom_metadata is not None:
        out.append(custom_metadata)
    out.append(_write_bx(m.remote_log_segment_state))
    if m.unknown_tags or m.txn_index_empty:
        put_tags(out, _tags_of_remote_log_segment_metadata_record_v0(m), m.unknown_tags)


_GET = {0: _get_remote_log_segment_metadata_record_v0}
_PUT = {0: _put_remote_log_segment_metadata_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemoteLogSegmentMetadataRecord:
    """The RemoteLogSegmentMetadataRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemoteLogSegmentMetadataRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemoteLogSegmentMetadataRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemoteLogSegmentMetadataRecord, version: int) -> None:
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
_SEGMENT_LEADER_EPOCH_ENTRY_SHAPE: Shape = (
    SegmentLeaderEpochEntry,
    (
        ("leaderEpoch", "leader_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("offset", "offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_REMOTE_LOG_SEGMENT_METADATA_RECORD_SHAPE: Shape = (
    RemoteLogSegmentMetadataRecord,
    (
        (
            "remoteLogSegmentId", "remote_log_segment_id", "RemoteLogSegmentIdEntry", (0, 0), None,
            None, None, UNSET, False, (0, 0), _REMOTE_LOG_SEGMENT_ID_ENTRY_SHAPE,
        ),
        ("startOffset", "start_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("endOffset", "end_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("brokerId", "broker_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "maxTimestampMs", "max_timestamp_ms", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "eventTimestampMs", "event_timestamp_ms", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "segmentLeaderEpochs", "segment_leader_epochs", "[]SegmentLeaderEpochEntry", (0, 0),
            None, None, None, (), False, (0, 0), _SEGMENT_LEADER_EPOCH_ENTRY_SHAPE,
        ),
        (
            "segmentSizeInBytes", "segment_size_in_bytes", "int32", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        (
            "customMetadata", "custom_metadata", "bytes", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        (
            "remoteLogSegmentState", "remote_log_segment_state", "int8", (0, 0), None, None, None,
            0, False, (0, 0), None,
        ),
        (
            "txnIndexEmpty", "txn_index_empty", "bool", (0, 0), None, 0, (0, 0), False, False,
            (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_REMOTE_LOG_SEGMENT_METADATA_RECORD_SHAPE, (0, 0), (0, 0))
