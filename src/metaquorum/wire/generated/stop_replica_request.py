# GENERATED from schemas/stop_replica_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 78e5d431d1f86bf2, generator 1.
"""A controller of the ZooKeeper days tells a broker to stop replicas. Api key 5, versions 0-4,
flexible from 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
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

API_KEY: Final = 5
NAME: Final = "StopReplicaRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 2


class StopReplicaPartitionV0(Message):
    """One row a partition."""

    __slots__ = ("topic_name", "partition_index", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0)
        topic_name: str = "",
        # Index of the partition. (v0)
        partition_index: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index
        self.unknown_tags = unknown_tags


class StopReplicaTopicV1(Message):
    """One row a topic."""

    __slots__ = ("name", "partition_indexes", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v1-2)
        name: str = "",
        # Partition indexes. (v1-2)
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partition_indexes: Sequence[int] = [] if partition_indexes == () else partition_indexes
        self.unknown_tags = unknown_tags


class StopReplicaPartitionState(Message):
    """One row a partition."""

    __slots__ = ("partition_index", "leader_epoch", "delete_partition", "unknown_tags")

    def __init__(
        self,
        # Index of the partition. (v3+)
        partition_index: int = 0,
        # Epoch of the leader; -1 when unknown. (v3+)
        leader_epoch: int = -1,
        # True to delete the replica, too. (v3+)
        delete_partition: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.leader_epoch = leader_epoch
        self.delete_partition = delete_partition
        self.unknown_tags = unknown_tags


class StopReplicaTopicState(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "partition_states", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v3+)
        topic_name: str = "",
        # One row a partition. (v3+)
        partition_states: Sequence[StopReplicaPartitionState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_states: Sequence[StopReplicaPartitionState] = (
            [] if partition_states == () else partition_states
        )
        self.unknown_tags = unknown_tags


class StopReplicaRequest(Message):
    """A controller of the ZooKeeper days tells a broker to stop replicas."""

    __slots__ = (
        "controller_id", "is_kraft_controller", "controller_epoch", "broker_epoch",
        "delete_partitions", "ungrouped_partitions", "topics", "topic_states", "unknown_tags",
    )

    def __init__(
        self,
        # Controller that sends this.
        controller_id: int = 0,
        # True when that controller runs on KRaft. (v4+)
        is_kraft_controller: bool = False,
        # Epoch of that controller.
        controller_epoch: int = 0,
        # Epoch of that broker's registration; -1 when unknown. (v1+)
        broker_epoch: int = -1,
        # True to delete the replicas, too. (v0-2)
        delete_partitions: bool = False,
        # One row a partition. (v0)
        ungrouped_partitions: Sequence[StopReplicaPartitionV0] = (),
        # One row a topic. (v1-2)
        topics: Sequence[StopReplicaTopicV1] = (),
        # One row a topic. (v3+)
        topic_states: Sequence[StopReplicaTopicState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.controller_id = controller_id
        self.is_kraft_controller = is_kraft_controller
        self.controller_epoch = controller_epoch
        self.broker_epoch = broker_epoch
        self.delete_partitions = delete_partitions
        self.ungrouped_partitions: Sequence[StopReplicaPartitionV0] = (
            [] if ungrouped_partitions == () else ungrouped_partitions
        )
        self.topics: Sequence[StopReplicaTopicV1] = [] if topics == () else topics
        self.topic_states: Sequence[StopReplicaTopicState] = (
            [] if topic_states == () else topic_states
        )
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_2itB = Struct(">2i?B").unpack_from
_read_2iti = Struct(">2i?i").unpack_from
_read_2iqtB = Struct(">2iq?B").unpack_from
_read_2iqti = Struct(">2iq?i").unpack_from
_read_2iqB = Struct(">2iqB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_itiqB = Struct(">i?iqB").unpack_from
_rows_2itx = Struct(">2i?x").iter_unpack
_write_2iti = Struct(">2i?i").pack
_write_2itx = Struct(">2i?x").pack
_write_2iqtB = Struct(">2iq?B").pack
_write_2iqti = Struct(">2iq?i").pack
_write_2iqB = Struct(">2iqB").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_itiqB = Struct(">i?iqB").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_stop_replica_request_v0(buf: bytes, at: int) -> tuple[StopReplicaRequest, int]:
    m = new(StopReplicaRequest)
    (m.controller_id, m.controller_epoch, m.delete_partitions, n) = _read_2iti(buf, at)
    at += 13
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    ungrouped_partitions: list[StopReplicaPartitionV0] = []
    m.ungrouped_partitions = ungrouped_partitions
    left_ungrouped_partitions = n
    while left_ungrouped_partitions:
        left_ungrouped_partitions -= 1
        replica_partition_v0 = new(StopReplicaPartitionV0)
        ungrouped_partitions.append(replica_partition_v0)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        replica_partition_v0.topic_name = buf[at:end].decode()
        at = end
        (replica_partition_v0.partition_index,) = _read_i(buf, at)
        at += 4
        replica_partition_v0.unknown_tags = ()
    m.is_kraft_controller = False
    m.broker_epoch = -1
    m.topics = []
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_stop_replica_request_v1(buf: bytes, at: int) -> tuple[StopReplicaRequest, int]:
    m = new(StopReplicaRequest)
    (
        m.controller_id, m.controller_epoch, m.broker_epoch, m.delete_partitions, n,
    ) = _read_2iqti(buf, at)
    at += 21
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[StopReplicaTopicV1] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        stop_replica_topic_v1 = new(StopReplicaTopicV1)
        topics.append(stop_replica_topic_v1)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        stop_replica_topic_v1.name = buf[at:end].decode()
        at = end
        (n_partition_indexes,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partition_indexes < 128:
            check_count(buf, at, n_partition_indexes, 4)
        stop_replica_topic_v1.partition_indexes = [*_read_array_ni[n_partition_indexes](buf, at)]
        at += 4 * n_partition_indexes
        stop_replica_topic_v1.unknown_tags = ()
    m.is_kraft_controller = False
    m.ungrouped_partitions = []
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_stop_replica_request_v2(buf: bytes, at: int) -> tuple[StopReplicaRequest, int]:
    m = new(StopReplicaRequest)
    (
        m.controller_id, m.controller_epoch, m.broker_epoch, m.delete_partitions, n,
    ) = _read_2iqtB(buf, at)
    at += 18
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[StopReplicaTopicV1] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        stop_replica_topic_v1 = new(StopReplicaTopicV1)
        topics.append(stop_replica_topic_v1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        stop_replica_topic_v1.name = buf[at:end].decode()
        at = end
        n_partition_indexes = buf[at]
        at += 1
        if n_partition_indexes > 127:
            n_partition_indexes, at = long_count(buf, at, 4)
        (
            *stop_replica_topic_v1.partition_indexes, tags,
        ) = _read_array_ci_B[n_partition_indexes](buf, at)
        at += 4 * n_partition_indexes - 3
        stop_replica_topic_v1.unknown_tags = ()
        if tags:
            stop_replica_topic_v1.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_kraft_controller = False
    m.ungrouped_partitions = []
    m.topic_states = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_stop_replica_request_v3(buf: bytes, at: int) -> tuple[StopReplicaRequest, int]:
    m = new(StopReplicaRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, n) = _read_2iqB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topic_states: list[StopReplicaTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        replica_topic_state = new(StopReplicaTopicState)
        topic_states.append(replica_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        replica_topic_state.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 10)
        partition_states: list[StopReplicaPartitionState] = []
        replica_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        if (
            left_partition_states > 4
            and buf[at + 9 : at + 10 * left_partition_states : 10] ==
                bytes(left_partition_states)
        ):
            end = at + 10 * left_partition_states
            partition_states += map(new, repeat(StopReplicaPartitionState, left_partition_states))
            left_partition_states = 0
            for partition_state, values in zip(partition_states, _rows_2itx(buf[at:end])):
                (
                    partition_state.partition_index, partition_state.leader_epoch,
                    partition_state.delete_partition,
                ) = values
                partition_state.unknown_tags = ()
            at = end
        while left_partition_states:
            left_partition_states -= 1
            partition_state = new(StopReplicaPartitionState)
            partition_states.append(partition_state)
            (
                partition_state.partition_index, partition_state.leader_epoch,
                partition_state.delete_partition, tags,
            ) = _read_2itB(buf, at)
            at += 10
            partition_state.unknown_tags = ()
            if tags:
                partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        replica_topic_state.unknown_tags = ()
        if tags:
            replica_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_kraft_controller = False
    m.delete_partitions = False
    m.ungrouped_partitions = []
    m.topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_stop_replica_request_v4(buf: bytes, at: int) -> tuple[StopReplicaRequest, int]:
    m = new(StopReplicaRequest)
    (
        m.controller_id, m.is_kraft_controller, m.controller_epoch, m.broker_epoch, n,
    ) = _read_itiqB(buf, at)
    at += 18
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topic_states: list[StopReplicaTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        replica_topic_state = new(StopReplicaTopicState)
        topic_states.append(replica_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        replica_topic_state.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 10)
        partition_states: list[StopReplicaPartitionState] = []
        replica_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        if (
            left_partition_states > 4
            and buf[at + 9 : at + 10 * left_partition_states : 10] ==
                bytes(left_partition_states)
        ):
            end = at + 10 * left_partition_states
            partition_states += map(new, repeat(StopReplicaPartitionState, left_partition_states))
            left_partition_states = 0
            for partition_state, values in zip(partition_states, _rows_2itx(buf[at:end])):
                (
                    partition_state.partition_index, partition_state.leader_epoch,
                    partition_state.delete_partition,
                ) = values
                partition_state.unknown_tags = ()
            at = end
        while left_partition_states:
            left_partition_states -= 1
            partition_state = new(StopReplicaPartitionState)
            partition_states.append(partition_state)
            (
                partition_state.partition_index, partition_state.leader_epoch,
                partition_state.delete_partition, tags,
            ) = _read_2itB(buf, at)
            at += 10
            partition_state.unknown_tags = ()
            if tags:
                partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        replica_topic_state.unknown_tags = ()
        if tags:
            replica_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.delete_partitions = False
    m.ungrouped_partitions = []
    m.topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_stop_replica_request_v0(out: Parts, m: StopReplicaRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.topics:
        refuse_field("topics")
    if m.topic_states:
        refuse_field("topic_states")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    ungrouped_partitions = m.ungrouped_partitions
    n = len(ungrouped_partitions)
    out.append(_write_2iti(m.controller_id, m.controller_epoch, m.delete_partitions, n))
    for replica_partition_v0 in ungrouped_partitions:
        if replica_partition_v0.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = replica_partition_v0.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        out.append(_write_i(replica_partition_v0.partition_index))


def _put_stop_replica_request_v1(out: Parts, m: StopReplicaRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.ungrouped_partitions:
        refuse_field("ungrouped_partitions")
    if m.topic_states:
        refuse_field("topic_states")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2iqti(
        m.controller_id, m.controller_epoch, m.broker_epoch, m.delete_partitions, n,
    ))
    for stop_replica_topic_v1 in topics:
        if stop_replica_topic_v1.unknown_tags:
            refuse_field("unknown_tags")
        name = stop_replica_topic_v1.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_indexes = stop_replica_topic_v1.partition_indexes
        n_partition_indexes = len(partition_indexes)
        write = _write_i_many_i[n_partition_indexes]
        out.append(write(n_partition_indexes, *partition_indexes))


def _put_stop_replica_request_v2(out: Parts, m: StopReplicaRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.ungrouped_partitions:
        refuse_field("ungrouped_partitions")
    if m.topic_states:
        refuse_field("topic_states")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_2iqtB(
        m.controller_id, m.controller_epoch, m.broker_epoch, m.delete_partitions,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for stop_replica_topic_v1 in topics:
        name = stop_replica_topic_v1.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partition_indexes = stop_replica_topic_v1.partition_indexes
        n_partition_indexes = len(partition_indexes)
        write = _write_B_many_i_x[n_partition_indexes]
        out.append(write(n_partition_indexes + 1, *partition_indexes))
        if stop_replica_topic_v1.unknown_tags:
            put_tags(out, [], stop_replica_topic_v1.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_stop_replica_request_v3(out: Parts, m: StopReplicaRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.delete_partitions:
        refuse_field("delete_partitions")
    if m.ungrouped_partitions:
        refuse_field("ungrouped_partitions")
    if m.topics:
        refuse_field("topics")
    topic_states = m.topic_states
    n = len(topic_states) + 1
    out.append(_write_2iqB(
        m.controller_id, m.controller_epoch, m.broker_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for replica_topic_state in topic_states:
        topic_name = replica_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partition_states = replica_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_state in partition_states:
            out.append(_write_2itx(
                partition_state.partition_index, partition_state.leader_epoch,
                partition_state.delete_partition,
            ))
            if partition_state.unknown_tags:
                put_tags(out, [], partition_state.unknown_tags)
        out.append(b"\0")
        if replica_topic_state.unknown_tags:
            put_tags(out, [], replica_topic_state.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_stop_replica_request_v4(out: Parts, m: StopReplicaRequest) -> None:
    if m.delete_partitions:
        refuse_field("delete_partitions")
    if m.ungrouped_partitions:
        refuse_field("ungrouped_partitions")
    if m.topics:
        refuse_field("topics")
    topic_states = m.topic_states
    n = len(topic_states) + 1
    out.append(_write_itiqB(
        m.controller_id, m.is_kraft_controller, m.controller_epoch, m.broker_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for replica_topic_state in topic_states:
        topic_name = replica_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partition_states = replica_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_state in partition_states:
            out.append(_write_2itx(
                partition_state.partition_index, partition_state.leader_epoch,
                partition_state.delete_partition,
            ))
            if partition_state.unknown_tags:
                put_tags(out, [], partition_state.unknown_tags)
        out.append(b"\0")
        if replica_topic_state.unknown_tags:
            put_tags(out, [], replica_topic_state.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_stop_replica_request_v0, 1: _get_stop_replica_request_v1,
    2: _get_stop_replica_request_v2, 3: _get_stop_replica_request_v3,
    4: _get_stop_replica_request_v4,
}
_PUT = {
    0: _put_stop_replica_request_v0, 1: _put_stop_replica_request_v1,
    2: _put_stop_replica_request_v2, 3: _put_stop_replica_request_v3,
    4: _put_stop_replica_request_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> StopReplicaRequest:
    """The StopReplicaRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StopReplicaRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StopReplicaRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StopReplicaRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_STOP_REPLICA_PARTITION_V0_SHAPE: Shape = (
    StopReplicaPartitionV0,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (2, 4), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (2, 4), None,
        ),
    ),
)
_STOP_REPLICA_TOPIC_V1_SHAPE: Shape = (
    StopReplicaTopicV1,
    (
        ("name", "name", "string", (1, 2), None, None, None, "", False, (2, 4), None),
        (
            "partitionIndexes", "partition_indexes", "[]int32", (1, 2), None, None, None, (), False,
            (2, 4), None,
        ),
    ),
)
_STOP_REPLICA_PARTITION_STATE_SHAPE: Shape = (
    StopReplicaPartitionState,
    (
        (
            "partitionIndex", "partition_index", "int32", (3, 4), None, None, None, 0, False,
            (2, 4), None,
        ),
        ("leaderEpoch", "leader_epoch", "int32", (3, 4), None, None, None, -1, False, (2, 4), None),
        (
            "deletePartition", "delete_partition", "bool", (3, 4), None, None, None, False, False,
            (2, 4), None,
        ),
    ),
)
_STOP_REPLICA_TOPIC_STATE_SHAPE: Shape = (
    StopReplicaTopicState,
    (
        ("topicName", "topic_name", "string", (3, 4), None, None, None, "", False, (2, 4), None),
        (
            "partitionStates", "partition_states", "[]StopReplicaPartitionState", (3, 4), None,
            None, None, (), False, (2, 4), _STOP_REPLICA_PARTITION_STATE_SHAPE,
        ),
    ),
)
_STOP_REPLICA_REQUEST_SHAPE: Shape = (
    StopReplicaRequest,
    (
        (
            "controllerId", "controller_id", "int32", (0, 4), None, None, None, 0, False, (2, 4),
            None,
        ),
        (
            "isKRaftController", "is_kraft_controller", "bool", (4, 4), None, None, None, False,
            False, (2, 4), None,
        ),
        (
            "controllerEpoch", "controller_epoch", "int32", (0, 4), None, None, None, 0, False,
            (2, 4), None,
        ),
        ("brokerEpoch", "broker_epoch", "int64", (1, 4), None, None, None, -1, True, (2, 4), None),
        (
            "deletePartitions", "delete_partitions", "bool", (0, 2), None, None, None, False, False,
            (2, 4), None,
        ),
        (
            "ungroupedPartitions", "ungrouped_partitions", "[]StopReplicaPartitionV0", (0, 0), None,
            None, None, (), False, (2, 4), _STOP_REPLICA_PARTITION_V0_SHAPE,
        ),
        (
            "topics", "topics", "[]StopReplicaTopicV1", (1, 2), None, None, None, (), False, (2, 4),
            _STOP_REPLICA_TOPIC_V1_SHAPE,
        ),
        (
            "topicStates", "topic_states", "[]StopReplicaTopicState", (3, 4), None, None, None, (),
            False, (2, 4), _STOP_REPLICA_TOPIC_STATE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STOP_REPLICA_REQUEST_SHAPE, (0, 4), (2, 4))
