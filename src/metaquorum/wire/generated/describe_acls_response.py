# GENERATED from schemas/describe_acls_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 159b1df431a6f040, generator 1.
"""Lists the entries that match, by resource. Api key 29, versions 0-3, flexible from 2."""

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

API_KEY: Final = 29
NAME: Final = "DescribeAclsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class AclDescription(Message):
    """Entries of the resource."""

    __slots__ = ("principal", "host", "operation", "permission_type", "unknown_tags")

    def __init__(
        self,
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
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type
        self.unknown_tags = unknown_tags


class DescribeAclsResource(Message):
    """One row a resource."""

    __slots__ = ("resource_type", "resource_name", "pattern_type", "acls", "unknown_tags")

    def __init__(
        self,
        # Type of the resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user.
        resource_type: int = 0,
        # Name of the resource, or its prefix for a prefixed pattern.
        resource_name: str = "",
        # How the resource name matches: 3 literally, 4 as a prefix. (v1+)
        pattern_type: int = 3,
        # Entries of the resource.
        acls: Sequence[AclDescription] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.acls: Sequence[AclDescription] = [] if acls == () else acls
        self.unknown_tags = unknown_tags


class DescribeAclsResponse(Message):
    """Lists the entries that match, by resource."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "resources", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # One row a resource.
        resources: Sequence[DescribeAclsResource] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.resources: Sequence[DescribeAclsResource] = [] if resources == () else resources
        self.unknown_tags = unknown_tags


_read_2b = Struct(">2b").unpack_from
_read_2bB = Struct(">2bB").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_bi = Struct(">bi").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_i2h = Struct(">i2h").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_2b = Struct(">2b").pack
_write_2bx = Struct(">2bx").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_bi = Struct(">bi").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i2h = Struct(">i2h").pack
_write_ihB = Struct(">ihB").pack


def _get_describe_acls_response_v0(buf: bytes, at: int) -> tuple[DescribeAclsResponse, int]:
    m = new(DescribeAclsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_i2h(buf, at)
    at += 8
    if n < 0:
        m.error_message = None
    else:
        end = at + n
        m.error_message = buf[at:end].decode()
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 7)
    resources: list[DescribeAclsResource] = []
    m.resources = resources
    left_resources = n
    while left_resources:
        left_resources -= 1
        describe_acls_resource = new(DescribeAclsResource)
        resources.append(describe_acls_resource)
        (describe_acls_resource.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        describe_acls_resource.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        acls: list[AclDescription] = []
        describe_acls_resource.acls = acls
        left_acls = n
        while left_acls:
            left_acls -= 1
            acl_description = new(AclDescription)
            acls.append(acl_description)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            acl_description.principal = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            acl_description.host = buf[at:end].decode()
            at = end
            (acl_description.operation, acl_description.permission_type) = _read_2b(buf, at)
            at += 2
            acl_description.unknown_tags = ()
        describe_acls_resource.pattern_type = 3
        describe_acls_resource.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_acls_response_v1(buf: bytes, at: int) -> tuple[DescribeAclsResponse, int]:
    m = new(DescribeAclsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_i2h(buf, at)
    at += 8
    if n < 0:
        m.error_message = None
    else:
        end = at + n
        m.error_message = buf[at:end].decode()
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    resources: list[DescribeAclsResource] = []
    m.resources = resources
    left_resources = n
    while left_resources:
        left_resources -= 1
        describe_acls_resource = new(DescribeAclsResource)
        resources.append(describe_acls_resource)
        (describe_acls_resource.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        describe_acls_resource.resource_name = buf[at:end].decode()
        at = end
        (describe_acls_resource.pattern_type, n) = _read_bi(buf, at)
        at += 5
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        acls: list[AclDescription] = []
        describe_acls_resource.acls = acls
        left_acls = n
        while left_acls:
            left_acls -= 1
            acl_description = new(AclDescription)
            acls.append(acl_description)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            acl_description.principal = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            acl_description.host = buf[at:end].decode()
            at = end
            (acl_description.operation, acl_description.permission_type) = _read_2b(buf, at)
            at += 2
            acl_description.unknown_tags = ()
        describe_acls_resource.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_acls_response_v2(buf: bytes, at: int) -> tuple[DescribeAclsResponse, int]:
    m = new(DescribeAclsResponse)
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
        n, at = long_count(buf, at, 5)
    resources: list[DescribeAclsResource] = []
    m.resources = resources
    left_resources = n - 1
    while left_resources:
        left_resources -= 1
        describe_acls_resource = new(DescribeAclsResource)
        resources.append(describe_acls_resource)
        (describe_acls_resource.resource_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        describe_acls_resource.resource_name = buf[at:end].decode()
        at = end
        (describe_acls_resource.pattern_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 5)
        acls: list[AclDescription] = []
        describe_acls_resource.acls = acls
        left_acls = n - 1
        while left_acls:
            left_acls -= 1
            acl_description = new(AclDescription)
            acls.append(acl_description)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            acl_description.principal = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            acl_description.host = buf[at:end].decode()
            at = end
            (acl_description.operation, acl_description.permission_type, tags) = _read_2bB(buf, at)
            at += 3
            acl_description.unknown_tags = ()
            if tags:
                acl_description.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        describe_acls_resource.unknown_tags = ()
        if tags:
            describe_acls_resource.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_acls_response_v0(out: Parts, m: DescribeAclsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = -1 if m.error_message is None else len(error_message)
    out.append(_write_i2h(m.throttle_time_ms, m.error_code, n))
    out.append(error_message)
    resources = m.resources
    n = len(resources)
    out.append(_write_i(n))
    for describe_acls_resource in resources:
        if describe_acls_resource.pattern_type != 3:
            refuse_field("pattern_type")
        if describe_acls_resource.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = describe_acls_resource.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(describe_acls_resource.resource_type, n))
        out.append(resource_name)
        acls = describe_acls_resource.acls
        n = len(acls)
        out.append(_write_i(n))
        for acl_description in acls:
            if acl_description.unknown_tags:
                refuse_field("unknown_tags")
            principal = acl_description.principal.encode()
            n = len(principal)
            out.append(_write_h(n))
            out.append(principal)
            host = acl_description.host.encode()
            n = len(host)
            out.append(_write_h(n))
            out.append(host)
            out.append(_write_2b(acl_description.operation, acl_description.permission_type))


def _put_describe_acls_response_v1(out: Parts, m: DescribeAclsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = -1 if m.error_message is None else len(error_message)
    out.append(_write_i2h(m.throttle_time_ms, m.error_code, n))
    out.append(error_message)
    resources = m.resources
    n = len(resources)
    out.append(_write_i(n))
    for describe_acls_resource in resources:
        if describe_acls_resource.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = describe_acls_resource.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(describe_acls_resource.resource_type, n))
        out.append(resource_name)
        acls = describe_acls_resource.acls
        n = len(acls)
        out.append(_write_bi(describe_acls_resource.pattern_type, n))
        for acl_description in acls:
            if acl_description.unknown_tags:
                refuse_field("unknown_tags")
            principal = acl_description.principal.encode()
            n = len(principal)
            out.append(_write_h(n))
            out.append(principal)
            host = acl_description.host.encode()
            n = len(host)
            out.append(_write_h(n))
            out.append(host)
            out.append(_write_2b(acl_description.operation, acl_description.permission_type))


def _put_describe_acls_response_v2(out: Parts, m: DescribeAclsResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    resources = m.resources
    n = len(resources) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for describe_acls_resource in resources:
        resource_name = describe_acls_resource.resource_name.encode()
        n = len(resource_name) + 1
        out.append(_write_bB(describe_acls_resource.resource_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(resource_name)
        acls = describe_acls_resource.acls
        n = len(acls) + 1
        out.append(_write_bB(describe_acls_resource.pattern_type, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for acl_description in acls:
            principal = acl_description.principal.encode()
            n = len(principal) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(principal)
            host = acl_description.host.encode()
            n = len(host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(host)
            out.append(_write_2bx(acl_description.operation, acl_description.permission_type))
            if acl_description.unknown_tags:
                put_tags(out, [], acl_description.unknown_tags)
        out.append(b"\0")
        if describe_acls_resource.unknown_tags:
            put_tags(out, [], describe_acls_resource.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_acls_response_v0, 1: _get_describe_acls_response_v1,
    2: _get_describe_acls_response_v2, 3: _get_describe_acls_response_v2,
}
_PUT = {
    0: _put_describe_acls_response_v0, 1: _put_describe_acls_response_v1,
    2: _put_describe_acls_response_v2, 3: _put_describe_acls_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeAclsResponse:
    """The DescribeAclsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeAclsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeAclsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeAclsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ACL_DESCRIPTION_SHAPE: Shape = (
    AclDescription,
    (
        ("principal", "principal", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("host", "host", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("operation", "operation", "int8", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "permissionType", "permission_type", "int8", (0, 3), None, None, None, 0, False, (2, 3),
            None,
        ),
    ),
)
_DESCRIBE_ACLS_RESOURCE_SHAPE: Shape = (
    DescribeAclsResource,
    (
        ("resourceType", "resource_type", "int8", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "resourceName", "resource_name", "string", (0, 3), None, None, None, "", False, (2, 3),
            None,
        ),
        ("patternType", "pattern_type", "int8", (1, 3), None, None, None, 3, False, (2, 3), None),
        (
            "acls", "acls", "[]AclDescription", (0, 3), None, None, None, (), False, (2, 3),
            _ACL_DESCRIPTION_SHAPE,
        ),
    ),
)
_DESCRIBE_ACLS_RESPONSE_SHAPE: Shape = (
    DescribeAclsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 3), None, None, None, 0, False,
            (2, 3), None,
        ),
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "errorMessage", "error_message", "string", (0, 3), (0, 3), None, None, "", False,
            (2, 3), None,
        ),
        (
            "resources", "resources", "[]DescribeAclsResource", (0, 3), None, None, None, (), False,
            (2, 3), _DESCRIBE_ACLS_RESOURCE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_ACLS_RESPONSE_SHAPE, (0, 3), (2, 3))
