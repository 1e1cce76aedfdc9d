# GENERATED from schemas/alter_user_scram_credentials_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 7c0275216eb3a33c, generator 1.
"""Says for each user whether the credentials were changed. Api key 51, versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_text, long_text_head, put_tags,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 51
NAME: Final = "AlterUserScramCredentialsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class AlterUserScramCredentialsResult(Message):
    """One result a user."""

    __slots__ = ("user", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Name of the user.
        user: str = "",
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class AlterUserScramCredentialsResponse(Message):
    """Says for each user whether the credentials were changed."""

    __slots__ = ("throttle_time_ms", "results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a user.
        results: Sequence[AlterUserScramCredentialsResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results: Sequence[AlterUserScramCredentialsResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack


def _get_alter_user_scram_credentials_response_v0(
    buf: bytes, at: int,
) -> tuple[AlterUserScramCredentialsResponse, int]:
    m = new(AlterUserScramCredentialsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    results: list[AlterUserScramCredentialsResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        credentials_result = new(AlterUserScramCredentialsResult)
        results.append(credentials_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        credentials_result.user = buf[at:end].decode()
        at = end
        (credentials_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            credentials_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            credentials_result.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        credentials_result.unknown_tags = ()
        if tags:
            credentials_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_user_scram_credentials_response_v0(
    out: Parts, m: AlterUserScramCredentialsResponse,
) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for credentials_result in results:
        user = credentials_result.user.encode()
        n = len(user) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(user)
        error_message = (
            b"" if credentials_result.error_message is None else
            credentials_result.error_message.encode()
        )
        n = 0 if credentials_result.error_message is None else len(error_message) + 1
        out.append(_write_hB(credentials_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        out.append(b"\0")
        if credentials_result.unknown_tags:
            put_tags(out, [], credentials_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_alter_user_scram_credentials_response_v0}
_PUT = {0: _put_alter_user_scram_credentials_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterUserScramCredentialsResponse:
    """The AlterUserScramCredentialsResponse that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterUserScramCredentialsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterUserScramCredentialsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterUserScramCredentialsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALTER_USER_SCRAM_CREDENTIALS_RESULT_SHAPE: Shape = (
    AlterUserScramCredentialsResult,
    (
        ("user", "user", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, "", False,
            (0, 0), None,
        ),
    ),
)
_ALTER_USER_SCRAM_CREDENTIALS_RESPONSE_SHAPE: Shape = (
    AlterUserScramCredentialsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "results", "results", "[]AlterUserScramCredentialsResult", (0, 0), None, None, None, (),
            False, (0, 0), _ALTER_USER_SCRAM_CREDENTIALS_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_USER_SCRAM_CREDENTIALS_RESPONSE_SHAPE, (0, 0), (0, 0))
