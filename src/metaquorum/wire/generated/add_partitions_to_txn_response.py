# GENERATED from schemas/add_partitions_to_txn_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f6766dfa71984828, generator 1.
"""Says for each partition whether it is part of the transaction. Api key 24, versions 0-5, flexible
from 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 24
NAME: Final = "AddPartitionsToTxnResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 3


class AddPartitionsToTxnPartitionResult(Message):
    """Result of one partition."""

    __slots__ = ("partition_index", "partition_error_code", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        partition_error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.partition_error_code = partition_error_code
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnTopicResult(Message):
    """Results of one topic."""

    __slots__ = ("name", "results_by_partition", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        results_by_partition: Sequence[AddPartitionsToTxnPartitionResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.results_by_partition: Sequence[AddPartitionsToTxnPartitionResult] = (
            [] if results_by_partition == () else results_by_partition
        )
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnResult(Message):
    """One result a transaction."""

    __slots__ = ("transactional_id", "topic_results", "unknown_tags")

    def __init__(
        self,
        # Transactional id of the producer. (v4+)
        transactional_id: str = "",
        # One result a topic. (v4+)
        topic_results: Sequence[AddPartitionsToTxnTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.topic_results: Sequence[AddPartitionsToTxnTopicResult] = (
            [] if topic_results == () else topic_results
        )
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnResponse(Message):
    """Says for each partition whether it is part of the transaction."""

    __slots__ = (
        "throttle_time_ms", "error_code", "results_by_transaction", "results_by_topic_v3_and_below",
        "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none. (v4+)
        error_code: int = 0,
        # One result a transaction. (v4+)
        results_by_transaction: Sequence[AddPartitionsToTxnResult] = (),
        # One result a topic. (v0-3)
        results_by_topic_v3_and_below: Sequence[AddPartitionsToTxnTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results_by_transaction: Sequence[AddPartitionsToTxnResult] = (
            [] if results_by_transaction == () else results_by_transaction
        )
        self.results_by_topic_v3_and_below: Sequence[AddPartitionsToTxnTopicResult] = (
            [] if results_by_topic_v3_and_below == () else results_by_topic_v3_and_below
        )
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_rows_ih = Struct(">ih").iter_unpack
_rows_ihx = Struct(">ihx").iter_unpack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ihB = Struct(">ihB").pack
_write_ihx = Struct(">ihx").pack


def _get_add_partitions_to_txn_response_v0(
    buf: bytes, at: int,
) -> tuple[AddPartitionsToTxnResponse, int]:
    m = new(AddPartitionsToTxnResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = []
    m.results_by_topic_v3_and_below = results_by_topic_v3_and_below
    left_results_by_topic_v3_and_below = n
    while left_results_by_topic_v3_and_below:
        left_results_by_topic_v3_and_below -= 1
        to_txn_topic_result = new(AddPartitionsToTxnTopicResult)
        results_by_topic_v3_and_below.append(to_txn_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        to_txn_topic_result.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        results_by_partition: list[AddPartitionsToTxnPartitionResult] = []
        to_txn_topic_result.results_by_partition = results_by_partition
        left_results_by_partition = n
        if left_results_by_partition > 4:
            end = at + 6 * left_results_by_partition
            results_by_partition += map(
                new, repeat(AddPartitionsToTxnPartitionResult, left_results_by_partition),
            )
            left_results_by_partition = 0
            for txn_partition_result, values in zip(results_by_partition, _rows_ih(buf[at:end])):
                (
                    txn_partition_result.partition_index, txn_partition_result.partition_error_code,
                ) = values
                txn_partition_result.unknown_tags = ()
            at = end
        while left_results_by_partition:
            left_results_by_partition -= 1
            txn_partition_result = new(AddPartitionsToTxnPartitionResult)
            results_by_partition.append(txn_partition_result)
            (
                txn_partition_result.partition_index, txn_partition_result.partition_error_code,
            ) = _read_ih(buf, at)
            at += 6
            txn_partition_result.unknown_tags = ()
        to_txn_topic_result.unknown_tags = ()
    m.error_code = 0
    m.results_by_transaction = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_add_partitions_to_txn_response_v3(
    buf: bytes, at: int,
) -> tuple[AddPartitionsToTxnResponse, int]:
    m = new(AddPartitionsToTxnResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = []
    m.results_by_topic_v3_and_below = results_by_topic_v3_and_below
    left_results_by_topic_v3_and_below = n - 1
    while left_results_by_topic_v3_and_below:
        left_results_by_topic_v3_and_below -= 1
        to_txn_topic_result = new(AddPartitionsToTxnTopicResult)
        results_by_topic_v3_and_below.append(to_txn_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        to_txn_topic_result.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        results_by_partition: list[AddPartitionsToTxnPartitionResult] = []
        to_txn_topic_result.results_by_partition = results_by_partition
        left_results_by_partition = n - 1
        if (
            left_results_by_partition > 4
            and buf[at + 6 : at + 7 * left_results_by_partition : 7] ==
                bytes(left_results_by_partition)
        ):
            end = at + 7 * left_results_by_partition
            results_by_partition += map(
                new, repeat(AddPartitionsToTxnPartitionResult, left_results_by_partition),
            )
            left_results_by_partition = 0
            for txn_partition_result, values in zip(results_by_partition, _rows_ihx(buf[at:end])):
                (
                    txn_partition_result.partition_index, txn_partition_result.partition_error_code,
                ) = values
                txn_partition_result.unknown_tags = ()
            at = end
        while left_results_by_partition:
            left_results_by_partition -= 1
            txn_partition_result = new(AddPartitionsToTxnPartitionResult)
            results_by_partition.append(txn_partition_result)
            (
                txn_partition_result.partition_index, txn_partition_result.partition_error_code,
                tags,
            ) = _read_ihB(buf, at)
            at += 7
            txn_partition_result.unknown_tags = ()
            if tags:
                txn_partition_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        to_txn_topic_result.unknown_tags = ()
        if tags:
            to_txn_topic_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.error_code = 0
    m.results_by_transaction = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_add_partitions_to_txn_response_v4(
    buf: bytes, at: int,
) -> tuple[AddPartitionsToTxnResponse, int]:
    m = new(AddPartitionsToTxnResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    results_by_transaction: list[AddPartitionsToTxnResult] = []
    m.results_by_transaction = results_by_transaction
    left_results_by_transaction = n - 1
    while left_results_by_transaction:
        left_results_by_transaction -= 1
        to_txn_result = new(AddPartitionsToTxnResult)
        results_by_transaction.append(to_txn_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        to_txn_result.transactional_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topic_results: list[AddPartitionsToTxnTopicResult] = []
        to_txn_result.topic_results = topic_results
        left_topic_results = n - 1
        while left_topic_results:
            left_topic_results -= 1
            to_txn_topic_result = new(AddPartitionsToTxnTopicResult)
            topic_results.append(to_txn_topic_result)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            to_txn_topic_result.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 7)
            results_by_partition: list[AddPartitionsToTxnPartitionResult] = []
            to_txn_topic_result.results_by_partition = results_by_partition
            left_results_by_partition = n - 1
            if (
                left_results_by_partition > 4
                and buf[at + 6 : at + 7 * left_results_by_partition : 7] ==
                    bytes(left_results_by_partition)
            ):
                end = at + 7 * left_results_by_partition
                results_by_partition += map(
                    new, repeat(AddPartitionsToTxnPartitionResult, left_results_by_partition),
                )
                left_results_by_partition = 0
                for txn_partition_result, values in zip(
                    results_by_partition, _rows_ihx(buf[at:end]),
                ):
                    (
                        txn_partition_result.partition_index,
                        txn_partition_result.partition_error_code,
                    ) = values
                    txn_partition_result.unknown_tags = ()
                at = end
            while left_results_by_partition:
                left_results_by_partition -= 1
                txn_partition_result = new(AddPartitionsToTxnPartitionResult)
                results_by_partition.append(txn_partition_result)
                (
                    txn_partition_result.partition_index, txn_partition_result.partition_error_code,
                    tags,
                ) = _read_ihB(buf, at)
                at += 7
                txn_partition_result.unknown_tags = ()
                if tags:
                    txn_partition_result.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            to_txn_topic_result.unknown_tags = ()
            if tags:
                to_txn_topic_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        to_txn_result.unknown_tags = ()
        if tags:
            to_txn_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.results_by_topic_v3_and_below = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_add_partitions_to_txn_response_v0(out: Parts, m: AddPartitionsToTxnResponse) -> None:
    if m.results_by_transaction:
        refuse_field("results_by_transaction")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    results_by_topic_v3_and_below = m.results_by_topic_v3_and_below
    n = len(results_by_topic_v3_and_below)
    out.append(_write_2i(m.throttle_time_ms, n))
    for to_txn_topic_result in results_by_topic_v3_and_below:
        if to_txn_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        name = to_txn_topic_result.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        results_by_partition = to_txn_topic_result.results_by_partition
        n = len(results_by_partition)
        out.append(_write_i(n))
        for txn_partition_result in results_by_partition:
            if txn_partition_result.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih(
                txn_partition_result.partition_index, txn_partition_result.partition_error_code,
            ))


def _put_add_partitions_to_txn_response_v3(out: Parts, m: AddPartitionsToTxnResponse) -> None:
    if m.results_by_transaction:
        refuse_field("results_by_transaction")
    results_by_topic_v3_and_below = m.results_by_topic_v3_and_below
    n = len(results_by_topic_v3_and_below) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for to_txn_topic_result in results_by_topic_v3_and_below:
        name = to_txn_topic_result.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        results_by_partition = to_txn_topic_result.results_by_partition
        n = len(results_by_partition) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for txn_partition_result in results_by_partition:
            out.append(_write_ihx(
                txn_partition_result.partition_index, txn_partition_result.partition_error_code,
            ))
            if txn_partition_result.unknown_tags:
                put_tags(out, [], txn_partition_result.unknown_tags)
        out.append(b"\0")
        if to_txn_topic_result.unknown_tags:
            put_tags(out, [], to_txn_topic_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_add_partitions_to_txn_response_v4(out: Parts, m: AddPartitionsToTxnResponse) -> None:
    if m.results_by_topic_v3_and_below:
        refuse_field("results_by_topic_v3_and_below")
    results_by_transaction = m.results_by_transaction
    n = len(results_by_transaction) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for to_txn_result in results_by_transaction:
        transactional_id = to_txn_result.transactional_id.encode()
        n = len(transactional_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(transactional_id)
        topic_results = to_txn_result.topic_results
        n = len(topic_results) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for to_txn_topic_result in topic_results:
            name = to_txn_topic_result.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            results_by_partition = to_txn_topic_result.results_by_partition
            n = len(results_by_partition) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for txn_partition_result in results_by_partition:
                out.append(_write_ihx(
                    txn_partition_result.partition_index, txn_partition_result.partition_error_code,
                ))
                if txn_partition_result.unknown_tags:
                    put_tags(out, [], txn_partition_result.unknown_tags)
            out.append(b"\0")
            if to_txn_topic_result.unknown_tags:
                put_tags(out, [], to_txn_topic_result.unknown_tags)
        out.append(b"\0")
        if to_txn_result.unknown_tags:
            put_tags(out, [], to_txn_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_add_partitions_to_txn_response_v0, 1: _get_add_partitions_to_txn_response_v0,
    2: _get_add_partitions_to_txn_response_v0, 3: _get_add_partitions_to_txn_response_v3,
    4: _get_add_partitions_to_txn_response_v4, 5: _get_add_partitions_to_txn_response_v4,
}
_PUT = {
    0: _put_add_partitions_to_txn_response_v0, 1: _put_add_partitions_to_txn_response_v0,
    2: _put_add_partitions_to_txn_response_v0, 3: _put_add_partitions_to_txn_response_v3,
    4: _put_add_partitions_to_txn_response_v4, 5: _put_add_partitions_to_txn_response_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AddPartitionsToTxnResponse:
    """The AddPartitionsToTxnResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AddPartitionsToTxnResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AddPartitionsToTxnResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AddPartitionsToTxnResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ADD_PARTITIONS_TO_TXN_PARTITION_RESULT_SHAPE: Shape = (
    AddPartitionsToTxnPartitionResult,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 5), None, None, None, 0, False,
            (3, 5), None,
        ),
        (
            "partitionErrorCode", "partition_error_code", "int16", (0, 5), None, None, None, 0,
            False, (3, 5), None,
        ),
    ),
)
_ADD_PARTITIONS_TO_TXN_TOPIC_RESULT_SHAPE: Shape = (
    AddPartitionsToTxnTopicResult,
    (
        ("name", "name", "string", (0, 5), None, None, None, "", False, (3, 5), None),
        (
            "resultsByPartition", "results_by_partition", "[]AddPartitionsToTxnPartitionResult",
            (0, 5), None, None, None, (), False, (3, 5),
            _ADD_PARTITIONS_TO_TXN_PARTITION_RESULT_SHAPE,
        ),
    ),
)
_ADD_PARTITIONS_TO_TXN_RESULT_SHAPE: Shape = (
    AddPartitionsToTxnResult,
    (
        (
            "transactionalId", "transactional_id", "string", (4, 5), None, None, None, "", False,
            (3, 5), None,
        ),
        (
            "topicResults", "topic_results", "[]AddPartitionsToTxnTopicResult", (4, 5), None, None,
            None, (), False, (3, 5), _ADD_PARTITIONS_TO_TXN_TOPIC_RESULT_SHAPE,
        ),
    ),
)
_ADD_PARTITIONS_TO_TXN_RESPONSE_SHAPE: Shape = (
    AddPartitionsToTxnResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 5), None, None, None, 0, False,
            (3, 5), None,
        ),
        ("errorCode", "error_code", "int16", (4, 5), None, None, None, 0, True, (3, 5), None),
        (
            "resultsByTransaction", "results_by_transaction", "[]AddPartitionsToTxnResult", (4, 5),
            None, None, None, (), False, (3, 5), _ADD_PARTITIONS_TO_TXN_RESULT_SHAPE,
        ),
        (
            "resultsByTopicV3AndBelow", "results_by_topic_v3_and_below",
            "[]AddPartitionsToTxnTopicResult", (0, 3), None, None, None, (), False, (3, 5),
            _ADD_PARTITIONS_TO_TXN_TOPIC_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ADD_PARTITIONS_TO_TXN_RESPONSE_SHAPE, (0, 5), (3, 5))
