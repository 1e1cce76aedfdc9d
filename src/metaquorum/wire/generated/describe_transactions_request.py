# GENERATED from schemas/describe_transactions_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 0eee987a0d81bd62, generator 1.
"""Asks for transactions in full by their transactional ids. Api key 65, versions 0, flexible from
0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, long_count, long_head, put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 65
NAME: Final = "DescribeTransactionsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class DescribeTransactionsRequest(Message):
    """Asks for transactions in full by their transactional ids."""

    __slots__ = ("transactional_ids", "unknown_tags")

    def __init__(
        self,
        # Transactional ids to describe.
        transactional_ids: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_ids: Sequence[str] = [] if transactional_ids == () else transactional_ids
        self.unknown_tags = unknown_tags




def _get_describe_transactions_request_v0(
    buf: bytes, at: int,
) -> tuple[DescribeTransactionsRequest, int]:
    m = new(DescribeTransactionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.transactional_ids, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_transactions_request_v0(out: Parts, m: DescribeTransactionsRequest) -> None:
    transactional_ids = m.transactional_ids
    n = len(transactional_ids) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, transactional_ids)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_transactions_request_v0}
_PUT = {0: _put_describe_transactions_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeTransactionsRequest:
    """The DescribeTransactionsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeTransactionsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeTransactionsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeTransactionsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_TRANSACTIONS_REQUEST_SHAPE: Shape = (
    DescribeTransactionsRequest,
    (
        (
            "transactionalIds", "transactional_ids", "[]string", (0, 0), None, None, None, (),
            False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_TRANSACTIONS_REQUEST_SHAPE, (0, 0), (0, 0))
