# GENERATED from schemas/renew_delegation_token_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 193cf993ade8e310, generator 1.
"""Prolongs a delegation token. Api key 39, versions 0-2, flexible from 2."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_head, long_size, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 39
NAME: Final = "RenewDelegationTokenRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class RenewDelegationTokenRequest(Message):
    """Prolongs a delegation token."""

    __slots__ = ("hmac", "renew_period_ms", "unknown_tags")

    def __init__(
        self,
        # Code that proves the token, and by which it is named.
        hmac: Buffer = b"",
        # Milliseconds to prolong by; -1 for the server's own.
        renew_period_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.hmac = hmac
        self.renew_period_ms = renew_period_ms
        self.unknown_tags = unknown_tags


_read_i = Struct(">i").unpack_from
_read_q = Struct(">q").unpack_from
_read_qB = Struct(">qB").unpack_from
_write_i = Struct(">i").pack
_write_q = Struct(">q").pack
_write_qx = Struct(">qx").pack


def _get_renew_delegation_token_request_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[RenewDelegationTokenRequest, int]:
    m = new(RenewDelegationTokenRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        refuse_null()
    end = at + n
    m.hmac = view[at:end]
    at = end
    (m.renew_period_ms,) = _read_q(buf, at)
    at += 8
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_renew_delegation_token_request_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[RenewDelegationTokenRequest, int]:
    m = new(RenewDelegationTokenRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.hmac = view[at:end]
    at = end
    (m.renew_period_ms, tags) = _read_qB(buf, at)
    at += 9
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_renew_delegation_token_request_v0(out: Parts, m: RenewDelegationTokenRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    hmac = m.hmac
    n = len(hmac)
    out.append(_write_i(n))
    out.append(hmac)
    out.append(_write_q(m.renew_period_ms))


def _put_renew_delegation_token_request_v2(out: Parts, m: RenewDelegationTokenRequest) -> None:
    hmac = m.hmac
    n = len(hmac) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(hmac)
    out.append(_write_qx(m.renew_period_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_renew_delegation_token_request_v0, 1: _get_renew_delegation_token_request_v0,
    2: _get_renew_delegation_token_request_v2,
}
_PUT = {
    0: _put_renew_delegation_token_request_v0, 1: _put_renew_delegation_token_request_v0,
    2: _put_renew_delegation_token_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> RenewDelegationTokenRequest:
    """The RenewDelegationTokenRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RenewDelegationTokenRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RenewDelegationTokenRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RenewDelegationTokenRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_RENEW_DELEGATION_TOKEN_REQUEST_SHAPE: Shape = (
    RenewDelegationTokenRequest,
    (
        ("hmac", "hmac", "bytes", (0, 2), None, None, None, b"", False, (2, 2), None),
        (
            "renewPeriodMs", "renew_period_ms", "int64", (0, 2), None, None, None, 0, False, (2, 2),
            None,
        ),
    ),
)
SHAPE: Shape = (_RENEW_DELEGATION_TOKEN_REQUEST_SHAPE, (0, 2), (2, 2))
