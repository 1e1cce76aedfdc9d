# GENERATED from schemas/streams_group_describe_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f2bcfe8546ef0be4, generator 1.
"""Asks for streams groups in full (KIP-1071). Api key 89, versions 0-1, flexible from 0."""

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

API_KEY: Final = 89
NAME: Final = "StreamsGroupDescribeRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class StreamsGroupDescribeRequest(Message):
    """Asks for streams groups in full (KIP-1071)."""

    __slots__ = (
        "group_ids", "include_authorized_operations", "include_topology_description",
        "unknown_tags",
    )

    def __init__(
        self,
        # Groups to describe, by id.
        group_ids: Sequence[str] = (),
        # True to learn what the caller may do with each group.
        include_authorized_operations: bool = False,
        # True to learn what the topology looks like. (v1+)
        include_topology_description: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_ids: Sequence[str] = [] if group_ids == () else group_ids
        self.include_authorized_operations = include_authorized_operations
        self.include_topology_description = include_topology_description
        self.unknown_tags = unknown_tags


_read_2tB = Struct(">2?B").unpack_from
_read_tB = Struct(">?B").unpack_from
_write_2tx = Struct(">2?x").pack
_write_tx = Struct(">?x").pack


def _get_streams_group_describe_request_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupDescribeRequest, int]:
    m = new(StreamsGroupDescribeRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.group_ids, at = get_compact_texts(buf, at, n - 1)
    (m.include_authorized_operations, tags) = _read_tB(buf, at)
    at += 2
    m.include_topology_description = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_streams_group_describe_request_v1(
    buf: bytes, at: int,
) -> tuple[StreamsGroupDescribeRequest, int]:
    m = new(StreamsGroupDescribeRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.group_ids, at = get_compact_texts(buf, at, n - 1)
    (m.include_authorized_operations, m.include_topology_description, tags) = _read_2tB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_streams_group_describe_request_v0(out: Parts, m: StreamsGroupDescribeRequest) -> None:
    if m.include_topology_description:
        refuse_field("include_topology_description")
    group_ids = m.group_ids
    n = len(group_ids) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, group_ids)
    out.append(_write_tx(m.include_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_describe_request_v1(out: Parts, m: StreamsGroupDescribeRequest) -> None:
    group_ids = m.group_ids
    n = len(group_ids) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, group_ids)
    out.append(_write_2tx(m.include_authorized_operations, m.include_topology_description))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_describe_request_v0, 1: _get_streams_group_describe_request_v1}
_PUT = {0: _put_streams_group_describe_request_v0, 1: _put_streams_group_describe_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupDescribeRequest:
    """The StreamsGroupDescribeRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupDescribeRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupDescribeRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupDescribeRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_STREAMS_GROUP_DESCRIBE_REQUEST_SHAPE: Shape = (
    StreamsGroupDescribeRequest,
    (
        ("groupIds", "group_ids", "[]string", (0, 1), None, None, None, (), False, (0, 1), None),
        (
            "includeAuthorizedOperations", "include_authorized_operations", "bool", (0, 1), None,
            None, None, False, False, (0, 1), None,
        ),
        (
            "includeTopologyDescription", "include_topology_description", "bool", (1, 1), None,
            None, None, False, False, (0, 1), None,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_DESCRIBE_REQUEST_SHAPE, (0, 1), (0, 1))
