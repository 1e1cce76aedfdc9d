# GENERATED from schemas/control_record_type_schema.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 37cda1c6a9239429, generator 1.
"""Key of a control record, after its int16 version. Versions 0, never flexible."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, joined,
    refuse_field, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "ControlRecordTypeSchema"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class ControlRecordTypeSchema(Message):
    """Key of a control record, after its int16 version."""

    __slots__ = ("type", "unknown_tags")

    def __init__(
        self,
        # What the control record says: 0 abort, 1 commit, 2 leader change, 3 snapshot header, 4
        # snapshot footer, 5 kraft.version, 6 voters.
        type: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.type = type
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_write_h = Struct(">h").pack


def _get_control_record_type_schema_v0(buf: bytes, at: int) -> tuple[ControlRecordTypeSchema, int]:
    m = new(ControlRecordTypeSchema)
    (m.type,) = _read_h(buf, at)
    at += 2
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_control_record_type_schema_v0(out: Parts, m: ControlRecordTypeSchema) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_h(m.type))


_GET = {0: _get_control_record_type_schema_v0}
_PUT = {0: _put_control_record_type_schema_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ControlRecordTypeSchema:
    """The ControlRecordTypeSchema that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ControlRecordTypeSchema, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ControlRecordTypeSchema, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ControlRecordTypeSchema, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONTROL_RECORD_TYPE_SCHEMA_SHAPE: Shape = (
    ControlRecordTypeSchema,
    (
        ("type", "type", "int16", (0, 0), None, None, None, 0, False, None, None),
    ),
)
SHAPE: Shape = (_CONTROL_RECORD_TYPE_SCHEMA_SHAPE, (0, 0), None)
