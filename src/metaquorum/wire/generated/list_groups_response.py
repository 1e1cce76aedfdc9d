# GENERATED from schemas/list_groups_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 2708f5e105da1e57, generator 1.
"""Lists groups. Api key 16, versions 0-5, flexible from 3."""

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

API_KEY: Final = 16
NAME: Final = "ListGroupsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 3


class ListedGroup(Message):
    """Groups that this coordinator knows."""

    __slots__ = ("group_id", "protocol_type", "group_state", "group_type", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # Kind of the group, such as consumer.
        protocol_type: str = "",
        # State of the group in words. (v4+)
        group_state: str = "",
        # Protocol of the group: classic, consumer, share or streams. (v5+)
        group_type: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.protocol_type = protocol_type
        self.group_state = group_state
        self.group_type = group_type
        self.unknown_tags = unknown_tags


class ListGroupsResponse(Message):
    """Lists groups."""

    __slots__ = ("throttle_time_ms", "error_code", "groups", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Groups that this coordinator knows.
        groups: Sequence[ListedGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.groups: Sequence[ListedGroup] = [] if groups == () else groups
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_hi = Struct(">hi").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_ihi = Struct(">ihi").unpack_from
_write_h = Struct(">h").pack
_write_hi = Struct(">hi").pack
_write_ihB = Struct(">ihB").pack
_write_ihi = Struct(">ihi").pack


def _get_list_groups_response_v0(buf: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    m = new(ListGroupsResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    groups: list[ListedGroup] = []
    m.groups = groups
    left_groups = n
    while left_groups:
        left_groups -= 1
        listed_group = new(ListedGroup)
        groups.append(listed_group)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        listed_group.group_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        listed_group.protocol_type = buf[at:end].decode()
        at = end
        listed_group.group_state = ""
        listed_group.group_type = ""
        listed_group.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_groups_response_v1(buf: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    m = new(ListGroupsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihi(buf, at)
    at += 10
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    groups: list[ListedGroup] = []
    m.groups = groups
    left_groups = n
    while left_groups:
        left_groups -= 1
        listed_group = new(ListedGroup)
        groups.append(listed_group)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        listed_group.group_id = buf[at:end].decode()
        at = end
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        listed_group.protocol_type = buf[at:end].decode()
        at = end
        listed_group.group_state = ""
        listed_group.group_type = ""
        listed_group.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_groups_response_v3(buf: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    m = new(ListGroupsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    groups: list[ListedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        listed_group = new(ListedGroup)
        groups.append(listed_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.protocol_type = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        listed_group.group_state = ""
        listed_group.group_type = ""
        listed_group.unknown_tags = ()
        if tags:
            listed_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_groups_response_v4(buf: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    m = new(ListGroupsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    groups: list[ListedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        listed_group = new(ListedGroup)
        groups.append(listed_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.protocol_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.group_state = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        listed_group.group_type = ""
        listed_group.unknown_tags = ()
        if tags:
            listed_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_groups_response_v5(buf: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    m = new(ListGroupsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    groups: list[ListedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        listed_group = new(ListedGroup)
        groups.append(listed_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.protocol_type = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.group_state = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listed_group.group_type = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        listed_group.unknown_tags = ()
        if tags:
            listed_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_groups_response_v0(out: Parts, m: ListGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_hi(m.error_code, n))
    for listed_group in groups:
        if listed_group.unknown_tags:
            refuse_field("unknown_tags")
        group_id = listed_group.group_id.encode()
        n = len(group_id)
        out.append(_write_h(n))
        out.append(group_id)
        protocol_type = listed_group.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)


def _put_list_groups_response_v1(out: Parts, m: ListGroupsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_ihi(m.throttle_time_ms, m.error_code, n))
    for listed_group in groups:
        if listed_group.unknown_tags:
            refuse_field("unknown_tags")
        group_id = listed_group.group_id.encode()
        n = len(group_id)
        out.append(_write_h(n))
        out.append(group_id)
        protocol_type = listed_group.protocol_type.encode()
        n = len(protocol_type)
        out.append(_write_h(n))
        out.append(protocol_type)


def _put_list_groups_response_v3(out: Parts, m: ListGroupsResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for listed_group in groups:
        group_id = listed_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        protocol_type = listed_group.protocol_type.encode()
        n = len(protocol_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_type)
        out.append(b"\0")
        if listed_group.unknown_tags:
            put_tags(out, [], listed_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_groups_response_v4(out: Parts, m: ListGroupsResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for listed_group in groups:
        group_id = listed_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        protocol_type = listed_group.protocol_type.encode()
        n = len(protocol_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_type)
        group_state = listed_group.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        out.append(b"\0")
        if listed_group.unknown_tags:
            put_tags(out, [], listed_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_groups_response_v5(out: Parts, m: ListGroupsResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for listed_group in groups:
        group_id = listed_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        protocol_type = listed_group.protocol_type.encode()
        n = len(protocol_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(protocol_type)
        group_state = listed_group.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        group_type = listed_group.group_type.encode()
        n = len(group_type) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_type)
        out.append(b"\0")
        if listed_group.unknown_tags:
            put_tags(out, [], listed_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_list_groups_response_v0, 1: _get_list_groups_response_v1,
    2: _get_list_groups_response_v1, 3: _get_list_groups_response_v3,
    4: _get_list_groups_response_v4, 5: _get_list_groups_response_v5,
}
_PUT = {
    0: _put_list_groups_response_v0, 1: _put_list_groups_response_v1,
    2: _put_list_groups_response_v1, 3: _put_list_groups_response_v3,
    4: _put_list_groups_response_v4, 5: _put_list_groups_response_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ListGroupsResponse:
    """The ListGroupsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListGroupsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListGroupsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListGroupsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LISTED_GROUP_SHAPE: Shape = (
    ListedGroup,
    (
        ("groupId", "group_id", "string", (0, 5), None, None, None, "", False, (3, 5), None),
        (
            "protocolType", "protocol_type", "string", (0, 5), None, None, None, "", False, (3, 5),
            None,
        ),
        ("groupState", "group_state", "string", (4, 5), None, None, None, "", True, (3, 5), None),
        ("groupType", "group_type", "string", (5, 5), None, None, None, "", True, (3, 5), None),
    ),
)
_LIST_GROUPS_RESPONSE_SHAPE: Shape = (
    ListGroupsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 5), None, None, None, 0, True,
            (3, 5), None,
        ),
        ("errorCode", "error_code", "int16", (0, 5), None, None, None, 0, False, (3, 5), None),
        (
            "groups", "groups", "[]ListedGroup", (0, 5), None, None, None, (), False, (3, 5),
            _LISTED_GROUP_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LIST_GROUPS_RESPONSE_SHAPE, (0, 5), (3, 5))
