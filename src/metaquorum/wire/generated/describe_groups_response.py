# GENERATED from schemas/describe_groups_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 09194e677bb39b67, generator 1.
"""Describes groups of the classic protocol. Api key 15, versions 0-6, flexible from 5."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_size,
    long_text, long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 15
NAME: Final = "DescribeGroupsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 5


class DescribedGroupMember(Message):
    """Members of the group."""

    __slots__ = (
        "member_id", "group_instance_id", "client_id", "client_host", "member_metadata",
        "member_assignment", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the member.
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v4+)
        group_instance_id: str | None = None,
        # Client id that the member sent in its request headers.
        client_id: str = "",
        # Address from which the member connected.
        client_host: str = "",
        # Metadata of the member for the chosen protocol; opaque to the coordinator.
        member_metadata: Buffer = b"",
        # Assignment of the member; opaque to the coordinator.
        member_assignment: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.member_metadata = member_metadata
        self.member_assignment = member_assignment
        self.unknown_tags = unknown_tags


class DescribedGroup(Message):
    """One result a group."""

    __slots__ = (
        "error_code", "error_message", "group_id", "group_state", "protocol_type", "protocol_data",
        "members", "authorized_operations", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this group; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say. (v6+)
        error_message: str | None = None,
        # Group.
        group_id: str = "",
        # State of the group in words.
        group_state: str = "",
        # Kind of the group, such as consumer.
        protocol_type: str = "",
        # Protocol that the coordinator chose; empty when it chose none.
        protocol_data: str = "",
        # Members of the group.
        members: Sequence[DescribedGroupMember] = (),
        # Bit set of what the caller may do; the lowest int32 when not asked for. (v3+)
        authorized_operations: int = -2147483648,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.protocol_type = protocol_type
        self.protocol_data = protocol_data
        self.members: Sequence[DescribedGroupMember] = [] if members == () else members
        self.authorized_operations = authorized_operations
        self.unknown_tags = unknown_tags


class DescribeGroupsResponse(Message):
    """Describes groups of the classic protocol."""

    __slots__ = ("throttle_time_ms", "groups", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # One result a group.
        groups: Sequence[DescribedGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups: Sequence[DescribedGroup] = [] if groups == () else groups
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ix = Struct(">ix").pack


def _get_describe_groups_response_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 14)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_state = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_data = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        members: list[DescribedGroupMember] = []
        described_group.members = members
        left_members = n
        while left_members:
            left_members -= 1
            described_group_member = new(DescribedGroupMember)
            members.append(described_group_member)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_host = buf[at:end].decode()
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_metadata = view[at:end]
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_assignment = view[at:end]
            at = end
            described_group_member.group_instance_id = None
            described_group_member.unknown_tags = ()
        described_group.error_message = None
        described_group.authorized_operations = -2147483648
        described_group.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_groups_response_v1(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 14)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_state = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_data = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        members: list[DescribedGroupMember] = []
        described_group.members = members
        left_members = n
        while left_members:
            left_members -= 1
            described_group_member = new(DescribedGroupMember)
            members.append(described_group_member)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_host = buf[at:end].decode()
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_metadata = view[at:end]
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_assignment = view[at:end]
            at = end
            described_group_member.group_instance_id = None
            described_group_member.unknown_tags = ()
        described_group.error_message = None
        described_group.authorized_operations = -2147483648
        described_group.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_groups_response_v3(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 18)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_state = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_data = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        members: list[DescribedGroupMember] = []
        described_group.members = members
        left_members = n
        while left_members:
            left_members -= 1
            described_group_member = new(DescribedGroupMember)
            members.append(described_group_member)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_host = buf[at:end].decode()
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_metadata = view[at:end]
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_assignment = view[at:end]
            at = end
            described_group_member.group_instance_id = None
            described_group_member.unknown_tags = ()
        (described_group.authorized_operations,) = _read_i(buf, at)
        at += 4
        described_group.error_message = None
        described_group.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_groups_response_v4(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 18)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.group_state = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        described_group.protocol_data = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        members: list[DescribedGroupMember] = []
        described_group.members = members
        left_members = n
        while left_members:
            left_members -= 1
            described_group_member = new(DescribedGroupMember)
            members.append(described_group_member)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                described_group_member.group_instance_id = None
            else:
                end = at + n
                described_group_member.group_instance_id = buf[at:end].decode()
                at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_id = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.client_host = buf[at:end].decode()
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_metadata = view[at:end]
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                refuse_null()
            end = at + n
            described_group_member.member_assignment = view[at:end]
            at = end
            described_group_member.unknown_tags = ()
        (described_group.authorized_operations,) = _read_i(buf, at)
        at += 4
        described_group.error_message = None
        described_group.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_groups_response_v5(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 12)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_state = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.protocol_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.protocol_data = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        members: list[DescribedGroupMember] = []
        described_group.members = members
        left_members = n - 1
        while left_members:
            left_members -= 1
            described_group_member = new(DescribedGroupMember)
            members.append(described_group_member)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group_member.member_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0:
                described_group_member.group_instance_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                described_group_member.group_instance_id = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group_member.client_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group_member.client_host = buf[at:end].decode()
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
            described_group_member.member_metadata = view[at:end]
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
            described_group_member.member_assignment = view[at:end]
            at = end
            tags = buf[at]
            at += 1
            described_group_member.unknown_tags = ()
            if tags:
                described_group_member.unknown_tags, at = get_tags(buf, at - 1)
        (described_group.authorized_operations, tags) = _read_iB(buf, at)
        at += 5
        described_group.error_message = None
        described_group.unknown_tags = ()
        if tags:
            described_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_groups_response_v6(
    buf: bytes, view: memoryview, at: int,
) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 13)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            described_group.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group.error_message = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_state = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.protocol_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.protocol_data = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        members: list[DescribedGroupMember] = []
        described_group.members = members
        left_members = n - 1
        while left_members:
            left_members -= 1
            described_group_member = new(DescribedGroupMember)
            members.append(described_group_member)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group_member.member_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0:
                described_group_member.group_instance_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                described_group_member.group_instance_id = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group_member.client_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group_member.client_host = buf[at:end].decode()
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
            described_group_member.member_metadata = view[at:end]
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
            described_group_member.member_assignment = view[at:end]
            at = end
            tags = buf[at]
            at += 1
            described_group_member.unknown_tags = ()
            if tags:
                described_group_member.unknown_tags, at = get_tags(buf, at - 1)
        (described_group.authorized_operations, tags) = _read_iB(buf, at)
        at += 5
        described_group.unknown_tags = ()
        if tags:
            described_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_groups_response_v0(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_i(n))
    for described_group in groups:
        if described_group.error_message is not None:
            refuse_field("error_message")
        if described_group.authorized_operations != -2147483648:
            refuse_field("authorized_operations")
        if described_group.unknown_tags:
            refuse_field("unknown_tags")
        group_id = described_group.group_id.encode()
        n = len(group_id)
        out.append(_write_2h(described_group.error_code, n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state)
        out.append(_write_h(n))
        out.append(group_state)
        protocol_type = described_group.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)
        protocol_data = described_group.protocol_data.encode()
        n = len(protocol_data)
        out.append(_write_h(n))
        out.append(protocol_data)
        members = described_group.members
        n = len(members)
        out.append(_write_i(n))
        for described_group_member in members:
            if described_group_member.unknown_tags:
                refuse_field("unknown_tags")
            member_id = described_group_member.member_id.encode()
            n = len(member_id)
            out.append(_write_h(n))
            out.append(member_id)
            client_id = described_group_member.client_id.encode()
            n = len(client_id)
            out.append(_write_h(n))
            out.append(client_id)
            client_host = described_group_member.client_host.encode()
            n = len(client_host)
            out.append(_write_h(n))
            out.append(client_host)
            member_metadata = described_group_member.member_metadata
            n = len(member_metadata)
            out.append(_write_i(n))
            out.append(member_metadata)
            member_assignment = described_group_member.member_assignment
            n = len(member_assignment)
            out.append(_write_i(n))
            out.append(member_assignment)


def _put_describe_groups_response_v1(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_2i(m.throttle_time_ms, n))
    for described_group in groups:
        if described_group.error_message is not None:
            refuse_field("error_message")
        if described_group.authorized_operations != -2147483648:
            refuse_field("authorized_operations")
        if described_group.unknown_tags:
            refuse_field("unknown_tags")
        group_id = described_group.group_id.encode()
        n = len(group_id)
        out.append(_write_2h(described_group.error_code, n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state)
        out.append(_write_h(n))
        out.append(group_state)
        protocol_type = described_group.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)
        protocol_data = described_group.protocol_data.encode()
        n = len(protocol_data)
        out.append(_write_h(n))
        out.append(protocol_data)
        members = described_group.members
        n = len(members)
        out.append(_write_i(n))
        for described_group_member in members:
            if described_group_member.unknown_tags:
                refuse_field("unknown_tags")
            member_id = described_group_member.member_id.encode()
            n = len(member_id)
            out.append(_write_h(n))
            out.append(member_id)
            client_id = described_group_member.client_id.encode()
            n = len(client_id)
            out.append(_write_h(n))
            out.append(client_id)
            client_host = described_group_member.client_host.encode()
            n = len(client_host)
            out.append(_write_h(n))
            out.append(client_host)
            member_metadata = described_group_member.member_metadata
            n = len(member_metadata)
            out.append(_write_i(n))
            out.append(member_metadata)
            member_assignment = described_group_member.member_assignment
            n = len(member_assignment)
            out.append(_write_i(n))
            out.append(member_assignment)


def _put_describe_groups_response_v3(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_2i(m.throttle_time_ms, n))
    for described_group in groups:
        if described_group.error_message is not None:
            refuse_field("error_message")
        if described_group.unknown_tags:
            refuse_field("unknown_tags")
        group_id = described_group.group_id.encode()
        n = len(group_id)
        out.append(_write_2h(described_group.error_code, n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state)
        out.append(_write_h(n))
        out.append(group_state)
        protocol_type = described_group.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)
        protocol_data = described_group.protocol_data.encode()
        n = len(protocol_data)
        out.append(_write_h(n))
        out.append(protocol_data)
        members = described_group.members
        n = len(members)
        out.append(_write_i(n))
        for described_group_member in members:
            if described_group_member.unknown_tags:
                refuse_field("unknown_tags")
            member_id = described_group_member.member_id.encode()
            n = len(member_id)
            out.append(_write_h(n))
            out.append(member_id)
            client_id = described_group_member.client_id.encode()
            n = len(client_id)
            out.append(_write_h(n))
            out.append(client_id)
            client_host = described_group_member.client_host.encode()
            n = len(client_host)
            out.append(_write_h(n))
            out.append(client_host)
            member_metadata = described_group_member.member_metadata
            n = len(member_metadata)
            out.append(_write_i(n))
            out.append(member_metadata)
            member_assignment = described_group_member.member_assignment
            n = len(member_assignment)
            out.append(_write_i(n))
            out.append(member_assignment)
        out.append(_write_i(described_group.authorized_operations))


def _put_describe_groups_response_v4(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_2i(m.throttle_time_ms, n))
    for described_group in groups:
        if described_group.error_message is not None:
            refuse_field("error_message")
        if described_group.unknown_tags:
            refuse_field("unknown_tags")
        group_id = described_group.group_id.encode()
        n = len(group_id)
        out.append(_write_2h(described_group.error_code, n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state)
        out.append(_write_h(n))
        out.append(group_state)
        protocol_type = described_group.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)
        protocol_data = described_group.protocol_data.encode()
        n = len(protocol_data)
        out.append(_write_h(n))
        out.append(protocol_data)
        members = described_group.members
        n = len(members)
        out.append(_write_i(n))
        for described_group_member in members:
            if described_group_member.unknown_tags:
                refuse_field("unknown_tags")
            member_id = described_group_member.member_id.encode()
            n = len(member_id)
            out.append(_write_h(n))
            out.append(member_id)
            group_instance_id = (
                b"" if described_group_member.group_instance_id is None else
                described_group_member.group_instance_id.encode()
            )
            n = -1 if described_group_member.group_instance_id is None else len(group_instance_id)
            out.append(_write_h(n))
            out.append(group_instance_id)
            client_id = described_group_member.client_id.encode()
            n = len(client_id)
            out.append(_write_h(n))
            out.append(client_id)
            client_host = described_group_member.client_host.encode()
            n = len(client_host)
            out.append(_write_h(n))
            out.append(client_host)
            member_metadata = described_group_member.member_metadata
            n = len(member_metadata)
            out.append(_write_i(n))
            out.append(member_metadata)
            member_assignment = described_group_member.member_assignment
            n = len(member_assignment)
            out.append(_write_i(n))
            out.append(member_assignment)
        out.append(_write_i(described_group.authorized_operations))


def _put_describe_groups_response_v5(out: Parts, m: DescribeGroupsResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for described_group in groups:
        if described_group.error_message is not None:
            refuse_field("error_message")
        group_id = described_group.group_id.encode()
        n = len(group_id) + 1
        out.append(_write_hB(described_group.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        protocol_type = described_group.protocol_type.encode()
        n = len(protocol_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_type)
        protocol_data = described_group.protocol_data.encode()
        n = len(protocol_data) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_data)
        members = described_group.members
        n = len(members) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for described_group_member in members:
            member_id = described_group_member.member_id.encode()
            n = len(member_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(member_id)
            group_instance_id = (
                b"" if described_group_member.group_instance_id is None else
                described_group_member.group_instance_id.encode()
            )
            n = (
                0 if described_group_member.group_instance_id is None else len(group_instance_id) +
                1
            )
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(group_instance_id)
            client_id = described_group_member.client_id.encode()
            n = len(client_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_id)
            client_host = described_group_member.client_host.encode()
            n = len(client_host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_host)
            member_metadata = described_group_member.member_metadata
            n = len(member_metadata) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            out.append(member_metadata)
            member_assignment = described_group_member.member_assignment
            n = len(member_assignment) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            out.append(member_assignment)
            out.append(b"\0")
            if described_group_member.unknown_tags:
                put_tags(out, [], described_group_member.unknown_tags)
        out.append(_write_ix(described_group.authorized_operations))
        if described_group.unknown_tags:
            put_tags(out, [], described_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_groups_response_v6(out: Parts, m: DescribeGroupsResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for described_group in groups:
        error_message = (
            b"" if described_group.error_message is None else described_group.error_message.encode()
        )
        n = 0 if described_group.error_message is None else len(error_message) + 1
        out.append(_write_hB(described_group.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        group_id = described_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        protocol_type = described_group.protocol_type.encode()
        n = len(protocol_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_type)
        protocol_data = described_group.protocol_data.encode()
        n = len(protocol_data) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_data)
        members = described_group.members
        n = len(members) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for described_group_member in members:
            member_id = described_group_member.member_id.encode()
            n = len(member_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(member_id)
            group_instance_id = (
                b"" if described_group_member.group_instance_id is None else
                described_group_member.group_instance_id.encode()
            )
            n = (
                0 if described_group_member.group_instance_id is None else len(group_instance_id) +
                1
            )
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(group_instance_id)
            client_id = described_group_member.client_id.encode()
            n = len(client_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_id)
            client_host = described_group_member.client_host.encode()
            n = len(client_host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_host)
            member_metadata = described_group_member.member_metadata
            n = len(member_metadata) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            out.append(member_metadata)
            member_assignment = described_group_member.member_assignment
            n = len(member_assignment) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            out.append(member_assignment)
            out.append(b"\0")
            if described_group_member.unknown_tags:
                put_tags(out, [], described_group_member.unknown_tags)
        out.append(_write_ix(described_group.authorized_operations))
        if described_group.unknown_tags:
            put_tags(out, [], described_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_groups_response_v0, 1: _get_describe_groups_response_v1,
    2: _get_describe_groups_response_v1, 3: _get_describe_groups_response_v3,
    4: _get_describe_groups_response_v4, 5: _get_describe_groups_response_v5,
    6: _get_describe_groups_response_v6,
}
_PUT = {
    0: _put_describe_groups_response_v0, 1: _put_describe_groups_response_v1,
    2: _put_describe_groups_response_v1, 3: _put_describe_groups_response_v3,
    4: _put_describe_groups_response_v4, 5: _put_describe_groups_response_v5,
    6: _put_describe_groups_response_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeGroupsResponse:
    """The DescribeGroupsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeGroupsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeGroupsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeGroupsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBED_GROUP_MEMBER_SHAPE: Shape = (
    DescribedGroupMember,
    (
        ("memberId", "member_id", "string", (0, 6), None, None, None, "", False, (5, 6), None),
        (
            "groupInstanceId", "group_instance_id", "string", (4, 6), (4, 6), None, None, None,
            True, (5, 6), None,
        ),
        ("clientId", "client_id", "string", (0, 6), None, None, None, "", False, (5, 6), None),
        ("clientHost", "client_host", "string", (0, 6), None, None, None, "", False, (5, 6), None),
        (
            "memberMetadata", "member_metadata", "bytes", (0, 6), None, None, None, b"", False,
            (5, 6), None,
        ),
        (
            "memberAssignment", "member_assignment", "bytes", (0, 6), None, None, None, b"", False,
            (5, 6), None,
        ),
    ),
)
_DESCRIBED_GROUP_SHAPE: Shape = (
    DescribedGroup,
    (
        ("errorCode", "error_code", "int16", (0, 6), None, None, None, 0, False, (5, 6), None),
        (
            "errorMessage", "error_message", "string", (6, 6), (6, 6), None, None, None, False,
            (5, 6), None,
        ),
        ("groupId", "group_id", "string", (0, 6), None, None, None, "", False, (5, 6), None),
        ("groupState", "group_state", "string", (0, 6), None, None, None, "", False, (5, 6), None),
        (
            "protocolType", "protocol_type", "string", (0, 6), None, None, None, "", False, (5, 6),
            None,
        ),
        (
            "protocolData", "protocol_data", "string", (0, 6), None, None, None, "", False, (5, 6),
            None,
        ),
        (
            "members", "members", "[]DescribedGroupMember", (0, 6), None, None, None, (), False,
            (5, 6), _DESCRIBED_GROUP_MEMBER_SHAPE,
        ),
        (
            "authorizedOperations", "authorized_operations", "int32", (3, 6), None, None, None,
            -2147483648, False, (5, 6), None,
        ),
    ),
)
_DESCRIBE_GROUPS_RESPONSE_SHAPE: Shape = (
    DescribeGroupsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 6), None, None, None, 0, True,
            (5, 6), None,
        ),
        (
            "groups", "groups", "[]DescribedGroup", (0, 6), None, None, None, (), False, (5, 6),
            _DESCRIBED_GROUP_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_GROUPS_RESPONSE_SHAPE, (0, 6), (5, 6))
