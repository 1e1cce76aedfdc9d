# GENERATED from schemas/write_share_group_state_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 662a5aa7d7a2039d, generator 1.
"""Tells the share coordinator which records of partitions were delivered. Api key 85, versions 0-1,
flexible from 0.
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

API_KEY: Final = 85
NAME: Final = "WriteShareGroupStateRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class StateBatch(Message):
    """Ranges of offsets with one state each."""

    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count", "unknown_tags")

    def __init__(
        self,
        # First offset of the range.
        first_offset: int = 0,
        # Last offset of the range.
        last_offset: int = 0,
        # What became of the records: 0 available, 2 acknowledged, 4 archived.
        delivery_state: int = 0,
        # How often the records were delivered.
        delivery_count: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count
        self.unknown_tags = unknown_tags


class PartitionData(Message):
    """One row a partition."""

    __slots__ = (
        "partition", "state_epoch", "leader_epoch", "start_offset", "delivery_complete_count",
        "state_batches", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Counts how often the group began anew with this partition.
        state_epoch: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        # Offset at which reading begins; -1 when there is none.
        start_offset: int = 0,
        # Records past the start that are done with; -1 when unknown. (v1+)
        delivery_complete_count: int = -1,
        # Ranges of offsets with one state each.
        state_batches: Sequence[StateBatch] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.state_epoch = state_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.delivery_complete_count = delivery_complete_count
        self.state_batches: Sequence[StateBatch] = [] if state_batches == () else state_batches
        self.unknown_tags = unknown_tags


class WriteStateData(Message):
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


class WriteShareGroupStateRequest(Message):
    """Tells the share coordinator which records of partitions were delivered."""

    __slots__ = ("group_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # One row a topic.
        topics: Sequence[WriteStateData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[WriteStateData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2qbhB = Struct(">2qbhB").unpack_from
_read_3iqB = Struct(">3iqB").unpack_from
_read_3iqiB = Struct(">3iqiB").unpack_from
_rows_2qbhx = Struct(">2qbhx").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_2qbhx = Struct(">2qbhx").pack
_write_3iqB = Struct(">3iqB").pack
_write_3iqiB = Struct(">3iqiB").pack


def _get_write_share_group_state_request_v0(
    buf: bytes, at: int,
) -> tuple[WriteShareGroupStateRequest, int]:
    m = new(WriteShareGroupStateRequest)
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
    topics: list[WriteStateData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        write_state_data = new(WriteStateData)
        topics.append(write_state_data)
        (write_state_data.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 22)
        partitions: list[PartitionData] = []
        write_state_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition, partition_data.state_epoch, partition_data.leader_epoch,
                partition_data.start_offset, n,
            ) = _read_3iqB(buf, at)
            at += 21
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 20)
            state_batches: list[StateBatch] = []
            partition_data.state_batches = state_batches
            left_state_batches = n - 1
            if (
                left_state_batches > 4
                and buf[at + 19 : at + 20 * left_state_batches : 20] ==
                    bytes(left_state_batches)
            ):
                end = at + 20 * left_state_batches
                state_batches += map(new, repeat(StateBatch, left_state_batches))
                left_state_batches = 0
                for state_batch, values in zip(state_batches, _rows_2qbhx(buf[at:end])):
                    (
                        state_batch.first_offset, state_batch.last_offset,
                        state_batch.delivery_state, state_batch.delivery_count,
                    ) = values
                    state_batch.unknown_tags = ()
                at = end
            while left_state_batches:
                left_state_batches -= 1
                state_batch = new(StateBatch)
                state_batches.append(state_batch)
                (
                    state_batch.first_offset, state_batch.last_offset, state_batch.delivery_state,
                    state_batch.delivery_count, tags,
                ) = _read_2qbhB(buf, at)
                at += 20
                state_batch.unknown_tags = ()
                if tags:
                    state_batch.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            partition_data.delivery_complete_count = -1
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        write_state_data.unknown_tags = ()
        if tags:
            write_state_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_write_share_group_state_request_v1(
    buf: bytes, at: int,
) -> tuple[WriteShareGroupStateRequest, int]:
    m = new(WriteShareGroupStateRequest)
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
    topics: list[WriteStateData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        write_state_data = new(WriteStateData)
        topics.append(write_state_data)
        (write_state_data.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 26)
        partitions: list[PartitionData] = []
        write_state_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition, partition_data.state_epoch, partition_data.leader_epoch,
                partition_data.start_offset, partition_data.delivery_complete_count, n,
            ) = _read_3iqiB(buf, at)
            at += 25
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 20)
            state_batches: list[StateBatch] = []
            partition_data.state_batches = state_batches
            left_state_batches = n - 1
            if (
                left_state_batches > 4
                and buf[at + 19 : at + 20 * left_state_batches : 20] ==
                    bytes(left_state_batches)
            ):
                end = at + 20 * left_state_batches
                state_batches += map(new, repeat(StateBatch, left_state_batches))
                left_state_batches = 0
                for state_batch, values in zip(state_batches, _rows_2qbhx(buf[at:end])):
                    (
                        state_batch.first_offset, state_batch.last_offset,
                        state_batch.delivery_state, state_batch.delivery_count,
                    ) = values
                    state_batch.unknown_tags = ()
                at = end
            while left_state_batches:
                left_state_batches -= 1
                state_batch = new(StateBatch)
                state_batches.append(state_batch)
                (
                    state_batch.first_offset, state_batch.last_offset, state_batch.delivery_state,
                    state_batch.delivery_count, tags,
                ) = _read_2qbhB(buf, at)
                at += 20
                state_batch.unknown_tags = ()
                if tags:
                    state_batch.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        write_state_data.unknown_tags = ()
        if tags:
            write_state_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_write_share_group_state_request_v0(out: Parts, m: WriteShareGroupStateRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for write_state_data in topics:
        if len(write_state_data.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = write_state_data.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(write_state_data.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            state_batches = partition_data.state_batches
            n = len(state_batches) + 1
            out.append(_write_3iqB(
                partition_data.partition, partition_data.state_epoch, partition_data.leader_epoch,
                partition_data.start_offset, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for state_batch in state_batches:
                out.append(_write_2qbhx(
                    state_batch.first_offset, state_batch.last_offset, state_batch.delivery_state,
                    state_batch.delivery_count,
                ))
                if state_batch.unknown_tags:
                    put_tags(out, [], state_batch.unknown_tags)
            out.append(b"\0")
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if write_state_data.unknown_tags:
            put_tags(out, [], write_state_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_write_share_group_state_request_v1(out: Parts, m: WriteShareGroupStateRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for write_state_data in topics:
        if len(write_state_data.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = write_state_data.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(write_state_data.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            state_batches = partition_data.state_batches
            n = len(state_batches) + 1
            out.append(_write_3iqiB(
                partition_data.partition, partition_data.state_epoch, partition_data.leader_epoch,
                partition_data.start_offset, partition_data.delivery_complete_count,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for state_batch in state_batches:
                out.append(_write_2qbhx(
                    state_batch.first_offset, state_batch.last_offset, state_batch.delivery_state,
                    state_batch.delivery_count,
                ))
                if state_batch.unknown_tags:
                    put_tags(out, [], state_batch.unknown_tags)
            out.append(b"\0")
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if write_state_data.unknown_tags:
            put_tags(out, [], write_state_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_write_share_group_state_request_v0, 1: _get_write_share_group_state_request_v1}
_PUT = {0: _put_write_share_group_state_request_v0, 1: _put_write_share_group_state_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> WriteShareGroupStateRequest:
    """The WriteShareGroupStateRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[WriteShareGroupStateRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: WriteShareGroupStateRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: WriteShareGroupStateRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_STATE_BATCH_SHAPE: Shape = (
    StateBatch,
    (
        ("firstOffset", "first_offset", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("lastOffset", "last_offset", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "deliveryState", "delivery_state", "int8", (0, 1), None, None, None, 0, False, (0, 1),
            None,
        ),
        (
            "deliveryCount", "delivery_count", "int16", (0, 1), None, None, None, 0, False, (0, 1),
            None,
        ),
    ),
)
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        ("partition", "partition", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("stateEpoch", "state_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("startOffset", "start_offset", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "deliveryCompleteCount", "delivery_complete_count", "int32", (1, 1), None, None, None,
            -1, True, (0, 1), None,
        ),
        (
            "stateBatches", "state_batches", "[]StateBatch", (0, 1), None, None, None, (), False,
            (0, 1), _STATE_BATCH_SHAPE,
        ),
    ),
)
_WRITE_STATE_DATA_SHAPE: Shape = (
    WriteStateData,
    (
        ("topicId", "topic_id", "uuid", (0, 1), None, None, None, ZERO_UUID, False, (0, 1), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 1), None, None, None, (), False,
            (0, 1), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_WRITE_SHARE_GROUP_STATE_REQUEST_SHAPE: Shape = (
    WriteShareGroupStateRequest,
    (
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "topics", "topics", "[]WriteStateData", (0, 1), None, None, None, (), False, (0, 1),
            _WRITE_STATE_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_WRITE_SHARE_GROUP_STATE_REQUEST_SHAPE, (0, 1), (0, 1))
