# GENERATED from schemas/delete_acls_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9ef7a32f5be3e347, generator 1.
"""Lists for each filter the entries that matched and what became of them. Api key 31, versions 0-3,
flexible from 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 31
NAME: Final = "DeleteAclsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class DeleteAclsMatchingAcl(Message):
    """Entries that matched."""

    __slots__ = (
        "error_code", "error_message", "resource_type", "resource_name", "pattern_type",
        "principal", "host", "operation", "permission_type", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # Type of the resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user.
        resource_type: int = 0,
        # Name of the resource, or its prefix for a prefixed pattern.
        resource_name: str = "",
        # How the resource name matches: 3 literally, 4 as a prefix. (v1+)
        pattern_type: int = 3,
        # Principal the entry applies to, such as User:alice.
        principal: str = "",
        # Host the entry applies to; an asterisk means any.
        host: str = "",
        # Operation the entry speaks of, by Kafka's code.
        operation: int = 0,
        # 2 denies, 3 allows.
        permission_type: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type
        self.unknown_tags = unknown_tags


class DeleteAclsFilterResult(Message):
    """One result a filter."""

    __slots__ = ("error_code", "error_message", "matching_acls", "unknown_tags")

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # Entries that matched.
        matching_acls: Sequence[DeleteAclsMatchingAcl] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.matching_acls: Sequence[DeleteAclsMatchingAcl] = (
            [] if matching_acls == () else matching_acls
        )
        self.unknown_tags = unknown_tags


class DeleteAclsResponse(Message):
    """Lists for each filter the entries that matched and what became of them."""

    __slots__ = ("throttle_time_ms", "filter_results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a filter.
        filter_results: Sequence[DeleteAclsFilterResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.filter_results: Sequence[DeleteAclsFilterResult] = (
            [] if filter_results == () else filter_results
        )
        self.unknown_tags = unknown_tags


_read_2b = Struct(">2b").unpack_from
_read_2bB = Struct(">2bB").unpack_from
_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2b = Struct(">2b").pack
_write_2bx = Struct(">2bx").pack
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack


def _get_delete_acls_response_v0(buf: bytes, at: int) -> tuple[DeleteAclsResponse, int]:
    m = new(DeleteAclsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    filter_results: list[DeleteAclsFilterResult] = []
    m.filter_results = filter_results
    left_filter_results = n
    while left_filter_results:
        left_filter_results -= 1
        acls_filter_result = new(DeleteAclsFilterResult)
        filter_results.append(acls_filter_result)
        (acls_filter_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            acls_filter_result.error_message = None
        else:
            end = at + n
            acls_filter_result.error_message = buf[at:end].decode()
            at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 13)
        matching_acls: list[DeleteAclsMatchingAcl] = []
        acls_filter_result.matching_acls = matching_acls
        left_matching_acls = n
        while left_matching_acls:
            left_matching_acls -= 1
            acls_matching_acl = new(DeleteAclsMatchingAcl)
            matching_acls.append(acls_matching_acl)
            (acls_matching_acl.error_code, n) = _read_2h(buf, at)
            at += 4
            if n < 0:
                acls_matching_acl.error_message = None
            else:
                end = at + n
                acls_matching_acl.error_message = buf[at:end].decode()
                at = end
            (acls_matching_acl.resource_type, n) = _read_bh(buf, at)
            at += 3
            if n < 0:
                refuse_null()
            end = at + n
            acls_matching_acl.resource_name = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            acls_matching_acl.principal = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            acls_matching_acl.host = buf[at:end].decode()
            at = end
            (acls_matching_acl.operation, acls_matching_acl.permission_type) = _read_2b(buf, at)
            at += 2
            acls_matching_acl.pattern_type = 3
            acls_matching_acl.unknown_tags = ()
        acls_filter_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_acls_response_v1(buf: bytes, at: int) -> tuple[DeleteAclsResponse, int]:
    m = new(DeleteAclsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    filter_results: list[DeleteAclsFilterResult] = []
    m.filter_results = filter_results
    left_filter_results = n
    while left_filter_results:
        left_filter_results -= 1
        acls_filter_result = new(DeleteAclsFilterResult)
        filter_results.append(acls_filter_result)
        (acls_filter_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            acls_filter_result.error_message = None
        else:
            end = at + n
            acls_filter_result.error_message = buf[at:end].decode()
            at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        matching_acls: list[DeleteAclsMatchingAcl] = []
        acls_filter_result.matching_acls = matching_acls
        left_matching_acls = n
        while left_matching_acls:
            left_matching_acls -= 1
            acls_matching_acl = new(DeleteAclsMatchingAcl)
            matching_acls.append(acls_matching_acl)
            (acls_matching_acl.error_code, n) = _read_2h(buf, at)
            at += 4
            if n < 0:
                acls_matching_acl.error_message = None
            else:
                end = at + n
                acls_matching_acl.error_message = buf[at:end].decode()
                at = end
            (acls_matching_acl.resource_type, n) = _read_bh(buf, at)
            at += 3
            if n < 0:
                refuse_null()
            end = at + n
            acls_matching_acl.resource_name = buf[at:end].decode()
            at = end
            (acls_matching_acl.pattern_type, n) = _read_bh(buf, at)
            at += 3
            if n < 0:
                refuse_null()
            end = at + n
            acls_matching_acl.principal = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            acls_matching_acl.host = buf[at:end].decode()
            at = end
            (acls_matching_acl.operation, acls_matching_acl.permission_type) = _read_2b(buf, at)
            at += 2
            acls_matching_acl.unknown_tags = ()
        acls_filter_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_acls_response_v2(buf: bytes, at: int) -> tuple[DeleteAclsResponse, int]:
    m = new(DeleteAclsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    filter_results: list[DeleteAclsFilterResult] = []
    m.filter_results = filter_results
    left_filter_results = n - 1
    while left_filter_results:
        left_filter_results -= 1
        acls_filter_result = new(DeleteAclsFilterResult)
        filter_results.append(acls_filter_result)
        (acls_filter_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            acls_filter_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            acls_filter_result.error_message = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 11)
        matching_acls: list[DeleteAclsMatchingAcl] = []
        acls_filter_result.matching_acls = matching_acls
        left_matching_acls = n - 1
        while left_matching_acls:
            left_matching_acls -= 1
            acls_matching_acl = new(DeleteAclsMatchingAcl)
            matching_acls.append(acls_matching_acl)
            (acls_matching_acl.error_code, n) = _read_hB(buf, at)
            at += 3
            if n == 0:
                acls_matching_acl.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                acls_matching_acl.error_message = buf[at:end].decode()
                at = end
            (acls_matching_acl.resource_type, n) = _read_bB(buf, at)
            at += 2
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            acls_matching_acl.resource_name = buf[at:end].decode()
            at = end
            (acls_matching_acl.pattern_type, n) = _read_bB(buf, at)
            at += 2
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            acls_matching_acl.principal = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            acls_matching_acl.host = buf[at:end].decode()
            at = end
            (
                acls_matching_acl.operation, acls_matching_acl.permission_type, tags,
            ) = _read_2bB(buf, at)
            at += 3
            acls_matching_acl.unknown_tags = ()
            if tags:
                acls_matching_acl.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        acls_filter_result.unknown_tags = ()
        if tags:
            acls_filter_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_acls_response_v0(out: Parts, m: DeleteAclsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    filter_results = m.filter_results
    n = len(filter_results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for acls_filter_result in filter_results:
        if acls_filter_result.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if acls_filter_result.error_message is None else
            acls_filter_result.error_message.encode()
        )
        n = -1 if acls_filter_result.error_message is None else len(error_message)
        out.append(_write_2h(acls_filter_result.error_code, n))
        out.append(error_message)
        matching_acls = acls_filter_result.matching_acls
        n = len(matching_acls)
        out.append(_write_i(n))
        for acls_matching_acl in matching_acls:
            if acls_matching_acl.pattern_type != 3:
                refuse_field("pattern_type")
            if acls_matching_acl.unknown_tags:
                refuse_field("unknown_tags")
            error_message_ = (
                b"" if acls_matching_acl.error_message is None else
                acls_matching_acl.error_message.encode()
            )
            n = -1 if acls_matching_acl.error_message is None else len(error_message_)
            out.append(_write_2h(acls_matching_acl.error_code, n))
            out.append(error_message_)
            resource_name = acls_matching_acl.resource_name.encode()
            n = len(resource_name)
            out.append(_write_bh(acls_matching_acl.resource_type, n))
            out.append(resource_name)
            principal = acls_matching_acl.principal.encode()
            n = len(principal)
            out.append(_write_h(n))
            out.append(principal)
            host = acls_matching_acl.host.encode()
            n = len(host)
            out.append(_write_h(n))
            out.append(host)
            out.append(_write_2b(acls_matching_acl.operation, acls_matching_acl.permission_type))


def _put_delete_acls_response_v1(out: Parts, m: DeleteAclsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    filter_results = m.filter_results
    n = len(filter_results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for acls_filter_result in filter_results:
        if acls_filter_result.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if acls_filter_result.error_message is None else
            acls_filter_result.error_message.encode()
        )
        n = -1 if acls_filter_result.error_message is None else len(error_message)
        out.append(_write_2h(acls_filter_result.error_code, n))
        out.append(error_message)
        matching_acls = acls_filter_result.matching_acls
        n = len(matching_acls)
        out.append(_write_i(n))
        for acls_matching_acl in matching_acls:
            if acls_matching_acl.unknown_tags:
                refuse_field("unknown_tags")
            error_message_ = (
                b"" if acls_matching_acl.error_message is None else
                acls_matching_acl.error_message.encode()
            )
            n = -1 if acls_matching_acl.error_message is None else len(error_message_)
            out.append(_write_2h(acls_matching_acl.error_code, n))
            out.append(error_message_)
            resource_name = acls_matching_acl.resource_name.encode()
            n = len(resource_name)
            out.append(_write_bh(acls_matching_acl.resource_type, n))
            out.append(resource_name)
            principal = acls_matching_acl.principal.encode()
            n = len(principal)
            out.append(_write_bh(acls_matching_acl.pattern_type, n))
            out.append(principal)
            host = acls_matching_acl.host.encode()
            n = len(host)
            out.append(_write_h(n))
            out.append(host)
            out.append(_write_2b(acls_matching_acl.operation, acls_matching_acl.permission_type))


def _put_delete_acls_response_v2(out: Parts, m: DeleteAclsResponse) -> None:
    filter_results = m.filter_results
    n = len(filter_results) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for acls_filter_result in filter_results:
        error_message = (
            b"" if acls_filter_result.error_message is None else
            acls_filter_result.error_message.encode()
        )
        n = 0 if acls_filter_result.error_message is None else len(error_message) + 1
        out.append(_write_hB(acls_filter_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        matching_acls = acls_filter_result.matching_acls
        n = len(matching_acls) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for acls_matching_acl in matching_acls:
            error_message_ = (
                b"" if acls_matching_acl.error_message is None else
                acls_matching_acl.error_message.encode()
            )
            n = 0 if acls_matching_acl.error_message is None else len(error_message_) + 1
            out.append(_write_hB(acls_matching_acl.error_code, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message_)
            resource_name = acls_matching_acl.resource_name.encode()
            n = len(resource_name) + 1
            out.append(_write_bB(acls_matching_acl.resource_type, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(resource_name)
            principal = acls_matching_acl.principal.encode()
            n = len(principal) + 1
            out.append(_write_bB(acls_matching_acl.pattern_type, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(principal)
            host = acls_matching_acl.host.encode()
            n = len(host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(host)
            out.append(_write_2bx(acls_matching_acl.operation, acls_matching_acl.permission_type))
            if acls_matching_acl.unknown_tags:
                put_tags(out, [], acls_matching_acl.unknown_tags)
        out.append(b"\0")
        if acls_filter_result.unknown_tags:
            put_tags(out, [], acls_filter_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_delete_acls_response_v0, 1: _get_delete_acls_response_v1,
    2: _get_delete_acls_response_v2, 3: _get_delete_acls_response_v2,
}
_PUT = {
    0: _put_delete_acls_response_v0, 1: _put_delete_acls_response_v1,
    2: _put_delete_acls_response_v2, 3: _put_delete_acls_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteAclsResponse:
    """The DeleteAclsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteAclsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteAclsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteAclsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_ACLS_MATCHING_ACL_SHAPE: Shape = (
    DeleteAclsMatchingAcl,
    (
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "errorMessage", "error_message", "string", (0, 3), (0, 3), None, None, "", False,
            (2, 3), None,
        ),
        ("resourceType", "resource_type", "int8", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "resourceName", "resource_name", "string", (0, 3), None, None, None, "", False, (2, 3),
            None,
        ),
        ("patternType", "pattern_type", "int8", (1, 3), None, None, None, 3, False, (2, 3), None),
        ("principal", "principal", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("host", "host", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("operation", "operation", "int8", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "permissionType", "permission_type", "int8", (0, 3), None, None, None, 0, False, (2, 3),
            None,
        ),
    ),
)
_DELETE_ACLS_FILTER_RESULT_SHAPE: Shape = (
    DeleteAclsFilterResult,
    (
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "errorMessage", "error_message", "string", (0, 3), (0, 3), None, None, "", False,
            (2, 3), None,
        ),
        (
            "matchingAcls", "matching_acls", "[]DeleteAclsMatchingAcl", (0, 3), None, None, None,
            (), False, (2, 3), _DELETE_ACLS_MATCHING_ACL_SHAPE,
        ),
    ),
)
_DELETE_ACLS_RESPONSE_SHAPE: Shape = (
    DeleteAclsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        (
            "filterResults", "filter_results", "[]DeleteAclsFilterResult", (0, 3), None, None, None,
            (), False, (2, 3), _DELETE_ACLS_FILTER_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DELETE_ACLS_RESPONSE_SHAPE, (0, 3), (2, 3))
