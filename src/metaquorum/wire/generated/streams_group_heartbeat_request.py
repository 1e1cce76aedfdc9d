# GENERATED from schemas/streams_group_heartbeat_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 224d8a4eb2b0ad37, generator 1.
"""Joins, keeps up or leaves a streams group (KIP-1071). Api key 88, versions 0-1, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 88
NAME: Final = "StreamsGroupHeartbeatRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class KeyValue(Message):
    """A key with its value."""

    __slots__ = ("key", "value", "unknown_tags")

    def __init__(
        self,
        # The key.
        key: str = "",
        # The value.
        value: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.value = value
        self.unknown_tags = unknown_tags


class TopicInfo(Message):
    """One topic."""

    __slots__ = ("name", "partitions", "replication_factor", "topic_configs", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Number of partitions; 0 when it follows from other topics.
        partitions: int = 0,
        # Number of replicas of each partition; 0 for the default.
        replication_factor: int = 0,
        # Keys to set on the topic.
        topic_configs: Sequence[KeyValue] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions = partitions
        self.replication_factor = replication_factor
        self.topic_configs: Sequence[KeyValue] = [] if topic_configs == () else topic_configs
        self.unknown_tags = unknown_tags


class CopartitionGroup(Message):
    """Topics that need the same number of partitions."""

    __slots__ = ("source_topics", "source_topic_regex", "repartition_source_topics", "unknown_tags")

    def __init__(
        self,
        # Positions in the subtopology's source topics.
        source_topics: Sequence[int] = (),
        # Positions in the subtopology's patterns.
        source_topic_regex: Sequence[int] = (),
        # Positions in the subtopology's repartition topics.
        repartition_source_topics: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.source_topics: Sequence[int] = [] if source_topics == () else source_topics
        self.source_topic_regex: Sequence[int] = (
            [] if source_topic_regex == () else source_topic_regex
        )
        self.repartition_source_topics: Sequence[int] = (
            [] if repartition_source_topics == () else repartition_source_topics
        )
        self.unknown_tags = unknown_tags


class Subtopology(Message):
    """One row a subtopology."""

    __slots__ = (
        "subtopology_id", "source_topics", "source_topic_regex", "state_changelog_topics",
        "repartition_sink_topics", "repartition_source_topics", "copartition_groups",
        "unknown_tags",
    )

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Topics that are read.
        source_topics: Sequence[str] = (),
        # Patterns of topics that are read.
        source_topic_regex: Sequence[str] = (),
        # Topics that keep the changes of state.
        state_changelog_topics: Sequence[TopicInfo] = (),
        # Repartition topics that are written.
        repartition_sink_topics: Sequence[str] = (),
        # Repartition topics that are read.
        repartition_source_topics: Sequence[TopicInfo] = (),
        # Topics that need the same number of partitions.
        copartition_groups: Sequence[CopartitionGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics: Sequence[str] = [] if source_topics == () else source_topics
        self.source_topic_regex: Sequence[str] = (
            [] if source_topic_regex == () else source_topic_regex
        )
        self.state_changelog_topics: Sequence[TopicInfo] = (
            [] if state_changelog_topics == () else state_changelog_topics
        )
        self.repartition_sink_topics: Sequence[str] = (
            [] if repartition_sink_topics == () else repartition_sink_topics
        )
        self.repartition_source_topics: Sequence[TopicInfo] = (
            [] if repartition_source_topics == () else repartition_source_topics
        )
        self.copartition_groups: Sequence[CopartitionGroup] = (
            [] if copartition_groups == () else copartition_groups
        )
        self.unknown_tags = unknown_tags


class Topology(Message):
    """Topology of the member; null when unchanged."""

    __slots__ = ("epoch", "subtopologies", "unknown_tags")

    def __init__(
        self,
        # Epoch of the topology.
        epoch: int = 0,
        # One row a subtopology.
        subtopologies: Sequence[Subtopology] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.epoch = epoch
        self.subtopologies: Sequence[Subtopology] = [] if subtopologies == () else subtopologies
        self.unknown_tags = unknown_tags


class TaskIds(Message):
    """Tasks of one subtopology."""

    __slots__ = ("subtopology_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class Endpoint(Message):
    """Where an application can be reached."""

    __slots__ = ("host", "port", "unknown_tags")

    def __init__(
        self,
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class TaskOffset(Message):
    """Offset of one task."""

    __slots__ = ("subtopology_id", "partition", "offset", "unknown_tags")

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Index of the partition.
        partition: int = 0,
        # The offset.
        offset: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partition = partition
        self.offset = offset
        self.unknown_tags = unknown_tags


class StreamsGroupHeartbeatRequest(Message):
    """Joins, keeps up or leaves a streams group (KIP-1071)."""

    __slots__ = (
        "group_id", "member_id", "member_epoch", "endpoint_information_epoch", "instance_id",
        "rack_id", "rebalance_timeout_ms", "topology", "active_tasks", "standby_tasks",
        "warmup_tasks", "process_id", "user_endpoint", "client_tags", "task_offsets",
        "task_end_offsets", "shutdown_application", "unknown_tags",
    )

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # Id of the member.
        member_id: str = "",
        # Epoch the member has reached; 0 joins, -1 leaves, -2 leaves for a while.
        member_epoch: int = 0,
        # Counts the changes of the endpoints.
        endpoint_information_epoch: int = 0,
        # Static name of the member; null when it is dynamic or unchanged.
        instance_id: str | None = None,
        # Rack of the member; null when it has none or it is unchanged.
        rack_id: str | None = None,
        # Milliseconds the member may take to give tasks back; -1 when unchanged.
        rebalance_timeout_ms: int = -1,
        # Topology of the member; null when unchanged.
        topology: Topology | None = None,
        # Tasks the member processes; null when unchanged.
        active_tasks: Sequence[TaskIds] | None = None,
        # Tasks the member keeps a copy for; null when unchanged.
        standby_tasks: Sequence[TaskIds] | None = None,
        # Tasks the member warms up; null when unchanged.
        warmup_tasks: Sequence[TaskIds] | None = None,
        # Id of the process that the member runs in; null when unchanged.
        process_id: str | None = None,
        # Where the application can be reached; null when nowhere.
        user_endpoint: Endpoint | None = None,
        # Tags of the member, for spreading tasks; null when unchanged.
        client_tags: Sequence[KeyValue] | None = None,
        # How far each task's state has come; null when unchanged.
        task_offsets: Sequence[TaskOffset] | None = None,
        # Where each task's state ends; null when unchanged.
        task_end_offsets: Sequence[TaskOffset] | None = None,
        # True to make every member stop.
        shutdown_application: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.endpoint_information_epoch = endpoint_information_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology = topology
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags = client_tags
        self.task_offsets = task_offsets
        self.task_end_offsets = task_end_offsets
        self.shutdown_application = shutdown_application
        self.unknown_tags = unknown_tags


_read_array_ch_B = ArrayReads("h", "B", 1)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_2iB = Struct(">2iB").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_b = Struct(">b").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ib = Struct(">ib").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_write_2iB = Struct(">2iB").pack
_write_tx = Struct(">?x").pack
_write_Hx = Struct(">Hx").pack
_write_b = Struct(">b").pack
_write_iB = Struct(">iB").pack
_write_ib = Struct(">ib").pack
_write_ihB = Struct(">ihB").pack
_write_iqx = Struct(">iqx").pack
_write_B_many_h_B_many_h_B_many_h_x = ArrayWrites("B *h B *h B *h x")
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_topology_v0(buf: bytes, at: int) -> tuple[Topology, int]:
    m = new(Topology)
    (m.epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    subtopologies: list[Subtopology] = []
    m.subtopologies = subtopologies
    left_subtopologies = n - 1
    while left_subtopologies:
        left_subtopologies -= 1
        subtopology = new(Subtopology)
        subtopologies.append(subtopology)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        subtopology.subtopology_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 1)
        subtopology.source_topics, at = get_compact_texts(buf, at, n - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 1)
        subtopology.source_topic_regex, at = get_compact_texts(buf, at, n - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        state_changelog_topics: list[TopicInfo] = []
        subtopology.state_changelog_topics = state_changelog_topics
        left_state_changelog_topics = n - 1
        while left_state_changelog_topics:
            left_state_changelog_topics -= 1
            topic_info = new(TopicInfo)
            state_changelog_topics.append(topic_info)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            topic_info.name = buf[at:end].decode()
            at = end
            (topic_info.partitions, topic_info.replication_factor, n) = _read_ihB(buf, at)
            at += 7
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            topic_configs: list[KeyValue] = []
            topic_info.topic_configs = topic_configs
            left_topic_configs = n - 1
            while left_topic_configs:
                left_topic_configs -= 1
                key_value = new(KeyValue)
                topic_configs.append(key_value)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                key_value.key = buf[at:end].decode()
                at = end
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                key_value.value = buf[at:end].decode()
                at = end
                tags = buf[at]
                at += 1
                key_value.unknown_tags = ()
                if tags:
                    key_value.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            topic_info.unknown_tags = ()
            if tags:
                topic_info.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 1)
        subtopology.repartition_sink_topics, at = get_compact_texts(buf, at, n - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        repartition_source_topics: list[TopicInfo] = []
        subtopology.repartition_source_topics = repartition_source_topics
        left_repartition_source_topics = n - 1
        while left_repartition_source_topics:
            left_repartition_source_topics -= 1
            topic_info_ = new(TopicInfo)
            repartition_source_topics.append(topic_info_)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            topic_info_.name = buf[at:end].decode()
            at = end
            (topic_info_.partitions, topic_info_.replication_factor, n) = _read_ihB(buf, at)
            at += 7
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            topic_configs = []
            topic_info_.topic_configs = topic_configs
            left_topic_configs = n - 1
            while left_topic_configs:
                left_topic_configs -= 1
                key_value = new(KeyValue)
                topic_configs.append(key_value)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                key_value.key = buf[at:end].decode()
                at = end
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                key_value.value = buf[at:end].decode()
                at = end
                tags = buf[at]
                at += 1
                key_value.unknown_tags = ()
                if tags:
                    key_value.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            topic_info_.unknown_tags = ()
            if tags:
                topic_info_.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 4)
        copartition_groups: list[CopartitionGroup] = []
        subtopology.copartition_groups = copartition_groups
        left_copartition_groups = n - 1
        while left_copartition_groups:
            left_copartition_groups -= 1
            copartition_group = new(CopartitionGroup)
            copartition_groups.append(copartition_group)
            n_source_topics = buf[at]
            at += 1
            if n_source_topics > 127:
                n_source_topics, at = long_count(buf, at, 2)
            (
                *copartition_group.source_topics, n_source_topic_regex,
            ) = _read_array_ch_B[n_source_topics](buf, at)
            at += 2 * n_source_topics - 1
            if n_source_topic_regex > 127:
                n_source_topic_regex, at = long_count(buf, at, 2)
            (
                *copartition_group.source_topic_regex, n_repartition_source_topics,
            ) = _read_array_ch_B[n_source_topic_regex](buf, at)
            at += 2 * n_source_topic_regex - 1
            if n_repartition_source_topics > 127:
                n_repartition_source_topics, at = long_count(buf, at, 2)
            (
                *copartition_group.repartition_source_topics, tags,
            ) = _read_array_ch_B[n_repartition_source_topics](buf, at)
            at += 2 * n_repartition_source_topics - 1
            copartition_group.unknown_tags = ()
            if tags:
                copartition_group.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        subtopology.unknown_tags = ()
        if tags:
            subtopology.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_endpoint_v0(buf: bytes, at: int) -> tuple[Endpoint, int]:
    m = new(Endpoint)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.host = buf[at:end].decode()
    at = end
    (m.port, tags) = _read_HB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_streams_group_heartbeat_request_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupHeartbeatRequest, int]:
    m = new(StreamsGroupHeartbeatRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    (m.member_epoch, m.endpoint_information_epoch, n) = _read_2iB(buf, at)
    at += 9
    if n == 0:
        m.instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.rack_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack_id = buf[at:end].decode()
        at = end
    (m.rebalance_timeout_ms, n) = _read_ib(buf, at)
    at += 5
    if n < 0:
        m.topology = None
    else:
        m.topology, at = _get_topology_v0(buf, at)
    n = buf[at]
    at += 1
    if n == 0:
        m.active_tasks = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        active_tasks: list[TaskIds] = []
        m.active_tasks = active_tasks
        left_active_tasks = n - 1
        while left_active_tasks:
            left_active_tasks -= 1
            task_ids = new(TaskIds)
            active_tasks.append(task_ids)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            task_ids.subtopology_id = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*task_ids.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            task_ids.unknown_tags = ()
            if tags:
                task_ids.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.standby_tasks = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        standby_tasks: list[TaskIds] = []
        m.standby_tasks = standby_tasks
        left_standby_tasks = n - 1
        while left_standby_tasks:
            left_standby_tasks -= 1
            task_ids_ = new(TaskIds)
            standby_tasks.append(task_ids_)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            task_ids_.subtopology_id = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*task_ids_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            task_ids_.unknown_tags = ()
            if tags:
                task_ids_.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.warmup_tasks = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        warmup_tasks: list[TaskIds] = []
        m.warmup_tasks = warmup_tasks
        left_warmup_tasks = n - 1
        while left_warmup_tasks:
            left_warmup_tasks -= 1
            task_ids__ = new(TaskIds)
            warmup_tasks.append(task_ids__)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            task_ids__.subtopology_id = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*task_ids__.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            task_ids__.unknown_tags = ()
            if tags:
                task_ids__.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.process_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.process_id = buf[at:end].decode()
        at = end
    (n,) = _read_b(buf, at)
    at += 1
    if n < 0:
        m.user_endpoint = None
    else:
        m.user_endpoint, at = _get_endpoint_v0(buf, at)
    n = buf[at]
    at += 1
    if n == 0:
        m.client_tags = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        client_tags: list[KeyValue] = []
        m.client_tags = client_tags
        left_client_tags = n - 1
        while left_client_tags:
            left_client_tags -= 1
            key_value = new(KeyValue)
            client_tags.append(key_value)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            key_value.key = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            key_value.value = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            key_value.unknown_tags = ()
            if tags:
                key_value.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.task_offsets = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 14)
        task_offsets: list[TaskOffset] = []
        m.task_offsets = task_offsets
        left_task_offsets = n - 1
        while left_task_offsets:
            left_task_offsets -= 1
            task_offset = new(TaskOffset)
            task_offsets.append(task_offset)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            task_offset.subtopology_id = buf[at:end].decode()
            at = end
            (task_offset.partition, task_offset.offset, tags) = _read_iqB(buf, at)
            at += 13
            task_offset.unknown_tags = ()
            if tags:
                task_offset.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.task_end_offsets = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 14)
        task_end_offsets: list[TaskOffset] = []
        m.task_end_offsets = task_end_offsets
        left_task_end_offsets = n - 1
        while left_task_end_offsets:
            left_task_end_offsets -= 1
            task_offset_ = new(TaskOffset)
            task_end_offsets.append(task_offset_)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            task_offset_.subtopology_id = buf[at:end].decode()
            at = end
            (task_offset_.partition, task_offset_.offset, tags) = _read_iqB(buf, at)
            at += 13
            task_offset_.unknown_tags = ()
            if tags:
                task_offset_.unknown_tags, at = get_tags(buf, at - 1)
    (m.shutdown_application, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_topology_v0(out: Parts, m: Topology) -> None:
    subtopologies = m.subtopologies
    n = len(subtopologies) + 1
    out.append(_write_iB(m.epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for subtopology in subtopologies:
        subtopology_id = subtopology.subtopology_id.encode()
        n = len(subtopology_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id)
        source_topics = subtopology.source_topics
        n = len(source_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_compact_texts(out, source_topics)
        source_topic_regex = subtopology.source_topic_regex
        n = len(source_topic_regex) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_compact_texts(out, source_topic_regex)
        state_changelog_topics = subtopology.state_changelog_topics
        n = len(state_changelog_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for topic_info in state_changelog_topics:
            name = topic_info.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            topic_configs = topic_info.topic_configs
            n = len(topic_configs) + 1
            out.append(_write_ihB(
                topic_info.partitions, topic_info.replication_factor, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for key_value in topic_configs:
                key = key_value.key.encode()
                n = len(key) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(key)
                value = key_value.value.encode()
                n = len(value) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(value)
                out.append(b"\0")
                if key_value.unknown_tags:
                    put_tags(out, [], key_value.unknown_tags)
            out.append(b"\0")
            if topic_info.unknown_tags:
                put_tags(out, [], topic_info.unknown_tags)
        repartition_sink_topics = subtopology.repartition_sink_topics
        n = len(repartition_sink_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_compact_texts(out, repartition_sink_topics)
        repartition_source_topics = subtopology.repartition_source_topics
        n = len(repartition_source_topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for topic_info_ in repartition_source_topics:
            name_ = topic_info_.name.encode()
            n = len(name_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name_)
            topic_configs_ = topic_info_.topic_configs
            n = len(topic_configs_) + 1
            out.append(_write_ihB(
                topic_info_.partitions, topic_info_.replication_factor, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for key_value_ in topic_configs_:
                key_ = key_value_.key.encode()
                n = len(key_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(key_)
                value_ = key_value_.value.encode()
                n = len(value_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(value_)
                out.append(b"\0")
                if key_value_.unknown_tags:
                    put_tags(out, [], key_value_.unknown_tags)
            out.append(b"\0")
            if topic_info_.unknown_tags:
                put_tags(out, [], topic_info_.unknown_tags)
        copartition_groups = subtopology.copartition_groups
        n = len(copartition_groups) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for copartition_group in copartition_groups:
            source_topics_ = copartition_group.source_topics
            n_source_topics = len(source_topics_)
            source_topic_regex_ = copartition_group.source_topic_regex
            n_source_topic_regex = len(source_topic_regex_)
            repartition_source_topics_ = copartition_group.repartition_source_topics
            n_repartition_source_topics = len(repartition_source_topics_)
            write = (
                _write_B_many_h_B_many_h_B_many_h_x[n_source_topics, n_source_topic_regex,
                n_repartition_source_topics]
            )
            out.append(write(
                n_source_topics + 1, *source_topics_, n_source_topic_regex + 1,
                *source_topic_regex_, n_repartition_source_topics + 1, *repartition_source_topics_,
            ))
            if copartition_group.unknown_tags:
                put_tags(out, [], copartition_group.unknown_tags)
        out.append(b"\0")
        if subtopology.unknown_tags:
            put_tags(out, [], subtopology.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_endpoint_v0(out: Parts, m: Endpoint) -> None:
    host = m.host.encode()
    n = len(host) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(host)
    out.append(_write_Hx(m.port))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_heartbeat_request_v0(out: Parts, m: StreamsGroupHeartbeatRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    instance_id = b"" if m.instance_id is None else m.instance_id.encode()
    n = 0 if m.instance_id is None else len(instance_id) + 1
    out.append(_write_2iB(m.member_epoch, m.endpoint_information_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(instance_id)
    rack_id = b"" if m.rack_id is None else m.rack_id.encode()
    n = 0 if m.rack_id is None else len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    out.append(_write_ib(m.rebalance_timeout_ms, -1 if m.topology is None else 1))
    if m.topology is not None:
        _put_topology_v0(out, m.topology)
    active_tasks = m.active_tasks
    n = 0 if active_tasks is None else len(active_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if active_tasks is not None:
        for task_ids in active_tasks:
            subtopology_id = task_ids.subtopology_id.encode()
            n = len(subtopology_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(subtopology_id)
            partitions = task_ids.partitions
            n_partitions = len(partitions)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions))
            if task_ids.unknown_tags:
                put_tags(out, [], task_ids.unknown_tags)
    standby_tasks = m.standby_tasks
    n = 0 if standby_tasks is None else len(standby_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if standby_tasks is not None:
        for task_ids_ in standby_tasks:
            subtopology_id_ = task_ids_.subtopology_id.encode()
            n = len(subtopology_id_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(subtopology_id_)
            partitions_ = task_ids_.partitions
            n_partitions = len(partitions_)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions_))
            if task_ids_.unknown_tags:
                put_tags(out, [], task_ids_.unknown_tags)
    warmup_tasks = m.warmup_tasks
    n = 0 if warmup_tasks is None else len(warmup_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if warmup_tasks is not None:
        for task_ids__ in warmup_tasks:
            subtopology_id__ = task_ids__.subtopology_id.encode()
            n = len(subtopology_id__) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(subtopology_id__)
            partitions__ = task_ids__.partitions
            n_partitions = len(partitions__)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions__))
            if task_ids__.unknown_tags:
                put_tags(out, [], task_ids__.unknown_tags)
    process_id = b"" if m.process_id is None else m.process_id.encode()
    n = 0 if m.process_id is None else len(process_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(process_id)
    out.append(_write_b(-1 if m.user_endpoint is None else 1))
    if m.user_endpoint is not None:
        _put_endpoint_v0(out, m.user_endpoint)
    client_tags = m.client_tags
    n = 0 if client_tags is None else len(client_tags) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if client_tags is not None:
        for key_value in client_tags:
            key = key_value.key.encode()
            n = len(key) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(key)
            value = key_value.value.encode()
            n = len(value) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(value)
            out.append(b"\0")
            if key_value.unknown_tags:
                put_tags(out, [], key_value.unknown_tags)
    task_offsets = m.task_offsets
    n = 0 if task_offsets is None else len(task_offsets) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if task_offsets is not None:
        for task_offset in task_offsets:
            subtopology_id___ = task_offset.subtopology_id.encode()
            n = len(subtopology_id___) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(subtopology_id___)
            out.append(_write_iqx(task_offset.partition, task_offset.offset))
            if task_offset.unknown_tags:
                put_tags(out, [], task_offset.unknown_tags)
    task_end_offsets = m.task_end_offsets
    n = 0 if task_end_offsets is None else len(task_end_offsets) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if task_end_offsets is not None:
        for task_offset_ in task_end_offsets:
            subtopology_id____ = task_offset_.subtopology_id.encode()
            n = len(subtopology_id____) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(subtopology_id____)
            out.append(_write_iqx(task_offset_.partition, task_offset_.offset))
            if task_offset_.unknown_tags:
                put_tags(out, [], task_offset_.unknown_tags)
    out.append(_write_tx(m.shutdown_application))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_heartbeat_request_v0, 1: _get_streams_group_heartbeat_request_v0}
_PUT = {0: _put_streams_group_heartbeat_request_v0, 1: _put_streams_group_heartbeat_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupHeartbeatRequest:
    """The StreamsGroupHeartbeatRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupHeartbeatRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupHeartbeatRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupHeartbeatRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_KEY_VALUE_SHAPE: Shape = (
    KeyValue,
    (
        ("key", "key", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("value", "value", "string", (0, 1), None, None, None, "", False, (0, 1), None),
    ),
)
_TOPIC_INFO_SHAPE: Shape = (
    TopicInfo,
    (
        ("name", "name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("partitions", "partitions", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "replicationFactor", "replication_factor", "int16", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        (
            "topicConfigs", "topic_configs", "[]KeyValue", (0, 1), None, None, None, (), False,
            (0, 1), _KEY_VALUE_SHAPE,
        ),
    ),
)
_COPARTITION_GROUP_SHAPE: Shape = (
    CopartitionGroup,
    (
        (
            "sourceTopics", "source_topics", "[]int16", (0, 1), None, None, None, (), False, (0, 1),
            None,
        ),
        (
            "sourceTopicRegex", "source_topic_regex", "[]int16", (0, 1), None, None, None, (),
            False, (0, 1), None,
        ),
        (
            "repartitionSourceTopics", "repartition_source_topics", "[]int16", (0, 1), None, None,
            None, (), False, (0, 1), None,
        ),
    ),
)
_SUBTOPOLOGY_SHAPE: Shape = (
    Subtopology,
    (
        (
            "subtopologyId", "subtopology_id", "string", (0, 1), None, None, None, "", False,
            (0, 1), None,
        ),
        (
            "sourceTopics", "source_topics", "[]string", (0, 1), None, None, None, (), False,
            (0, 1), None,
        ),
        (
            "sourceTopicRegex", "source_topic_regex", "[]string", (0, 1), None, None, None, (),
            False, (0, 1), None,
        ),
        (
            "stateChangelogTopics", "state_changelog_topics", "[]TopicInfo", (0, 1), None, None,
            None, (), False, (0, 1), _TOPIC_INFO_SHAPE,
        ),
        (
            "repartitionSinkTopics", "repartition_sink_topics", "[]string", (0, 1), None, None,
            None, (), False, (0, 1), None,
        ),
        (
            "repartitionSourceTopics", "repartition_source_topics", "[]TopicInfo", (0, 1), None,
            None, None, (), False, (0, 1), _TOPIC_INFO_SHAPE,
        ),
        (
            "copartitionGroups", "copartition_groups", "[]CopartitionGroup", (0, 1), None, None,
            None, (), False, (0, 1), _COPARTITION_GROUP_SHAPE,
        ),
    ),
)
_TOPOLOGY_SHAPE: Shape = (
    Topology,
    (
        ("epoch", "epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "subtopologies", "subtopologies", "[]Subtopology", (0, 1), None, None, None, (), False,
            (0, 1), _SUBTOPOLOGY_SHAPE,
        ),
    ),
)
_TASK_IDS_SHAPE: Shape = (
    TaskIds,
    (
        (
            "subtopologyId", "subtopology_id", "string", (0, 1), None, None, None, "", False,
            (0, 1), None,
        ),
        ("partitions", "partitions", "[]int32", (0, 1), None, None, None, (), False, (0, 1), None),
    ),
)
_ENDPOINT_SHAPE: Shape = (
    Endpoint,
    (
        ("host", "host", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("port", "port", "uint16", (0, 1), None, None, None, 0, False, (0, 1), None),
    ),
)
_TASK_OFFSET_SHAPE: Shape = (
    TaskOffset,
    (
        (
            "subtopologyId", "subtopology_id", "string", (0, 1), None, None, None, "", False,
            (0, 1), None,
        ),
        ("partition", "partition", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("offset", "offset", "int64", (0, 1), None, None, None, 0, False, (0, 1), None),
    ),
)
_STREAMS_GROUP_HEARTBEAT_REQUEST_SHAPE: Shape = (
    StreamsGroupHeartbeatRequest,
    (
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberId", "member_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberEpoch", "member_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "endpointInformationEpoch", "endpoint_information_epoch", "int32", (0, 1), None, None,
            None, 0, False, (0, 1), None,
        ),
        (
            "instanceId", "instance_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1),
            None,
        ),
        ("rackId", "rack_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1), None),
        (
            "rebalanceTimeoutMs", "rebalance_timeout_ms", "int32", (0, 1), None, None, None, -1,
            False, (0, 1), None,
        ),
        (
            "topology", "topology", "Topology", (0, 1), (0, 1), None, None, None, False, (0, 1),
            _TOPOLOGY_SHAPE,
        ),
        (
            "activeTasks", "active_tasks", "[]TaskIds", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _TASK_IDS_SHAPE,
        ),
        (
            "standbyTasks", "standby_tasks", "[]TaskIds", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _TASK_IDS_SHAPE,
        ),
        (
            "warmupTasks", "warmup_tasks", "[]TaskIds", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _TASK_IDS_SHAPE,
        ),
        (
            "processId", "process_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1),
            None,
        ),
        (
            "userEndpoint", "user_endpoint", "Endpoint", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _ENDPOINT_SHAPE,
        ),
        (
            "clientTags", "client_tags", "[]KeyValue", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _KEY_VALUE_SHAPE,
        ),
        (
            "taskOffsets", "task_offsets", "[]TaskOffset", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _TASK_OFFSET_SHAPE,
        ),
        (
            "taskEndOffsets", "task_end_offsets", "[]TaskOffset", (0, 1), (0, 1), None, None, None,
            False, (0, 1), _TASK_OFFSET_SHAPE,
        ),
        (
            "shutdownApplication", "shutdown_application", "bool", (0, 1), None, None, None, False,
            False, (0, 1), None,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_HEARTBEAT_REQUEST_SHAPE, (0, 1), (0, 1))
