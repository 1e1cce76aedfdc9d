# GENERATED from schemas/consumer_group_heartbeat_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 d82a38ee1457ef39, generator 1.
"""Joins, keeps up or leaves a group of the consumer protocol (KIP-848). Api key 68, versions 0-1,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_compact_texts, put_tags, refuse_field, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 68
NAME: Final = "ConsumerGroupHeartbeatRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class TopicPartitions(Message):
    """Partitions the member owns now; null when unchanged."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ConsumerGroupHeartbeatRequest(Message):
    """Joins, keeps up or leaves a group of the consumer protocol (KIP-848)."""

    __slots__ = (
        "group_id", "member_id", "member_epoch", "instance_id", "rack_id", "rebalance_timeout_ms",
        "subscribed_topic_names", "subscribed_topic_regex", "server_assignor", "topic_partitions",
        "unknown_tags",
    )

    def __init__(
        self,
        # Group to join, stay in or leave.
        group_id: str = "",
        # Member id, drawn by the client from version 1 on.
        member_id: str = "",
        # Epoch the member has reached; 0 joins, -1 leaves, -2 leaves for a while.
        member_epoch: int = 0,
        # Static name of the member; null when it is dynamic or unchanged.
        instance_id: str | None = None,
        # Rack of the member; null when it has none or it is unchanged.
        rack_id: str | None = None,
        # Milliseconds the member may take to give partitions back; -1 when unchanged.
        rebalance_timeout_ms: int = -1,
        # Topics the member wants; null when unchanged.
        subscribed_topic_names: Sequence[str] | None = None,
        # Pattern of topics the member wants; null when unchanged. (v1+)
        subscribed_topic_regex: str | None = None,
        # Assignor the member wants the server to use; null when it leaves the choice or it is
        # unchanged.
        server_assignor: str | None = None,
        # Partitions the member owns now; null when unchanged.
        topic_partitions: Sequence[TopicPartitions] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.subscribed_topic_names = subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.server_assignor = server_assignor
        self.topic_partitions = topic_partitions
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_iB = Struct(">iB").pack
_write_16sB_many_i_x = ArrayWrites("16sB *i x")


def _get_consumer_group_heartbeat_request_v0(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    m = new(ConsumerGroupHeartbeatRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    (m.member_epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.rack_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack_id = buf[at:end].decode()
        at = end
    (m.rebalance_timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.subscribed_topic_names = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 1)
        m.subscribed_topic_names, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.server_assignor = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.server_assignor = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.topic_partitions = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 18)
        topic_partitions: list[TopicPartitions] = []
        m.topic_partitions = topic_partitions
        left_topic_partitions = n - 1
        while left_topic_partitions:
            left_topic_partitions -= 1
            topic_partitions_ = new(TopicPartitions)
            topic_partitions.append(topic_partitions_)
            (topic_partitions_.topic_id, n_partitions) = _read_16sB(buf, at)
            at += 17
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*topic_partitions_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            topic_partitions_.unknown_tags = ()
            if tags:
                topic_partitions_.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.subscribed_topic_regex = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_consumer_group_heartbeat_request_v1(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    m = new(ConsumerGroupHeartbeatRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    (m.member_epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.rack_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack_id = buf[at:end].decode()
        at = end
    (m.rebalance_timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.subscribed_topic_names = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 1)
        m.subscribed_topic_names, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.subscribed_topic_regex = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.subscribed_topic_regex = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.server_assignor = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.server_assignor = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.topic_partitions = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 18)
        topic_partitions: list[TopicPartitions] = []
        m.topic_partitions = topic_partitions
        left_topic_partitions = n - 1
        while left_topic_partitions:
            left_topic_partitions -= 1
            topic_partitions_ = new(TopicPartitions)
            topic_partitions.append(topic_partitions_)
            (topic_partitions_.topic_id, n_partitions) = _read_16sB(buf, at)
            at += 17
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*topic_partitions_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            topic_partitions_.unknown_tags = ()
            if tags:
                topic_partitions_.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_consumer_group_heartbeat_request_v0(out: Parts, m: ConsumerGroupHeartbeatRequest) -> None:
    if m.subscribed_topic_regex is not None:
        refuse_field("subscribed_topic_regex")
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    instance_id = b"" if m.instance_id is None else m.instance_id.encode()
    n = 0 if m.instance_id is None else len(instance_id) + 1
    out.append(_write_iB(m.member_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(instance_id)
    rack_id = b"" if m.rack_id is None else m.rack_id.encode()
    n = 0 if m.rack_id is None else len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    subscribed_topic_names = m.subscribed_topic_names
    n = 0 if subscribed_topic_names is None else len(subscribed_topic_names) + 1
    out.append(_write_iB(m.rebalance_timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    if subscribed_topic_names is not None:
        put_compact_texts(out, subscribed_topic_names)
    server_assignor = b"" if m.server_assignor is None else m.server_assignor.encode()
    n = 0 if m.server_assignor is None else len(server_assignor) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(server_assignor)
    topic_partitions = m.topic_partitions
    n = 0 if topic_partitions is None else len(topic_partitions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topic_partitions is not None:
        for topic_partitions_ in topic_partitions:
            if len(topic_partitions_.topic_id) != 16:
                refuse_uuid("topic_id")
            partitions = topic_partitions_.partitions
            n_partitions = len(partitions)
            write = _write_16sB_many_i_x[n_partitions]
            out.append(write(topic_partitions_.topic_id, n_partitions + 1, *partitions))
            if topic_partitions_.unknown_tags:
                put_tags(out, [], topic_partitions_.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_consumer_group_heartbeat_request_v1(out: Parts, m: ConsumerGroupHeartbeatRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    instance_id = b"" if m.instance_id is None else m.instance_id.encode()
    n = 0 if m.instance_id is None else len(instance_id) + 1
    out.append(_write_iB(m.member_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(instance_id)
    rack_id = b"" if m.rack_id is None else m.rack_id.encode()
    n = 0 if m.rack_id is None else len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    subscribed_topic_names = m.subscribed_topic_names
    n = 0 if subscribed_topic_names is None else len(subscribed_topic_names) + 1
    out.append(_write_iB(m.rebalance_timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    if subscribed_topic_names is not None:
        put_compact_texts(out, subscribed_topic_names)
    subscribed_topic_regex = (
        b"" if m.subscribed_topic_regex is None else m.subscribed_topic_regex.encode()
    )
    n = 0 if m.subscribed_topic_regex is None else len(subscribed_topic_regex) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(subscribed_topic_regex)
    server_assignor = b"" if m.server_assignor is None else m.server_assignor.encode()
    n = 0 if m.server_assignor is None else len(server_assignor) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(server_assignor)
    topic_partitions = m.topic_partitions
    n = 0 if topic_partitions is None else len(topic_partitions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topic_partitions is not None:
        for topic_partitions_ in topic_partitions:
            if len(topic_partitions_.topic_id) != 16:
                refuse_uuid("topic_id")
            partitions = topic_partitions_.partitions
            n_partitions = len(partitions)
            write = _write_16sB_many_i_x[n_partitions]
            out.append(write(topic_partitions_.topic_id, n_partitions + 1, *partitions))
            if topic_partitions_.unknown_tags:
                put_tags(out, [], topic_partitions_.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_consumer_group_heartbeat_request_v0, 1: _get_consumer_group_heartbeat_request_v1}
_PUT = {0: _put_consumer_group_heartbeat_request_v0, 1: _put_consumer_group_heartbeat_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupHeartbeatRequest:
    """The ConsumerGroupHeartbeatRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupHeartbeatRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupHeartbeatRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_PARTITIONS_SHAPE: Shape = (
    TopicPartitions,
    (
        ("topicId", "topic_id", "uuid", (0, 1), None, None, None, ZERO_UUID, False, (0, 1), None),
        ("partitions", "partitions", "[]int32", (0, 1), None, None, None, (), False, (0, 1), None),
    ),
)
_CONSUMER_GROUP_HEARTBEAT_REQUEST_SHAPE: Shape = (
    ConsumerGroupHeartbeatRequest,
    (
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberId", "member_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberEpoch", "member_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "instanceId", "instance_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1),
            None,
        ),
        ("rackId", "rack_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1), None),
        (
            "rebalanceTimeoutMs", "rebalance_timeout_ms", "int32", (0, 1), None, None, None, -1,
            False, (0, 1), None,
        ),
        (
            "subscribedTopicNames", "subscribed_topic_names", "[]string", (0, 1), (0, 1), None,
            None, None, False, (0, 1), None,
        ),
        (
            "subscribedTopicRegex", "subscribed_topic_regex", "string", (1, 1), (1, 1), None, None,
            None, False, (0, 1), None,
        ),
        (
            "serverAssignor", "server_assignor", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
        (
            "topicPartitions", "topic_partitions", "[]TopicPartitions", (0, 1), (0, 1), None, None,
            None, False, (0, 1), _TOPIC_PARTITIONS_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_HEARTBEAT_REQUEST_SHAPE, (0, 1), (0, 1))
