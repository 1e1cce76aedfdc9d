# GENERATED from schemas/records/client_quota_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9a69db9326d017fc, generator 1.
"""Sets or removes one quota of one entity (KIP-546). Record type 14, versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 14
NAME: Final = "ClientQuotaRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class EntityData(Message):
    """Parts that together name the entity."""

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


class ClientQuotaRecord(Message):
    """Sets or removes one quota of one entity (KIP-546)."""

    __slots__ = ("entity", "key", "value", "remove", "unknown_tags")

    def __init__(
        self,
        # Parts that together name the entity.
        entity: Sequence[EntityData] = (),
        # Quota that changes, such as producer_byte_rate.
        key: str = "",
        # New value of the quota.
        value: float = 0.0,
        # True removes the quota, and the value is then ignored.
        remove: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.entity: Sequence[EntityData] = [] if entity == () else entity
        self.key = key
        self.value = value
        self.remove = remove
        self.unknown_tags = unknown_tags


_read_dtB = Struct(">d?B").unpack_from
_write_dtx = Struct(">d?x").pack


def _get_client_quota_record_v0(buf: bytes, at: int) -> tuple[ClientQuotaRecord, int]:
    m = new(ClientQuotaRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    entity: list[EntityData] = []
    m.entity = entity
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
        n, at = long_text(buf, at)
    end = at + n - 1
    m.key = buf[at:end].decode()
    at = end
    (m.value, m.remove, tags) = _read_dtB(buf, at)
    at += 10
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_client_quota_record_v0(out: Parts, m: ClientQuotaRecord) -> None:
    entity = m.entity
    n = len(entity) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for entity_data in entity:
        entity_type = entity_data.entity_type.encode()
        n = len(entity_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(entity_type)
        entity_name = b"" if entity_data.entity_name is None else entity_data.entity_name.encode()
        n = 0 if entity_data.entity_name is None else len(entity_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(entity_name)
        out.append(b"\0")
        if entity_data.unknown_tags:
            put_tags(out, [], entity_data.unknown_tags)
    key = m.key.encode()
    n = len(key) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(key)
    out.append(_write_dtx(m.value, m.remove))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_client_quota_record_v0}
_PUT = {0: _put_client_quota_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ClientQuotaRecord:
    """The ClientQuotaRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ClientQuotaRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ClientQuotaRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ClientQuotaRecord, version: int) -> None:
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
        ("entityType", "entity_type", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "entityName", "entity_name", "string", (0, 0), (0, 0), None, None, "", False, (0, 0),
            None,
        ),
    ),
)
_CLIENT_QUOTA_RECORD_SHAPE: Shape = (
    ClientQuotaRecord,
    (
        (
            "entity", "entity", "[]EntityData", (0, 0), None, None, None, (), False, (0, 0),
            _ENTITY_DATA_SHAPE,
        ),
        ("key", "key", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("value", "value", "float64", (0, 0), None, None, None, 0.0, False, (0, 0), None),
        ("remove", "remove", "bool", (0, 0), None, None, None, False, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_CLIENT_QUOTA_RECORD_SHAPE, (0, 0), (0, 0))
