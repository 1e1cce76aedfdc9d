# GENERATED from schemas/fetch_snapshot_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 d63fbb32a803ed21, generator 1.
"""Reads a piece of a metadata snapshot (KIP-630). Api key 59, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 59
NAME: Final = "FetchSnapshotRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class SnapshotId(Message):
    """Snapshot to read."""

    __slots__ = ("end_offset", "epoch", "unknown_tags")

    def __init__(
        self,
        # Offset after the last record that the snapshot covers.
        end_offset: int = 0,
        # Epoch of the last record that the snapshot covers.
        epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch
        self.unknown_tags = unknown_tags


class PartitionSnapshot(Message):
    """One row a partition."""

    __slots__ = (
        "partition", "current_leader_epoch", "snapshot_id", "position", "replica_directory_id",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Leader epoch the client believes in; -1 turns the check off.
        current_leader_epoch: int = 0,
        # Snapshot to read.
        snapshot_id: SnapshotId | None = None,
        # Byte position in the snapshot to read from.
        position: int = 0,
        # Log directory of the asking replica; zeros when unknown. (v1+, tag 0)
        replica_directory_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.snapshot_id = SnapshotId() if snapshot_id is None else snapshot_id
        self.position = position
        self.replica_directory_id = replica_directory_id
        self.unknown_tags = unknown_tags


class TopicSnapshot(Message):
    """One row a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One row a partition.
        partitions: Sequence[PartitionSnapshot] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[PartitionSnapshot] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class FetchSnapshotRequest(Message):
    """Reads a piece of a metadata snapshot (KIP-630)."""

    __slots__ = ("cluster_id", "replica_id", "max_bytes", "topics", "unknown_tags")

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked. (tag 0)
        cluster_id: str | None = None,
        # Replica that fetches; negative for one that does not take part.
        replica_id: int = -1,
        # Most snapshot bytes in the whole response.
        max_bytes: int = 2147483647,
        # One row a topic.
        topics: Sequence[TopicSnapshot] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.max_bytes = max_bytes
        self.topics: Sequence[TopicSnapshot] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16s = Struct(">16s").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_qB = Struct(">qB").unpack_from
_read_qiB = Struct(">qiB").unpack_from
_write_16s = Struct(">16s").pack
_write_2i = Struct(">2i").pack
_write_2iB = Struct(">2iB").pack
_write_qix = Struct(">qix").pack
_write_qx = Struct(">qx").pack


def _get_snapshot_id_v0(buf: bytes, at: int) -> tuple[SnapshotId, int]:
    m = new(SnapshotId)
    (m.end_offset, m.epoch, tags) = _read_qiB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_fetch_snapshot_request_v0(m: FetchSnapshotRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.cluster_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.cluster_id = buf[at:end].decode()
                at = end
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_snapshot_request_v0(buf: bytes, at: int) -> tuple[FetchSnapshotRequest, int]:
    m = new(FetchSnapshotRequest)
    (m.replica_id, m.max_bytes, n) = _read_2iB(buf, at)
    at += 9
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TopicSnapshot] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_snapshot = new(TopicSnapshot)
        topics.append(topic_snapshot)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_snapshot.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 30)
        partitions: list[PartitionSnapshot] = []
        topic_snapshot.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_snapshot = new(PartitionSnapshot)
            partitions.append(partition_snapshot)
            (
                partition_snapshot.partition, partition_snapshot.current_leader_epoch,
            ) = _read_2i(buf, at)
            at += 8
            partition_snapshot.snapshot_id, at = _get_snapshot_id_v0(buf, at)
            (partition_snapshot.position, tags) = _read_qB(buf, at)
            at += 9
            partition_snapshot.replica_directory_id = ZERO_UUID
            partition_snapshot.unknown_tags = ()
            if tags:
                partition_snapshot.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_snapshot.unknown_tags = ()
        if tags:
            topic_snapshot.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_snapshot_request_v0(m, buf, at - 1)
    return m, at


def _get_tags_partition_snapshot_v1(m: PartitionSnapshot, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.replica_directory_id,) = _read_16s(buf, at)
            at += 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_tags_fetch_snapshot_request_v1(m: FetchSnapshotRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.cluster_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.cluster_id = buf[at:end].decode()
                at = end
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_snapshot_request_v1(buf: bytes, at: int) -> tuple[FetchSnapshotRequest, int]:
    m = new(FetchSnapshotRequest)
    (m.replica_id, m.max_bytes, n) = _read_2iB(buf, at)
    at += 9
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TopicSnapshot] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_snapshot = new(TopicSnapshot)
        topics.append(topic_snapshot)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_snapshot.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 30)
        partitions: list[PartitionSnapshot] = []
        topic_snapshot.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_snapshot = new(PartitionSnapshot)
            partitions.append(partition_snapshot)
            (
                partition_snapshot.partition, partition_snapshot.current_leader_epoch,
            ) = _read_2i(buf, at)
            at += 8
            partition_snapshot.snapshot_id, at = _get_snapshot_id_v0(buf, at)
            (partition_snapshot.position, tags) = _read_qB(buf, at)
            at += 9
            partition_snapshot.replica_directory_id = ZERO_UUID
            partition_snapshot.unknown_tags = ()
            if tags:
                at = _get_tags_partition_snapshot_v1(partition_snapshot, buf, at - 1)
        tags = buf[at]
        at += 1
        topic_snapshot.unknown_tags = ()
        if tags:
            topic_snapshot.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_snapshot_request_v1(m, buf, at - 1)
    return m, at


def _put_snapshot_id_v0(out: Parts, m: SnapshotId) -> None:
    out.append(_write_qix(m.end_offset, m.epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_fetch_snapshot_request_v0(m: FetchSnapshotRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.cluster_id is not None:
        part: Parts = []
        cluster_id = m.cluster_id.encode()
        n = len(cluster_id) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(cluster_id)
        tags.append((0, joined(part)))
    return tags


def _put_fetch_snapshot_request_v0(out: Parts, m: FetchSnapshotRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_2iB(m.replica_id, m.max_bytes, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_snapshot in topics:
        name = topic_snapshot.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = topic_snapshot.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_snapshot in partitions:
            out.append(_write_2i(
                partition_snapshot.partition, partition_snapshot.current_leader_epoch,
            ))
            _put_snapshot_id_v0(out, partition_snapshot.snapshot_id)
            out.append(_write_qx(partition_snapshot.position))
            if partition_snapshot.unknown_tags:
                put_tags(out, [], partition_snapshot.unknown_tags)
        out.append(b"\0")
        if topic_snapshot.unknown_tags:
            put_tags(out, [], topic_snapshot.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags or m.cluster_id is not None:
        put_tags(out, _tags_of_fetch_snapshot_request_v0(m), m.unknown_tags)


def _tags_of_partition_snapshot_v1(m: PartitionSnapshot) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.replica_directory_id != ZERO_UUID:
        if len(m.replica_directory_id) != 16:
            refuse_uuid("replica_directory_id")
        tags.append((0, _write_16s(m.replica_directory_id)))
    return tags


def _tags_of_fetch_snapshot_request_v1(m: FetchSnapshotRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.cluster_id is not None:
        part: Parts = []
        cluster_id = m.cluster_id.encode()
        n = len(cluster_id) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(cluster_id)
        tags.append((0, joined(part)))
    return tags


def _put_fetch_snapshot_request_v1(out: Parts, m: FetchSnapshotRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_2iB(m.replica_id, m.max_bytes, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_snapshot in topics:
        name = topic_snapshot.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = topic_snapshot.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_snapshot in partitions:
            out.append(_write_2i(
                partition_snapshot.partition, partition_snapshot.current_leader_epoch,
            ))
            _put_snapshot_id_v0(out, partition_snapshot.snapshot_id)
            out.append(_write_qx(partition_snapshot.position))
            if (
                partition_snapshot.unknown_tags
                or partition_snapshot.replica_directory_id != ZERO_UUID
            ):
                put_tags(
                    out, _tags_of_partition_snapshot_v1(partition_snapshot),
                    partition_snapshot.unknown_tags,
                )
        out.append(b"\0")
        if topic_snapshot.unknown_tags:
            put_tags(out, [], topic_snapshot.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags or m.cluster_id is not None:
        put_tags(out, _tags_of_fetch_snapshot_request_v1(m), m.unknown_tags)


_GET = {0: _get_fetch_snapshot_request_v0, 1: _get_fetch_snapshot_request_v1}
_PUT = {0: _put_fetch_snapshot_request_v0, 1: _put_fetch_snapshot_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> FetchSnapshotRequest:
    """The FetchSnapshotRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[FetchSnapshotRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: FetchSnapshotRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: FetchSnapshotRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SNAPSHOT_ID_SHAPE: Shape = (
    SnapshotId,
    (
        ("endOffset", "end_offset", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("epoch", "epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
    ),
)
_PARTITION_SNAPSHOT_SHAPE: Shape = (
    PartitionSnapshot,
    (
        ("partition", "partition", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "currentLeaderEpoch", "current_leader_epoch", "int32", (0, 1), None, None, None, 0,
            False, (0, 1), None,
        ),
        (
            "snapshotId", "snapshot_id", "SnapshotId", (0, 1), None, None, None, UNSET, False,
            (0, 1), _SNAPSHOT_ID_SHAPE,
        ),
        ("position", "position", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "replicaDirectoryId", "replica_directory_id", "uuid", (1, 1), None, 0, (1, 1),
            ZERO_UUID, True, (0, 1), None,
        ),
    ),
)
_TOPIC_SNAPSHOT_SHAPE: Shape = (
    TopicSnapshot,
    (
        ("name", "name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "partitions", "partitions", "[]PartitionSnapshot", (0, 1), None, None, None, (), False,
            (0, 1), _PARTITION_SNAPSHOT_SHAPE,
        ),
    ),
)
_FETCH_SNAPSHOT_REQUEST_SHAPE: Shape = (
    FetchSnapshotRequest,
    (
        ("clusterId", "cluster_id", "string", (0, 1), (0, 1), 0, (0, 1), None, False, (0, 1), None),
        ("replicaId", "replica_id", "int32", (0, 1), None, None, None, -1, False, (0, 1), None),
        (
            "maxBytes", "max_bytes", "int32", (0, 1), None, None, None, 2147483647, False, (0, 1),
            None,
        ),
        (
            "topics", "topics", "[]TopicSnapshot", (0, 1), None, None, None, (), False, (0, 1),
            _TOPIC_SNAPSHOT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_FETCH_SNAPSHOT_REQUEST_SHAPE, (0, 1), (0, 1))
