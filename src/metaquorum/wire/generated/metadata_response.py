# GENERATED from schemas/metadata_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 533348d9c3cfd69c, generator 1.
"""Brokers, topics and who leads each partition. Api key 3, versions 0-13, flexible from 9."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_text,
    long_text_head, not_null, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 3
NAME: Final = "MetadataResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 13
FLEXIBLE_FROM: Final[int | None] = 9


class MetadataResponseBroker(Message):
    """Brokers that are alive, with their endpoints on the listener of the connection."""

    __slots__ = ("node_id", "host", "port", "rack", "unknown_tags")

    def __init__(
        self,
        # Id of the broker.
        node_id: int = 0,
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        # Rack of the node; null when it has none. (v1+)
        rack: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack
        self.unknown_tags = unknown_tags


class MetadataResponsePartition(Message):
    """Partitions of the topic."""

    __slots__ = (
        "error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes",
        "offline_replicas", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Index of the partition.
        partition_index: int = 0,
        # Broker that leads the partition; -1 when there is none.
        leader_id: int = 0,
        # Epoch of the leader; -1 when unknown. (v7+)
        leader_epoch: int = -1,
        # Replicas of the partition, preferred leader first.
        replica_nodes: Sequence[int] = (),
        # Replicas in sync with the leader.
        isr_nodes: Sequence[int] = (),
        # Replicas that are not alive. (v5+)
        offline_replicas: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes: Sequence[int] = [] if replica_nodes == () else replica_nodes
        self.isr_nodes: Sequence[int] = [] if isr_nodes == () else isr_nodes
        self.offline_replicas: Sequence[int] = [] if offline_replicas == () else offline_replicas
        self.unknown_tags = unknown_tags


class MetadataResponseTopic(Message):
    """One result a topic."""

    __slots__ = (
        "error_code", "name", "topic_id", "is_internal", "partitions",
        "topic_authorized_operations", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this topic; 0 for none.
        error_code: int = 0,
        # Name of the topic; null when asked by an unknown id.
        name: str | None = "",
        # Id of the topic. (v10+)
        topic_id: bytes = ZERO_UUID,
        # True when the topic belongs to Kafka itself. (v1+)
        is_internal: bool = False,
        # Partitions of the topic.
        partitions: Sequence[MetadataResponsePartition] = (),
        # Bit set of what the caller may do with the topic; the lowest int32 when not asked for.
        # (v8+)
        topic_authorized_operations: int = -2147483648,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions: Sequence[MetadataResponsePartition] = (
            [] if partitions == () else partitions
        )
        self.topic_authorized_operations = topic_authorized_operations
        self.unknown_tags = unknown_tags


class MetadataResponse(Message):
    """Brokers, topics and who leads each partition."""

    __slots__ = (
        "throttle_time_ms", "brokers", "cluster_id", "controller_id", "topics",
        "cluster_authorized_operations", "error_code", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v3+)
        throttle_time_ms: int = 0,
        # Brokers that are alive, with their endpoints on the listener of the connection.
        brokers: Sequence[MetadataResponseBroker] = (),
        # Id of this cluster; null when the server does not know it. (v2+)
        cluster_id: str | None = None,
        # Broker to send controller requests to; -1 when unknown. (v1+)
        controller_id: int = -1,
        # One result a topic.
        topics: Sequence[MetadataResponseTopic] = (),
        # Bit set of what the caller may do with the cluster; the lowest int32 when not asked for.
        # (v8-10)
        cluster_authorized_operations: int = -2147483648,
        # Error of the whole request; 0 for none. (v13+)
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.brokers: Sequence[MetadataResponseBroker] = [] if brokers == () else brokers
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.topics: Sequence[MetadataResponseTopic] = [] if topics == () else topics
        self.cluster_authorized_operations = cluster_authorized_operations
        self.error_code = error_code
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_array_ni_i = ArrayReads("i", "i", 0)
_read_16stB = Struct(">16s?B").unpack_from
_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_ti = Struct(">?i").unpack_from
_read_h = Struct(">h").unpack_from
_read_h3i = Struct(">h3i").unpack_from
_read_h3iB = Struct(">h3iB").unpack_from
_read_h4i = Struct(">h4i").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_write_16stB = Struct(">16s?B").pack
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_tB = Struct(">?B").pack
_write_ti = Struct(">?i").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_hx = Struct(">hx").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ix = Struct(">ix").pack
_write_h3i_many_i_i_many_i = ArrayWrites("hiii *i i *i")
_write_h3i_many_i_i_many_i_i_many_i = ArrayWrites("hiii *i i *i i *i")
_write_h3iB_many_i_B_many_i_B_many_i_x = ArrayWrites("hiiiB *i B *i B *i x")
_write_h4i_many_i_i_many_i_i_many_i = ArrayWrites("hiiii *i i *i i *i")


def _get_metadata_response_v0(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port,) = _read_i(buf, at)
        at += 4
        response_broker.rack = None
        response_broker.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        response_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes,
            ) = _read_h3i(buf, at)
            at += 14
            if not 0 <= n_replica_nodes < 128:
                check_count(buf, at, n_replica_nodes, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ni_i[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes + 4
            if not 0 <= n_isr_nodes < 128:
                check_count(buf, at, n_isr_nodes, 4)
            response_partition.isr_nodes = [*_read_array_ni[n_isr_nodes](buf, at)]
            at += 4 * n_isr_nodes
            response_partition.leader_epoch = -1
            response_partition.offline_replicas = []
            response_partition.unknown_tags = ()
        response_topic.topic_id = ZERO_UUID
        response_topic.is_internal = False
        response_topic.topic_authorized_operations = -2147483648
        response_topic.unknown_tags = ()
    m.throttle_time_ms = 0
    m.cluster_id = None
    m.controller_id = -1
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_response_v1(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 12)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            response_broker.rack = None
        else:
            end = at + n
            response_broker.rack = buf[at:end].decode()
            at = end
        response_broker.unknown_tags = ()
    (m.controller_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 9)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.is_internal, n) = _read_ti(buf, at)
        at += 5
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes,
            ) = _read_h3i(buf, at)
            at += 14
            if not 0 <= n_replica_nodes < 128:
                check_count(buf, at, n_replica_nodes, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ni_i[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes + 4
            if not 0 <= n_isr_nodes < 128:
                check_count(buf, at, n_isr_nodes, 4)
            response_partition.isr_nodes = [*_read_array_ni[n_isr_nodes](buf, at)]
            at += 4 * n_isr_nodes
            response_partition.leader_epoch = -1
            response_partition.offline_replicas = []
            response_partition.unknown_tags = ()
        response_topic.topic_id = ZERO_UUID
        response_topic.topic_authorized_operations = -2147483648
        response_topic.unknown_tags = ()
    m.throttle_time_ms = 0
    m.cluster_id = None
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_response_v2(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 12)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            response_broker.rack = None
        else:
            end = at + n
            response_broker.rack = buf[at:end].decode()
            at = end
        response_broker.unknown_tags = ()
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.cluster_id = None
    else:
        end = at + n
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.controller_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 9)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.is_internal, n) = _read_ti(buf, at)
        at += 5
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes,
            ) = _read_h3i(buf, at)
            at += 14
            if not 0 <= n_replica_nodes < 128:
                check_count(buf, at, n_replica_nodes, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ni_i[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes + 4
            if not 0 <= n_isr_nodes < 128:
                check_count(buf, at, n_isr_nodes, 4)
            response_partition.isr_nodes = [*_read_array_ni[n_isr_nodes](buf, at)]
            at += 4 * n_isr_nodes
            response_partition.leader_epoch = -1
            response_partition.offline_replicas = []
            response_partition.unknown_tags = ()
        response_topic.topic_id = ZERO_UUID
        response_topic.topic_authorized_operations = -2147483648
        response_topic.unknown_tags = ()
    m.throttle_time_ms = 0
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_response_v3(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 12)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            response_broker.rack = None
        else:
            end = at + n
            response_broker.rack = buf[at:end].decode()
            at = end
        response_broker.unknown_tags = ()
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.cluster_id = None
    else:
        end = at + n
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.controller_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 9)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.is_internal, n) = _read_ti(buf, at)
        at += 5
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes,
            ) = _read_h3i(buf, at)
            at += 14
            if not 0 <= n_replica_nodes < 128:
                check_count(buf, at, n_replica_nodes, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ni_i[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes + 4
            if not 0 <= n_isr_nodes < 128:
                check_count(buf, at, n_isr_nodes, 4)
            response_partition.isr_nodes = [*_read_array_ni[n_isr_nodes](buf, at)]
            at += 4 * n_isr_nodes
            response_partition.leader_epoch = -1
            response_partition.offline_replicas = []
            response_partition.unknown_tags = ()
        response_topic.topic_id = ZERO_UUID
        response_topic.topic_authorized_operations = -2147483648
        response_topic.unknown_tags = ()
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_response_v5(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 12)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            response_broker.rack = None
        else:
            end = at + n
            response_broker.rack = buf[at:end].decode()
            at = end
        response_broker.unknown_tags = ()
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.cluster_id = None
    else:
        end = at + n
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.controller_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 9)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.is_internal, n) = _read_ti(buf, at)
        at += 5
        if not 0 <= n < 128:
            check_count(buf, at, n, 22)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes,
            ) = _read_h3i(buf, at)
            at += 14
            if not 0 <= n_replica_nodes < 128:
                check_count(buf, at, n_replica_nodes, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ni_i[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes + 4
            if not 0 <= n_isr_nodes < 128:
                check_count(buf, at, n_isr_nodes, 4)
            (
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ni_i[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes + 4
            if not 0 <= n_offline_replicas < 128:
                check_count(buf, at, n_offline_replicas, 4)
            response_partition.offline_replicas = [*_read_array_ni[n_offline_replicas](buf, at)]
            at += 4 * n_offline_replicas
            response_partition.leader_epoch = -1
            response_partition.unknown_tags = ()
        response_topic.topic_id = ZERO_UUID
        response_topic.topic_authorized_operations = -2147483648
        response_topic.unknown_tags = ()
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_response_v7(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 12)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            response_broker.rack = None
        else:
            end = at + n
            response_broker.rack = buf[at:end].decode()
            at = end
        response_broker.unknown_tags = ()
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.cluster_id = None
    else:
        end = at + n
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.controller_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 9)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.is_internal, n) = _read_ti(buf, at)
        at += 5
        if not 0 <= n < 128:
            check_count(buf, at, n, 26)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes,
            ) = _read_h4i(buf, at)
            at += 18
            if not 0 <= n_replica_nodes < 128:
                check_count(buf, at, n_replica_nodes, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ni_i[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes + 4
            if not 0 <= n_isr_nodes < 128:
                check_count(buf, at, n_isr_nodes, 4)
            (
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ni_i[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes + 4
            if not 0 <= n_offline_replicas < 128:
                check_count(buf, at, n_offline_replicas, 4)
            response_partition.offline_replicas = [*_read_array_ni[n_offline_replicas](buf, at)]
            at += 4 * n_offline_replicas
            response_partition.unknown_tags = ()
        response_topic.topic_id = ZERO_UUID
        response_topic.topic_authorized_operations = -2147483648
        response_topic.unknown_tags = ()
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_response_v8(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 12)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            response_broker.rack = None
        else:
            end = at + n
            response_broker.rack = buf[at:end].decode()
            at = end
        response_broker.unknown_tags = ()
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.cluster_id = None
    else:
        end = at + n
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.controller_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 13)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.is_internal, n) = _read_ti(buf, at)
        at += 5
        if not 0 <= n < 128:
            check_count(buf, at, n, 26)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes,
            ) = _read_h4i(buf, at)
            at += 18
            if not 0 <= n_replica_nodes < 128:
                check_count(buf, at, n_replica_nodes, 4)
            (
                *response_partition.replica_nodes, n_isr_nodes,
            ) = _read_array_ni_i[n_replica_nodes](buf, at)
            at += 4 * n_replica_nodes + 4
            if not 0 <= n_isr_nodes < 128:
                check_count(buf, at, n_isr_nodes, 4)
            (
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ni_i[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes + 4
            if not 0 <= n_offline_replicas < 128:
                check_count(buf, at, n_offline_replicas, 4)
            response_partition.offline_replicas = [*_read_array_ni[n_offline_replicas](buf, at)]
            at += 4 * n_offline_replicas
            response_partition.unknown_tags = ()
        (response_topic.topic_authorized_operations,) = _read_i(buf, at)
        at += 4
        response_topic.topic_id = ZERO_UUID
        response_topic.unknown_tags = ()
    (m.cluster_authorized_operations,) = _read_i(buf, at)
    at += 4
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_response_v9(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            response_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            response_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        response_broker.unknown_tags = ()
        if tags:
            response_broker.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 10)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.is_internal, n) = _read_tB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
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
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ci_B[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes - 3
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
        response_topic.topic_id = ZERO_UUID
        response_topic.unknown_tags = ()
        if tags:
            response_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.cluster_authorized_operations, tags) = _read_iB(buf, at)
    at += 5
    m.error_code = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_metadata_response_v10(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            response_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            response_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        response_broker.unknown_tags = ()
        if tags:
            response_broker.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 26)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.topic_id, response_topic.is_internal, n) = _read_16stB(buf, at)
        at += 18
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
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
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ci_B[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes - 3
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
    (m.cluster_authorized_operations, tags) = _read_iB(buf, at)
    at += 5
    m.error_code = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_metadata_response_v11(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            response_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            response_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        response_broker.unknown_tags = ()
        if tags:
            response_broker.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 26)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
        topics.append(response_topic)
        (response_topic.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_topic.name = buf[at:end].decode()
        at = end
        (response_topic.topic_id, response_topic.is_internal, n) = _read_16stB(buf, at)
        at += 18
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
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
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ci_B[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes - 3
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
    tags = buf[at]
    at += 1
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_metadata_response_v12(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            response_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            response_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        response_broker.unknown_tags = ()
        if tags:
            response_broker.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 26)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
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
            n, at = long_count(buf, at, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
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
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ci_B[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes - 3
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
    tags = buf[at]
    at += 1
    m.cluster_authorized_operations = -2147483648
    m.error_code = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_metadata_response_v13(buf: bytes, at: int) -> tuple[MetadataResponse, int]:
    m = new(MetadataResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    brokers: list[MetadataResponseBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        response_broker = new(MetadataResponseBroker)
        brokers.append(response_broker)
        (response_broker.node_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        response_broker.host = buf[at:end].decode()
        at = end
        (response_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            response_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            response_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        response_broker.unknown_tags = ()
        if tags:
            response_broker.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 26)
    topics: list[MetadataResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        response_topic = new(MetadataResponseTopic)
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
            n, at = long_count(buf, at, 18)
        partitions: list[MetadataResponsePartition] = []
        response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(MetadataResponsePartition)
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
                *response_partition.isr_nodes, n_offline_replicas,
            ) = _read_array_ci_B[n_isr_nodes](buf, at)
            at += 4 * n_isr_nodes - 3
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
    (m.error_code, tags) = _read_hB(buf, at)
    at += 3
    m.cluster_authorized_operations = -2147483648
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_metadata_response_v0(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    brokers = m.brokers
    n = len(brokers)
    out.append(_write_i(n))
    for response_broker in brokers:
        if response_broker.unknown_tags:
            refuse_field("unknown_tags")
        host = response_broker.host.encode()
        n = len(host)
        out.append(_write_ih(response_broker.node_id, n))
        out.append(host)
        out.append(_write_i(response_broker.port))
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for response_topic in topics:
        if response_topic.topic_authorized_operations != -2147483648:
            refuse_field("topic_authorized_operations")
        if response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(response_topic.name).encode()
        n = len(name)
        out.append(_write_2h(response_topic.error_code, n))
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            write = _write_h3i_many_i_i_many_i[n_replica_nodes, n_isr_nodes]
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes, *replica_nodes, n_isr_nodes,
                *isr_nodes,
            ))


def _put_metadata_response_v1(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    brokers = m.brokers
    n = len(brokers)
    out.append(_write_i(n))
    for response_broker in brokers:
        if response_broker.unknown_tags:
            refuse_field("unknown_tags")
        host = response_broker.host.encode()
        n = len(host)
        out.append(_write_ih(response_broker.node_id, n))
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = -1 if response_broker.rack is None else len(rack)
        out.append(_write_ih(response_broker.port, n))
        out.append(rack)
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.controller_id, n))
    for response_topic in topics:
        if response_topic.topic_authorized_operations != -2147483648:
            refuse_field("topic_authorized_operations")
        if response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(response_topic.name).encode()
        n = len(name)
        out.append(_write_2h(response_topic.error_code, n))
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions)
        out.append(_write_ti(response_topic.is_internal, n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            write = _write_h3i_many_i_i_many_i[n_replica_nodes, n_isr_nodes]
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes, *replica_nodes, n_isr_nodes,
                *isr_nodes,
            ))


def _put_metadata_response_v2(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    brokers = m.brokers
    n = len(brokers)
    out.append(_write_i(n))
    for response_broker in brokers:
        if response_broker.unknown_tags:
            refuse_field("unknown_tags")
        host = response_broker.host.encode()
        n = len(host)
        out.append(_write_ih(response_broker.node_id, n))
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = -1 if response_broker.rack is None else len(rack)
        out.append(_write_ih(response_broker.port, n))
        out.append(rack)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = -1 if m.cluster_id is None else len(cluster_id)
    out.append(_write_h(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.controller_id, n))
    for response_topic in topics:
        if response_topic.topic_authorized_operations != -2147483648:
            refuse_field("topic_authorized_operations")
        if response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(response_topic.name).encode()
        n = len(name)
        out.append(_write_2h(response_topic.error_code, n))
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions)
        out.append(_write_ti(response_topic.is_internal, n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            write = _write_h3i_many_i_i_many_i[n_replica_nodes, n_isr_nodes]
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes, *replica_nodes, n_isr_nodes,
                *isr_nodes,
            ))


def _put_metadata_response_v3(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    brokers = m.brokers
    n = len(brokers)
    out.append(_write_2i(m.throttle_time_ms, n))
    for response_broker in brokers:
        if response_broker.unknown_tags:
            refuse_field("unknown_tags")
        host = response_broker.host.encode()
        n = len(host)
        out.append(_write_ih(response_broker.node_id, n))
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = -1 if response_broker.rack is None else len(rack)
        out.append(_write_ih(response_broker.port, n))
        out.append(rack)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = -1 if m.cluster_id is None else len(cluster_id)
    out.append(_write_h(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.controller_id, n))
    for response_topic in topics:
        if response_topic.topic_authorized_operations != -2147483648:
            refuse_field("topic_authorized_operations")
        if response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(response_topic.name).encode()
        n = len(name)
        out.append(_write_2h(response_topic.error_code, n))
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions)
        out.append(_write_ti(response_topic.is_internal, n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            write = _write_h3i_many_i_i_many_i[n_replica_nodes, n_isr_nodes]
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes, *replica_nodes, n_isr_nodes,
                *isr_nodes,
            ))


def _put_metadata_response_v5(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    brokers = m.brokers
    n = len(brokers)
    out.append(_write_2i(m.throttle_time_ms, n))
    for response_broker in brokers:
        if response_broker.unknown_tags:
            refuse_field("unknown_tags")
        host = response_broker.host.encode()
        n = len(host)
        out.append(_write_ih(response_broker.node_id, n))
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = -1 if response_broker.rack is None else len(rack)
        out.append(_write_ih(response_broker.port, n))
        out.append(rack)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = -1 if m.cluster_id is None else len(cluster_id)
    out.append(_write_h(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.controller_id, n))
    for response_topic in topics:
        if response_topic.topic_authorized_operations != -2147483648:
            refuse_field("topic_authorized_operations")
        if response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(response_topic.name).encode()
        n = len(name)
        out.append(_write_2h(response_topic.error_code, n))
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions)
        out.append(_write_ti(response_topic.is_internal, n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h3i_many_i_i_many_i_i_many_i[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, n_replica_nodes, *replica_nodes, n_isr_nodes,
                *isr_nodes, n_offline_replicas, *offline_replicas,
            ))


def _put_metadata_response_v7(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    brokers = m.brokers
    n = len(brokers)
    out.append(_write_2i(m.throttle_time_ms, n))
    for response_broker in brokers:
        if response_broker.unknown_tags:
            refuse_field("unknown_tags")
        host = response_broker.host.encode()
        n = len(host)
        out.append(_write_ih(response_broker.node_id, n))
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = -1 if response_broker.rack is None else len(rack)
        out.append(_write_ih(response_broker.port, n))
        out.append(rack)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = -1 if m.cluster_id is None else len(cluster_id)
    out.append(_write_h(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.controller_id, n))
    for response_topic in topics:
        if response_topic.topic_authorized_operations != -2147483648:
            refuse_field("topic_authorized_operations")
        if response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(response_topic.name).encode()
        n = len(name)
        out.append(_write_2h(response_topic.error_code, n))
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions)
        out.append(_write_ti(response_topic.is_internal, n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h4i_many_i_i_many_i_i_many_i[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes,
                *replica_nodes, n_isr_nodes, *isr_nodes, n_offline_replicas, *offline_replicas,
            ))


def _put_metadata_response_v8(out: Parts, m: MetadataResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    brokers = m.brokers
    n = len(brokers)
    out.append(_write_2i(m.throttle_time_ms, n))
    for response_broker in brokers:
        if response_broker.unknown_tags:
            refuse_field("unknown_tags")
        host = response_broker.host.encode()
        n = len(host)
        out.append(_write_ih(response_broker.node_id, n))
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = -1 if response_broker.rack is None else len(rack)
        out.append(_write_ih(response_broker.port, n))
        out.append(rack)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = -1 if m.cluster_id is None else len(cluster_id)
    out.append(_write_h(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.controller_id, n))
    for response_topic in topics:
        if response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(response_topic.name).encode()
        n = len(name)
        out.append(_write_2h(response_topic.error_code, n))
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions)
        out.append(_write_ti(response_topic.is_internal, n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h4i_many_i_i_many_i_i_many_i[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes,
                *replica_nodes, n_isr_nodes, *isr_nodes, n_offline_replicas, *offline_replicas,
            ))
        out.append(_write_i(response_topic.topic_authorized_operations))
    out.append(_write_i(m.cluster_authorized_operations))


def _put_metadata_response_v9(out: Parts, m: MetadataResponse) -> None:
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_broker in brokers:
        host = response_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(response_broker.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = 0 if response_broker.rack is None else len(rack) + 1
        out.append(_write_iB(response_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if response_broker.unknown_tags:
            put_tags(out, [], response_broker.unknown_tags)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_topic in topics:
        name = not_null(response_topic.name).encode()
        n = len(name) + 1
        out.append(_write_hB(response_topic.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(name)
        partitions = response_topic.partitions
        n = len(partitions) + 1
        out.append(_write_tB(response_topic.is_internal, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for response_partition in partitions:
            replica_nodes = response_partition.replica_nodes
            n_replica_nodes = len(replica_nodes)
            isr_nodes = response_partition.isr_nodes
            n_isr_nodes = len(isr_nodes)
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h3iB_many_i_B_many_i_B_many_i_x[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes + 1,
                *replica_nodes, n_isr_nodes + 1, *isr_nodes, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(_write_ix(response_topic.topic_authorized_operations))
        if response_topic.unknown_tags:
            put_tags(out, [], response_topic.unknown_tags)
    out.append(_write_ix(m.cluster_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_metadata_response_v10(out: Parts, m: MetadataResponse) -> None:
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_broker in brokers:
        host = response_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(response_broker.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = 0 if response_broker.rack is None else len(rack) + 1
        out.append(_write_iB(response_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if response_broker.unknown_tags:
            put_tags(out, [], response_broker.unknown_tags)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_topic in topics:
        name = not_null(response_topic.name).encode()
        n = len(name) + 1
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
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h3iB_many_i_B_many_i_B_many_i_x[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes + 1,
                *replica_nodes, n_isr_nodes + 1, *isr_nodes, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(_write_ix(response_topic.topic_authorized_operations))
        if response_topic.unknown_tags:
            put_tags(out, [], response_topic.unknown_tags)
    out.append(_write_ix(m.cluster_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_metadata_response_v11(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_broker in brokers:
        host = response_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(response_broker.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = 0 if response_broker.rack is None else len(rack) + 1
        out.append(_write_iB(response_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if response_broker.unknown_tags:
            put_tags(out, [], response_broker.unknown_tags)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_topic in topics:
        name = not_null(response_topic.name).encode()
        n = len(name) + 1
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
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h3iB_many_i_B_many_i_B_many_i_x[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes + 1,
                *replica_nodes, n_isr_nodes + 1, *isr_nodes, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(_write_ix(response_topic.topic_authorized_operations))
        if response_topic.unknown_tags:
            put_tags(out, [], response_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_metadata_response_v12(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_broker in brokers:
        host = response_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(response_broker.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = 0 if response_broker.rack is None else len(rack) + 1
        out.append(_write_iB(response_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if response_broker.unknown_tags:
            put_tags(out, [], response_broker.unknown_tags)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
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
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h3iB_many_i_B_many_i_B_many_i_x[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes + 1,
                *replica_nodes, n_isr_nodes + 1, *isr_nodes, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(_write_ix(response_topic.topic_authorized_operations))
        if response_topic.unknown_tags:
            put_tags(out, [], response_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_metadata_response_v13(out: Parts, m: MetadataResponse) -> None:
    if m.cluster_authorized_operations != -2147483648:
        refuse_field("cluster_authorized_operations")
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for response_broker in brokers:
        host = response_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(response_broker.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if response_broker.rack is None else response_broker.rack.encode()
        n = 0 if response_broker.rack is None else len(rack) + 1
        out.append(_write_iB(response_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if response_broker.unknown_tags:
            put_tags(out, [], response_broker.unknown_tags)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
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
            offline_replicas = response_partition.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = (
                _write_h3iB_many_i_B_many_i_B_many_i_x[n_replica_nodes, n_isr_nodes,
                n_offline_replicas]
            )
            out.append(write(
                response_partition.error_code, response_partition.partition_index,
                response_partition.leader_id, response_partition.leader_epoch, n_replica_nodes + 1,
                *replica_nodes, n_isr_nodes + 1, *isr_nodes, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(_write_ix(response_topic.topic_authorized_operations))
        if response_topic.unknown_tags:
            put_tags(out, [], response_topic.unknown_tags)
    out.append(_write_hx(m.error_code))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_metadata_response_v0, 1: _get_metadata_response_v1, 2: _get_metadata_response_v2,
    3: _get_metadata_response_v3, 4: _get_metadata_response_v3, 5: _get_metadata_response_v5,
    6: _get_metadata_response_v5, 7: _get_metadata_response_v7, 8: _get_metadata_response_v8,
    9: _get_metadata_response_v9, 10: _get_metadata_response_v10, 11: _get_metadata_response_v11,
    12: _get_metadata_response_v12, 13: _get_metadata_response_v13,
}
_PUT = {
    0: _put_metadata_response_v0, 1: _put_metadata_response_v1, 2: _put_metadata_response_v2,
    3: _put_metadata_response_v3, 4: _put_metadata_response_v3, 5: _put_metadata_response_v5,
    6: _put_metadata_response_v5, 7: _put_metadata_response_v7, 8: _put_metadata_response_v8,
    9: _put_metadata_response_v9, 10: _put_metadata_response_v10, 11: _put_metadata_response_v11,
    12: _put_metadata_response_v12, 13: _put_metadata_response_v13,
}


def decode(buf: Buffer, version: int, at: int = 0) -> MetadataResponse:
    """The MetadataResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[MetadataResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: MetadataResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: MetadataResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_METADATA_RESPONSE_BROKER_SHAPE: Shape = (
    MetadataResponseBroker,
    (
        ("nodeId", "node_id", "int32", (0, 13), None, None, None, 0, False, (9, 13), None),
        ("host", "host", "string", (0, 13), None, None, None, "", False, (9, 13), None),
        ("port", "port", "int32", (0, 13), None, None, None, 0, False, (9, 13), None),
        ("rack", "rack", "string", (1, 13), (1, 13), None, None, None, True, (9, 13), None),
    ),
)
_METADATA_RESPONSE_PARTITION_SHAPE: Shape = (
    MetadataResponsePartition,
    (
        ("errorCode", "error_code", "int16", (0, 13), None, None, None, 0, False, (9, 13), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 13), None, None, None, 0, False,
            (9, 13), None,
        ),
        ("leaderId", "leader_id", "int32", (0, 13), None, None, None, 0, False, (9, 13), None),
        (
            "leaderEpoch", "leader_epoch", "int32", (7, 13), None, None, None, -1, True, (9, 13),
            None,
        ),
        (
            "replicaNodes", "replica_nodes", "[]int32", (0, 13), None, None, None, (), False,
            (9, 13), None,
        ),
        ("isrNodes", "isr_nodes", "[]int32", (0, 13), None, None, None, (), False, (9, 13), None),
        (
            "offlineReplicas", "offline_replicas", "[]int32", (5, 13), None, None, None, (), True,
            (9, 13), None,
        ),
    ),
)
_METADATA_RESPONSE_TOPIC_SHAPE: Shape = (
    MetadataResponseTopic,
    (
        ("errorCode", "error_code", "int16", (0, 13), None, None, None, 0, False, (9, 13), None),
        ("name", "name", "string", (0, 13), (12, 13), None, None, "", False, (9, 13), None),
        ("topicId", "topic_id", "uuid", (10, 13), None, None, None, ZERO_UUID, True, (9, 13), None),
        (
            "isInternal", "is_internal", "bool", (1, 13), None, None, None, False, True, (9, 13),
            None,
        ),
        (
            "partitions", "partitions", "[]MetadataResponsePartition", (0, 13), None, None, None,
            (), False, (9, 13), _METADATA_RESPONSE_PARTITION_SHAPE,
        ),
        (
            "topicAuthorizedOperations", "topic_authorized_operations", "int32", (8, 13), None,
            None, None, -2147483648, False, (9, 13), None,
        ),
    ),
)
_METADATA_RESPONSE_SHAPE: Shape = (
    MetadataResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (3, 13), None, None, None, 0, True,
            (9, 13), None,
        ),
        (
            "brokers", "brokers", "[]MetadataResponseBroker", (0, 13), None, None, None, (), False,
            (9, 13), _METADATA_RESPONSE_BROKER_SHAPE,
        ),
        (
            "clusterId", "cluster_id", "string", (2, 13), (2, 13), None, None, None, True, (9, 13),
            None,
        ),
        (
            "controllerId", "controller_id", "int32", (1, 13), None, None, None, -1, True, (9, 13),
            None,
        ),
        (
            "topics", "topics", "[]MetadataResponseTopic", (0, 13), None, None, None, (), False,
            (9, 13), _METADATA_RESPONSE_TOPIC_SHAPE,
        ),
        (
            "clusterAuthorizedOperations", "cluster_authorized_operations", "int32", (8, 10), None,
            None, None, -2147483648, False, (9, 13), None,
        ),
        ("errorCode", "error_code", "int16", (13, 13), None, None, None, 0, True, (9, 13), None),
    ),
)
SHAPE: Shape = (_METADATA_RESPONSE_SHAPE, (0, 13), (9, 13))
