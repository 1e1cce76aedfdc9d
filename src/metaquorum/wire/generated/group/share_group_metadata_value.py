# GENERATED from schemas/group/share_group_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 57cbcae4d1a42eec, generator 1.
"""Epoch of a share group, and what it saw of its topics. Record type 11, versions 0, flexible from
0.
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

API_KEY: Final = 11
NAME: Final = "ShareGroupMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ShareGroupMetadataValue(Message):
    """Epoch of a share group, and what it saw of its topics."""

    __slots__ = ("epoch", "metadata_hash", "unknown_tags")

    def __init__(
        self,
        # Epoch of the group.
        epoch: int = 0,
        # Hash over the metadata of the topics that the group reads.
        metadata_hash: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash
        self.unknown_tags = unknown_tags


_read_iqB = Struct(">iqB").unpack_from
_write_iqx = Struct(">iqx").pack


def _get_share_group_metadata_value_v0(buf: bytes, at: int) -> tuple[ShareGroupMetadataValue, int]:
    m = new(ShareGroupMetadataValue)
    (m.epoch, m.metadata_hash, tags) = _read_iqB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_share_group_metadata_value_v0(out: Parts, m: ShareGroupMetadataValue) -> None:
    out.append(_write_iqx(m.epoch, m.metadata_hash))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_share_group_metadata_value_v0}
_PUT = {0: _put_share_group_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareGroupMetadataValue:
    """The ShareGroupMetadataValue that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareGroupMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareGroupMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareGroupMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SHARE_GROUP_METADATA_VALUE_SHAPE: Shape = (
    ShareGroupMetadataValue,
    (
        ("epoch", "epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "metadataHash", "metadata_hash", "int64", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
    ),
)
SHAPE: Shape = (_SHARE_GROUP_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
