# GENERATED from schemas/create_acls_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 28b4c4ec77088f29, generator 1.
"""Says for each entry whether it was created. Api key 30, versions 0-3, flexible from 2."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_text, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 30
NAME: Final = "CreateAclsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class AclCreationResult(Message):
    """One result an entry."""

    __slots__ = ("error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class CreateAclsResponse(Message):
    """Says for each entry whether it was created."""

    __slots__ = ("throttle_time_ms", "results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result an entry.
        results: Sequence[AclCreationResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results: Sequence[AclCreationResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack


def _get_create_acls_response_v0(buf: bytes, at: int) -> tuple[CreateAclsResponse, int]:
    m = new(CreateAclsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    results: list[AclCreationResult] = []
    m.results = results
    left_results = n
    while left_results:
        left_results -= 1
        acl_creation_result = new(AclCreationResult)
        results.append(acl_creation_result)
        (acl_creation_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            acl_creation_result.error_message = None
        else:
            end = at + n
            acl_creation_result.error_message = buf[at:end].decode()
            at = end
        acl_creation_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_acls_response_v2(buf: bytes, at: int) -> tuple[CreateAclsResponse, int]:
    m = new(CreateAclsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    results: list[AclCreationResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        acl_creation_result = new(AclCreationResult)
        results.append(acl_creation_result)
        (acl_creation_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            acl_creation_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            acl_creation_result.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        acl_creation_result.unknown_tags = ()
        if tags:
            acl_creation_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_create_acls_response_v0(out: Parts, m: CreateAclsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    results = m.results
    n = len(results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for acl_creation_result in results:
        if acl_creation_result.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if acl_creation_result.error_message is None else
            acl_creation_result.error_message.encode()
        )
        n = -1 if acl_creation_result.error_message is None else len(error_message)
        out.append(_write_2h(acl_creation_result.error_code, n))
        out.append(error_message)


def _put_create_acls_response_v2(out: Parts, m: CreateAclsResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for acl_creation_result in results:
        error_message = (
            b"" if acl_creation_result.error_message is None else
            acl_creation_result.error_message.encode()
        )
        n = 0 if acl_creation_result.error_message is None else len(error_message) + 1
        out.append(_write_hB(acl_creation_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        out.append(b"\0")
        if acl_creation_result.unknown_tags:
            put_tags(out, [], acl_creation_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_create_acls_response_v0, 1: _get_create_acls_response_v0,
    2: _get_create_acls_response_v2, 3: _get_create_acls_response_v2,
}
_PUT = {
    0: _put_create_acls_response_v0, 1: _put_create_acls_response_v0,
    2: _put_create_acls_response_v2, 3: _put_create_acls_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> CreateAclsResponse:
    """The CreateAclsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[CreateAclsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: CreateAclsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: CreateAclsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ACL_CREATION_RESULT_SHAPE: Shape = (
    AclCreationResult,
    (
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "errorMessage", "error_message", "string", (0, 3), (0, 3), None, None, "", False,
            (2, 3), None,
        ),
    ),
)
_CREATE_ACLS_RESPONSE_SHAPE: Shape = (
    CreateAclsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        (
            "results", "results", "[]AclCreationResult", (0, 3), None, None, None, (), False,
            (2, 3), _ACL_CREATION_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CREATE_ACLS_RESPONSE_SHAPE, (0, 3), (2, 3))
