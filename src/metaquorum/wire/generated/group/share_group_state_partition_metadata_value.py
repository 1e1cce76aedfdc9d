# GENERATED from schemas/group/share_group_state_partition_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 61dd51dbb513e65a, generator 1.
"""Partitions whose state is kept for a share group, comes to be or goes. Record type 15, versions
0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 15
NAME: Final = "ShareGroupStatePartitionMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicPartitionsInfo(Message):
    """Partitions of one topic."""

    __slots__ = ("topic_id", "topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Name of the topic.
        topic_name: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class TopicInfo(Message):
    """One topic."""

    __slots__ = ("topic_id", "topic_name", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Name of the topic.
        topic_name: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.unknown_tags = unknown_tags


class ShareGroupStatePartitionMetadataValue(Message):
    """Partitions whose state is kept for a share group, comes to be or goes."""

    __slots__ = ("initializing_topics", "initialized_topics", "deleting_topics", "unknown_tags")

    def __init__(
        self,
        # Partitions whose state is being set up.
        initializing_topics: Sequence[TopicPartitionsInfo] = (),
        # Partitions whose state is kept.
        initialized_topics: Sequence[TopicPartitionsInfo] = (),
        # Topics whose state is being deleted.
        deleting_topics: Sequence[TopicInfo] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.initializing_topics: Sequence[TopicPartitionsInfo] = (
            [] if initializing_topics == () else initializing_topics
        )
        self.initialized_topics: Sequence[TopicPartitionsInfo] = (
            [] if initialized_topics == () else initialized_topics
        )
        self.deleting_topics: Sequence[TopicInfo] = [] if deleting_topics == () else deleting_topics
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_share_group_state_partition_metadata_value_v0(
    buf: bytes, at: int,
) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
    m = new(ShareGroupStatePartitionMetadataValue)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    initializing_topics: list[TopicPartitionsInfo] = []
    m.initializing_topics = initializing_topics
    left_initializing_topics = n - 1
    while left_initializing_topics:
        left_initializing_topics -= 1
        topic_partitions_info = new(TopicPartitionsInfo)
        initializing_topics.append(topic_partitions_info)
        (topic_partitions_info.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_partitions_info.topic_name = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*topic_partitions_info.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        topic_partitions_info.unknown_tags = ()
        if tags:
            topic_partitions_info.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    initialized_topics: list[TopicPartitionsInfo] = []
    m.initialized_topics = initialized_topics
    left_initialized_topics = n - 1
    while left_initialized_topics:
        left_initialized_topics -= 1
        topic_partitions_info_ = new(TopicPartitionsInfo)
        initialized_topics.append(topic_partitions_info_)
        (topic_partitions_info_.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_partitions_info_.topic_name = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*topic_partitions_info_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        topic_partitions_info_.unknown_tags = ()
        if tags:
            topic_partitions_info_.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    deleting_topics: list[TopicInfo] = []
    m.deleting_topics = deleting_topics
    left_deleting_topics = n - 1
    while left_deleting_topics:
        left_deleting_topics -= 1
        topic_info = new(TopicInfo)
        deleting_topics.append(topic_info)
        (topic_info.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_info.topic_name = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        topic_info.unknown_tags = ()
        if tags:
            topic_info.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_share_group_state_partition_metadata_value_v0(
    out: Parts, m: ShareGroupStatePartitionMetadataValue,
) -> None:
    initializing_topics = m.initializing_topics
    n = len(initializing_topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_partitions_info in initializing_topics:
        if len(topic_partitions_info.topic_id) != 16:
            refuse_uuid("topic_id")
        topic_name = topic_partitions_info.topic_name.encode()
        n = len(topic_name) + 1
        out.append(_write_16sB(topic_partitions_info.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(topic_name)
        partitions = topic_partitions_info.partitions
        n_partitions = len(partitions)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions))
        if topic_partitions_info.unknown_tags:
            put_tags(out, [], topic_partitions_info.unknown_tags)
    initialized_topics = m.initialized_topics
    n = len(initialized_topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_partitions_info_ in initialized_topics:
        if len(topic_partitions_info_.topic_id) != 16:
            refuse_uuid("topic_id")
        topic_name_ = topic_partitions_info_.topic_name.encode()
        n = len(topic_name_) + 1
        out.append(_write_16sB(topic_partitions_info_.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(topic_name_)
        partitions_ = topic_partitions_info_.partitions
        n_partitions = len(partitions_)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions_))
        if topic_partitions_info_.unknown_tags:
            put_tags(out, [], topic_partitions_info_.unknown_tags)
    deleting_topics = m.deleting_topics
    n = len(deleting_topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_info in deleting_topics:
        if len(topic_info.topic_id) != 16:
            refuse_uuid("topic_id")
        topic_name__ = topic_info.topic_name.encode()
        n = len(topic_name__) + 1
        out.append(_write_16sB(topic_info.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(topic_name__)
        out.append(b"\0")
        if topic_info.unknown_tags:
            put_tags(out, [], topic_info.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_share_group_state_partition_metadata_value_v0}
_PUT = {0: _put_share_group_state_partition_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareGroupStatePartitionMetadataValue:
    """The ShareGroupStatePartitionMetadataValue that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareGroupStatePartitionMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareGroupStatePartitionMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_PARTITIONS_INFO_SHAPE: Shape = (
    TopicPartitionsInfo,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("partitions", "partitions", "[]int32", (0, 0), None, None, None, (), False, (0, 0), None),
    ),
)
_TOPIC_INFO_SHAPE: Shape = (
    TopicInfo,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
_SHARE_GROUP_STATE_PARTITION_METADATA_VALUE_SHAPE: Shape = (
    ShareGroupStatePartitionMetadataValue,
    (
        (
            "initializingTopics", "initializing_topics", "[]TopicPartitionsInfo", (0, 0), None,
            None, None, (), False, (0, 0), _TOPIC_PARTITIONS_INFO_SHAPE,
        ),
        (
            "initializedTopics", "initialized_topics", "[]TopicPartitionsInfo", (0, 0), None, None,
            None, (), False, (0, 0), _TOPIC_PARTITIONS_INFO_SHAPE,
        ),
        (
            "deletingTopics", "deleting_topics", "[]TopicInfo", (0, 0), None, None, None, (), False,
            (0, 0), _TOPIC_INFO_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_GROUP_STATE_PARTITION_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
