# GENERATED from schemas/write_share_group_state_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4e99e66b305b0db3, generator 1.
"""Says for each partition whether its state was written. Api key 85, versions 0-1, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
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

API_KEY: Final = 85
NAME: Final = "WriteShareGroupStateResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionResult(Message):
    """One result a partition."""

    __slots__ = ("partition", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class WriteStateResult(Message):
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


class WriteShareGroupStateResponse(Message):
    """Says for each partition whether its state was written."""

    __slots__ = ("results", "unknown_tags")

    def __init__(
        self,
        # One result a topic.
        results: Sequence[WriteStateResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.results: Sequence[WriteStateResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_ihB = Struct(">ihB").pack


def _get_write_share_group_state_response_v0(
    buf: bytes, at: int,
) -> tuple[WriteShareGroupStateResponse, int]:
    m = new(WriteShareGroupStateResponse)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    results: list[WriteStateResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        write_state_result = new(WriteStateResult)
        results.append(write_state_result)
        (write_state_result.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 8)
        partitions: list[PartitionResult] = []
        write_state_result.partitions = partitions
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
            tags = buf[at]
            at += 1
            partition_result.unknown_tags = ()
            if tags:
                partition_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        write_state_result.unknown_tags = ()
        if tags:
            write_state_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_write_share_group_state_response_v0(out: Parts, m: WriteShareGroupStateResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for write_state_result in results:
        if len(write_state_result.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = write_state_result.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(write_state_result.topic_id, n if n < 128 else 0))
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
            out.append(b"\0")
            if partition_result.unknown_tags:
                put_tags(out, [], partition_result.unknown_tags)
        out.append(b"\0")
        if write_state_result.unknown_tags:
            put_tags(out, [], write_state_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_write_share_group_state_response_v0, 1: _get_write_share_group_state_response_v0}
_PUT = {0: _put_write_share_group_state_response_v0, 1: _put_write_share_group_state_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> WriteShareGroupStateResponse:
    """The WriteShareGroupStateResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[WriteShareGroupStateResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: WriteShareGroupStateResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: WriteShareGroupStateResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_RESULT_SHAPE: Shape = (
    PartitionResult,
    (
        ("partition", "partition", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
    ),
)
_WRITE_STATE_RESULT_SHAPE: Shape = (
    WriteStateResult,
    (
        ("topicId", "topic_id", "uuid", (0, 1), None, None, None, ZERO_UUID, False, (0, 1), None),
        (
            "partitions", "partitions", "[]PartitionResult", (0, 1), None, None, None, (), False,
            (0, 1), _PARTITION_RESULT_SHAPE,
        ),
    ),
)
_WRITE_SHARE_GROUP_STATE_RESPONSE_SHAPE: Shape = (
    WriteShareGroupStateResponse,
    (
        (
            "results", "results", "[]WriteStateResult", (0, 1), None, None, None, (), False, (0, 1),
            _WRITE_STATE_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_WRITE_SHARE_GROUP_STATE_RESPONSE_SHAPE, (0, 1), (0, 1))
