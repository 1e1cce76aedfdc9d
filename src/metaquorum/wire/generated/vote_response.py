# GENERATED from schemas/vote_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 028b02c0cb876a7c, generator 1.
"""The voter grants or refuses, and says which leader and epoch it knows. Api key 52, versions 0-2,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen, lengthen_text, long_count, long_head,
    long_text, long_text_head, put_tags, refuse_field, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 52
NAME: Final = "VoteResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionData(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "error_code", "leader_id", "leader_epoch", "vote_granted",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Node that leads; -1 when unknown.
        leader_id: int = 0,
        # Newest epoch the sender knows.
        leader_epoch: int = 0,
        # True when the voter gives its vote.
        vote_granted: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.vote_granted = vote_granted
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One result a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # One result a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
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


class VoteResponse(Message):
    """The voter grants or refuses, and says which leader and epoch it knows."""

    __slots__ = ("error_code", "topics", "node_endpoints", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # One result a topic.
        topics: Sequence[TopicData] = (),
        # Where the leader named in this response can be reached. (v1+, tag 0)
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.node_endpoints: Sequence[NodeEndpoint] = [] if node_endpoints == () else node_endpoints
        self.unknown_tags = unknown_tags


_read_HB = Struct(">HB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih2itB = Struct(">ih2i?B").unpack_from
_rows_ih2itx = Struct(">ih2i?x").iter_unpack
_write_Hx = Struct(">Hx").pack
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack
_write_ih2itx = Struct(">ih2i?x").pack


def _get_vote_response_v0(buf: bytes, at: int) -> tuple[VoteResponse, int]:
    m = new(VoteResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
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
            n, at = long_count(buf, at, 16)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 15 : at + 16 * left_partitions : 16] == bytes(left_partitions)
        ):
            end = at + 16 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_ih2itx(buf[at:end])):
                (
                    partition_data.partition_index, partition_data.error_code,
                    partition_data.leader_id, partition_data.leader_epoch,
                    partition_data.vote_granted,
                ) = values
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.vote_granted, tags,
            ) = _read_ih2itB(buf, at)
            at += 16
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_vote_response_v1(m: VoteResponse, buf: bytes, at: int) -> int:
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


def _get_vote_response_v1(buf: bytes, at: int) -> tuple[VoteResponse, int]:
    m = new(VoteResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
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
            n, at = long_count(buf, at, 16)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 15 : at + 16 * left_partitions : 16] == bytes(left_partitions)
        ):
            end = at + 16 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_ih2itx(buf[at:end])):
                (
                    partition_data.partition_index, partition_data.error_code,
                    partition_data.leader_id, partition_data.leader_epoch,
                    partition_data.vote_granted,
                ) = values
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.vote_granted, tags,
            ) = _read_ih2itB(buf, at)
            at += 16
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        at = _get_tags_vote_response_v1(m, buf, at - 1)
    return m, at


def _put_vote_response_v0(out: Parts, m: VoteResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
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
            out.append(_write_ih2itx(
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.vote_granted,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_vote_response_v1(m: VoteResponse) -> list[tuple[int, bytes]]:
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


def _put_vote_response_v1(out: Parts, m: VoteResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
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
            out.append(_write_ih2itx(
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.vote_granted,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags or m.node_endpoints:
        put_tags(out, _tags_of_vote_response_v1(m), m.unknown_tags)


_GET = {0: _get_vote_response_v0, 1: _get_vote_response_v1, 2: _get_vote_response_v1}
_PUT = {0: _put_vote_response_v0, 1: _put_vote_response_v1, 2: _put_vote_response_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> VoteResponse:
    """The VoteResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[VoteResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: VoteResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: VoteResponse, version: int) -> None:
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
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("leaderId", "leader_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "voteGranted", "vote_granted", "bool", (0, 2), None, None, None, False, False, (0, 2),
            None,
        ),
    ),
)
_TOPIC_DATA_SHAPE: Shape = (
    TopicData,
    (
        ("topicName", "topic_name", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 2), None, None, None, (), False,
            (0, 2), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_NODE_ENDPOINT_SHAPE: Shape = (
    NodeEndpoint,
    (
        ("nodeId", "node_id", "int32", (1, 2), None, None, None, 0, False, (0, 2), None),
        ("host", "host", "string", (1, 2), None, None, None, "", False, (0, 2), None),
        ("port", "port", "uint16", (1, 2), None, None, None, 0, False, (0, 2), None),
    ),
)
_VOTE_RESPONSE_SHAPE: Shape = (
    VoteResponse,
    (
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "topics", "topics", "[]TopicData", (0, 2), None, None, None, (), False, (0, 2),
            _TOPIC_DATA_SHAPE,
        ),
        (
            "nodeEndpoints", "node_endpoints", "[]NodeEndpoint", (1, 2), None, 0, (1, 2), (), False,
            (0, 2), _NODE_ENDPOINT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_VOTE_RESPONSE_SHAPE, (0, 2), (0, 2))
