# GENERATED from schemas/list_config_resources_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 25ad9bc719bd6752, generator 1.
"""Asks which resources have configuration (KIP-1142). Api key 74, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, long_count, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 74
NAME: Final = "ListConfigResourcesRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class ListConfigResourcesRequest(Message):
    """Asks which resources have configuration (KIP-1142)."""

    __slots__ = ("resource_types", "unknown_tags")

    def __init__(
        self,
        # Types of resource to list; empty for all. (v1+)
        resource_types: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.resource_types: Sequence[int] = [] if resource_types == () else resource_types
        self.unknown_tags = unknown_tags


_read_array_cb_B = ArrayReads("b", "B", 1)
_write_B_many_b_x = ArrayWrites("B *b x")


def _get_list_config_resources_request_v0(
    buf: bytes, at: int,
) -> tuple[ListConfigResourcesRequest, int]:
    m = new(ListConfigResourcesRequest)
    tags = buf[at]
    at += 1
    m.resource_types = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_config_resources_request_v1(
    buf: bytes, at: int,
) -> tuple[ListConfigResourcesRequest, int]:
    m = new(ListConfigResourcesRequest)
    n_resource_types = buf[at]
    at += 1
    if n_resource_types > 127:
        n_resource_types, at = long_count(buf, at, 1)
    (*m.resource_types, tags) = _read_array_cb_B[n_resource_types](buf, at)
    at += n_resource_types
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_config_resources_request_v0(out: Parts, m: ListConfigResourcesRequest) -> None:
    if m.resource_types:
        refuse_field("resource_types")
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_config_resources_request_v1(out: Parts, m: ListConfigResourcesRequest) -> None:
    resource_types = m.resource_types
    n_resource_types = len(resource_types)
    write = _write_B_many_b_x[n_resource_types]
    out.append(write(n_resource_types + 1, *resource_types))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_list_config_resources_request_v0, 1: _get_list_config_resources_request_v1}
_PUT = {0: _put_list_config_resources_request_v0, 1: _put_list_config_resources_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> ListConfigResourcesRequest:
    """The ListConfigResourcesRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListConfigResourcesRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListConfigResourcesRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListConfigResourcesRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LIST_CONFIG_RESOURCES_REQUEST_SHAPE: Shape = (
    ListConfigResourcesRequest,
    (
        (
            "resourceTypes", "resource_types", "[]int8", (1, 1), None, None, None, (), False,
            (0, 1), None,
        ),
    ),
)
SHAPE: Shape = (_LIST_CONFIG_RESOURCES_REQUEST_SHAPE, (0, 1), (0, 1))
