# GENERATED from schemas/describe_configs_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 8e2f35a1c89e44bf, generator 1.
"""Asks for the configuration of resources. Api key 32, versions 0-4, flexible from 4."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_compact_texts, get_tags, get_texts, joined, lengthen_text, long_count,
    long_head, long_text, put_compact_texts, put_tags, put_texts, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 32
NAME: Final = "DescribeConfigsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 4


class DescribeConfigsResource(Message):
    """Resources to describe."""

    __slots__ = ("resource_type", "resource_name", "configuration_keys", "unknown_tags")

    def __init__(
        self,
        # Type of the resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_type: int = 0,
        # Name of the resource; empty means the cluster-wide default.
        resource_name: str = "",
        # Keys to describe; null for all.
        configuration_keys: Sequence[str] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configuration_keys: Sequence[str] | None = (
            [] if configuration_keys == () else configuration_keys
        )
        self.unknown_tags = unknown_tags


class DescribeConfigsRequest(Message):
    """Asks for the configuration of resources."""

    __slots__ = ("resources", "include_synonyms", "include_documentation", "unknown_tags")

    def __init__(
        self,
        # Resources to describe.
        resources: Sequence[DescribeConfigsResource] = (),
        # True to get all the places a value could come from. (v1+)
        include_synonyms: bool = False,
        # True to get the text that explains each key. (v3+)
        include_documentation: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.resources: Sequence[DescribeConfigsResource] = [] if resources == () else resources
        self.include_synonyms = include_synonyms
        self.include_documentation = include_documentation
        self.unknown_tags = unknown_tags


_read_2t = Struct(">2?").unpack_from
_read_2tB = Struct(">2?B").unpack_from
_read_t = Struct(">?").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_i = Struct(">i").unpack_from
_write_2t = Struct(">2?").pack
_write_2tx = Struct(">2?x").pack
_write_t = Struct(">?").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_i = Struct(">i").pack


def _get_describe_configs_request_v0(buf: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    m = new(DescribeConfigsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 7)
    resources: list[DescribeConfigsResource] = []
    m.resources = resources
    left_resources = n
    while left_resources:
        left_resources -= 1
        configs_resource = new(DescribeConfigsResource)
        resources.append(configs_resource)
        (configs_resource.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        configs_resource.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            configs_resource.configuration_keys = None
        else:
            if n > 127:
                check_count(buf, at, n, 2)
            configs_resource.configuration_keys, at = get_texts(buf, at, n)
        configs_resource.unknown_tags = ()
    m.include_synonyms = False
    m.include_documentation = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_configs_request_v1(buf: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    m = new(DescribeConfigsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 7)
    resources: list[DescribeConfigsResource] = []
    m.resources = resources
    left_resources = n
    while left_resources:
        left_resources -= 1
        configs_resource = new(DescribeConfigsResource)
        resources.append(configs_resource)
        (configs_resource.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        configs_resource.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            configs_resource.configuration_keys = None
        else:
            if n > 127:
                check_count(buf, at, n, 2)
            configs_resource.configuration_keys, at = get_texts(buf, at, n)
        configs_resource.unknown_tags = ()
    (m.include_synonyms,) = _read_t(buf, at)
    at += 1
    m.include_documentation = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_configs_request_v3(buf: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    m = new(DescribeConfigsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 7)
    resources: list[DescribeConfigsResource] = []
    m.resources = resources
    left_resources = n
    while left_resources:
        left_resources -= 1
        configs_resource = new(DescribeConfigsResource)
        resources.append(configs_resource)
        (configs_resource.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        configs_resource.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            configs_resource.configuration_keys = None
        else:
            if n > 127:
                check_count(buf, at, n, 2)
            configs_resource.configuration_keys, at = get_texts(buf, at, n)
        configs_resource.unknown_tags = ()
    (m.include_synonyms, m.include_documentation) = _read_2t(buf, at)
    at += 2
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_configs_request_v4(buf: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    m = new(DescribeConfigsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    resources: list[DescribeConfigsResource] = []
    m.resources = resources
    left_resources = n - 1
    while left_resources:
        left_resources -= 1
        configs_resource = new(DescribeConfigsResource)
        resources.append(configs_resource)
        (configs_resource.resource_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        configs_resource.resource_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            configs_resource.configuration_keys = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 1)
            configs_resource.configuration_keys, at = get_compact_texts(buf, at, n - 1)
        tags = buf[at]
        at += 1
        configs_resource.unknown_tags = ()
        if tags:
            configs_resource.unknown_tags, at = get_tags(buf, at - 1)
    (m.include_synonyms, m.include_documentation, tags) = _read_2tB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_configs_request_v0(out: Parts, m: DescribeConfigsRequest) -> None:
    if m.include_synonyms:
        refuse_field("include_synonyms")
    if m.include_documentation:
        refuse_field("include_documentation")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    resources = m.resources
    n = len(resources)
    out.append(_write_i(n))
    for configs_resource in resources:
        if configs_resource.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = configs_resource.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(configs_resource.resource_type, n))
        out.append(resource_name)
        configuration_keys = configs_resource.configuration_keys
        n = -1 if configuration_keys is None else len(configuration_keys)
        out.append(_write_i(n))
        if configuration_keys is not None:
            put_texts(out, configuration_keys)


def _put_describe_configs_request_v1(out: Parts, m: DescribeConfigsRequest) -> None:
    if m.include_documentation:
        refuse_field("include_documentation")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    resources = m.resources
    n = len(resources)
    out.append(_write_i(n))
    for configs_resource in resources:
        if configs_resource.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = configs_resource.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(configs_resource.resource_type, n))
        out.append(resource_name)
        configuration_keys = configs_resource.configuration_keys
        n = -1 if configuration_keys is None else len(configuration_keys)
        out.append(_write_i(n))
        if configuration_keys is not None:
            put_texts(out, configuration_keys)
    out.append(_write_t(m.include_synonyms))


def _put_describe_configs_request_v3(out: Parts, m: DescribeConfigsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    resources = m.resources
    n = len(resources)
    out.append(_write_i(n))
    for configs_resource in resources:
        if configs_resource.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = configs_resource.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(configs_resource.resource_type, n))
        out.append(resource_name)
        configuration_keys = configs_resource.configuration_keys
        n = -1 if configuration_keys is None else len(configuration_keys)
        out.append(_write_i(n))
        if configuration_keys is not None:
            put_texts(out, configuration_keys)
    out.append(_write_2t(m.include_synonyms, m.include_documentation))


def _put_describe_configs_request_v4(out: Parts, m: DescribeConfigsRequest) -> None:
    resources = m.resources
    n = len(resources) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for configs_resource in resources:
        resource_name = configs_resource.resource_name.encode()
        n = len(resource_name) + 1
        out.append(_write_bB(configs_resource.resource_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(resource_name)
        configuration_keys = configs_resource.configuration_keys
        n = 0 if configuration_keys is None else len(configuration_keys) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        if configuration_keys is not None:
            put_compact_texts(out, configuration_keys)
        out.append(b"\0")
        if configs_resource.unknown_tags:
            put_tags(out, [], configs_resource.unknown_tags)
    out.append(_write_2tx(m.include_synonyms, m.include_documentation))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_configs_request_v0, 1: _get_describe_configs_request_v1,
    2: _get_describe_configs_request_v1, 3: _get_describe_configs_request_v3,
    4: _get_describe_configs_request_v4,
}
_PUT = {
    0: _put_describe_configs_request_v0, 1: _put_describe_configs_request_v1,
    2: _put_describe_configs_request_v1, 3: _put_describe_configs_request_v3,
    4: _put_describe_configs_request_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeConfigsRequest:
    """The DescribeConfigsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeConfigsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeConfigsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeConfigsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_CONFIGS_RESOURCE_SHAPE: Shape = (
    DescribeConfigsResource,
    (
        ("resourceType", "resource_type", "int8", (0, 4), None, None, None, 0, False, (4, 4), None),
        (
            "resourceName", "resource_name", "string", (0, 4), None, None, None, "", False, (4, 4),
            None,
        ),
        (
            "configurationKeys", "configuration_keys", "[]string", (0, 4), (0, 4), None, None, (),
            False, (4, 4), None,
        ),
    ),
)
_DESCRIBE_CONFIGS_REQUEST_SHAPE: Shape = (
    DescribeConfigsRequest,
    (
        (
            "resources", "resources", "[]DescribeConfigsResource", (0, 4), None, None, None, (),
            False, (4, 4), _DESCRIBE_CONFIGS_RESOURCE_SHAPE,
        ),
        (
            "includeSynonyms", "include_synonyms", "bool", (1, 4), None, None, None, False, False,
            (4, 4), None,
        ),
        (
            "includeDocumentation", "include_documentation", "bool", (3, 4), None, None, None,
            False, False, (4, 4), None,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_CONFIGS_REQUEST_SHAPE, (0, 4), (4, 4))
