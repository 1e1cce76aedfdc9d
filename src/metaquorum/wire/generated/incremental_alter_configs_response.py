# GENERATED from schemas/incremental_alter_configs_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5a88fc3815c44a42, generator 1.
"""Says for each resource whether it was changed. Api key 44, versions 0-1, flexible from 1."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_text, put_tags, refuse_field,
    refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 44
NAME: Final = "IncrementalAlterConfigsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class AlterConfigsResourceResponse(Message):
    """One result a resource."""

    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "unknown_tags")

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # Type of the resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_type: int = 0,
        # Name of the resource; empty means the cluster-wide default.
        resource_name: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.unknown_tags = unknown_tags


class IncrementalAlterConfigsResponse(Message):
    """Says for each resource whether it was changed."""

    __slots__ = ("throttle_time_ms", "responses", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a resource.
        responses: Sequence[AlterConfigsResourceResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses: Sequence[AlterConfigsResourceResponse] = (
            [] if responses == () else responses
        )
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack


def _get_incremental_alter_configs_response_v0(
    buf: bytes, at: int,
) -> tuple[IncrementalAlterConfigsResponse, int]:
    m = new(IncrementalAlterConfigsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 7)
    responses: list[AlterConfigsResourceResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        resource_response = new(AlterConfigsResourceResponse)
        responses.append(resource_response)
        (resource_response.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            resource_response.error_message = None
        else:
            end = at + n
            resource_response.error_message = buf[at:end].decode()
            at = end
        (resource_response.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        resource_response.resource_name = buf[at:end].decode()
        at = end
        resource_response.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_incremental_alter_configs_response_v1(
    buf: bytes, at: int,
) -> tuple[IncrementalAlterConfigsResponse, int]:
    m = new(IncrementalAlterConfigsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    responses: list[AlterConfigsResourceResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        resource_response = new(AlterConfigsResourceResponse)
        responses.append(resource_response)
        (resource_response.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            resource_response.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            resource_response.error_message = buf[at:end].decode()
            at = end
        (resource_response.resource_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        resource_response.resource_name = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        resource_response.unknown_tags = ()
        if tags:
            resource_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_incremental_alter_configs_response_v0(
    out: Parts, m: IncrementalAlterConfigsResponse,
) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_2i(m.throttle_time_ms, n))
    for resource_response in responses:
        if resource_response.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if resource_response.error_message is None else
            resource_response.error_message.encode()
        )
        n = -1 if resource_response.error_message is None else len(error_message)
        out.append(_write_2h(resource_response.error_code, n))
        out.append(error_message)
        resource_name = resource_response.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(resource_response.resource_type, n))
        out.append(resource_name)


def _put_incremental_alter_configs_response_v1(
    out: Parts, m: IncrementalAlterConfigsResponse,
) -> None:
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for resource_response in responses:
        error_message = (
            b"" if resource_response.error_message is None else
            resource_response.error_message.encode()
        )
        n = 0 if resource_response.error_message is None else len(error_message) + 1
        out.append(_write_hB(resource_response.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        resource_name = resource_response.resource_name.encode()
        n = len(resource_name) + 1
        out.append(_write_bB(resource_response.resource_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(resource_name)
        out.append(b"\0")
        if resource_response.unknown_tags:
            put_tags(out, [], resource_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_incremental_alter_configs_response_v0, 1: _get_incremental_alter_configs_response_v1,
}
_PUT = {
    0: _put_incremental_alter_configs_response_v0, 1: _put_incremental_alter_configs_response_v1,
}


def decode(buf: Buffer, version: int, at: int = 0) -> IncrementalAlterConfigsResponse:
    """The IncrementalAlterConfigsResponse that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[IncrementalAlterConfigsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: IncrementalAlterConfigsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: IncrementalAlterConfigsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALTER_CONFIGS_RESOURCE_RESPONSE_SHAPE: Shape = (
    AlterConfigsResourceResponse,
    (
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (1, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, "", False,
            (1, 1), None,
        ),
        ("resourceType", "resource_type", "int8", (0, 1), None, None, None, 0, False, (1, 1), None),
        (
            "resourceName", "resource_name", "string", (0, 1), None, None, None, "", False, (1, 1),
            None,
        ),
    ),
)
_INCREMENTAL_ALTER_CONFIGS_RESPONSE_SHAPE: Shape = (
    IncrementalAlterConfigsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (1, 1), None,
        ),
        (
            "responses", "responses", "[]AlterConfigsResourceResponse", (0, 1), None, None, None,
            (), False, (1, 1), _ALTER_CONFIGS_RESOURCE_RESPONSE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_INCREMENTAL_ALTER_CONFIGS_RESPONSE_SHAPE, (0, 1), (1, 1))
