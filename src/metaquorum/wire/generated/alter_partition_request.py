# GENERATED from schemas/alter_partition_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 405c1d04b308b0f7, generator 1.
"""A partition leader tells the controller of a changed set of in-sync replicas (KIP-497). Api key
56, versions 0-3, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 56
NAME: Final = "AlterPartitionRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 0


class BrokerState(Message):
    """Replicas that are in sync now, with their registrations."""

    __slots__ = ("broker_id", "broker_epoch", "unknown_tags")

    def __init__(
        self,
        # Broker that is in sync. (v3+)
        broker_id: int = 0,
        # Epoch of that broker's registration; -1 when unknown. (v3+)
        broker_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.unknown_tags = unknown_tags


class PartitionData(Message):
    """One row a partition."""

    __slots__ = (
        "partition_index", "leader_epoch", "new_isr", "new_isr_with_epochs",
        "leader_recovery_state", "partition_epoch", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        # Replicas that are in sync now. (v0-2)
        new_isr: Sequence[int] = (),
        # Replicas that are in sync now, with their registrations. (v3+)
        new_isr_with_epochs: Sequence[BrokerState] = (),
        # 0 when the leader is sound, 1 while it recovers from an unclean election. (v1+)
        leader_recovery_state: int = 0,
        # Counts the changes of the partition.
        partition_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.leader_epoch = leader_epoch
        self.new_isr: Sequence[int] = [] if new_isr == () else new_isr
        self.new_isr_with_epochs: Sequence[BrokerState] = (
            [] if new_isr_with_epochs == () else new_isr_with_epochs
        )
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-1)
        topic_name: str = "",
        # Id of the topic. (v2+)
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class AlterPartitionRequest(Message):
    """A partition leader tells the controller of a changed set of in-sync replicas (KIP-497)."""

    __slots__ = ("broker_id", "broker_epoch", "topics", "unknown_tags")

    def __init__(
        self,
        # Broker that asks.
        broker_id: int = 0,
        # Epoch of that broker's registration; -1 when unknown.
        broker_epoch: int = -1,
        # One row a topic.
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_ci_biB = ArrayReads("i", "biB", 1)
_read_array_ci_iB = ArrayReads("i", "iB", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_biB = Struct(">biB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_rows_iqx = Struct(">iqx").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_2iB = Struct(">2iB").pack
_write_bix = Struct(">bix").pack
_write_iqB = Struct(">iqB").pack
_write_iqx = Struct(">iqx").pack
_write_2iB_many_i_bix = ArrayWrites("iiB *i bix")
_write_2iB_many_i_ix = ArrayWrites("iiB *i ix")


def _get_alter_partition_request_v0(buf: bytes, at: int) -> tuple[AlterPartitionRequest, int]:
    m = new(AlterPartitionRequest)
    (m.broker_id, m.broker_epoch, n) = _read_iqB(buf, at)
    at += 13
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
            n, at = long_count(buf, at, 14)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.leader_epoch, n_new_isr,
            ) = _read_2iB(buf, at)
            at += 9
            if n_new_isr > 127:
                n_new_isr, at = long_count(buf, at, 4)
            (
                *partition_data.new_isr, partition_data.partition_epoch, tags,
            ) = _read_array_ci_iB[n_new_isr](buf, at)
            at += 4 * n_new_isr + 1
            partition_data.new_isr_with_epochs = []
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


def _get_alter_partition_request_v1(buf: bytes, at: int) -> tuple[AlterPartitionRequest, int]:
    m = new(AlterPartitionRequest)
    (m.broker_id, m.broker_epoch, n) = _read_iqB(buf, at)
    at += 13
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
            n, at = long_count(buf, at, 15)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.leader_epoch, n_new_isr,
            ) = _read_2iB(buf, at)
            at += 9
            if n_new_isr > 127:
                n_new_isr, at = long_count(buf, at, 4)
            (
                *partition_data.new_isr, partition_data.leader_recovery_state,
                partition_data.partition_epoch, tags,
            ) = _read_array_ci_biB[n_new_isr](buf, at)
            at += 4 * n_new_isr + 2
            partition_data.new_isr_with_epochs = []
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


def _get_alter_partition_request_v2(buf: bytes, at: int) -> tuple[AlterPartitionRequest, int]:
    m = new(AlterPartitionRequest)
    (m.broker_id, m.broker_epoch, n) = _read_iqB(buf, at)
    at += 13
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
            n, at = long_count(buf, at, 15)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.leader_epoch, n_new_isr,
            ) = _read_2iB(buf, at)
            at += 9
            if n_new_isr > 127:
                n_new_isr, at = long_count(buf, at, 4)
            (
                *partition_data.new_isr, partition_data.leader_recovery_state,
                partition_data.partition_epoch, tags,
            ) = _read_array_ci_biB[n_new_isr](buf, at)
            at += 4 * n_new_isr + 2
            partition_data.new_isr_with_epochs = []
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


def _get_alter_partition_request_v3(buf: bytes, at: int) -> tuple[AlterPartitionRequest, int]:
    m = new(AlterPartitionRequest)
    (m.broker_id, m.broker_epoch, n) = _read_iqB(buf, at)
    at += 13
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
            n, at = long_count(buf, at, 15)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (partition_data.partition_index, partition_data.leader_epoch, n) = _read_2iB(buf, at)
            at += 9
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 13)
            new_isr_with_epochs: list[BrokerState] = []
            partition_data.new_isr_with_epochs = new_isr_with_epochs
            left_new_isr_with_epochs = n - 1
            if (
                left_new_isr_with_epochs > 4
                and buf[at + 12 : at + 13 * left_new_isr_with_epochs : 13] ==
                    bytes(left_new_isr_with_epochs)
            ):
                end = at + 13 * left_new_isr_with_epochs
                new_isr_with_epochs += map(new, repeat(BrokerState, left_new_isr_with_epochs))
                left_new_isr_with_epochs = 0
                for broker_state, values in zip(new_isr_with_epochs, _rows_iqx(buf[at:end])):
                    (broker_state.broker_id, broker_state.broker_epoch) = values
                    broker_state.unknown_tags = ()
                at = end
            while left_new_isr_with_epochs:
                left_new_isr_with_epochs -= 1
                broker_state = new(BrokerState)
                new_isr_with_epochs.append(broker_state)
                (broker_state.broker_id, broker_state.broker_epoch, tags) = _read_iqB(buf, at)
                at += 13
                broker_state.unknown_tags = ()
                if tags:
                    broker_state.unknown_tags, at = get_tags(buf, at - 1)
            (
                partition_data.leader_recovery_state, partition_data.partition_epoch, tags,
            ) = _read_biB(buf, at)
            at += 6
            partition_data.new_isr = []
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


def _put_alter_partition_request_v0(out: Parts, m: AlterPartitionRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iqB(m.broker_id, m.broker_epoch, n if n < 128 else 0))
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
            if partition_data.new_isr_with_epochs:
                refuse_field("new_isr_with_epochs")
            if partition_data.leader_recovery_state != 0:
                refuse_field("leader_recovery_state")
            new_isr = partition_data.new_isr
            n_new_isr = len(new_isr)
            write = _write_2iB_many_i_ix[n_new_isr]
            out.append(write(
                partition_data.partition_index, partition_data.leader_epoch, n_new_isr + 1,
                *new_isr, partition_data.partition_epoch,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_alter_partition_request_v1(out: Parts, m: AlterPartitionRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iqB(m.broker_id, m.broker_epoch, n if n < 128 else 0))
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
            if partition_data.new_isr_with_epochs:
                refuse_field("new_isr_with_epochs")
            new_isr = partition_data.new_isr
            n_new_isr = len(new_isr)
            write = _write_2iB_many_i_bix[n_new_isr]
            out.append(write(
                partition_data.partition_index, partition_data.leader_epoch, n_new_isr + 1,
                *new_isr, partition_data.leader_recovery_state, partition_data.partition_epoch,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_alter_partition_request_v2(out: Parts, m: AlterPartitionRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iqB(m.broker_id, m.broker_epoch, n if n < 128 else 0))
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
            if partition_data.new_isr_with_epochs:
                refuse_field("new_isr_with_epochs")
            new_isr = partition_data.new_isr
            n_new_isr = len(new_isr)
            write = _write_2iB_many_i_bix[n_new_isr]
            out.append(write(
                partition_data.partition_index, partition_data.leader_epoch, n_new_isr + 1,
                *new_isr, partition_data.leader_recovery_state, partition_data.partition_epoch,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_alter_partition_request_v3(out: Parts, m: AlterPartitionRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iqB(m.broker_id, m.broker_epoch, n if n < 128 else 0))
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
            if partition_data.new_isr:
                refuse_field("new_isr")
            new_isr_with_epochs = partition_data.new_isr_with_epochs
            n = len(new_isr_with_epochs) + 1
            out.append(_write_2iB(
                partition_data.partition_index, partition_data.leader_epoch, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for broker_state in new_isr_with_epochs:
                out.append(_write_iqx(broker_state.broker_id, broker_state.broker_epoch))
                if broker_state.unknown_tags:
                    put_tags(out, [], broker_state.unknown_tags)
            out.append(_write_bix(
                partition_data.leader_recovery_state, partition_data.partition_epoch,
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
    0: _get_alter_partition_request_v0, 1: _get_alter_partition_request_v1,
    2: _get_alter_partition_request_v2, 3: _get_alter_partition_request_v3,
}
_PUT = {
    0: _put_alter_partition_request_v0, 1: _put_alter_partition_request_v1,
    2: _put_alter_partition_request_v2, 3: _put_alter_partition_request_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterPartitionRequest:
    """The AlterPartitionRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterPartitionRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterPartitionRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterPartitionRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BROKER_STATE_SHAPE: Shape = (
    BrokerState,
    (
        ("brokerId", "broker_id", "int32", (3, 3), None, None, None, 0, False, (0, 3), None),
        ("brokerEpoch", "broker_epoch", "int64", (3, 3), None, None, None, -1, False, (0, 3), None),
    ),
)
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 3), None, None, None, 0, False,
            (0, 3), None,
        ),
        ("leaderEpoch", "leader_epoch", "int32", (0, 3), None, None, None, 0, False, (0, 3), None),
        ("newIsr", "new_isr", "[]int32", (0, 2), None, None, None, (), False, (0, 3), None),
        (
            "newIsrWithEpochs", "new_isr_with_epochs", "[]BrokerState", (3, 3), None, None, None,
            (), False, (0, 3), _BROKER_STATE_SHAPE,
        ),
        (
            "leaderRecoveryState", "leader_recovery_state", "int8", (1, 3), None, None, None, 0,
            False, (0, 3), None,
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
_ALTER_PARTITION_REQUEST_SHAPE: Shape = (
    AlterPartitionRequest,
    (
        ("brokerId", "broker_id", "int32", (0, 3), None, None, None, 0, False, (0, 3), None),
        ("brokerEpoch", "broker_epoch", "int64", (0, 3), None, None, None, -1, False, (0, 3), None),
        (
            "topics", "topics", "[]TopicData", (0, 3), None, None, None, (), False, (0, 3),
            _TOPIC_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_PARTITION_REQUEST_SHAPE, (0, 3), (0, 3))
