# GENERATED from schemas/describe_producers_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 58cf43b8608ce9d3, generator 1.
"""Lists the producers that partitions remember. Api key 61, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, long_text_head,
    put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 61
NAME: Final = "DescribeProducersResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ProducerState(Message):
    """Producers that the partition still remembers."""

    __slots__ = (
        "producer_id", "producer_epoch", "last_sequence", "last_timestamp", "coordinator_epoch",
        "current_txn_start_offset", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the producer.
        producer_id: int = 0,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # Sequence number of the last record; -1 when there is none.
        last_sequence: int = -1,
        # Timestamp of the last record; -1 when there is none.
        last_timestamp: int = -1,
        # Epoch of the coordinator that wrote the last marker; -1 when there is none.
        coordinator_epoch: int = 0,
        # First offset of the open transaction; -1 when none is open.
        current_txn_start_offset: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.last_sequence = last_sequence
        self.last_timestamp = last_timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_start_offset = current_txn_start_offset
        self.unknown_tags = unknown_tags


class PartitionResponse(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "error_code", "error_message", "active_producers", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Producers that the partition still remembers.
        active_producers: Sequence[ProducerState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.active_producers: Sequence[ProducerState] = (
            [] if active_producers == () else active_producers
        )
        self.unknown_tags = unknown_tags


class TopicResponse(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[PartitionResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[PartitionResponse] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class DescribeProducersResponse(Message):
    """Lists the producers that partitions remember."""

    __slots__ = ("throttle_time_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[TopicResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[TopicResponse] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_q2iqiqB = Struct(">q2iqiqB").unpack_from
_rows_q2iqiqx = Struct(">q2iqiqx").iter_unpack
_write_iB = Struct(">iB").pack
_write_ihB = Struct(">ihB").pack
_write_q2iqiqx = Struct(">q2iqiqx").pack


def _get_describe_producers_response_v0(
    buf: bytes, at: int,
) -> tuple[DescribeProducersResponse, int]:
    m = new(DescribeProducersResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TopicResponse] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_response = new(TopicResponse)
        topics.append(topic_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_response.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        partitions: list[PartitionResponse] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_response = new(PartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code, n,
            ) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_response.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_response.error_message = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 37)
            active_producers: list[ProducerState] = []
            partition_response.active_producers = active_producers
            left_active_producers = n - 1
            if (
                left_active_producers > 4
                and buf[at + 36 : at + 37 * left_active_producers : 37] ==
                    bytes(left_active_producers)
            ):
                end = at + 37 * left_active_producers
                active_producers += map(new, repeat(ProducerState, left_active_producers))
                left_active_producers = 0
                for producer_state, values in zip(active_producers, _rows_q2iqiqx(buf[at:end])):
                    (
                        producer_state.producer_id, producer_state.producer_epoch,
                        producer_state.last_sequence, producer_state.last_timestamp,
                        producer_state.coordinator_epoch, producer_state.current_txn_start_offset,
                    ) = values
                    producer_state.unknown_tags = ()
                at = end
            while left_active_producers:
                left_active_producers -= 1
                producer_state = new(ProducerState)
                active_producers.append(producer_state)
                (
                    producer_state.producer_id, producer_state.producer_epoch,
                    producer_state.last_sequence, producer_state.last_timestamp,
                    producer_state.coordinator_epoch, producer_state.current_txn_start_offset, tags,
                ) = _read_q2iqiqB(buf, at)
                at += 37
                producer_state.unknown_tags = ()
                if tags:
                    producer_state.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            partition_response.unknown_tags = ()
            if tags:
                partition_response.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_producers_response_v0(out: Parts, m: DescribeProducersResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_response in topics:
        name = topic_response.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_response in partitions:
            error_message = (
                b"" if partition_response.error_message is None else
                partition_response.error_message.encode()
            )
            n = 0 if partition_response.error_message is None else len(error_message) + 1
            out.append(_write_ihB(
                partition_response.partition_index, partition_response.error_code,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message)
            active_producers = partition_response.active_producers
            n = len(active_producers) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for producer_state in active_producers:
                out.append(_write_q2iqiqx(
                    producer_state.producer_id, producer_state.producer_epoch,
                    producer_state.last_sequence, producer_state.last_timestamp,
                    producer_state.coordinator_epoch, producer_state.current_txn_start_offset,
                ))
                if producer_state.unknown_tags:
                    put_tags(out, [], producer_state.unknown_tags)
            out.append(b"\0")
            if partition_response.unknown_tags:
                put_tags(out, [], partition_response.unknown_tags)
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_producers_response_v0}
_PUT = {0: _put_describe_producers_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeProducersResponse:
    """The DescribeProducersResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeProducersResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeProducersResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeProducersResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PRODUCER_STATE_SHAPE: Shape = (
    ProducerState,
    (
        ("producerId", "producer_id", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "producerEpoch", "producer_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "lastSequence", "last_sequence", "int32", (0, 0), None, None, None, -1, False, (0, 0),
            None,
        ),
        (
            "lastTimestamp", "last_timestamp", "int64", (0, 0), None, None, None, -1, False, (0, 0),
            None,
        ),
        (
            "coordinatorEpoch", "coordinator_epoch", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "currentTxnStartOffset", "current_txn_start_offset", "int64", (0, 0), None, None, None,
            -1, False, (0, 0), None,
        ),
    ),
)
_PARTITION_RESPONSE_SHAPE: Shape = (
    PartitionResponse,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        (
            "activeProducers", "active_producers", "[]ProducerState", (0, 0), None, None, None, (),
            False, (0, 0), _PRODUCER_STATE_SHAPE,
        ),
    ),
)
_TOPIC_RESPONSE_SHAPE: Shape = (
    TopicResponse,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "partitions", "partitions", "[]PartitionResponse", (0, 0), None, None, None, (), False,
            (0, 0), _PARTITION_RESPONSE_SHAPE,
        ),
    ),
)
_DESCRIBE_PRODUCERS_RESPONSE_SHAPE: Shape = (
    DescribeProducersResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "topics", "topics", "[]TopicResponse", (0, 0), None, None, None, (), False, (0, 0),
            _TOPIC_RESPONSE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_PRODUCERS_RESPONSE_SHAPE, (0, 0), (0, 0))
