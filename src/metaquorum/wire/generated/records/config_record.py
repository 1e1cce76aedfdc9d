# GENERATED from schemas/records/config_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 854069a8bc51a9fd, generator 1.
"""Sets or removes one dynamic configuration key of a resource. Record type 4, versions 0, flexible
from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 4
NAME: Final = "ConfigRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ConfigRecord(Message):
    """Sets or removes one dynamic configuration key of a resource."""

    __slots__ = ("resource_type", "resource_name", "name", "value", "unknown_tags")

    def __init__(
        self,
        # Type of the resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_type: int = 0,
        # Name of the resource; empty means the cluster-wide default.
        resource_name: str = "",
        # Name of the topic.
        name: str = "",
        # New value; null removes the key.
        value: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.name = name
        self.value = value
        self.unknown_tags = unknown_tags


_read_bB = Struct(">bB").unpack_from
_write_bB = Struct(">bB").pack


def _get_config_record_v0(buf: bytes, at: int) -> tuple[ConfigRecord, int]:
    m = new(ConfigRecord)
    (m.resource_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.resource_name = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.value = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.value = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_config_record_v0(out: Parts, m: ConfigRecord) -> None:
    resource_name = m.resource_name.encode()
    n = len(resource_name) + 1
    out.append(_write_bB(m.resource_type, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(resource_name)
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    value = b"" if m.value is None else m.value.encode()
    n = 0 if m.value is None else len(value) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(value)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_config_record_v0}
_PUT = {0: _put_config_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConfigRecord:
    """The ConfigRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConfigRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConfigRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConfigRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONFIG_RECORD_SHAPE: Shape = (
    ConfigRecord,
    (
        ("resourceType", "resource_type", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "resourceName", "resource_name", "string", (0, 0), None, None, None, "", False, (0, 0),
            None,
        ),
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("value", "value", "string", (0, 0), (0, 0), None, None, "", False, (0, 0), None),
    ),
)
SHAPE: Shape = (_CONFIG_RECORD_SHAPE, (0, 0), (0, 0))
