# GENERATED from schemas/list_transactions_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 3d61c063afb00052, generator 1.
"""Lists transactions. Api key 66, versions 0-2, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 66
NAME: Final = "ListTransactionsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class TransactionState(Message):
    """Transactions that match."""

    __slots__ = ("transactional_id", "producer_id", "transaction_state", "unknown_tags")

    def __init__(
        self,
        # Transactional id of the producer.
        transactional_id: str = "",
        # Producer that runs the transaction.
        producer_id: int = 0,
        # State of the transaction in words.
        transaction_state: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.transaction_state = transaction_state
        self.unknown_tags = unknown_tags


class ListTransactionsResponse(Message):
    """Lists transactions."""

    __slots__ = (
        "throttle_time_ms", "error_code", "unknown_state_filters", "transaction_states",
        "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Asked-for states that the server does not know.
        unknown_state_filters: Sequence[str] = (),
        # Transactions that match.
        transaction_states: Sequence[TransactionState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.unknown_state_filters: Sequence[str] = (
            [] if unknown_state_filters == () else unknown_state_filters
        )
        self.transaction_states: Sequence[TransactionState] = (
            [] if transaction_states == () else transaction_states
        )
        self.unknown_tags = unknown_tags


_read_ihB = Struct(">ihB").unpack_from
_read_qB = Struct(">qB").unpack_from
_write_ihB = Struct(">ihB").pack
_write_qB = Struct(">qB").pack


def _get_list_transactions_response_v0(buf: bytes, at: int) -> tuple[ListTransactionsResponse, int]:
    m = new(ListTransactionsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.unknown_state_filters, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    transaction_states: list[TransactionState] = []
    m.transaction_states = transaction_states
    left_transaction_states = n - 1
    while left_transaction_states:
        left_transaction_states -= 1
        transaction_state = new(TransactionState)
        transaction_states.append(transaction_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        transaction_state.transactional_id = buf[at:end].decode()
        at = end
        (transaction_state.producer_id, n) = _read_qB(buf, at)
        at += 9
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        transaction_state.transaction_state = buf[at:end].decode()
        at = end
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


def _put_list_transactions_response_v0(out: Parts, m: ListTransactionsResponse) -> None:
    unknown_state_filters = m.unknown_state_filters
    n = len(unknown_state_filters) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    put_compact_texts(out, unknown_state_filters)
    transaction_states = m.transaction_states
    n = len(transaction_states) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for transaction_state in transaction_states:
        transactional_id = transaction_state.transactional_id.encode()
        n = len(transactional_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(transactional_id)
        transaction_state_ = transaction_state.transaction_state.encode()
        n = len(transaction_state_) + 1
        out.append(_write_qB(transaction_state.producer_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(transaction_state_)
        out.append(b"\0")
        if transaction_state.unknown_tags:
            put_tags(out, [], transaction_state.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_list_transactions_response_v0, 1: _get_list_transactions_response_v0,
    2: _get_list_transactions_response_v0,
}
_PUT = {
    0: _put_list_transactions_response_v0, 1: _put_list_transactions_response_v0,
    2: _put_list_transactions_response_v0,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ListTransactionsResponse:
    """The ListTransactionsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListTransactionsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListTransactionsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListTransactionsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TRANSACTION_STATE_SHAPE: Shape = (
    TransactionState,
    (
        (
            "transactionalId", "transactional_id", "string", (0, 2), None, None, None, "", False,
            (0, 2), None,
        ),
        ("producerId", "producer_id", "int64", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "transactionState", "transaction_state", "string", (0, 2), None, None, None, "", False,
            (0, 2), None,
        ),
    ),
)
_LIST_TRANSACTIONS_RESPONSE_SHAPE: Shape = (
    ListTransactionsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "unknownStateFilters", "unknown_state_filters", "[]string", (0, 2), None, None, None,
            (), False, (0, 2), None,
        ),
        (
            "transactionStates", "transaction_states", "[]TransactionState", (0, 2), None, None,
            None, (), False, (0, 2), _TRANSACTION_STATE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LIST_TRANSACTIONS_RESPONSE_SHAPE, (0, 2), (0, 2))
