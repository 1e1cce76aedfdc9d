# GENERATED from schemas/join_group_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 61487ef32336243c, generator 1.
"""Tells the member its generation and, if it leads, all members. Api key 11, versions 0-9, flexible
from 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen_text, long_count, long_head, long_size, long_text,
    long_text_head, not_null, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 11
NAME: Final = "JoinGroupResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 9
FLEXIBLE_FROM: Final[int | None] = 6


class JoinGroupResponseMember(Message):
    """All members with their metadata; sent to the leader of the group only."""

    __slots__ = ("member_id", "group_instance_id", "metadata", "unknown_tags")

    def __init__(
        self,
        # Id of the member.
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v5+)
        group_instance_id: str | None = None,
        # Bytes of the member for the chosen protocol; opaque to the coordinator.
        metadata: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.metadata = metadata
        self.unknown_tags = unknown_tags


class JoinGroupResponse(Message):
    """Tells the member its generation and, if it leads, all members."""

    __slots__ = (
        "throttle_time_ms", "error_code", "generation_id", "protocol_type", "protocol_name",
        "leader", "skip_assignment", "member_id", "members", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v2+)
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Generation that the join produced; -1 on error.
        generation_id: int = -1,
        # Kind of the group, such as consumer; null when not given. (v7+)
        protocol_type: str | None = None,
        # Protocol that the coordinator chose; null or empty when it chose none.
        protocol_name: str | None = "",
        # Member id of the leader of the group.
        leader: str = "",
        # True when the leader of the group need not compute an assignment. (v9+)
        skip_assignment: bool = False,
        # Member id that the coordinator knows the caller by.
        member_id: str = "",
        # All members with their metadata; sent to the leader of the group only.
        members: Sequence[JoinGroupResponseMember] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.generation_id = generation_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.leader = leader
        self.skip_assignment = skip_assignment
        self.member_id = member_id
        self.members: Sequence[JoinGroupResponseMember] = [] if members == () else members
        self.unknown_tags = unknown_tags


_read_tB = Struct(">?B").unpack_from
_read_h = Struct(">h").unpack_from
_read_hih = Struct(">hih").unpack_from
_read_i = Struct(">i").unpack_from
_read_ihiB = Struct(">ihiB").unpack_from
_read_ihih = Struct(">ihih").unpack_from
_write_tB = Struct(">?B").pack
_write_h = Struct(">h").pack
_write_hih = Struct(">hih").pack
_write_i = Struct(">i").pack
_write_ihiB = Struct(">ihiB").pack
_write_ihih = Struct(">ihih").pack


def _get_join_group_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupResponse, int]:
    m = new(JoinGroupResponse)
    (m.error_code, m.generation_id, n) = _read_hih(buf, at)
    at += 8
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_name = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.leader = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    members: list[JoinGroupResponseMember] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        group_response_member = new(JoinGroupResponseMember)
        members.append(group_response_member)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        group_response_member.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        group_response_member.metadata = view[at:end]
        at = end
        group_response_member.group_instance_id = None
        group_response_member.unknown_tags = ()
    m.throttle_time_ms = 0
    m.protocol_type = None
    m.skip_assignment = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_join_group_response_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupResponse, int]:
    m = new(JoinGroupResponse)
    (m.throttle_time_ms, m.error_code, m.generation_id, n) = _read_ihih(buf, at)
    at += 12
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_name = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.leader = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    members: list[JoinGroupResponseMember] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        group_response_member = new(JoinGroupResponseMember)
        members.append(group_response_member)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        group_response_member.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        group_response_member.metadata = view[at:end]
        at = end
        group_response_member.group_instance_id = None
        group_response_member.unknown_tags = ()
    m.protocol_type = None
    m.skip_assignment = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_join_group_response_v5(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupResponse, int]:
    m = new(JoinGroupResponse)
    (m.throttle_time_ms, m.error_code, m.generation_id, n) = _read_ihih(buf, at)
    at += 12
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_name = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.leader = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    members: list[JoinGroupResponseMember] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        group_response_member = new(JoinGroupResponseMember)
        members.append(group_response_member)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        group_response_member.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            group_response_member.group_instance_id = None
        else:
            end = at + n
            group_response_member.group_instance_id = buf[at:end].decode()
            at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        group_response_member.metadata = view[at:end]
        at = end
        group_response_member.unknown_tags = ()
    m.protocol_type = None
    m.skip_assignment = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_join_group_response_v6(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupResponse, int]:
    m = new(JoinGroupResponse)
    (m.throttle_time_ms, m.error_code, m.generation_id, n) = _read_ihiB(buf, at)
    at += 11
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.protocol_name = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.leader = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    members: list[JoinGroupResponseMember] = []
    m.members = members
    left_members = n - 1
    while left_members:
        left_members -= 1
        group_response_member = new(JoinGroupResponseMember)
        members.append(group_response_member)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        group_response_member.member_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            group_response_member.group_instance_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            group_response_member.group_instance_id = buf[at:end].decode()
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
        group_response_member.metadata = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        group_response_member.unknown_tags = ()
        if tags:
            group_response_member.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.protocol_type = None
    m.skip_assignment = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_join_group_response_v7(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupResponse, int]:
    m = new(JoinGroupResponse)
    (m.throttle_time_ms, m.error_code, m.generation_id, n) = _read_ihiB(buf, at)
    at += 11
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
        n, at = long_text(buf, at)
    end = at + n - 1
    m.leader = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    members: list[JoinGroupResponseMember] = []
    m.members = members
    left_members = n - 1
    while left_members:
        left_members -= 1
        group_response_member = new(JoinGroupResponseMember)
        members.append(group_response_member)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        group_response_member.member_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            group_response_member.group_instance_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            group_response_member.group_instance_id = buf[at:end].decode()
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
        group_response_member.metadata = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        group_response_member.unknown_tags = ()
        if tags:
            group_response_member.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.skip_assignment = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_join_group_response_v9(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupResponse, int]:
    m = new(JoinGroupResponse)
    (m.throttle_time_ms, m.error_code, m.generation_id, n) = _read_ihiB(buf, at)
    at += 11
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
        n, at = long_text(buf, at)
    end = at + n - 1
    m.leader = buf[at:end].decode()
    at = end
    (m.skip_assignment, n) = _read_tB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    members: list[JoinGroupResponseMember] = []
    m.members = members
    left_members = n - 1
    while left_members:
        left_members -= 1
        group_response_member = new(JoinGroupResponseMember)
        members.append(group_response_member)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        group_response_member.member_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            group_response_member.group_instance_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            group_response_member.group_instance_id = buf[at:end].decode()
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
        group_response_member.metadata = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        group_response_member.unknown_tags = ()
        if tags:
            group_response_member.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_join_group_response_v0(out: Parts, m: JoinGroupResponse) -> None:
    if m.skip_assignment:
        refuse_field("skip_assignment")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    protocol_name = not_null(m.protocol_name).encode()
    n = len(protocol_name)
    out.append(_write_hih(m.error_code, m.generation_id, n))
    out.append(protocol_name)
    leader = m.leader.encode()
    n = len(leader)
    out.append(_write_h(n))
    out.append(leader)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_h(n))
    out.append(member_id)
    members = m.members
    n = len(members)
    out.append(_write_i(n))
    for group_response_member in members:
        if group_response_member.unknown_tags:
            refuse_field("unknown_tags")
        member_id_ = group_response_member.member_id.encode()
        n = len(member_id_)
        out.append(_write_h(n))
        out.append(member_id_)
        metadata = group_response_member.metadata
        n = len(metadata)
        out.append(_write_i(n))
        out.append(metadata)


def _put_join_group_response_v2(out: Parts, m: JoinGroupResponse) -> None:
    if m.skip_assignment:
        refuse_field("skip_assignment")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    protocol_name = not_null(m.protocol_name).encode()
    n = len(protocol_name)
    out.append(_write_ihih(m.throttle_time_ms, m.error_code, m.generation_id, n))
    out.append(protocol_name)
    leader = m.leader.encode()
    n = len(leader)
    out.append(_write_h(n))
    out.append(leader)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_h(n))
    out.append(member_id)
    members = m.members
    n = len(members)
    out.append(_write_i(n))
    for group_response_member in members:
        if group_response_member.unknown_tags:
            refuse_field("unknown_tags")
        member_id_ = group_response_member.member_id.encode()
        n = len(member_id_)
        out.append(_write_h(n))
        out.append(member_id_)
        metadata = group_response_member.metadata
        n = len(metadata)
        out.append(_write_i(n))
        out.append(metadata)


def _put_join_group_response_v5(out: Parts, m: JoinGroupResponse) -> None:
    if m.skip_assignment:
        refuse_field("skip_assignment")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    protocol_name = not_null(m.protocol_name).encode()
    n = len(protocol_name)
    out.append(_write_ihih(m.throttle_time_ms, m.error_code, m.generation_id, n))
    out.append(protocol_name)
    leader = m.leader.encode()
    n = len(leader)
    out.append(_write_h(n))
    out.append(leader)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_h(n))
    out.append(member_id)
    members = m.members
    n = len(members)
    out.append(_write_i(n))
    for group_response_member in members:
        if group_response_member.unknown_tags:
            refuse_field("unknown_tags")
        member_id_ = group_response_member.member_id.encode()
        n = len(member_id_)
        out.append(_write_h(n))
        out.append(member_id_)
        group_instance_id = (
            b"" if group_response_member.group_instance_id is None else
            group_response_member.group_instance_id.encode()
        )
        n = -1 if group_response_member.group_instance_id is None else len(group_instance_id)
        out.append(_write_h(n))
        out.append(group_instance_id)
        metadata = group_response_member.metadata
        n = len(metadata)
        out.append(_write_i(n))
        out.append(metadata)


def _put_join_group_response_v6(out: Parts, m: JoinGroupResponse) -> None:
    if m.skip_assignment:
        refuse_field("skip_assignment")
    protocol_name = not_null(m.protocol_name).encode()
    n = len(protocol_name) + 1
    out.append(_write_ihiB(m.throttle_time_ms, m.error_code, m.generation_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(protocol_name)
    leader = m.leader.encode()
    n = len(leader) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(leader)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    members = m.members
    n = len(members) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for group_response_member in members:
        member_id_ = group_response_member.member_id.encode()
        n = len(member_id_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id_)
        group_instance_id = (
            b"" if group_response_member.group_instance_id is None else
            group_response_member.group_instance_id.encode()
        )
        n = 0 if group_response_member.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        metadata = group_response_member.metadata
        n = len(metadata) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(metadata)
        out.append(b"\0")
        if group_response_member.unknown_tags:
            put_tags(out, [], group_response_member.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_join_group_response_v7(out: Parts, m: JoinGroupResponse) -> None:
    if m.skip_assignment:
        refuse_field("skip_assignment")
    protocol_type = b"" if m.protocol_type is None else m.protocol_type.encode()
    n = 0 if m.protocol_type is None else len(protocol_type) + 1
    out.append(_write_ihiB(m.throttle_time_ms, m.error_code, m.generation_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(protocol_type)
    protocol_name = b"" if m.protocol_name is None else m.protocol_name.encode()
    n = 0 if m.protocol_name is None else len(protocol_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_name)
    leader = m.leader.encode()
    n = len(leader) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(leader)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    members = m.members
    n = len(members) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for group_response_member in members:
        member_id_ = group_response_member.member_id.encode()
        n = len(member_id_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id_)
        group_instance_id = (
            b"" if group_response_member.group_instance_id is None else
            group_response_member.group_instance_id.encode()
        )
        n = 0 if group_response_member.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        metadata = group_response_member.metadata
        n = len(metadata) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(metadata)
        out.append(b"\0")
        if group_response_member.unknown_tags:
            put_tags(out, [], group_response_member.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_join_group_response_v9(out: Parts, m: JoinGroupResponse) -> None:
    protocol_type = b"" if m.protocol_type is None else m.protocol_type.encode()
    n = 0 if m.protocol_type is None else len(protocol_type) + 1
    out.append(_write_ihiB(m.throttle_time_ms, m.error_code, m.generation_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(protocol_type)
    protocol_name = b"" if m.protocol_name is None else m.protocol_name.encode()
    n = 0 if m.protocol_name is None else len(protocol_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_name)
    leader = m.leader.encode()
    n = len(leader) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(leader)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(_write_tB(m.skip_assignment, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(member_id)
    members = m.members
    n = len(members) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for group_response_member in members:
        member_id_ = group_response_member.member_id.encode()
        n = len(member_id_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id_)
        group_instance_id = (
            b"" if group_response_member.group_instance_id is None else
            group_response_member.group_instance_id.encode()
        )
        n = 0 if group_response_member.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        metadata = group_response_member.metadata
        n = len(metadata) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(metadata)
        out.append(b"\0")
        if group_response_member.unknown_tags:
            put_tags(out, [], group_response_member.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_join_group_response_v0, 1: _get_join_group_response_v0, 2: _get_join_group_response_v2,
    3: _get_join_group_response_v2, 4: _get_join_group_response_v2, 5: _get_join_group_response_v5,
    6: _get_join_group_response_v6, 7: _get_join_group_response_v7, 8: _get_join_group_response_v7,
    9: _get_join_group_response_v9,
}
_PUT = {
    0: _put_join_group_response_v0, 1: _put_join_group_response_v0, 2: _put_join_group_response_v2,
    3: _put_join_group_response_v2, 4: _put_join_group_response_v2, 5: _put_join_group_response_v5,
    6: _put_join_group_response_v6, 7: _put_join_group_response_v7, 8: _put_join_group_response_v7,
    9: _put_join_group_response_v9,
}


def decode(buf: Buffer, version: int, at: int = 0) -> JoinGroupResponse:
    """The JoinGroupResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[JoinGroupResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: JoinGroupResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: JoinGroupResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_JOIN_GROUP_RESPONSE_MEMBER_SHAPE: Shape = (
    JoinGroupResponseMember,
    (
        ("memberId", "member_id", "string", (0, 9), None, None, None, "", False, (6, 9), None),
        (
            "groupInstanceId", "group_instance_id", "string", (5, 9), (5, 9), None, None, None,
            True, (6, 9), None,
        ),
        ("metadata", "metadata", "bytes", (0, 9), None, None, None, b"", False, (6, 9), None),
    ),
)
_JOIN_GROUP_RESPONSE_SHAPE: Shape = (
    JoinGroupResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (2, 9), None, None, None, 0, True,
            (6, 9), None,
        ),
        ("errorCode", "error_code", "int16", (0, 9), None, None, None, 0, False, (6, 9), None),
        (
            "generationId", "generation_id", "int32", (0, 9), None, None, None, -1, False, (6, 9),
            None,
        ),
        (
            "protocolType", "protocol_type", "string", (7, 9), (7, 9), None, None, None, True,
            (6, 9), None,
        ),
        (
            "protocolName", "protocol_name", "string", (0, 9), (7, 9), None, None, "", False,
            (6, 9), None,
        ),
        ("leader", "leader", "string", (0, 9), None, None, None, "", False, (6, 9), None),
        (
            "skipAssignment", "skip_assignment", "bool", (9, 9), None, None, None, False, False,
            (6, 9), None,
        ),
        ("memberId", "member_id", "string", (0, 9), None, None, None, "", False, (6, 9), None),
        (
            "members", "members", "[]JoinGroupResponseMember", (0, 9), None, None, None, (), False,
            (6, 9), _JOIN_GROUP_RESPONSE_MEMBER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_JOIN_GROUP_RESPONSE_SHAPE, (0, 9), (6, 9))
