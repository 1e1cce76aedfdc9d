# GENERATED from schemas/records/clear_elr_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9526701fb9df7be1, generator 1.
"""Forgets the eligible leader replicas of one topic or of all (KIP-966). Record type 28, versions
0, flexible from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 28
NAME: Final = "ClearElrRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ClearElrRecord(Message):
    """Forgets the eligible leader replicas of one topic or of all (KIP-966)."""

    __slots__ = ("topic_name", "unknown_tags")

    def __init__(
        self,
        # Topic to clear; null clears every topic.
        topic_name: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.unknown_tags = unknown_tags




def _get_clear_elr_record_v0(buf: bytes, at: int) -> tuple[ClearElrRecord, int]:
    m = new(ClearElrRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.topic_name = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_clear_elr_record_v0(out: Parts, m: ClearElrRecord) -> None:
    topic_name = m.topic_name.encode()
    n = len(topic_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(topic_name)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_clear_elr_record_v0}
_PUT = {0: _put_clear_elr_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ClearElrRecord:
    """The ClearElrRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ClearElrRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ClearElrRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ClearElrRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CLEAR_ELR_RECORD_SHAPE: Shape = (
    ClearElrRecord,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
SHAPE: Shape = (_CLEAR_ELR_RECORD_SHAPE, (0, 0), (0, 0))
