# GENERATED from schemas/sasl_handshake_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 7f526fa4a656392d, generator 1.
"""Chooses the SASL mechanism. Api key 17, versions 0-1, never flexible."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, joined,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 17
NAME: Final = "SaslHandshakeRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = None


class SaslHandshakeRequest(Message):
    """Chooses the SASL mechanism."""

    __slots__ = ("mechanism", "unknown_tags")

    def __init__(
        self,
        # SASL mechanism the client wants.
        mechanism: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.mechanism = mechanism
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_write_h = Struct(">h").pack


def _get_sasl_handshake_request_v0(buf: bytes, at: int) -> tuple[SaslHandshakeRequest, int]:
    m = new(SaslHandshakeRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.mechanism = buf[at:end].decode()
    at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_sasl_handshake_request_v0(out: Parts, m: SaslHandshakeRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    mechanism = m.mechanism.encode()
    n = len(mechanism)
    out.append(_write_h(n))
    out.append(mechanism)


_GET = {0: _get_sasl_handshake_request_v0, 1: _get_sasl_handshake_request_v0}
_PUT = {0: _put_sasl_handshake_request_v0, 1: _put_sasl_handshake_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> SaslHandshakeRequest:
    """The SaslHandshakeRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[SaslHandshakeRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: SaslHandshakeRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: SaslHandshakeRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SASL_HANDSHAKE_REQUEST_SHAPE: Shape = (
    SaslHandshakeRequest,
    (
        ("mechanism", "mechanism", "string", (0, 1), None, None, None, "", False, None, None),
    ),
)
SHAPE: Shape = (_SASL_HANDSHAKE_REQUEST_SHAPE, (0, 1), None)
