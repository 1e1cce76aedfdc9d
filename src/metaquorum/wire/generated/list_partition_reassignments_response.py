# GENERATED from schemas/list_partition_reassignments_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 03f8ac9a1c7beb61, generator 1.
"""Lists the partitions that are on the move. Api key 46, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, long_text_head, put_tags,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 46
NAME: Final = "ListPartitionReassignmentsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class OngoingPartitionReassignment(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "replicas", "adding_replicas", "removing_replicas", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Replicas, preferred leader first.
        replicas: Sequence[int] = (),
        # Replicas that a move is adding.
        adding_replicas: Sequence[int] = (),
        # Replicas that a move is removing.
        removing_replicas: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.replicas: Sequence[int] = [] if replicas == () else replicas
        self.adding_replicas: Sequence[int] = [] if adding_replicas == () else adding_replicas
        self.removing_replicas: Sequence[int] = [] if removing_replicas == () else removing_replicas
        self.unknown_tags = unknown_tags


class OngoingTopicReassignment(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[OngoingPartitionReassignment] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[OngoingPartitionReassignment] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class ListPartitionReassignmentsResponse(Message):
    """Lists the partitions that are on the move."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # One result a topic.
        topics: Sequence[OngoingTopicReassignment] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.topics: Sequence[OngoingTopicReassignment] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_ihB = Struct(">ihB").pack
_write_iB_many_i_B_many_i_B_many_i_x = ArrayWrites("iB *i B *i B *i x")


def _get_list_partition_reassignments_response_v0(
    buf: bytes, at: int,
) -> tuple[ListPartitionReassignmentsResponse, int]:
    m = new(ListPartitionReassignmentsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[OngoingTopicReassignment] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_reassignment = new(OngoingTopicReassignment)
        topics.append(topic_reassignment)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_reassignment.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 8)
        partitions: list[OngoingPartitionReassignment] = []
        topic_reassignment.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_reassignment = new(OngoingPartitionReassignment)
            partitions.append(partition_reassignment)
            (partition_reassignment.partition_index, n_replicas) = _read_iB(buf, at)
            at += 5
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (
                *partition_reassignment.replicas, n_adding_replicas,
            ) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_adding_replicas > 127:
                n_adding_replicas, at = long_count(buf, at, 4)
            (
                *partition_reassignment.adding_replicas, n_removing_replicas,
            ) = _read_array_ci_B[n_adding_replicas](buf, at)
            at += 4 * n_adding_replicas - 3
            if n_removing_replicas > 127:
                n_removing_replicas, at = long_count(buf, at, 4)
            (
                *partition_reassignment.removing_replicas, tags,
            ) = _read_array_ci_B[n_removing_replicas](buf, at)
            at += 4 * n_removing_replicas - 3
            partition_reassignment.unknown_tags = ()
            if tags:
                partition_reassignment.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_reassignment.unknown_tags = ()
        if tags:
            topic_reassignment.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_partition_reassignments_response_v0(
    out: Parts, m: ListPartitionReassignmentsResponse,
) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_reassignment in topics:
        name = topic_reassignment.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = topic_reassignment.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_reassignment in partitions:
            replicas = partition_reassignment.replicas
            n_replicas = len(replicas)
            adding_replicas = partition_reassignment.adding_replicas
            n_adding_replicas = len(adding_replicas)
            removing_replicas = partition_reassignment.removing_replicas
            n_removing_replicas = len(removing_replicas)
            write = (
                _write_iB_many_i_B_many_i_B_many_i_x[n_replicas, n_adding_replicas,
                n_removing_replicas]
            )
            out.append(write(
                partition_reassignment.partition_index, n_replicas + 1, *replicas,
                n_adding_replicas + 1, *adding_replicas, n_removing_replicas + 1,
                *removing_replicas,
            ))
            if partition_reassignment.unknown_tags:
                put_tags(out, [], partition_reassignment.unknown_tags)
        out.append(b"\0")
        if topic_reassignment.unknown_tags:
            put_tags(out, [], topic_reassignment.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_list_partition_reassignments_response_v0}
_PUT = {0: _put_list_partition_reassignments_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ListPartitionReassignmentsResponse:
    """The ListPartitionReassignmentsResponse that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListPartitionReassignmentsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListPartitionReassignmentsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListPartitionReassignmentsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ONGOING_PARTITION_REASSIGNMENT_SHAPE: Shape = (
    OngoingPartitionReassignment,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("replicas", "replicas", "[]int32", (0, 0), None, None, None, (), False, (0, 0), None),
        (
            "addingReplicas", "adding_replicas", "[]int32", (0, 0), None, None, None, (), False,
            (0, 0), None,
        ),
        (
            "removingReplicas", "removing_replicas", "[]int32", (0, 0), None, None, None, (), False,
            (0, 0), None,
        ),
    ),
)
_ONGOING_TOPIC_REASSIGNMENT_SHAPE: Shape = (
    OngoingTopicReassignment,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "partitions", "partitions", "[]OngoingPartitionReassignment", (0, 0), None, None, None,
            (), False, (0, 0), _ONGOING_PARTITION_REASSIGNMENT_SHAPE,
        ),
    ),
)
_LIST_PARTITION_REASSIGNMENTS_RESPONSE_SHAPE: Shape = (
    ListPartitionReassignmentsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, "", False,
            (0, 0), None,
        ),
        (
            "topics", "topics", "[]OngoingTopicReassignment", (0, 0), None, None, None, (), False,
            (0, 0), _ONGOING_TOPIC_REASSIGNMENT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LIST_PARTITION_REASSIGNMENTS_RESPONSE_SHAPE, (0, 0), (0, 0))
