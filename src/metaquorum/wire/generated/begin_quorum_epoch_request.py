# GENERATED from schemas/begin_quorum_epoch_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 3f1ccce7d18a953f, generator 1.
"""A new leader of the quorum tells a voter that its epoch began (KIP-595). Api key 53, versions
0-1, flexible from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 53
NAME: Final = "BeginQuorumEpochRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class PartitionData(Message):
    """One row a partition."""

    __slots__ = (
        "partition_index", "voter_directory_id", "leader_id", "leader_epoch", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Log directory of the voter the request is meant for; zeros when unknown. (v1+)
        voter_directory_id: bytes = ZERO_UUID,
        # Node that leads the epoch.
        leader_id: int = 0,
        # Epoch that begins.
        leader_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.voter_directory_id = voter_directory_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Topic of the quorum's log.
        topic_name: str = "",
        # One row a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class LeaderEndpoint(Message):
    """Where the new leader can be reached."""

    __slots__ = ("name", "host", "port", "unknown_tags")

    def __init__(
        self,
        # Name of the listener. (v1+)
        name: str = "",
        # Host to connect to. (v1+)
        host: str = "",
        # Port to connect to. (v1+)
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class BeginQuorumEpochRequest(Message):
    """A new leader of the quorum tells a voter that its epoch began (KIP-595)."""

    __slots__ = ("cluster_id", "voter_id", "topics", "leader_endpoints", "unknown_tags")

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked.
        cluster_id: str | None = None,
        # Voter the request is meant for; -1 when not given. (v1+)
        voter_id: int = -1,
        # One row a topic.
        topics: Sequence[TopicData] = (),
        # Where the new leader can be reached. (v1+)
        leader_endpoints: Sequence[LeaderEndpoint] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.leader_endpoints: Sequence[LeaderEndpoint] = (
            [] if leader_endpoints == () else leader_endpoints
        )
        self.unknown_tags = unknown_tags


_read_3i = Struct(">3i").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_i16s2iB = Struct(">i16s2iB").unpack_from
_read_iB = Struct(">iB").unpack_from
_rows_3i = Struct(">3i").iter_unpack
_rows_i16s2ix = Struct(">i16s2ix").iter_unpack
_write_3i = Struct(">3i").pack
_write_Hx = Struct(">Hx").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i16s2ix = Struct(">i16s2ix").pack
_write_iB = Struct(">iB").pack


def _get_begin_quorum_epoch_request_v0(buf: bytes, at: int) -> tuple[BeginQuorumEpochRequest, int]:
    m = new(BeginQuorumEpochRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.cluster_id = None
    else:
        end = at + n
        m.cluster_id = buf[at:end].decode()
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[TopicData] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        topic_data = new(TopicData)
        topics.append(topic_data)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_data.topic_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 12)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 12 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_3i(buf[at:end])):
                (
                    partition_data.partition_index, partition_data.leader_id,
                    partition_data.leader_epoch,
                ) = values
                partition_data.voter_directory_id = ZERO_UUID
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.leader_id,
                partition_data.leader_epoch,
            ) = _read_3i(buf, at)
            at += 12
            partition_data.voter_directory_id = ZERO_UUID
            partition_data.unknown_tags = ()
        topic_data.unknown_tags = ()
    m.voter_id = -1
    m.leader_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_begin_quorum_epoch_request_v1(buf: bytes, at: int) -> tuple[BeginQuorumEpochRequest, int]:
    m = new(BeginQuorumEpochRequest)
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
    (m.voter_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TopicData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_data = new(TopicData)
        topics.append(topic_data)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_data.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 29)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 28 : at + 29 * left_partitions : 29] == bytes(left_partitions)
        ):
            end = at + 29 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_i16s2ix(buf[at:end])):
                (
                    partition_data.partition_index, partition_data.voter_directory_id,
                    partition_data.leader_id, partition_data.leader_epoch,
                ) = values
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.voter_directory_id,
                partition_data.leader_id, partition_data.leader_epoch, tags,
            ) = _read_i16s2iB(buf, at)
            at += 29
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    leader_endpoints: list[LeaderEndpoint] = []
    m.leader_endpoints = leader_endpoints
    left_leader_endpoints = n - 1
    while left_leader_endpoints:
        left_leader_endpoints -= 1
        leader_endpoint = new(LeaderEndpoint)
        leader_endpoints.append(leader_endpoint)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        leader_endpoint.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        leader_endpoint.host = buf[at:end].decode()
        at = end
        (leader_endpoint.port, tags) = _read_HB(buf, at)
        at += 3
        leader_endpoint.unknown_tags = ()
        if tags:
            leader_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_begin_quorum_epoch_request_v0(out: Parts, m: BeginQuorumEpochRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = -1 if m.cluster_id is None else len(cluster_id)
    out.append(_write_h(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for topic_data in topics:
        if topic_data.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = topic_data.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        partitions = topic_data.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_data in partitions:
            if partition_data.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_3i(
                partition_data.partition_index, partition_data.leader_id,
                partition_data.leader_epoch,
            ))


def _put_begin_quorum_epoch_request_v1(out: Parts, m: BeginQuorumEpochRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.voter_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_data in topics:
        topic_name = topic_data.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = topic_data.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_data in partitions:
            if len(partition_data.voter_directory_id) != 16:
                refuse_uuid("voter_directory_id")
            out.append(_write_i16s2ix(
                partition_data.partition_index, partition_data.voter_directory_id,
                partition_data.leader_id, partition_data.leader_epoch,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    leader_endpoints = m.leader_endpoints
    n = len(leader_endpoints) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for leader_endpoint in leader_endpoints:
        name = leader_endpoint.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = leader_endpoint.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hx(leader_endpoint.port))
        if leader_endpoint.unknown_tags:
            put_tags(out, [], leader_endpoint.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_begin_quorum_epoch_request_v0, 1: _get_begin_quorum_epoch_request_v1}
_PUT = {0: _put_begin_quorum_epoch_request_v0, 1: _put_begin_quorum_epoch_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> BeginQuorumEpochRequest:
    """The BeginQuorumEpochRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[BeginQuorumEpochRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: BeginQuorumEpochRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: BeginQuorumEpochRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 1), None, None, None, 0, False,
            (1, 1), None,
        ),
        (
            "voterDirectoryId", "voter_directory_id", "uuid", (1, 1), None, None, None, ZERO_UUID,
            True, (1, 1), None,
        ),
        ("leaderId", "leader_id", "int32", (0, 1), None, None, None, 0, False, (1, 1), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 1), None, None, None, 0, False, (1, 1), None),
    ),
)
_TOPIC_DATA_SHAPE: Shape = (
    TopicData,
    (
        ("topicName", "topic_name", "string", (0, 1), None, None, None, "", False, (1, 1), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 1), None, None, None, (), False,
            (1, 1), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_LEADER_ENDPOINT_SHAPE: Shape = (
    LeaderEndpoint,
    (
        ("name", "name", "string", (1, 1), None, None, None, "", False, (1, 1), None),
        ("host", "host", "string", (1, 1), None, None, None, "", False, (1, 1), None),
        ("port", "port", "uint16", (1, 1), None, None, None, 0, False, (1, 1), None),
    ),
)
_BEGIN_QUORUM_EPOCH_REQUEST_SHAPE: Shape = (
    BeginQuorumEpochRequest,
    (
        (
            "clusterId", "cluster_id", "string", (0, 1), (0, 1), None, None, None, False, (1, 1),
            None,
        ),
        ("voterId", "voter_id", "int32", (1, 1), None, None, None, -1, True, (1, 1), None),
        (
            "topics", "topics", "[]TopicData", (0, 1), None, None, None, (), False, (1, 1),
            _TOPIC_DATA_SHAPE,
        ),
        (
            "leaderEndpoints", "leader_endpoints", "[]LeaderEndpoint", (1, 1), None, None, None, (),
            True, (1, 1), _LEADER_ENDPOINT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_BEGIN_QUORUM_EPOCH_REQUEST_SHAPE, (0, 1), (1, 1))
