# GENERATED from schemas/end_quorum_epoch_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 05618435bd288c61, generator 1.
"""A leader of the quorum gives up its epoch (KIP-595). Api key 54, versions 0-1, flexible from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, refuse_uuid, whole,
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
        self.preferred_successors: Sequence[int] = (
            [] if preferred_successors == () else preferred_successors
        )
        self.preferred_candidates: Sequence[ReplicaInfo] = (
            [] if preferred_candidates == () else preferred_candidates
        )
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
        self.leader_endpoints: Sequence[LeaderEndpoint] = (
            [] if leader_endpoints == () else leader_endpoints
        )
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_3iB = Struct(">3iB").unpack_from
_read_4i = Struct(">4i").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_i16sB = Struct(">i16sB").unpack_from
_rows_i16sx = Struct(">i16sx").iter_unpack
_write_3iB = Struct(">3iB").pack
_write_Hx = Struct(">Hx").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i16sx = Struct(">i16sx").pack
_write_4i_many_i = ArrayWrites("iiii *i")


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
            check_count(buf, at, n, 16)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.leader_id,
                partition_data.leader_epoch, n_preferred_successors,
            ) = _read_4i(buf, at)
            at += 16
            if not 0 <= n_preferred_successors < 128:
                check_count(buf, at, n_preferred_successors, 4)
            partition_data.preferred_successors = [*_read_array_ni[n_preferred_successors](buf, at)]
            at += 4 * n_preferred_successors
            partition_data.preferred_candidates = []
            partition_data.unknown_tags = ()
        topic_data.unknown_tags = ()
    m.leader_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


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
            n, at = long_count(buf, at, 14)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.leader_id,
                partition_data.leader_epoch, n,
            ) = _read_3iB(buf, at)
            at += 13
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 21)
            preferred_candidates: list[ReplicaInfo] = []
            partition_data.preferred_candidates = preferred_candidates
            left_preferred_candidates = n - 1
            if (
                left_preferred_candidates > 4
                and buf[at + 20 : at + 21 * left_preferred_candidates : 21] ==
                    bytes(left_preferred_candidates)
            ):
                end = at + 21 * left_preferred_candidates
                preferred_candidates += map(new, repeat(ReplicaInfo, left_preferred_candidates))
                left_preferred_candidates = 0
                for replica_info, values in zip(preferred_candidates, _rows_i16sx(buf[at:end])):
                    (replica_info.candidate_id, replica_info.candidate_directory_id) = values
                    replica_info.unknown_tags = ()
                at = end
            while left_preferred_candidates:
                left_preferred_candidates -= 1
                replica_info = new(ReplicaInfo)
                preferred_candidates.append(replica_info)
                (
                    replica_info.candidate_id, replica_info.candidate_directory_id, tags,
                ) = _read_i16sB(buf, at)
                at += 21
                replica_info.unknown_tags = ()
                if tags:
                    replica_info.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            partition_data.preferred_successors = []
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
            preferred_successors = partition_data.preferred_successors
            n_preferred_successors = len(preferred_successors)
            write = _write_4i_many_i[n_preferred_successors]
            out.append(write(
                partition_data.partition_index, partition_data.leader_id,
                partition_data.leader_epoch, n_preferred_successors, *preferred_successors,
            ))


def _put_end_quorum_epoch_request_v1(out: Parts, m: EndQuorumEpochRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_data in topics:
        topic_name = topic_data.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = topic_data.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_data in partitions:
            preferred_candidates = partition_data.preferred_candidates
            n = len(preferred_candidates) + 1
            out.append(_write_3iB(
                partition_data.partition_index, partition_data.leader_id,
                partition_data.leader_epoch, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for replica_info in preferred_candidates:
                if len(replica_info.candidate_directory_id) != 16:
                    refuse_uuid("candidate_directory_id")
                out.append(_write_i16sx(
                    replica_info.candidate_id, replica_info.candidate_directory_id,
                ))
                if replica_info.unknown_tags:
                    put_tags(out, [], replica_info.unknown_tags)
            out.append(b"\0")
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


_GET = {0: _get_end_quorum_epoch_request_v0, 1: _get_end_quorum_epoch_request_v1}
_PUT = {0: _put_end_quorum_epoch_request_v0, 1: _put_end_quorum_epoch_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> EndQuorumEpochRequest:
    """The EndQuorumEpochRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[EndQuorumEpochRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: EndQuorumEpochRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
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
