# GENERATED from schemas/sasl_authenticate_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 840d30b0641c84f9, generator 1.
"""Carries one step of a SASL exchange to the client. Api key 36, versions 0-2, flexible from 2."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_head, long_size, long_text, put_tags, refuse_field,
    refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 36
NAME: Final = "SaslAuthenticateResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class SaslAuthenticateResponse(Message):
    """Carries one step of a SASL exchange to the client."""

    __slots__ = ("error_code", "error_message", "auth_bytes", "session_lifetime_ms", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # One step of the SASL exchange, from server to client.
        auth_bytes: Buffer = b"",
        # Milliseconds until the client must authenticate again; 0 for never. (v1+)
        session_lifetime_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.auth_bytes = auth_bytes
        self.session_lifetime_ms = session_lifetime_ms
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_q = Struct(">q").unpack_from
_read_qB = Struct(">qB").unpack_from
_write_2h = Struct(">2h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_q = Struct(">q").pack
_write_qx = Struct(">qx").pack


def _get_sasl_authenticate_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SaslAuthenticateResponse, int]:
    m = new(SaslAuthenticateResponse)
    (m.error_code, n) = _read_2h(buf, at)
    at += 4
    if n < 0:
        m.error_message = None
    else:
        end = at + n
        m.error_message = buf[at:end].decode()
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        refuse_null()
    end = at + n
    m.auth_bytes = view[at:end]
    at = end
    m.session_lifetime_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_sasl_authenticate_response_v1(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SaslAuthenticateResponse, int]:
    m = new(SaslAuthenticateResponse)
    (m.error_code, n) = _read_2h(buf, at)
    at += 4
    if n < 0:
        m.error_message = None
    else:
        end = at + n
        m.error_message = buf[at:end].decode()
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        refuse_null()
    end = at + n
    m.auth_bytes = view[at:end]
    at = end
    (m.session_lifetime_ms,) = _read_q(buf, at)
    at += 8
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_sasl_authenticate_response_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SaslAuthenticateResponse, int]:
    m = new(SaslAuthenticateResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
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
    (m.session_lifetime_ms, tags) = _read_qB(buf, at)
    at += 9
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_sasl_authenticate_response_v0(out: Parts, m: SaslAuthenticateResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = -1 if m.error_message is None else len(error_message)
    out.append(_write_2h(m.error_code, n))
    out.append(error_message)
    auth_bytes = m.auth_bytes
    n = len(auth_bytes)
    out.append(_write_i(n))
    out.append(auth_bytes)


def _put_sasl_authenticate_response_v1(out: Parts, m: SaslAuthenticateResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = -1 if m.error_message is None else len(error_message)
    out.append(_write_2h(m.error_code, n))
    out.append(error_message)
    auth_bytes = m.auth_bytes
    n = len(auth_bytes)
    out.append(_write_i(n))
    out.append(auth_bytes)
    out.append(_write_q(m.session_lifetime_ms))


def _put_sasl_authenticate_response_v2(out: Parts, m: SaslAuthenticateResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    auth_bytes = m.auth_bytes
    n = len(auth_bytes) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(auth_bytes)
    out.append(_write_qx(m.session_lifetime_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_sasl_authenticate_response_v0, 1: _get_sasl_authenticate_response_v1,
    2: _get_sasl_authenticate_response_v2,
}
_PUT = {
    0: _put_sasl_authenticate_response_v0, 1: _put_sasl_authenticate_response_v1,
    2: _put_sasl_authenticate_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> SaslAuthenticateResponse:
    """The SaslAuthenticateResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[SaslAuthenticateResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: SaslAuthenticateResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: SaslAuthenticateResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SASL_AUTHENTICATE_RESPONSE_SHAPE: Shape = (
    SaslAuthenticateResponse,
    (
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (2, 2), None),
        (
            "errorMessage", "error_message", "string", (0, 2), (0, 2), None, None, "", False,
            (2, 2), None,
        ),
        ("authBytes", "auth_bytes", "bytes", (0, 2), None, None, None, b"", False, (2, 2), None),
        (
            "sessionLifetimeMs", "session_lifetime_ms", "int64", (1, 2), None, None, None, 0, True,
            (2, 2), None,
        ),
    ),
)
SHAPE: Shape = (_SASL_AUTHENTICATE_RESPONSE_SHAPE, (0, 2), (2, 2))
