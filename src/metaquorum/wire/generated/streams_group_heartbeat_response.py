# GENERATED from schemas/streams_group_heartbeat_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 2395257955bfebeb, generator 1.
"""Tells a member of a streams group which tasks to run. Api key 88, versions 0-1, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 88
NAME: Final = "StreamsGroupHeartbeatResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class Status(Message):
    """A hindrance."""

    __slots__ = ("status_code", "status_detail", "unknown_tags")

    def __init__(
        self,
        # Code of the hindrance.
        status_code: int = 0,
        # Words for a human.
        status_detail: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.status_code = status_code
        self.status_detail = status_detail
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


class TopicPartition(Message):
    """Partitions of one topic."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class EndpointToPartitions(Message):
    """Partitions by endpoint; null when unchanged."""

    __slots__ = ("user_endpoint", "active_partitions", "standby_partitions", "unknown_tags")

    def __init__(
        self,
        # Where the application can be reached.
        user_endpoint: Endpoint | None = None,
        # Partitions whose state is processed there.
        active_partitions: Sequence[TopicPartition] = (),
        # Partitions whose state is copied there.
        standby_partitions: Sequence[TopicPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.user_endpoint = Endpoint() if user_endpoint is None else user_endpoint
        self.active_partitions: Sequence[TopicPartition] = (
            [] if active_partitions == () else active_partitions
        )
        self.standby_partitions: Sequence[TopicPartition] = (
            [] if standby_partitions == () else standby_partitions
        )
        self.unknown_tags = unknown_tags


class StreamsGroupHeartbeatResponse(Message):
    """Tells a member of a streams group which tasks to run."""

    __slots__ = (
        "throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch",
        "heartbeat_interval_ms", "acceptable_recovery_lag_legacy", "task_offset_interval_ms",
        "acceptable_recovery_lag", "status", "active_tasks", "standby_tasks", "warmup_tasks",
        "topology_description_required", "endpoint_information_epoch",
        "partitions_by_user_endpoint", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Id of the member.
        member_id: str = "",
        # Epoch the member has reached.
        member_epoch: int = 0,
        # Milliseconds between the heartbeats of the member.
        heartbeat_interval_ms: int = 0,
        # Records of lag with which a copy counts as caught up. (v0)
        acceptable_recovery_lag_legacy: int = 0,
        # Milliseconds between two reports of task offsets.
        task_offset_interval_ms: int = 0,
        # Records of lag with which a copy counts as caught up; -1 when not said. (v1+)
        acceptable_recovery_lag: int = -1,
        # What keeps the group or member from working; null when unchanged.
        status: Sequence[Status] | None = (),
        # Tasks to process; null when unchanged.
        active_tasks: Sequence[TaskIds] | None = None,
        # Tasks to keep a copy for; null when unchanged.
        standby_tasks: Sequence[TaskIds] | None = None,
        # Tasks to warm up; null when unchanged.
        warmup_tasks: Sequence[TaskIds] | None = None,
        # True when the member shall send a description of its topology. (v1+)
        topology_description_required: bool = False,
        # Counts the changes of the endpoints.
        endpoint_information_epoch: int = 0,
        # Partitions by endpoint; null when unchanged.
        partitions_by_user_endpoint: Sequence[EndpointToPartitions] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.acceptable_recovery_lag_legacy = acceptable_recovery_lag_legacy
        self.task_offset_interval_ms = task_offset_interval_ms
        self.acceptable_recovery_lag = acceptable_recovery_lag
        self.status: Sequence[Status] | None = [] if status == () else status
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.topology_description_required = topology_description_required
        self.endpoint_information_epoch = endpoint_information_epoch
        self.partitions_by_user_endpoint = partitions_by_user_endpoint
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_3iqB = Struct(">3iqB").unpack_from
_read_4iB = Struct(">4iB").unpack_from
_read_tiB = Struct(">?iB").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_3iqB = Struct(">3iqB").pack
_write_4iB = Struct(">4iB").pack
_write_tiB = Struct(">?iB").pack
_write_Hx = Struct(">Hx").pack
_write_bB = Struct(">bB").pack
_write_iB = Struct(">iB").pack
_write_ihB = Struct(">ihB").pack
_write_B_many_i_x = ArrayWrites("B *i x")


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


def _get_streams_group_heartbeat_response_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupHeartbeatResponse, int]:
    m = new(StreamsGroupHeartbeatResponse)
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
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    (
        m.member_epoch, m.heartbeat_interval_ms, m.acceptable_recovery_lag_legacy,
        m.task_offset_interval_ms, n,
    ) = _read_4iB(buf, at)
    at += 17
    if n == 0:
        m.status = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        status: list[Status] = []
        m.status = status
        left_status = n - 1
        while left_status:
            left_status -= 1
            status_ = new(Status)
            status.append(status_)
            (status_.status_code, n) = _read_bB(buf, at)
            at += 2
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            status_.status_detail = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            status_.unknown_tags = ()
            if tags:
                status_.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.endpoint_information_epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.partitions_by_user_endpoint = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 7)
        partitions_by_user_endpoint: list[EndpointToPartitions] = []
        m.partitions_by_user_endpoint = partitions_by_user_endpoint
        left_partitions_by_user_endpoint = n - 1
        while left_partitions_by_user_endpoint:
            left_partitions_by_user_endpoint -= 1
            endpoint_to_partitions = new(EndpointToPartitions)
            partitions_by_user_endpoint.append(endpoint_to_partitions)
            endpoint_to_partitions.user_endpoint, at = _get_endpoint_v0(buf, at)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            active_partitions: list[TopicPartition] = []
            endpoint_to_partitions.active_partitions = active_partitions
            left_active_partitions = n - 1
            while left_active_partitions:
                left_active_partitions -= 1
                topic_partition = new(TopicPartition)
                active_partitions.append(topic_partition)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_partition.topic = buf[at:end].decode()
                at = end
                n_partitions = buf[at]
                at += 1
                if n_partitions > 127:
                    n_partitions, at = long_count(buf, at, 4)
                (*topic_partition.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
                at += 4 * n_partitions - 3
                topic_partition.unknown_tags = ()
                if tags:
                    topic_partition.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            standby_partitions: list[TopicPartition] = []
            endpoint_to_partitions.standby_partitions = standby_partitions
            left_standby_partitions = n - 1
            while left_standby_partitions:
                left_standby_partitions -= 1
                topic_partition_ = new(TopicPartition)
                standby_partitions.append(topic_partition_)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_partition_.topic = buf[at:end].decode()
                at = end
                n_partitions = buf[at]
                at += 1
                if n_partitions > 127:
                    n_partitions, at = long_count(buf, at, 4)
                (*topic_partition_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
                at += 4 * n_partitions - 3
                topic_partition_.unknown_tags = ()
                if tags:
                    topic_partition_.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            endpoint_to_partitions.unknown_tags = ()
            if tags:
                endpoint_to_partitions.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.acceptable_recovery_lag = -1
    m.topology_description_required = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_streams_group_heartbeat_response_v1(
    buf: bytes, at: int,
) -> tuple[StreamsGroupHeartbeatResponse, int]:
    m = new(StreamsGroupHeartbeatResponse)
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
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    (
        m.member_epoch, m.heartbeat_interval_ms, m.task_offset_interval_ms,
        m.acceptable_recovery_lag, n,
    ) = _read_3iqB(buf, at)
    at += 21
    if n == 0:
        m.status = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        status: list[Status] = []
        m.status = status
        left_status = n - 1
        while left_status:
            left_status -= 1
            status_ = new(Status)
            status.append(status_)
            (status_.status_code, n) = _read_bB(buf, at)
            at += 2
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            status_.status_detail = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            status_.unknown_tags = ()
            if tags:
                status_.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.topology_description_required, m.endpoint_information_epoch, n) = _read_tiB(buf, at)
    at += 6
    if n == 0:
        m.partitions_by_user_endpoint = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 7)
        partitions_by_user_endpoint: list[EndpointToPartitions] = []
        m.partitions_by_user_endpoint = partitions_by_user_endpoint
        left_partitions_by_user_endpoint = n - 1
        while left_partitions_by_user_endpoint:
            left_partitions_by_user_endpoint -= 1
            endpoint_to_partitions = new(EndpointToPartitions)
            partitions_by_user_endpoint.append(endpoint_to_partitions)
            endpoint_to_partitions.user_endpoint, at = _get_endpoint_v0(buf, at)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            active_partitions: list[TopicPartition] = []
            endpoint_to_partitions.active_partitions = active_partitions
            left_active_partitions = n - 1
            while left_active_partitions:
                left_active_partitions -= 1
                topic_partition = new(TopicPartition)
                active_partitions.append(topic_partition)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_partition.topic = buf[at:end].decode()
                at = end
                n_partitions = buf[at]
                at += 1
                if n_partitions > 127:
                    n_partitions, at = long_count(buf, at, 4)
                (*topic_partition.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
                at += 4 * n_partitions - 3
                topic_partition.unknown_tags = ()
                if tags:
                    topic_partition.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 3)
            standby_partitions: list[TopicPartition] = []
            endpoint_to_partitions.standby_partitions = standby_partitions
            left_standby_partitions = n - 1
            while left_standby_partitions:
                left_standby_partitions -= 1
                topic_partition_ = new(TopicPartition)
                standby_partitions.append(topic_partition_)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_partition_.topic = buf[at:end].decode()
                at = end
                n_partitions = buf[at]
                at += 1
                if n_partitions > 127:
                    n_partitions, at = long_count(buf, at, 4)
                (*topic_partition_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
                at += 4 * n_partitions - 3
                topic_partition_.unknown_tags = ()
                if tags:
                    topic_partition_.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            endpoint_to_partitions.unknown_tags = ()
            if tags:
                endpoint_to_partitions.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.acceptable_recovery_lag_legacy = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_endpoint_v0(out: Parts, m: Endpoint) -> None:
    host = m.host.encode()
    n = len(host) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(host)
    out.append(_write_Hx(m.port))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_heartbeat_response_v0(out: Parts, m: StreamsGroupHeartbeatResponse) -> None:
    if m.topology_description_required:
        refuse_field("topology_description_required")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    status = m.status
    n = 0 if status is None else len(status) + 1
    out.append(_write_4iB(
        m.member_epoch, m.heartbeat_interval_ms, m.acceptable_recovery_lag_legacy,
        m.task_offset_interval_ms, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    if status is not None:
        for status_ in status:
            status_detail = status_.status_detail.encode()
            n = len(status_detail) + 1
            out.append(_write_bB(status_.status_code, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(status_detail)
            out.append(b"\0")
            if status_.unknown_tags:
                put_tags(out, [], status_.unknown_tags)
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
    partitions_by_user_endpoint = m.partitions_by_user_endpoint
    n = 0 if partitions_by_user_endpoint is None else len(partitions_by_user_endpoint) + 1
    out.append(_write_iB(m.endpoint_information_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    if partitions_by_user_endpoint is not None:
        for endpoint_to_partitions in partitions_by_user_endpoint:
            _put_endpoint_v0(out, endpoint_to_partitions.user_endpoint)
            active_partitions = endpoint_to_partitions.active_partitions
            n = len(active_partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for topic_partition in active_partitions:
                topic = topic_partition.topic.encode()
                n = len(topic) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(topic)
                partitions___ = topic_partition.partitions
                n_partitions = len(partitions___)
                write = _write_B_many_i_x[n_partitions]
                out.append(write(n_partitions + 1, *partitions___))
                if topic_partition.unknown_tags:
                    put_tags(out, [], topic_partition.unknown_tags)
            standby_partitions = endpoint_to_partitions.standby_partitions
            n = len(standby_partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for topic_partition_ in standby_partitions:
                topic_ = topic_partition_.topic.encode()
                n = len(topic_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(topic_)
                partitions____ = topic_partition_.partitions
                n_partitions = len(partitions____)
                write = _write_B_many_i_x[n_partitions]
                out.append(write(n_partitions + 1, *partitions____))
                if topic_partition_.unknown_tags:
                    put_tags(out, [], topic_partition_.unknown_tags)
            out.append(b"\0")
            if endpoint_to_partitions.unknown_tags:
                put_tags(out, [], endpoint_to_partitions.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_heartbeat_response_v1(out: Parts, m: StreamsGroupHeartbeatResponse) -> None:
    if m.acceptable_recovery_lag_legacy != 0:
        refuse_field("acceptable_recovery_lag_legacy")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    status = m.status
    n = 0 if status is None else len(status) + 1
    out.append(_write_3iqB(
        m.member_epoch, m.heartbeat_interval_ms, m.task_offset_interval_ms,
        m.acceptable_recovery_lag, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    if status is not None:
        for status_ in status:
            status_detail = status_.status_detail.encode()
            n = len(status_detail) + 1
            out.append(_write_bB(status_.status_code, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(status_detail)
            out.append(b"\0")
            if status_.unknown_tags:
                put_tags(out, [], status_.unknown_tags)
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
    partitions_by_user_endpoint = m.partitions_by_user_endpoint
    n = 0 if partitions_by_user_endpoint is None else len(partitions_by_user_endpoint) + 1
    out.append(_write_tiB(
        m.topology_description_required, m.endpoint_information_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    if partitions_by_user_endpoint is not None:
        for endpoint_to_partitions in partitions_by_user_endpoint:
            _put_endpoint_v0(out, endpoint_to_partitions.user_endpoint)
            active_partitions = endpoint_to_partitions.active_partitions
            n = len(active_partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for topic_partition in active_partitions:
                topic = topic_partition.topic.encode()
                n = len(topic) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(topic)
                partitions___ = topic_partition.partitions
                n_partitions = len(partitions___)
                write = _write_B_many_i_x[n_partitions]
                out.append(write(n_partitions + 1, *partitions___))
                if topic_partition.unknown_tags:
                    put_tags(out, [], topic_partition.unknown_tags)
            standby_partitions = endpoint_to_partitions.standby_partitions
            n = len(standby_partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for topic_partition_ in standby_partitions:
                topic_ = topic_partition_.topic.encode()
                n = len(topic_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(topic_)
                partitions____ = topic_partition_.partitions
                n_partitions = len(partitions____)
                write = _write_B_many_i_x[n_partitions]
                out.append(write(n_partitions + 1, *partitions____))
                if topic_partition_.unknown_tags:
                    put_tags(out, [], topic_partition_.unknown_tags)
            out.append(b"\0")
            if endpoint_to_partitions.unknown_tags:
                put_tags(out, [], endpoint_to_partitions.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_heartbeat_response_v0, 1: _get_streams_group_heartbeat_response_v1}
_PUT = {0: _put_streams_group_heartbeat_response_v0, 1: _put_streams_group_heartbeat_response_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupHeartbeatResponse:
    """The StreamsGroupHeartbeatResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupHeartbeatResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupHeartbeatResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_STATUS_SHAPE: Shape = (
    Status,
    (
        ("statusCode", "status_code", "int8", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "statusDetail", "status_detail", "string", (0, 1), None, None, None, "", False, (0, 1),
            None,
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
_TOPIC_PARTITION_SHAPE: Shape = (
    TopicPartition,
    (
        ("topic", "topic", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("partitions", "partitions", "[]int32", (0, 1), None, None, None, (), False, (0, 1), None),
    ),
)
_ENDPOINT_TO_PARTITIONS_SHAPE: Shape = (
    EndpointToPartitions,
    (
        (
            "userEndpoint", "user_endpoint", "Endpoint", (0, 1), None, None, None, UNSET, False,
            (0, 1), _ENDPOINT_SHAPE,
        ),
        (
            "activePartitions", "active_partitions", "[]TopicPartition", (0, 1), None, None, None,
            (), False, (0, 1), _TOPIC_PARTITION_SHAPE,
        ),
        (
            "standbyPartitions", "standby_partitions", "[]TopicPartition", (0, 1), None, None, None,
            (), False, (0, 1), _TOPIC_PARTITION_SHAPE,
        ),
    ),
)
_STREAMS_GROUP_HEARTBEAT_RESPONSE_SHAPE: Shape = (
    StreamsGroupHeartbeatResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
        ("memberId", "member_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberEpoch", "member_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "heartbeatIntervalMs", "heartbeat_interval_ms", "int32", (0, 1), None, None, None, 0,
            False, (0, 1), None,
        ),
        (
            "acceptableRecoveryLagLegacy", "acceptable_recovery_lag_legacy", "int32", (0, 0), None,
            None, None, 0, False, (0, 1), None,
        ),
        (
            "taskOffsetIntervalMs", "task_offset_interval_ms", "int32", (0, 1), None, None, None, 0,
            False, (0, 1), None,
        ),
        (
            "acceptableRecoveryLag", "acceptable_recovery_lag", "int64", (1, 1), None, None, None,
            -1, True, (0, 1), None,
        ),
        (
            "status", "status", "[]Status", (0, 1), (0, 1), None, None, (), False, (0, 1),
            _STATUS_SHAPE,
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
            "topologyDescriptionRequired", "topology_description_required", "bool", (1, 1), None,
            None, None, False, False, (0, 1), None,
        ),
        (
            "endpointInformationEpoch", "endpoint_information_epoch", "int32", (0, 1), None, None,
            None, 0, False, (0, 1), None,
        ),
        (
            "partitionsByUserEndpoint", "partitions_by_user_endpoint", "[]EndpointToPartitions",
            (0, 1), (0, 1), None, None, None, False, (0, 1), _ENDPOINT_TO_PARTITIONS_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_HEARTBEAT_RESPONSE_SHAPE, (0, 1), (0, 1))
