# GENERATED from schemas/fetch_snapshot_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5364500922b90693, generator 1.
"""A piece of a metadata snapshot. Api key 59, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen, lengthen_text, long_count, long_head,
    long_size, long_text, long_text_head, put_records, put_tags, refuse_field, refuse_null,
    refuse_size, whole,
)
from metaquorum.wire.shape import Shape
from metaquorum.wire.slices import RecordsValue

API_KEY: Final = 59
NAME: Final = "FetchSnapshotResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class SnapshotId(Message):
    """Snapshot that was read."""

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


class LeaderIdAndEpoch(Message):
    """Leader that the server knows, sent when it helps the client to move on."""

    __slots__ = ("leader_id", "leader_epoch", "unknown_tags")

    def __init__(
        self,
        # Node that leads; -1 when unknown.
        leader_id: int = 0,
        # Newest epoch the server knows; -1 when unknown.
        leader_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class PartitionSnapshot(Message):
    """One result a partition."""

    __slots__ = (
        "index", "error_code", "snapshot_id", "current_leader", "size", "position",
        "unaligned_records", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Snapshot that was read.
        snapshot_id: SnapshotId | None = None,
        # Leader that the server knows, sent when it helps the client to move on. (tag 0)
        current_leader: LeaderIdAndEpoch | None = None,
        # Bytes of the whole snapshot.
        size: int = 0,
        # Byte position in the snapshot at which this piece starts.
        position: int = 0,
        # Bytes of the snapshot, cut at any byte.
        unaligned_records: RecordsValue = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.snapshot_id = SnapshotId() if snapshot_id is None else snapshot_id
        self.current_leader = LeaderIdAndEpoch() if current_leader is None else current_leader
        self.size = size
        self.position = position
        self.unaligned_records = unaligned_records
        self.unknown_tags = unknown_tags


class TopicSnapshot(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[PartitionSnapshot] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[PartitionSnapshot] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class NodeEndpoint(Message):
    """Where the leader named in this response can be reached."""

    __slots__ = ("node_id", "host", "port", "unknown_tags")

    def __init__(
        self,
        # Id of the node. (v1+)
        node_id: int = 0,
        # Host to connect to. (v1+)
        host: str = "",
        # Port to connect to. (v1+)
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class FetchSnapshotResponse(Message):
    """A piece of a metadata snapshot."""

    __slots__ = ("throttle_time_ms", "error_code", "topics", "node_endpoints", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # One result a topic.
        topics: Sequence[TopicSnapshot] = (),
        # Where the leader named in this response can be reached. (v1+, tag 0)
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics: Sequence[TopicSnapshot] = [] if topics == () else topics
        self.node_endpoints: Sequence[NodeEndpoint] = [] if node_endpoints == () else node_endpoints
        self.unknown_tags = unknown_tags


_read_2iB = Struct(">2iB").unpack_from
_read_2qB = Struct(">2qB").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_qiB = Struct(">qiB").unpack_from
_write_2ix = Struct(">2ix").pack
_write_2q = Struct(">2q").pack
_write_Hx = Struct(">Hx").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ihB = Struct(">ihB").pack
_write_qix = Struct(">qix").pack
_NO_LEADER_ID_AND_EPOCH = LeaderIdAndEpoch()


def _get_snapshot_id_v0(buf: bytes, at: int) -> tuple[SnapshotId, int]:
    m = new(SnapshotId)
    (m.end_offset, m.epoch, tags) = _read_qiB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_id_and_epoch_v0(buf: bytes, at: int) -> tuple[LeaderIdAndEpoch, int]:
    m = new(LeaderIdAndEpoch)
    (m.leader_id, m.leader_epoch, tags) = _read_2iB(buf, at)
    at += 9
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_partition_snapshot_v0(
    m: PartitionSnapshot, buf: bytes, view: memoryview, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            m.current_leader, at = _get_leader_id_and_epoch_v0(buf, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_snapshot_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[FetchSnapshotResponse, int]:
    m = new(FetchSnapshotResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
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
            n, at = long_count(buf, at, 37)
        partitions: list[PartitionSnapshot] = []
        topic_snapshot.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_snapshot = new(PartitionSnapshot)
            partitions.append(partition_snapshot)
            (partition_snapshot.index, partition_snapshot.error_code) = _read_ih(buf, at)
            at += 6
            partition_snapshot.snapshot_id, at = _get_snapshot_id_v0(buf, at)
            (partition_snapshot.size, partition_snapshot.position, n) = _read_2qB(buf, at)
            at += 17
            if n == 0 or n > 127:
                if n and 0 < buf[at] < 128:
                    n += (buf[at] << 7) - 128
                    at += 1
                else:
                    n, at = long_size(buf, at)
            end = at + n - 1
            partition_snapshot.unaligned_records = view[at:end]
            at = end
            tags = buf[at]
            at += 1
            partition_snapshot.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_snapshot.unknown_tags = ()
            if tags:
                at = _get_tags_partition_snapshot_v0(partition_snapshot, buf, view, at - 1)
        tags = buf[at]
        at += 1
        topic_snapshot.unknown_tags = ()
        if tags:
            topic_snapshot.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_fetch_snapshot_response_v1(
    m: FetchSnapshotResponse, buf: bytes, view: memoryview, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 8)
            node_endpoints: list[NodeEndpoint] = []
            m.node_endpoints = node_endpoints
            left_node_endpoints = n - 1
            while left_node_endpoints:
                left_node_endpoints -= 1
                node_endpoint = new(NodeEndpoint)
                node_endpoints.append(node_endpoint)
                (node_endpoint.node_id, n) = _read_iB(buf, at)
                at += 5
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                node_endpoint.host = buf[at:end].decode()
                at = end
                (node_endpoint.port, tags) = _read_HB(buf, at)
                at += 3
                node_endpoint.unknown_tags = ()
                if tags:
                    node_endpoint.unknown_tags, at = get_tags(buf, at - 1)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_snapshot_response_v1(
    buf: bytes, view: memoryview, at: int,
) -> tuple[FetchSnapshotResponse, int]:
    m = new(FetchSnapshotResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
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
            n, at = long_count(buf, at, 37)
        partitions: list[PartitionSnapshot] = []
        topic_snapshot.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_snapshot = new(PartitionSnapshot)
            partitions.append(partition_snapshot)
            (partition_snapshot.index, partition_snapshot.error_code) = _read_ih(buf, at)
            at += 6
            partition_snapshot.snapshot_id, at = _get_snapshot_id_v0(buf, at)
            (partition_snapshot.size, partition_snapshot.position, n) = _read_2qB(buf, at)
            at += 17
            if n == 0 or n > 127:
                if n and 0 < buf[at] < 128:
                    n += (buf[at] << 7) - 128
                    at += 1
                else:
                    n, at = long_size(buf, at)
            end = at + n - 1
            partition_snapshot.unaligned_records = view[at:end]
            at = end
            tags = buf[at]
            at += 1
            partition_snapshot.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_snapshot.unknown_tags = ()
            if tags:
                at = _get_tags_partition_snapshot_v0(partition_snapshot, buf, view, at - 1)
        tags = buf[at]
        at += 1
        topic_snapshot.unknown_tags = ()
        if tags:
            topic_snapshot.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_snapshot_response_v1(m, buf, view, at - 1)
    return m, at


def _put_snapshot_id_v0(out: Parts, m: SnapshotId) -> None:
    out.append(_write_qix(m.end_offset, m.epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_id_and_epoch_v0(out: Parts, m: LeaderIdAndEpoch) -> None:
    out.append(_write_2ix(m.leader_id, m.leader_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_partition_snapshot_v0(m: PartitionSnapshot) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if (
        ((current_leader := m.current_leader) is not _NO_LEADER_ID_AND_EPOCH and
            (current_leader.leader_id != 0 or current_leader.leader_epoch != 0 or
            current_leader.unknown_tags))
    ):
        part: Parts = []
        _put_leader_id_and_epoch_v0(part, m.current_leader)
        tags.append((0, joined(part)))
    return tags


def _put_fetch_snapshot_response_v0(out: Parts, m: FetchSnapshotResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
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
            out.append(_write_ih(partition_snapshot.index, partition_snapshot.error_code))
            _put_snapshot_id_v0(out, partition_snapshot.snapshot_id)
            unaligned_records = partition_snapshot.unaligned_records
            if unaligned_records is None:
                refuse_null("unaligned_records")
            n = len(unaligned_records) + 1
            out.append(_write_2q(partition_snapshot.size, partition_snapshot.position))
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if type(unaligned_records) is bytes:
                out.append(unaligned_records)
            else:
                put_records(out, unaligned_records)
            out.append(b"\0")
            if (
                partition_snapshot.unknown_tags
                or ((current_leader := partition_snapshot.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != 0 or
                    current_leader.leader_epoch != 0 or current_leader.unknown_tags))
            ):
                put_tags(
                    out, _tags_of_partition_snapshot_v0(partition_snapshot),
                    partition_snapshot.unknown_tags,
                )
        out.append(b"\0")
        if topic_snapshot.unknown_tags:
            put_tags(out, [], topic_snapshot.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_fetch_snapshot_response_v1(m: FetchSnapshotResponse) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.node_endpoints:
        part: Parts = []
        node_endpoints = m.node_endpoints
        n = len(node_endpoints) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for node_endpoint in node_endpoints:
            host = node_endpoint.host.encode()
            n = len(host) + 1
            part.append(_write_iB(node_endpoint.node_id, n if n < 128 else 0))
            if n > 127:
                lengthen_text(part, n)
            part.append(host)
            part.append(_write_Hx(node_endpoint.port))
            if node_endpoint.unknown_tags:
                put_tags(part, [], node_endpoint.unknown_tags)
        tags.append((0, joined(part)))
    return tags


def _put_fetch_snapshot_response_v1(out: Parts, m: FetchSnapshotResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
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
            out.append(_write_ih(partition_snapshot.index, partition_snapshot.error_code))
            _put_snapshot_id_v0(out, partition_snapshot.snapshot_id)
            unaligned_records = partition_snapshot.unaligned_records
            if unaligned_records is None:
                refuse_null("unaligned_records")
            n = len(unaligned_records) + 1
            out.append(_write_2q(partition_snapshot.size, partition_snapshot.position))
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if type(unaligned_records) is bytes:
                out.append(unaligned_records)
            else:
                put_records(out, unaligned_records)
            out.append(b"\0")
            if (
                partition_snapshot.unknown_tags
                or ((current_leader := partition_snapshot.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != 0 or
                    current_leader.leader_epoch != 0 or current_leader.unknown_tags))
            ):
                put_tags(
                    out, _tags_of_partition_snapshot_v0(partition_snapshot),
                    partition_snapshot.unknown_tags,
                )
        out.append(b"\0")
        if topic_snapshot.unknown_tags:
            put_tags(out, [], topic_snapshot.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags or m.node_endpoints:
        put_tags(out, _tags_of_fetch_snapshot_response_v1(m), m.unknown_tags)


_GET = {0: _get_fetch_snapshot_response_v0, 1: _get_fetch_snapshot_response_v1}
_PUT = {0: _put_fetch_snapshot_response_v0, 1: _put_fetch_snapshot_response_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> FetchSnapshotResponse:
    """The FetchSnapshotResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[FetchSnapshotResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: FetchSnapshotResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: FetchSnapshotResponse, version: int) -> None:
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
_LEADER_ID_AND_EPOCH_SHAPE: Shape = (
    LeaderIdAndEpoch,
    (
        ("leaderId", "leader_id", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
    ),
)
_PARTITION_SNAPSHOT_SHAPE: Shape = (
    PartitionSnapshot,
    (
        ("index", "index", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "snapshotId", "snapshot_id", "SnapshotId", (0, 1), None, None, None, UNSET, False,
            (0, 1), _SNAPSHOT_ID_SHAPE,
        ),
        (
            "currentLeader", "current_leader", "LeaderIdAndEpoch", (0, 1), None, 0, (0, 1), UNSET,
            False, (0, 1), _LEADER_ID_AND_EPOCH_SHAPE,
        ),
        ("size", "size", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("position", "position", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "unalignedRecords", "unaligned_records", "records", (0, 1), None, None, None, b"",
            False, (0, 1), None,
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
_NODE_ENDPOINT_SHAPE: Shape = (
    NodeEndpoint,
    (
        ("nodeId", "node_id", "int32", (1, 1), None, None, None, 0, False, (0, 1), None),
        ("host", "host", "string", (1, 1), None, None, None, "", False, (0, 1), None),
        ("port", "port", "uint16", (1, 1), None, None, None, 0, False, (0, 1), None),
    ),
)
_FETCH_SNAPSHOT_RESPONSE_SHAPE: Shape = (
    FetchSnapshotResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, True,
            (0, 1), None,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "topics", "topics", "[]TopicSnapshot", (0, 1), None, None, None, (), False, (0, 1),
            _TOPIC_SNAPSHOT_SHAPE,
        ),
        (
            "nodeEndpoints", "node_endpoints", "[]NodeEndpoint", (1, 1), None, 0, (1, 1), (), False,
            (0, 1), _NODE_ENDPOINT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_FETCH_SNAPSHOT_RESPONSE_SHAPE, (0, 1), (0, 1))
