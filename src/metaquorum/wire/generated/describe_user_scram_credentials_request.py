# GENERATED from schemas/describe_user_scram_credentials_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 dadf5f8ed805b768, generator 1.
"""Which SCRAM credentials users have; never the secrets (KIP-554). Api key 50, versions 0, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 50
NAME: Final = "DescribeUserScramCredentialsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class UserName(Message):
    """Users to describe; null or empty for all."""

    __slots__ = ("name", "unknown_tags")

    def __init__(
        self,
        # Name of the user.
        name: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.unknown_tags = unknown_tags


class DescribeUserScramCredentialsRequest(Message):
    """Which SCRAM credentials users have; never the secrets (KIP-554)."""

    __slots__ = ("users", "unknown_tags")

    def __init__(
        self,
        # Users to describe; null or empty for all.
        users: Sequence[UserName] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.users: Sequence[UserName] | None = [] if users == () else users
        self.unknown_tags = unknown_tags




def _get_describe_user_scram_credentials_request_v0(
    buf: bytes, at: int,
) -> tuple[DescribeUserScramCredentialsRequest, int]:
    m = new(DescribeUserScramCredentialsRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.users = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 2)
        users: list[UserName] = []
        m.users = users
        left_users = n - 1
        while left_users:
            left_users -= 1
            user_name = new(UserName)
            users.append(user_name)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            user_name.name = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            user_name.unknown_tags = ()
            if tags:
                user_name.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_user_scram_credentials_request_v0(
    out: Parts, m: DescribeUserScramCredentialsRequest,
) -> None:
    users = m.users
    n = 0 if users is None else len(users) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if users is not None:
        for user_name in users:
            name = user_name.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            out.append(b"\0")
            if user_name.unknown_tags:
                put_tags(out, [], user_name.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_user_scram_credentials_request_v0}
_PUT = {0: _put_describe_user_scram_credentials_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeUserScramCredentialsRequest:
    """The DescribeUserScramCredentialsRequest that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeUserScramCredentialsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeUserScramCredentialsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeUserScramCredentialsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_USER_NAME_SHAPE: Shape = (
    UserName,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
_DESCRIBE_USER_SCRAM_CREDENTIALS_REQUEST_SHAPE: Shape = (
    DescribeUserScramCredentialsRequest,
    (
        (
            "users", "users", "[]UserName", (0, 0), (0, 0), None, None, (), False, (0, 0),
            _USER_NAME_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_USER_SCRAM_CREDENTIALS_REQUEST_SHAPE, (0, 0), (0, 0))
