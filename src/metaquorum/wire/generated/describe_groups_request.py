# GENERATED from schemas/describe_groups_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 57fbd12333f00928, generator 1.
"""Asks about groups of the classic protocol. Api key 15, versions 0-6, flexible from 5."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_compact_texts, get_tags, get_texts, joined, long_count, long_head,
    put_compact_texts, put_tags, put_texts, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 15
NAME: Final = "DescribeGroupsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 5


class DescribeGroupsRequest(Message):
    """Asks about groups of the classic protocol."""

    __slots__ = ("groups", "include_authorized_operations", "unknown_tags")

    def __init__(
        self,
        # Groups to describe, by id.
        groups: Sequence[str] = (),
        # True to learn what the caller may do with each group. (v3+)
        include_authorized_operations: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.groups: Sequence[str] = [] if groups == () else groups
        self.include_authorized_operations = include_authorized_operations
        self.unknown_tags = unknown_tags


_read_t = Struct(">?").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_i = Struct(">i").unpack_from
_write_t = Struct(">?").pack
_write_tx = Struct(">?x").pack
_write_i = Struct(">i").pack


def _get_describe_groups_request_v0(buf: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    m = new(DescribeGroupsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.groups, at = get_texts(buf, at, n)
    m.include_authorized_operations = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_groups_request_v3(buf: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    m = new(DescribeGroupsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.groups, at = get_texts(buf, at, n)
    (m.include_authorized_operations,) = _read_t(buf, at)
    at += 1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_groups_request_v5(buf: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    m = new(DescribeGroupsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.groups, at = get_compact_texts(buf, at, n - 1)
    (m.include_authorized_operations, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_groups_request_v0(out: Parts, m: DescribeGroupsRequest) -> None:
    if m.include_authorized_operations:
        refuse_field("include_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_i(n))
    put_texts(out, groups)


def _put_describe_groups_request_v3(out: Parts, m: DescribeGroupsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups = m.groups
    n = len(groups)
    out.append(_write_i(n))
    put_texts(out, groups)
    out.append(_write_t(m.include_authorized_operations))


def _put_describe_groups_request_v5(out: Parts, m: DescribeGroupsRequest) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, groups)
    out.append(_write_tx(m.include_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_groups_request_v0, 1: _get_describe_groups_request_v0,
    2: _get_describe_groups_request_v0, 3: _get_describe_groups_request_v3,
    4: _get_describe_groups_request_v3, 5: _get_describe_groups_request_v5,
    6: _get_describe_groups_request_v5,
}
_PUT = {
    0: _put_describe_groups_request_v0, 1: _put_describe_groups_request_v0,
    2: _put_describe_groups_request_v0, 3: _put_describe_groups_request_v3,
    4: _put_describe_groups_request_v3, 5: _put_describe_groups_request_v5,
    6: _put_describe_groups_request_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeGroupsRequest:
    """The DescribeGroupsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeGroupsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeGroupsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeGroupsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_GROUPS_REQUEST_SHAPE: Shape = (
    DescribeGroupsRequest,
    (
        ("groups", "groups", "[]string", (0, 6), None, None, None, (), False, (5, 6), None),
        (
            "includeAuthorizedOperations", "include_authorized_operations", "bool", (3, 6), None,
            None, None, False, False, (5, 6), None,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_GROUPS_REQUEST_SHAPE, (0, 6), (5, 6))
