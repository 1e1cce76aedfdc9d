# GENERATED from schemas/leave_group_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 7ee779d33094cb37, generator 1.
"""Says for each member whether it left. Api key 13, versions 0-5, flexible from 4."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 13
NAME: Final = "LeaveGroupResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 4


class MemberResponse(Message):
    """One result a member."""

    __slots__ = ("member_id", "group_instance_id", "error_code", "unknown_tags")

    def __init__(
        self,
        # Id of the member. (v3+)
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v3+)
        group_instance_id: str | None = "",
        # Error of this member; 0 for none. (v3+)
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class LeaveGroupResponse(Message):
    """Says for each member whether it left."""

    __slots__ = ("throttle_time_ms", "error_code", "members", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # One result a member. (v3+)
        members: Sequence[MemberResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.members: Sequence[MemberResponse] = [] if members == () else members
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_ihi = Struct(">ihi").unpack_from
_write_h = Struct(">h").pack
_write_hx = Struct(">hx").pack
_write_ih = Struct(">ih").pack
_write_ihB = Struct(">ihB").pack
_write_ihi = Struct(">ihi").pack


def _get_leave_group_response_v0(buf: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    m = new(LeaveGroupResponse)
    (m.error_code,) = _read_h(buf, at)
    at += 2
    m.throttle_time_ms = 0
    m.members = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leave_group_response_v1(buf: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    m = new(LeaveGroupResponse)
    (m.throttle_time_ms, m.error_code) = _read_ih(buf, at)
    at += 6
    m.members = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leave_group_response_v3(buf: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    m = new(LeaveGroupResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihi(buf, at)
    at += 10
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    members: list[MemberResponse] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        member_response = new(MemberResponse)
        members.append(member_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_response.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            member_response.group_instance_id = None
        else:
            end = at + n
            member_response.group_instance_id = buf[at:end].decode()
            at = end
        (member_response.error_code,) = _read_h(buf, at)
        at += 2
        member_response.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leave_group_response_v4(buf: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    m = new(LeaveGroupResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    members: list[MemberResponse] = []
    m.members = members
    left_members = n - 1
    while left_members:
        left_members -= 1
        member_response = new(MemberResponse)
        members.append(member_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        member_response.member_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            member_response.group_instance_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member_response.group_instance_id = buf[at:end].decode()
            at = end
        (member_response.error_code, tags) = _read_hB(buf, at)
        at += 3
        member_response.unknown_tags = ()
        if tags:
            member_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_leave_group_response_v0(out: Parts, m: LeaveGroupResponse) -> None:
    if m.members:
        refuse_field("members")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_h(m.error_code))


def _put_leave_group_response_v1(out: Parts, m: LeaveGroupResponse) -> None:
    if m.members:
        refuse_field("members")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_ih(m.throttle_time_ms, m.error_code))


def _put_leave_group_response_v3(out: Parts, m: LeaveGroupResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    members = m.members
    n = len(members)
    out.append(_write_ihi(m.throttle_time_ms, m.error_code, n))
    for member_response in members:
        if member_response.unknown_tags:
            refuse_field("unknown_tags")
        member_id = member_response.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        group_instance_id = (
            b"" if member_response.group_instance_id is None else
            member_response.group_instance_id.encode()
        )
        n = -1 if member_response.group_instance_id is None else len(group_instance_id)
        out.append(_write_h(n))
        out.append(group_instance_id)
        out.append(_write_h(member_response.error_code))


def _put_leave_group_response_v4(out: Parts, m: LeaveGroupResponse) -> None:
    members = m.members
    n = len(members) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for member_response in members:
        member_id = member_response.member_id.encode()
        n = len(member_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id)
        group_instance_id = (
            b"" if member_response.group_instance_id is None else
            member_response.group_instance_id.encode()
        )
        n = 0 if member_response.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        out.append(_write_hx(member_response.error_code))
        if member_response.unknown_tags:
            put_tags(out, [], member_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_leave_group_response_v0, 1: _get_leave_group_response_v1,
    2: _get_leave_group_response_v1, 3: _get_leave_group_response_v3,
    4: _get_leave_group_response_v4, 5: _get_leave_group_response_v4,
}
_PUT = {
    0: _put_leave_group_response_v0, 1: _put_leave_group_response_v1,
    2: _put_leave_group_response_v1, 3: _put_leave_group_response_v3,
    4: _put_leave_group_response_v4, 5: _put_leave_group_response_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> LeaveGroupResponse:
    """The LeaveGroupResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[LeaveGroupResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: LeaveGroupResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: LeaveGroupResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_MEMBER_RESPONSE_SHAPE: Shape = (
    MemberResponse,
    (
        ("memberId", "member_id", "string", (3, 5), None, None, None, "", False, (4, 5), None),
        (
            "groupInstanceId", "group_instance_id", "string", (3, 5), (3, 5), None, None, "", False,
            (4, 5), None,
        ),
        ("errorCode", "error_code", "int16", (3, 5), None, None, None, 0, False, (4, 5), None),
    ),
)
_LEAVE_GROUP_RESPONSE_SHAPE: Shape = (
    LeaveGroupResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 5), None, None, None, 0, True,
            (4, 5), None,
        ),
        ("errorCode", "error_code", "int16", (0, 5), None, None, None, 0, False, (4, 5), None),
        (
            "members", "members", "[]MemberResponse", (3, 5), None, None, None, (), False, (4, 5),
            _MEMBER_RESPONSE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LEAVE_GROUP_RESPONSE_SHAPE, (0, 5), (4, 5))
