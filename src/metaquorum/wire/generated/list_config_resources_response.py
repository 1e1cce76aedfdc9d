# GENERATED from schemas/list_config_resources_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a1932c61773e7e2b, generator 1.
"""Lists resources that have configuration. Api key 74, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 74
NAME: Final = "ListConfigResourcesResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class ConfigResource(Message):
    """Resources that have configuration."""

    __slots__ = ("resource_name", "resource_type", "unknown_tags")

    def __init__(
        self,
        # Name of the resource; empty means the cluster-wide default.
        resource_name: str = "",
        # Type of the resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        # (v1+)
        resource_type: int = 16,
        unknown_tags: Tags = (),
    ) -> None:
        self.resource_name = resource_name
        self.resource_type = resource_type
        self.unknown_tags = unknown_tags


class ListConfigResourcesResponse(Message):
    """Lists resources that have configuration."""

    __slots__ = ("throttle_time_ms", "error_code", "config_resources", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Resources that have configuration.
        config_resources: Sequence[ConfigResource] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.config_resources: Sequence[ConfigResource] = (
            [] if config_resources == () else config_resources
        )
        self.unknown_tags = unknown_tags


_read_bB = Struct(">bB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_bx = Struct(">bx").pack
_write_ihB = Struct(">ihB").pack


def _get_list_config_resources_response_v0(
    buf: bytes, at: int,
) -> tuple[ListConfigResourcesResponse, int]:
    m = new(ListConfigResourcesResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 2)
    config_resources: list[ConfigResource] = []
    m.config_resources = config_resources
    left_config_resources = n - 1
    while left_config_resources:
        left_config_resources -= 1
        config_resource = new(ConfigResource)
        config_resources.append(config_resource)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        config_resource.resource_name = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        config_resource.resource_type = 16
        config_resource.unknown_tags = ()
        if tags:
            config_resource.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_config_resources_response_v1(
    buf: bytes, at: int,
) -> tuple[ListConfigResourcesResponse, int]:
    m = new(ListConfigResourcesResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    config_resources: list[ConfigResource] = []
    m.config_resources = config_resources
    left_config_resources = n - 1
    while left_config_resources:
        left_config_resources -= 1
        config_resource = new(ConfigResource)
        config_resources.append(config_resource)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        config_resource.resource_name = buf[at:end].decode()
        at = end
        (config_resource.resource_type, tags) = _read_bB(buf, at)
        at += 2
        config_resource.unknown_tags = ()
        if tags:
            config_resource.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_config_resources_response_v0(out: Parts, m: ListConfigResourcesResponse) -> None:
    config_resources = m.config_resources
    n = len(config_resources) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for config_resource in config_resources:
        resource_name = config_resource.resource_name.encode()
        n = len(resource_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(resource_name)
        out.append(b"\0")
        if config_resource.unknown_tags:
            put_tags(out, [], config_resource.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_config_resources_response_v1(out: Parts, m: ListConfigResourcesResponse) -> None:
    config_resources = m.config_resources
    n = len(config_resources) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for config_resource in config_resources:
        resource_name = config_resource.resource_name.encode()
        n = len(resource_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(resource_name)
        out.append(_write_bx(config_resource.resource_type))
        if config_resource.unknown_tags:
            put_tags(out, [], config_resource.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_list_config_resources_response_v0, 1: _get_list_config_resources_response_v1}
_PUT = {0: _put_list_config_resources_response_v0, 1: _put_list_config_resources_response_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> ListConfigResourcesResponse:
    """The ListConfigResourcesResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListConfigResourcesResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListConfigResourcesResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListConfigResourcesResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONFIG_RESOURCE_SHAPE: Shape = (
    ConfigResource,
    (
        (
            "resourceName", "resource_name", "string", (0, 1), None, None, None, "", False, (0, 1),
            None,
        ),
        ("resourceType", "resource_type", "int8", (1, 1), None, None, None, 16, True, (0, 1), None),
    ),
)
_LIST_CONFIG_RESOURCES_RESPONSE_SHAPE: Shape = (
    ListConfigResourcesResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "configResources", "config_resources", "[]ConfigResource", (0, 1), None, None, None, (),
            False, (0, 1), _CONFIG_RESOURCE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LIST_CONFIG_RESOURCES_RESPONSE_SHAPE, (0, 1), (0, 1))
