# GENERATED from schemas/sync_group_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9718369f4923ab30, generator 1.
"""Asks for the assignment of a member; the leader of the group brings it along. Api key 14,
versions 0-5, flexible from 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen_text, long_count, long_head, long_size, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 14
NAME: Final = "SyncGroupRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 4


class SyncGroupRequestAssignment(Message):
    """What each member gets; sent by the leader of the group only."""

    __slots__ = ("member_id", "assignment", "unknown_tags")

    def __init__(
        self,
        # Id of the member.
        member_id: str = "",
        # Bytes the leader of the group chose for this member; opaque to the coordinator.
        assignment: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.assignment = assignment
        self.unknown_tags = unknown_tags


class SyncGroupRequest(Message):
    """Asks for the assignment of a member; the leader of the group brings it along."""

    __slots__ = (
        "group_id", "generation_id", "member_id", "group_instance_id", "protocol_type",
        "protocol_name", "assignments", "unknown_tags",
    )

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
        # Kind of the group, such as consumer; null when not given. (v5+)
        protocol_type: str | None = None,
        # Protocol the member believes was chosen; null leaves it unchecked. (v5+)
        protocol_name: str | None = None,
        # What each member gets; sent by the leader of the group only.
        assignments: Sequence[SyncGroupRequestAssignment] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignments: Sequence[SyncGroupRequestAssignment] = (
            [] if assignments == () else assignments
        )
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack


def _get_sync_group_request_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupRequest, int]:
    m = new(SyncGroupRequest)
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
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    assignments: list[SyncGroupRequestAssignment] = []
    m.assignments = assignments
    left_assignments = n
    while left_assignments:
        left_assignments -= 1
        request_assignment = new(SyncGroupRequestAssignment)
        assignments.append(request_assignment)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        request_assignment.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        request_assignment.assignment = view[at:end]
        at = end
        request_assignment.unknown_tags = ()
    m.group_instance_id = None
    m.protocol_type = None
    m.protocol_name = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_sync_group_request_v3(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupRequest, int]:
    m = new(SyncGroupRequest)
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
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    assignments: list[SyncGroupRequestAssignment] = []
    m.assignments = assignments
    left_assignments = n
    while left_assignments:
        left_assignments -= 1
        request_assignment = new(SyncGroupRequestAssignment)
        assignments.append(request_assignment)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        request_assignment.member_id = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        request_assignment.assignment = view[at:end]
        at = end
        request_assignment.unknown_tags = ()
    m.protocol_type = None
    m.protocol_name = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_sync_group_request_v4(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupRequest, int]:
    m = new(SyncGroupRequest)
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
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    assignments: list[SyncGroupRequestAssignment] = []
    m.assignments = assignments
    left_assignments = n - 1
    while left_assignments:
        left_assignments -= 1
        request_assignment = new(SyncGroupRequestAssignment)
        assignments.append(request_assignment)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        request_assignment.member_id = buf[at:end].decode()
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
        request_assignment.assignment = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        request_assignment.unknown_tags = ()
        if tags:
            request_assignment.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.protocol_type = None
    m.protocol_name = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_sync_group_request_v5(
    buf: bytes, view: memoryview, at: int,
) -> tuple[SyncGroupRequest, int]:
    m = new(SyncGroupRequest)
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
    n = buf[at]
    at += 1
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
        n, at = long_count(buf, at, 3)
    assignments: list[SyncGroupRequestAssignment] = []
    m.assignments = assignments
    left_assignments = n - 1
    while left_assignments:
        left_assignments -= 1
        request_assignment = new(SyncGroupRequestAssignment)
        assignments.append(request_assignment)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        request_assignment.member_id = buf[at:end].decode()
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
        request_assignment.assignment = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        request_assignment.unknown_tags = ()
        if tags:
            request_assignment.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_sync_group_request_v0(out: Parts, m: SyncGroupRequest) -> None:
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
    assignments = m.assignments
    n = len(assignments)
    out.append(_write_i(n))
    for request_assignment in assignments:
        if request_assignment.unknown_tags:
            refuse_field("unknown_tags")
        member_id_ = request_assignment.member_id.encode()
        n = len(member_id_)
        out.append(_write_h(n))
        out.append(member_id_)
        assignment = request_assignment.assignment
        n = len(assignment)
        out.append(_write_i(n))
        out.append(assignment)


def _put_sync_group_request_v3(out: Parts, m: SyncGroupRequest) -> None:
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
    assignments = m.assignments
    n = len(assignments)
    out.append(_write_i(n))
    for request_assignment in assignments:
        if request_assignment.unknown_tags:
            refuse_field("unknown_tags")
        member_id_ = request_assignment.member_id.encode()
        n = len(member_id_)
        out.append(_write_h(n))
        out.append(member_id_)
        assignment = request_assignment.assignment
        n = len(assignment)
        out.append(_write_i(n))
        out.append(assignment)


def _put_sync_group_request_v4(out: Parts, m: SyncGroupRequest) -> None:
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
    assignments = m.assignments
    n = len(assignments) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for request_assignment in assignments:
        member_id_ = request_assignment.member_id.encode()
        n = len(member_id_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id_)
        assignment = request_assignment.assignment
        n = len(assignment) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(assignment)
        out.append(b"\0")
        if request_assignment.unknown_tags:
            put_tags(out, [], request_assignment.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_sync_group_request_v5(out: Parts, m: SyncGroupRequest) -> None:
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
    protocol_type = b"" if m.protocol_type is None else m.protocol_type.encode()
    n = 0 if m.protocol_type is None else len(protocol_type) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_type)
    protocol_name = b"" if m.protocol_name is None else m.protocol_name.encode()
    n = 0 if m.protocol_name is None else len(protocol_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_name)
    assignments = m.assignments
    n = len(assignments) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for request_assignment in assignments:
        member_id_ = request_assignment.member_id.encode()
        n = len(member_id_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id_)
        assignment = request_assignment.assignment
        n = len(assignment) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(assignment)
        out.append(b"\0")
        if request_assignment.unknown_tags:
            put_tags(out, [], request_assignment.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_sync_group_request_v0, 1: _get_sync_group_request_v0, 2: _get_sync_group_request_v0,
    3: _get_sync_group_request_v3, 4: _get_sync_group_request_v4, 5: _get_sync_group_request_v5,
}
_PUT = {
    0: _put_sync_group_request_v0, 1: _put_sync_group_request_v0, 2: _put_sync_group_request_v0,
    3: _put_sync_group_request_v3, 4: _put_sync_group_request_v4, 5: _put_sync_group_request_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> SyncGroupRequest:
    """The SyncGroupRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[SyncGroupRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: SyncGroupRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: SyncGroupRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SYNC_GROUP_REQUEST_ASSIGNMENT_SHAPE: Shape = (
    SyncGroupRequestAssignment,
    (
        ("memberId", "member_id", "string", (0, 5), None, None, None, "", False, (4, 5), None),
        ("assignment", "assignment", "bytes", (0, 5), None, None, None, b"", False, (4, 5), None),
    ),
)
_SYNC_GROUP_REQUEST_SHAPE: Shape = (
    SyncGroupRequest,
    (
        ("groupId", "group_id", "string", (0, 5), None, None, None, "", False, (4, 5), None),
        (
            "generationId", "generation_id", "int32", (0, 5), None, None, None, 0, False, (4, 5),
            None,
        ),
        ("memberId", "member_id", "string", (0, 5), None, None, None, "", False, (4, 5), None),
        (
            "groupInstanceId", "group_instance_id", "string", (3, 5), (3, 5), None, None, None,
            False, (4, 5), None,
        ),
        (
            "protocolType", "protocol_type", "string", (5, 5), (5, 5), None, None, None, True,
            (4, 5), None,
        ),
        (
            "protocolName", "protocol_name", "string", (5, 5), (5, 5), None, None, None, True,
            (4, 5), None,
        ),
        (
            "assignments", "assignments", "[]SyncGroupRequestAssignment", (0, 5), None, None, None,
            (), False, (4, 5), _SYNC_GROUP_REQUEST_ASSIGNMENT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SYNC_GROUP_REQUEST_SHAPE, (0, 5), (4, 5))
