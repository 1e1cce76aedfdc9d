# GENERATED from schemas/records/remove_topic_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a8180be15f0e95c3, generator 1.
"""Deletes a topic. Record type 9, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 9
NAME: Final = "RemoveTopicRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class RemoveTopicRecord(Message):
    """Deletes a topic."""

    __slots__ = ("topic_id", "unknown_tags")

    def __init__(
        self,
        # Topic that was deleted.
        topic_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_write_16sx = Struct(">16sx").pack


def _get_remove_topic_record_v0(buf: bytes, at: int) -> tuple[RemoveTopicRecord, int]:
    m = new(RemoveTopicRecord)
    (m.topic_id, tags) = _read_16sB(buf, at)
    at += 17
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_remove_topic_record_v0(out: Parts, m: RemoveTopicRecord) -> None:
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    out.append(_write_16sx(m.topic_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_remove_topic_record_v0}
_PUT = {0: _put_remove_topic_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemoveTopicRecord:
    """The RemoveTopicRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemoveTopicRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemoveTopicRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemoveTopicRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REMOVE_TOPIC_RECORD_SHAPE: Shape = (
    RemoveTopicRecord,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_REMOVE_TOPIC_RECORD_SHAPE, (0, 0), (0, 0))
