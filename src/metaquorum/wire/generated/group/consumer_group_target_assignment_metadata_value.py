# GENERATED from schemas/group/consumer_group_target_assignment_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5e105da7db11c52d, generator 1.
"""Epoch of a consumer group's target assignment, and when it was made. Record type 6, versions 0,
flexible from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, joined, put_tags, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 6
NAME: Final = "ConsumerGroupTargetAssignmentMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ConsumerGroupTargetAssignmentMetadataValue(Message):
    """Epoch of a consumer group's target assignment, and when it was made."""

    __slots__ = ("assignment_epoch", "assignment_timestamp", "unknown_tags")

    def __init__(
        self,
        # Epoch of the target assignment.
        assignment_epoch: int = 0,
        # Milliseconds since 1970 at which the target assignment was made; 0 when unknown. (tag 0)
        assignment_timestamp: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.assignment_epoch = assignment_epoch
        self.assignment_timestamp = assignment_timestamp
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_read_q = Struct(">q").unpack_from
_write_ix = Struct(">ix").pack
_write_q = Struct(">q").pack


def _get_tags_consumer_group_target_assignment_metadata_value_v0(
    m: ConsumerGroupTargetAssignmentMetadataValue, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.assignment_timestamp,) = _read_q(buf, at)
            at += 8
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_consumer_group_target_assignment_metadata_value_v0(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupTargetAssignmentMetadataValue, int]:
    m = new(ConsumerGroupTargetAssignmentMetadataValue)
    (m.assignment_epoch, tags) = _read_iB(buf, at)
    at += 5
    m.assignment_timestamp = 0
    m.unknown_tags = ()
    if tags:
        at = _get_tags_consumer_group_target_assignment_metadata_value_v0(m, buf, at - 1)
    return m, at


def _tags_of_consumer_group_target_assignment_metadata_value_v0(
    m: ConsumerGroupTargetAssignmentMetadataValue,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.assignment_timestamp != 0:
        tags.append((0, _write_q(m.assignment_timestamp)))
    return tags


def _put_consumer_group_target_assignment_metadata_value_v0(
    out: Parts, m: ConsumerGroupTargetAssignmentMetadataValue,
) -> None:
    out.append(_write_ix(m.assignment_epoch))
    if m.unknown_tags or m.assignment_timestamp != 0:
        put_tags(
            out, _tags_of_consumer_group_target_assignment_metadata_value_v0(m), m.unknown_tags,
        )


_GET = {0: _get_consumer_group_target_assignment_metadata_value_v0}
_PUT = {0: _put_consumer_group_target_assignment_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupTargetAssignmentMetadataValue:
    """The ConsumerGroupTargetAssignmentMetadataValue that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(
    buf: Buffer, at: int, version: int,
) -> tuple[ConsumerGroupTargetAssignmentMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupTargetAssignmentMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupTargetAssignmentMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE_SHAPE: Shape = (
    ConsumerGroupTargetAssignmentMetadataValue,
    (
        (
            "assignmentEpoch", "assignment_epoch", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "assignmentTimestamp", "assignment_timestamp", "int64", (0, 0), None, 0, (0, 0), 0,
            True, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
