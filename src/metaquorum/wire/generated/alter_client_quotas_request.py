# GENERATED from schemas/alter_client_quotas_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 89d3d5219a8d7b22, generator 1.
"""Sets or removes quotas of users, client ids and addresses (KIP-546). Api key 49, versions 0-1,
flexible from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 49
NAME: Final = "AlterClientQuotasRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class EntityData(Message):
    """Parts that together name the entity, such as a user and a client id."""

    __slots__ = ("entity_type", "entity_name", "unknown_tags")

    def __init__(
        self,
        # Type of this part: user, client-id or ip.
        entity_type: str = "",
        # Name of this part; null means the default entity of the type.
        entity_name: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name
        self.unknown_tags = unknown_tags


class OpData(Message):
    """Quotas to set or remove."""

    __slots__ = ("key", "value", "remove", "unknown_tags")

    def __init__(
        self,
        # Quota to change, such as producer_byte_rate.
        key: str = "",
        # New value of the quota.
        value: float = 0.0,
        # True removes the quota, and the value is then ignored.
        remove: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.value = value
        self.remove = remove
        self.unknown_tags = unknown_tags


class EntryData(Message):
    """Entities with the changes to make."""

    __slots__ = ("entity", "ops", "unknown_tags")

    def __init__(
        self,
        # Parts that together name the entity, such as a user and a client id.
        entity: Sequence[EntityData] = (),
        # Quotas to set or remove.
        ops: Sequence[OpData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.entity: Sequence[EntityData] = [] if entity == () else entity
        self.ops: Sequence[OpData] = [] if ops == () else ops
        self.unknown_tags = unknown_tags


class AlterClientQuotasRequest(Message):
    """Sets or removes quotas of users, client ids and addresses (KIP-546)."""

    __slots__ = ("entries", "validate_only", "unknown_tags")

    def __init__(
        self,
        # Entities with the changes to make.
        entries: Sequence[EntryData] = (),
        # True to check the changes without making them.
        validate_only: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.entries: Sequence[EntryData] = [] if entries == () else entries
        self.validate_only = validate_only
        self.unknown_tags = unknown_tags


_read_t = Struct(">?").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_dt = Struct(">d?").unpack_from
_read_dtB = Struct(">d?B").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_t = Struct(">?").pack
_write_tx = Struct(">?x").pack
_write_dt = Struct(">d?").pack
_write_dtx = Struct(">d?x").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_alter_client_quotas_request_v0(
    buf: bytes, at: int,
) -> tuple[AlterClientQuotasRequest, int]:
    m = new(AlterClientQuotasRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    entries: list[EntryData] = []
    m.entries = entries
    left_entries = n
    while left_entries:
        left_entries -= 1
        entry_data = new(EntryData)
        entries.append(entry_data)
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 4)
        entity: list[EntityData] = []
        entry_data.entity = entity
        left_entity = n
        while left_entity:
            left_entity -= 1
            entity_data = new(EntityData)
            entity.append(entity_data)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            entity_data.entity_type = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                entity_data.entity_name = None
            else:
                end = at + n
                entity_data.entity_name = buf[at:end].decode()
                at = end
            entity_data.unknown_tags = ()
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 11)
        ops: list[OpData] = []
        entry_data.ops = ops
        left_ops = n
        while left_ops:
            left_ops -= 1
            op_data = new(OpData)
            ops.append(op_data)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            op_data.key = buf[at:end].decode()
            at = end
            (op_data.value, op_data.remove) = _read_dt(buf, at)
            at += 9
            op_data.unknown_tags = ()
        entry_data.unknown_tags = ()
    (m.validate_only,) = _read_t(buf, at)
    at += 1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_alter_client_quotas_request_v1(
    buf: bytes, at: int,
) -> tuple[AlterClientQuotasRequest, int]:
    m = new(AlterClientQuotasRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    entries: list[EntryData] = []
    m.entries = entries
    left_entries = n - 1
    while left_entries:
        left_entries -= 1
        entry_data = new(EntryData)
        entries.append(entry_data)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        entity: list[EntityData] = []
        entry_data.entity = entity
        left_entity = n - 1
        while left_entity:
            left_entity -= 1
            entity_data = new(EntityData)
            entity.append(entity_data)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            entity_data.entity_type = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0:
                entity_data.entity_name = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                entity_data.entity_name = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            entity_data.unknown_tags = ()
            if tags:
                entity_data.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 11)
        ops: list[OpData] = []
        entry_data.ops = ops
        left_ops = n - 1
        while left_ops:
            left_ops -= 1
            op_data = new(OpData)
            ops.append(op_data)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            op_data.key = buf[at:end].decode()
            at = end
            (op_data.value, op_data.remove, tags) = _read_dtB(buf, at)
            at += 10
            op_data.unknown_tags = ()
            if tags:
                op_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        entry_data.unknown_tags = ()
        if tags:
            entry_data.unknown_tags, at = get_tags(buf, at - 1)
    (m.validate_only, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_client_quotas_request_v0(out: Parts, m: AlterClientQuotasRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    entries = m.entries
    n = len(entries)
    out.append(_write_i(n))
    for entry_data in entries:
        if entry_data.unknown_tags:
            refuse_field("unknown_tags")
        entity = entry_data.entity
        n = len(entity)
        out.append(_write_i(n))
        for entity_data in entity:
            if entity_data.unknown_tags:
                refuse_field("unknown_tags")
            entity_type = entity_data.entity_type.encode()
            n = len(entity_type)
            out.append(_write_h(n))
            out.append(entity_type)
            entity_name = (
                b"" if entity_data.entity_name is None else entity_data.entity_name.encode()
            )
            n = -1 if entity_data.entity_name is None else len(entity_name)
            out.append(_write_h(n))
            out.append(entity_name)
        ops = entry_data.ops
        n = len(ops)
        out.append(_write_i(n))
        for op_data in ops:
            if op_data.unknown_tags:
                refuse_field("unknown_tags")
            key = op_data.key.encode()
            n = len(key)
            out.append(_write_h(n))
            out.append(key)
            out.append(_write_dt(op_data.value, op_data.remove))
    out.append(_write_t(m.validate_only))


def _put_alter_client_quotas_request_v1(out: Parts, m: AlterClientQuotasRequest) -> None:
    entries = m.entries
    n = len(entries) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for entry_data in entries:
        entity = entry_data.entity
        n = len(entity) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for entity_data in entity:
            entity_type = entity_data.entity_type.encode()
            n = len(entity_type) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(entity_type)
            entity_name = (
                b"" if entity_data.entity_name is None else entity_data.entity_name.encode()
            )
            n = 0 if entity_data.entity_name is None else len(entity_name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(entity_name)
            out.append(b"\0")
            if entity_data.unknown_tags:
                put_tags(out, [], entity_data.unknown_tags)
        ops = entry_data.ops
        n = len(ops) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for op_data in ops:
            key = op_data.key.encode()
            n = len(key) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(key)
            out.append(_write_dtx(op_data.value, op_data.remove))
            if op_data.unknown_tags:
                put_tags(out, [], op_data.unknown_tags)
        out.append(b"\0")
        if entry_data.unknown_tags:
            put_tags(out, [], entry_data.unknown_tags)
    out.append(_write_tx(m.validate_only))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_alter_client_quotas_request_v0, 1: _get_alter_client_quotas_request_v1}
_PUT = {0: _put_alter_client_quotas_request_v0, 1: _put_alter_client_quotas_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterClientQuotasRequest:
    """The AlterClientQuotasRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterClientQuotasRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterClientQuotasRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterClientQuotasRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ENTITY_DATA_SHAPE: Shape = (
    EntityData,
    (
        ("entityType", "entity_type", "string", (0, 1), None, None, None, "", False, (1, 1), None),
        (
            "entityName", "entity_name", "string", (0, 1), (0, 1), None, None, "", False, (1, 1),
            None,
        ),
    ),
)
_OP_DATA_SHAPE: Shape = (
    OpData,
    (
        ("key", "key", "string", (0, 1), None, None, None, "", False, (1, 1), None),
        ("value", "value", "float64", (0, 1), None, None, None, 0.0, False, (1, 1), None),
        ("remove", "remove", "bool", (0, 1), None, None, None, False, False, (1, 1), None),
    ),
)
_ENTRY_DATA_SHAPE: Shape = (
    EntryData,
    (
        (
            "entity", "entity", "[]EntityData", (0, 1), None, None, None, (), False, (1, 1),
            _ENTITY_DATA_SHAPE,
        ),
        ("ops", "ops", "[]OpData", (0, 1), None, None, None, (), False, (1, 1), _OP_DATA_SHAPE),
    ),
)
_ALTER_CLIENT_QUOTAS_REQUEST_SHAPE: Shape = (
    AlterClientQuotasRequest,
    (
        (
            "entries", "entries", "[]EntryData", (0, 1), None, None, None, (), False, (1, 1),
            _ENTRY_DATA_SHAPE,
        ),
        (
            "validateOnly", "validate_only", "bool", (0, 1), None, None, None, False, False, (1, 1),
            None,
        ),
    ),
)
SHAPE: Shape = (_ALTER_CLIENT_QUOTAS_REQUEST_SHAPE, (0, 1), (1, 1))
