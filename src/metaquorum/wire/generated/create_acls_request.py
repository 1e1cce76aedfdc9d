# GENERATED from schemas/create_acls_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 30cc88cc2a1986e3, generator 1.
"""Creates access control entries. Api key 30, versions 0-3, flexible from 2."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 30
NAME: Final = "CreateAclsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class AclCreation(Message):
    """Entries to create."""

    __slots__ = (
        "resource_type", "resource_name", "resource_pattern_type", "principal", "host", "operation",
        "permission_type", "unknown_tags",
    )

    def __init__(
        self,
        # Type of the resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user.
        resource_type: int = 0,
        # Name of the resource, or its prefix for a prefixed pattern.
        resource_name: str = "",
        # How the resource name matches: 3 literally, 4 as a prefix. (v1+)
        resource_pattern_type: int = 3,
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
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.resource_pattern_type = resource_pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type
        self.unknown_tags = unknown_tags


class CreateAclsRequest(Message):
    """Creates access control entries."""

    __slots__ = ("creations", "unknown_tags")

    def __init__(
        self,
        # Entries to create.
        creations: Sequence[AclCreation] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.creations: Sequence[AclCreation] = [] if creations == () else creations
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


def _get_create_acls_request_v0(buf: bytes, at: int) -> tuple[CreateAclsRequest, int]:
    m = new(CreateAclsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 9)
    creations: list[AclCreation] = []
    m.creations = creations
    left_creations = n
    while left_creations:
        left_creations -= 1
        acl_creation = new(AclCreation)
        creations.append(acl_creation)
        (acl_creation.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        acl_creation.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        acl_creation.principal = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        acl_creation.host = buf[at:end].decode()
        at = end
        (acl_creation.operation, acl_creation.permission_type) = _read_2b(buf, at)
        at += 2
        acl_creation.resource_pattern_type = 3
        acl_creation.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_acls_request_v1(buf: bytes, at: int) -> tuple[CreateAclsRequest, int]:
    m = new(CreateAclsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    creations: list[AclCreation] = []
    m.creations = creations
    left_creations = n
    while left_creations:
        left_creations -= 1
        acl_creation = new(AclCreation)
        creations.append(acl_creation)
        (acl_creation.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        acl_creation.resource_name = buf[at:end].decode()
        at = end
        (acl_creation.resource_pattern_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        acl_creation.principal = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        acl_creation.host = buf[at:end].decode()
        at = end
        (acl_creation.operation, acl_creation.permission_type) = _read_2b(buf, at)
        at += 2
        acl_creation.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_acls_request_v2(buf: bytes, at: int) -> tuple[CreateAclsRequest, int]:
    m = new(CreateAclsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    creations: list[AclCreation] = []
    m.creations = creations
    left_creations = n - 1
    while left_creations:
        left_creations -= 1
        acl_creation = new(AclCreation)
        creations.append(acl_creation)
        (acl_creation.resource_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        acl_creation.resource_name = buf[at:end].decode()
        at = end
        (acl_creation.resource_pattern_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        acl_creation.principal = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        acl_creation.host = buf[at:end].decode()
        at = end
        (acl_creation.operation, acl_creation.permission_type, tags) = _read_2bB(buf, at)
        at += 3
        acl_creation.unknown_tags = ()
        if tags:
            acl_creation.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_create_acls_request_v0(out: Parts, m: CreateAclsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    creations = m.creations
    n = len(creations)
    out.append(_write_i(n))
    for acl_creation in creations:
        if acl_creation.resource_pattern_type != 3:
            refuse_field("resource_pattern_type")
        if acl_creation.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = acl_creation.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(acl_creation.resource_type, n))
        out.append(resource_name)
        principal = acl_creation.principal.encode()
        n = len(principal)
        out.append(_write_h(n))
        out.append(principal)
        host = acl_creation.host.encode()
        n = len(host)
        out.append(_write_h(n))
        out.append(host)
        out.append(_write_2b(acl_creation.operation, acl_creation.permission_type))


def _put_create_acls_request_v1(out: Parts, m: CreateAclsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    creations = m.creations
    n = len(creations)
    out.append(_write_i(n))
    for acl_creation in creations:
        if acl_creation.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = acl_creation.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(acl_creation.resource_type, n))
        out.append(resource_name)
        principal = acl_creation.principal.encode()
        n = len(principal)
        out.append(_write_bh(acl_creation.resource_pattern_type, n))
        out.append(principal)
        host = acl_creation.host.encode()
        n = len(host)
        out.append(_write_h(n))
        out.append(host)
        out.append(_write_2b(acl_creation.operation, acl_creation.permission_type))


def _put_create_acls_request_v2(out: Parts, m: CreateAclsRequest) -> None:
    creations = m.creations
    n = len(creations) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for acl_creation in creations:
        resource_name = acl_creation.resource_name.encode()
        n = len(resource_name) + 1
        out.append(_write_bB(acl_creation.resource_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(resource_name)
        principal = acl_creation.principal.encode()
        n = len(principal) + 1
        out.append(_write_bB(acl_creation.resource_pattern_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(principal)
        host = acl_creation.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_2bx(acl_creation.operation, acl_creation.permission_type))
        if acl_creation.unknown_tags:
            put_tags(out, [], acl_creation.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_create_acls_request_v0, 1: _get_create_acls_request_v1, 2: _get_create_acls_request_v2,
    3: _get_create_acls_request_v2,
}
_PUT = {
    0: _put_create_acls_request_v0, 1: _put_create_acls_request_v1, 2: _put_create_acls_request_v2,
    3: _put_create_acls_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> CreateAclsRequest:
    """The CreateAclsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[CreateAclsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: CreateAclsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: CreateAclsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ACL_CREATION_SHAPE: Shape = (
    AclCreation,
    (
        ("resourceType", "resource_type", "int8", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "resourceName", "resource_name", "string", (0, 3), None, None, None, "", False, (2, 3),
            None,
        ),
        (
            "resourcePatternType", "resource_pattern_type", "int8", (1, 3), None, None, None, 3,
            False, (2, 3), None,
        ),
        ("principal", "principal", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("host", "host", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("operation", "operation", "int8", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "permissionType", "permission_type", "int8", (0, 3), None, None, None, 0, False, (2, 3),
            None,
        ),
    ),
)
_CREATE_ACLS_REQUEST_SHAPE: Shape = (
    CreateAclsRequest,
    (
        (
            "creations", "creations", "[]AclCreation", (0, 3), None, None, None, (), False, (2, 3),
            _ACL_CREATION_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CREATE_ACLS_REQUEST_SHAPE, (0, 3), (2, 3))
