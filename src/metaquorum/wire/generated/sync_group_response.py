# GENERATED from schemas/sync_group_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 0d82e8bc986722d5, generator 1.
"""The assignment of the member. Api key 14, versions 0-5, flexible from 4."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_head, long_size, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 14
NAME: Final = "SyncGroupResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 4


class SyncGroupResponse(Message):
    """The assignment of the member."""

    __slots__ = (
        "throttle_time_ms", "error_code", "protocol_type", "protocol_name", "assignment",
        "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Kind of the group, such as consumer; null when not given. (v5+)
        protocol_type: str | None = None,
        # Protocol that was chosen; null when unknown. (v5+)
        protocol_name: str | None = None,
        # What the leader of the group assigned to the asking member; opaque to the coordinator.
        assignment: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignment = assignment
        self.unknown_tags = unknown_tags


_read_hi = Struct(">hi").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_ihi = Struct(">ihi").unpack_from
_write_hi = Struct(">hi").pack
_write_ih = Struct(">ih").pack
_write_ihB = Struct(">ihB").pack
_write_ihi = Struct(">ihi").pack


def _get_sync_group_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupResponse, int]:
    m = new(SyncGroupResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if n < 0:
        refuse_null()
    end = at + n
    m.assignment = view[at:end]
    at = end
    m.throttle_time_ms = 0
    m.protocol_type = None
    m.protocol_name = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_sync_group_response_v1(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupResponse, int]:
    m = new(SyncGroupResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihi(buf, at)
    at += 10
    if n < 0:
        refuse_null()
    end = at + n
    m.assignment = view[at:end]
    at = end
    m.protocol_type = None
    m.protocol_name = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_sync_group_response_v4(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupResponse, int]:
    m = new(SyncGroupResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.assignment = view[at:end]
    at = end
    tags = buf[at]
    at += 1
    m.protocol_type = None
    m.protocol_name = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_sync_group_response_v5(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupResponse, int]:
    m = new(SyncGroupResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.protocol_type = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.protocol_type = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.protocol_name = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.protocol_name = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.assignment = view[at:end]
    at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_sync_group_response_v0(out: Parts, m: SyncGroupResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    assignment = m.assignment
    n = len(assignment)
    out.append(_write_hi(m.error_code, n))
    out.append(assignment)


def _put_sync_group_response_v1(out: Parts, m: SyncGroupResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    assignment = m.assignment
    n = len(assignment)
    out.append(_write_ihi(m.throttle_time_ms, m.error_code, n))
    out.append(assignment)


def _put_sync_group_response_v4(out: Parts, m: SyncGroupResponse) -> None:
    assignment = m.assignment
    n = len(assignment) + 1
    out.append(_write_ih(m.throttle_time_ms, m.error_code))
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(assignment)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_sync_group_response_v5(out: Parts, m: SyncGroupResponse) -> None:
    protocol_type = b"" if m.protocol_type is None else m.protocol_type.encode()
    n = 0 if m.protocol_type is None else len(protocol_type) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(protocol_type)
    protocol_name = b"" if m.protocol_name is None else m.protocol_name.encode()
    n = 0 if m.protocol_name is None else len(protocol_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_name)
    assignment = m.assignment
    n = len(assignment) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(assignment)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_sync_group_response_v0, 1: _get_sync_group_response_v1, 2: _get_sync_group_response_v1,
    3: _get_sync_group_response_v1, 4: _get_sync_group_response_v4, 5: _get_sync_group_response_v5,
}
_PUT = {
    0: _put_sync_group_response_v0, 1: _put_sync_group_response_v1, 2: _put_sync_group_response_v1,
    3: _put_sync_group_response_v1, 4: _put_sync_group_response_v4, 5: _put_sync_group_response_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> SyncGroupResponse:
    """The SyncGroupResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[SyncGroupResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: SyncGroupResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: SyncGroupResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SYNC_GROUP_RESPONSE_SHAPE: Shape = (
    SyncGroupResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 5), None, None, None, 0, True,
            (4, 5), None,
        ),
        ("errorCode", "error_code", "int16", (0, 5), None, None, None, 0, False, (4, 5), None),
        (
            "protocolType", "protocol_type", "string", (5, 5), (5, 5), None, None, None, True,
            (4, 5), None,
        ),
        (
            "protocolName", "protocol_name", "string", (5, 5), (5, 5), None, None, None, True,
            (4, 5), None,
        ),
        ("assignment", "assignment", "bytes", (0, 5), None, None, None, b"", False, (4, 5), None),
    ),
)
SHAPE: Shape = (_SYNC_GROUP_RESPONSE_SHAPE, (0, 5), (4, 5))
