# GENERATED from schemas/group/consumer_group_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 095f22481ce8d220, generator 1.
"""Epoch of a consumer group, and what it saw of its topics. Record type 3, versions 0, flexible
from 0.
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

API_KEY: Final = 3
NAME: Final = "ConsumerGroupMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ConsumerGroupMetadataValue(Message):
    """Epoch of a consumer group, and what it saw of its topics."""

    __slots__ = ("epoch", "metadata_hash", "unknown_tags")

    def __init__(
        self,
        # Epoch of the group.
        epoch: int = 0,
        # Hash over the metadata of the topics that the group reads. (tag 0)
        metadata_hash: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_read_q = Struct(">q").unpack_from
_write_ix = Struct(">ix").pack
_write_q = Struct(">q").pack


def _get_tags_consumer_group_metadata_value_v0(
    m: ConsumerGroupMetadataValue, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.metadata_hash,) = _read_q(buf, at)
            at += 8
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_consumer_group_metadata_value_v0(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupMetadataValue, int]:
    m = new(ConsumerGroupMetadataValue)
    (m.epoch, tags) = _read_iB(buf, at)
    at += 5
    m.metadata_hash = 0
    m.unknown_tags = ()
    if tags:
        at = _get_tags_consumer_group_metadata_value_v0(m, buf, at - 1)
    return m, at


def _tags_of_consumer_group_metadata_value_v0(
    m: ConsumerGroupMetadataValue,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.metadata_hash != 0:
        tags.append((0, _write_q(m.metadata_hash)))
    return tags


def _put_consumer_group_metadata_value_v0(out: Parts, m: ConsumerGroupMetadataValue) -> None:
    out.append(_write_ix(m.epoch))
    if m.unknown_tags or m.metadata_hash != 0:
        put_tags(out, _tags_of_consumer_group_metadata_value_v0(m), m.unknown_tags)


_GET = {0: _get_consumer_group_metadata_value_v0}
_PUT = {0: _put_consumer_group_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupMetadataValue:
    """The ConsumerGroupMetadataValue that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerGroupMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONSUMER_GROUP_METADATA_VALUE_SHAPE: Shape = (
    ConsumerGroupMetadataValue,
    (
        ("epoch", "epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("metadataHash", "metadata_hash", "int64", (0, 0), None, 0, (0, 0), 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
