# GENERATED from schemas/list_transactions_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b21d0463f45896fd, generator 1.
"""Asks which transactions the broker coordinates (KIP-664). Api key 66, versions 0-2, flexible from
0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen_text, long_count, long_head, long_text,
    put_compact_texts, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 66
NAME: Final = "ListTransactionsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class ListTransactionsRequest(Message):
    """Asks which transactions the broker coordinates (KIP-664)."""

    __slots__ = (
        "state_filters", "producer_id_filters", "duration_filter", "transactional_id_pattern",
        "unknown_tags",
    )

    def __init__(
        self,
        # Only transactions in these states; empty for all.
        state_filters: Sequence[str] = (),
        # Only transactions of these producers; empty for all.
        producer_id_filters: Sequence[int] = (),
        # Only transactions older than this many milliseconds; negative for no limit. (v1+)
        duration_filter: int = -1,
        # Only transactional ids that this pattern matches; null or empty for all. (v2+)
        transactional_id_pattern: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.state_filters: Sequence[str] = [] if state_filters == () else state_filters
        self.producer_id_filters: Sequence[int] = (
            [] if producer_id_filters == () else producer_id_filters
        )
        self.duration_filter = duration_filter
        self.transactional_id_pattern = transactional_id_pattern
        self.unknown_tags = unknown_tags


_read_array_cq_B = ArrayReads("q", "B", 1)
_read_array_cq_qB = ArrayReads("q", "qB", 1)
_write_B_many_q_qB = ArrayWrites("B *q qB")
_write_B_many_q_qx = ArrayWrites("B *q qx")
_write_B_many_q_x = ArrayWrites("B *q x")


def _get_list_transactions_request_v0(buf: bytes, at: int) -> tuple[ListTransactionsRequest, int]:
    m = new(ListTransactionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.state_filters, at = get_compact_texts(buf, at, n - 1)
    n_producer_id_filters = buf[at]
    at += 1
    if n_producer_id_filters > 127:
        n_producer_id_filters, at = long_count(buf, at, 8)
    (*m.producer_id_filters, tags) = _read_array_cq_B[n_producer_id_filters](buf, at)
    at += 8 * n_producer_id_filters - 7
    m.duration_filter = -1
    m.transactional_id_pattern = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_transactions_request_v1(buf: bytes, at: int) -> tuple[ListTransactionsRequest, int]:
    m = new(ListTransactionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.state_filters, at = get_compact_texts(buf, at, n - 1)
    n_producer_id_filters = buf[at]
    at += 1
    if n_producer_id_filters > 127:
        n_producer_id_filters, at = long_count(buf, at, 8)
    (
        *m.producer_id_filters, m.duration_filter, tags,
    ) = _read_array_cq_qB[n_producer_id_filters](buf, at)
    at += 8 * n_producer_id_filters + 1
    m.transactional_id_pattern = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_transactions_request_v2(buf: bytes, at: int) -> tuple[ListTransactionsRequest, int]:
    m = new(ListTransactionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.state_filters, at = get_compact_texts(buf, at, n - 1)
    n_producer_id_filters = buf[at]
    at += 1
    if n_producer_id_filters > 127:
        n_producer_id_filters, at = long_count(buf, at, 8)
    (
        *m.producer_id_filters, m.duration_filter, n,
    ) = _read_array_cq_qB[n_producer_id_filters](buf, at)
    at += 8 * n_producer_id_filters + 1
    if n == 0:
        m.transactional_id_pattern = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.transactional_id_pattern = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_transactions_request_v0(out: Parts, m: ListTransactionsRequest) -> None:
    if m.duration_filter != -1:
        refuse_field("duration_filter")
    if m.transactional_id_pattern is not None:
        refuse_field("transactional_id_pattern")
    state_filters = m.state_filters
    n = len(state_filters) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, state_filters)
    producer_id_filters = m.producer_id_filters
    n_producer_id_filters = len(producer_id_filters)
    write = _write_B_many_q_x[n_producer_id_filters]
    out.append(write(n_producer_id_filters + 1, *producer_id_filters))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_transactions_request_v1(out: Parts, m: ListTransactionsRequest) -> None:
    if m.transactional_id_pattern is not None:
        refuse_field("transactional_id_pattern")
    state_filters = m.state_filters
    n = len(state_filters) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, state_filters)
    producer_id_filters = m.producer_id_filters
    n_producer_id_filters = len(producer_id_filters)
    write = _write_B_many_q_qx[n_producer_id_filters]
    out.append(write(n_producer_id_filters + 1, *producer_id_filters, m.duration_filter))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_transactions_request_v2(out: Parts, m: ListTransactionsRequest) -> None:
    state_filters = m.state_filters
    n = len(state_filters) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, state_filters)
    producer_id_filters = m.producer_id_filters
    n_producer_id_filters = len(producer_id_filters)
    transactional_id_pattern = (
        b"" if m.transactional_id_pattern is None else m.transactional_id_pattern.encode()
    )
    n = 0 if m.transactional_id_pattern is None else len(transactional_id_pattern) + 1
    write = _write_B_many_q_qB[n_producer_id_filters]
    out.append(write(
        n_producer_id_filters + 1, *producer_id_filters, m.duration_filter, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen_text(out, n)
    out.append(transactional_id_pattern)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_list_transactions_request_v0, 1: _get_list_transactions_request_v1,
    2: _get_list_transactions_request_v2,
}
_PUT = {
    0: _put_list_transactions_request_v0, 1: _put_list_transactions_request_v1,
    2: _put_list_transactions_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ListTransactionsRequest:
    """The ListTransactionsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListTransactionsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListTransactionsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListTransactionsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LIST_TRANSACTIONS_REQUEST_SHAPE: Shape = (
    ListTransactionsRequest,
    (
        (
            "stateFilters", "state_filters", "[]string", (0, 2), None, None, None, (), False,
            (0, 2), None,
        ),
        (
            "producerIdFilters", "producer_id_filters", "[]int64", (0, 2), None, None, None, (),
            False, (0, 2), None,
        ),
        (
            "durationFilter", "duration_filter", "int64", (1, 2), None, None, None, -1, False,
            (0, 2), None,
        ),
        (
            "transactionalIdPattern", "transactional_id_pattern", "string", (2, 2), (2, 2), None,
            None, None, False, (0, 2), None,
        ),
    ),
)
SHAPE: Shape = (_LIST_TRANSACTIONS_REQUEST_SHAPE, (0, 2), (0, 2))
