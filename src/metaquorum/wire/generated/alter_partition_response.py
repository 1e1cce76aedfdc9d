# GENERATED from schemas/alter_partition_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c296aeb84946d8d0, generator 1.
"""Gives the leader the state of each partition as the controller has it. Api key 56, versions 0-3,
flexible from 0.
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
    get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 56
NAME: Final = "AlterPartitionResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionData(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "error_code", "leader_id", "leader_epoch", "isr",
        "leader_recovery_state", "partition_epoch", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Broker that leads the partition; -1 when there is none.
        leader_id: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        # Replicas in sync with the leader.
        isr: Sequence[int] = (),
        # 0 when the leader is sound, 1 while it recovers from an unclean election. (v1+)
        leader_recovery_state: int = 0,
        # Counts the changes of the partition.
        partition_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.isr: Sequence[int] = [] if isr == () else isr
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One result a topic."""

    __slots__ = ("topic_name", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-1)
        topic_name: str = "",
        # Id of the topic. (v2+)
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class AlterPartitionResponse(Message):
    """Gives the leader the state of each partition as the controller has it."""

    __slots__ = ("throttle_time_ms", "error_code", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # One result a topic.
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_ci_biB = ArrayReads("i", "biB", 1)
_read_array_ci_iB = ArrayReads("i", "iB", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_ih2iB = Struct(">ih2iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_ihB = Struct(">ihB").pack
_write_ih2iB_many_i_bix = ArrayWrites("ihiiB *i bix")
_write_ih2iB_many_i_ix = ArrayWrites("ihiiB *i ix")


def _get_alter_partition_response_v0(buf: bytes, at: int) -> tuple[AlterPartitionResponse, int]:
    m = new(AlterPartitionResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TopicData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_data = new(TopicData)
        topics.append(topic_data)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_data.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 20)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, n_isr,
            ) = _read_ih2iB(buf, at)
            at += 15
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *partition_data.isr, partition_data.partition_epoch, tags,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            partition_data.leader_recovery_state = 0
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.topic_id = ZERO_UUID
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_alter_partition_response_v1(buf: bytes, at: int) -> tuple[AlterPartitionResponse, int]:
    m = new(AlterPartitionResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TopicData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_data = new(TopicData)
        topics.append(topic_data)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_data.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 21)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, n_isr,
            ) = _read_ih2iB(buf, at)
            at += 15
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *partition_data.isr, partition_data.leader_recovery_state,
                partition_data.partition_epoch, tags,
            ) = _read_array_ci_biB[n_isr](buf, at)
            at += 4 * n_isr + 2
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.topic_id = ZERO_UUID
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_alter_partition_response_v2(buf: bytes, at: int) -> tuple[AlterPartitionResponse, int]:
    m = new(AlterPartitionResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[TopicData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_data = new(TopicData)
        topics.append(topic_data)
        (topic_data.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 21)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, n_isr,
            ) = _read_ih2iB(buf, at)
            at += 15
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *partition_data.isr, partition_data.leader_recovery_state,
                partition_data.partition_epoch, tags,
            ) = _read_array_ci_biB[n_isr](buf, at)
            at += 4 * n_isr + 2
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.topic_name = ""
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_partition_response_v0(out: Parts, m: AlterPartitionResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_data in topics:
        topic_name = topic_data.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = topic_data.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_data in partitions:
            isr = partition_data.isr
            n_isr = len(isr)
            write = _write_ih2iB_many_i_ix[n_isr]
            out.append(write(
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, n_isr + 1, *isr, partition_data.partition_epoch,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_alter_partition_response_v1(out: Parts, m: AlterPartitionResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_data in topics:
        topic_name = topic_data.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = topic_data.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_data in partitions:
            isr = partition_data.isr
            n_isr = len(isr)
            write = _write_ih2iB_many_i_bix[n_isr]
            out.append(write(
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, n_isr + 1, *isr, partition_data.leader_recovery_state,
                partition_data.partition_epoch,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_alter_partition_response_v2(out: Parts, m: AlterPartitionResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_data in topics:
        if len(topic_data.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_data.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(topic_data.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            isr = partition_data.isr
            n_isr = len(isr)
            write = _write_ih2iB_many_i_bix[n_isr]
            out.append(write(
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, n_isr + 1, *isr, partition_data.leader_recovery_state,
                partition_data.partition_epoch,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_alter_partition_response_v0, 1: _get_alter_partition_response_v1,
    2: _get_alter_partition_response_v2, 3: _get_alter_partition_response_v2,
}
_PUT = {
    0: _put_alter_partition_response_v0, 1: _put_alter_partition_response_v1,
    2: _put_alter_partition_response_v2, 3: _put_alter_partition_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterPartitionResponse:
    """The AlterPartitionResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterPartitionResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterPartitionResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterPartitionResponse, version: int) -> None:
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
        (
            "partitionIndex", "partition_index", "int32", (0, 3), None, None, None, 0, False,
            (0, 3), None,
        ),
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (0, 3), None),
        ("leaderId", "leader_id", "int32", (0, 3), None, None, None, 0, False, (0, 3), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 3), None, None, None, 0, False, (0, 3), None),
        ("isr", "isr", "[]int32", (0, 3), None, None, None, (), False, (0, 3), None),
        (
            "leaderRecoveryState", "leader_recovery_state", "int8", (1, 3), None, None, None, 0,
            True, (0, 3), None,
        ),
        (
            "partitionEpoch", "partition_epoch", "int32", (0, 3), None, None, None, 0, False,
            (0, 3), None,
        ),
    ),
)
_TOPIC_DATA_SHAPE: Shape = (
    TopicData,
    (
        ("topicName", "topic_name", "string", (0, 1), None, None, None, "", True, (0, 3), None),
        ("topicId", "topic_id", "uuid", (2, 3), None, None, None, ZERO_UUID, True, (0, 3), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 3), None, None, None, (), False,
            (0, 3), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_ALTER_PARTITION_RESPONSE_SHAPE: Shape = (
    AlterPartitionResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 3), None, None, None, 0, False,
            (0, 3), None,
        ),
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (0, 3), None),
        (
            "topics", "topics", "[]TopicData", (0, 3), None, None, None, (), False, (0, 3),
            _TOPIC_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_PARTITION_RESPONSE_SHAPE, (0, 3), (0, 3))
