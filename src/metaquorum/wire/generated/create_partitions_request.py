# GENERATED from schemas/create_partitions_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f394ee6c40ff469b, generator 1.
"""Raises the number of partitions of topics. Api key 37, versions 0-3, flexible from 2."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 37
NAME: Final = "CreatePartitionsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 2


class CreatePartitionsAssignment(Message):
    """Replicas of each partition; empty or null leaves the choice to the controller."""

    __slots__ = ("broker_ids", "unknown_tags")

    def __init__(
        self,
        # Brokers that get a replica, preferred leader first.
        broker_ids: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_ids: Sequence[int] = [] if broker_ids == () else broker_ids
        self.unknown_tags = unknown_tags


class CreatePartitionsTopic(Message):
    """One row a topic."""

    __slots__ = ("name", "count", "assignments", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Number of partitions to end with.
        count: int = 0,
        # Replicas of each partition; empty or null leaves the choice to the controller.
        assignments: Sequence[CreatePartitionsAssignment] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.count = count
        self.assignments: Sequence[CreatePartitionsAssignment] | None = (
            [] if assignments == () else assignments
        )
        self.unknown_tags = unknown_tags


class CreatePartitionsRequest(Message):
    """Raises the number of partitions of topics."""

    __slots__ = ("topics", "timeout_ms", "validate_only", "unknown_tags")

    def __init__(
        self,
        # One row a topic.
        topics: Sequence[CreatePartitionsTopic] = (),
        # Milliseconds the server may take.
        timeout_ms: int = 0,
        # True to check the changes without making them.
        validate_only: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[CreatePartitionsTopic] = [] if topics == () else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_it = Struct(">i?").unpack_from
_read_itB = Struct(">i?B").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_it = Struct(">i?").pack
_write_itx = Struct(">i?x").pack
_write_iB = Struct(">iB").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_create_partitions_request_v0(buf: bytes, at: int) -> tuple[CreatePartitionsRequest, int]:
    m = new(CreatePartitionsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    topics: list[CreatePartitionsTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        partitions_topic = new(CreatePartitionsTopic)
        topics.append(partitions_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        partitions_topic.name = buf[at:end].decode()
        at = end
        (partitions_topic.count, n) = _read_2i(buf, at)
        at += 8
        if n < 0:
            partitions_topic.assignments = None
        else:
            if n > 127:
                check_count(buf, at, n, 4)
            assignments: list[CreatePartitionsAssignment] = []
            partitions_topic.assignments = assignments
            left_assignments = n
            while left_assignments:
                left_assignments -= 1
                partitions_assignment = new(CreatePartitionsAssignment)
                assignments.append(partitions_assignment)
                (n_broker_ids,) = _read_i(buf, at)
                at += 4
                if not 0 <= n_broker_ids < 128:
                    check_count(buf, at, n_broker_ids, 4)
                partitions_assignment.broker_ids = [*_read_array_ni[n_broker_ids](buf, at)]
                at += 4 * n_broker_ids
                partitions_assignment.unknown_tags = ()
        partitions_topic.unknown_tags = ()
    (m.timeout_ms, m.validate_only) = _read_it(buf, at)
    at += 5
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_partitions_request_v2(buf: bytes, at: int) -> tuple[CreatePartitionsRequest, int]:
    m = new(CreatePartitionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    topics: list[CreatePartitionsTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        partitions_topic = new(CreatePartitionsTopic)
        topics.append(partitions_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        partitions_topic.name = buf[at:end].decode()
        at = end
        (partitions_topic.count, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            partitions_topic.assignments = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 2)
            assignments: list[CreatePartitionsAssignment] = []
            partitions_topic.assignments = assignments
            left_assignments = n - 1
            while left_assignments:
                left_assignments -= 1
                partitions_assignment = new(CreatePartitionsAssignment)
                assignments.append(partitions_assignment)
                n_broker_ids = buf[at]
                at += 1
                if n_broker_ids > 127:
                    n_broker_ids, at = long_count(buf, at, 4)
                (*partitions_assignment.broker_ids, tags) = _read_array_ci_B[n_broker_ids](buf, at)
                at += 4 * n_broker_ids - 3
                partitions_assignment.unknown_tags = ()
                if tags:
                    partitions_assignment.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        partitions_topic.unknown_tags = ()
        if tags:
            partitions_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.timeout_ms, m.validate_only, tags) = _read_itB(buf, at)
    at += 6
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_create_partitions_request_v0(out: Parts, m: CreatePartitionsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for partitions_topic in topics:
        if partitions_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = partitions_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        assignments = partitions_topic.assignments
        n = -1 if assignments is None else len(assignments)
        out.append(_write_2i(partitions_topic.count, n))
        if assignments is not None:
            for partitions_assignment in assignments:
                if partitions_assignment.unknown_tags:
                    refuse_field("unknown_tags")
                broker_ids = partitions_assignment.broker_ids
                n_broker_ids = len(broker_ids)
                write = _write_i_many_i[n_broker_ids]
                out.append(write(n_broker_ids, *broker_ids))
    out.append(_write_it(m.timeout_ms, m.validate_only))


def _put_create_partitions_request_v2(out: Parts, m: CreatePartitionsRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for partitions_topic in topics:
        name = partitions_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        assignments = partitions_topic.assignments
        n = 0 if assignments is None else len(assignments) + 1
        out.append(_write_iB(partitions_topic.count, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        if assignments is not None:
            for partitions_assignment in assignments:
                broker_ids = partitions_assignment.broker_ids
                n_broker_ids = len(broker_ids)
                write = _write_B_many_i_x[n_broker_ids]
                out.append(write(n_broker_ids + 1, *broker_ids))
                if partitions_assignment.unknown_tags:
                    put_tags(out, [], partitions_assignment.unknown_tags)
        out.append(b"\0")
        if partitions_topic.unknown_tags:
            put_tags(out, [], partitions_topic.unknown_tags)
    out.append(_write_itx(m.timeout_ms, m.validate_only))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_create_partitions_request_v0, 1: _get_create_partitions_request_v0,
    2: _get_create_partitions_request_v2, 3: _get_create_partitions_request_v2,
}
_PUT = {
    0: _put_create_partitions_request_v0, 1: _put_create_partitions_request_v0,
    2: _put_create_partitions_request_v2, 3: _put_create_partitions_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> CreatePartitionsRequest:
    """The CreatePartitionsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[CreatePartitionsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: CreatePartitionsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: CreatePartitionsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CREATE_PARTITIONS_ASSIGNMENT_SHAPE: Shape = (
    CreatePartitionsAssignment,
    (
        ("brokerIds", "broker_ids", "[]int32", (0, 3), None, None, None, (), False, (2, 3), None),
    ),
)
_CREATE_PARTITIONS_TOPIC_SHAPE: Shape = (
    CreatePartitionsTopic,
    (
        ("name", "name", "string", (0, 3), None, None, None, "", False, (2, 3), None),
        ("count", "count", "int32", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "assignments", "assignments", "[]CreatePartitionsAssignment", (0, 3), (0, 3), None,
            None, (), False, (2, 3), _CREATE_PARTITIONS_ASSIGNMENT_SHAPE,
        ),
    ),
)
_CREATE_PARTITIONS_REQUEST_SHAPE: Shape = (
    CreatePartitionsRequest,
    (
        (
            "topics", "topics", "[]CreatePartitionsTopic", (0, 3), None, None, None, (), False,
            (2, 3), _CREATE_PARTITIONS_TOPIC_SHAPE,
        ),
        ("timeoutMs", "timeout_ms", "int32", (0, 3), None, None, None, 0, False, (2, 3), None),
        (
            "validateOnly", "validate_only", "bool", (0, 3), None, None, None, False, False, (2, 3),
            None,
        ),
    ),
)
SHAPE: Shape = (_CREATE_PARTITIONS_REQUEST_SHAPE, (0, 3), (2, 3))
