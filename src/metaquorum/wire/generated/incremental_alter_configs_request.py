# GENERATED from schemas/incremental_alter_configs_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 fa1cd798a1543448, generator 1.
"""Changes single keys of the dynamic configuration (KIP-339). Api key 44, versions 0-1, flexible
from 1.
"""

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

API_KEY: Final = 44
NAME: Final = "IncrementalAlterConfigsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class AlterableConfig(Message):
    """Single changes to apply to the resource."""

    __slots__ = ("name", "config_operation", "value", "unknown_tags")

    def __init__(
        self,
        # Configuration key.
        name: str = "",
        # What to do with the key: 0 set, 1 delete, 2 append, 3 subtract.
        config_operation: int = 0,
        # New value, or the items to append or subtract; null when deleting.
        value: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.config_operation = config_operation
        self.value = value
        self.unknown_tags = unknown_tags


class AlterConfigsResource(Message):
    """Resources to change."""

    __slots__ = ("resource_type", "resource_name", "configs", "unknown_tags")

    def __init__(
        self,
        # Type of the resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_type: int = 0,
        # Name of the resource; empty means the cluster-wide default.
        resource_name: str = "",
        # Single changes to apply to the resource.
        configs: Sequence[AlterableConfig] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs: Sequence[AlterableConfig] = [] if configs == () else configs
        self.unknown_tags = unknown_tags


class IncrementalAlterConfigsRequest(Message):
    """Changes single keys of the dynamic configuration (KIP-339)."""

    __slots__ = ("resources", "validate_only", "unknown_tags")

    def __init__(
        self,
        # Resources to change.
        resources: Sequence[AlterConfigsResource] = (),
        # True to check the changes without making them.
        validate_only: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.resources: Sequence[AlterConfigsResource] = [] if resources == () else resources
        self.validate_only = validate_only
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


def _get_incremental_alter_configs_request_v0(
    buf: bytes, at: int,
) -> tuple[IncrementalAlterConfigsRequest, int]:
    m = new(IncrementalAlterConfigsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 7)
    resources: list[AlterConfigsResource] = []
    m.resources = resources
    left_resources = n
    while left_resources:
        left_resources -= 1
        alter_configs_resource = new(AlterConfigsResource)
        resources.append(alter_configs_resource)
        (alter_configs_resource.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        alter_configs_resource.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 5)
        configs: list[AlterableConfig] = []
        alter_configs_resource.configs = configs
        left_configs = n
        while left_configs:
            left_configs -= 1
            alterable_config = new(AlterableConfig)
            configs.append(alterable_config)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            alterable_config.name = buf[at:end].decode()
            at = end
            (alterable_config.config_operation, n) = _read_bh(buf, at)
            at += 3
            if n < 0:
                alterable_config.value = None
            else:
                end = at + n
                alterable_config.value = buf[at:end].decode()
                at = end
            alterable_config.unknown_tags = ()
        alter_configs_resource.unknown_tags = ()
    (m.validate_only,) = _read_t(buf, at)
    at += 1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_incremental_alter_configs_request_v1(
    buf: bytes, at: int,
) -> tuple[IncrementalAlterConfigsRequest, int]:
    m = new(IncrementalAlterConfigsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    resources: list[AlterConfigsResource] = []
    m.resources = resources
    left_resources = n - 1
    while left_resources:
        left_resources -= 1
        alter_configs_resource = new(AlterConfigsResource)
        resources.append(alter_configs_resource)
        (alter_configs_resource.resource_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        alter_configs_resource.resource_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 4)
        configs: list[AlterableConfig] = []
        alter_configs_resource.configs = configs
        left_configs = n - 1
        while left_configs:
            left_configs -= 1
            alterable_config = new(AlterableConfig)
            configs.append(alterable_config)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            alterable_config.name = buf[at:end].decode()
            at = end
            (alterable_config.config_operation, n) = _read_bB(buf, at)
            at += 2
            if n == 0:
                alterable_config.value = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                alterable_config.value = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            alterable_config.unknown_tags = ()
            if tags:
                alterable_config.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        alter_configs_resource.unknown_tags = ()
        if tags:
            alter_configs_resource.unknown_tags, at = get_tags(buf, at - 1)
    (m.validate_only, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_incremental_alter_configs_request_v0(
    out: Parts, m: IncrementalAlterConfigsRequest,
) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    resources = m.resources
    n = len(resources)
    out.append(_write_i(n))
    for alter_configs_resource in resources:
        if alter_configs_resource.unknown_tags:
            refuse_field("unknown_tags")
        resource_name = alter_configs_resource.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(alter_configs_resource.resource_type, n))
        out.append(resource_name)
        configs = alter_configs_resource.configs
        n = len(configs)
        out.append(_write_i(n))
        for alterable_config in configs:
            if alterable_config.unknown_tags:
                refuse_field("unknown_tags")
            name = alterable_config.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            value = b"" if alterable_config.value is None else alterable_config.value.encode()
            n = -1 if alterable_config.value is None else len(value)
            out.append(_write_bh(alterable_config.config_operation, n))
            out.append(value)
    out.append(_write_t(m.validate_only))


def _put_incremental_alter_configs_request_v1(
    out: Parts, m: IncrementalAlterConfigsRequest,
) -> None:
    resources = m.resources
    n = len(resources) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for alter_configs_resource in resources:
        resource_name = alter_configs_resource.resource_name.encode()
        n = len(resource_name) + 1
        out.append(_write_bB(alter_configs_resource.resource_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(resource_name)
        configs = alter_configs_resource.configs
        n = len(configs) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for alterable_config in configs:
            name = alterable_config.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            value = b"" if alterable_config.value is None else alterable_config.value.encode()
            n = 0 if alterable_config.value is None else len(value) + 1
            out.append(_write_bB(alterable_config.config_operation, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(value)
            out.append(b"\0")
            if alterable_config.unknown_tags:
                put_tags(out, [], alterable_config.unknown_tags)
        out.append(b"\0")
        if alter_configs_resource.unknown_tags:
            put_tags(out, [], alter_configs_resource.unknown_tags)
    out.append(_write_tx(m.validate_only))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_incremental_alter_configs_request_v0, 1: _get_incremental_alter_configs_request_v1}
_PUT = {0: _put_incremental_alter_configs_request_v0, 1: _put_incremental_alter_configs_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> IncrementalAlterConfigsRequest:
    """The IncrementalAlterConfigsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[IncrementalAlterConfigsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: IncrementalAlterConfigsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: IncrementalAlterConfigsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALTERABLE_CONFIG_SHAPE: Shape = (
    AlterableConfig,
    (
        ("name", "name", "string", (0, 1), None, None, None, "", False, (1, 1), None),
        (
            "configOperation", "config_operation", "int8", (0, 1), None, None, None, 0, False,
            (1, 1), None,
        ),
        ("value", "value", "string", (0, 1), (0, 1), None, None, "", False, (1, 1), None),
    ),
)
_ALTER_CONFIGS_RESOURCE_SHAPE: Shape = (
    AlterConfigsResource,
    (
        ("resourceType", "resource_type", "int8", (0, 1), None, None, None, 0, False, (1, 1), None),
        (
            "resourceName", "resource_name", "string", (0, 1), None, None, None, "", False, (1, 1),
            None,
        ),
        (
            "configs", "configs", "[]AlterableConfig", (0, 1), None, None, None, (), False, (1, 1),
            _ALTERABLE_CONFIG_SHAPE,
        ),
    ),
)
_INCREMENTAL_ALTER_CONFIGS_REQUEST_SHAPE: Shape = (
    IncrementalAlterConfigsRequest,
    (
        (
            "resources", "resources", "[]AlterConfigsResource", (0, 1), None, None, None, (), False,
            (1, 1), _ALTER_CONFIGS_RESOURCE_SHAPE,
        ),
        (
            "validateOnly", "validate_only", "bool", (0, 1), None, None, None, False, False, (1, 1),
            None,
        ),
    ),
)
SHAPE: Shape = (_INCREMENTAL_ALTER_CONFIGS_REQUEST_SHAPE, (0, 1), (1, 1))
