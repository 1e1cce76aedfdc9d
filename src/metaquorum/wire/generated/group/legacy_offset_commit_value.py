# GENERATED from schemas/group/legacy_offset_commit_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 82373c4102195db5, generator 1.
"""A committed offset, as the first brokers that kept offsets in a topic wrote it. Record type 0,
versions 0, never flexible.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, joined,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 0
NAME: Final = "LegacyOffsetCommitValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class LegacyOffsetCommitValue(Message):
    """A committed offset, as the first brokers that kept offsets in a topic wrote it."""

    __slots__ = ("offset", "metadata", "commit_timestamp", "unknown_tags")

    def __init__(
        self,
        # Next offset the group wants to consume.
        offset: int = 0,
        # Text stored with the offset.
        metadata: str = "",
        # Milliseconds since 1970 at which the offset was committed.
        commit_timestamp: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.offset = offset
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp
        self.unknown_tags = unknown_tags


_read_q = Struct(">q").unpack_from
_read_qh = Struct(">qh").unpack_from
_write_q = Struct(">q").pack
_write_qh = Struct(">qh").pack


def _get_legacy_offset_commit_value_v0(buf: bytes, at: int) -> tuple[LegacyOffsetCommitValue, int]:
    m = new(LegacyOffsetCommitValue)
    (m.offset, n) = _read_qh(buf, at)
    at += 10
    if n < 0:
        refuse_null()
    end = at + n
    m.metadata = buf[at:end].decode()
    at = end
    (m.commit_timestamp,) = _read_q(buf, at)
    at += 8
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_legacy_offset_commit_value_v0(out: Parts, m: LegacyOffsetCommitValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    metadata = m.metadata.encode()
    n = len(metadata)
    out.append(_write_qh(m.offset, n))
    out.append(metadata)
    out.append(_write_q(m.commit_timestamp))


_GET = {0: _get_legacy_offset_commit_value_v0}
_PUT = {0: _put_legacy_offset_commit_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> LegacyOffsetCommitValue:
    """The LegacyOffsetCommitValue that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[LegacyOffsetCommitValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: LegacyOffsetCommitValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: LegacyOffsetCommitValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LEGACY_OFFSET_COMMIT_VALUE_SHAPE: Shape = (
    LegacyOffsetCommitValue,
    (
        ("offset", "offset", "int64", (0, 0), None, None, None, 0, False, None, None),
        ("metadata", "metadata", "string", (0, 0), None, None, None, "", False, None, None),
        (
            "commitTimestamp", "commit_timestamp", "int64", (0, 0), None, None, None, 0, False,
            None, None,
        ),
    ),
)
SHAPE: Shape = (_LEGACY_OFFSET_COMMIT_VALUE_SHAPE, (0, 0), None)
