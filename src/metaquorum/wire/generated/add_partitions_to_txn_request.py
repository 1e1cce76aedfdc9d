# GENERATED from schemas/add_partitions_to_txn_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a43127d2c574bd78, generator 1.
"""Adds partitions to transactions, or asks whether they are in them; clients up to version 3,
brokers from 4 on. Api key 24, versions 0-5, flexible from 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 24
NAME: Final = "AddPartitionsToTxnRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 3


class AddPartitionsToTxnTopic(Message):
    """Partitions of one topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnTransaction(Message):
    """One row a transaction."""

    __slots__ = (
        "transactional_id", "producer_id", "producer_epoch", "verify_only", "topics",
        "unknown_tags",
    )

    def __init__(
        self,
        # Transactional id of the producer. (v4+)
        transactional_id: str = "",
        # Id of the producer. (v4+)
        producer_id: int = 0,
        # Epoch of the producer. (v4+)
        producer_epoch: int = 0,
        # True to ask only whether the partitions are in the transaction. (v4+)
        verify_only: bool = False,
        # One row a topic. (v4+)
        topics: Sequence[AddPartitionsToTxnTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.verify_only = verify_only
        self.topics: Sequence[AddPartitionsToTxnTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnRequest(Message):
    """Adds partitions to transactions, or asks whether they are in them; clients up to version 3,
    brokers from 4 on.
    """

    __slots__ = (
        "transactions", "v3_and_below_transactional_id", "v3_and_below_producer_id",
        "v3_and_below_producer_epoch", "v3_and_below_topics", "unknown_tags",
    )

    def __init__(
        self,
        # One row a transaction. (v4+)
        transactions: Sequence[AddPartitionsToTxnTransaction] = (),
        # Transactional id of the producer. (v0-3)
        v3_and_below_transactional_id: str = "",
        # Id of the producer. (v0-3)
        v3_and_below_producer_id: int = 0,
        # Epoch of the producer. (v0-3)
        v3_and_below_producer_epoch: int = 0,
        # One row a topic. (v0-3)
        v3_and_below_topics: Sequence[AddPartitionsToTxnTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.transactions: Sequence[AddPartitionsToTxnTransaction] = (
            [] if transactions == () else transactions
        )
        self.v3_and_below_transactional_id = v3_and_below_transactional_id
        self.v3_and_below_producer_id = v3_and_below_producer_id
        self.v3_and_below_producer_epoch = v3_and_below_producer_epoch
        self.v3_and_below_topics: Sequence[AddPartitionsToTxnTopic] = (
            [] if v3_and_below_topics == () else v3_and_below_topics
        )
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_qhtB = Struct(">qh?B").unpack_from
_read_qhB = Struct(">qhB").unpack_from
_read_qhi = Struct(">qhi").unpack_from
_write_h = Struct(">h").pack
_write_qhtB = Struct(">qh?B").pack
_write_qhB = Struct(">qhB").pack
_write_qhi = Struct(">qhi").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_add_partitions_to_txn_request_v0(
    buf: bytes, at: int,
) -> tuple[AddPartitionsToTxnRequest, int]:
    m = new(AddPartitionsToTxnRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.v3_and_below_transactional_id = buf[at:end].decode()
    at = end
    (m.v3_and_below_producer_id, m.v3_and_below_producer_epoch, n) = _read_qhi(buf, at)
    at += 14
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    v3_and_below_topics: list[AddPartitionsToTxnTopic] = []
    m.v3_and_below_topics = v3_and_below_topics
    left_v3_and_below_topics = n
    while left_v3_and_below_topics:
        left_v3_and_below_topics -= 1
        to_txn_topic = new(AddPartitionsToTxnTopic)
        v3_and_below_topics.append(to_txn_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        to_txn_topic.name = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        to_txn_topic.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        to_txn_topic.unknown_tags = ()
    m.transactions = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_add_partitions_to_txn_request_v3(
    buf: bytes, at: int,
) -> tuple[AddPartitionsToTxnRequest, int]:
    m = new(AddPartitionsToTxnRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.v3_and_below_transactional_id = buf[at:end].decode()
    at = end
    (m.v3_and_below_producer_id, m.v3_and_below_producer_epoch, n) = _read_qhB(buf, at)
    at += 11
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    v3_and_below_topics: list[AddPartitionsToTxnTopic] = []
    m.v3_and_below_topics = v3_and_below_topics
    left_v3_and_below_topics = n - 1
    while left_v3_and_below_topics:
        left_v3_and_below_topics -= 1
        to_txn_topic = new(AddPartitionsToTxnTopic)
        v3_and_below_topics.append(to_txn_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        to_txn_topic.name = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*to_txn_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        to_txn_topic.unknown_tags = ()
        if tags:
            to_txn_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.transactions = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_add_partitions_to_txn_request_v4(
    buf: bytes, at: int,
) -> tuple[AddPartitionsToTxnRequest, int]:
    m = new(AddPartitionsToTxnRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 14)
    transactions: list[AddPartitionsToTxnTransaction] = []
    m.transactions = transactions
    left_transactions = n - 1
    while left_transactions:
        left_transactions -= 1
        to_txn_transaction = new(AddPartitionsToTxnTransaction)
        transactions.append(to_txn_transaction)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        to_txn_transaction.transactional_id = buf[at:end].decode()
        at = end
        (
            to_txn_transaction.producer_id, to_txn_transaction.producer_epoch,
            to_txn_transaction.verify_only, n,
        ) = _read_qhtB(buf, at)
        at += 12
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[AddPartitionsToTxnTopic] = []
        to_txn_transaction.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            to_txn_topic = new(AddPartitionsToTxnTopic)
            topics.append(to_txn_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            to_txn_topic.name = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*to_txn_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            to_txn_topic.unknown_tags = ()
            if tags:
                to_txn_topic.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        to_txn_transaction.unknown_tags = ()
        if tags:
            to_txn_transaction.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.v3_and_below_transactional_id = ""
    m.v3_and_below_producer_id = 0
    m.v3_and_below_producer_epoch = 0
    m.v3_and_below_topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_add_partitions_to_txn_request_v0(out: Parts, m: AddPartitionsToTxnRequest) -> None:
    if m.transactions:
        refuse_field("transactions")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    v3_and_below_transactional_id = m.v3_and_below_transactional_id.encode()
    n = len(v3_and_below_transactional_id)
    out.append(_write_h(n))
    out.append(v3_and_below_transactional_id)
    v3_and_below_topics = m.v3_and_below_topics
    n = len(v3_and_below_topics)
    out.append(_write_qhi(m.v3_and_below_producer_id, m.v3_and_below_producer_epoch, n))
    for to_txn_topic in v3_and_below_topics:
        if to_txn_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = to_txn_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = to_txn_topic.partitions
        n_partitions = len(partitions)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions))


def _put_add_partitions_to_txn_request_v3(out: Parts, m: AddPartitionsToTxnRequest) -> None:
    if m.transactions:
        refuse_field("transactions")
    v3_and_below_transactional_id = m.v3_and_below_transactional_id.encode()
    n = len(v3_and_below_transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(v3_and_below_transactional_id)
    v3_and_below_topics = m.v3_and_below_topics
    n = len(v3_and_below_topics) + 1
    out.append(_write_qhB(
        m.v3_and_below_producer_id, m.v3_and_below_producer_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for to_txn_topic in v3_and_below_topics:
        name = to_txn_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = to_txn_topic.partitions
        n_partitions = len(partitions)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions))
        if to_txn_topic.unknown_tags:
            put_tags(out, [], to_txn_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_add_partitions_to_txn_request_v4(out: Parts, m: AddPartitionsToTxnRequest) -> None:
    if m.v3_and_below_transactional_id != "":
        refuse_field("v3_and_below_transactional_id")
    if m.v3_and_below_producer_id != 0:
        refuse_field("v3_and_below_producer_id")
    if m.v3_and_below_producer_epoch != 0:
        refuse_field("v3_and_below_producer_epoch")
    if m.v3_and_below_topics:
        refuse_field("v3_and_below_topics")
    transactions = m.transactions
    n = len(transactions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for to_txn_transaction in transactions:
        transactional_id = to_txn_transaction.transactional_id.encode()
        n = len(transactional_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(transactional_id)
        topics = to_txn_transaction.topics
        n = len(topics) + 1
        out.append(_write_qhtB(
            to_txn_transaction.producer_id, to_txn_transaction.producer_epoch,
            to_txn_transaction.verify_only, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        for to_txn_topic in topics:
            name = to_txn_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = to_txn_topic.partitions
            n_partitions = len(partitions)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions))
            if to_txn_topic.unknown_tags:
                put_tags(out, [], to_txn_topic.unknown_tags)
        out.append(b"\0")
        if to_txn_transaction.unknown_tags:
            put_tags(out, [], to_txn_transaction.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_add_partitions_to_txn_request_v0, 1: _get_add_partitions_to_txn_request_v0,
    2: _get_add_partitions_to_txn_request_v0, 3: _get_add_partitions_to_txn_request_v3,
    4: _get_add_partitions_to_txn_request_v4, 5: _get_add_partitions_to_txn_request_v4,
}
_PUT = {
    0: _put_add_partitions_to_txn_request_v0, 1: _put_add_partitions_to_txn_request_v0,
    2: _put_add_partitions_to_txn_request_v0, 3: _put_add_partitions_to_txn_request_v3,
    4: _put_add_partitions_to_txn_request_v4, 5: _put_add_partitions_to_txn_request_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AddPartitionsToTxnRequest:
    """The AddPartitionsToTxnRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AddPartitionsToTxnRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AddPartitionsToTxnRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AddPartitionsToTxnRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ADD_PARTITIONS_TO_TXN_TOPIC_SHAPE: Shape = (
    AddPartitionsToTxnTopic,
    (
        ("name", "name", "string", (0, 5), None, None, None, "", False, (3, 5), None),
        ("partitions", "partitions", "[]int32", (0, 5), None, None, None, (), False, (3, 5), None),
    ),
)
_ADD_PARTITIONS_TO_TXN_TRANSACTION_SHAPE: Shape = (
    AddPartitionsToTxnTransaction,
    (
        (
            "transactionalId", "transactional_id", "string", (4, 5), None, None, None, "", False,
            (3, 5), None,
        ),
        ("producerId", "producer_id", "int64", (4, 5), None, None, None, 0, False, (3, 5), None),
        (
            "producerEpoch", "producer_epoch", "int16", (4, 5), None, None, None, 0, False, (3, 5),
            None,
        ),
        ("verifyOnly", "verify_only", "bool", (4, 5), None, None, None, False, False, (3, 5), None),
        (
            "topics", "topics", "[]AddPartitionsToTxnTopic", (4, 5), None, None, None, (), False,
            (3, 5), _ADD_PARTITIONS_TO_TXN_TOPIC_SHAPE,
        ),
    ),
)
_ADD_PARTITIONS_TO_TXN_REQUEST_SHAPE: Shape = (
    AddPartitionsToTxnRequest,
    (
        (
            "transactions", "transactions", "[]AddPartitionsToTxnTransaction", (4, 5), None, None,
            None, (), False, (3, 5), _ADD_PARTITIONS_TO_TXN_TRANSACTION_SHAPE,
        ),
        (
            "v3AndBelowTransactionalId", "v3_and_below_transactional_id", "string", (0, 3), None,
            None, None, "", False, (3, 5), None,
        ),
        (
            "v3AndBelowProducerId", "v3_and_below_producer_id", "int64", (0, 3), None, None, None,
            0, False, (3, 5), None,
        ),
        (
            "v3AndBelowProducerEpoch", "v3_and_below_producer_epoch", "int16", (0, 3), None, None,
            None, 0, False, (3, 5), None,
        ),
        (
            "v3AndBelowTopics", "v3_and_below_topics", "[]AddPartitionsToTxnTopic", (0, 3), None,
            None, None, (), False, (3, 5), _ADD_PARTITIONS_TO_TXN_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ADD_PARTITIONS_TO_TXN_REQUEST_SHAPE, (0, 5), (3, 5))
