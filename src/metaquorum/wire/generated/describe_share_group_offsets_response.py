# GENERATED from schemas/describe_share_group_offsets_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 eb34af838f6a624a, generator 1.
"""Says for each partition where the share group begins to read. Api key 90, versions 0-1, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 90
NAME: Final = "DescribeShareGroupOffsetsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class DescribeShareGroupOffsetsResponsePartition(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "start_offset", "leader_epoch", "lag", "error_code", "error_message",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Offset at which reading begins; -1 when there is none.
        start_offset: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        # Records between the start and the end of what may be read; -1 when unknown. (v1+)
        lag: int = -1,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.start_offset = start_offset
        self.leader_epoch = leader_epoch
        self.lag = lag
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsResponseTopic(Message):
    """One result a topic."""

    __slots__ = ("topic_name", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partitions: Sequence[DescribeShareGroupOffsetsResponsePartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions: Sequence[DescribeShareGroupOffsetsResponsePartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsResponseGroup(Message):
    """One result a group."""

    __slots__ = ("group_id", "topics", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # One result a topic.
        topics: Sequence[DescribeShareGroupOffsetsResponseTopic] = (),
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[DescribeShareGroupOffsetsResponseTopic] = (
            [] if topics == () else topics
        )
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsResponse(Message):
    """Says for each partition where the share group begins to read."""

    __slots__ = ("throttle_time_ms", "groups", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a group.
        groups: Sequence[DescribeShareGroupOffsetsResponseGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups: Sequence[DescribeShareGroupOffsetsResponseGroup] = (
            [] if groups == () else groups
        )
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_iqihB = Struct(">iqihB").unpack_from
_read_iqiqhB = Struct(">iqiqhB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack
_write_iqihB = Struct(">iqihB").pack
_write_iqiqhB = Struct(">iqiqhB").pack


def _get_describe_share_group_offsets_response_v0(
    buf: bytes, at: int,
) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    m = new(DescribeShareGroupOffsetsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    groups: list[DescribeShareGroupOffsetsResponseGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        offsets_response_group = new(DescribeShareGroupOffsetsResponseGroup)
        groups.append(offsets_response_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_response_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 19)
        topics: list[DescribeShareGroupOffsetsResponseTopic] = []
        offsets_response_group.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            offsets_response_topic = new(DescribeShareGroupOffsetsResponseTopic)
            topics.append(offsets_response_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            offsets_response_topic.topic_name = buf[at:end].decode()
            at = end
            (offsets_response_topic.topic_id, n) = _read_16sB(buf, at)
            at += 17
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 20)
            partitions: list[DescribeShareGroupOffsetsResponsePartition] = []
            offsets_response_topic.partitions = partitions
            left_partitions = n - 1
            while left_partitions:
                left_partitions -= 1
                response_partition = new(DescribeShareGroupOffsetsResponsePartition)
                partitions.append(response_partition)
                (
                    response_partition.partition_index, response_partition.start_offset,
                    response_partition.leader_epoch, response_partition.error_code, n,
                ) = _read_iqihB(buf, at)
                at += 19
                if n == 0:
                    response_partition.error_message = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    response_partition.error_message = buf[at:end].decode()
                    at = end
                tags = buf[at]
                at += 1
                response_partition.lag = -1
                response_partition.unknown_tags = ()
                if tags:
                    response_partition.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            offsets_response_topic.unknown_tags = ()
            if tags:
                offsets_response_topic.unknown_tags, at = get_tags(buf, at - 1)
        (offsets_response_group.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            offsets_response_group.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            offsets_response_group.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        offsets_response_group.unknown_tags = ()
        if tags:
            offsets_response_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_share_group_offsets_response_v1(
    buf: bytes, at: int,
) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    m = new(DescribeShareGroupOffsetsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    groups: list[DescribeShareGroupOffsetsResponseGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        offsets_response_group = new(DescribeShareGroupOffsetsResponseGroup)
        groups.append(offsets_response_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_response_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 19)
        topics: list[DescribeShareGroupOffsetsResponseTopic] = []
        offsets_response_group.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            offsets_response_topic = new(DescribeShareGroupOffsetsResponseTopic)
            topics.append(offsets_response_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            offsets_response_topic.topic_name = buf[at:end].decode()
            at = end
            (offsets_response_topic.topic_id, n) = _read_16sB(buf, at)
            at += 17
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 28)
            partitions: list[DescribeShareGroupOffsetsResponsePartition] = []
            offsets_response_topic.partitions = partitions
            left_partitions = n - 1
            while left_partitions:
                left_partitions -= 1
                response_partition = new(DescribeShareGroupOffsetsResponsePartition)
                partitions.append(response_partition)
                (
                    response_partition.partition_index, response_partition.start_offset,
                    response_partition.leader_epoch, response_partition.lag,
                    response_partition.error_code, n,
                ) = _read_iqiqhB(buf, at)
                at += 27
                if n == 0:
                    response_partition.error_message = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    response_partition.error_message = buf[at:end].decode()
                    at = end
                tags = buf[at]
                at += 1
                response_partition.unknown_tags = ()
                if tags:
                    response_partition.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            offsets_response_topic.unknown_tags = ()
            if tags:
                offsets_response_topic.unknown_tags, at = get_tags(buf, at - 1)
        (offsets_response_group.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            offsets_response_group.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            offsets_response_group.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        offsets_response_group.unknown_tags = ()
        if tags:
            offsets_response_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_share_group_offsets_response_v0(
    out: Parts, m: DescribeShareGroupOffsetsResponse,
) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for offsets_response_group in groups:
        group_id = offsets_response_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        topics = offsets_response_group.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for offsets_response_topic in topics:
            topic_name = offsets_response_topic.topic_name.encode()
            n = len(topic_name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(topic_name)
            if len(offsets_response_topic.topic_id) != 16:
                refuse_uuid("topic_id")
            partitions = offsets_response_topic.partitions
            n = len(partitions) + 1
            out.append(_write_16sB(offsets_response_topic.topic_id, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for response_partition in partitions:
                error_message = (
                    b"" if response_partition.error_message is None else
                    response_partition.error_message.encode()
                )
                n = 0 if response_partition.error_message is None else len(error_message) + 1
                out.append(_write_iqihB(
                    response_partition.partition_index, response_partition.start_offset,
                    response_partition.leader_epoch, response_partition.error_code,
                    n if n < 128 else 0,
                ))
                if n > 127:
                    lengthen_text(out, n)
                out.append(error_message)
                out.append(b"\0")
                if response_partition.unknown_tags:
                    put_tags(out, [], response_partition.unknown_tags)
            out.append(b"\0")
            if offsets_response_topic.unknown_tags:
                put_tags(out, [], offsets_response_topic.unknown_tags)
        error_message_ = (
            b"" if offsets_response_group.error_message is None else
            offsets_response_group.error_message.encode()
        )
        n = 0 if offsets_response_group.error_message is None else len(error_message_) + 1
        out.append(_write_hB(offsets_response_group.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message_)
        out.append(b"\0")
        if offsets_response_group.unknown_tags:
            put_tags(out, [], offsets_response_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_share_group_offsets_response_v1(
    out: Parts, m: DescribeShareGroupOffsetsResponse,
) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for offsets_response_group in groups:
        group_id = offsets_response_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        topics = offsets_response_group.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for offsets_response_topic in topics:
            topic_name = offsets_response_topic.topic_name.encode()
            n = len(topic_name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(topic_name)
            if len(offsets_response_topic.topic_id) != 16:
                refuse_uuid("topic_id")
            partitions = offsets_response_topic.partitions
            n = len(partitions) + 1
            out.append(_write_16sB(offsets_response_topic.topic_id, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for response_partition in partitions:
                error_message = (
                    b"" if response_partition.error_message is None else
                    response_partition.error_message.encode()
                )
                n = 0 if response_partition.error_message is None else len(error_message) + 1
                out.append(_write_iqiqhB(
                    response_partition.partition_index, response_partition.start_offset,
                    response_partition.leader_epoch, response_partition.lag,
                    response_partition.error_code, n if n < 128 else 0,
                ))
                if n > 127:
                    lengthen_text(out, n)
                out.append(error_message)
                out.append(b"\0")
                if response_partition.unknown_tags:
                    put_tags(out, [], response_partition.unknown_tags)
            out.append(b"\0")
            if offsets_response_topic.unknown_tags:
                put_tags(out, [], offsets_response_topic.unknown_tags)
        error_message_ = (
            b"" if offsets_response_group.error_message is None else
            offsets_response_group.error_message.encode()
        )
        n = 0 if offsets_response_group.error_message is None else len(error_message_) + 1
        out.append(_write_hB(offsets_response_group.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message_)
        out.append(b"\0")
        if offsets_response_group.unknown_tags:
            put_tags(out, [], offsets_response_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_share_group_offsets_response_v0,
    1: _get_describe_share_group_offsets_response_v1,
}
_PUT = {
    0: _put_describe_share_group_offsets_response_v0,
    1: _put_describe_share_group_offsets_response_v1,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeShareGroupOffsetsResponse:
    """The DescribeShareGroupOffsetsResponse that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeShareGroupOffsetsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeShareGroupOffsetsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeShareGroupOffsetsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_PARTITION_SHAPE: Shape = (
    DescribeShareGroupOffsetsResponsePartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        ("startOffset", "start_offset", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("lag", "lag", "int64", (1, 1), None, None, None, -1, True, (0, 1), None),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
    ),
)
_DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_TOPIC_SHAPE: Shape = (
    DescribeShareGroupOffsetsResponseTopic,
    (
        ("topicName", "topic_name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("topicId", "topic_id", "uuid", (0, 1), None, None, None, ZERO_UUID, False, (0, 1), None),
        (
            "partitions", "partitions", "[]DescribeShareGroupOffsetsResponsePartition", (0, 1),
            None, None, None, (), False, (0, 1),
            _DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_PARTITION_SHAPE,
        ),
    ),
)
_DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_GROUP_SHAPE: Shape = (
    DescribeShareGroupOffsetsResponseGroup,
    (
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "topics", "topics", "[]DescribeShareGroupOffsetsResponseTopic", (0, 1), None, None,
            None, (), False, (0, 1), _DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_TOPIC_SHAPE,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
    ),
)
_DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_SHAPE: Shape = (
    DescribeShareGroupOffsetsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        (
            "groups", "groups", "[]DescribeShareGroupOffsetsResponseGroup", (0, 1), None, None,
            None, (), False, (0, 1), _DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_GROUP_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_SHARE_GROUP_OFFSETS_RESPONSE_SHAPE, (0, 1), (0, 1))
