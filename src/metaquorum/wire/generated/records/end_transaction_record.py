# GENERATED from schemas/records/end_transaction_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 534aff3ccd03f04b, generator 1.
"""Ends the open metadata transaction: its records count from here on. Record type 24, versions 0,
flexible from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 24
NAME: Final = "EndTransactionRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class EndTransactionRecord(Message):
    """Ends the open metadata transaction: its records count from here on."""

    __slots__ = ("unknown_tags",)

    def __init__(
        self,
        unknown_tags: Tags = (),
    ) -> None:
        self.unknown_tags = unknown_tags




def _get_end_transaction_record_v0(buf: bytes, at: int) -> tuple[EndTransactionRecord, int]:
    m = new(EndTransactionRecord)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_end_transaction_record_v0(out: Parts, m: EndTransactionRecord) -> None:
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_end_transaction_record_v0}
_PUT = {0: _put_end_transaction_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> EndTransactionRecord:
    """The EndTransactionRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[EndTransactionRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: EndTransactionRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: EndTransactionRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_END_TRANSACTION_RECORD_SHAPE: Shape = (
    EndTransactionRecord,
    (
    ),
)
SHAPE: Shape = (_END_TRANSACTION_RECORD_SHAPE, (0, 0), (0, 0))
