# GENERATED from schemas/share_acknowledge_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a752745a7679fea6, generator 1.
"""Says for each partition whether the acknowledgements counted. Api key 79, versions 0-2, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 79
NAME: Final = "ShareAcknowledgeResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class LeaderIdAndEpoch(Message):
    """Leader that the server knows, sent when it helps the client to move on."""

    __slots__ = ("leader_id", "leader_epoch", "unknown_tags")

    def __init__(
        self,
        # Broker that leads the partition; -1 when there is none.
        leader_id: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class PartitionData(Message):
    """One result a partition."""

    __slots__ = ("partition_index", "error_code", "error_message", "current_leader", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Leader that the server knows, sent when it helps the client to move on.
        current_leader: LeaderIdAndEpoch | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is None else current_leader
        self.unknown_tags = unknown_tags


class ShareAcknowledgeTopicResponse(Message):
    """One result a topic."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class NodeEndpoint(Message):
    """Where the leaders named in this response can be reached."""

    __slots__ = ("node_id", "host", "port", "rack", "unknown_tags")

    def __init__(
        self,
        # Id of the node.
        node_id: int = 0,
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        # Rack of the node; null when it has none.
        rack: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack
        self.unknown_tags = unknown_tags


class ShareAcknowledgeResponse(Message):
    """Says for each partition whether the acknowledgements counted."""

    __slots__ = (
        "throttle_time_ms", "error_code", "error_message", "acquisition_lock_timeout_ms",
        "responses", "node_endpoints", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Milliseconds a member may keep records before others get them. (v2+)
        acquisition_lock_timeout_ms: int = 0,
        # One result a topic.
        responses: Sequence[ShareAcknowledgeTopicResponse] = (),
        # Where the leaders named in this response can be reached.
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.acquisition_lock_timeout_ms = acquisition_lock_timeout_ms
        self.responses: Sequence[ShareAcknowledgeTopicResponse] = (
            [] if responses == () else responses
        )
        self.node_endpoints: Sequence[NodeEndpoint] = [] if node_endpoints == () else node_endpoints
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2ix = Struct(">2ix").pack
_write_iB = Struct(">iB").pack
_write_ihB = Struct(">ihB").pack


def _get_leader_id_and_epoch_v0(buf: bytes, at: int) -> tuple[LeaderIdAndEpoch, int]:
    m = new(LeaderIdAndEpoch)
    (m.leader_id, m.leader_epoch, tags) = _read_2iB(buf, at)
    at += 9
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_share_acknowledge_response_v0(buf: bytes, at: int) -> tuple[ShareAcknowledgeResponse, int]:
    m = new(ShareAcknowledgeResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    responses: list[ShareAcknowledgeTopicResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_response = new(ShareAcknowledgeTopicResponse)
        responses.append(topic_response)
        (topic_response.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 17)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (partition_data.partition_index, partition_data.error_code, n) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_data.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_data.error_message = buf[at:end].decode()
                at = end
            partition_data.current_leader, at = _get_leader_id_and_epoch_v0(buf, at)
            tags = buf[at]
            at += 1
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
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
        (node_endpoint.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            node_endpoint.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            node_endpoint.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        node_endpoint.unknown_tags = ()
        if tags:
            node_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.acquisition_lock_timeout_ms = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_share_acknowledge_response_v2(buf: bytes, at: int) -> tuple[ShareAcknowledgeResponse, int]:
    m = new(ShareAcknowledgeResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    (m.acquisition_lock_timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    responses: list[ShareAcknowledgeTopicResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_response = new(ShareAcknowledgeTopicResponse)
        responses.append(topic_response)
        (topic_response.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 17)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (partition_data.partition_index, partition_data.error_code, n) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_data.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_data.error_message = buf[at:end].decode()
                at = end
            partition_data.current_leader, at = _get_leader_id_and_epoch_v0(buf, at)
            tags = buf[at]
            at += 1
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
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
        (node_endpoint.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            node_endpoint.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            node_endpoint.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        node_endpoint.unknown_tags = ()
        if tags:
            node_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_leader_id_and_epoch_v0(out: Parts, m: LeaderIdAndEpoch) -> None:
    out.append(_write_2ix(m.leader_id, m.leader_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_share_acknowledge_response_v0(out: Parts, m: ShareAcknowledgeResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    responses = m.responses
    n = len(responses) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_response in responses:
        if len(topic_response.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(topic_response.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            error_message_ = (
                b"" if partition_data.error_message is None else
                partition_data.error_message.encode()
            )
            n = 0 if partition_data.error_message is None else len(error_message_) + 1
            out.append(_write_ihB(
                partition_data.partition_index, partition_data.error_code, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message_)
            _put_leader_id_and_epoch_v0(out, partition_data.current_leader)
            out.append(b"\0")
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    node_endpoints = m.node_endpoints
    n = len(node_endpoints) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for node_endpoint in node_endpoints:
        host = node_endpoint.host.encode()
        n = len(host) + 1
        out.append(_write_iB(node_endpoint.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if node_endpoint.rack is None else node_endpoint.rack.encode()
        n = 0 if node_endpoint.rack is None else len(rack) + 1
        out.append(_write_iB(node_endpoint.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if node_endpoint.unknown_tags:
            put_tags(out, [], node_endpoint.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_share_acknowledge_response_v2(out: Parts, m: ShareAcknowledgeResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_iB(m.acquisition_lock_timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_response in responses:
        if len(topic_response.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(topic_response.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            error_message_ = (
                b"" if partition_data.error_message is None else
                partition_data.error_message.encode()
            )
            n = 0 if partition_data.error_message is None else len(error_message_) + 1
            out.append(_write_ihB(
                partition_data.partition_index, partition_data.error_code, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message_)
            _put_leader_id_and_epoch_v0(out, partition_data.current_leader)
            out.append(b"\0")
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    node_endpoints = m.node_endpoints
    n = len(node_endpoints) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for node_endpoint in node_endpoints:
        host = node_endpoint.host.encode()
        n = len(host) + 1
        out.append(_write_iB(node_endpoint.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if node_endpoint.rack is None else node_endpoint.rack.encode()
        n = 0 if node_endpoint.rack is None else len(rack) + 1
        out.append(_write_iB(node_endpoint.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if node_endpoint.unknown_tags:
            put_tags(out, [], node_endpoint.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_share_acknowledge_response_v0, 1: _get_share_acknowledge_response_v0,
    2: _get_share_acknowledge_response_v2,
}
_PUT = {
    0: _put_share_acknowledge_response_v0, 1: _put_share_acknowledge_response_v0,
    2: _put_share_acknowledge_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareAcknowledgeResponse:
    """The ShareAcknowledgeResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareAcknowledgeResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareAcknowledgeResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareAcknowledgeResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LEADER_ID_AND_EPOCH_SHAPE: Shape = (
    LeaderIdAndEpoch,
    (
        ("leaderId", "leader_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
    ),
)
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "errorMessage", "error_message", "string", (0, 2), (0, 2), None, None, None, False,
            (0, 2), None,
        ),
        (
            "currentLeader", "current_leader", "LeaderIdAndEpoch", (0, 2), None, None, None, UNSET,
            False, (0, 2), _LEADER_ID_AND_EPOCH_SHAPE,
        ),
    ),
)
_SHARE_ACKNOWLEDGE_TOPIC_RESPONSE_SHAPE: Shape = (
    ShareAcknowledgeTopicResponse,
    (
        ("topicId", "topic_id", "uuid", (0, 2), None, None, None, ZERO_UUID, False, (0, 2), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 2), None, None, None, (), False,
            (0, 2), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_NODE_ENDPOINT_SHAPE: Shape = (
    NodeEndpoint,
    (
        ("nodeId", "node_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("host", "host", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        ("port", "port", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("rack", "rack", "string", (0, 2), (0, 2), None, None, None, False, (0, 2), None),
    ),
)
_SHARE_ACKNOWLEDGE_RESPONSE_SHAPE: Shape = (
    ShareAcknowledgeResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "errorMessage", "error_message", "string", (0, 2), (0, 2), None, None, None, False,
            (0, 2), None,
        ),
        (
            "acquisitionLockTimeoutMs", "acquisition_lock_timeout_ms", "int32", (2, 2), None, None,
            None, 0, True, (0, 2), None,
        ),
        (
            "responses", "responses", "[]ShareAcknowledgeTopicResponse", (0, 2), None, None, None,
            (), False, (0, 2), _SHARE_ACKNOWLEDGE_TOPIC_RESPONSE_SHAPE,
        ),
        (
            "nodeEndpoints", "node_endpoints", "[]NodeEndpoint", (0, 2), None, None, None, (),
            False, (0, 2), _NODE_ENDPOINT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_ACKNOWLEDGE_RESPONSE_SHAPE, (0, 2), (0, 2))
