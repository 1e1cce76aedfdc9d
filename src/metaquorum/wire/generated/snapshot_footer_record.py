# GENERATED from schemas/snapshot_footer_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 184a9f5360aa5fef, generator 1.
"""Control record that ends a snapshot (KIP-630). Versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "SnapshotFooterRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class SnapshotFooterRecord(Message):
    """Control record that ends a snapshot (KIP-630)."""

    __slots__ = ("version", "unknown_tags")

    def __init__(
        self,
        # Layout of this message.
        version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.version = version
        self.unknown_tags = unknown_tags


_read_hB = Struct(">hB").unpack_from
_write_hx = Struct(">hx").pack


def _get_snapshot_footer_record_v0(buf: bytes, at: int) -> tuple[SnapshotFooterRecord, int]:
    m = new(SnapshotFooterRecord)
    (m.version, tags) = _read_hB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_snapshot_footer_record_v0(out: Parts, m: SnapshotFooterRecord) -> None:
    out.append(_write_hx(m.version))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_snapshot_footer_record_v0}
_PUT = {0: _put_snapshot_footer_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> SnapshotFooterRecord:
    """The SnapshotFooterRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[SnapshotFooterRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: SnapshotFooterRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: SnapshotFooterRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SNAPSHOT_FOOTER_RECORD_SHAPE: Shape = (
    SnapshotFooterRecord,
    (
        ("version", "version", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_SNAPSHOT_FOOTER_RECORD_SHAPE, (0, 0), (0, 0))
