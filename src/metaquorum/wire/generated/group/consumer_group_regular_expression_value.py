# GENERATED from schemas/group/consumer_group_regular_expression_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 261014ab4e1e6b0c, generator 1.
"""Topics that a subscription's pattern stood for when it was last resolved. Record type 16,
versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, long_count, long_head, put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 16
NAME: Final = "ConsumerGroupRegularExpressionValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ConsumerGroupRegularExpressionValue(Message):
    """Topics that a subscription's pattern stood for when it was last resolved."""

    __slots__ = ("topics", "version", "timestamp", "unknown_tags")

    def __init__(
        self,
        # Topics that match the pattern.
        topics: Sequence[str] = (),
        # Metadata version at which the pattern was resolved.
        version: int = 0,
        # Milliseconds since 1970 at which the pattern was resolved.
        timestamp: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[str] = [] if topics == () else topics
        self.version = version
        self.timestamp = timestamp
        self.unknown_tags = unknown_tags


_read_2qB = Struct(">2qB").unpack_from
_write_2qx = Struct(">2qx").pack


def _get_consumer_group_regular_expression_value_v0(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    m = new(ConsumerGroupRegularExpressionValue)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.topics, at = get_compact_texts(buf, at, n - 1)
    (m.version, m.timestamp, tags) = _read_2qB(buf, at)
    at += 17
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_consumer_group_regular_expression_value_v0(
    out: Parts, m: ConsumerGroupRegularExpressionValue,
) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, topics)
    out.append(_write_2qx(m.version, m.timestamp))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_consumer_group_regular_expression_value_v0}
_PUT = {0: _put_consumer_group_regular_expression_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupRegularExpressionValue:
    """The ConsumerGroupRegularExpressionValue that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupRegularExpressionValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupRegularExpressionValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONSUMER_GROUP_REGULAR_EXPRESSION_VALUE_SHAPE: Shape = (
    ConsumerGroupRegularExpressionValue,
    (
        ("topics", "topics", "[]string", (0, 0), None, None, None, (), False, (0, 0), None),
        ("version", "version", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("timestamp", "timestamp", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_REGULAR_EXPRESSION_VALUE_SHAPE, (0, 0), (0, 0))
