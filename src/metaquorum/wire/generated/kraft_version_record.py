# GENERATED from schemas/kraft_version_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 aa4906241107decd, generator 1.
"""Control record that sets kraft.version (KIP-853). Versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "KRaftVersionRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class KRaftVersionRecord(Message):
    """Control record that sets kraft.version (KIP-853)."""

    __slots__ = ("version", "kraft_version", "unknown_tags")

    def __init__(
        self,
        # Layout of this record.
        version: int = 0,
        # Value of kraft.version from here on.
        kraft_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.version = version
        self.kraft_version = kraft_version
        self.unknown_tags = unknown_tags


_read_2hB = Struct(">2hB").unpack_from
_write_2hx = Struct(">2hx").pack


def _get_kraft_version_record_v0(buf: bytes, at: int) -> tuple[KRaftVersionRecord, int]:
    m = new(KRaftVersionRecord)
    (m.version, m.kraft_version, tags) = _read_2hB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_kraft_version_record_v0(out: Parts, m: KRaftVersionRecord) -> None:
    out.append(_write_2hx(m.version, m.kraft_version))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_kraft_version_record_v0}
_PUT = {0: _put_kraft_version_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> KRaftVersionRecord:
    """The KRaftVersionRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[KRaftVersionRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: KRaftVersionRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: KRaftVersionRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_KRAFT_VERSION_RECORD_SHAPE: Shape = (
    KRaftVersionRecord,
    (
        ("version", "version", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "kRaftVersion", "kraft_version", "int16", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
    ),
)
SHAPE: Shape = (_KRAFT_VERSION_RECORD_SHAPE, (0, 0), (0, 0))
