# GENERATED from schemas/group/streams_group_target_assignment_metadata_key.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4b277cded39bdf96, generator 1.
"""Key of the record of a streams group's target assignment. Record type 20, versions 0, never
flexible.
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

API_KEY: Final = 20
NAME: Final = "StreamsGroupTargetAssignmentMetadataKey"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class StreamsGroupTargetAssignmentMetadataKey(Message):
    """Key of the record of a streams group's target assignment."""

    __slots__ = ("group_id", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_write_h = Struct(">h").pack


def _get_streams_group_target_assignment_metadata_key_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupTargetAssignmentMetadataKey, int]:
    m = new(StreamsGroupTargetAssignmentMetadataKey)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_streams_group_target_assignment_metadata_key_v0(
    out: Parts, m: StreamsGroupTargetAssignmentMetadataKey,
) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)


_GET = {0: _get_streams_group_target_assignment_metadata_key_v0}
_PUT = {0: _put_streams_group_target_assignment_metadata_key_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupTargetAssignmentMetadataKey:
    """The StreamsGroupTargetAssignmentMetadataKey that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupTargetAssignmentMetadataKey, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupTargetAssignmentMetadataKey, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupTargetAssignmentMetadataKey, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_KEY_SHAPE: Shape = (
    StreamsGroupTargetAssignmentMetadataKey,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, None, None),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_KEY_SHAPE, (0, 0), None)
