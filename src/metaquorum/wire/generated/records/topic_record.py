# GENERATED from schemas/records/topic_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 276bd6625ce0171f, generator 1.
"""Creates a topic. Record type 2, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 2
NAME: Final = "TopicRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicRecord(Message):
    """Creates a topic."""

    __slots__ = ("name", "topic_id", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_write_16sx = Struct(">16sx").pack


def _get_topic_record_v0(buf: bytes, at: int) -> tuple[TopicRecord, int]:
    m = new(TopicRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.topic_id, tags) = _read_16sB(buf, at)
    at += 17
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_topic_record_v0(out: Parts, m: TopicRecord) -> None:
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    out.append(_write_16sx(m.topic_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_topic_record_v0}
_PUT = {0: _put_topic_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> TopicRecord:
    """The TopicRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[TopicRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: TopicRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: TopicRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_RECORD_SHAPE: Shape = (
    TopicRecord,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_TOPIC_RECORD_SHAPE, (0, 0), (0, 0))
