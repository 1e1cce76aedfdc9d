# GENERATED from schemas/group/legacy_offset_commit_key.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b315f3a2a019378b, generator 1.
"""Key of a committed offset, as the first brokers that kept offsets in a topic wrote it. Record
type 0, versions 0, never flexible.
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
NAME: Final = "LegacyOffsetCommitKey"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class LegacyOffsetCommitKey(Message):
    """Key of a committed offset, as the first brokers that kept offsets in a topic wrote it."""

    __slots__ = ("group", "topic", "partition", "unknown_tags")

    def __init__(
        self,
        # Group.
        group: str = "",
        # Name of the topic.
        topic: str = "",
        # Index of the partition.
        partition: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.group = group
        self.topic = topic
        self.partition = partition
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_legacy_offset_commit_key_v0(buf: bytes, at: int) -> tuple[LegacyOffsetCommitKey, int]:
    m = new(LegacyOffsetCommitKey)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.topic = buf[at:end].decode()
    at = end
    (m.partition,) = _read_i(buf, at)
    at += 4
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_legacy_offset_commit_key_v0(out: Parts, m: LegacyOffsetCommitKey) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group = m.group.encode()
    n = len(group)
    out.append(_write_h(n))
    out.append(group)
    topic = m.topic.encode()
    n = len(topic)
    out.append(_write_h(n))
    out.append(topic)
    out.append(_write_i(m.partition))


_GET = {0: _get_legacy_offset_commit_key_v0}
_PUT = {0: _put_legacy_offset_commit_key_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> LegacyOffsetCommitKey:
    """The LegacyOffsetCommitKey that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[LegacyOffsetCommitKey, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: LegacyOffsetCommitKey, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: LegacyOffsetCommitKey, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LEGACY_OFFSET_COMMIT_KEY_SHAPE: Shape = (
    LegacyOffsetCommitKey,
    (
        ("group", "group", "string", (0, 0), None, None, None, "", False, None, None),
        ("topic", "topic", "string", (0, 0), None, None, None, "", False, None, None),
        ("partition", "partition", "int32", (0, 0), None, None, None, 0, False, None, None),
    ),
)
SHAPE: Shape = (_LEGACY_OFFSET_COMMIT_KEY_SHAPE, (0, 0), None)
