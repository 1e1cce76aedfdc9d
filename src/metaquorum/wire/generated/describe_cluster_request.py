# GENERATED from schemas/describe_cluster_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 189a97341a56a8e9, generator 1.
"""Asks for the cluster's id and its nodes (KIP-700). Api key 60, versions 0-2, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 60
NAME: Final = "DescribeClusterRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class DescribeClusterRequest(Message):
    """Asks for the cluster's id and its nodes (KIP-700)."""

    __slots__ = (
        "include_cluster_authorized_operations", "endpoint_type", "include_fenced_brokers",
        "unknown_tags",
    )

    def __init__(
        self,
        # True to learn what the caller may do with the cluster.
        include_cluster_authorized_operations: bool = False,
        # Kind of endpoint to list: 1 brokers, 2 controllers. (v1+)
        endpoint_type: int = 1,
        # True to list fenced brokers too. (v2+)
        include_fenced_brokers: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.endpoint_type = endpoint_type
        self.include_fenced_brokers = include_fenced_brokers
        self.unknown_tags = unknown_tags


_read_tB = Struct(">?B").unpack_from
_read_tbtB = Struct(">?b?B").unpack_from
_read_tbB = Struct(">?bB").unpack_from
_write_tbtx = Struct(">?b?x").pack
_write_tbx = Struct(">?bx").pack
_write_tx = Struct(">?x").pack


def _get_describe_cluster_request_v0(buf: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    m = new(DescribeClusterRequest)
    (m.include_cluster_authorized_operations, tags) = _read_tB(buf, at)
    at += 2
    m.endpoint_type = 1
    m.include_fenced_brokers = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_cluster_request_v1(buf: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    m = new(DescribeClusterRequest)
    (m.include_cluster_authorized_operations, m.endpoint_type, tags) = _read_tbB(buf, at)
    at += 3
    m.include_fenced_brokers = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_cluster_request_v2(buf: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    m = new(DescribeClusterRequest)
    (
        m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers, tags,
    ) = _read_tbtB(buf, at)
    at += 4
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_cluster_request_v0(out: Parts, m: DescribeClusterRequest) -> None:
    if m.endpoint_type != 1:
        refuse_field("endpoint_type")
    if m.include_fenced_brokers:
        refuse_field("include_fenced_brokers")
    out.append(_write_tx(m.include_cluster_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_cluster_request_v1(out: Parts, m: DescribeClusterRequest) -> None:
    if m.include_fenced_brokers:
        refuse_field("include_fenced_brokers")
    out.append(_write_tbx(m.include_cluster_authorized_operations, m.endpoint_type))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_cluster_request_v2(out: Parts, m: DescribeClusterRequest) -> None:
    out.append(_write_tbtx(
        m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_cluster_request_v0, 1: _get_describe_cluster_request_v1,
    2: _get_describe_cluster_request_v2,
}
_PUT = {
    0: _put_describe_cluster_request_v0, 1: _put_describe_cluster_request_v1,
    2: _put_describe_cluster_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeClusterRequest:
    """The DescribeClusterRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeClusterRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeClusterRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeClusterRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_CLUSTER_REQUEST_SHAPE: Shape = (
    DescribeClusterRequest,
    (
        (
            "includeClusterAuthorizedOperations", "include_cluster_authorized_operations", "bool",
            (0, 2), None, None, None, False, False, (0, 2), None,
        ),
        ("endpointType", "endpoint_type", "int8", (1, 2), None, None, None, 1, False, (0, 2), None),
        (
            "includeFencedBrokers", "include_fenced_brokers", "bool", (2, 2), None, None, None,
            False, False, (0, 2), None,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_CLUSTER_REQUEST_SHAPE, (0, 2), (0, 2))
