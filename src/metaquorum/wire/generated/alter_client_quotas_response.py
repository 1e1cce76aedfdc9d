# GENERATED from schemas/alter_client_quotas_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 07f2e3502a956764, generator 1.
"""Says for each entity whether its quotas were changed. Api key 49, versions 0-1, flexible from 1.
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

API_KEY: Final = 49
NAME: Final = "AlterClientQuotasResponse"
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


class EntryData(Message):
    """One result an entity, in the order of the request."""

    __slots__ = ("error_code", "error_message", "entity", "unknown_tags")

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # Parts that together name the entity, such as a user and a client id.
        entity: Sequence[EntityData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.entity: Sequence[EntityData] = [] if entity == () else entity
        self.unknown_tags = unknown_tags


class AlterClientQuotasResponse(Message):
    """Says for each entity whether its quotas were changed."""

    __slots__ = ("throttle_time_ms", "entries", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result an entity, in the order of the request.
        entries: Sequence[EntryData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.entries: Sequence[EntryData] = [] if entries == () else entries
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack


def _get_alter_client_quotas_response_v0(
    buf: bytes, at: int,
) -> tuple[AlterClientQuotasResponse, int]:
    m = new(AlterClientQuotasResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    entries: list[EntryData] = []
    m.entries = entries
    left_entries = n
    while left_entries:
        left_entries -= 1
        entry_data = new(EntryData)
        entries.append(entry_data)
        (entry_data.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            entry_data.error_message = None
        else:
            end = at + n
            entry_data.error_message = buf[at:end].decode()
            at = end
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
        entry_data.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_alter_client_quotas_response_v1(
    buf: bytes, at: int,
) -> tuple[AlterClientQuotasResponse, int]:
    m = new(AlterClientQuotasResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    entries: list[EntryData] = []
    m.entries = entries
    left_entries = n - 1
    while left_entries:
        left_entries -= 1
        entry_data = new(EntryData)
        entries.append(entry_data)
        (entry_data.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            entry_data.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            entry_data.error_message = buf[at:end].decode()
            at = end
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
        tags = buf[at]
        at += 1
        entry_data.unknown_tags = ()
        if tags:
            entry_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_client_quotas_response_v0(out: Parts, m: AlterClientQuotasResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    entries = m.entries
    n = len(entries)
    out.append(_write_2i(m.throttle_time_ms, n))
    for entry_data in entries:
        if entry_data.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if entry_data.error_message is None else entry_data.error_message.encode()
        )
        n = -1 if entry_data.error_message is None else len(error_message)
        out.append(_write_2h(entry_data.error_code, n))
        out.append(error_message)
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


def _put_alter_client_quotas_response_v1(out: Parts, m: AlterClientQuotasResponse) -> None:
    entries = m.entries
    n = len(entries) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for entry_data in entries:
        error_message = (
            b"" if entry_data.error_message is None else entry_data.error_message.encode()
        )
        n = 0 if entry_data.error_message is None else len(error_message) + 1
        out.append(_write_hB(entry_data.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
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
        out.append(b"\0")
        if entry_data.unknown_tags:
            put_tags(out, [], entry_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_alter_client_quotas_response_v0, 1: _get_alter_client_quotas_response_v1}
_PUT = {0: _put_alter_client_quotas_response_v0, 1: _put_alter_client_quotas_response_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterClientQuotasResponse:
    """The AlterClientQuotasResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterClientQuotasResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterClientQuotasResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterClientQuotasResponse, version: int) -> None:
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
_ENTRY_DATA_SHAPE: Shape = (
    EntryData,
    (
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (1, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, "", False,
            (1, 1), None,
        ),
        (
            "entity", "entity", "[]EntityData", (0, 1), None, None, None, (), False, (1, 1),
            _ENTITY_DATA_SHAPE,
        ),
    ),
)
_ALTER_CLIENT_QUOTAS_RESPONSE_SHAPE: Shape = (
    AlterClientQuotasResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (1, 1), None,
        ),
        (
            "entries", "entries", "[]EntryData", (0, 1), None, None, None, (), False, (1, 1),
            _ENTRY_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_CLIENT_QUOTAS_RESPONSE_SHAPE, (0, 1), (1, 1))
