# GENERATED from schemas/describe_delegation_token_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 04e21549c0fe4857, generator 1.
"""Lists the tokens that the caller may see. Api key 41, versions 0-3, flexible from 2."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_size,
    long_text, long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 41
NAME: Final = "DescribeDelegationTokenResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class DescribedDelegationTokenRenewer(Message):
    """Principals that may renew the token."""

    __slots__ = ("principal_type", "principal_name", "unknown_tags")

    def __init__(
        self,
        # Type of the principal, such as User.
        principal_type: str = "",
        # Name of the principal.
        principal_name: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.unknown_tags = unknown_tags


class DescribedDelegationToken(Message):
    """One row a token."""

    __slots__ = (
        "principal_type", "principal_name", "token_requester_principal_type",
        "token_requester_principal_name", "issue_timestamp", "expiry_timestamp", "max_timestamp",
        "token_id", "hmac", "renewers", "unknown_tags",
    )

    def __init__(
        self,
        # Type of the principal, such as User.
        principal_type: str = "",
        # Name of the principal.
        principal_name: str = "",
        # Type of the principal that asked for the token. (v3+)
        token_requester_principal_type: str = "",
        # Name of the principal that asked for the token. (v3+)
        token_requester_principal_name: str = "",
        # Milliseconds since 1970 at which the token was issued.
        issue_timestamp: int = 0,
        # Milliseconds since 1970 at which the token expires.
        expiry_timestamp: int = 0,
        # Milliseconds since 1970 beyond which the token cannot be renewed.
        max_timestamp: int = 0,
        # Id of the delegation token.
        token_id: str = "",
        # Code that proves the token, and by which it is named.
        hmac: Buffer = b"",
        # Principals that may renew the token.
        renewers: Sequence[DescribedDelegationTokenRenewer] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp = issue_timestamp
        self.expiry_timestamp = expiry_timestamp
        self.max_timestamp = max_timestamp
        self.token_id = token_id
        self.hmac = hmac
        self.renewers: Sequence[DescribedDelegationTokenRenewer] = (
            [] if renewers == () else renewers
        )
        self.unknown_tags = unknown_tags


class DescribeDelegationTokenResponse(Message):
    """Lists the tokens that the caller may see."""

    __slots__ = ("error_code", "tokens", "throttle_time_ms", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # One row a token.
        tokens: Sequence[DescribedDelegationToken] = (),
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.tokens: Sequence[DescribedDelegationToken] = [] if tokens == () else tokens
        self.throttle_time_ms = throttle_time_ms
        self.unknown_tags = unknown_tags


_read_3qB = Struct(">3qB").unpack_from
_read_3qh = Struct(">3qh").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_hi = Struct(">hi").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_3qB = Struct(">3qB").pack
_write_3qh = Struct(">3qh").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_hi = Struct(">hi").pack
_write_i = Struct(">i").pack
_write_ix = Struct(">ix").pack


def _get_describe_delegation_token_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeDelegationTokenResponse, int]:
    m = new(DescribeDelegationTokenResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 38)
    tokens: list[DescribedDelegationToken] = []
    m.tokens = tokens
    left_tokens = n
    while left_tokens:
        left_tokens -= 1
        delegation_token = new(DescribedDelegationToken)
        tokens.append(delegation_token)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        delegation_token.principal_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        delegation_token.principal_name = buf[at:end].decode()
        at = end
        (
            delegation_token.issue_timestamp, delegation_token.expiry_timestamp,
            delegation_token.max_timestamp, n,
        ) = _read_3qh(buf, at)
        at += 26
        if n < 0:
            refuse_null()
        end = at + n
        delegation_token.token_id = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        delegation_token.hmac = view[at:end]
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 4)
        renewers: list[DescribedDelegationTokenRenewer] = []
        delegation_token.renewers = renewers
        left_renewers = n
        while left_renewers:
            left_renewers -= 1
            token_renewer = new(DescribedDelegationTokenRenewer)
            renewers.append(token_renewer)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            token_renewer.principal_type = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            token_renewer.principal_name = buf[at:end].decode()
            at = end
            token_renewer.unknown_tags = ()
        delegation_token.token_requester_principal_type = ""
        delegation_token.token_requester_principal_name = ""
        delegation_token.unknown_tags = ()
    (m.throttle_time_ms,) = _read_i(buf, at)
    at += 4
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_delegation_token_response_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeDelegationTokenResponse, int]:
    m = new(DescribeDelegationTokenResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 30)
    tokens: list[DescribedDelegationToken] = []
    m.tokens = tokens
    left_tokens = n - 1
    while left_tokens:
        left_tokens -= 1
        delegation_token = new(DescribedDelegationToken)
        tokens.append(delegation_token)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.principal_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.principal_name = buf[at:end].decode()
        at = end
        (
            delegation_token.issue_timestamp, delegation_token.expiry_timestamp,
            delegation_token.max_timestamp, n,
        ) = _read_3qB(buf, at)
        at += 25
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.token_id = buf[at:end].decode()
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
        delegation_token.hmac = view[at:end]
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        renewers: list[DescribedDelegationTokenRenewer] = []
        delegation_token.renewers = renewers
        left_renewers = n - 1
        while left_renewers:
            left_renewers -= 1
            token_renewer = new(DescribedDelegationTokenRenewer)
            renewers.append(token_renewer)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            token_renewer.principal_type = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            token_renewer.principal_name = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            token_renewer.unknown_tags = ()
            if tags:
                token_renewer.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        delegation_token.token_requester_principal_type = ""
        delegation_token.token_requester_principal_name = ""
        delegation_token.unknown_tags = ()
        if tags:
            delegation_token.unknown_tags, at = get_tags(buf, at - 1)
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_delegation_token_response_v3(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeDelegationTokenResponse, int]:
    m = new(DescribeDelegationTokenResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 32)
    tokens: list[DescribedDelegationToken] = []
    m.tokens = tokens
    left_tokens = n - 1
    while left_tokens:
        left_tokens -= 1
        delegation_token = new(DescribedDelegationToken)
        tokens.append(delegation_token)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.principal_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.principal_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.token_requester_principal_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.token_requester_principal_name = buf[at:end].decode()
        at = end
        (
            delegation_token.issue_timestamp, delegation_token.expiry_timestamp,
            delegation_token.max_timestamp, n,
        ) = _read_3qB(buf, at)
        at += 25
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delegation_token.token_id = buf[at:end].decode()
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
        delegation_token.hmac = view[at:end]
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        renewers: list[DescribedDelegationTokenRenewer] = []
        delegation_token.renewers = renewers
        left_renewers = n - 1
        while left_renewers:
            left_renewers -= 1
            token_renewer = new(DescribedDelegationTokenRenewer)
            renewers.append(token_renewer)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            token_renewer.principal_type = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            token_renewer.principal_name = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            token_renewer.unknown_tags = ()
            if tags:
                token_renewer.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        delegation_token.unknown_tags = ()
        if tags:
            delegation_token.unknown_tags, at = get_tags(buf, at - 1)
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_delegation_token_response_v0(
    out: Parts, m: DescribeDelegationTokenResponse,
) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    tokens = m.tokens
    n = len(tokens)
    out.append(_write_hi(m.error_code, n))
    for delegation_token in tokens:
        if delegation_token.token_requester_principal_type != "":
            refuse_field("token_requester_principal_type")
        if delegation_token.token_requester_principal_name != "":
            refuse_field("token_requester_principal_name")
        if delegation_token.unknown_tags:
            refuse_field("unknown_tags")
        principal_type = delegation_token.principal_type.encode()
        n = len(principal_type)
        out.append(_write_h(n))
        out.append(principal_type)
        principal_name = delegation_token.principal_name.encode()
        n = len(principal_name)
        out.append(_write_h(n))
        out.append(principal_name)
        token_id = delegation_token.token_id.encode()
        n = len(token_id)
        out.append(_write_3qh(
            delegation_token.issue_timestamp, delegation_token.expiry_timestamp,
            delegation_token.max_timestamp, n,
        ))
        out.append(token_id)
        hmac = delegation_token.hmac
        n = len(hmac)
        out.append(_write_i(n))
        out.append(hmac)
        renewers = delegation_token.renewers
        n = len(renewers)
        out.append(_write_i(n))
        for token_renewer in renewers:
            if token_renewer.unknown_tags:
                refuse_field("unknown_tags")
            principal_type_ = token_renewer.principal_type.encode()
            n = len(principal_type_)
            out.append(_write_h(n))
            out.append(principal_type_)
            principal_name_ = token_renewer.principal_name.encode()
            n = len(principal_name_)
            out.append(_write_h(n))
            out.append(principal_name_)
    out.append(_write_i(m.throttle_time_ms))


def _put_describe_delegation_token_response_v2(
    out: Parts, m: DescribeDelegationTokenResponse,
) -> None:
    tokens = m.tokens
    n = len(tokens) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for delegation_token in tokens:
        if delegation_token.token_requester_principal_type != "":
            refuse_field("token_requester_principal_type")
        if delegation_token.token_requester_principal_name != "":
            refuse_field("token_requester_principal_name")
        principal_type = delegation_token.principal_type.encode()
        n = len(principal_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_type)
        principal_name = delegation_token.principal_name.encode()
        n = len(principal_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_name)
        token_id = delegation_token.token_id.encode()
        n = len(token_id) + 1
        out.append(_write_3qB(
            delegation_token.issue_timestamp, delegation_token.expiry_timestamp,
            delegation_token.max_timestamp, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen_text(out, n)
        out.append(token_id)
        hmac = delegation_token.hmac
        n = len(hmac) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(hmac)
        renewers = delegation_token.renewers
        n = len(renewers) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for token_renewer in renewers:
            principal_type_ = token_renewer.principal_type.encode()
            n = len(principal_type_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(principal_type_)
            principal_name_ = token_renewer.principal_name.encode()
            n = len(principal_name_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(principal_name_)
            out.append(b"\0")
            if token_renewer.unknown_tags:
                put_tags(out, [], token_renewer.unknown_tags)
        out.append(b"\0")
        if delegation_token.unknown_tags:
            put_tags(out, [], delegation_token.unknown_tags)
    out.append(_write_ix(m.throttle_time_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_delegation_token_response_v3(
    out: Parts, m: DescribeDelegationTokenResponse,
) -> None:
    tokens = m.tokens
    n = len(tokens) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for delegation_token in tokens:
        principal_type = delegation_token.principal_type.encode()
        n = len(principal_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_type)
        principal_name = delegation_token.principal_name.encode()
        n = len(principal_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_name)
        token_requester_principal_type = delegation_token.token_requester_principal_type.encode()
        n = len(token_requester_principal_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(token_requester_principal_type)
        token_requester_principal_name = delegation_token.token_requester_principal_name.encode()
        n = len(token_requester_principal_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(token_requester_principal_name)
        token_id = delegation_token.token_id.encode()
        n = len(token_id) + 1
        out.append(_write_3qB(
            delegation_token.issue_timestamp, delegation_token.expiry_timestamp,
            delegation_token.max_timestamp, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen_text(out, n)
        out.append(token_id)
        hmac = delegation_token.hmac
        n = len(hmac) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(hmac)
        renewers = delegation_token.renewers
        n = len(renewers) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for token_renewer in renewers:
            principal_type_ = token_renewer.principal_type.encode()
            n = len(principal_type_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(principal_type_)
            principal_name_ = token_renewer.principal_name.encode()
            n = len(principal_name_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(principal_name_)
            out.append(b"\0")
            if token_renewer.unknown_tags:
                put_tags(out, [], token_renewer.unknown_tags)
        out.append(b"\0")
        if delegation_token.unknown_tags:
            put_tags(out, [], delegation_token.unknown_tags)
    out.append(_write_ix(m.throttle_time_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_delegation_token_response_v0, 1: _get_describe_delegation_token_response_v0,
    2: _get_describe_delegation_token_response_v2, 3: _get_describe_delegation_token_response_v3,
}
_PUT = {
    0: _put_describe_delegation_token_response_v0, 1: _put_describe_delegation_token_response_v0,
    2: _put_describe_delegation_token_response_v2, 3: _put_describe_delegation_token_response_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeDelegationTokenResponse:
    """The DescribeDelegationTokenResponse that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeDelegationTokenResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeDelegationTokenResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeDelegationTokenResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBED_DELEGATION_TOKEN_RENEWER_SHAPE: Shape = (
    DescribedDelegationTokenRenewer,
    (
        (
            "principalType", "principal_type", "string", (0, 3), None, None, None, "", False,
            (2, 3), None,
        ),
        (
            "principalName", "principal_name", "string", (0, 3), None, None, None, "", False,
            (2, 3), None,
        ),
    ),
)
_DESCRIBED_DELEGATION_TOKEN_SHAPE: Shape = (
    DescribedDelegationToken,
    (
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
            "issueTimestamp", "issue_timestamp", "int64", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        (
            "expiryTimestamp", "expiry_timestamp", "int64", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        (
            "maxTimestamp", "max_timestamp", "int64", (0, 3), None, None, None, 0, False, (2, 3),
            None,
        ),
        ("tokenId", "token_id", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("hmac", "hmac", "bytes", (0, 3), None, None, None, b"", False, (2, 3), None),
        (
            "renewers", "renewers", "[]DescribedDelegationTokenRenewer", (0, 3), None, None, None,
            (), False, (2, 3), _DESCRIBED_DELEGATION_TOKEN_RENEWER_SHAPE,
        ),
    ),
)
_DESCRIBE_DELEGATION_TOKEN_RESPONSE_SHAPE: Shape = (
    DescribeDelegationTokenResponse,
    (
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "tokens", "tokens", "[]DescribedDelegationToken", (0, 3), None, None, None, (), False,
            (2, 3), _DESCRIBED_DELEGATION_TOKEN_SHAPE,
        ),
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_DELEGATION_TOKEN_RESPONSE_SHAPE, (0, 3), (2, 3))
