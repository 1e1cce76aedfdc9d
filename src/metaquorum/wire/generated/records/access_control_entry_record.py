# GENERATED from schemas/records/access_control_entry_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 6286bd4ba67baf5f, generator 1.
"""Adds an access control entry. Record type 18, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_text, long_text_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 18
NAME: Final = "AccessControlEntryRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class AccessControlEntryRecord(Message):
    """Adds an access control entry."""

    __slots__ = (
        "id", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation",
        "permission_type", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the entry.
        id: bytes = ZERO_UUID,
        # Type of the resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user.
        resource_type: int = 0,
        # Name of the resource, or its prefix for a prefixed pattern.
        resource_name: str = "",
        # How the resource name matches: 3 literally, 4 as a prefix.
        pattern_type: int = 0,
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
        self.id = id
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type
        self.unknown_tags = unknown_tags


_read_16sbB = Struct(">16sbB").unpack_from
_read_2bB = Struct(">2bB").unpack_from
_read_bB = Struct(">bB").unpack_from
_write_16sbB = Struct(">16sbB").pack
_write_2bx = Struct(">2bx").pack
_write_bB = Struct(">bB").pack


def _get_access_control_entry_record_v0(
    buf: bytes, at: int,
) -> tuple[AccessControlEntryRecord, int]:
    m = new(AccessControlEntryRecord)
    (m.id, m.resource_type, n) = _read_16sbB(buf, at)
    at += 18
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.resource_name = buf[at:end].decode()
    at = end
    (m.pattern_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.principal = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.host = buf[at:end].decode()
    at = end
    (m.operation, m.permission_type, tags) = _read_2bB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_access_control_entry_record_v0(out: Parts, m: AccessControlEntryRecord) -> None:
    if len(m.id) != 16:
        refuse_uuid("id")
    resource_name = m.resource_name.encode()
    n = len(resource_name) + 1
    out.append(_write_16sbB(m.id, m.resource_type, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(resource_name)
    principal = m.principal.encode()
    n = len(principal) + 1
    out.append(_write_bB(m.pattern_type, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(principal)
    host = m.host.encode()
    n = len(host) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(host)
    out.append(_write_2bx(m.operation, m.permission_type))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_access_control_entry_record_v0}
_PUT = {0: _put_access_control_entry_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AccessControlEntryRecord:
    """The AccessControlEntryRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AccessControlEntryRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AccessControlEntryRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AccessControlEntryRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ACCESS_CONTROL_ENTRY_RECORD_SHAPE: Shape = (
    AccessControlEntryRecord,
    (
        ("id", "id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("resourceType", "resource_type", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "resourceName", "resource_name", "string", (0, 0), None, None, None, "", False, (0, 0),
            None,
        ),
        ("patternType", "pattern_type", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("principal", "principal", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("host", "host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("operation", "operation", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "permissionType", "permission_type", "int8", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
    ),
)
SHAPE: Shape = (_ACCESS_CONTROL_ENTRY_RECORD_SHAPE, (0, 0), (0, 0))
