# GENERATED from schemas/records/begin_transaction_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9d84b9c38bb16de0, generator 1.
"""Opens a metadata transaction; what follows counts once it ends (KIP-868). Record type 23,
versions 0, flexible from 0.
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

API_KEY: Final = 23
NAME: Final = "BeginTransactionRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class BeginTransactionRecord(Message):
    """Opens a metadata transaction; what follows counts once it ends (KIP-868)."""

    __slots__ = ("name", "unknown_tags")

    def __init__(
        self,
        # Label of the transaction, for logs; may be null. (tag 0)
        name: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.unknown_tags = unknown_tags




def _get_tags_begin_transaction_record_v0(m: BeginTransactionRecord, buf: bytes, at: int) -> int:
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
                m.name = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.name = buf[at:end].decode()
                at = end
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_begin_transaction_record_v0(buf: bytes, at: int) -> tuple[BeginTransactionRecord, int]:
    m = new(BeginTransactionRecord)
    tags = buf[at]
    at += 1
    m.name = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_begin_transaction_record_v0(m, buf, at - 1)
    return m, at


def _tags_of_begin_transaction_record_v0(m: BeginTransactionRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.name is not None:
        part: Parts = []
        name = m.name.encode()
        n = len(name) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(name)
        tags.append((0, joined(part)))
    return tags


def _put_begin_transaction_record_v0(out: Parts, m: BeginTransactionRecord) -> None:
    out.append(b"\0")
    if m.unknown_tags or m.name is not None:
        put_tags(out, _tags_of_begin_transaction_record_v0(m), m.unknown_tags)


_GET = {0: _get_begin_transaction_record_v0}
_PUT = {0: _put_begin_transaction_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> BeginTransactionRecord:
    """The BeginTransactionRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[BeginTransactionRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: BeginTransactionRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: BeginTransactionRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BEGIN_TRANSACTION_RECORD_SHAPE: Shape = (
    BeginTransactionRecord,
    (
        ("name", "name", "string", (0, 0), (0, 0), 0, (0, 0), None, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_BEGIN_TRANSACTION_RECORD_SHAPE, (0, 0), (0, 0))
