# GENERATED from schemas/describe_topic_partitions_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 2ed10102c62f03b2, generator 1.
"""Describes one page of topics and partitions. Api key 75, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 75
NAME: Final = "DescribeTopicPartitionsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class DescribeTopicPartitionsResponsePartition(Message):
    """Partitions of the topic, in ascending order."""

    __slots__ = (
        "error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes",
        "eligible_leader_replicas", "last_known_elr", "offline_replicas", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Index of the partition.
        partition_index: int = 0,
        # Broker that leads the partition; -1 when there is none.
        leader_id: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = -1,
        # Replicas of the partition, preferred leader first.
        replica_nodes: Sequence[int] = (),
        # Replicas in sync with the leader.
        isr_nodes: Sequence[int] = (),
        # Replicas outside the in-sync set that may still lead without loss; null when not kept.
        eligible_leader_replicas: Sequence[int] | None = None,
        # Eligible replicas that may have lost records; null when not kept.
        last_known_elr: Sequence[int] | None = None,
        # Replicas that are not alive.
        offline_replicas: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes: Sequence[int] = [] if replica_nodes == () else replica_nodes
        self.isr_nodes: Sequence[int] = [] if isr_nodes == () else isr_nodes
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.offline_replicas: Sequence[int] = [] if offline_replicas == () else offline_replicas
        self.unknown_tags = unknown_tags


class DescribeTopicPartitionsResponseTopic(Message):
    """One result a topic."""

    __slots__ = (
        "error_code", "name", "topic_id", "is_internal", "partitions",
        "topic_authorized_operations", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this topic; 0 for none.
        error_code: int = 0,
        # Name of the topic.
        name: str | None = "",
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # True when the topic belongs to Kafka itself.
        is_internal: bool = False,
        # Partitions of the topic, in ascending order.
        partitions: Sequence[DescribeTopicPartitionsResponsePartition] = (),
        # Bit set of what the caller may do with the topic; the lowest int32 when not asked for.
        topic_authorized_operations: int = -2147483648,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions: Sequence[DescribeTopicPartitionsResponsePartition] = (
            [] if partitions == () else partitions
        )
        self.topic_authorized_operations = topic_authorized_operations
        self.unknown_tags = unknown_tags


class Cursor(Message):
    """Where to go on in the next request; null when everything was listed."""

    __slots__ = ("topic_name", "partition_index", "unknown_tags")

    def __init__(
        self,
        # Topic to go on with.
        topic_name: str = "",
        # Partition of that topic to go on with.
        partition_index: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index
        self.unknown_tags = unknown_tags


class DescribeTopicPartitionsResponse(Message):
    """Describes one page of topics and partitions."""

    __slots__ = ("throttle_time_ms", "topics", "next_cursor", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[DescribeTopicPartitionsResponseTopic] = (),
        # Where to go on in the next request; null when everything was listed.
        next_cursor: Cursor | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[DescribeTopicPartitionsResponseTopic] = [] if topics == () else topics
        self.next_cursor = next_cursor
        self.unknown_tags = unknown_tags


_read_array_ci = ArrayReads("i", "", 1)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16stB = Struct(">16s?B").unpack_from
_read_b = Struct(">b").unpack_from
_read_h3iB = Struct(">h3iB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16stB = Struct(">16s?B").pack
_write_b = Struct(">b").pack
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack
_write_ix = Struct(">ix").pack
_write_many_i = ArrayWrites("*i")
_write_B_many_i_x = ArrayWrites("B *i x")
_write_h3iB_many_i_B_many_i_B = ArrayWrites("hiiiB *i B *i B")


def _get_cursor_v0(buf: bytes, at: int) -> tuple[Cursor, int]:
    m = new(Cursor)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.topic_name = buf[at:end].decode()
    at = end
    (m.partition_index, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_topic_partitions_response_v0(
    buf: bytes, at: int,
) -> tuple[DescribeTopicPartitionsResponse, int]:
    m = new(DescribeTopicPartitionsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 26)
    topics: list[DescribeTopicPartitionsResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        response_topic = new(DescribeTopicPartitionsResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            response_topic.name = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            response_topic.name = buf[at:end].decode()
            at = end
        (response_topic.topic_id, response_topic.is_internal, n) = _read_16stB(buf, at)
        at += 18
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 20)
        partitions: list[DescribeTopicPartitionsResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(DescribeTopicPartitionsResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes,
            ) = _read_h3iB(buf, at)
            at += 15
            if n_replica_nodes > 127:
                n_replica_nodes, at = long_count(buf, at, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ci_B[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes - 3
            if n_isr_nodes > 127:
                n_isr_nodes, at = long_count(buf, at, 4)
            (
                *response_partition.isr_nodes, n_eligible_leader_replicas,
            ) = _read_array_ci_B[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes - 3
            if n_eligible_leader_replicas == 0:
                response_partition.eligible_leader_replicas = None
            else:
                if n_eligible_leader_replicas > 127:
                    n_eligible_leader_replicas, at = long_count(buf, at, 4)
                response_partition.eligible_leader_replicas = (
                    [*_read_array_ci[n_eligible_leader_replicas](buf, at)]
                )
                at += 4 * n_eligible_leader_replicas - 4
            n_last_known_elr = buf[at]
            at += 1
            if n_last_known_elr == 0:
                response_partition.last_known_elr = None
            else:
                if n_last_known_elr > 127:
                    n_last_known_elr, at = long_count(buf, at, 4)
                response_partition.last_known_elr = [*_read_array_ci[n_last_known_elr](buf, at)]
                at += 4 * n_last_known_elr - 4
            n_offline_replicas = buf[at]
            at += 1
            if n_offline_replicas > 127:
                n_offline_replicas, at = long_count(buf, at, 4)
            (
                *response_partition.offline_replicas, tags,
            ) = _read_array_ci_B[n_offline_replicas](buf, at)
            at += 4 * n_offline_replicas - 3
            response_partition.unknown_tags = ()
            if tags:
                response_partition.unknown_tags, at = get_tags(buf, at - 1)
        (response_topic.topic_authorized_operations, tags) = _read_iB(buf, at)
        at += 5
        response_topic.unknown_tags = ()
        if tags:
            response_topic.unknown_tags, at = get_tags(buf, at - 1)
    (n,) = _read_b(buf, at)
    at += 1
    if n < 0:
        m.next_cursor = None
    else:
        m.next_cursor, at = _get_cursor_v0(buf, at)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_cursor_v0(out: Parts, m: Cursor) -> None:
    topic_name = m.topic_name.encode()
    n = len(topic_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(topic_name)
    out.append(_write_ix(m.partition_index))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_topic_partitions_response_v0(
    out: Parts, m: DescribeTopicPartitionsResponse,
) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_topic in topics:
        name = b"" if response_topic.name is None else response_topic.name.encode()
        n = 0 if response_topic.name is None else len(name) + 1
        out.append(_write_hB(response_topic.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(name)
        if len(response_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = response_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16stB(
            response_topic.topic_id, response_topic.is_internal, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        for response_partition in partitions:
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            eligible_leader_replicas = response_partition.eligible_leader_replicas
            n = 0 if eligible_leader_replicas is None else len(eligible_leader_replicas) + 1
            write = _write_h3iB_many_i_B_many_i_B[n_replica_nodes, n_isr_nodes]
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes + 1,
                *replica_nodes, n_isr_nodes + 1, *isr_nodes, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            if eligible_leader_replicas is not None:
                out.append(_write_many_i[len(eligible_leader_replicas)](*eligible_leader_replicas))
            last_known_elr = response_partition.last_known_elr
            n = 0 if last_known_elr is None else len(last_known_elr) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if last_known_elr is not None:
                out.append(_write_many_i[len(last_known_elr)](*last_known_elr))
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = _write_B_many_i_x[n_offline_replicas]
            out.append(write(n_offline_replicas + 1, *offline_replicas))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(_write_ix(response_topic.topic_authorized_operations))
        if response_topic.unknown_tags:
            put_tags(out, [], response_topic.unknown_tags)
    out.append(_write_b(-1 if m.next_cursor is None else 1))
    if m.next_cursor is not None:
        _put_cursor_v0(out, m.next_cursor)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_topic_partitions_response_v0}
_PUT = {0: _put_describe_topic_partitions_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeTopicPartitionsResponse:
    """The DescribeTopicPartitionsResponse that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeTopicPartitionsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeTopicPartitionsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeTopicPartitionsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_TOPIC_PARTITIONS_RESPONSE_PARTITION_SHAPE: Shape = (
    DescribeTopicPartitionsResponsePartition,
    (
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("leaderId", "leader_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 0), None, None, None, -1, True, (0, 0), None),
        (
            "replicaNodes", "replica_nodes", "[]int32", (0, 0), None, None, None, (), False, (0, 0),
            None,
        ),
        ("isrNodes", "isr_nodes", "[]int32", (0, 0), None, None, None, (), False, (0, 0), None),
        (
            "eligibleLeaderReplicas", "eligible_leader_replicas", "[]int32", (0, 0), (0, 0), None,
            None, None, False, (0, 0), None,
        ),
        (
            "lastKnownElr", "last_known_elr", "[]int32", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        (
            "offlineReplicas", "offline_replicas", "[]int32", (0, 0), None, None, None, (), True,
            (0, 0), None,
        ),
    ),
)
_DESCRIBE_TOPIC_PARTITIONS_RESPONSE_TOPIC_SHAPE: Shape = (
    DescribeTopicPartitionsResponseTopic,
    (
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("name", "name", "string", (0, 0), (0, 0), None, None, "", False, (0, 0), None),
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, True, (0, 0), None),
        ("isInternal", "is_internal", "bool", (0, 0), None, None, None, False, True, (0, 0), None),
        (
            "partitions", "partitions", "[]DescribeTopicPartitionsResponsePartition", (0, 0), None,
            None, None, (), False, (0, 0), _DESCRIBE_TOPIC_PARTITIONS_RESPONSE_PARTITION_SHAPE,
        ),
        (
            "topicAuthorizedOperations", "topic_authorized_operations", "int32", (0, 0), None, None,
            None, -2147483648, False, (0, 0), None,
        ),
    ),
)
_CURSOR_SHAPE: Shape = (
    Cursor,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
    ),
)
_DESCRIBE_TOPIC_PARTITIONS_RESPONSE_SHAPE: Shape = (
    DescribeTopicPartitionsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, True,
            (0, 0), None,
        ),
        (
            "topics", "topics", "[]DescribeTopicPartitionsResponseTopic", (0, 0), None, None, None,
            (), False, (0, 0), _DESCRIBE_TOPIC_PARTITIONS_RESPONSE_TOPIC_SHAPE,
        ),
        (
            "nextCursor", "next_cursor", "Cursor", (0, 0), (0, 0), None, None, None, False, (0, 0),
            _CURSOR_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_TOPIC_PARTITIONS_RESPONSE_SHAPE, (0, 0), (0, 0))
