# GENERATED from schemas/sasl_handshake_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b3661dd52eac886c, generator 1.
"""Accepts the mechanism or lists those on offer. Api key 17, versions 0-1, never flexible."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    get_texts, joined, put_texts, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 17
NAME: Final = "SaslHandshakeResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = None


class SaslHandshakeResponse(Message):
    """Accepts the mechanism or lists those on offer."""

    __slots__ = ("error_code", "mechanisms", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # SASL mechanisms the server offers.
        mechanisms: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.mechanisms: Sequence[str] = [] if mechanisms == () else mechanisms
        self.unknown_tags = unknown_tags


_read_hi = Struct(">hi").unpack_from
_write_hi = Struct(">hi").pack


def _get_sasl_handshake_response_v0(buf: bytes, at: int) -> tuple[SaslHandshakeResponse, int]:
    m = new(SaslHandshakeResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.mechanisms, at = get_texts(buf, at, n)
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_sasl_handshake_response_v0(out: Parts, m: SaslHandshakeResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    mechanisms = m.mechanisms
    n = len(mechanisms)
    out.append(_write_hi(m.error_code, n))
    put_texts(out, mechanisms)


_GET = {0: _get_sasl_handshake_response_v0, 1: _get_sasl_handshake_response_v0}
_PUT = {0: _put_sasl_handshake_response_v0, 1: _put_sasl_handshake_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> SaslHandshakeResponse:
    """The SaslHandshakeResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[SaslHandshakeResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: SaslHandshakeResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: SaslHandshakeResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SASL_HANDSHAKE_RESPONSE_SHAPE: Shape = (
    SaslHandshakeResponse,
    (
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, None, None),
        ("mechanisms", "mechanisms", "[]string", (0, 1), None, None, None, (), False, None, None),
    ),
)
SHAPE: Shape = (_SASL_HANDSHAKE_RESPONSE_SHAPE, (0, 1), None)
