# GENERATED from schemas/list_groups_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e0f8da8d348958fd, generator 1.
"""Asks which groups the broker coordinates. Api key 16, versions 0-5, flexible from 3."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, long_count, long_head, put_compact_texts, put_tags,
    refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 16
NAME: Final = "ListGroupsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 3


class ListGroupsRequest(Message):
    """Asks which groups the broker coordinates."""

    __slots__ = ("states_filter", "types_filter", "unknown_tags")

    def __init__(
        self,
        # Only groups in these states; empty for all. (v4+)
        states_filter: Sequence[str] = (),
        # Only groups of these types; empty for all. (v5+)
        types_filter: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.states_filter: Sequence[str] = [] if states_filter == () else states_filter
        self.types_filter: Sequence[str] = [] if types_filter == () else types_filter
        self.unknown_tags = unknown_tags




def _get_list_groups_request_v0(buf: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    m = new(ListGroupsRequest)
    m.states_filter = []
    m.types_filter = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_groups_request_v3(buf: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    m = new(ListGroupsRequest)
    tags = buf[at]
    at += 1
    m.states_filter = []
    m.types_filter = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_groups_request_v4(buf: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    m = new(ListGroupsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.states_filter, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.types_filter = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_groups_request_v5(buf: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    m = new(ListGroupsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.states_filter, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.types_filter, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_groups_request_v0(out: Parts, m: ListGroupsRequest) -> None:
    if m.states_filter:
        refuse_field("states_filter")
    if m.types_filter:
        refuse_field("types_filter")
    if m.unknown_tags:
        refuse_field("unknown_tags")


def _put_list_groups_request_v3(out: Parts, m: ListGroupsRequest) -> None:
    if m.states_filter:
        refuse_field("states_filter")
    if m.types_filter:
        refuse_field("types_filter")
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_groups_request_v4(out: Parts, m: ListGroupsRequest) -> None:
    if m.types_filter:
        refuse_field("types_filter")
    states_filter = m.states_filter
    n = len(states_filter) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, states_filter)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_groups_request_v5(out: Parts, m: ListGroupsRequest) -> None:
    states_filter = m.states_filter
    n = len(states_filter) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, states_filter)
    types_filter = m.types_filter
    n = len(types_filter) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, types_filter)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_list_groups_request_v0, 1: _get_list_groups_request_v0, 2: _get_list_groups_request_v0,
    3: _get_list_groups_request_v3, 4: _get_list_groups_request_v4, 5: _get_list_groups_request_v5,
}
_PUT = {
    0: _put_list_groups_request_v0, 1: _put_list_groups_request_v0, 2: _put_list_groups_request_v0,
    3: _put_list_groups_request_v3, 4: _put_list_groups_request_v4, 5: _put_list_groups_request_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ListGroupsRequest:
    """The ListGroupsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListGroupsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListGroupsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListGroupsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LIST_GROUPS_REQUEST_SHAPE: Shape = (
    ListGroupsRequest,
    (
        (
            "statesFilter", "states_filter", "[]string", (4, 5), None, None, None, (), False,
            (3, 5), None,
        ),
        (
            "typesFilter", "types_filter", "[]string", (5, 5), None, None, None, (), False, (3, 5),
            None,
        ),
    ),
)
SHAPE: Shape = (_LIST_GROUPS_REQUEST_SHAPE, (0, 5), (3, 5))
