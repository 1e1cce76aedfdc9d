# GENERATED from schemas/create_delegation_token_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 ce2ff035cc2a6303, generator 1.
"""Gives the token, or says why there is none. Api key 38, versions 0-3, flexible from 2."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_head, long_size, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 38
NAME: Final = "CreateDelegationTokenResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class CreateDelegationTokenResponse(Message):
    """Gives the token, or says why there is none."""

    __slots__ = (
        "error_code", "principal_type", "principal_name", "token_requester_principal_type",
        "token_requester_principal_name", "issue_timestamp_ms", "expiry_timestamp_ms",
        "max_timestamp_ms", "token_id", "hmac", "throttle_time_ms", "unknown_tags",
    )

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Type of the principal, such as User.
        principal_type: str = "",
        # Name of the principal.
        principal_name: str = "",
        # Type of the principal that asked for the token. (v3+)
        token_requester_principal_type: str = "",
        # Name of the principal that asked for the token. (v3+)
        token_requester_principal_name: str = "",
        # Milliseconds since 1970 at which the token was issued.
        issue_timestamp_ms: int = 0,
        # Milliseconds since 1970 at which the token expires.
        expiry_timestamp_ms: int = 0,
        # Milliseconds since 1970 beyond which the token cannot be renewed.
        max_timestamp_ms: int = 0,
        # Id of the delegation token.
        token_id: str = "",
        # Code that proves the token, and by which it is named.
        hmac: Buffer = b"",
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp_ms = issue_timestamp_ms
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.max_timestamp_ms = max_timestamp_ms
        self.token_id = token_id
        self.hmac = hmac
        self.throttle_time_ms = throttle_time_ms
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_3qB = Struct(">3qB").unpack_from
_read_3qh = Struct(">3qh").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2h = Struct(">2h").pack
_write_3qB = Struct(">3qB").pack
_write_3qh = Struct(">3qh").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_ix = Struct(">ix").pack


def _get_create_delegation_token_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[CreateDelegationTokenResponse, int]:
    m = new(CreateDelegationTokenResponse)
    (m.error_code, n) = _read_2h(buf, at)
    at += 4
    if n < 0:
        refuse_null()
    end = at + n
    m.principal_type = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.principal_name = buf[at:end].decode()
    at = end
    (m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n) = _read_3qh(buf, at)
    at += 26
    if n < 0:
        refuse_null()
    end = at + n
    m.token_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        refuse_null()
    end = at + n
    m.hmac = view[at:end]
    at = end
    (m.throttle_time_ms,) = _read_i(buf, at)
    at += 4
    m.token_requester_principal_type = ""
    m.token_requester_principal_name = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_delegation_token_response_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[CreateDelegationTokenResponse, int]:
    m = new(CreateDelegationTokenResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.principal_type = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.principal_name = buf[at:end].decode()
    at = end
    (m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n) = _read_3qB(buf, at)
    at += 25
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.token_id = buf[at:end].decode()
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
    m.hmac = view[at:end]
    at = end
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.token_requester_principal_type = ""
    m.token_requester_principal_name = ""
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_create_delegation_token_response_v3(
    buf: bytes, view: memoryview, at: int,
) -> tuple[CreateDelegationTokenResponse, int]:
    m = new(CreateDelegationTokenResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.principal_type = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.principal_name = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.token_requester_principal_type = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.token_requester_principal_name = buf[at:end].decode()
    at = end
    (m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n) = _read_3qB(buf, at)
    at += 25
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.token_id = buf[at:end].decode()
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
    m.hmac = view[at:end]
    at = end
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_create_delegation_token_response_v0(out: Parts, m: CreateDelegationTokenResponse) -> None:
    if m.token_requester_principal_type != "":
        refuse_field("token_requester_principal_type")
    if m.token_requester_principal_name != "":
        refuse_field("token_requester_principal_name")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    principal_type = m.principal_type.encode()
    n = len(principal_type)
    out.append(_write_2h(m.error_code, n))
    out.append(principal_type)
    principal_name = m.principal_name.encode()
    n = len(principal_name)
    out.append(_write_h(n))
    out.append(principal_name)
    token_id = m.token_id.encode()
    n = len(token_id)
    out.append(_write_3qh(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n))
    out.append(token_id)
    hmac = m.hmac
    n = len(hmac)
    out.append(_write_i(n))
    out.append(hmac)
    out.append(_write_i(m.throttle_time_ms))


def _put_create_delegation_token_response_v2(out: Parts, m: CreateDelegationTokenResponse) -> None:
    if m.token_requester_principal_type != "":
        refuse_field("token_requester_principal_type")
    if m.token_requester_principal_name != "":
        refuse_field("token_requester_principal_name")
    principal_type = m.principal_type.encode()
    n = len(principal_type) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(principal_type)
    principal_name = m.principal_name.encode()
    n = len(principal_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(principal_name)
    token_id = m.token_id.encode()
    n = len(token_id) + 1
    out.append(_write_3qB(
        m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen_text(out, n)
    out.append(token_id)
    hmac = m.hmac
    n = len(hmac) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(hmac)
    out.append(_write_ix(m.throttle_time_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_create_delegation_token_response_v3(out: Parts, m: CreateDelegationTokenResponse) -> None:
    principal_type = m.principal_type.encode()
    n = len(principal_type) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(principal_type)
    principal_name = m.principal_name.encode()
    n = len(principal_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(principal_name)
    token_requester_principal_type = m.token_requester_principal_type.encode()
    n = len(token_requester_principal_type) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(token_requester_principal_type)
    token_requester_principal_name = m.token_requester_principal_name.encode()
    n = len(token_requester_principal_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(token_requester_principal_name)
    token_id = m.token_id.encode()
    n = len(token_id) + 1
    out.append(_write_3qB(
        m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen_text(out, n)
    out.append(token_id)
    hmac = m.hmac
    n = len(hmac) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(hmac)
    out.append(_write_ix(m.throttle_time_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_create_delegation_token_response_v0, 1: _get_create_delegation_token_response_v0,
    2: _get_create_delegation_token_response_v2, 3: _get_create_delegation_token_response_v3,
}
_PUT = {
    0: _put_create_delegation_token_response_v0, 1: _put_create_delegation_token_response_v0,
    2: _put_create_delegation_token_response_v2, 3: _put_create_delegation_token_response_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> CreateDelegationTokenResponse:
    """The CreateDelegationTokenResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[CreateDelegationTokenResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: CreateDelegationTokenResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: CreateDelegationTokenResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CREATE_DELEGATION_TOKEN_RESPONSE_SHAPE: Shape = (
    CreateDelegationTokenResponse,
    (
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "principalType", "principal_type", "string", (0, 3), None, None, None, "", False,
            (2, 3), None,
        ),
        (
            "principalName", "principal_name", "string", (0, 3), None, None, None, "", False,
            (2, 3), None,
        ),
        (
            "tokenRequesterPrincipalType", "token_requester_principal_type", "string", (3, 3), None,
            None, None, "", False, (2, 3), None,
        ),
        (
            "tokenRequesterPrincipalName", "token_requester_principal_name", "string", (3, 3), None,
            None, None, "", False, (2, 3), None,
        ),
        (
            "issueTimestampMs", "issue_timestamp_ms", "int64", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        (
            "expiryTimestampMs", "expiry_timestamp_ms", "int64", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        (
            "maxTimestampMs", "max_timestamp_ms", "int64", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        ("tokenId", "token_id", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("hmac", "hmac", "bytes", (0, 3), None, None, None, b"", False, (2, 3), None),
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
    ),
)
SHAPE: Shape = (_CREATE_DELEGATION_TOKEN_RESPONSE_SHAPE, (0, 3), (2, 3))
