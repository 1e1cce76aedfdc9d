# GENERATED from schemas/group/consumer_group_regular_expression_key.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 3c1edf22876b28a6, generator 1.
"""Key of the record of the topics that a pattern stands for. Record type 16, versions 0, never
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

API_KEY: Final = 16
NAME: Final = "ConsumerGroupRegularExpressionKey"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class ConsumerGroupRegularExpressionKey(Message):
    """Key of the record of the topics that a pattern stands for."""

    __slots__ = ("group_id", "regular_expression", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # The pattern.
        regular_expression: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.regular_expression = regular_expression
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_write_h = Struct(">h").pack


def _get_consumer_group_regular_expression_key_v0(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupRegularExpressionKey, int]:
    m = new(ConsumerGroupRegularExpressionKey)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.regular_expression = buf[at:end].decode()
    at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_consumer_group_regular_expression_key_v0(
    out: Parts, m: ConsumerGroupRegularExpressionKey,
) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    regular_expression = m.regular_expression.encode()
    n = len(regular_expression)
    out.append(_write_h(n))
    out.append(regular_expression)


_GET = {0: _get_consumer_group_regular_expression_key_v0}
_PUT = {0: _put_consumer_group_regular_expression_key_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupRegularExpressionKey:
    """The ConsumerGroupRegularExpressionKey that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerGroupRegularExpressionKey, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupRegularExpressionKey, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupRegularExpressionKey, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONSUMER_GROUP_REGULAR_EXPRESSION_KEY_SHAPE: Shape = (
    ConsumerGroupRegularExpressionKey,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, None, None),
        (
            "regularExpression", "regular_expression", "string", (0, 0), None, None, None, "",
            False, None, None,
        ),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_REGULAR_EXPRESSION_KEY_SHAPE, (0, 0), None)
