# GENERATED from schemas/describe_user_scram_credentials_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 19a9ff47901d9015, generator 1.
"""Mechanisms and iteration counts by user (KIP-554). Api key 50, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, long_text_head, put_tags,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 50
NAME: Final = "DescribeUserScramCredentialsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class CredentialInfo(Message):
    """One entry a mechanism that the user has a credential for."""

    __slots__ = ("mechanism", "iterations", "unknown_tags")

    def __init__(
        self,
        # 1 for SCRAM-SHA-256, 2 for SCRAM-SHA-512.
        mechanism: int = 0,
        # Rounds of the hash.
        iterations: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.mechanism = mechanism
        self.iterations = iterations
        self.unknown_tags = unknown_tags


class DescribeUserScramCredentialsResult(Message):
    """One result a user."""

    __slots__ = ("user", "error_code", "error_message", "credential_infos", "unknown_tags")

    def __init__(
        self,
        # Name of the user.
        user: str = "",
        # Error of this user; 0 for none.
        error_code: int = 0,
        # Words to the error of this user.
        error_message: str | None = "",
        # One entry a mechanism that the user has a credential for.
        credential_infos: Sequence[CredentialInfo] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message
        self.credential_infos: Sequence[CredentialInfo] = (
            [] if credential_infos == () else credential_infos
        )
        self.unknown_tags = unknown_tags


class DescribeUserScramCredentialsResponse(Message):
    """Mechanisms and iteration counts by user (KIP-554)."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words to the error of the whole request.
        error_message: str | None = "",
        # One result a user.
        results: Sequence[DescribeUserScramCredentialsResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results: Sequence[DescribeUserScramCredentialsResult] = (
            [] if results == () else results
        )
        self.unknown_tags = unknown_tags


_read_biB = Struct(">biB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_rows_bix = Struct(">bix").iter_unpack
_write_bix = Struct(">bix").pack
_write_hB = Struct(">hB").pack
_write_ihB = Struct(">ihB").pack


def _get_describe_user_scram_credentials_response_v0(
    buf: bytes, at: int,
) -> tuple[DescribeUserScramCredentialsResponse, int]:
    m = new(DescribeUserScramCredentialsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
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
        n, at = long_count(buf, at, 6)
    results: list[DescribeUserScramCredentialsResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        credentials_result = new(DescribeUserScramCredentialsResult)
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
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        credential_infos: list[CredentialInfo] = []
        credentials_result.credential_infos = credential_infos
        left_credential_infos = n - 1
        if (
            left_credential_infos > 4
            and buf[at + 5 : at + 6 * left_credential_infos : 6] == bytes(left_credential_infos)
        ):
            end = at + 6 * left_credential_infos
            credential_infos += map(new, repeat(CredentialInfo, left_credential_infos))
            left_credential_infos = 0
            for credential_info, values in zip(credential_infos, _rows_bix(buf[at:end])):
                (credential_info.mechanism, credential_info.iterations) = values
                credential_info.unknown_tags = ()
            at = end
        while left_credential_infos:
            left_credential_infos -= 1
            credential_info = new(CredentialInfo)
            credential_infos.append(credential_info)
            (credential_info.mechanism, credential_info.iterations, tags) = _read_biB(buf, at)
            at += 6
            credential_info.unknown_tags = ()
            if tags:
                credential_info.unknown_tags, at = get_tags(buf, at - 1)
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


def _put_describe_user_scram_credentials_response_v0(
    out: Parts, m: DescribeUserScramCredentialsResponse,
) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    results = m.results
    n = len(results) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for credentials_result in results:
        user = credentials_result.user.encode()
        n = len(user) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(user)
        error_message_ = (
            b"" if credentials_result.error_message is None else
            credentials_result.error_message.encode()
        )
        n = 0 if credentials_result.error_message is None else len(error_message_) + 1
        out.append(_write_hB(credentials_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message_)
        credential_infos = credentials_result.credential_infos
        n = len(credential_infos) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for credential_info in credential_infos:
            out.append(_write_bix(credential_info.mechanism, credential_info.iterations))
            if credential_info.unknown_tags:
                put_tags(out, [], credential_info.unknown_tags)
        out.append(b"\0")
        if credentials_result.unknown_tags:
            put_tags(out, [], credentials_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_user_scram_credentials_response_v0}
_PUT = {0: _put_describe_user_scram_credentials_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeUserScramCredentialsResponse:
    """The DescribeUserScramCredentialsResponse that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeUserScramCredentialsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeUserScramCredentialsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeUserScramCredentialsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CREDENTIAL_INFO_SHAPE: Shape = (
    CredentialInfo,
    (
        ("mechanism", "mechanism", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("iterations", "iterations", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_DESCRIBE_USER_SCRAM_CREDENTIALS_RESULT_SHAPE: Shape = (
    DescribeUserScramCredentialsResult,
    (
        ("user", "user", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, "", False,
            (0, 0), None,
        ),
        (
            "credentialInfos", "credential_infos", "[]CredentialInfo", (0, 0), None, None, None, (),
            False, (0, 0), _CREDENTIAL_INFO_SHAPE,
        ),
    ),
)
_DESCRIBE_USER_SCRAM_CREDENTIALS_RESPONSE_SHAPE: Shape = (
    DescribeUserScramCredentialsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, "", False,
            (0, 0), None,
        ),
        (
            "results", "results", "[]DescribeUserScramCredentialsResult", (0, 0), None, None, None,
            (), False, (0, 0), _DESCRIBE_USER_SCRAM_CREDENTIALS_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_USER_SCRAM_CREDENTIALS_RESPONSE_SHAPE, (0, 0), (0, 0))
