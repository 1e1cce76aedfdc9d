# GENERATED from schemas/describe_delegation_token_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a37382b4ee3516a8, generator 1.
"""Asks for delegation tokens by owner. Api key 41, versions 0-3, flexible from 2."""

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

API_KEY: Final = 41
NAME: Final = "DescribeDelegationTokenRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class DescribeDelegationTokenOwner(Message):
    """Owners whose tokens are asked for; null for all."""

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


class DescribeDelegationTokenRequest(Message):
    """Asks for delegation tokens by owner."""

    __slots__ = ("owners", "unknown_tags")

    def __init__(
        self,
        # Owners whose tokens are asked for; null for all.
        owners: Sequence[DescribeDelegationTokenOwner] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.owners: Sequence[DescribeDelegationTokenOwner] | None = [] if owners == () else owners
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_describe_delegation_token_request_v0(
    buf: bytes, at: int,
) -> tuple[DescribeDelegationTokenRequest, int]:
    m = new(DescribeDelegationTokenRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.owners = None
    else:
        if n > 127:
            check_count(buf, at, n, 4)
        owners: list[DescribeDelegationTokenOwner] = []
        m.owners = owners
        left_owners = n
        while left_owners:
            left_owners -= 1
            delegation_token_owner = new(DescribeDelegationTokenOwner)
            owners.append(delegation_token_owner)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            delegation_token_owner.principal_type = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            delegation_token_owner.principal_name = buf[at:end].decode()
            at = end
            delegation_token_owner.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_delegation_token_request_v2(
    buf: bytes, at: int,
) -> tuple[DescribeDelegationTokenRequest, int]:
    m = new(DescribeDelegationTokenRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.owners = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        owners: list[DescribeDelegationTokenOwner] = []
        m.owners = owners
        left_owners = n - 1
        while left_owners:
            left_owners -= 1
            delegation_token_owner = new(DescribeDelegationTokenOwner)
            owners.append(delegation_token_owner)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            delegation_token_owner.principal_type = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            delegation_token_owner.principal_name = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            delegation_token_owner.unknown_tags = ()
            if tags:
                delegation_token_owner.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_delegation_token_request_v0(
    out: Parts, m: DescribeDelegationTokenRequest,
) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    owners = m.owners
    n = -1 if owners is None else len(owners)
    out.append(_write_i(n))
    if owners is not None:
        for delegation_token_owner in owners:
            if delegation_token_owner.unknown_tags:
                refuse_field("unknown_tags")
            principal_type = delegation_token_owner.principal_type.encode()
            n = len(principal_type)
            out.append(_write_h(n))
            out.append(principal_type)
            principal_name = delegation_token_owner.principal_name.encode()
            n = len(principal_name)
            out.append(_write_h(n))
            out.append(principal_name)


def _put_describe_delegation_token_request_v2(
    out: Parts, m: DescribeDelegationTokenRequest,
) -> None:
    owners = m.owners
    n = 0 if owners is None else len(owners) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if owners is not None:
        for delegation_token_owner in owners:
            principal_type = delegation_token_owner.principal_type.encode()
            n = len(principal_type) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(principal_type)
            principal_name = delegation_token_owner.principal_name.encode()
            n = len(principal_name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(principal_name)
            out.append(b"\0")
            if delegation_token_owner.unknown_tags:
                put_tags(out, [], delegation_token_owner.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_delegation_token_request_v0, 1: _get_describe_delegation_token_request_v0,
    2: _get_describe_delegation_token_request_v2, 3: _get_describe_delegation_token_request_v2,
}
_PUT = {
    0: _put_describe_delegation_token_request_v0, 1: _put_describe_delegation_token_request_v0,
    2: _put_describe_delegation_token_request_v2, 3: _put_describe_delegation_token_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeDelegationTokenRequest:
    """The DescribeDelegationTokenRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeDelegationTokenRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeDelegationTokenRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeDelegationTokenRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_DELEGATION_TOKEN_OWNER_SHAPE: Shape = (
    DescribeDelegationTokenOwner,
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
_DESCRIBE_DELEGATION_TOKEN_REQUEST_SHAPE: Shape = (
    DescribeDelegationTokenRequest,
    (
        (
            "owners", "owners", "[]DescribeDelegationTokenOwner", (0, 3), (0, 3), None, None, (),
            False, (2, 3), _DESCRIBE_DELEGATION_TOKEN_OWNER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_DELEGATION_TOKEN_REQUEST_SHAPE, (0, 3), (2, 3))
