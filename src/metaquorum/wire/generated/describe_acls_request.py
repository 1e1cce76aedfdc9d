# GENERATED from schemas/describe_acls_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e833f88e05dd8adb, generator 1.
"""Asks for the access control entries that match a filter. Api key 29, versions 0-3, flexible from
2.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_text, long_text_head, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 29
NAME: Final = "DescribeAclsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class DescribeAclsRequest(Message):
    """Asks for the access control entries that match a filter."""

    __slots__ = (
        "resource_type_filter", "resource_name_filter", "pattern_type_filter", "principal_filter",
        "host_filter", "operation", "permission_type", "unknown_tags",
    )

    def __init__(
        self,
        # Type of the resource, as in the entries; 1 for any.
        resource_type_filter: int = 0,
        # Name of the resource; null for any.
        resource_name_filter: str | None = "",
        # Kind of pattern: 1 any, 2 whatever applies to the name, 3 literal, 4 prefixed. (v1+)
        pattern_type_filter: int = 3,
        # Principal; null for any.
        principal_filter: str | None = "",
        # Host; null for any.
        host_filter: str | None = "",
        # Operation the entry has to speak of, by Kafka's code; 1 for any.
        operation: int = 0,
        # 2 denies, 3 allows, 1 for either.
        permission_type: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.resource_type_filter = resource_type_filter
        self.resource_name_filter = resource_name_filter
        self.pattern_type_filter = pattern_type_filter
        self.principal_filter = principal_filter
        self.host_filter = host_filter
        self.operation = operation
        self.permission_type = permission_type
        self.unknown_tags = unknown_tags


_read_2b = Struct(">2b").unpack_from
_read_2bB = Struct(">2bB").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_h = Struct(">h").unpack_from
_write_2b = Struct(">2b").pack
_write_2bx = Struct(">2bx").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_h = Struct(">h").pack


def _get_describe_acls_request_v0(buf: bytes, at: int) -> tuple[DescribeAclsRequest, int]:
    m = new(DescribeAclsRequest)
    (m.resource_type_filter, n) = _read_bh(buf, at)
    at += 3
    if n < 0:
        m.resource_name_filter = None
    else:
        end = at + n
        m.resource_name_filter = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.principal_filter = None
    else:
        end = at + n
        m.principal_filter = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.host_filter = None
    else:
        end = at + n
        m.host_filter = buf[at:end].decode()
        at = end
    (m.operation, m.permission_type) = _read_2b(buf, at)
    at += 2
    m.pattern_type_filter = 3
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_acls_request_v1(buf: bytes, at: int) -> tuple[DescribeAclsRequest, int]:
    m = new(DescribeAclsRequest)
    (m.resource_type_filter, n) = _read_bh(buf, at)
    at += 3
    if n < 0:
        m.resource_name_filter = None
    else:
        end = at + n
        m.resource_name_filter = buf[at:end].decode()
        at = end
    (m.pattern_type_filter, n) = _read_bh(buf, at)
    at += 3
    if n < 0:
        m.principal_filter = None
    else:
        end = at + n
        m.principal_filter = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.host_filter = None
    else:
        end = at + n
        m.host_filter = buf[at:end].decode()
        at = end
    (m.operation, m.permission_type) = _read_2b(buf, at)
    at += 2
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_acls_request_v2(buf: bytes, at: int) -> tuple[DescribeAclsRequest, int]:
    m = new(DescribeAclsRequest)
    (m.resource_type_filter, n) = _read_bB(buf, at)
    at += 2
    if n == 0:
        m.resource_name_filter = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.resource_name_filter = buf[at:end].decode()
        at = end
    (m.pattern_type_filter, n) = _read_bB(buf, at)
    at += 2
    if n == 0:
        m.principal_filter = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.principal_filter = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.host_filter = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.host_filter = buf[at:end].decode()
        at = end
    (m.operation, m.permission_type, tags) = _read_2bB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_acls_request_v0(out: Parts, m: DescribeAclsRequest) -> None:
    if m.pattern_type_filter != 3:
        refuse_field("pattern_type_filter")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    resource_name_filter = (
        b"" if m.resource_name_filter is None else m.resource_name_filter.encode()
    )
    n = -1 if m.resource_name_filter is None else len(resource_name_filter)
    out.append(_write_bh(m.resource_type_filter, n))
    out.append(resource_name_filter)
    principal_filter = b"" if m.principal_filter is None else m.principal_filter.encode()
    n = -1 if m.principal_filter is None else len(principal_filter)
    out.append(_write_h(n))
    out.append(principal_filter)
    host_filter = b"" if m.host_filter is None else m.host_filter.encode()
    n = -1 if m.host_filter is None else len(host_filter)
    out.append(_write_h(n))
    out.append(host_filter)
    out.append(_write_2b(m.operation, m.permission_type))


def _put_describe_acls_request_v1(out: Parts, m: DescribeAclsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    resource_name_filter = (
        b"" if m.resource_name_filter is None else m.resource_name_filter.encode()
    )
    n = -1 if m.resource_name_filter is None else len(resource_name_filter)
    out.append(_write_bh(m.resource_type_filter, n))
    out.append(resource_name_filter)
    principal_filter = b"" if m.principal_filter is None else m.principal_filter.encode()
    n = -1 if m.principal_filter is None else len(principal_filter)
    out.append(_write_bh(m.pattern_type_filter, n))
    out.append(principal_filter)
    host_filter = b"" if m.host_filter is None else m.host_filter.encode()
    n = -1 if m.host_filter is None else len(host_filter)
    out.append(_write_h(n))
    out.append(host_filter)
    out.append(_write_2b(m.operation, m.permission_type))


def _put_describe_acls_request_v2(out: Parts, m: DescribeAclsRequest) -> None:
    resource_name_filter = (
        b"" if m.resource_name_filter is None else m.resource_name_filter.encode()
    )
    n = 0 if m.resource_name_filter is None else len(resource_name_filter) + 1
    out.append(_write_bB(m.resource_type_filter, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(resource_name_filter)
    principal_filter = b"" if m.principal_filter is None else m.principal_filter.encode()
    n = 0 if m.principal_filter is None else len(principal_filter) + 1
    out.append(_write_bB(m.pattern_type_filter, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(principal_filter)
    host_filter = b"" if m.host_filter is None else m.host_filter.encode()
    n = 0 if m.host_filter is None else len(host_filter) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(host_filter)
    out.append(_write_2bx(m.operation, m.permission_type))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_acls_request_v0, 1: _get_describe_acls_request_v1,
    2: _get_describe_acls_request_v2, 3: _get_describe_acls_request_v2,
}
_PUT = {
    0: _put_describe_acls_request_v0, 1: _put_describe_acls_request_v1,
    2: _put_describe_acls_request_v2, 3: _put_describe_acls_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeAclsRequest:
    """The DescribeAclsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeAclsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeAclsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeAclsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_ACLS_REQUEST_SHAPE: Shape = (
    DescribeAclsRequest,
    (
        (
            "resourceTypeFilter", "resource_type_filter", "int8", (0, 3), None, None, None, 0,
            False, (2, 3), None,
        ),
        (
            "resourceNameFilter", "resource_name_filter", "string", (0, 3), (0, 3), None, None, "",
            False, (2, 3), None,
        ),
        (
            "patternTypeFilter", "pattern_type_filter", "int8", (1, 3), None, None, None, 3, False,
            (2, 3), None,
        ),
        (
            "principalFilter", "principal_filter", "string", (0, 3), (0, 3), None, None, "", False,
            (2, 3), None,
        ),
        (
            "hostFilter", "host_filter", "string", (0, 3), (0, 3), None, None, "", False, (2, 3),
            None,
        ),
        ("operation", "operation", "int8", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "permissionType", "permission_type", "int8", (0, 3), None, None, None, 0, False, (2, 3),
            None,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_ACLS_REQUEST_SHAPE, (0, 3), (2, 3))
