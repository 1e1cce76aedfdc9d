# GENERATED from schemas/describe_client_quotas_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5d178f84135f2251, generator 1.
"""Asks for the quotas of matching entities (KIP-546). Api key 48, versions 0-1, flexible from 1."""

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
NAME: Final = "DescribeClientQuotasRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class ComponentData(Message):
    """Conditions that an entity must meet."""

    __slots__ = ("entity_type", "match_type", "match", "unknown_tags")

    def __init__(
        self,
        # Type of entity that this part looks at: user, client-id or ip.
        entity_type: str = "",
        # How to match: 0 exactly, 1 the default entity, 2 any name that is set.
        match_type: int = 0,
        # Name to match; null unless matching exactly.
        match: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.entity_type = entity_type
        self.match_type = match_type
        self.match = match
        self.unknown_tags = unknown_tags


class DescribeClientQuotasRequest(Message):
    """Asks for the quotas of matching entities (KIP-546)."""

    __slots__ = ("components", "strict", "unknown_tags")

    def __init__(
        self,
        # Conditions that an entity must meet.
        components: Sequence[ComponentData] = (),
        # True to leave out entities with parts of further types.
        strict: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.components: Sequence[ComponentData] = [] if components == () else components
        self.strict = strict
        self.unknown_tags = unknown_tags


_read_t = Struct(">?").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_t = Struct(">?").pack
_write_tx = Struct(">?x").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_describe_client_quotas_request_v0(
    buf: bytes, at: int,
) -> tuple[DescribeClientQuotasRequest, int]:
    m = new(DescribeClientQuotasRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 5)
    components: list[ComponentData] = []
    m.components = components
    left_components = n
    while left_components:
        left_components -= 1
        component_data = new(ComponentData)
        components.append(component_data)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        component_data.entity_type = buf[at:end].decode()
        at = end
        (component_data.match_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            component_data.match = None
        else:
            end = at + n
            component_data.match = buf[at:end].decode()
            at = end
        component_data.unknown_tags = ()
    (m.strict,) = _read_t(buf, at)
    at += 1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_client_quotas_request_v1(
    buf: bytes, at: int,
) -> tuple[DescribeClientQuotasRequest, int]:
    m = new(DescribeClientQuotasRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    components: list[ComponentData] = []
    m.components = components
    left_components = n - 1
    while left_components:
        left_components -= 1
        component_data = new(ComponentData)
        components.append(component_data)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        component_data.entity_type = buf[at:end].decode()
        at = end
        (component_data.match_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0:
            component_data.match = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            component_data.match = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        component_data.unknown_tags = ()
        if tags:
            component_data.unknown_tags, at = get_tags(buf, at - 1)
    (m.strict, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_client_quotas_request_v0(out: Parts, m: DescribeClientQuotasRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    components = m.components
    n = len(components)
    out.append(_write_i(n))
    for component_data in components:
        if component_data.unknown_tags:
            refuse_field("unknown_tags")
        entity_type = component_data.entity_type.encode()
        n = len(entity_type)
        out.append(_write_h(n))
        out.append(entity_type)
        match = b"" if component_data.match is None else component_data.match.encode()
        n = -1 if component_data.match is None else len(match)
        out.append(_write_bh(component_data.match_type, n))
        out.append(match)
    out.append(_write_t(m.strict))


def _put_describe_client_quotas_request_v1(out: Parts, m: DescribeClientQuotasRequest) -> None:
    components = m.components
    n = len(components) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for component_data in components:
        entity_type = component_data.entity_type.encode()
        n = len(entity_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(entity_type)
        match = b"" if component_data.match is None else component_data.match.encode()
        n = 0 if component_data.match is None else len(match) + 1
        out.append(_write_bB(component_data.match_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(match)
        out.append(b"\0")
        if component_data.unknown_tags:
            put_tags(out, [], component_data.unknown_tags)
    out.append(_write_tx(m.strict))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_client_quotas_request_v0, 1: _get_describe_client_quotas_request_v1}
_PUT = {0: _put_describe_client_quotas_request_v0, 1: _put_describe_client_quotas_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeClientQuotasRequest:
    """The DescribeClientQuotasRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeClientQuotasRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeClientQuotasRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeClientQuotasRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_COMPONENT_DATA_SHAPE: Shape = (
    ComponentData,
    (
        ("entityType", "entity_type", "string", (0, 1), None, None, None, "", False, (1, 1), None),
        ("matchType", "match_type", "int8", (0, 1), None, None, None, 0, False, (1, 1), None),
        ("match", "match", "string", (0, 1), (0, 1), None, None, "", False, (1, 1), None),
    ),
)
_DESCRIBE_CLIENT_QUOTAS_REQUEST_SHAPE: Shape = (
    DescribeClientQuotasRequest,
    (
        (
            "components", "components", "[]ComponentData", (0, 1), None, None, None, (), False,
            (1, 1), _COMPONENT_DATA_SHAPE,
        ),
        ("strict", "strict", "bool", (0, 1), None, None, None, False, False, (1, 1), None),
    ),
)
SHAPE: Shape = (_DESCRIBE_CLIENT_QUOTAS_REQUEST_SHAPE, (0, 1), (1, 1))
