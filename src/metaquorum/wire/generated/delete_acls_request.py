# GENERATED from schemas/delete_acls_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 edceb62e231385ce, generator 1.
"""Deletes the access control entries that match filters. Api key 31, versions 0-3, flexible from 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 31
NAME: Final = "DeleteAclsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class DeleteAclsFilter(Message):
    """One row a filter."""

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


class DeleteAclsRequest(Message):
    """Deletes the access control entries that match filters."""

    __slots__ = ("filters", "unknown_tags")

    def __init__(
        self,
        # One row a filter.
        filters: Sequence[DeleteAclsFilter] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.filters: Sequence[DeleteAclsFilter] = [] if filters == () else filters
        self.unknown_tags = unknown_tags


_read_2b = Struct(">2b").unpack_from
_read_2bB = Struct(">2bB").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_2b = Struct(">2b").pack
_write_2bx = Struct(">2bx").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_delete_acls_request_v0(buf: bytes, at: int) -> tuple[DeleteAclsRequest, int]:
    m = new(DeleteAclsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 9)
    filters: list[DeleteAclsFilter] = []
    m.filters = filters
    left_filters = n
    while left_filters:
        left_filters -= 1
        delete_acls_filter = new(DeleteAclsFilter)
        filters.append(delete_acls_filter)
        (delete_acls_filter.resource_type_filter, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            delete_acls_filter.resource_name_filter = None
        else:
            end = at + n
            delete_acls_filter.resource_name_filter = buf[at:end].decode()
            at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            delete_acls_filter.principal_filter = None
        else:
            end = at + n
            delete_acls_filter.principal_filter = buf[at:end].decode()
            at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            delete_acls_filter.host_filter = None
        else:
            end = at + n
            delete_acls_filter.host_filter = buf[at:end].decode()
            at = end
        (delete_acls_filter.operation, delete_acls_filter.permission_type) = _read_2b(buf, at)
        at += 2
        delete_acls_filter.pattern_type_filter = 3
        delete_acls_filter.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_acls_request_v1(buf: bytes, at: int) -> tuple[DeleteAclsRequest, int]:
    m = new(DeleteAclsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    filters: list[DeleteAclsFilter] = []
    m.filters = filters
    left_filters = n
    while left_filters:
        left_filters -= 1
        delete_acls_filter = new(DeleteAclsFilter)
        filters.append(delete_acls_filter)
        (delete_acls_filter.resource_type_filter, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            delete_acls_filter.resource_name_filter = None
        else:
            end = at + n
            delete_acls_filter.resource_name_filter = buf[at:end].decode()
            at = end
        (delete_acls_filter.pattern_type_filter, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            delete_acls_filter.principal_filter = None
        else:
            end = at + n
            delete_acls_filter.principal_filter = buf[at:end].decode()
            at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            delete_acls_filter.host_filter = None
        else:
            end = at + n
            delete_acls_filter.host_filter = buf[at:end].decode()
            at = end
        (delete_acls_filter.operation, delete_acls_filter.permission_type) = _read_2b(buf, at)
        at += 2
        delete_acls_filter.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_acls_request_v2(buf: bytes, at: int) -> tuple[DeleteAclsRequest, int]:
    m = new(DeleteAclsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    filters: list[DeleteAclsFilter] = []
    m.filters = filters
    left_filters = n - 1
    while left_filters:
        left_filters -= 1
        delete_acls_filter = new(DeleteAclsFilter)
        filters.append(delete_acls_filter)
        (delete_acls_filter.resource_type_filter, n) = _read_bB(buf, at)
        at += 2
        if n == 0:
            delete_acls_filter.resource_name_filter = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            delete_acls_filter.resource_name_filter = buf[at:end].decode()
            at = end
        (delete_acls_filter.pattern_type_filter, n) = _read_bB(buf, at)
        at += 2
        if n == 0:
            delete_acls_filter.principal_filter = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            delete_acls_filter.principal_filter = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0:
            delete_acls_filter.host_filter = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            delete_acls_filter.host_filter = buf[at:end].decode()
            at = end
        (
            delete_acls_filter.operation, delete_acls_filter.permission_type, tags,
        ) = _read_2bB(buf, at)
        at += 3
        delete_acls_filter.unknown_tags = ()
        if tags:
            delete_acls_filter.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_acls_request_v0(out: Parts, m: DeleteAclsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    filters = m.filters
    n = len(filters)
    out.append(_write_i(n))
    for delete_acls_filter in filters:
        if delete_acls_filter.pattern_type_filter != 3:
            refuse_field("pattern_type_filter")
        if delete_acls_filter.unknown_tags:
            refuse_field("unknown_tags")
        resource_name_filter = (
            b"" if delete_acls_filter.resource_name_filter is None else
            delete_acls_filter.resource_name_filter.encode()
        )
        n = -1 if delete_acls_filter.resource_name_filter is None else len(resource_name_filter)
        out.append(_write_bh(delete_acls_filter.resource_type_filter, n))
        out.append(resource_name_filter)
        principal_filter = (
            b"" if delete_acls_filter.principal_filter is None else
            delete_acls_filter.principal_filter.encode()
        )
        n = -1 if delete_acls_filter.principal_filter is None else len(principal_filter)
        out.append(_write_h(n))
        out.append(principal_filter)
        host_filter = (
            b"" if delete_acls_filter.host_filter is None else
            delete_acls_filter.host_filter.encode()
        )
        n = -1 if delete_acls_filter.host_filter is None else len(host_filter)
        out.append(_write_h(n))
        out.append(host_filter)
        out.append(_write_2b(delete_acls_filter.operation, delete_acls_filter.permission_type))


def _put_delete_acls_request_v1(out: Parts, m: DeleteAclsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    filters = m.filters
    n = len(filters)
    out.append(_write_i(n))
    for delete_acls_filter in filters:
        if delete_acls_filter.unknown_tags:
            refuse_field("unknown_tags")
        resource_name_filter = (
            b"" if delete_acls_filter.resource_name_filter is None else
            delete_acls_filter.resource_name_filter.encode()
        )
        n = -1 if delete_acls_filter.resource_name_filter is None else len(resource_name_filter)
        out.append(_write_bh(delete_acls_filter.resource_type_filter, n))
        out.append(resource_name_filter)
        principal_filter = (
            b"" if delete_acls_filter.principal_filter is None else
            delete_acls_filter.principal_filter.encode()
        )
        n = -1 if delete_acls_filter.principal_filter is None else len(principal_filter)
        out.append(_write_bh(delete_acls_filter.pattern_type_filter, n))
        out.append(principal_filter)
        host_filter = (
            b"" if delete_acls_filter.host_filter is None else
            delete_acls_filter.host_filter.encode()
        )
        n = -1 if delete_acls_filter.host_filter is None else len(host_filter)
        out.append(_write_h(n))
        out.append(host_filter)
        out.append(_write_2b(delete_acls_filter.operation, delete_acls_filter.permission_type))


def _put_delete_acls_request_v2(out: Parts, m: DeleteAclsRequest) -> None:
    filters = m.filters
    n = len(filters) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for delete_acls_filter in filters:
        resource_name_filter = (
            b"" if delete_acls_filter.resource_name_filter is None else
            delete_acls_filter.resource_name_filter.encode()
        )
        n = 0 if delete_acls_filter.resource_name_filter is None else len(resource_name_filter) + 1
        out.append(_write_bB(delete_acls_filter.resource_type_filter, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(resource_name_filter)
        principal_filter = (
            b"" if delete_acls_filter.principal_filter is None else
            delete_acls_filter.principal_filter.encode()
        )
        n = 0 if delete_acls_filter.principal_filter is None else len(principal_filter) + 1
        out.append(_write_bB(delete_acls_filter.pattern_type_filter, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(principal_filter)
        host_filter = (
            b"" if delete_acls_filter.host_filter is None else
            delete_acls_filter.host_filter.encode()
        )
        n = 0 if delete_acls_filter.host_filter is None else len(host_filter) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host_filter)
        out.append(_write_2bx(delete_acls_filter.operation, delete_acls_filter.permission_type))
        if delete_acls_filter.unknown_tags:
            put_tags(out, [], delete_acls_filter.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_delete_acls_request_v0, 1: _get_delete_acls_request_v1, 2: _get_delete_acls_request_v2,
    3: _get_delete_acls_request_v2,
}
_PUT = {
    0: _put_delete_acls_request_v0, 1: _put_delete_acls_request_v1, 2: _put_delete_acls_request_v2,
    3: _put_delete_acls_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteAclsRequest:
    """The DeleteAclsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteAclsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteAclsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteAclsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_ACLS_FILTER_SHAPE: Shape = (
    DeleteAclsFilter,
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
_DELETE_ACLS_REQUEST_SHAPE: Shape = (
    DeleteAclsRequest,
    (
        (
            "filters", "filters", "[]DeleteAclsFilter", (0, 3), None, None, None, (), False, (2, 3),
            _DELETE_ACLS_FILTER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DELETE_ACLS_REQUEST_SHAPE, (0, 3), (2, 3))
