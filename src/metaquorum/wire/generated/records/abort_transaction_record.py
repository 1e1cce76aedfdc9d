# GENERATED from schemas/records/abort_transaction_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 d72bb074e9479251, generator 1.
"""Discards the records of the open metadata transaction. Record type 25, versions 0, flexible from
0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, joined, long_text, long_text_head, put_tags, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 25
NAME: Final = "AbortTransactionRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class AbortTransactionRecord(Message):
    """Discards the records of the open metadata transaction."""

    __slots__ = ("reason", "unknown_tags")

    def __init__(
        self,
        # Why the transaction was given up, for logs; may be null. (tag 0)
        reason: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.reason = reason
        self.unknown_tags = unknown_tags




def _get_tags_abort_transaction_record_v0(m: AbortTransactionRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.reason = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.reason = buf[at:end].decode()
                at = end
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_abort_transaction_record_v0(buf: bytes, at: int) -> tuple[AbortTransactionRecord, int]:
    m = new(AbortTransactionRecord)
    tags = buf[at]
    at += 1
    m.reason = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_abort_transaction_record_v0(m, buf, at - 1)
    return m, at


def _tags_of_abort_transaction_record_v0(m: AbortTransactionRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.reason is not None:
        part: Parts = []
        reason = m.reason.encode()
        n = len(reason) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(reason)
        tags.append((0, joined(part)))
    return tags


def _put_abort_transaction_record_v0(out: Parts, m: AbortTransactionRecord) -> None:
    out.append(b"\0")
    if m.unknown_tags or m.reason is not None:
        put_tags(out, _tags_of_abort_transaction_record_v0(m), m.unknown_tags)


_GET = {0: _get_abort_transaction_record_v0}
_PUT = {0: _put_abort_transaction_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AbortTransactionRecord:
    """The AbortTransactionRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AbortTransactionRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AbortTransactionRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AbortTransactionRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ABORT_TRANSACTION_RECORD_SHAPE: Shape = (
    AbortTransactionRecord,
    (
        ("reason", "reason", "string", (0, 0), (0, 0), 0, (0, 0), None, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_ABORT_TRANSACTION_RECORD_SHAPE, (0, 0), (0, 0))
