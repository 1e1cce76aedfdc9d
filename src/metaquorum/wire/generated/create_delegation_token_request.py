# GENERATED from schemas/create_delegation_token_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e2ee1fcd79467989, generator 1.
"""Asks for a delegation token (KIP-48). Api key 38, versions 0-3, flexible from 2."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 38
NAME: Final = "CreateDelegationTokenRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class CreatableRenewers(Message):
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


class CreateDelegationTokenRequest(Message):
    """Asks for a delegation token (KIP-48)."""

    __slots__ = (
        "owner_principal_type", "owner_principal_name", "renewers", "max_lifetime_ms",
        "unknown_tags",
    )

    def __init__(
        self,
        # Type of the owner; null or empty when the caller owns the token. (v3+)
        owner_principal_type: str | None = "",
        # Name of the owner; null or empty when the caller owns the token. (v3+)
        owner_principal_name: str | None = "",
        # Principals that may renew the token.
        renewers: Sequence[CreatableRenewers] = (),
        # Milliseconds the token may live at most; -1 for the server's limit.
        max_lifetime_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.owner_principal_type = owner_principal_type
        self.owner_principal_name = owner_principal_name
        self.renewers: Sequence[CreatableRenewers] = [] if renewers == () else renewers
        self.max_lifetime_ms = max_lifetime_ms
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_q = Struct(">q").unpack_from
_read_qB = Struct(">qB").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_q = Struct(">q").pack
_write_qx = Struct(">qx").pack


def _get_create_delegation_token_request_v0(
    buf: bytes, at: int,
) -> tuple[CreateDelegationTokenRequest, int]:
    m = new(CreateDelegationTokenRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    renewers: list[CreatableRenewers] = []
    m.renewers = renewers
    left_renewers = n
    while left_renewers:
        left_renewers -= 1
        creatable_renewers = new(CreatableRenewers)
        renewers.append(creatable_renewers)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        creatable_renewers.principal_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        creatable_renewers.principal_name = buf[at:end].decode()
        at = end
        creatable_renewers.unknown_tags = ()
    (m.max_lifetime_ms,) = _read_q(buf, at)
    at += 8
    m.owner_principal_type = ""
    m.owner_principal_name = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_delegation_token_request_v2(
    buf: bytes, at: int,
) -> tuple[CreateDelegationTokenRequest, int]:
    m = new(CreateDelegationTokenRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    renewers: list[CreatableRenewers] = []
    m.renewers = renewers
    left_renewers = n - 1
    while left_renewers:
        left_renewers -= 1
        creatable_renewers = new(CreatableRenewers)
        renewers.append(creatable_renewers)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        creatable_renewers.principal_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        creatable_renewers.principal_name = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        creatable_renewers.unknown_tags = ()
        if tags:
            creatable_renewers.unknown_tags, at = get_tags(buf, at - 1)
    (m.max_lifetime_ms, tags) = _read_qB(buf, at)
    at += 9
    m.owner_principal_type = ""
    m.owner_principal_name = ""
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_create_delegation_token_request_v3(
    buf: bytes, at: int,
) -> tuple[CreateDelegationTokenRequest, int]:
    m = new(CreateDelegationTokenRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.owner_principal_type = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.owner_principal_type = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.owner_principal_name = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.owner_principal_name = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    renewers: list[CreatableRenewers] = []
    m.renewers = renewers
    left_renewers = n - 1
    while left_renewers:
        left_renewers -= 1
        creatable_renewers = new(CreatableRenewers)
        renewers.append(creatable_renewers)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        creatable_renewers.principal_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        creatable_renewers.principal_name = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        creatable_renewers.unknown_tags = ()
        if tags:
            creatable_renewers.unknown_tags, at = get_tags(buf, at - 1)
    (m.max_lifetime_ms, tags) = _read_qB(buf, at)
    at += 9
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_create_delegation_token_request_v0(out: Parts, m: CreateDelegationTokenRequest) -> None:
    if m.owner_principal_type != "":
        refuse_field("owner_principal_type")
    if m.owner_principal_name != "":
        refuse_field("owner_principal_name")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    renewers = m.renewers
    n = len(renewers)
    out.append(_write_i(n))
    for creatable_renewers in renewers:
        if creatable_renewers.unknown_tags:
            refuse_field("unknown_tags")
        principal_type = creatable_renewers.principal_type.encode()
        n = len(principal_type)
        out.append(_write_h(n))
        out.append(principal_type)
        principal_name = creatable_renewers.principal_name.encode()
        n = len(principal_name)
        out.append(_write_h(n))
        out.append(principal_name)
    out.append(_write_q(m.max_lifetime_ms))


def _put_create_delegation_token_request_v2(out: Parts, m: CreateDelegationTokenRequest) -> None:
    if m.owner_principal_type != "":
        refuse_field("owner_principal_type")
    if m.owner_principal_name != "":
        refuse_field("owner_principal_name")
    renewers = m.renewers
    n = len(renewers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for creatable_renewers in renewers:
        principal_type = creatable_renewers.principal_type.encode()
        n = len(principal_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_type)
        principal_name = creatable_renewers.principal_name.encode()
        n = len(principal_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_name)
        out.append(b"\0")
        if creatable_renewers.unknown_tags:
            put_tags(out, [], creatable_renewers.unknown_tags)
    out.append(_write_qx(m.max_lifetime_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_create_delegation_token_request_v3(out: Parts, m: CreateDelegationTokenRequest) -> None:
    owner_principal_type = (
        b"" if m.owner_principal_type is None else m.owner_principal_type.encode()
    )
    n = 0 if m.owner_principal_type is None else len(owner_principal_type) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(owner_principal_type)
    owner_principal_name = (
        b"" if m.owner_principal_name is None else m.owner_principal_name.encode()
    )
    n = 0 if m.owner_principal_name is None else len(owner_principal_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(owner_principal_name)
    renewers = m.renewers
    n = len(renewers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for creatable_renewers in renewers:
        principal_type = creatable_renewers.principal_type.encode()
        n = len(principal_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_type)
        principal_name = creatable_renewers.principal_name.encode()
        n = len(principal_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(principal_name)
        out.append(b"\0")
        if creatable_renewers.unknown_tags:
            put_tags(out, [], creatable_renewers.unknown_tags)
    out.append(_write_qx(m.max_lifetime_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_create_delegation_token_request_v0, 1: _get_create_delegation_token_request_v0,
    2: _get_create_delegation_token_request_v2, 3: _get_create_delegation_token_request_v3,
}
_PUT = {
    0: _put_create_delegation_token_request_v0, 1: _put_create_delegation_token_request_v0,
    2: _put_create_delegation_token_request_v2, 3: _put_create_delegation_token_request_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> CreateDelegationTokenRequest:
    """The CreateDelegationTokenRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[CreateDelegationTokenRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: CreateDelegationTokenRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: CreateDelegationTokenRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CREATABLE_RENEWERS_SHAPE: Shape = (
    CreatableRenewers,
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
_CREATE_DELEGATION_TOKEN_REQUEST_SHAPE: Shape = (
    CreateDelegationTokenRequest,
    (
        (
            "ownerPrincipalType", "owner_principal_type", "string", (3, 3), (3, 3), None, None, "",
            False, (2, 3), None,
        ),
        (
            "ownerPrincipalName", "owner_principal_name", "string", (3, 3), (3, 3), None, None, "",
            False, (2, 3), None,
        ),
        (
            "renewers", "renewers", "[]CreatableRenewers", (0, 3), None, None, None, (), False,
            (2, 3), _CREATABLE_RENEWERS_SHAPE,
        ),
        (
            "maxLifetimeMs", "max_lifetime_ms", "int64", (0, 3), None, None, None, 0, False, (2, 3),
            None,
        ),
    ),
)
SHAPE: Shape = (_CREATE_DELEGATION_TOKEN_REQUEST_SHAPE, (0, 3), (2, 3))
