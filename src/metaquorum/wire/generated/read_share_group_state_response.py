# GENERATED from schemas/read_share_group_state_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 0b46a6f74b4576a4, generator 1.
"""Gives for each partition which records were delivered. Api key 84, versions 0, flexible from 0.
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
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 84
NAME: Final = "ReadShareGroupStateResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
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


class PartitionResult(Message):
    """One result a partition."""

    __slots__ = (
        "partition", "error_code", "error_message", "state_epoch", "start_offset", "state_batches",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Counts how often the group began anew with this partition.
        state_epoch: int = 0,
        # Offset at which reading begins; -1 when there is none.
        start_offset: int = 0,
        # Ranges of offsets with one state each.
        state_batches: Sequence[StateBatch] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.error_code = error_code
        self.error_message = error_message
        self.state_epoch = state_epoch
        self.start_offset = start_offset
        self.state_batches: Sequence[StateBatch] = [] if state_batches == () else state_batches
        self.unknown_tags = unknown_tags


class ReadStateResult(Message):
    """One result a topic."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partitions: Sequence[PartitionResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[PartitionResult] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ReadShareGroupStateResponse(Message):
    """Gives for each partition which records were delivered."""

    __slots__ = ("results", "unknown_tags")

    def __init__(
        self,
        # One result a topic.
        results: Sequence[ReadStateResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.results: Sequence[ReadStateResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2qbhB = Struct(">2qbhB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_rows_2qbhx = Struct(">2qbhx").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_2qbhx = Struct(">2qbhx").pack
_write_ihB = Struct(">ihB").pack
_write_iqB = Struct(">iqB").pack


def _get_read_share_group_state_response_v0(
    buf: bytes, at: int,
) -> tuple[ReadShareGroupStateResponse, int]:
    m = new(ReadShareGroupStateResponse)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    results: list[ReadStateResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        read_state_result = new(ReadStateResult)
        results.append(read_state_result)
        (read_state_result.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 21)
        partitions: list[PartitionResult] = []
        read_state_result.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_result = new(PartitionResult)
            partitions.append(partition_result)
            (partition_result.partition, partition_result.error_code, n) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_result.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_result.error_message = buf[at:end].decode()
                at = end
            (partition_result.state_epoch, partition_result.start_offset, n) = _read_iqB(buf, at)
            at += 13
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 20)
            state_batches: list[StateBatch] = []
            partition_result.state_batches = state_batches
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
            partition_result.unknown_tags = ()
            if tags:
                partition_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        read_state_result.unknown_tags = ()
        if tags:
            read_state_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_read_share_group_state_response_v0(out: Parts, m: ReadShareGroupStateResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for read_state_result in results:
        if len(read_state_result.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = read_state_result.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(read_state_result.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_result in partitions:
            error_message = (
                b"" if partition_result.error_message is None else
                partition_result.error_message.encode()
            )
            n = 0 if partition_result.error_message is None else len(error_message) + 1
            out.append(_write_ihB(
                partition_result.partition, partition_result.error_code, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message)
            state_batches = partition_result.state_batches
            n = len(state_batches) + 1
            out.append(_write_iqB(
                partition_result.state_epoch, partition_result.start_offset, n if n < 128 else 0,
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
            if partition_result.unknown_tags:
                put_tags(out, [], partition_result.unknown_tags)
        out.append(b"\0")
        if read_state_result.unknown_tags:
            put_tags(out, [], read_state_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_read_share_group_state_response_v0}
_PUT = {0: _put_read_share_group_state_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ReadShareGroupStateResponse:
    """The ReadShareGroupStateResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ReadShareGroupStateResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ReadShareGroupStateResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ReadShareGroupStateResponse, version: int) -> None:
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
        ("firstOffset", "first_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("lastOffset", "last_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "deliveryState", "delivery_state", "int8", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "deliveryCount", "delivery_count", "int16", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
    ),
)
_PARTITION_RESULT_SHAPE: Shape = (
    PartitionResult,
    (
        ("partition", "partition", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        ("stateEpoch", "state_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("startOffset", "start_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "stateBatches", "state_batches", "[]StateBatch", (0, 0), None, None, None, (), False,
            (0, 0), _STATE_BATCH_SHAPE,
        ),
    ),
)
_READ_STATE_RESULT_SHAPE: Shape = (
    ReadStateResult,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        (
            "partitions", "partitions", "[]PartitionResult", (0, 0), None, None, None, (), False,
            (0, 0), _PARTITION_RESULT_SHAPE,
        ),
    ),
)
_READ_SHARE_GROUP_STATE_RESPONSE_SHAPE: Shape = (
    ReadShareGroupStateResponse,
    (
        (
            "results", "results", "[]ReadStateResult", (0, 0), None, None, None, (), False, (0, 0),
            _READ_STATE_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_READ_SHARE_GROUP_STATE_RESPONSE_SHAPE, (0, 0), (0, 0))
