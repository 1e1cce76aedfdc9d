# GENERATED from schemas/group/group_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 63fe1ea9b2922e20, generator 1.
"""A classic group with its members. Record type 2, versions 0-4, flexible from 4."""

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

API_KEY: Final = 2
NAME: Final = "GroupMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 4


class MemberMetadata(Message):
    """One member of the group."""

    __slots__ = (
        "member_id", "group_instance_id", "client_id", "client_host", "rebalance_timeout",
        "session_timeout", "subscription", "assignment", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the member.
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v3+)
        group_instance_id: str | None = None,
        # Client id that the member sent in its request headers.
        client_id: str = "",
        # Address from which the member connected.
        client_host: str = "",
        # Milliseconds a rebalance waits for this member; -1 means the session timeout. (v1+)
        rebalance_timeout: int = -1,
        # Milliseconds without a heartbeat after which the member is removed.
        session_timeout: int = 0,
        # Bytes of the member for the chosen protocol.
        subscription: Buffer = b"",
        # What the leader of the group gave this member.
        assignment: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout = rebalance_timeout
        self.session_timeout = session_timeout
        self.subscription = subscription
        self.assignment = assignment
        self.unknown_tags = unknown_tags


class GroupMetadataValue(Message):
    """A classic group with its members."""

    __slots__ = (
        "protocol_type", "generation", "protocol", "leader", "current_state_timestamp", "members",
        "unknown_tags",
    )

    def __init__(
        self,
        # Kind of group, such as consumer.
        protocol_type: str = "",
        # Generation of the group.
        generation: int = 0,
        # Protocol in use; null when there is none.
        protocol: str | None = "",
        # Member id of the leader of the group; null when there is none.
        leader: str | None = "",
        # Milliseconds since 1970 at which the group reached its state; -1 when unknown. (v2+)
        current_state_timestamp: int = -1,
        # Members of the group.
        members: Sequence[MemberMetadata] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.protocol_type = protocol_type
        self.generation = generation
        self.protocol = protocol
        self.leader = leader
        self.current_state_timestamp = current_state_timestamp
        self.members: Sequence[MemberMetadata] = [] if members == () else members
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_3i = Struct(">3i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_qB = Struct(">qB").unpack_from
_read_qi = Struct(">qi").unpack_from
_write_2i = Struct(">2i").pack
_write_3i = Struct(">3i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_qB = Struct(">qB").pack
_write_qi = Struct(">qi").pack


def _get_group_metadata_value_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[GroupMetadataValue, int]:
    m = new(GroupMetadataValue)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_type = buf[at:end].decode()
    at = end
    (m.generation, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        m.protocol = None
    else:
        end = at + n
        m.protocol = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.leader = None
    else:
        end = at + n
        m.leader = buf[at:end].decode()
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 18)
    members: list[MemberMetadata] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        member_metadata = new(MemberMetadata)
        members.append(member_metadata)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_host = buf[at:end].decode()
        at = end
        (member_metadata.session_timeout, n) = _read_2i(buf, at)
        at += 8
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.subscription = view[at:end]
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.assignment = view[at:end]
        at = end
        member_metadata.group_instance_id = None
        member_metadata.rebalance_timeout = -1
        member_metadata.unknown_tags = ()
    m.current_state_timestamp = -1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_group_metadata_value_v1(
    buf: bytes, view: memoryview, at: int,
) -> tuple[GroupMetadataValue, int]:
    m = new(GroupMetadataValue)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_type = buf[at:end].decode()
    at = end
    (m.generation, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        m.protocol = None
    else:
        end = at + n
        m.protocol = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.leader = None
    else:
        end = at + n
        m.leader = buf[at:end].decode()
        at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 22)
    members: list[MemberMetadata] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        member_metadata = new(MemberMetadata)
        members.append(member_metadata)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_host = buf[at:end].decode()
        at = end
        (member_metadata.rebalance_timeout, member_metadata.session_timeout, n) = _read_3i(buf, at)
        at += 12
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.subscription = view[at:end]
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.assignment = view[at:end]
        at = end
        member_metadata.group_instance_id = None
        member_metadata.unknown_tags = ()
    m.current_state_timestamp = -1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_group_metadata_value_v2(
    buf: bytes, view: memoryview, at: int,
) -> tuple[GroupMetadataValue, int]:
    m = new(GroupMetadataValue)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_type = buf[at:end].decode()
    at = end
    (m.generation, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        m.protocol = None
    else:
        end = at + n
        m.protocol = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.leader = None
    else:
        end = at + n
        m.leader = buf[at:end].decode()
        at = end
    (m.current_state_timestamp, n) = _read_qi(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 22)
    members: list[MemberMetadata] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        member_metadata = new(MemberMetadata)
        members.append(member_metadata)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_host = buf[at:end].decode()
        at = end
        (member_metadata.rebalance_timeout, member_metadata.session_timeout, n) = _read_3i(buf, at)
        at += 12
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.subscription = view[at:end]
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.assignment = view[at:end]
        at = end
        member_metadata.group_instance_id = None
        member_metadata.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_group_metadata_value_v3(
    buf: bytes, view: memoryview, at: int,
) -> tuple[GroupMetadataValue, int]:
    m = new(GroupMetadataValue)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_type = buf[at:end].decode()
    at = end
    (m.generation, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        m.protocol = None
    else:
        end = at + n
        m.protocol = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.leader = None
    else:
        end = at + n
        m.leader = buf[at:end].decode()
        at = end
    (m.current_state_timestamp, n) = _read_qi(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 24)
    members: list[MemberMetadata] = []
    m.members = members
    left_members = n
    while left_members:
        left_members -= 1
        member_metadata = new(MemberMetadata)
        members.append(member_metadata)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            member_metadata.group_instance_id = None
        else:
            end = at + n
            member_metadata.group_instance_id = buf[at:end].decode()
            at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.client_host = buf[at:end].decode()
        at = end
        (member_metadata.rebalance_timeout, member_metadata.session_timeout, n) = _read_3i(buf, at)
        at += 12
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.subscription = view[at:end]
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        member_metadata.assignment = view[at:end]
        at = end
        member_metadata.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_group_metadata_value_v4(
    buf: bytes, view: memoryview, at: int,
) -> tuple[GroupMetadataValue, int]:
    m = new(GroupMetadataValue)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.protocol_type = buf[at:end].decode()
    at = end
    (m.generation, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.protocol = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.protocol = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.leader = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.leader = buf[at:end].decode()
        at = end
    (m.current_state_timestamp, n) = _read_qB(buf, at)
    at += 9
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 15)
    members: list[MemberMetadata] = []
    m.members = members
    left_members = n - 1
    while left_members:
        left_members -= 1
        member_metadata = new(MemberMetadata)
        members.append(member_metadata)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        member_metadata.member_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            member_metadata.group_instance_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member_metadata.group_instance_id = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        member_metadata.client_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        member_metadata.client_host = buf[at:end].decode()
        at = end
        (member_metadata.rebalance_timeout, member_metadata.session_timeout, n) = _read_2iB(buf, at)
        at += 9
        if n == 0 or n > 127:
            if n and 0 < buf[at] < 128:
                n += (buf[at] << 7) - 128
                at += 1
            else:
                n, at = long_size(buf, at)
        end = at + n - 1
        member_metadata.subscription = view[at:end]
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
        member_metadata.assignment = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        member_metadata.unknown_tags = ()
        if tags:
            member_metadata.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_group_metadata_value_v0(out: Parts, m: GroupMetadataValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type)
    out.append(_write_h(n))
    out.append(protocol_type)
    protocol = b"" if m.protocol is None else m.protocol.encode()
    n = -1 if m.protocol is None else len(protocol)
    out.append(_write_ih(m.generation, n))
    out.append(protocol)
    leader = b"" if m.leader is None else m.leader.encode()
    n = -1 if m.leader is None else len(leader)
    out.append(_write_h(n))
    out.append(leader)
    members = m.members
    n = len(members)
    out.append(_write_i(n))
    for member_metadata in members:
        if member_metadata.unknown_tags:
            refuse_field("unknown_tags")
        member_id = member_metadata.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        client_id = member_metadata.client_id.encode()
        n = len(client_id)
        out.append(_write_h(n))
        out.append(client_id)
        client_host = member_metadata.client_host.encode()
        n = len(client_host)
        out.append(_write_h(n))
        out.append(client_host)
        subscription = member_metadata.subscription
        n = len(subscription)
        out.append(_write_2i(member_metadata.session_timeout, n))
        out.append(subscription)
        assignment = member_metadata.assignment
        n = len(assignment)
        out.append(_write_i(n))
        out.append(assignment)


def _put_group_metadata_value_v1(out: Parts, m: GroupMetadataValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type)
    out.append(_write_h(n))
    out.append(protocol_type)
    protocol = b"" if m.protocol is None else m.protocol.encode()
    n = -1 if m.protocol is None else len(protocol)
    out.append(_write_ih(m.generation, n))
    out.append(protocol)
    leader = b"" if m.leader is None else m.leader.encode()
    n = -1 if m.leader is None else len(leader)
    out.append(_write_h(n))
    out.append(leader)
    members = m.members
    n = len(members)
    out.append(_write_i(n))
    for member_metadata in members:
        if member_metadata.unknown_tags:
            refuse_field("unknown_tags")
        member_id = member_metadata.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        client_id = member_metadata.client_id.encode()
        n = len(client_id)
        out.append(_write_h(n))
        out.append(client_id)
        client_host = member_metadata.client_host.encode()
        n = len(client_host)
        out.append(_write_h(n))
        out.append(client_host)
        subscription = member_metadata.subscription
        n = len(subscription)
        out.append(_write_3i(member_metadata.rebalance_timeout, member_metadata.session_timeout, n))
        out.append(subscription)
        assignment = member_metadata.assignment
        n = len(assignment)
        out.append(_write_i(n))
        out.append(assignment)


def _put_group_metadata_value_v2(out: Parts, m: GroupMetadataValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type)
    out.append(_write_h(n))
    out.append(protocol_type)
    protocol = b"" if m.protocol is None else m.protocol.encode()
    n = -1 if m.protocol is None else len(protocol)
    out.append(_write_ih(m.generation, n))
    out.append(protocol)
    leader = b"" if m.leader is None else m.leader.encode()
    n = -1 if m.leader is None else len(leader)
    out.append(_write_h(n))
    out.append(leader)
    members = m.members
    n = len(members)
    out.append(_write_qi(m.current_state_timestamp, n))
    for member_metadata in members:
        if member_metadata.unknown_tags:
            refuse_field("unknown_tags")
        member_id = member_metadata.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        client_id = member_metadata.client_id.encode()
        n = len(client_id)
        out.append(_write_h(n))
        out.append(client_id)
        client_host = member_metadata.client_host.encode()
        n = len(client_host)
        out.append(_write_h(n))
        out.append(client_host)
        subscription = member_metadata.subscription
        n = len(subscription)
        out.append(_write_3i(member_metadata.rebalance_timeout, member_metadata.session_timeout, n))
        out.append(subscription)
        assignment = member_metadata.assignment
        n = len(assignment)
        out.append(_write_i(n))
        out.append(assignment)


def _put_group_metadata_value_v3(out: Parts, m: GroupMetadataValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type)
    out.append(_write_h(n))
    out.append(protocol_type)
    protocol = b"" if m.protocol is None else m.protocol.encode()
    n = -1 if m.protocol is None else len(protocol)
    out.append(_write_ih(m.generation, n))
    out.append(protocol)
    leader = b"" if m.leader is None else m.leader.encode()
    n = -1 if m.leader is None else len(leader)
    out.append(_write_h(n))
    out.append(leader)
    members = m.members
    n = len(members)
    out.append(_write_qi(m.current_state_timestamp, n))
    for member_metadata in members:
        if member_metadata.unknown_tags:
            refuse_field("unknown_tags")
        member_id = member_metadata.member_id.encode()
        n = len(member_id)
        out.append(_write_h(n))
        out.append(member_id)
        group_instance_id = (
            b"" if member_metadata.group_instance_id is None else
            member_metadata.group_instance_id.encode()
        )
        n = -1 if member_metadata.group_instance_id is None else len(group_instance_id)
        out.append(_write_h(n))
        out.append(group_instance_id)
        client_id = member_metadata.client_id.encode()
        n = len(client_id)
        out.append(_write_h(n))
        out.append(client_id)
        client_host = member_metadata.client_host.encode()
        n = len(client_host)
        out.append(_write_h(n))
        out.append(client_host)
        subscription = member_metadata.subscription
        n = len(subscription)
        out.append(_write_3i(member_metadata.rebalance_timeout, member_metadata.session_timeout, n))
        out.append(subscription)
        assignment = member_metadata.assignment
        n = len(assignment)
        out.append(_write_i(n))
        out.append(assignment)


def _put_group_metadata_value_v4(out: Parts, m: GroupMetadataValue) -> None:
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_type)
    protocol = b"" if m.protocol is None else m.protocol.encode()
    n = 0 if m.protocol is None else len(protocol) + 1
    out.append(_write_iB(m.generation, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(protocol)
    leader = b"" if m.leader is None else m.leader.encode()
    n = 0 if m.leader is None else len(leader) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(leader)
    members = m.members
    n = len(members) + 1
    out.append(_write_qB(m.current_state_timestamp, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for member_metadata in members:
        member_id = member_metadata.member_id.encode()
        n = len(member_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id)
        group_instance_id = (
            b"" if member_metadata.group_instance_id is None else
            member_metadata.group_instance_id.encode()
        )
        n = 0 if member_metadata.group_instance_id is None else len(group_instance_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_instance_id)
        client_id = member_metadata.client_id.encode()
        n = len(client_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(client_id)
        client_host = member_metadata.client_host.encode()
        n = len(client_host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(client_host)
        subscription = member_metadata.subscription
        n = len(subscription) + 1
        out.append(_write_2i(member_metadata.rebalance_timeout, member_metadata.session_timeout))
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(subscription)
        assignment = member_metadata.assignment
        n = len(assignment) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(assignment)
        out.append(b"\0")
        if member_metadata.unknown_tags:
            put_tags(out, [], member_metadata.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_group_metadata_value_v0, 1: _get_group_metadata_value_v1,
    2: _get_group_metadata_value_v2, 3: _get_group_metadata_value_v3,
    4: _get_group_metadata_value_v4,
}
_PUT = {
    0: _put_group_metadata_value_v0, 1: _put_group_metadata_value_v1,
    2: _put_group_metadata_value_v2, 3: _put_group_metadata_value_v3,
    4: _put_group_metadata_value_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> GroupMetadataValue:
    """The GroupMetadataValue that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[GroupMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: GroupMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: GroupMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_MEMBER_METADATA_SHAPE: Shape = (
    MemberMetadata,
    (
        ("memberId", "member_id", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        (
            "groupInstanceId", "group_instance_id", "string", (3, 4), (3, 4), None, None, None,
            True, (4, 4), None,
        ),
        ("clientId", "client_id", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        ("clientHost", "client_host", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        (
            "rebalanceTimeout", "rebalance_timeout", "int32", (1, 4), None, None, None, -1, True,
            (4, 4), None,
        ),
        (
            "sessionTimeout", "session_timeout", "int32", (0, 4), None, None, None, 0, False,
            (4, 4), None,
        ),
        (
            "subscription", "subscription", "bytes", (0, 4), None, None, None, b"", False, (4, 4),
            None,
        ),
        ("assignment", "assignment", "bytes", (0, 4), None, None, None, b"", False, (4, 4), None),
    ),
)
_GROUP_METADATA_VALUE_SHAPE: Shape = (
    GroupMetadataValue,
    (
        (
            "protocolType", "protocol_type", "string", (0, 4), None, None, None, "", False, (4, 4),
            None,
        ),
        ("generation", "generation", "int32", (0, 4), None, None, None, 0, False, (4, 4), None),
        ("protocol", "protocol", "string", (0, 4), (0, 4), None, None, "", False, (4, 4), None),
        ("leader", "leader", "string", (0, 4), (0, 4), None, None, "", False, (4, 4), None),
        (
            "currentStateTimestamp", "current_state_timestamp", "int64", (2, 4), None, None, None,
            -1, True, (4, 4), None,
        ),
        (
            "members", "members", "[]MemberMetadata", (0, 4), None, None, None, (), False, (4, 4),
            _MEMBER_METADATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_GROUP_METADATA_VALUE_SHAPE, (0, 4), (4, 4))
