# GENERATED from schemas/describe_client_quotas_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4e20a5b90f439078, generator 1.
"""Lists the quotas of matching entities. Api key 48, versions 0-1, flexible from 1."""

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

API_KEY: Final = 48
NAME: Final = "DescribeClientQuotasResponse"
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


class ValueData(Message):
    """Quotas of the entity."""

    __slots__ = ("key", "value", "unknown_tags")

    def __init__(
        self,
        # Name of the quota.
        key: str = "",
        # Value of the quota.
        value: float = 0.0,
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.value = value
        self.unknown_tags = unknown_tags


class EntryData(Message):
    """Entities that match, with their quotas; null on error."""

    __slots__ = ("entity", "values", "unknown_tags")

    def __init__(
        self,
        # Parts that together name the entity, such as a user and a client id.
        entity: Sequence[EntityData] = (),
        # Quotas of the entity.
        values: Sequence[ValueData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.entity: Sequence[EntityData] = [] if entity == () else entity
        self.values: Sequence[ValueData] = [] if values == () else values
        self.unknown_tags = unknown_tags


class DescribeClientQuotasResponse(Message):
    """Lists the quotas of matching entities."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "entries", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # Entities that match, with their quotas; null on error.
        entries: Sequence[EntryData] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.entries: Sequence[EntryData] | None = [] if entries == () else entries
        self.unknown_tags = unknown_tags


_read_d = Struct(">d").unpack_from
_read_dB = Struct(">dB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_i2h = Struct(">i2h").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_d = Struct(">d").pack
_write_dx = Struct(">dx").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i2h = Struct(">i2h").pack
_write_ihB = Struct(">ihB").pack


def _get_describe_client_quotas_response_v0(
    buf: bytes, at: int,
) -> tuple[DescribeClientQuotasResponse, int]:
    m = new(DescribeClientQuotasResponse)
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
    if n < 0:
        m.entries = None
    else:
        if n > 127:
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
                check_count(buf, at, n, 10)
            values_: list[ValueData] = []
            entry_data.values = values_
            left_values = n
            while left_values:
                left_values -= 1
                value_data = new(ValueData)
                values_.append(value_data)
                (n,) = _read_h(buf, at)
                at += 2
                if n < 0:
                    refuse_null()
                end = at + n
                value_data.key = buf[at:end].decode()
                at = end
                (value_data.value,) = _read_d(buf, at)
                at += 8
                value_data.unknown_tags = ()
            entry_data.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_client_quotas_response_v1(
    buf: bytes, at: int,
) -> tuple[DescribeClientQuotasResponse, int]:
    m = new(DescribeClientQuotasResponse)
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
    if n == 0:
        m.entries = None
    else:
        if n > 127:
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
                n, at = long_count(buf, at, 10)
            values_: list[ValueData] = []
            entry_data.values = values_
            left_values = n - 1
            while left_values:
                left_values -= 1
                value_data = new(ValueData)
                values_.append(value_data)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                value_data.key = buf[at:end].decode()
                at = end
                (value_data.value, tags) = _read_dB(buf, at)
                at += 9
                value_data.unknown_tags = ()
                if tags:
                    value_data.unknown_tags, at = get_tags(buf, at - 1)
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


def _put_describe_client_quotas_response_v0(out: Parts, m: DescribeClientQuotasResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = -1 if m.error_message is None else len(error_message)
    out.append(_write_i2h(m.throttle_time_ms, m.error_code, n))
    out.append(error_message)
    entries = m.entries
    n = -1 if entries is None else len(entries)
    out.append(_write_i(n))
    if entries is not None:
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
            values_ = entry_data.values
            n = len(values_)
            out.append(_write_i(n))
            for value_data in values_:
                if value_data.unknown_tags:
                    refuse_field("unknown_tags")
                key = value_data.key.encode()
                n = len(key)
                out.append(_write_h(n))
                out.append(key)
                out.append(_write_d(value_data.value))


def _put_describe_client_quotas_response_v1(out: Parts, m: DescribeClientQuotasResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    entries = m.entries
    n = 0 if entries is None else len(entries) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if entries is not None:
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
            values_ = entry_data.values
            n = len(values_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for value_data in values_:
                key = value_data.key.encode()
                n = len(key) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(key)
                out.append(_write_dx(value_data.value))
                if value_data.unknown_tags:
                    put_tags(out, [], value_data.unknown_tags)
            out.append(b"\0")
            if entry_data.unknown_tags:
                put_tags(out, [], entry_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_client_quotas_response_v0, 1: _get_describe_client_quotas_response_v1}
_PUT = {0: _put_describe_client_quotas_response_v0, 1: _put_describe_client_quotas_response_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeClientQuotasResponse:
    """The DescribeClientQuotasResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeClientQuotasResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeClientQuotasResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeClientQuotasResponse, version: int) -> None:
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
_VALUE_DATA_SHAPE: Shape = (
    ValueData,
    (
        ("key", "key", "string", (0, 1), None, None, None, "", False, (1, 1), None),
        ("value", "value", "float64", (0, 1), None, None, None, 0.0, False, (1, 1), None),
    ),
)
_ENTRY_DATA_SHAPE: Shape = (
    EntryData,
    (
        (
            "entity", "entity", "[]EntityData", (0, 1), None, None, None, (), False, (1, 1),
            _ENTITY_DATA_SHAPE,
        ),
        (
            "values", "values", "[]ValueData", (0, 1), None, None, None, (), False, (1, 1),
            _VALUE_DATA_SHAPE,
        ),
    ),
)
_DESCRIBE_CLIENT_QUOTAS_RESPONSE_SHAPE: Shape = (
    DescribeClientQuotasResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (1, 1), None,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (1, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, "", False,
            (1, 1), None,
        ),
        (
            "entries", "entries", "[]EntryData", (0, 1), (0, 1), None, None, (), False, (1, 1),
            _ENTRY_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_CLIENT_QUOTAS_RESPONSE_SHAPE, (0, 1), (1, 1))
