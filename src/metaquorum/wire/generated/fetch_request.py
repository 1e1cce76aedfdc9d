# GENERATED from schemas/fetch_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4e9530f117bff5c5, generator 1.
"""Reads record batches, as a consumer, a broker or a replica of the metadata quorum. Api key 1,
versions 0-18, flexible from 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, long_head,
    long_text, long_text_head, put_tags, refuse_field, refuse_null, refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 1
NAME: Final = "FetchRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 18
FLEXIBLE_FROM: Final[int | None] = 12


class ReplicaState(Message):
    """Who fetches."""

    __slots__ = ("replica_id", "replica_epoch", "unknown_tags")

    def __init__(
        self,
        # Replica that fetches; -1 for a consumer. (v15+)
        replica_id: int = -1,
        # Registration epoch of the fetching broker; -1 when it has none. (v15+)
        replica_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.replica_id = replica_id
        self.replica_epoch = replica_epoch
        self.unknown_tags = unknown_tags


class FetchPartition(Message):
    """One row a partition."""

    __slots__ = (
        "partition", "current_leader_epoch", "fetch_offset", "last_fetched_epoch",
        "log_start_offset", "partition_max_bytes", "replica_directory_id", "high_watermark",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Leader epoch the fetcher believes in; -1 turns the check off. (v9+)
        current_leader_epoch: int = -1,
        # Offset to read from.
        fetch_offset: int = 0,
        # Epoch of the record before the fetch offset; -1 when unknown. (v12+)
        last_fetched_epoch: int = -1,
        # Log start offset of the fetching replica; -1 for consumers. (v5+)
        log_start_offset: int = -1,
        # Most bytes of records from this partition; the first batch of the response may exceed it.
        partition_max_bytes: int = 0,
        # Log directory of the asking replica; zeros when unknown. (v17+, tag 0)
        replica_directory_id: bytes = ZERO_UUID,
        # High watermark the fetching replica knows; the largest value means that it does not say.
        # (v18+, tag 1)
        high_watermark: int = 9223372036854775807,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.fetch_offset = fetch_offset
        self.last_fetched_epoch = last_fetched_epoch
        self.log_start_offset = log_start_offset
        self.partition_max_bytes = partition_max_bytes
        self.replica_directory_id = replica_directory_id
        self.high_watermark = high_watermark
        self.unknown_tags = unknown_tags


class FetchTopic(Message):
    """Topics to fetch, or to add to the session."""

    __slots__ = ("topic", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-12)
        topic: str = "",
        # Id of the topic. (v13+)
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partitions: Sequence[FetchPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions: Sequence[FetchPartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ForgottenTopic(Message):
    """Partitions to drop from the session."""

    __slots__ = ("topic", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v7-12)
        topic: str = "",
        # Id of the topic. (v13+)
        topic_id: bytes = ZERO_UUID,
        # Partitions to drop from the session. (v7+)
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class FetchRequest(Message):
    """Reads record batches, as a consumer, a broker or a replica of the metadata quorum."""

    __slots__ = (
        "cluster_id", "replica_id", "replica_state", "max_wait_ms", "min_bytes", "max_bytes",
        "isolation_level", "session_id", "session_epoch", "topics", "forgotten_topics_data",
        "rack_id", "unknown_tags",
    )

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked. (v12+, tag
        # 0)
        cluster_id: str | None = None,
        # Replica that fetches; -1 for a consumer. (v0-14)
        replica_id: int = -1,
        # Who fetches. (v15+, tag 1)
        replica_state: ReplicaState | None = None,
        # Milliseconds to wait for enough data.
        max_wait_ms: int = 0,
        # Bytes that are worth answering before the wait is over.
        min_bytes: int = 0,
        # Most bytes of records in the whole response; the first batch may exceed it. (v3+)
        max_bytes: int = 2147483647,
        # 0 reads everything below the high watermark, 1 only what is committed. (v4+)
        isolation_level: int = 0,
        # Fetch session; 0 when there is none. (v7+)
        session_id: int = 0,
        # Counts the requests of the session; 0 opens one, -1 closes it or does without. (v7+)
        session_epoch: int = -1,
        # Topics to fetch, or to add to the session.
        topics: Sequence[FetchTopic] = (),
        # Partitions to drop from the session. (v7+)
        forgotten_topics_data: Sequence[ForgottenTopic] = (),
        # Rack of the consumer, for reading from a near replica; empty when unknown. (v11+)
        rack_id: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.replica_state = ReplicaState() if replica_state is None else replica_state
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.isolation_level = isolation_level
        self.session_id = session_id
        self.session_epoch = session_epoch
        self.topics: Sequence[FetchTopic] = [] if topics == () else topics
        self.forgotten_topics_data: Sequence[ForgottenTopic] = (
            [] if forgotten_topics_data == () else forgotten_topics_data
        )
        self.rack_id = rack_id
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16s = Struct(">16s").unpack_from
_read_16sB = Struct(">16sB").unpack_from
_read_2i2qi = Struct(">2i2qi").unpack_from
_read_2iqiqiB = Struct(">2iqiqiB").unpack_from
_read_3ib2iB = Struct(">3ib2iB").unpack_from
_read_4i = Struct(">4i").unpack_from
_read_4ib2iB = Struct(">4ib2iB").unpack_from
_read_4ib3i = Struct(">4ib3i").unpack_from
_read_4ibi = Struct(">4ibi").unpack_from
_read_5i = Struct(">5i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_i2qi = Struct(">i2qi").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_read_iqi = Struct(">iqi").unpack_from
_read_q = Struct(">q").unpack_from
_rows_2i2qi = Struct(">2i2qi").iter_unpack
_rows_2iqiqix = Struct(">2iqiqix").iter_unpack
_rows_i2qi = Struct(">i2qi").iter_unpack
_rows_iqi = Struct(">iqi").iter_unpack
_write_16s = Struct(">16s").pack
_write_16sB = Struct(">16sB").pack
_write_2i2qi = Struct(">2i2qi").pack
_write_2iqiqix = Struct(">2iqiqix").pack
_write_3ib2iB = Struct(">3ib2iB").pack
_write_4i = Struct(">4i").pack
_write_4ib2iB = Struct(">4ib2iB").pack
_write_4ib3i = Struct(">4ib3i").pack
_write_4ibi = Struct(">4ibi").pack
_write_5i = Struct(">5i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i2qi = Struct(">i2qi").pack
_write_iqi = Struct(">iqi").pack
_write_iqx = Struct(">iqx").pack
_write_q = Struct(">q").pack
_write_16sB_many_i_x = ArrayWrites("16sB *i x")
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")
_NO_REPLICA_STATE = ReplicaState()


def _get_fetch_request_v0(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (m.replica_id, m.max_wait_ms, m.min_bytes, n) = _read_4i(buf, at)
    at += 16
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 16 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_iqi(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.fetch_offset,
                    fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.current_leader_epoch = -1
                fetch_partition.last_fetched_epoch = -1
                fetch_partition.log_start_offset = -1
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.partition_max_bytes,
            ) = _read_iqi(buf, at)
            at += 16
            fetch_partition.current_leader_epoch = -1
            fetch_partition.last_fetched_epoch = -1
            fetch_partition.log_start_offset = -1
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.max_bytes = 2147483647
    m.isolation_level = 0
    m.session_id = 0
    m.session_epoch = -1
    m.forgotten_topics_data = []
    m.rack_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_request_v3(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, n) = _read_5i(buf, at)
    at += 20
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 16 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_iqi(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.fetch_offset,
                    fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.current_leader_epoch = -1
                fetch_partition.last_fetched_epoch = -1
                fetch_partition.log_start_offset = -1
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.partition_max_bytes,
            ) = _read_iqi(buf, at)
            at += 16
            fetch_partition.current_leader_epoch = -1
            fetch_partition.last_fetched_epoch = -1
            fetch_partition.log_start_offset = -1
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.isolation_level = 0
    m.session_id = 0
    m.session_epoch = -1
    m.forgotten_topics_data = []
    m.rack_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_request_v4(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, n,
    ) = _read_4ibi(buf, at)
    at += 21
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 16 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_iqi(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.fetch_offset,
                    fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.current_leader_epoch = -1
                fetch_partition.last_fetched_epoch = -1
                fetch_partition.log_start_offset = -1
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.partition_max_bytes,
            ) = _read_iqi(buf, at)
            at += 16
            fetch_partition.current_leader_epoch = -1
            fetch_partition.last_fetched_epoch = -1
            fetch_partition.log_start_offset = -1
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.session_id = 0
    m.session_epoch = -1
    m.forgotten_topics_data = []
    m.rack_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_request_v5(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, n,
    ) = _read_4ibi(buf, at)
    at += 21
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 24)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 24 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_i2qi(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.fetch_offset,
                    fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.current_leader_epoch = -1
                fetch_partition.last_fetched_epoch = -1
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ) = _read_i2qi(buf, at)
            at += 24
            fetch_partition.current_leader_epoch = -1
            fetch_partition.last_fetched_epoch = -1
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.session_id = 0
    m.session_epoch = -1
    m.forgotten_topics_data = []
    m.rack_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_request_v7(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ) = _read_4ib3i(buf, at)
    at += 29
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 24)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 24 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_i2qi(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.fetch_offset,
                    fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.current_leader_epoch = -1
                fetch_partition.last_fetched_epoch = -1
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ) = _read_i2qi(buf, at)
            at += 24
            fetch_partition.current_leader_epoch = -1
            fetch_partition.last_fetched_epoch = -1
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        forgotten_topic.topic = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        forgotten_topic.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        forgotten_topic.topic_id = ZERO_UUID
        forgotten_topic.unknown_tags = ()
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.rack_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_request_v9(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ) = _read_4ib3i(buf, at)
    at += 29
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 28)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 28 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_2i2qi(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.current_leader_epoch,
                    fetch_partition.fetch_offset, fetch_partition.log_start_offset,
                    fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.last_fetched_epoch = -1
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.log_start_offset,
                fetch_partition.partition_max_bytes,
            ) = _read_2i2qi(buf, at)
            at += 28
            fetch_partition.last_fetched_epoch = -1
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        forgotten_topic.topic = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        forgotten_topic.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        forgotten_topic.topic_id = ZERO_UUID
        forgotten_topic.unknown_tags = ()
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.rack_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_request_v11(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ) = _read_4ib3i(buf, at)
    at += 29
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 28)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 28 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_2i2qi(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.current_leader_epoch,
                    fetch_partition.fetch_offset, fetch_partition.log_start_offset,
                    fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.last_fetched_epoch = -1
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.log_start_offset,
                fetch_partition.partition_max_bytes,
            ) = _read_2i2qi(buf, at)
            at += 28
            fetch_partition.last_fetched_epoch = -1
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        forgotten_topic.topic = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        forgotten_topic.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        forgotten_topic.topic_id = ZERO_UUID
        forgotten_topic.unknown_tags = ()
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.rack_id = buf[at:end].decode()
    at = end
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_tags_fetch_request_v12(m: FetchRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.cluster_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.cluster_id = buf[at:end].decode()
                at = end
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_request_v12(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ) = _read_4ib2iB(buf, at)
    at += 26
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        fetch_topic.topic = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 32 : at + 33 * left_partitions : 33] == bytes(left_partitions)
        ):
            end = at + 33 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_2iqiqix(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.current_leader_epoch,
                    fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                    fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes, tags,
            ) = _read_2iqiqiB(buf, at)
            at += 33
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
            if tags:
                fetch_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_topic.topic_id = ZERO_UUID
        fetch_topic.unknown_tags = ()
        if tags:
            fetch_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n - 1
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        forgotten_topic.topic = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*forgotten_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        forgotten_topic.topic_id = ZERO_UUID
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.rack_id = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_request_v12(m, buf, at - 1)
    return m, at


def _get_tags_fetch_request_v13(m: FetchRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.cluster_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.cluster_id = buf[at:end].decode()
                at = end
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_request_v13(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ) = _read_4ib2iB(buf, at)
    at += 26
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (fetch_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 32 : at + 33 * left_partitions : 33] == bytes(left_partitions)
        ):
            end = at + 33 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_2iqiqix(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.current_leader_epoch,
                    fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                    fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes, tags,
            ) = _read_2iqiqiB(buf, at)
            at += 33
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
            if tags:
                fetch_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_topic.topic = ""
        fetch_topic.unknown_tags = ()
        if tags:
            fetch_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n - 1
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        (forgotten_topic.topic_id, n_partitions) = _read_16sB(buf, at)
        at += 17
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*forgotten_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        forgotten_topic.topic = ""
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.rack_id = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.replica_state = _NO_REPLICA_STATE
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_request_v13(m, buf, at - 1)
    return m, at


def _get_replica_state_v15(buf: bytes, at: int) -> tuple[ReplicaState, int]:
    m = new(ReplicaState)
    (m.replica_id, m.replica_epoch, tags) = _read_iqB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_fetch_request_v15(m: FetchRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.cluster_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.cluster_id = buf[at:end].decode()
                at = end
        elif tag == 1:
            m.replica_state, at = _get_replica_state_v15(buf, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_request_v15(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch,
        n,
    ) = _read_3ib2iB(buf, at)
    at += 22
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (fetch_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 32 : at + 33 * left_partitions : 33] == bytes(left_partitions)
        ):
            end = at + 33 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_2iqiqix(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.current_leader_epoch,
                    fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                    fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes, tags,
            ) = _read_2iqiqiB(buf, at)
            at += 33
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
            if tags:
                fetch_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_topic.topic = ""
        fetch_topic.unknown_tags = ()
        if tags:
            fetch_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n - 1
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        (forgotten_topic.topic_id, n_partitions) = _read_16sB(buf, at)
        at += 17
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*forgotten_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        forgotten_topic.topic = ""
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.rack_id = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.replica_id = -1
    m.replica_state = _NO_REPLICA_STATE
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_request_v15(m, buf, at - 1)
    return m, at


def _get_tags_fetch_partition_v17(m: FetchPartition, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.replica_directory_id,) = _read_16s(buf, at)
            at += 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_tags_fetch_request_v17(m: FetchRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.cluster_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.cluster_id = buf[at:end].decode()
                at = end
        elif tag == 1:
            m.replica_state, at = _get_replica_state_v15(buf, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_request_v17(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch,
        n,
    ) = _read_3ib2iB(buf, at)
    at += 22
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (fetch_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 32 : at + 33 * left_partitions : 33] == bytes(left_partitions)
        ):
            end = at + 33 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_2iqiqix(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.current_leader_epoch,
                    fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                    fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes, tags,
            ) = _read_2iqiqiB(buf, at)
            at += 33
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
            if tags:
                at = _get_tags_fetch_partition_v17(fetch_partition, buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_topic.topic = ""
        fetch_topic.unknown_tags = ()
        if tags:
            fetch_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n - 1
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        (forgotten_topic.topic_id, n_partitions) = _read_16sB(buf, at)
        at += 17
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*forgotten_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        forgotten_topic.topic = ""
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.rack_id = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.replica_id = -1
    m.replica_state = _NO_REPLICA_STATE
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_request_v17(m, buf, at - 1)
    return m, at


def _get_tags_fetch_partition_v18(m: FetchPartition, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.replica_directory_id,) = _read_16s(buf, at)
            at += 16
        elif tag == 1:
            (m.high_watermark,) = _read_q(buf, at)
            at += 8
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_tags_fetch_request_v18(m: FetchRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.cluster_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                m.cluster_id = buf[at:end].decode()
                at = end
        elif tag == 1:
            m.replica_state, at = _get_replica_state_v15(buf, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_request_v18(buf: bytes, at: int) -> tuple[FetchRequest, int]:
    m = new(FetchRequest)
    (
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch,
        n,
    ) = _read_3ib2iB(buf, at)
    at += 22
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[FetchTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        fetch_topic = new(FetchTopic)
        topics.append(fetch_topic)
        (fetch_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 32 : at + 33 * left_partitions : 33] == bytes(left_partitions)
        ):
            end = at + 33 * left_partitions
            partitions += map(new, repeat(FetchPartition, left_partitions))
            left_partitions = 0
            for fetch_partition, values in zip(partitions, _rows_2iqiqix(buf[at:end])):
                (
                    fetch_partition.partition, fetch_partition.current_leader_epoch,
                    fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                    fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
                ) = values
                fetch_partition.replica_directory_id = ZERO_UUID
                fetch_partition.high_watermark = 9223372036854775807
                fetch_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes, tags,
            ) = _read_2iqiqiB(buf, at)
            at += 33
            fetch_partition.replica_directory_id = ZERO_UUID
            fetch_partition.high_watermark = 9223372036854775807
            fetch_partition.unknown_tags = ()
            if tags:
                at = _get_tags_fetch_partition_v18(fetch_partition, buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_topic.topic = ""
        fetch_topic.unknown_tags = ()
        if tags:
            fetch_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    forgotten_topics_data: list[ForgottenTopic] = []
    m.forgotten_topics_data = forgotten_topics_data
    left_forgotten_topics_data = n - 1
    while left_forgotten_topics_data:
        left_forgotten_topics_data -= 1
        forgotten_topic = new(ForgottenTopic)
        forgotten_topics_data.append(forgotten_topic)
        (forgotten_topic.topic_id, n_partitions) = _read_16sB(buf, at)
        at += 17
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*forgotten_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        forgotten_topic.topic = ""
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.rack_id = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.replica_id = -1
    m.replica_state = _NO_REPLICA_STATE
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_request_v18(m, buf, at - 1)
    return m, at


def _put_fetch_request_v0(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    if m.forgotten_topics_data:
        refuse_field("forgotten_topics_data")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_4i(m.replica_id, m.max_wait_ms, m.min_bytes, n))
    for fetch_topic in topics:
        if fetch_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = fetch_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for fetch_partition in partitions:
            if fetch_partition.last_fetched_epoch != -1:
                refuse_field("last_fetched_epoch")
            if fetch_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iqi(
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.partition_max_bytes,
            ))


def _put_fetch_request_v3(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    if m.forgotten_topics_data:
        refuse_field("forgotten_topics_data")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_5i(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, n))
    for fetch_topic in topics:
        if fetch_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = fetch_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for fetch_partition in partitions:
            if fetch_partition.last_fetched_epoch != -1:
                refuse_field("last_fetched_epoch")
            if fetch_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iqi(
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.partition_max_bytes,
            ))


def _put_fetch_request_v4(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    if m.forgotten_topics_data:
        refuse_field("forgotten_topics_data")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_4ibi(
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, n,
    ))
    for fetch_topic in topics:
        if fetch_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = fetch_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for fetch_partition in partitions:
            if fetch_partition.last_fetched_epoch != -1:
                refuse_field("last_fetched_epoch")
            if fetch_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iqi(
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.partition_max_bytes,
            ))


def _put_fetch_request_v5(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    if m.forgotten_topics_data:
        refuse_field("forgotten_topics_data")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_4ibi(
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, n,
    ))
    for fetch_topic in topics:
        if fetch_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = fetch_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for fetch_partition in partitions:
            if fetch_partition.last_fetched_epoch != -1:
                refuse_field("last_fetched_epoch")
            if fetch_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_i2qi(
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ))


def _put_fetch_request_v7(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_4ib3i(
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ))
    for fetch_topic in topics:
        if fetch_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = fetch_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for fetch_partition in partitions:
            if fetch_partition.last_fetched_epoch != -1:
                refuse_field("last_fetched_epoch")
            if fetch_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_i2qi(
                fetch_partition.partition, fetch_partition.fetch_offset,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ))
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data)
    out.append(_write_i(n))
    for forgotten_topic in forgotten_topics_data:
        if forgotten_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic_ = forgotten_topic.topic.encode()
        n = len(topic_)
        out.append(_write_h(n))
        out.append(topic_)
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions_))


def _put_fetch_request_v9(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_4ib3i(
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ))
    for fetch_topic in topics:
        if fetch_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = fetch_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for fetch_partition in partitions:
            if fetch_partition.last_fetched_epoch != -1:
                refuse_field("last_fetched_epoch")
            if fetch_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_2i2qi(
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.log_start_offset,
                fetch_partition.partition_max_bytes,
            ))
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data)
    out.append(_write_i(n))
    for forgotten_topic in forgotten_topics_data:
        if forgotten_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic_ = forgotten_topic.topic.encode()
        n = len(topic_)
        out.append(_write_h(n))
        out.append(topic_)
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions_))


def _put_fetch_request_v11(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_4ib3i(
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n,
    ))
    for fetch_topic in topics:
        if fetch_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = fetch_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for fetch_partition in partitions:
            if fetch_partition.last_fetched_epoch != -1:
                refuse_field("last_fetched_epoch")
            if fetch_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_2i2qi(
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.log_start_offset,
                fetch_partition.partition_max_bytes,
            ))
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data)
    out.append(_write_i(n))
    for forgotten_topic in forgotten_topics_data:
        if forgotten_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic_ = forgotten_topic.topic.encode()
        n = len(topic_)
        out.append(_write_h(n))
        out.append(topic_)
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions_))
    rack_id = m.rack_id.encode()
    n = len(rack_id)
    out.append(_write_h(n))
    out.append(rack_id)


def _tags_of_fetch_request_v12(m: FetchRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.cluster_id is not None:
        part: Parts = []
        cluster_id = m.cluster_id.encode()
        n = len(cluster_id) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(cluster_id)
        tags.append((0, joined(part)))
    return tags


def _put_fetch_request_v12(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_4ib2iB(
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for fetch_topic in topics:
        topic = fetch_topic.topic.encode()
        n = len(topic) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic)
        partitions = fetch_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for fetch_partition in partitions:
            out.append(_write_2iqiqix(
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ))
            if fetch_partition.unknown_tags:
                put_tags(out, [], fetch_partition.unknown_tags)
        out.append(b"\0")
        if fetch_topic.unknown_tags:
            put_tags(out, [], fetch_topic.unknown_tags)
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for forgotten_topic in forgotten_topics_data:
        topic_ = forgotten_topic.topic.encode()
        n = len(topic_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_)
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions_))
        if forgotten_topic.unknown_tags:
            put_tags(out, [], forgotten_topic.unknown_tags)
    rack_id = m.rack_id.encode()
    n = len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    out.append(b"\0")
    if m.unknown_tags or m.cluster_id is not None:
        put_tags(out, _tags_of_fetch_request_v12(m), m.unknown_tags)


def _tags_of_fetch_request_v13(m: FetchRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.cluster_id is not None:
        part: Parts = []
        cluster_id = m.cluster_id.encode()
        n = len(cluster_id) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(cluster_id)
        tags.append((0, joined(part)))
    return tags


def _put_fetch_request_v13(out: Parts, m: FetchRequest) -> None:
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        refuse_field("replica_state")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_4ib2iB(
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id,
        m.session_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for fetch_topic in topics:
        if len(fetch_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = fetch_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(fetch_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for fetch_partition in partitions:
            out.append(_write_2iqiqix(
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ))
            if fetch_partition.unknown_tags:
                put_tags(out, [], fetch_partition.unknown_tags)
        out.append(b"\0")
        if fetch_topic.unknown_tags:
            put_tags(out, [], fetch_topic.unknown_tags)
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for forgotten_topic in forgotten_topics_data:
        if len(forgotten_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_16sB_many_i_x[n_partitions]
        out.append(write(forgotten_topic.topic_id, n_partitions + 1, *partitions_))
        if forgotten_topic.unknown_tags:
            put_tags(out, [], forgotten_topic.unknown_tags)
    rack_id = m.rack_id.encode()
    n = len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    out.append(b"\0")
    if m.unknown_tags or m.cluster_id is not None:
        put_tags(out, _tags_of_fetch_request_v13(m), m.unknown_tags)


def _put_replica_state_v15(out: Parts, m: ReplicaState) -> None:
    out.append(_write_iqx(m.replica_id, m.replica_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_fetch_request_v15(m: FetchRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.cluster_id is not None:
        part: Parts = []
        cluster_id = m.cluster_id.encode()
        n = len(cluster_id) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(cluster_id)
        tags.append((0, joined(part)))
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        part = []
        _put_replica_state_v15(part, m.replica_state)
        tags.append((1, joined(part)))
    return tags


def _put_fetch_request_v15(out: Parts, m: FetchRequest) -> None:
    if m.replica_id != -1:
        refuse_field("replica_id")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_3ib2iB(
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for fetch_topic in topics:
        if len(fetch_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = fetch_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(fetch_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for fetch_partition in partitions:
            out.append(_write_2iqiqix(
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ))
            if fetch_partition.unknown_tags:
                put_tags(out, [], fetch_partition.unknown_tags)
        out.append(b"\0")
        if fetch_topic.unknown_tags:
            put_tags(out, [], fetch_topic.unknown_tags)
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for forgotten_topic in forgotten_topics_data:
        if len(forgotten_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_16sB_many_i_x[n_partitions]
        out.append(write(forgotten_topic.topic_id, n_partitions + 1, *partitions_))
        if forgotten_topic.unknown_tags:
            put_tags(out, [], forgotten_topic.unknown_tags)
    rack_id = m.rack_id.encode()
    n = len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    out.append(b"\0")
    if (
        m.unknown_tags
        or m.cluster_id is not None
        or ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        put_tags(out, _tags_of_fetch_request_v15(m), m.unknown_tags)


def _tags_of_fetch_partition_v17(m: FetchPartition) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.replica_directory_id != ZERO_UUID:
        if len(m.replica_directory_id) != 16:
            refuse_uuid("replica_directory_id")
        tags.append((0, _write_16s(m.replica_directory_id)))
    return tags


def _tags_of_fetch_request_v17(m: FetchRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.cluster_id is not None:
        part: Parts = []
        cluster_id = m.cluster_id.encode()
        n = len(cluster_id) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(cluster_id)
        tags.append((0, joined(part)))
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        part = []
        _put_replica_state_v15(part, m.replica_state)
        tags.append((1, joined(part)))
    return tags


def _put_fetch_request_v17(out: Parts, m: FetchRequest) -> None:
    if m.replica_id != -1:
        refuse_field("replica_id")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_3ib2iB(
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for fetch_topic in topics:
        if len(fetch_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = fetch_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(fetch_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for fetch_partition in partitions:
            out.append(_write_2iqiqix(
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ))
            if fetch_partition.unknown_tags or fetch_partition.replica_directory_id != ZERO_UUID:
                put_tags(
                    out, _tags_of_fetch_partition_v17(fetch_partition),
                    fetch_partition.unknown_tags,
                )
        out.append(b"\0")
        if fetch_topic.unknown_tags:
            put_tags(out, [], fetch_topic.unknown_tags)
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for forgotten_topic in forgotten_topics_data:
        if len(forgotten_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_16sB_many_i_x[n_partitions]
        out.append(write(forgotten_topic.topic_id, n_partitions + 1, *partitions_))
        if forgotten_topic.unknown_tags:
            put_tags(out, [], forgotten_topic.unknown_tags)
    rack_id = m.rack_id.encode()
    n = len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    out.append(b"\0")
    if (
        m.unknown_tags
        or m.cluster_id is not None
        or ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        put_tags(out, _tags_of_fetch_request_v17(m), m.unknown_tags)


def _tags_of_fetch_partition_v18(m: FetchPartition) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.replica_directory_id != ZERO_UUID:
        if len(m.replica_directory_id) != 16:
            refuse_uuid("replica_directory_id")
        tags.append((0, _write_16s(m.replica_directory_id)))
    if m.high_watermark != 9223372036854775807:
        tags.append((1, _write_q(m.high_watermark)))
    return tags


def _tags_of_fetch_request_v18(m: FetchRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.cluster_id is not None:
        part: Parts = []
        cluster_id = m.cluster_id.encode()
        n = len(cluster_id) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        part.append(cluster_id)
        tags.append((0, joined(part)))
    if (
        ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        part = []
        _put_replica_state_v15(part, m.replica_state)
        tags.append((1, joined(part)))
    return tags


def _put_fetch_request_v18(out: Parts, m: FetchRequest) -> None:
    if m.replica_id != -1:
        refuse_field("replica_id")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_3ib2iB(
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for fetch_topic in topics:
        if len(fetch_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = fetch_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(fetch_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for fetch_partition in partitions:
            out.append(_write_2iqiqix(
                fetch_partition.partition, fetch_partition.current_leader_epoch,
                fetch_partition.fetch_offset, fetch_partition.last_fetched_epoch,
                fetch_partition.log_start_offset, fetch_partition.partition_max_bytes,
            ))
            if (
                fetch_partition.unknown_tags
                or fetch_partition.replica_directory_id != ZERO_UUID
                or fetch_partition.high_watermark != 9223372036854775807
            ):
                put_tags(
                    out, _tags_of_fetch_partition_v18(fetch_partition),
                    fetch_partition.unknown_tags,
                )
        out.append(b"\0")
        if fetch_topic.unknown_tags:
            put_tags(out, [], fetch_topic.unknown_tags)
    forgotten_topics_data = m.forgotten_topics_data
    n = len(forgotten_topics_data) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for forgotten_topic in forgotten_topics_data:
        if len(forgotten_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions_ = forgotten_topic.partitions
        n_partitions = len(partitions_)
        write = _write_16sB_many_i_x[n_partitions]
        out.append(write(forgotten_topic.topic_id, n_partitions + 1, *partitions_))
        if forgotten_topic.unknown_tags:
            put_tags(out, [], forgotten_topic.unknown_tags)
    rack_id = m.rack_id.encode()
    n = len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    out.append(b"\0")
    if (
        m.unknown_tags
        or m.cluster_id is not None
        or ((replica_state := m.replica_state) is not _NO_REPLICA_STATE and
            (replica_state.replica_id != -1 or replica_state.replica_epoch != -1 or
            replica_state.unknown_tags))
    ):
        put_tags(out, _tags_of_fetch_request_v18(m), m.unknown_tags)


_GET = {
    0: _get_fetch_request_v0, 1: _get_fetch_request_v0, 2: _get_fetch_request_v0,
    3: _get_fetch_request_v3, 4: _get_fetch_request_v4, 5: _get_fetch_request_v5,
    6: _get_fetch_request_v5, 7: _get_fetch_request_v7, 8: _get_fetch_request_v7,
    9: _get_fetch_request_v9, 10: _get_fetch_request_v9, 11: _get_fetch_request_v11,
    12: _get_fetch_request_v12, 13: _get_fetch_request_v13, 14: _get_fetch_request_v13,
    15: _get_fetch_request_v15, 16: _get_fetch_request_v15, 17: _get_fetch_request_v17,
    18: _get_fetch_request_v18,
}
_PUT = {
    0: _put_fetch_request_v0, 1: _put_fetch_request_v0, 2: _put_fetch_request_v0,
    3: _put_fetch_request_v3, 4: _put_fetch_request_v4, 5: _put_fetch_request_v5,
    6: _put_fetch_request_v5, 7: _put_fetch_request_v7, 8: _put_fetch_request_v7,
    9: _put_fetch_request_v9, 10: _put_fetch_request_v9, 11: _put_fetch_request_v11,
    12: _put_fetch_request_v12, 13: _put_fetch_request_v13, 14: _put_fetch_request_v13,
    15: _put_fetch_request_v15, 16: _put_fetch_request_v15, 17: _put_fetch_request_v17,
    18: _put_fetch_request_v18,
}


def decode(buf: Buffer, version: int, at: int = 0) -> FetchRequest:
    """The FetchRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[FetchRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: FetchRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: FetchRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REPLICA_STATE_SHAPE: Shape = (
    ReplicaState,
    (
        ("replicaId", "replica_id", "int32", (15, 18), None, None, None, -1, False, (12, 18), None),
        (
            "replicaEpoch", "replica_epoch", "int64", (15, 18), None, None, None, -1, False,
            (12, 18), None,
        ),
    ),
)
_FETCH_PARTITION_SHAPE: Shape = (
    FetchPartition,
    (
        ("partition", "partition", "int32", (0, 18), None, None, None, 0, False, (12, 18), None),
        (
            "currentLeaderEpoch", "current_leader_epoch", "int32", (9, 18), None, None, None, -1,
            True, (12, 18), None,
        ),
        (
            "fetchOffset", "fetch_offset", "int64", (0, 18), None, None, None, 0, False, (12, 18),
            None,
        ),
        (
            "lastFetchedEpoch", "last_fetched_epoch", "int32", (12, 18), None, None, None, -1,
            False, (12, 18), None,
        ),
        (
            "logStartOffset", "log_start_offset", "int64", (5, 18), None, None, None, -1, True,
            (12, 18), None,
        ),
        (
            "partitionMaxBytes", "partition_max_bytes", "int32", (0, 18), None, None, None, 0,
            False, (12, 18), None,
        ),
        (
            "replicaDirectoryId", "replica_directory_id", "uuid", (17, 18), None, 0, (17, 18),
            ZERO_UUID, True, (12, 18), None,
        ),
        (
            "highWatermark", "high_watermark", "int64", (18, 18), None, 1, (18, 18),
            9223372036854775807, True, (12, 18), None,
        ),
    ),
)
_FETCH_TOPIC_SHAPE: Shape = (
    FetchTopic,
    (
        ("topic", "topic", "string", (0, 12), None, None, None, "", True, (12, 18), None),
        (
            "topicId", "topic_id", "uuid", (13, 18), None, None, None, ZERO_UUID, True, (12, 18),
            None,
        ),
        (
            "partitions", "partitions", "[]FetchPartition", (0, 18), None, None, None, (), False,
            (12, 18), _FETCH_PARTITION_SHAPE,
        ),
    ),
)
_FORGOTTEN_TOPIC_SHAPE: Shape = (
    ForgottenTopic,
    (
        ("topic", "topic", "string", (7, 12), None, None, None, "", True, (12, 18), None),
        (
            "topicId", "topic_id", "uuid", (13, 18), None, None, None, ZERO_UUID, True, (12, 18),
            None,
        ),
        (
            "partitions", "partitions", "[]int32", (7, 18), None, None, None, (), False, (12, 18),
            None,
        ),
    ),
)
_FETCH_REQUEST_SHAPE: Shape = (
    FetchRequest,
    (
        (
            "clusterId", "cluster_id", "string", (12, 18), (12, 18), 0, (12, 18), None, True,
            (12, 18), None,
        ),
        ("replicaId", "replica_id", "int32", (0, 14), None, None, None, -1, False, (12, 18), None),
        (
            "replicaState", "replica_state", "ReplicaState", (15, 18), None, 1, (15, 18), UNSET,
            False, (12, 18), _REPLICA_STATE_SHAPE,
        ),
        ("maxWaitMs", "max_wait_ms", "int32", (0, 18), None, None, None, 0, False, (12, 18), None),
        ("minBytes", "min_bytes", "int32", (0, 18), None, None, None, 0, False, (12, 18), None),
        (
            "maxBytes", "max_bytes", "int32", (3, 18), None, None, None, 2147483647, True, (12, 18),
            None,
        ),
        (
            "isolationLevel", "isolation_level", "int8", (4, 18), None, None, None, 0, True,
            (12, 18), None,
        ),
        ("sessionId", "session_id", "int32", (7, 18), None, None, None, 0, True, (12, 18), None),
        (
            "sessionEpoch", "session_epoch", "int32", (7, 18), None, None, None, -1, True, (12, 18),
            None,
        ),
        (
            "topics", "topics", "[]FetchTopic", (0, 18), None, None, None, (), False, (12, 18),
            _FETCH_TOPIC_SHAPE,
        ),
        (
            "forgottenTopicsData", "forgotten_topics_data", "[]ForgottenTopic", (7, 18), None, None,
            None, (), False, (12, 18), _FORGOTTEN_TOPIC_SHAPE,
        ),
        ("rackId", "rack_id", "string", (11, 18), None, None, None, "", True, (12, 18), None),
    ),
)
SHAPE: Shape = (_FETCH_REQUEST_SHAPE, (0, 18), (12, 18))
