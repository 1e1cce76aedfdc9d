# GENERATED from schemas/describe_groups_response.json by `make generate`: edit the schema, not this file.
# Schema xxh3 09194e677bb39b67, generator 1.
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


def _get_many_described_group_member_v0(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroupMember], int]:
    found: list[DescribedGroupMember] = []
    for _ in range(count):
        m = new(DescribedGroupMember)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.client_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.client_host = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        m.member_metadata = view[at:end]
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        m.member_assignment = view[at:end]
        at = end
        m.group_instance_id = None
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_many_described_group_v0(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroup], int]:
    found: list[DescribedGroup] = []
    for _ in range(count):
        m = new(DescribedGroup)
        (m.error_code, n) = _read_2h(buf, at)
        at += 4
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
        m.group_state = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.protocol_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.protocol_data = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        m.members, at = _get_many_described_group_member_v0(buf, view, at, n)
        m.error_message = None
        m.authorized_operations = -2147483648
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_describe_groups_response_v0(buf: bytes, view: memoryview, at: int) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 14)
    m.groups, at = _get_many_described_group_v0(buf, view, at, n)
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    return m, at


def _get_describe_groups_response_v1(buf: bytes, view: memoryview, at: int) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 14)
    m.groups, at = _get_many_described_group_v0(buf, view, at, n)
    m.unknown_tags = ()
    return m, at


def _get_many_described_group_v3(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroup], int]:
    found: list[DescribedGroup] = []
    for _ in range(count):
        m = new(DescribedGroup)
        (m.error_code, n) = _read_2h(buf, at)
        at += 4
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
        m.group_state = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.protocol_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.protocol_data = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        m.members, at = _get_many_described_group_member_v0(buf, view, at, n)
        (m.authorized_operations,) = _read_i(buf, at)
        at += 4
        m.error_message = None
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_describe_groups_response_v3(buf: bytes, view: memoryview, at: int) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 18)
    m.groups, at = _get_many_described_group_v3(buf, view, at, n)
    m.unknown_tags = ()
    return m, at


def _get_many_described_group_member_v4(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroupMember], int]:
    found: list[DescribedGroupMember] = []
    for _ in range(count):
        m = new(DescribedGroupMember)
        (n,) = _read_h(buf, at)
        at += 2
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
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.client_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.client_host = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        m.member_metadata = view[at:end]
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        m.member_assignment = view[at:end]
        at = end
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_many_described_group_v4(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroup], int]:
    found: list[DescribedGroup] = []
    for _ in range(count):
        m = new(DescribedGroup)
        (m.error_code, n) = _read_2h(buf, at)
        at += 4
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
        m.group_state = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.protocol_type = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.protocol_data = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        m.members, at = _get_many_described_group_member_v4(buf, view, at, n)
        (m.authorized_operations,) = _read_i(buf, at)
        at += 4
        m.error_message = None
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_describe_groups_response_v4(buf: bytes, view: memoryview, at: int) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 18)
    m.groups, at = _get_many_described_group_v4(buf, view, at, n)
    m.unknown_tags = ()
    return m, at


def _get_many_described_group_member_v5(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroupMember], int]:
    found: list[DescribedGroupMember] = []
    for _ in range(count):
        m = new(DescribedGroupMember)
        n = buf[at]
        at += 1
        if not 0 < n < 128:
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
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.client_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.client_host = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_size(buf, at)
        end = at + n - 1
        m.member_metadata = view[at:end]
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_size(buf, at)
        end = at + n - 1
        m.member_assignment = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        m.unknown_tags = ()
        if tags:
            m.unknown_tags, at = get_tags(buf, at - 1)
        found.append(m)
    return found, at


def _get_many_described_group_v5(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroup], int]:
    found: list[DescribedGroup] = []
    for _ in range(count):
        m = new(DescribedGroup)
        (m.error_code, n) = _read_hB(buf, at)
        at += 3
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_state = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.protocol_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.protocol_data = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_count(buf, at, 7)
        m.members, at = _get_many_described_group_member_v5(buf, view, at, n - 1)
        (m.authorized_operations, tags) = _read_iB(buf, at)
        at += 5
        m.error_message = None
        m.unknown_tags = ()
        if tags:
            m.unknown_tags, at = get_tags(buf, at - 1)
        found.append(m)
    return found, at


def _get_describe_groups_response_v5(buf: bytes, view: memoryview, at: int) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if not 0 < n < 128:
        n, at = long_count(buf, at, 12)
    m.groups, at = _get_many_described_group_v5(buf, view, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_many_described_group_v6(
    buf: bytes, view: memoryview, at: int, count: int,
) -> tuple[list[DescribedGroup], int]:
    found: list[DescribedGroup] = []
    for _ in range(count):
        m = new(DescribedGroup)
        (m.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            m.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            m.error_message = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_state = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.protocol_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.protocol_data = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_count(buf, at, 7)
        m.members, at = _get_many_described_group_member_v5(buf, view, at, n - 1)
        (m.authorized_operations, tags) = _read_iB(buf, at)
        at += 5
        m.unknown_tags = ()
        if tags:
            m.unknown_tags, at = get_tags(buf, at - 1)
        found.append(m)
    return found, at


def _get_describe_groups_response_v6(buf: bytes, view: memoryview, at: int) -> tuple[DescribeGroupsResponse, int]:
    m = new(DescribeGroupsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if not 0 < n < 128:
        n, at = long_count(buf, at, 13)
    m.groups, at = _get_many_described_group_v6(buf, view, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_many_described_group_member_v0(
    out: Parts, messages: Sequence[DescribedGroupMember],
) -> None:
    for m in messages:
        if m.unknown_tags:
            refuse_field("unknown_tags")
        member_id = m.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        client_id = m.client_id.encode()
        n = len(client_id)
        out.append(_write_h(n))
        out.append(client_id)
        client_host = m.client_host.encode()
        n = len(client_host)
        out.append(_write_h(n))
        out.append(client_host)
        member_metadata = m.member_metadata
        n = len(member_metadata)
        out.append(_write_i(n))
        out.append(member_metadata)
        member_assignment = m.member_assignment
        n = len(member_assignment)
        out.append(_write_i(n))
        out.append(member_assignment)


def _put_many_described_group_v0(out: Parts, messages: Sequence[DescribedGroup]) -> None:
    for m in messages:
        if m.error_message is not None:
            refuse_field("error_message")
        if m.authorized_operations != -2147483648:
            refuse_field("authorized_operations")
        if m.unknown_tags:
            refuse_field("unknown_tags")
        group_id = m.group_id.encode()
        n = len(group_id)
        out.append(_write_2h(m.error_code, n))
        out.append(group_id)
        group_state = m.group_state.encode()
        n = len(group_state)
        out.append(_write_h(n))
        out.append(group_state)
        protocol_type = m.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)
        protocol_data = m.protocol_data.encode()
        n = len(protocol_data)
        out.append(_write_h(n))
        out.append(protocol_data)
        members = m.members
        n = len(members)
        out.append(_write_i(n))
        _put_many_described_group_member_v0(out, members)


def _put_describe_groups_response_v0(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_i(n))
    _put_many_described_group_v0(out, groups)


def _put_describe_groups_response_v1(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_2i(m.throttle_time_ms, n))
    _put_many_described_group_v0(out, groups)


def _put_many_described_group_v3(out: Parts, messages: Sequence[DescribedGroup]) -> None:
    for m in messages:
        if m.error_message is not None:
            refuse_field("error_message")
        if m.unknown_tags:
            refuse_field("unknown_tags")
        group_id = m.group_id.encode()
        n = len(group_id)
        out.append(_write_2h(m.error_code, n))
        out.append(group_id)
        group_state = m.group_state.encode()
        n = len(group_state)
        out.append(_write_h(n))
        out.append(group_state)
        protocol_type = m.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)
        protocol_data = m.protocol_data.encode()
        n = len(protocol_data)
        out.append(_write_h(n))
        out.append(protocol_data)
        members = m.members
        n = len(members)
        out.append(_write_i(n))
        _put_many_described_group_member_v0(out, members)
        out.append(_write_i(m.authorized_operations))


def _put_describe_groups_response_v3(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_2i(m.throttle_time_ms, n))
    _put_many_described_group_v3(out, groups)


def _put_many_described_group_member_v4(
    out: Parts, messages: Sequence[DescribedGroupMember],
) -> None:
    for m in messages:
        if m.unknown_tags:
            refuse_field("unknown_tags")
        member_id = m.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
        n = -1 if m.group_instance_id is None else len(group_instance_id)
        out.append(_write_h(n))
        out.append(group_instance_id)
        client_id = m.client_id.encode()
        n = len(client_id)
        out.append(_write_h(n))
        out.append(client_id)
        client_host = m.client_host.encode()
        n = len(client_host)
        out.append(_write_h(n))
        out.append(client_host)
        member_metadata = m.member_metadata
        n = len(member_metadata)
        out.append(_write_i(n))
        out.append(member_metadata)
        member_assignment = m.member_assignment
        n = len(member_assignment)
        out.append(_write_i(n))
        out.append(member_assignment)


def _put_many_described_group_v4(out: Parts, messages: Sequence[DescribedGroup]) -> None:
    for m in messages:
        if m.error_message is not None:
            refuse_field("error_message")
        if m.unknown_tags:
            refuse_field("unknown_tags")
        group_id = m.group_id.encode()
        n = len(group_id)
        out.append(_write_2h(m.error_code, n))
        out.append(group_id)
        group_state = m.group_state.encode()
        n = len(group_state)
        out.append(_write_h(n))
        out.append(group_state)
        protocol_type = m.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)
        protocol_data = m.protocol_data.encode()
        n = len(protocol_data)
        out.append(_write_h(n))
        out.append(protocol_data)
        members = m.members
        n = len(members)
        out.append(_write_i(n))
        _put_many_described_group_member_v4(out, members)
        out.append(_write_i(m.authorized_operations))


def _put_describe_groups_response_v4(out: Parts, m: DescribeGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_2i(m.throttle_time_ms, n))
    _put_many_described_group_v4(out, groups)


def _put_many_described_group_member_v5(
    out: Parts, messages: Sequence[DescribedGroupMember],
) -> None:
    for m in messages:
        member_id = m.member_id.encode()
        n = len(member_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id)
        group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
        n = 0 if m.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        client_id = m.client_id.encode()
        n = len(client_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(client_id)
        client_host = m.client_host.encode()
        n = len(client_host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(client_host)
        member_metadata = m.member_metadata
        n = len(member_metadata) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(member_metadata)
        member_assignment = m.member_assignment
        n = len(member_assignment) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(member_assignment)
        out.append(b"\0")
        if (m.unknown_tags):
            put_tags(out, [], m.unknown_tags)


def _put_many_described_group_v5(out: Parts, messages: Sequence[DescribedGroup]) -> None:
    for m in messages:
        if m.error_message is not None:
            refuse_field("error_message")
        group_id = m.group_id.encode()
        n = len(group_id) + 1
        out.append(_write_hB(m.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(group_id)
        group_state = m.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        protocol_type = m.protocol_type.encode()
        n = len(protocol_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_type)
        protocol_data = m.protocol_data.encode()
        n = len(protocol_data) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_data)
        members = m.members
        n = len(members) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        _put_many_described_group_member_v5(out, members)
        out.append(_write_ix(m.authorized_operations))
        if (m.unknown_tags):
            put_tags(out, [], m.unknown_tags)


def _put_describe_groups_response_v5(out: Parts, m: DescribeGroupsResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    _put_many_described_group_v5(out, groups)
    out.append(b"\0")
    if (m.unknown_tags):
        put_tags(out, [], m.unknown_tags)


def _put_many_described_group_v6(out: Parts, messages: Sequence[DescribedGroup]) -> None:
    for m in messages:
        error_message = b"" if m.error_message is None else m.error_message.encode()
        n = 0 if m.error_message is None else len(error_message) + 1
        out.append(_write_hB(m.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        group_id = m.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        group_state = m.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        protocol_type = m.protocol_type.encode()
        n = len(protocol_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_type)
        protocol_data = m.protocol_data.encode()
        n = len(protocol_data) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_data)
        members = m.members
        n = len(members) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        _put_many_described_group_member_v5(out, members)
        out.append(_write_ix(m.authorized_operations))
        if (m.unknown_tags):
            put_tags(out, [], m.unknown_tags)


def _put_describe_groups_response_v6(out: Parts, m: DescribeGroupsResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    _put_many_described_group_v6(out, groups)
    out.append(b"\0")
    if (m.unknown_tags):
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
        message, end = _GET[version](data, memoryview(data), at)
        if end > len(data):
            raise IndexError
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None
    return message


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeGroupsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        message, end = _GET[version](data, memoryview(data), at)
        if end > len(data):
            raise IndexError
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None
    return message, end


def encode(message: DescribeGroupsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    put(out, message, version)
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
