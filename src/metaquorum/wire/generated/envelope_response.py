# GENERATED from schemas/envelope_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 1bbde39f896dc3b4, generator 1.
"""Carries the controller's response back to the broker. Api key 58, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_head, long_size, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 58
NAME: Final = "EnvelopeResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class EnvelopeResponse(Message):
    """Carries the controller's response back to the broker."""

    __slots__ = ("response_data", "error_code", "unknown_tags")

    def __init__(
        self,
        # The response with its header; null on an error of the envelope.
        response_data: Buffer | None = None,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.response_data = response_data
        self.error_code = error_code
        self.unknown_tags = unknown_tags


_read_hB = Struct(">hB").unpack_from
_write_hx = Struct(">hx").pack


def _get_envelope_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[EnvelopeResponse, int]:
    m = new(EnvelopeResponse)
    n = buf[at]
    at += 1
    if n == 0:
        m.response_data = None
    else:
        if n > 127:
            if 0 < buf[at] < 128:
                n += (buf[at] << 7) - 128
                at += 1
            else:
                n, at = long_size(buf, at)
        end = at + n - 1
        m.response_data = view[at:end]
        at = end
    (m.error_code, tags) = _read_hB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_envelope_response_v0(out: Parts, m: EnvelopeResponse) -> None:
    response_data = m.response_data
    n = 0 if response_data is None else len(response_data) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if response_data is not None:
        out.append(response_data)
    out.append(_write_hx(m.error_code))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_envelope_response_v0}
_PUT = {0: _put_envelope_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> EnvelopeResponse:
    """The EnvelopeResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[EnvelopeResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: EnvelopeResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: EnvelopeResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ENVELOPE_RESPONSE_SHAPE: Shape = (
    EnvelopeResponse,
    (
        (
            "responseData", "response_data", "bytes", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_ENVELOPE_RESPONSE_SHAPE, (0, 0), (0, 0))
