# GENERATED from schemas/storage/aborted_txn.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 dd9d0ec9434511bf, generator 1.
"""One entry of a segment's transaction index: a transaction that was aborted. Versions 0, never
flexible.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, joined,
    refuse_field, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "AbortedTxn"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class AbortedTxn(Message):
    """One entry of a segment's transaction index: a transaction that was aborted."""

    __slots__ = ("producer_id", "first_offset", "last_offset", "last_stable_offset", "unknown_tags")

    def __init__(
        self,
        # Producer whose transaction was aborted.
        producer_id: int = 0,
        # Where the transaction begins.
        first_offset: int = 0,
        # Offset of the marker that ends the transaction.
        last_offset: int = 0,
        # Last stable offset once that marker was written.
        last_stable_offset: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.producer_id = producer_id
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.last_stable_offset = last_stable_offset
        self.unknown_tags = unknown_tags


_read_4q = Struct(">4q").unpack_from
_write_4q = Struct(">4q").pack


def _get_aborted_txn_v0(buf: bytes, at: int) -> tuple[AbortedTxn, int]:
    m = new(AbortedTxn)
    (m.producer_id, m.first_offset, m.last_offset, m.last_stable_offset) = _read_4q(buf, at)
    at += 32
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_aborted_txn_v0(out: Parts, m: AbortedTxn) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_4q(m.producer_id, m.first_offset, m.last_offset, m.last_stable_offset))


_GET = {0: _get_aborted_txn_v0}
_PUT = {0: _put_aborted_txn_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AbortedTxn:
    """The AbortedTxn that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AbortedTxn, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AbortedTxn, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AbortedTxn, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ABORTED_TXN_SHAPE: Shape = (
    AbortedTxn,
    (
        ("producerId", "producer_id", "int64", (0, 0), None, None, None, 0, False, None, None),
        ("firstOffset", "first_offset", "int64", (0, 0), None, None, None, 0, False, None, None),
        ("lastOffset", "last_offset", "int64", (0, 0), None, None, None, 0, False, None, None),
        (
            "lastStableOffset", "last_stable_offset", "int64", (0, 0), None, None, None, 0, False,
            None, None,
        ),
    ),
)
SHAPE: Shape = (_ABORTED_TXN_SHAPE, (0, 0), None)
