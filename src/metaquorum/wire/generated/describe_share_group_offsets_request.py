# GENERATED from schemas/describe_share_group_offsets_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9fa5e852b02a9bb2, generator 1.
"""Asks where share groups begin to read. Api key 90, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 90
NAME: Final = "DescribeShareGroupOffsetsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class DescribeShareGroupOffsetsRequestTopic(Message):
    """One row a topic; null for all."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsRequestGroup(Message):
    """One row a group."""

    __slots__ = ("group_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # One row a topic; null for all.
        topics: Sequence[DescribeShareGroupOffsetsRequestTopic] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[DescribeShareGroupOffsetsRequestTopic] | None = (
            [] if topics == () else topics
        )
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsRequest(Message):
    """Asks where share groups begin to read."""

    __slots__ = ("groups", "unknown_tags")

    def __init__(
        self,
        # One row a group.
        groups: Sequence[DescribeShareGroupOffsetsRequestGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.groups: Sequence[DescribeShareGroupOffsetsRequestGroup] = (
            [] if groups == () else groups
        )
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_describe_share_group_offsets_request_v0(
    buf: bytes, at: int,
) -> tuple[DescribeShareGroupOffsetsRequest, int]:
    m = new(DescribeShareGroupOffsetsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    groups: list[DescribeShareGroupOffsetsRequestGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        offsets_request_group = new(DescribeShareGroupOffsetsRequestGroup)
        groups.append(offsets_request_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_request_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            offsets_request_group.topics = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 3)
            topics: list[DescribeShareGroupOffsetsRequestTopic] = []
            offsets_request_group.topics = topics
            left_topics = n - 1
            while left_topics:
                left_topics -= 1
                offsets_request_topic = new(DescribeShareGroupOffsetsRequestTopic)
                topics.append(offsets_request_topic)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                offsets_request_topic.topic_name = buf[at:end].decode()
                at = end
                n_partitions = buf[at]
                at += 1
                if n_partitions > 127:
                    n_partitions, at = long_count(buf, at, 4)
                (*offsets_request_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
                at += 4 * n_partitions - 3
                offsets_request_topic.unknown_tags = ()
                if tags:
                    offsets_request_topic.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        offsets_request_group.unknown_tags = ()
        if tags:
            offsets_request_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_share_group_offsets_request_v0(
    out: Parts, m: DescribeShareGroupOffsetsRequest,
) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for offsets_request_group in groups:
        group_id = offsets_request_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        topics = offsets_request_group.topics
        n = 0 if topics is None else len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        if topics is not None:
            for offsets_request_topic in topics:
                topic_name = offsets_request_topic.topic_name.encode()
                n = len(topic_name) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(topic_name)
                partitions = offsets_request_topic.partitions
                n_partitions = len(partitions)
                write = _write_B_many_i_x[n_partitions]
                out.append(write(n_partitions + 1, *partitions))
                if offsets_request_topic.unknown_tags:
                    put_tags(out, [], offsets_request_topic.unknown_tags)
        out.append(b"\0")
        if offsets_request_group.unknown_tags:
            put_tags(out, [], offsets_request_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_share_group_offsets_request_v0,
    1: _get_describe_share_group_offsets_request_v0,
}
_PUT = {
    0: _put_describe_share_group_offsets_request_v0,
    1: _put_describe_share_group_offsets_request_v0,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeShareGroupOffsetsRequest:
    """The DescribeShareGroupOffsetsRequest that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeShareGroupOffsetsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeShareGroupOffsetsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeShareGroupOffsetsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_SHARE_GROUP_OFFSETS_REQUEST_TOPIC_SHAPE: Shape = (
    DescribeShareGroupOffsetsRequestTopic,
    (
        ("topicName", "topic_name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("partitions", "partitions", "[]int32", (0, 1), None, None, None, (), False, (0, 1), None),
    ),
)
_DESCRIBE_SHARE_GROUP_OFFSETS_REQUEST_GROUP_SHAPE: Shape = (
    DescribeShareGroupOffsetsRequestGroup,
    (
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "topics", "topics", "[]DescribeShareGroupOffsetsRequestTopic", (0, 1), (0, 1), None,
            None, (), False, (0, 1), _DESCRIBE_SHARE_GROUP_OFFSETS_REQUEST_TOPIC_SHAPE,
        ),
    ),
)
_DESCRIBE_SHARE_GROUP_OFFSETS_REQUEST_SHAPE: Shape = (
    DescribeShareGroupOffsetsRequest,
    (
        (
            "groups", "groups", "[]DescribeShareGroupOffsetsRequestGroup", (0, 1), None, None, None,
            (), False, (0, 1), _DESCRIBE_SHARE_GROUP_OFFSETS_REQUEST_GROUP_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_SHARE_GROUP_OFFSETS_REQUEST_SHAPE, (0, 1), (0, 1))
