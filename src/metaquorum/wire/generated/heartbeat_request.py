# GENERATED from schemas/heartbeat_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 95cbf1ad69fa6ed8, generator 1.
"""A classic member says that it is alive. Api key 12, versions 0-4, flexible from 4."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_text, long_text_head, put_tags, refuse_field, refuse_null,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 12
NAME: Final = "HeartbeatRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 4


class HeartbeatRequest(Message):
    """A classic member says that it is alive."""

    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # Generation of the group that the member belongs to.
        generation_id: int = 0,
        # Id of the member.
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v3+)
        group_instance_id: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_write_h = Struct(">h").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack


def _get_heartbeat_request_v0(buf: bytes, at: int) -> tuple[HeartbeatRequest, int]:
    m = new(HeartbeatRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.generation_id, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    m.group_instance_id = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_heartbeat_request_v3(buf: bytes, at: int) -> tuple[HeartbeatRequest, int]:
    m = new(HeartbeatRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.generation_id, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.group_instance_id = None
    else:
        end = at + n
        m.group_instance_id = buf[at:end].decode()
        at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_heartbeat_request_v4(buf: bytes, at: int) -> tuple[HeartbeatRequest, int]:
    m = new(HeartbeatRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    (m.generation_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.group_instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_instance_id = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_heartbeat_request_v0(out: Parts, m: HeartbeatRequest) -> None:
    if m.group_instance_id is not None:
        refuse_field("group_instance_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_ih(m.generation_id, n))
    out.append(member_id)


def _put_heartbeat_request_v3(out: Parts, m: HeartbeatRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_ih(m.generation_id, n))
    out.append(member_id)
    group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
    n = -1 if m.group_instance_id is None else len(group_instance_id)
    out.append(_write_h(n))
    out.append(group_instance_id)


def _put_heartbeat_request_v4(out: Parts, m: HeartbeatRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(_write_iB(m.generation_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(member_id)
    group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
    n = 0 if m.group_instance_id is None else len(group_instance_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_instance_id)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_heartbeat_request_v0, 1: _get_heartbeat_request_v0, 2: _get_heartbeat_request_v0,
    3: _get_heartbeat_request_v3, 4: _get_heartbeat_request_v4,
}
_PUT = {
    0: _put_heartbeat_request_v0, 1: _put_heartbeat_request_v0, 2: _put_heartbeat_request_v0,
    3: _put_heartbeat_request_v3, 4: _put_heartbeat_request_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> HeartbeatRequest:
    """The HeartbeatRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[HeartbeatRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: HeartbeatRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: HeartbeatRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_HEARTBEAT_REQUEST_SHAPE: Shape = (
    HeartbeatRequest,
    (
        ("groupId", "group_id", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        (
            "generationId", "generation_id", "int32", (0, 4), None, None, None, 0, False, (4, 4),
            None,
        ),
        ("memberId", "member_id", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        (
            "groupInstanceId", "group_instance_id", "string", (3, 4), (3, 4), None, None, None,
            False, (4, 4), None,
        ),
    ),
)
SHAPE: Shape = (_HEARTBEAT_REQUEST_SHAPE, (0, 4), (4, 4))
