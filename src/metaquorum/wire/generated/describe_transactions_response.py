# GENERATED from schemas/describe_transactions_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b0ce0cd394077e3f, generator 1.
"""Describes transactions in full. Api key 65, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_text, long_text_head, put_tags,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 65
NAME: Final = "DescribeTransactionsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicData(Message):
    """One result a topic."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class TransactionState(Message):
    """One result a transactional id."""

    __slots__ = (
        "error_code", "transactional_id", "transaction_state", "transaction_timeout_ms",
        "transaction_start_time_ms", "producer_id", "producer_epoch", "topics", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Transactional id of the producer.
        transactional_id: str = "",
        # State of the transaction in words.
        transaction_state: str = "",
        # Milliseconds after which an open transaction is aborted.
        transaction_timeout_ms: int = 0,
        # Milliseconds since 1970 at which the transaction began; -1 when none is open.
        transaction_start_time_ms: int = 0,
        # Id of the producer.
        producer_id: int = 0,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # One result a topic.
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.transactional_id = transactional_id
        self.transaction_state = transaction_state
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_start_time_ms = transaction_start_time_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


class DescribeTransactionsResponse(Message):
    """Describes transactions in full."""

    __slots__ = ("throttle_time_ms", "transaction_states", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a transactional id.
        transaction_states: Sequence[TransactionState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.transaction_states: Sequence[TransactionState] = (
            [] if transaction_states == () else transaction_states
        )
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_hB = Struct(">hB").unpack_from
_read_i2qhB = Struct(">i2qhB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_hB = Struct(">hB").pack
_write_i2qhB = Struct(">i2qhB").pack
_write_iB = Struct(">iB").pack
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_describe_transactions_response_v0(
    buf: bytes, at: int,
) -> tuple[DescribeTransactionsResponse, int]:
    m = new(DescribeTransactionsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 28)
    transaction_states: list[TransactionState] = []
    m.transaction_states = transaction_states
    left_transaction_states = n - 1
    while left_transaction_states:
        left_transaction_states -= 1
        transaction_state = new(TransactionState)
        transaction_states.append(transaction_state)
        (transaction_state.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        transaction_state.transactional_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        transaction_state.transaction_state = buf[at:end].decode()
        at = end
        (
            transaction_state.transaction_timeout_ms, transaction_state.transaction_start_time_ms,
            transaction_state.producer_id, transaction_state.producer_epoch, n,
        ) = _read_i2qhB(buf, at)
        at += 23
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[TopicData] = []
        transaction_state.topics = topics
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
            topic_data.topic = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*topic_data.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            topic_data.unknown_tags = ()
            if tags:
                topic_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        transaction_state.unknown_tags = ()
        if tags:
            transaction_state.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_transactions_response_v0(out: Parts, m: DescribeTransactionsResponse) -> None:
    transaction_states = m.transaction_states
    n = len(transaction_states) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for transaction_state in transaction_states:
        transactional_id = transaction_state.transactional_id.encode()
        n = len(transactional_id) + 1
        out.append(_write_hB(transaction_state.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(transactional_id)
        transaction_state_ = transaction_state.transaction_state.encode()
        n = len(transaction_state_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(transaction_state_)
        topics = transaction_state.topics
        n = len(topics) + 1
        out.append(_write_i2qhB(
            transaction_state.transaction_timeout_ms, transaction_state.transaction_start_time_ms,
            transaction_state.producer_id, transaction_state.producer_epoch, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        for topic_data in topics:
            topic = topic_data.topic.encode()
            n = len(topic) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(topic)
            partitions = topic_data.partitions
            n_partitions = len(partitions)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions))
            if topic_data.unknown_tags:
                put_tags(out, [], topic_data.unknown_tags)
        out.append(b"\0")
        if transaction_state.unknown_tags:
            put_tags(out, [], transaction_state.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_transactions_response_v0}
_PUT = {0: _put_describe_transactions_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeTransactionsResponse:
    """The DescribeTransactionsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeTransactionsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeTransactionsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeTransactionsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_DATA_SHAPE: Shape = (
    TopicData,
    (
        ("topic", "topic", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("partitions", "partitions", "[]int32", (0, 0), None, None, None, (), False, (0, 0), None),
    ),
)
_TRANSACTION_STATE_SHAPE: Shape = (
    TransactionState,
    (
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "transactionalId", "transactional_id", "string", (0, 0), None, None, None, "", False,
            (0, 0), None,
        ),
        (
            "transactionState", "transaction_state", "string", (0, 0), None, None, None, "", False,
            (0, 0), None,
        ),
        (
            "transactionTimeoutMs", "transaction_timeout_ms", "int32", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        (
            "transactionStartTimeMs", "transaction_start_time_ms", "int64", (0, 0), None, None,
            None, 0, False, (0, 0), None,
        ),
        ("producerId", "producer_id", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "producerEpoch", "producer_epoch", "int16", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "topics", "topics", "[]TopicData", (0, 0), None, None, None, (), False, (0, 0),
            _TOPIC_DATA_SHAPE,
        ),
    ),
)
_DESCRIBE_TRANSACTIONS_RESPONSE_SHAPE: Shape = (
    DescribeTransactionsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "transactionStates", "transaction_states", "[]TransactionState", (0, 0), None, None,
            None, (), False, (0, 0), _TRANSACTION_STATE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_TRANSACTIONS_RESPONSE_SHAPE, (0, 0), (0, 0))
