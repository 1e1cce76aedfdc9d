# GENERATED from schemas/end_quorum_epoch_request.json by `make generate`: edit the schema, not this file.
# Schema xxh3 05618435bd288c61, generator 1.
"""A leader of the quorum gives up its epoch (KIP-595). Api key 54, versions 0-1, flexible from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    many, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 54
NAME: Final = "EndQuorumEpochRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class ReplicaInfo(Message):
    """Voters to succeed the leader, best first, with their log directories."""

    __slots__ = ("candidate_id", "candidate_directory_id", "unknown_tags")

    def __init__(
        self,
        # Node of the preferred successor. (v1+)
        candidate_id: int = 0,
        # Log directory of the preferred successor. (v1+)
        candidate_directory_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.candidate_id = candidate_id
        self.candidate_directory_id = candidate_directory_id
        self.unknown_tags = unknown_tags


class PartitionData(Message):
    """One row a partition."""

    __slots__ = (
        "partition_index", "leader_id", "leader_epoch", "preferred_successors",
        "preferred_candidates", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Node that gives up leading.
        leader_id: int = 0,
        # Epoch that ends.
        leader_epoch: int = 0,
        # Voters to succeed the leader, best first. (v0)
        preferred_successors: Sequence[int] = (),
        # Voters to succeed the leader, best first, with their log directories. (v1+)
        preferred_candidates: Sequence[ReplicaInfo] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.preferred_successors: Sequence[int] = [] if preferred_successors == () else preferred_successors
        self.preferred_candidates: Sequence[ReplicaInfo] = [] if preferred_candidates == () else preferred_candidates
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # One row a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class LeaderEndpoint(Message):
    """Where the resigning leader can be reached."""

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


class EndQuorumEpochRequest(Message):
    """A leader of the quorum gives up its epoch (KIP-595)."""

    __slots__ = ("cluster_id", "topics", "leader_endpoints", "unknown_tags")

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked.
        cluster_id: str | None = None,
        # One row a topic.
        topics: Sequence[TopicData] = (),
        # Where the resigning leader can be reached. (v1+)
        leader_endpoints: Sequence[LeaderEndpoint] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.leader_endpoints: Sequence[LeaderEndpoint] = [] if leader_endpoints == () else leader_endpoints
        self.unknown_tags = unknown_tags


_read_3iB = Struct(">3iB").unpack_from
_read_4i = Struct(">4i").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_i16sB = Struct(">i16sB").unpack_from
_rows_i16sx = Struct(">i16sx").iter_unpack
_write_3iB = Struct(">3iB").pack
_write_4i = Struct(">4i").pack
_write_Hx = Struct(">Hx").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i16sx = Struct(">i16sx").pack


def _get_many_partition_data_v0(buf: bytes, at: int, count: int) -> tuple[list[PartitionData], int]:
    found: list[PartitionData] = []
    for _ in range(count):
        m = new(PartitionData)
        (m.partition_index, m.leader_id, m.leader_epoch, n) = _read_4i(buf, at)
        at += 16
        if not 0 <= n < 128:
            check_count(buf, at, n, 4)
        m.preferred_successors = [*many("i", n).unpack_from(buf, at)]
        at += 4 * n
        m.preferred_candidates = []
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_many_topic_data_v0(buf: bytes, at: int, count: int) -> tuple[list[TopicData], int]:
    found: list[TopicData] = []
    for _ in range(count):
        m = new(TopicData)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.topic_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        m.partitions, at = _get_many_partition_data_v0(buf, at, n)
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_end_quorum_epoch_request_v0(buf: bytes, at: int) -> tuple[EndQuorumEpochRequest, int]:
    m = new(EndQuorumEpochRequest)
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
    m.topics, at = _get_many_topic_data_v0(buf, at, n)
    m.leader_endpoints = []
    m.unknown_tags = ()
    return m, at


def _get_many_replica_info_v1(buf: bytes, at: int, count: int) -> tuple[list[ReplicaInfo], int]:
    found: list[ReplicaInfo] = []
    end = at + 21 * count
    if count > 2 and buf[at + 20 : end : 21] == bytes(count):
        for row in _rows_i16sx(buf[at:end]):
            m = new(ReplicaInfo)
            (m.candidate_id, m.candidate_directory_id) = row
            m.unknown_tags = ()
            found.append(m)
        return found, end
    for _ in range(count):
        m = new(ReplicaInfo)
        (m.candidate_id, m.candidate_directory_id, tags) = _read_i16sB(buf, at)
        at += 21
        m.unknown_tags = ()
        if tags:
            m.unknown_tags, at = get_tags(buf, at - 1)
        found.append(m)
    return found, at


def _get_many_partition_data_v1(buf: bytes, at: int, count: int) -> tuple[list[PartitionData], int]:
    found: list[PartitionData] = []
    for _ in range(count):
        m = new(PartitionData)
        (m.partition_index, m.leader_id, m.leader_epoch, n) = _read_3iB(buf, at)
        at += 13
        if not 0 < n < 128:
            n, at = long_count(buf, at, 21)
        m.preferred_candidates, at = _get_many_replica_info_v1(buf, at, n - 1)
        tags = buf[at]
        at += 1
        m.preferred_successors = []
        m.unknown_tags = ()
        if tags:
            m.unknown_tags, at = get_tags(buf, at - 1)
        found.append(m)
    return found, at


def _get_many_topic_data_v1(buf: bytes, at: int, count: int) -> tuple[list[TopicData], int]:
    found: list[TopicData] = []
    for _ in range(count):
        m = new(TopicData)
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_count(buf, at, 14)
        m.partitions, at = _get_many_partition_data_v1(buf, at, n - 1)
        tags = buf[at]
        at += 1
        m.unknown_tags = ()
        if tags:
            m.unknown_tags, at = get_tags(buf, at - 1)
        found.append(m)
    return found, at


def _get_many_leader_endpoint_v1(
    buf: bytes, at: int, count: int,
) -> tuple[list[LeaderEndpoint], int]:
    found: list[LeaderEndpoint] = []
    for _ in range(count):
        m = new(LeaderEndpoint)
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.host = buf[at:end].decode()
        at = end
        (m.port, tags) = _read_HB(buf, at)
        at += 3
        m.unknown_tags = ()
        if tags:
            m.unknown_tags, at = get_tags(buf, at - 1)
        found.append(m)
    return found, at


def _get_end_quorum_epoch_request_v1(buf: bytes, at: int) -> tuple[EndQuorumEpochRequest, int]:
    m = new(EndQuorumEpochRequest)
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
    n = buf[at]
    at += 1
    if not 0 < n < 128:
        n, at = long_count(buf, at, 3)
    m.topics, at = _get_many_topic_data_v1(buf, at, n - 1)
    n = buf[at]
    at += 1
    if not 0 < n < 128:
        n, at = long_count(buf, at, 5)
    m.leader_endpoints, at = _get_many_leader_endpoint_v1(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_many_partition_data_v0(out: Parts, messages: Sequence[PartitionData]) -> None:
    for m in messages:
        if m.unknown_tags:
            refuse_field("unknown_tags")
        preferred_successors = m.preferred_successors
        n = len(preferred_successors)
        out.append(_write_4i(m.partition_index, m.leader_id, m.leader_epoch, n))
        out.append(many("i", n).pack(*preferred_successors))


def _put_many_topic_data_v0(out: Parts, messages: Sequence[TopicData]) -> None:
    for m in messages:
        if m.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = m.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        partitions = m.partitions
        n = len(partitions)
        out.append(_write_i(n))
        _put_many_partition_data_v0(out, partitions)


def _put_end_quorum_epoch_request_v0(out: Parts, m: EndQuorumEpochRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = -1 if m.cluster_id is None else len(cluster_id)
    out.append(_write_h(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    _put_many_topic_data_v0(out, topics)


def _put_many_replica_info_v1(out: Parts, messages: Sequence[ReplicaInfo]) -> None:
    for m in messages:
        if len(m.candidate_directory_id) != 16:
            refuse_uuid("candidate_directory_id")
        out.append(_write_i16sx(m.candidate_id, m.candidate_directory_id))
        if (m.unknown_tags):
            put_tags(out, [], m.unknown_tags)


def _put_many_partition_data_v1(out: Parts, messages: Sequence[PartitionData]) -> None:
    for m in messages:
        preferred_candidates = m.preferred_candidates
        n = len(preferred_candidates) + 1
        out.append(_write_3iB(m.partition_index, m.leader_id, m.leader_epoch, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        _put_many_replica_info_v1(out, preferred_candidates)
        out.append(b"\0")
        if (m.unknown_tags):
            put_tags(out, [], m.unknown_tags)


def _put_many_topic_data_v1(out: Parts, messages: Sequence[TopicData]) -> None:
    for m in messages:
        topic_name = m.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = m.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        _put_many_partition_data_v1(out, partitions)
        out.append(b"\0")
        if (m.unknown_tags):
            put_tags(out, [], m.unknown_tags)


def _put_many_leader_endpoint_v1(out: Parts, messages: Sequence[LeaderEndpoint]) -> None:
    for m in messages:
        name = m.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = m.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hx(m.port))
        if (m.unknown_tags):
            put_tags(out, [], m.unknown_tags)


def _put_end_quorum_epoch_request_v1(out: Parts, m: EndQuorumEpochRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    _put_many_topic_data_v1(out, topics)
    leader_endpoints = m.leader_endpoints
    n = len(leader_endpoints) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    _put_many_leader_endpoint_v1(out, leader_endpoints)
    out.append(b"\0")
    if (m.unknown_tags):
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_end_quorum_epoch_request_v0, 1: _get_end_quorum_epoch_request_v1}
_PUT = {0: _put_end_quorum_epoch_request_v0, 1: _put_end_quorum_epoch_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> EndQuorumEpochRequest:
    """The EndQuorumEpochRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        message, end = _GET[version](data, at)
        if end > len(data):
            raise IndexError
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None
    return message


def get(buf: Buffer, at: int, version: int) -> tuple[EndQuorumEpochRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        message, end = _GET[version](data, at)
        if end > len(data):
            raise IndexError
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None
    return message, end


def encode(message: EndQuorumEpochRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    put(out, message, version)
    return joined(out)


def put(parts: Parts, message: EndQuorumEpochRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REPLICA_INFO_SHAPE: Shape = (
    ReplicaInfo,
    (
        ("candidateId", "candidate_id", "int32", (1, 1), None, None, None, 0, False, (1, 1), None),
        (
            "candidateDirectoryId", "candidate_directory_id", "uuid", (1, 1), None, None, None,
            ZERO_UUID, False, (1, 1), None,
        ),
    ),
)
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 1), None, None, None, 0, False,
            (1, 1), None,
        ),
        ("leaderId", "leader_id", "int32", (0, 1), None, None, None, 0, False, (1, 1), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 1), None, None, None, 0, False, (1, 1), None),
        (
            "preferredSuccessors", "preferred_successors", "[]int32", (0, 0), None, None, None, (),
            True, (1, 1), None,
        ),
        (
            "preferredCandidates", "preferred_candidates", "[]ReplicaInfo", (1, 1), None, None,
            None, (), True, (1, 1), _REPLICA_INFO_SHAPE,
        ),
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
_END_QUORUM_EPOCH_REQUEST_SHAPE: Shape = (
    EndQuorumEpochRequest,
    (
        (
            "clusterId", "cluster_id", "string", (0, 1), (0, 1), None, None, None, False, (1, 1),
            None,
        ),
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
SHAPE: Shape = (_END_QUORUM_EPOCH_REQUEST_SHAPE, (0, 1), (1, 1))
