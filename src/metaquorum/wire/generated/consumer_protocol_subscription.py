# GENERATED from schemas/consumer_protocol_subscription.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5a2ad6253bd0f96c, generator 1.
"""Subscription of a classic consumer, carried opaquely in JoinGroup. Versions 0-3, never flexible.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    get_texts, joined, put_texts, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "ConsumerProtocolSubscription"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = None


class TopicPartition(Message):
    """Partitions the member owned before the rebalance."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v1+)
        topic: str = "",
        # Partition indexes. (v1+)
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ConsumerProtocolSubscription(Message):
    """Subscription of a classic consumer, carried opaquely in JoinGroup."""

    __slots__ = (
        "topics", "user_data", "owned_partitions", "generation_id", "rack_id", "unknown_tags",
    )

    def __init__(
        self,
        # Topics the member wants.
        topics: Sequence[str] = (),
        # Bytes of the assignor; opaque to the group; may be null.
        user_data: Buffer | None = None,
        # Partitions the member owned before the rebalance. (v1+)
        owned_partitions: Sequence[TopicPartition] = (),
        # Generation in which the partitions were owned; -1 when unknown. (v2+)
        generation_id: int = -1,
        # Rack of the member; null when it has none. (v3+)
        rack_id: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[str] = [] if topics == () else topics
        self.user_data = user_data
        self.owned_partitions: Sequence[TopicPartition] = (
            [] if owned_partitions == () else owned_partitions
        )
        self.generation_id = generation_id
        self.rack_id = rack_id
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_ih = Struct(">ih").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_ih = Struct(">ih").pack
_write_i_many_i = ArrayWrites("i *i")


def _get_consumer_protocol_subscription_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[ConsumerProtocolSubscription, int]:
    m = new(ConsumerProtocolSubscription)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.topics, at = get_texts(buf, at, n)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.user_data = None
    else:
        end = at + n
        m.user_data = view[at:end]
        at = end
    m.owned_partitions = []
    m.generation_id = -1
    m.rack_id = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_consumer_protocol_subscription_v1(
    buf: bytes, view: memoryview, at: int,
) -> tuple[ConsumerProtocolSubscription, int]:
    m = new(ConsumerProtocolSubscription)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.topics, at = get_texts(buf, at, n)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.user_data = None
    else:
        end = at + n
        m.user_data = view[at:end]
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    owned_partitions: list[TopicPartition] = []
    m.owned_partitions = owned_partitions
    left_owned_partitions = n
    while left_owned_partitions:
        left_owned_partitions -= 1
        topic_partition = new(TopicPartition)
        owned_partitions.append(topic_partition)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_partition.topic = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        topic_partition.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        topic_partition.unknown_tags = ()
    m.generation_id = -1
    m.rack_id = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_consumer_protocol_subscription_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[ConsumerProtocolSubscription, int]:
    m = new(ConsumerProtocolSubscription)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.topics, at = get_texts(buf, at, n)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.user_data = None
    else:
        end = at + n
        m.user_data = view[at:end]
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    owned_partitions: list[TopicPartition] = []
    m.owned_partitions = owned_partitions
    left_owned_partitions = n
    while left_owned_partitions:
        left_owned_partitions -= 1
        topic_partition = new(TopicPartition)
        owned_partitions.append(topic_partition)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_partition.topic = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        topic_partition.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        topic_partition.unknown_tags = ()
    (m.generation_id,) = _read_i(buf, at)
    at += 4
    m.rack_id = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_consumer_protocol_subscription_v3(
    buf: bytes, view: memoryview, at: int,
) -> tuple[ConsumerProtocolSubscription, int]:
    m = new(ConsumerProtocolSubscription)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.topics, at = get_texts(buf, at, n)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.user_data = None
    else:
        end = at + n
        m.user_data = view[at:end]
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    owned_partitions: list[TopicPartition] = []
    m.owned_partitions = owned_partitions
    left_owned_partitions = n
    while left_owned_partitions:
        left_owned_partitions -= 1
        topic_partition = new(TopicPartition)
        owned_partitions.append(topic_partition)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_partition.topic = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        topic_partition.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        topic_partition.unknown_tags = ()
    (m.generation_id, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        m.rack_id = None
    else:
        end = at + n
        m.rack_id = buf[at:end].decode()
        at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_consumer_protocol_subscription_v0(out: Parts, m: ConsumerProtocolSubscription) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    put_texts(out, topics)
    user_data = m.user_data
    n = -1 if user_data is None else len(user_data)
    out.append(_write_i(n))
    if user_data is not None:
        out.append(user_data)


def _put_consumer_protocol_subscription_v1(out: Parts, m: ConsumerProtocolSubscription) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    put_texts(out, topics)
    user_data = m.user_data
    n = -1 if user_data is None else len(user_data)
    out.append(_write_i(n))
    if user_data is not None:
        out.append(user_data)
    owned_partitions = m.owned_partitions
    n = len(owned_partitions)
    out.append(_write_i(n))
    for topic_partition in owned_partitions:
        if topic_partition.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_partition.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_partition.partitions
        n_partitions = len(partitions)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions))


def _put_consumer_protocol_subscription_v2(out: Parts, m: ConsumerProtocolSubscription) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    put_texts(out, topics)
    user_data = m.user_data
    n = -1 if user_data is None else len(user_data)
    out.append(_write_i(n))
    if user_data is not None:
        out.append(user_data)
    owned_partitions = m.owned_partitions
    n = len(owned_partitions)
    out.append(_write_i(n))
    for topic_partition in owned_partitions:
        if topic_partition.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_partition.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_partition.partitions
        n_partitions = len(partitions)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions))
    out.append(_write_i(m.generation_id))


def _put_consumer_protocol_subscription_v3(out: Parts, m: ConsumerProtocolSubscription) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    put_texts(out, topics)
    user_data = m.user_data
    n = -1 if user_data is None else len(user_data)
    out.append(_write_i(n))
    if user_data is not None:
        out.append(user_data)
    owned_partitions = m.owned_partitions
    n = len(owned_partitions)
    out.append(_write_i(n))
    for topic_partition in owned_partitions:
        if topic_partition.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_partition.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_partition.partitions
        n_partitions = len(partitions)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions))
    rack_id = b"" if m.rack_id is None else m.rack_id.encode()
    n = -1 if m.rack_id is None else len(rack_id)
    out.append(_write_ih(m.generation_id, n))
    out.append(rack_id)


_GET = {
    0: _get_consumer_protocol_subscription_v0, 1: _get_consumer_protocol_subscription_v1,
    2: _get_consumer_protocol_subscription_v2, 3: _get_consumer_protocol_subscription_v3,
}
_PUT = {
    0: _put_consumer_protocol_subscription_v0, 1: _put_consumer_protocol_subscription_v1,
    2: _put_consumer_protocol_subscription_v2, 3: _put_consumer_protocol_subscription_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerProtocolSubscription:
    """The ConsumerProtocolSubscription that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerProtocolSubscription, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerProtocolSubscription, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerProtocolSubscription, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_PARTITION_SHAPE: Shape = (
    TopicPartition,
    (
        ("topic", "topic", "string", (1, 3), None, None, None, "", False, None, None),
        ("partitions", "partitions", "[]int32", (1, 3), None, None, None, (), False, None, None),
    ),
)
_CONSUMER_PROTOCOL_SUBSCRIPTION_SHAPE: Shape = (
    ConsumerProtocolSubscription,
    (
        ("topics", "topics", "[]string", (0, 3), None, None, None, (), False, None, None),
        ("userData", "user_data", "bytes", (0, 3), (0, 3), None, None, None, False, None, None),
        (
            "ownedPartitions", "owned_partitions", "[]TopicPartition", (1, 3), None, None, None, (),
            True, None, _TOPIC_PARTITION_SHAPE,
        ),
        ("generationId", "generation_id", "int32", (2, 3), None, None, None, -1, True, None, None),
        ("rackId", "rack_id", "string", (3, 3), (3, 3), None, None, None, True, None, None),
    ),
)
SHAPE: Shape = (_CONSUMER_PROTOCOL_SUBSCRIPTION_SHAPE, (0, 3), None)
