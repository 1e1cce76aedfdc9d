# GENERATED from schemas/read_share_group_state_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c187a6f2951429f8, generator 1.
"""Asks the share coordinator for what it keeps of partitions. Api key 84, versions 0, flexible from
0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 84
NAME: Final = "ReadShareGroupStateRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionData(Message):
    """One row a partition."""

    __slots__ = ("partition", "leader_epoch", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class ReadStateData(Message):
    """One row a topic."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ReadShareGroupStateRequest(Message):
    """Asks the share coordinator for what it keeps of partitions."""

    __slots__ = ("group_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # One row a topic.
        topics: Sequence[ReadStateData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[ReadStateData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_rows_2ix = Struct(">2ix").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_2ix = Struct(">2ix").pack


def _get_read_share_group_state_request_v0(
    buf: bytes, at: int,
) -> tuple[ReadShareGroupStateRequest, int]:
    m = new(ReadShareGroupStateRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[ReadStateData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        read_state_data = new(ReadStateData)
        topics.append(read_state_data)
        (read_state_data.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        partitions: list[PartitionData] = []
        read_state_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 8 : at + 9 * left_partitions : 9] == bytes(left_partitions)
        ):
            end = at + 9 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_2ix(buf[at:end])):
                (partition_data.partition, partition_data.leader_epoch) = values
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (partition_data.partition, partition_data.leader_epoch, tags) = _read_2iB(buf, at)
            at += 9
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        read_state_data.unknown_tags = ()
        if tags:
            read_state_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_read_share_group_state_request_v0(out: Parts, m: ReadShareGroupStateRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for read_state_data in topics:
        if len(read_state_data.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = read_state_data.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(read_state_data.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            out.append(_write_2ix(partition_data.partition, partition_data.leader_epoch))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if read_state_data.unknown_tags:
            put_tags(out, [], read_state_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_read_share_group_state_request_v0}
_PUT = {0: _put_read_share_group_state_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ReadShareGroupStateRequest:
    """The ReadShareGroupStateRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ReadShareGroupStateRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ReadShareGroupStateRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ReadShareGroupStateRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        ("partition", "partition", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_READ_STATE_DATA_SHAPE: Shape = (
    ReadStateData,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 0), None, None, None, (), False,
            (0, 0), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_READ_SHARE_GROUP_STATE_REQUEST_SHAPE: Shape = (
    ReadShareGroupStateRequest,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "topics", "topics", "[]ReadStateData", (0, 0), None, None, None, (), False, (0, 0),
            _READ_STATE_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_READ_SHARE_GROUP_STATE_REQUEST_SHAPE, (0, 0), (0, 0))
