# GENERATED from schemas/streams_group_describe_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 597ea205cb745e35, generator 1.
"""Describes streams groups in full. Api key 89, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_compact_texts, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 89
NAME: Final = "StreamsGroupDescribeResponse"
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


class Subtopology(Message):
    """One row a subtopology; null while the topology is not ready."""

    __slots__ = (
        "subtopology_id", "source_topics", "repartition_sink_topics", "state_changelog_topics",
        "repartition_source_topics", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Topics that are read.
        source_topics: Sequence[str] = (),
        # Repartition topics that are written.
        repartition_sink_topics: Sequence[str] = (),
        # Topics that keep the changes of state.
        state_changelog_topics: Sequence[TopicInfo] = (),
        # Repartition topics that are read.
        repartition_source_topics: Sequence[TopicInfo] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.source_topics: Sequence[str] = [] if source_topics == () else source_topics
        self.repartition_sink_topics: Sequence[str] = (
            [] if repartition_sink_topics == () else repartition_sink_topics
        )
        self.state_changelog_topics: Sequence[TopicInfo] = (
            [] if state_changelog_topics == () else state_changelog_topics
        )
        self.repartition_source_topics: Sequence[TopicInfo] = (
            [] if repartition_source_topics == () else repartition_source_topics
        )
        self.unknown_tags = unknown_tags


class Topology(Message):
    """Topology of the group; null when there is none."""

    __slots__ = ("epoch", "subtopologies", "unknown_tags")

    def __init__(
        self,
        # Epoch of the topology.
        epoch: int = 0,
        # One row a subtopology; null while the topology is not ready.
        subtopologies: Sequence[Subtopology] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.epoch = epoch
        self.subtopologies = subtopologies
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


class Assignment(Message):
    """What a member has."""

    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks", "unknown_tags")

    def __init__(
        self,
        # Tasks that process records.
        active_tasks: Sequence[TaskIds] = (),
        # Tasks that keep a copy of state.
        standby_tasks: Sequence[TaskIds] = (),
        # Tasks that catch up before they move here.
        warmup_tasks: Sequence[TaskIds] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.active_tasks: Sequence[TaskIds] = [] if active_tasks == () else active_tasks
        self.standby_tasks: Sequence[TaskIds] = [] if standby_tasks == () else standby_tasks
        self.warmup_tasks: Sequence[TaskIds] = [] if warmup_tasks == () else warmup_tasks
        self.unknown_tags = unknown_tags


class Member(Message):
    """Members of the group."""

    __slots__ = (
        "member_id", "member_epoch", "instance_id", "rack_id", "client_id", "client_host",
        "topology_epoch", "process_id", "user_endpoint", "client_tags", "task_offsets",
        "task_end_offsets", "assignment", "target_assignment", "is_classic", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the member.
        member_id: str = "",
        # Epoch the member has reached.
        member_epoch: int = 0,
        # Static name of the member; null when it is dynamic.
        instance_id: str | None = None,
        # Rack of the member; null when it has none.
        rack_id: str | None = None,
        # Client id that the member sent in its request headers.
        client_id: str = "",
        # Address from which the member connected.
        client_host: str = "",
        # Epoch of the topology that the member has.
        topology_epoch: int = 0,
        # Id of the process that the member runs in.
        process_id: str = "",
        # Where the application can be reached; null when nowhere.
        user_endpoint: Endpoint | None = None,
        # Tags of the member, for spreading tasks.
        client_tags: Sequence[KeyValue] = (),
        # How far each task's state has come.
        task_offsets: Sequence[TaskOffset] = (),
        # Where each task's state ends.
        task_end_offsets: Sequence[TaskOffset] = (),
        # Tasks the member has now.
        assignment: Assignment | None = None,
        # Tasks the member is meant to have once the group has settled.
        target_assignment: Assignment | None = None,
        # True when the member uses the classic protocol.
        is_classic: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags: Sequence[KeyValue] = [] if client_tags == () else client_tags
        self.task_offsets: Sequence[TaskOffset] = [] if task_offsets == () else task_offsets
        self.task_end_offsets: Sequence[TaskOffset] = (
            [] if task_end_offsets == () else task_end_offsets
        )
        self.assignment = Assignment() if assignment is None else assignment
        self.target_assignment = Assignment() if target_assignment is None else target_assignment
        self.is_classic = is_classic
        self.unknown_tags = unknown_tags


class TopologyDescriptionNode(Message):
    """One step."""

    __slots__ = (
        "name", "node_type", "source_topics", "sink_topic", "stores", "successors", "unknown_tags",
    )

    def __init__(
        self,
        # Name of the step. (v1+)
        name: str = "",
        # Code of the kind of step: it reads, processes or writes. (v1+)
        node_type: int = 0,
        # Topics that this node reads. (v1+)
        source_topics: Sequence[str] = (),
        # Topic that this step writes; null when it writes none or chooses as it goes. (v1+)
        sink_topic: str | None = None,
        # Stores that this step uses. (v1+)
        stores: Sequence[str] = (),
        # Names of the steps that come next. (v1+)
        successors: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.node_type = node_type
        self.source_topics: Sequence[str] = [] if source_topics == () else source_topics
        self.sink_topic = sink_topic
        self.stores: Sequence[str] = [] if stores == () else stores
        self.successors: Sequence[str] = [] if successors == () else successors
        self.unknown_tags = unknown_tags


class TopologyDescriptionSubtopology(Message):
    """Steps of one subtopology."""

    __slots__ = ("subtopology_id", "nodes", "unknown_tags")

    def __init__(
        self,
        # Id of the subtopology. (v1+)
        subtopology_id: str = "",
        # Steps of the subtopology. (v1+)
        nodes: Sequence[TopologyDescriptionNode] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.nodes: Sequence[TopologyDescriptionNode] = [] if nodes == () else nodes
        self.unknown_tags = unknown_tags


class TopologyDescriptionGlobalStore(Message):
    """A store that every member has whole."""

    __slots__ = ("source", "processor", "unknown_tags")

    def __init__(
        self,
        # Step that reads. (v1+)
        source: TopologyDescriptionNode | None = None,
        # Step that fills the store. (v1+)
        processor: TopologyDescriptionNode | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.source = TopologyDescriptionNode() if source is None else source
        self.processor = TopologyDescriptionNode() if processor is None else processor
        self.unknown_tags = unknown_tags


class TopologyDescription(Message):
    """What a topology looks like."""

    __slots__ = ("subtopologies", "global_stores", "unknown_tags")

    def __init__(
        self,
        # One row a subtopology. (v1+)
        subtopologies: Sequence[TopologyDescriptionSubtopology] = (),
        # Stores that every member has whole. (v1+)
        global_stores: Sequence[TopologyDescriptionGlobalStore] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopologies: Sequence[TopologyDescriptionSubtopology] = (
            [] if subtopologies == () else subtopologies
        )
        self.global_stores: Sequence[TopologyDescriptionGlobalStore] = (
            [] if global_stores == () else global_stores
        )
        self.unknown_tags = unknown_tags


class DescribedGroup(Message):
    """One result a group."""

    __slots__ = (
        "error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch",
        "topology", "members", "authorized_operations", "topology_description",
        "topology_description_status", "assignor_name", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Group.
        group_id: str = "",
        # State of the group in words.
        group_state: str = "",
        # Epoch of the group.
        group_epoch: int = 0,
        # Epoch of the target assignment.
        assignment_epoch: int = 0,
        # Topology of the group; null when there is none.
        topology: Topology | None = None,
        # Members of the group.
        members: Sequence[Member] = (),
        # Bit set of what the caller may do; the lowest int32 when not asked for.
        authorized_operations: int = -2147483648,
        # What the topology looks like; null when unknown or not asked for. (v1+)
        topology_description: TopologyDescription | None = None,
        # Code that says why there is a description or none; 0 when not asked for. (v1+)
        topology_description_status: int = 0,
        # Assignor in use; null when unknown. (v1+)
        assignor_name: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.topology = topology
        self.members: Sequence[Member] = [] if members == () else members
        self.authorized_operations = authorized_operations
        self.topology_description = topology_description
        self.topology_description_status = topology_description_status
        self.assignor_name = assignor_name
        self.unknown_tags = unknown_tags


class StreamsGroupDescribeResponse(Message):
    """Describes streams groups in full."""

    __slots__ = ("throttle_time_ms", "groups", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a group.
        groups: Sequence[DescribedGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups: Sequence[DescribedGroup] = [] if groups == () else groups
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_2ib = Struct(">2ib").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_b = Struct(">b").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ib = Struct(">ib").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_write_2ib = Struct(">2ib").pack
_write_tx = Struct(">?x").pack
_write_Hx = Struct(">Hx").pack
_write_b = Struct(">b").pack
_write_bB = Struct(">bB").pack
_write_hB = Struct(">hB").pack
_write_iB = Struct(">iB").pack
_write_ib = Struct(">ib").pack
_write_ihB = Struct(">ihB").pack
_write_iqx = Struct(">iqx").pack
_write_ix = Struct(">ix").pack
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_topology_v0(buf: bytes, at: int) -> tuple[Topology, int]:
    m = new(Topology)
    (m.epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.subtopologies = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 6)
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
            subtopology.repartition_sink_topics, at = get_compact_texts(buf, at, n - 1)
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


def _get_assignment_v0(buf: bytes, at: int) -> tuple[Assignment, int]:
    m = new(Assignment)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
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
    if n == 0 or n > 127:
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
    if n == 0 or n > 127:
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
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_streams_group_describe_response_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupDescribeResponse, int]:
    m = new(StreamsGroupDescribeResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 20)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            described_group.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group.error_message = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_state = buf[at:end].decode()
        at = end
        (described_group.group_epoch, described_group.assignment_epoch, n) = _read_2ib(buf, at)
        at += 9
        if n < 0:
            described_group.topology = None
        else:
            described_group.topology, at = _get_topology_v0(buf, at)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 28)
        members: list[Member] = []
        described_group.members = members
        left_members = n - 1
        while left_members:
            left_members -= 1
            member = new(Member)
            members.append(member)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.member_id = buf[at:end].decode()
            at = end
            (member.member_epoch, n) = _read_iB(buf, at)
            at += 5
            if n == 0:
                member.instance_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                member.instance_id = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0:
                member.rack_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                member.rack_id = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.client_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.client_host = buf[at:end].decode()
            at = end
            (member.topology_epoch, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.process_id = buf[at:end].decode()
            at = end
            (n,) = _read_b(buf, at)
            at += 1
            if n < 0:
                member.user_endpoint = None
            else:
                member.user_endpoint, at = _get_endpoint_v0(buf, at)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            client_tags: list[KeyValue] = []
            member.client_tags = client_tags
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
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 14)
            task_offsets: list[TaskOffset] = []
            member.task_offsets = task_offsets
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
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 14)
            task_end_offsets: list[TaskOffset] = []
            member.task_end_offsets = task_end_offsets
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
            member.assignment, at = _get_assignment_v0(buf, at)
            member.target_assignment, at = _get_assignment_v0(buf, at)
            (member.is_classic, tags) = _read_tB(buf, at)
            at += 2
            member.unknown_tags = ()
            if tags:
                member.unknown_tags, at = get_tags(buf, at - 1)
        (described_group.authorized_operations, tags) = _read_iB(buf, at)
        at += 5
        described_group.topology_description = None
        described_group.topology_description_status = 0
        described_group.assignor_name = None
        described_group.unknown_tags = ()
        if tags:
            described_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_topology_description_node_v1(buf: bytes, at: int) -> tuple[TopologyDescriptionNode, int]:
    m = new(TopologyDescriptionNode)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.node_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.source_topics, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.sink_topic = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.sink_topic = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.stores, at = get_compact_texts(buf, at, n - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.successors, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_topology_description_v1(buf: bytes, at: int) -> tuple[TopologyDescription, int]:
    m = new(TopologyDescription)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    subtopologies: list[TopologyDescriptionSubtopology] = []
    m.subtopologies = subtopologies
    left_subtopologies = n - 1
    while left_subtopologies:
        left_subtopologies -= 1
        subtopology = new(TopologyDescriptionSubtopology)
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
            n, at = long_count(buf, at, 7)
        nodes: list[TopologyDescriptionNode] = []
        subtopology.nodes = nodes
        left_nodes = n - 1
        while left_nodes:
            left_nodes -= 1
            description_node = new(TopologyDescriptionNode)
            nodes.append(description_node)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            description_node.name = buf[at:end].decode()
            at = end
            (description_node.node_type, n) = _read_bB(buf, at)
            at += 2
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            description_node.source_topics, at = get_compact_texts(buf, at, n - 1)
            n = buf[at]
            at += 1
            if n == 0:
                description_node.sink_topic = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                description_node.sink_topic = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            description_node.stores, at = get_compact_texts(buf, at, n - 1)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            description_node.successors, at = get_compact_texts(buf, at, n - 1)
            tags = buf[at]
            at += 1
            description_node.unknown_tags = ()
            if tags:
                description_node.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        subtopology.unknown_tags = ()
        if tags:
            subtopology.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 15)
    global_stores: list[TopologyDescriptionGlobalStore] = []
    m.global_stores = global_stores
    left_global_stores = n - 1
    while left_global_stores:
        left_global_stores -= 1
        global_store = new(TopologyDescriptionGlobalStore)
        global_stores.append(global_store)
        global_store.source, at = _get_topology_description_node_v1(buf, at)
        global_store.processor, at = _get_topology_description_node_v1(buf, at)
        tags = buf[at]
        at += 1
        global_store.unknown_tags = ()
        if tags:
            global_store.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_streams_group_describe_response_v1(
    buf: bytes, at: int,
) -> tuple[StreamsGroupDescribeResponse, int]:
    m = new(StreamsGroupDescribeResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 23)
    groups: list[DescribedGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        described_group = new(DescribedGroup)
        groups.append(described_group)
        (described_group.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            described_group.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group.error_message = buf[at:end].decode()
            at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        described_group.group_state = buf[at:end].decode()
        at = end
        (described_group.group_epoch, described_group.assignment_epoch, n) = _read_2ib(buf, at)
        at += 9
        if n < 0:
            described_group.topology = None
        else:
            described_group.topology, at = _get_topology_v0(buf, at)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 28)
        members: list[Member] = []
        described_group.members = members
        left_members = n - 1
        while left_members:
            left_members -= 1
            member = new(Member)
            members.append(member)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.member_id = buf[at:end].decode()
            at = end
            (member.member_epoch, n) = _read_iB(buf, at)
            at += 5
            if n == 0:
                member.instance_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                member.instance_id = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0:
                member.rack_id = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                member.rack_id = buf[at:end].decode()
                at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.client_id = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.client_host = buf[at:end].decode()
            at = end
            (member.topology_epoch, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            member.process_id = buf[at:end].decode()
            at = end
            (n,) = _read_b(buf, at)
            at += 1
            if n < 0:
                member.user_endpoint = None
            else:
                member.user_endpoint, at = _get_endpoint_v0(buf, at)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            client_tags: list[KeyValue] = []
            member.client_tags = client_tags
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
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 14)
            task_offsets: list[TaskOffset] = []
            member.task_offsets = task_offsets
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
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 14)
            task_end_offsets: list[TaskOffset] = []
            member.task_end_offsets = task_end_offsets
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
            member.assignment, at = _get_assignment_v0(buf, at)
            member.target_assignment, at = _get_assignment_v0(buf, at)
            (member.is_classic, tags) = _read_tB(buf, at)
            at += 2
            member.unknown_tags = ()
            if tags:
                member.unknown_tags, at = get_tags(buf, at - 1)
        (described_group.authorized_operations, n) = _read_ib(buf, at)
        at += 5
        if n < 0:
            described_group.topology_description = None
        else:
            described_group.topology_description, at = _get_topology_description_v1(buf, at)
        (described_group.topology_description_status, n) = _read_bB(buf, at)
        at += 2
        if n == 0:
            described_group.assignor_name = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            described_group.assignor_name = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        described_group.unknown_tags = ()
        if tags:
            described_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_topology_v0(out: Parts, m: Topology) -> None:
    subtopologies = m.subtopologies
    n = 0 if subtopologies is None else len(subtopologies) + 1
    out.append(_write_iB(m.epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    if subtopologies is not None:
        for subtopology in subtopologies:
            subtopology_id = subtopology.subtopology_id.encode()
            n = len(subtopology_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(subtopology_id)
            source_topics = subtopology.source_topics
            n = len(source_topics) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            put_compact_texts(out, source_topics)
            repartition_sink_topics = subtopology.repartition_sink_topics
            n = len(repartition_sink_topics) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            put_compact_texts(out, repartition_sink_topics)
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


def _put_assignment_v0(out: Parts, m: Assignment) -> None:
    active_tasks = m.active_tasks
    n = len(active_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
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
    n = len(standby_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
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
    n = len(warmup_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
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
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_describe_response_v0(out: Parts, m: StreamsGroupDescribeResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for described_group in groups:
        if described_group.topology_description is not None:
            refuse_field("topology_description")
        if described_group.topology_description_status != 0:
            refuse_field("topology_description_status")
        error_message = (
            b"" if described_group.error_message is None else described_group.error_message.encode()
        )
        n = 0 if described_group.error_message is None else len(error_message) + 1
        out.append(_write_hB(described_group.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        group_id = described_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        out.append(_write_2ib(
            described_group.group_epoch, described_group.assignment_epoch,
            -1 if described_group.topology is None else 1,
        ))
        if described_group.topology is not None:
            _put_topology_v0(out, described_group.topology)
        members = described_group.members
        n = len(members) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for member in members:
            member_id = member.member_id.encode()
            n = len(member_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(member_id)
            instance_id = b"" if member.instance_id is None else member.instance_id.encode()
            n = 0 if member.instance_id is None else len(instance_id) + 1
            out.append(_write_iB(member.member_epoch, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(instance_id)
            rack_id = b"" if member.rack_id is None else member.rack_id.encode()
            n = 0 if member.rack_id is None else len(rack_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(rack_id)
            client_id = member.client_id.encode()
            n = len(client_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_id)
            client_host = member.client_host.encode()
            n = len(client_host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_host)
            process_id = member.process_id.encode()
            n = len(process_id) + 1
            out.append(_write_iB(member.topology_epoch, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(process_id)
            out.append(_write_b(-1 if member.user_endpoint is None else 1))
            if member.user_endpoint is not None:
                _put_endpoint_v0(out, member.user_endpoint)
            client_tags = member.client_tags
            n = len(client_tags) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
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
            task_offsets = member.task_offsets
            n = len(task_offsets) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for task_offset in task_offsets:
                subtopology_id = task_offset.subtopology_id.encode()
                n = len(subtopology_id) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(subtopology_id)
                out.append(_write_iqx(task_offset.partition, task_offset.offset))
                if task_offset.unknown_tags:
                    put_tags(out, [], task_offset.unknown_tags)
            task_end_offsets = member.task_end_offsets
            n = len(task_end_offsets) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for task_offset_ in task_end_offsets:
                subtopology_id_ = task_offset_.subtopology_id.encode()
                n = len(subtopology_id_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(subtopology_id_)
                out.append(_write_iqx(task_offset_.partition, task_offset_.offset))
                if task_offset_.unknown_tags:
                    put_tags(out, [], task_offset_.unknown_tags)
            _put_assignment_v0(out, member.assignment)
            _put_assignment_v0(out, member.target_assignment)
            out.append(_write_tx(member.is_classic))
            if member.unknown_tags:
                put_tags(out, [], member.unknown_tags)
        out.append(_write_ix(described_group.authorized_operations))
        if described_group.unknown_tags:
            put_tags(out, [], described_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_topology_description_node_v1(out: Parts, m: TopologyDescriptionNode) -> None:
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    source_topics = m.source_topics
    n = len(source_topics) + 1
    out.append(_write_bB(m.node_type, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    put_compact_texts(out, source_topics)
    sink_topic = b"" if m.sink_topic is None else m.sink_topic.encode()
    n = 0 if m.sink_topic is None else len(sink_topic) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(sink_topic)
    stores = m.stores
    n = len(stores) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, stores)
    successors = m.successors
    n = len(successors) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, successors)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_topology_description_v1(out: Parts, m: TopologyDescription) -> None:
    subtopologies = m.subtopologies
    n = len(subtopologies) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for subtopology in subtopologies:
        subtopology_id = subtopology.subtopology_id.encode()
        n = len(subtopology_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id)
        nodes = subtopology.nodes
        n = len(nodes) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for description_node in nodes:
            name = description_node.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            source_topics = description_node.source_topics
            n = len(source_topics) + 1
            out.append(_write_bB(description_node.node_type, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            put_compact_texts(out, source_topics)
            sink_topic = (
                b"" if description_node.sink_topic is None else description_node.sink_topic.encode()
            )
            n = 0 if description_node.sink_topic is None else len(sink_topic) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(sink_topic)
            stores = description_node.stores
            n = len(stores) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            put_compact_texts(out, stores)
            successors = description_node.successors
            n = len(successors) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            put_compact_texts(out, successors)
            out.append(b"\0")
            if description_node.unknown_tags:
                put_tags(out, [], description_node.unknown_tags)
        out.append(b"\0")
        if subtopology.unknown_tags:
            put_tags(out, [], subtopology.unknown_tags)
    global_stores = m.global_stores
    n = len(global_stores) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for global_store in global_stores:
        _put_topology_description_node_v1(out, global_store.source)
        _put_topology_description_node_v1(out, global_store.processor)
        out.append(b"\0")
        if global_store.unknown_tags:
            put_tags(out, [], global_store.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_describe_response_v1(out: Parts, m: StreamsGroupDescribeResponse) -> None:
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for described_group in groups:
        error_message = (
            b"" if described_group.error_message is None else described_group.error_message.encode()
        )
        n = 0 if described_group.error_message is None else len(error_message) + 1
        out.append(_write_hB(described_group.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        group_id = described_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        group_state = described_group.group_state.encode()
        n = len(group_state) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_state)
        out.append(_write_2ib(
            described_group.group_epoch, described_group.assignment_epoch,
            -1 if described_group.topology is None else 1,
        ))
        if described_group.topology is not None:
            _put_topology_v0(out, described_group.topology)
        members = described_group.members
        n = len(members) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for member in members:
            member_id = member.member_id.encode()
            n = len(member_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(member_id)
            instance_id = b"" if member.instance_id is None else member.instance_id.encode()
            n = 0 if member.instance_id is None else len(instance_id) + 1
            out.append(_write_iB(member.member_epoch, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(instance_id)
            rack_id = b"" if member.rack_id is None else member.rack_id.encode()
            n = 0 if member.rack_id is None else len(rack_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(rack_id)
            client_id = member.client_id.encode()
            n = len(client_id) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_id)
            client_host = member.client_host.encode()
            n = len(client_host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(client_host)
            process_id = member.process_id.encode()
            n = len(process_id) + 1
            out.append(_write_iB(member.topology_epoch, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(process_id)
            out.append(_write_b(-1 if member.user_endpoint is None else 1))
            if member.user_endpoint is not None:
                _put_endpoint_v0(out, member.user_endpoint)
            client_tags = member.client_tags
            n = len(client_tags) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
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
            task_offsets = member.task_offsets
            n = len(task_offsets) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for task_offset in task_offsets:
                subtopology_id = task_offset.subtopology_id.encode()
                n = len(subtopology_id) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(subtopology_id)
                out.append(_write_iqx(task_offset.partition, task_offset.offset))
                if task_offset.unknown_tags:
                    put_tags(out, [], task_offset.unknown_tags)
            task_end_offsets = member.task_end_offsets
            n = len(task_end_offsets) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for task_offset_ in task_end_offsets:
                subtopology_id_ = task_offset_.subtopology_id.encode()
                n = len(subtopology_id_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(subtopology_id_)
                out.append(_write_iqx(task_offset_.partition, task_offset_.offset))
                if task_offset_.unknown_tags:
                    put_tags(out, [], task_offset_.unknown_tags)
            _put_assignment_v0(out, member.assignment)
            _put_assignment_v0(out, member.target_assignment)
            out.append(_write_tx(member.is_classic))
            if member.unknown_tags:
                put_tags(out, [], member.unknown_tags)
        out.append(_write_ib(
            described_group.authorized_operations,
            -1 if described_group.topology_description is None else 1,
        ))
        if described_group.topology_description is not None:
            _put_topology_description_v1(out, described_group.topology_description)
        assignor_name = (
            b"" if described_group.assignor_name is None else described_group.assignor_name.encode()
        )
        n = 0 if described_group.assignor_name is None else len(assignor_name) + 1
        out.append(_write_bB(described_group.topology_description_status, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(assignor_name)
        out.append(b"\0")
        if described_group.unknown_tags:
            put_tags(out, [], described_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_describe_response_v0, 1: _get_streams_group_describe_response_v1}
_PUT = {0: _put_streams_group_describe_response_v0, 1: _put_streams_group_describe_response_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupDescribeResponse:
    """The StreamsGroupDescribeResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupDescribeResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupDescribeResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupDescribeResponse, version: int) -> None:
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
            "repartitionSinkTopics", "repartition_sink_topics", "[]string", (0, 1), None, None,
            None, (), False, (0, 1), None,
        ),
        (
            "stateChangelogTopics", "state_changelog_topics", "[]TopicInfo", (0, 1), None, None,
            None, (), False, (0, 1), _TOPIC_INFO_SHAPE,
        ),
        (
            "repartitionSourceTopics", "repartition_source_topics", "[]TopicInfo", (0, 1), None,
            None, None, (), False, (0, 1), _TOPIC_INFO_SHAPE,
        ),
    ),
)
_TOPOLOGY_SHAPE: Shape = (
    Topology,
    (
        ("epoch", "epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "subtopologies", "subtopologies", "[]Subtopology", (0, 1), (0, 1), None, None, None,
            False, (0, 1), _SUBTOPOLOGY_SHAPE,
        ),
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
_ASSIGNMENT_SHAPE: Shape = (
    Assignment,
    (
        (
            "activeTasks", "active_tasks", "[]TaskIds", (0, 1), None, None, None, (), False, (0, 1),
            _TASK_IDS_SHAPE,
        ),
        (
            "standbyTasks", "standby_tasks", "[]TaskIds", (0, 1), None, None, None, (), False,
            (0, 1), _TASK_IDS_SHAPE,
        ),
        (
            "warmupTasks", "warmup_tasks", "[]TaskIds", (0, 1), None, None, None, (), False, (0, 1),
            _TASK_IDS_SHAPE,
        ),
    ),
)
_MEMBER_SHAPE: Shape = (
    Member,
    (
        ("memberId", "member_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberEpoch", "member_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "instanceId", "instance_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1),
            None,
        ),
        ("rackId", "rack_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1), None),
        ("clientId", "client_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("clientHost", "client_host", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "topologyEpoch", "topology_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1),
            None,
        ),
        ("processId", "process_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "userEndpoint", "user_endpoint", "Endpoint", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _ENDPOINT_SHAPE,
        ),
        (
            "clientTags", "client_tags", "[]KeyValue", (0, 1), None, None, None, (), False, (0, 1),
            _KEY_VALUE_SHAPE,
        ),
        (
            "taskOffsets", "task_offsets", "[]TaskOffset", (0, 1), None, None, None, (), False,
            (0, 1), _TASK_OFFSET_SHAPE,
        ),
        (
            "taskEndOffsets", "task_end_offsets", "[]TaskOffset", (0, 1), None, None, None, (),
            False, (0, 1), _TASK_OFFSET_SHAPE,
        ),
        (
            "assignment", "assignment", "Assignment", (0, 1), None, None, None, UNSET, False,
            (0, 1), _ASSIGNMENT_SHAPE,
        ),
        (
            "targetAssignment", "target_assignment", "Assignment", (0, 1), None, None, None, UNSET,
            False, (0, 1), _ASSIGNMENT_SHAPE,
        ),
        ("isClassic", "is_classic", "bool", (0, 1), None, None, None, False, False, (0, 1), None),
    ),
)
_TOPOLOGY_DESCRIPTION_NODE_SHAPE: Shape = (
    TopologyDescriptionNode,
    (
        ("name", "name", "string", (1, 1), None, None, None, "", False, (0, 1), None),
        ("nodeType", "node_type", "int8", (1, 1), None, None, None, 0, False, (0, 1), None),
        (
            "sourceTopics", "source_topics", "[]string", (1, 1), None, None, None, (), False,
            (0, 1), None,
        ),
        (
            "sinkTopic", "sink_topic", "string", (1, 1), (1, 1), None, None, None, False, (0, 1),
            None,
        ),
        ("stores", "stores", "[]string", (1, 1), None, None, None, (), False, (0, 1), None),
        ("successors", "successors", "[]string", (1, 1), None, None, None, (), False, (0, 1), None),
    ),
)
_TOPOLOGY_DESCRIPTION_SUBTOPOLOGY_SHAPE: Shape = (
    TopologyDescriptionSubtopology,
    (
        (
            "subtopologyId", "subtopology_id", "string", (1, 1), None, None, None, "", False,
            (0, 1), None,
        ),
        (
            "nodes", "nodes", "[]TopologyDescriptionNode", (1, 1), None, None, None, (), False,
            (0, 1), _TOPOLOGY_DESCRIPTION_NODE_SHAPE,
        ),
    ),
)
_TOPOLOGY_DESCRIPTION_GLOBAL_STORE_SHAPE: Shape = (
    TopologyDescriptionGlobalStore,
    (
        (
            "source", "source", "TopologyDescriptionNode", (1, 1), None, None, None, UNSET, False,
            (0, 1), _TOPOLOGY_DESCRIPTION_NODE_SHAPE,
        ),
        (
            "processor", "processor", "TopologyDescriptionNode", (1, 1), None, None, None, UNSET,
            False, (0, 1), _TOPOLOGY_DESCRIPTION_NODE_SHAPE,
        ),
    ),
)
_TOPOLOGY_DESCRIPTION_SHAPE: Shape = (
    TopologyDescription,
    (
        (
            "subtopologies", "subtopologies", "[]TopologyDescriptionSubtopology", (1, 1), None,
            None, None, (), False, (0, 1), _TOPOLOGY_DESCRIPTION_SUBTOPOLOGY_SHAPE,
        ),
        (
            "globalStores", "global_stores", "[]TopologyDescriptionGlobalStore", (1, 1), None, None,
            None, (), False, (0, 1), _TOPOLOGY_DESCRIPTION_GLOBAL_STORE_SHAPE,
        ),
    ),
)
_DESCRIBED_GROUP_SHAPE: Shape = (
    DescribedGroup,
    (
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("groupState", "group_state", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("groupEpoch", "group_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "assignmentEpoch", "assignment_epoch", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        (
            "topology", "topology", "Topology", (0, 1), (0, 1), None, None, None, False, (0, 1),
            _TOPOLOGY_SHAPE,
        ),
        (
            "members", "members", "[]Member", (0, 1), None, None, None, (), False, (0, 1),
            _MEMBER_SHAPE,
        ),
        (
            "authorizedOperations", "authorized_operations", "int32", (0, 1), None, None, None,
            -2147483648, False, (0, 1), None,
        ),
        (
            "topologyDescription", "topology_description", "TopologyDescription", (1, 1), (1, 1),
            None, None, None, False, (0, 1), _TOPOLOGY_DESCRIPTION_SHAPE,
        ),
        (
            "topologyDescriptionStatus", "topology_description_status", "int8", (1, 1), None, None,
            None, 0, False, (0, 1), None,
        ),
        (
            "assignorName", "assignor_name", "string", (1, 1), (1, 1), None, None, None, True,
            (0, 1), None,
        ),
    ),
)
_STREAMS_GROUP_DESCRIBE_RESPONSE_SHAPE: Shape = (
    StreamsGroupDescribeResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        (
            "groups", "groups", "[]DescribedGroup", (0, 1), None, None, None, (), False, (0, 1),
            _DESCRIBED_GROUP_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_DESCRIBE_RESPONSE_SHAPE, (0, 1), (0, 1))
