# GENERATED from schemas/sasl_authenticate_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 0f96b571d191a5bc, generator 1.
"""Carries one step of a SASL exchange to the server. Api key 36, versions 0-2, flexible from 2."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_head, long_size, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 36
NAME: Final = "SaslAuthenticateRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class SaslAuthenticateRequest(Message):
    """Carries one step of a SASL exchange to the server."""

    __slots__ = ("auth_bytes", "unknown_tags")

    def __init__(
        self,
        # One step of the SASL exchange, from client to server.
        auth_bytes: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.auth_bytes = auth_bytes
        self.unknown_tags = unknown_tags


_read_i = Struct(">i").unpack_from
_write_i = Struct(">i").pack


def _get_sasl_authenticate_request_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SaslAuthenticateRequest, int]:
    m = new(SaslAuthenticateRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        refuse_null()
    end = at + n
    m.auth_bytes = view[at:end]
    at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_sasl_authenticate_request_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SaslAuthenticateRequest, int]:
    m = new(SaslAuthenticateRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.auth_bytes = view[at:end]
    at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_sasl_authenticate_request_v0(out: Parts, m: SaslAuthenticateRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    auth_bytes = m.auth_bytes
    n = len(auth_bytes)
    out.append(_write_i(n))
    out.append(auth_bytes)


def _put_sasl_authenticate_request_v2(out: Parts, m: SaslAuthenticateRequest) -> None:
    auth_bytes = m.auth_bytes
    n = len(auth_bytes) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(auth_bytes)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_sasl_authenticate_request_v0, 1: _get_sasl_authenticate_request_v0,
    2: _get_sasl_authenticate_request_v2,
}
_PUT = {
    0: _put_sasl_authenticate_request_v0, 1: _put_sasl_authenticate_request_v0,
    2: _put_sasl_authenticate_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> SaslAuthenticateRequest:
    """The SaslAuthenticateRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[SaslAuthenticateRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: SaslAuthenticateRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: SaslAuthenticateRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SASL_AUTHENTICATE_REQUEST_SHAPE: Shape = (
    SaslAuthenticateRequest,
    (
        ("authBytes", "auth_bytes", "bytes", (0, 2), None, None, None, b"", False, (2, 2), None),
    ),
)
SHAPE: Shape = (_SASL_AUTHENTICATE_REQUEST_SHAPE, (0, 2), (2, 2))
