# GENERATED from schemas/share/share_update_key.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 afec47353cf60b04, generator 1.
"""Key of the record of what changed in a share group's partition since its snapshot. Record type 1,
versions 0, never flexible.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, joined,
    refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 1
NAME: Final = "ShareUpdateKey"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class ShareUpdateKey(Message):
    """Key of the record of what changed in a share group's partition since its snapshot."""

    __slots__ = ("group_id", "topic_id", "partition", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Index of the partition.
        partition: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topic_id = topic_id
        self.partition = partition
        self.unknown_tags = unknown_tags


_read_16si = Struct(">16si").unpack_from
_read_h = Struct(">h").unpack_from
_write_16si = Struct(">16si").pack
_write_h = Struct(">h").pack


def _get_share_update_key_v0(buf: bytes, at: int) -> tuple[ShareUpdateKey, int]:
    m = new(ShareUpdateKey)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.topic_id, m.partition) = _read_16si(buf, at)
    at += 20
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_share_update_key_v0(out: Parts, m: ShareUpdateKey) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    out.append(_write_16si(m.topic_id, m.partition))


_GET = {0: _get_share_update_key_v0}
_PUT = {0: _put_share_update_key_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareUpdateKey:
    """The ShareUpdateKey that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareUpdateKey, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareUpdateKey, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareUpdateKey, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SHARE_UPDATE_KEY_SHAPE: Shape = (
    ShareUpdateKey,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, None, None),
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, None, None),
        ("partition", "partition", "int32", (0, 0), None, None, None, 0, False, None, None),
    ),
)
SHAPE: Shape = (_SHARE_UPDATE_KEY_SHAPE, (0, 0), None)
