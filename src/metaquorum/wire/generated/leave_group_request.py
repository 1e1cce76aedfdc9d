# GENERATED from schemas/leave_group_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 59051df5dd49b1f8, generator 1.
"""Members leave a group of the classic protocol. Api key 13, versions 0-5, flexible from 4."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 13
NAME: Final = "LeaveGroupRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 4


class MemberIdentity(Message):
    """Members that leave."""

    __slots__ = ("member_id", "group_instance_id", "reason", "unknown_tags")

    def __init__(
        self,
        # Id of the member. (v3+)
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v3+)
        group_instance_id: str | None = None,
        # Why the member leaves, for logs; null when not given. (v5+)
        reason: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.reason = reason
        self.unknown_tags = unknown_tags


class LeaveGroupRequest(Message):
    """Members leave a group of the classic protocol."""

    __slots__ = ("group_id", "member_id", "members", "unknown_tags")

    def __init__(
        self,
        # Group to leave.
        group_id: str = "",
        # Id of the member. (v0-2)
        member_id: str = "",
        # Members that leave. (v3+)
        members: Sequence[MemberIdentity] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.members: Sequence[MemberIdentity] = [] if members == () else members
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_leave_group_request_v0(buf: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    m = new(LeaveGroupRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    m.members = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leave_group_request_v3(buf: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    m = new(LeaveGroupRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    members: list[MemberIdentity] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        member_identity = new(MemberIdentity)
        members.append(member_identity)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_identity.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            member_identity.group_instance_id = None
        else:
            end = at + n
            member_identity.group_instance_id = buf[at:end].decode()
            at = end
        member_identity.reason = None
        member_identity.unknown_tags = ()
    m.member_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leave_group_request_v4(buf: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    m = new(LeaveGroupRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    members: list[MemberIdentity] = []
    m.members = members
    left_members = n - 1
    while left_members:
        left_members -= 1
        member_identity = new(MemberIdentity)
        members.append(member_identity)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        member_identity.member_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            member_identity.group_instance_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member_identity.group_instance_id = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        member_identity.reason = None
        member_identity.unknown_tags = ()
        if tags:
            member_identity.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.member_id = ""
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leave_group_request_v5(buf: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    m = new(LeaveGroupRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    members: list[MemberIdentity] = []
    m.members = members
    left_members = n - 1
    while left_members:
        left_members -= 1
        member_identity = new(MemberIdentity)
        members.append(member_identity)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        member_identity.member_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            member_identity.group_instance_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member_identity.group_instance_id = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0:
            member_identity.reason = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member_identity.reason = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        member_identity.unknown_tags = ()
        if tags:
            member_identity.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.member_id = ""
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_leave_group_request_v0(out: Parts, m: LeaveGroupRequest) -> None:
    if m.members:
        refuse_field("members")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_h(n))
    out.append(member_id)


def _put_leave_group_request_v3(out: Parts, m: LeaveGroupRequest) -> None:
    if m.member_id != "":
        refuse_field("member_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    members = m.members
    n = len(members)
    out.append(_write_i(n))
    for member_identity in members:
        if member_identity.unknown_tags:
            refuse_field("unknown_tags")
        member_id = member_identity.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        group_instance_id = (
            b"" if member_identity.group_instance_id is None else
            member_identity.group_instance_id.encode()
        )
        n = -1 if member_identity.group_instance_id is None else len(group_instance_id)
        out.append(_write_h(n))
        out.append(group_instance_id)


def _put_leave_group_request_v4(out: Parts, m: LeaveGroupRequest) -> None:
    if m.member_id != "":
        refuse_field("member_id")
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    members = m.members
    n = len(members) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for member_identity in members:
        member_id = member_identity.member_id.encode()
        n = len(member_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id)
        group_instance_id = (
            b"" if member_identity.group_instance_id is None else
            member_identity.group_instance_id.encode()
        )
        n = 0 if member_identity.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        out.append(b"\0")
        if member_identity.unknown_tags:
            put_tags(out, [], member_identity.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leave_group_request_v5(out: Parts, m: LeaveGroupRequest) -> None:
    if m.member_id != "":
        refuse_field("member_id")
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    members = m.members
    n = len(members) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for member_identity in members:
        member_id = member_identity.member_id.encode()
        n = len(member_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id)
        group_instance_id = (
            b"" if member_identity.group_instance_id is None else
            member_identity.group_instance_id.encode()
        )
        n = 0 if member_identity.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        reason = b"" if member_identity.reason is None else member_identity.reason.encode()
        n = 0 if member_identity.reason is None else len(reason) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(reason)
        out.append(b"\0")
        if member_identity.unknown_tags:
            put_tags(out, [], member_identity.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_leave_group_request_v0, 1: _get_leave_group_request_v0, 2: _get_leave_group_request_v0,
    3: _get_leave_group_request_v3, 4: _get_leave_group_request_v4, 5: _get_leave_group_request_v5,
}
_PUT = {
    0: _put_leave_group_request_v0, 1: _put_leave_group_request_v0, 2: _put_leave_group_request_v0,
    3: _put_leave_group_request_v3, 4: _put_leave_group_request_v4, 5: _put_leave_group_request_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> LeaveGroupRequest:
    """The LeaveGroupRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[LeaveGroupRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: LeaveGroupRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: LeaveGroupRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_MEMBER_IDENTITY_SHAPE: Shape = (
    MemberIdentity,
    (
        ("memberId", "member_id", "string", (3, 5), None, None, None, "", False, (4, 5), None),
        (
            "groupInstanceId", "group_instance_id", "string", (3, 5), (3, 5), None, None, None,
            False, (4, 5), None,
        ),
        ("reason", "reason", "string", (5, 5), (5, 5), None, None, None, True, (4, 5), None),
    ),
)
_LEAVE_GROUP_REQUEST_SHAPE: Shape = (
    LeaveGroupRequest,
    (
        ("groupId", "group_id", "string", (0, 5), None, None, None, "", False, (4, 5), None),
        ("memberId", "member_id", "string", (0, 2), None, None, None, "", False, (4, 5), None),
        (
            "members", "members", "[]MemberIdentity", (3, 5), None, None, None, (), False, (4, 5),
            _MEMBER_IDENTITY_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LEAVE_GROUP_REQUEST_SHAPE, (0, 5), (4, 5))
