# GENERATED from schemas/delete_groups_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b963772e564dec19, generator 1.
"""Deletes groups that have no members. Api key 42, versions 0-3, flexible from 2."""

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

API_KEY: Final = 42
NAME: Final = "DeleteGroupsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class DeleteGroupsRequest(Message):
    """Deletes groups that have no members."""

    __slots__ = ("groups_names", "unknown_tags")

    def __init__(
        self,
        # Ids of the groups to delete.
        groups_names: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.groups_names: Sequence[str] = [] if groups_names == () else groups_names
        self.unknown_tags = unknown_tags


_read_i = Struct(">i").unpack_from
_write_i = Struct(">i").pack


def _get_delete_groups_request_v0(buf: bytes, at: int) -> tuple[DeleteGroupsRequest, int]:
    m = new(DeleteGroupsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.groups_names, at = get_texts(buf, at, n)
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_groups_request_v2(buf: bytes, at: int) -> tuple[DeleteGroupsRequest, int]:
    m = new(DeleteGroupsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.groups_names, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_groups_request_v0(out: Parts, m: DeleteGroupsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    groups_names = m.groups_names
    n = len(groups_names)
    out.append(_write_i(n))
    put_texts(out, groups_names)


def _put_delete_groups_request_v2(out: Parts, m: DeleteGroupsRequest) -> None:
    groups_names = m.groups_names
    n = len(groups_names) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, groups_names)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_delete_groups_request_v0, 1: _get_delete_groups_request_v0,
    2: _get_delete_groups_request_v2, 3: _get_delete_groups_request_v2,
}
_PUT = {
    0: _put_delete_groups_request_v0, 1: _put_delete_groups_request_v0,
    2: _put_delete_groups_request_v2, 3: _put_delete_groups_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteGroupsRequest:
    """The DeleteGroupsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteGroupsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteGroupsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteGroupsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_GROUPS_REQUEST_SHAPE: Shape = (
    DeleteGroupsRequest,
    (
        (
            "groupsNames", "groups_names", "[]string", (0, 3), None, None, None, (), False, (2, 3),
            None,
        ),
    ),
)
SHAPE: Shape = (_DELETE_GROUPS_REQUEST_SHAPE, (0, 3), (2, 3))
