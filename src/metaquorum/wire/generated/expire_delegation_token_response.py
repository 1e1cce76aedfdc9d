# GENERATED from schemas/expire_delegation_token_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f271340649c677be, generator 1.
"""Says when the token expires now. Api key 40, versions 0-2, flexible from 2."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 40
NAME: Final = "ExpireDelegationTokenResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class ExpireDelegationTokenResponse(Message):
    """Says when the token expires now."""

    __slots__ = ("error_code", "expiry_timestamp_ms", "throttle_time_ms", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Milliseconds since 1970 at which the token expires.
        expiry_timestamp_ms: int = 0,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.throttle_time_ms = throttle_time_ms
        self.unknown_tags = unknown_tags


_read_hqi = Struct(">hqi").unpack_from
_read_hqiB = Struct(">hqiB").unpack_from
_write_hqi = Struct(">hqi").pack
_write_hqix = Struct(">hqix").pack


def _get_expire_delegation_token_response_v0(
    buf: bytes, at: int,
) -> tuple[ExpireDelegationTokenResponse, int]:
    m = new(ExpireDelegationTokenResponse)
    (m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms) = _read_hqi(buf, at)
    at += 14
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_expire_delegation_token_response_v2(
    buf: bytes, at: int,
) -> tuple[ExpireDelegationTokenResponse, int]:
    m = new(ExpireDelegationTokenResponse)
    (m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms, tags) = _read_hqiB(buf, at)
    at += 15
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_expire_delegation_token_response_v0(out: Parts, m: ExpireDelegationTokenResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_hqi(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms))


def _put_expire_delegation_token_response_v2(out: Parts, m: ExpireDelegationTokenResponse) -> None:
    out.append(_write_hqix(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_expire_delegation_token_response_v0, 1: _get_expire_delegation_token_response_v0,
    2: _get_expire_delegation_token_response_v2,
}
_PUT = {
    0: _put_expire_delegation_token_response_v0, 1: _put_expire_delegation_token_response_v0,
    2: _put_expire_delegation_token_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ExpireDelegationTokenResponse:
    """The ExpireDelegationTokenResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ExpireDelegationTokenResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ExpireDelegationTokenResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ExpireDelegationTokenResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_EXPIRE_DELEGATION_TOKEN_RESPONSE_SHAPE: Shape = (
    ExpireDelegationTokenResponse,
    (
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (2, 2), None),
        (
            "expiryTimestampMs", "expiry_timestamp_ms", "int64", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
    ),
)
SHAPE: Shape = (_EXPIRE_DELEGATION_TOKEN_RESPONSE_SHAPE, (0, 2), (2, 2))
