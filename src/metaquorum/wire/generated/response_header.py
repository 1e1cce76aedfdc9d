# GENERATED from schemas/response_header.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 33377b29ab99eaff, generator 1.
"""Stands before every response. Versions 0-1, flexible from 1."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "ResponseHeader"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class ResponseHeader(Message):
    """Stands before every response."""

    __slots__ = ("correlation_id", "unknown_tags")

    def __init__(
        self,
        # Number of the request that is answered.
        correlation_id: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.correlation_id = correlation_id
        self.unknown_tags = unknown_tags


_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_i = Struct(">i").pack
_write_ix = Struct(">ix").pack


def _get_response_header_v0(buf: bytes, at: int) -> tuple[ResponseHeader, int]:
    m = new(ResponseHeader)
    (m.correlation_id,) = _read_i(buf, at)
    at += 4
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_response_header_v1(buf: bytes, at: int) -> tuple[ResponseHeader, int]:
    m = new(ResponseHeader)
    (m.correlation_id, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_response_header_v0(out: Parts, m: ResponseHeader) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_i(m.correlation_id))


def _put_response_header_v1(out: Parts, m: ResponseHeader) -> None:
    out.append(_write_ix(m.correlation_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_response_header_v0, 1: _get_response_header_v1}
_PUT = {0: _put_response_header_v0, 1: _put_response_header_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> ResponseHeader:
    """The ResponseHeader that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ResponseHeader, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ResponseHeader, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ResponseHeader, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_RESPONSE_HEADER_SHAPE: Shape = (
    ResponseHeader,
    (
        (
            "correlationId", "correlation_id", "int32", (0, 1), None, None, None, 0, False, (1, 1),
            None,
        ),
    ),
)
SHAPE: Shape = (_RESPONSE_HEADER_SHAPE, (0, 1), (1, 1))
