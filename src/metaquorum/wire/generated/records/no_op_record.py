# GENERATED from schemas/records/no_op_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b44aa2add1bbd87e, generator 1.
"""Says nothing; an idle controller writes it to move the offset on (KIP-835). Record type 20,
versions 0, flexible from 0.
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

API_KEY: Final = 20
NAME: Final = "NoOpRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class NoOpRecord(Message):
    """Says nothing; an idle controller writes it to move the offset on (KIP-835)."""

    __slots__ = ("unknown_tags",)

    def __init__(
        self,
        unknown_tags: Tags = (),
    ) -> None:
        self.unknown_tags = unknown_tags




def _get_no_op_record_v0(buf: bytes, at: int) -> tuple[NoOpRecord, int]:
    m = new(NoOpRecord)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_no_op_record_v0(out: Parts, m: NoOpRecord) -> None:
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_no_op_record_v0}
_PUT = {0: _put_no_op_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> NoOpRecord:
    """The NoOpRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[NoOpRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: NoOpRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: NoOpRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_NO_OP_RECORD_SHAPE: Shape = (
    NoOpRecord,
    (
    ),
)
SHAPE: Shape = (_NO_OP_RECORD_SHAPE, (0, 0), (0, 0))
