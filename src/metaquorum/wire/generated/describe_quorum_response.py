# GENERATED from schemas/describe_quorum_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 55c4b400f15aad3d, generator 1.
"""Describes the quorum: leader, watermark, voters and observers. Api key 55, versions 0-2, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 55
NAME: Final = "DescribeQuorumResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class ReplicaState(Message):
    """How far one replica is."""

    __slots__ = (
        "replica_id", "replica_directory_id", "log_end_offset", "last_fetch_timestamp",
        "last_caught_up_timestamp", "unknown_tags",
    )

    def __init__(
        self,
        # Node of the replica.
        replica_id: int = 0,
        # Log directory of the replica; zeros when unknown. (v2+)
        replica_directory_id: bytes = ZERO_UUID,
        # Log end offset of the replica; -1 when unknown.
        log_end_offset: int = 0,
        # Milliseconds since 1970 when the leader last heard a fetch of the replica; -1 when
        # unknown. (v1+)
        last_fetch_timestamp: int = -1,
        # Milliseconds since 1970 when the replica was last level with the leader; -1 when unknown.
        # (v1+)
        last_caught_up_timestamp: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.log_end_offset = log_end_offset
        self.last_fetch_timestamp = last_fetch_timestamp
        self.last_caught_up_timestamp = last_caught_up_timestamp
        self.unknown_tags = unknown_tags


class PartitionData(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "error_code", "error_message", "leader_id", "leader_epoch",
        "high_watermark", "current_voters", "observers", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say. (v2+)
        error_message: str | None = "",
        # Node that leads; -1 when unknown.
        leader_id: int = 0,
        # Newest epoch the sender knows.
        leader_epoch: int = 0,
        # High watermark of the leader; -1 when it has none yet.
        high_watermark: int = 0,
        # Voters of the quorum with their progress.
        current_voters: Sequence[ReplicaState] = (),
        # Replicas that follow without a vote.
        observers: Sequence[ReplicaState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.high_watermark = high_watermark
        self.current_voters: Sequence[ReplicaState] = [] if current_voters == () else current_voters
        self.observers: Sequence[ReplicaState] = [] if observers == () else observers
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One result a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # One result a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class Listener(Message):
    """Where the node can be reached."""

    __slots__ = ("name", "host", "port", "unknown_tags")

    def __init__(
        self,
        # Name of the listener. (v2+)
        name: str = "",
        # Host to connect to. (v2+)
        host: str = "",
        # Port to connect to. (v2+)
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class Node(Message):
    """Where voters and observers can be reached."""

    __slots__ = ("node_id", "listeners", "unknown_tags")

    def __init__(
        self,
        # Id of the node. (v2+)
        node_id: int = 0,
        # Where the node can be reached. (v2+)
        listeners: Sequence[Listener] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.node_id = node_id
        self.listeners: Sequence[Listener] = [] if listeners == () else listeners
        self.unknown_tags = unknown_tags


class DescribeQuorumResponse(Message):
    """Describes the quorum: leader, watermark, voters and observers."""

    __slots__ = ("error_code", "error_message", "topics", "nodes", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say. (v2+)
        error_message: str | None = "",
        # One result a topic.
        topics: Sequence[TopicData] = (),
        # Where voters and observers can be reached. (v2+)
        nodes: Sequence[Node] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.nodes: Sequence[Node] = [] if nodes == () else nodes
        self.unknown_tags = unknown_tags


_read_2iqB = Struct(">2iqB").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i16s3qB = Struct(">i16s3qB").unpack_from
_read_i3qB = Struct(">i3qB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih2iqB = Struct(">ih2iqB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_rows_i16s3qx = Struct(">i16s3qx").iter_unpack
_rows_i3qx = Struct(">i3qx").iter_unpack
_rows_iqx = Struct(">iqx").iter_unpack
_write_2iqB = Struct(">2iqB").pack
_write_Hx = Struct(">Hx").pack
_write_hB = Struct(">hB").pack
_write_i16s3qx = Struct(">i16s3qx").pack
_write_i3qx = Struct(">i3qx").pack
_write_iB = Struct(">iB").pack
_write_ih2iqB = Struct(">ih2iqB").pack
_write_ihB = Struct(">ihB").pack
_write_iqx = Struct(">iqx").pack


def _get_describe_quorum_response_v0(buf: bytes, at: int) -> tuple[DescribeQuorumResponse, int]:
    m = new(DescribeQuorumResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
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
            n, at = long_count(buf, at, 25)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.high_watermark, n,
            ) = _read_ih2iqB(buf, at)
            at += 23
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 13)
            current_voters: list[ReplicaState] = []
            partition_data.current_voters = current_voters
            left_current_voters = n - 1
            if (
                left_current_voters > 4
                and buf[at + 12 : at + 13 * left_current_voters : 13] ==
                    bytes(left_current_voters)
            ):
                end = at + 13 * left_current_voters
                current_voters += map(new, repeat(ReplicaState, left_current_voters))
                left_current_voters = 0
                for replica_state, values in zip(current_voters, _rows_iqx(buf[at:end])):
                    (replica_state.replica_id, replica_state.log_end_offset) = values
                    replica_state.replica_directory_id = ZERO_UUID
                    replica_state.last_fetch_timestamp = -1
                    replica_state.last_caught_up_timestamp = -1
                    replica_state.unknown_tags = ()
                at = end
            while left_current_voters:
                left_current_voters -= 1
                replica_state = new(ReplicaState)
                current_voters.append(replica_state)
                (replica_state.replica_id, replica_state.log_end_offset, tags) = _read_iqB(buf, at)
                at += 13
                replica_state.replica_directory_id = ZERO_UUID
                replica_state.last_fetch_timestamp = -1
                replica_state.last_caught_up_timestamp = -1
                replica_state.unknown_tags = ()
                if tags:
                    replica_state.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 13)
            observers: list[ReplicaState] = []
            partition_data.observers = observers
            left_observers = n - 1
            if (
                left_observers > 4
                and buf[at + 12 : at + 13 * left_observers : 13] == bytes(left_observers)
            ):
                end = at + 13 * left_observers
                observers += map(new, repeat(ReplicaState, left_observers))
                left_observers = 0
                for replica_state_, values in zip(observers, _rows_iqx(buf[at:end])):
                    (replica_state_.replica_id, replica_state_.log_end_offset) = values
                    replica_state_.replica_directory_id = ZERO_UUID
                    replica_state_.last_fetch_timestamp = -1
                    replica_state_.last_caught_up_timestamp = -1
                    replica_state_.unknown_tags = ()
                at = end
            while left_observers:
                left_observers -= 1
                replica_state_ = new(ReplicaState)
                observers.append(replica_state_)
                (
                    replica_state_.replica_id, replica_state_.log_end_offset, tags,
                ) = _read_iqB(buf, at)
                at += 13
                replica_state_.replica_directory_id = ZERO_UUID
                replica_state_.last_fetch_timestamp = -1
                replica_state_.last_caught_up_timestamp = -1
                replica_state_.unknown_tags = ()
                if tags:
                    replica_state_.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            partition_data.error_message = ""
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.error_message = ""
    m.nodes = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_quorum_response_v1(buf: bytes, at: int) -> tuple[DescribeQuorumResponse, int]:
    m = new(DescribeQuorumResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
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
            n, at = long_count(buf, at, 25)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.high_watermark, n,
            ) = _read_ih2iqB(buf, at)
            at += 23
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 29)
            current_voters: list[ReplicaState] = []
            partition_data.current_voters = current_voters
            left_current_voters = n - 1
            if (
                left_current_voters > 4
                and buf[at + 28 : at + 29 * left_current_voters : 29] ==
                    bytes(left_current_voters)
            ):
                end = at + 29 * left_current_voters
                current_voters += map(new, repeat(ReplicaState, left_current_voters))
                left_current_voters = 0
                for replica_state, values in zip(current_voters, _rows_i3qx(buf[at:end])):
                    (
                        replica_state.replica_id, replica_state.log_end_offset,
                        replica_state.last_fetch_timestamp, replica_state.last_caught_up_timestamp,
                    ) = values
                    replica_state.replica_directory_id = ZERO_UUID
                    replica_state.unknown_tags = ()
                at = end
            while left_current_voters:
                left_current_voters -= 1
                replica_state = new(ReplicaState)
                current_voters.append(replica_state)
                (
                    replica_state.replica_id, replica_state.log_end_offset,
                    replica_state.last_fetch_timestamp, replica_state.last_caught_up_timestamp,
                    tags,
                ) = _read_i3qB(buf, at)
                at += 29
                replica_state.replica_directory_id = ZERO_UUID
                replica_state.unknown_tags = ()
                if tags:
                    replica_state.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 29)
            observers: list[ReplicaState] = []
            partition_data.observers = observers
            left_observers = n - 1
            if (
                left_observers > 4
                and buf[at + 28 : at + 29 * left_observers : 29] == bytes(left_observers)
            ):
                end = at + 29 * left_observers
                observers += map(new, repeat(ReplicaState, left_observers))
                left_observers = 0
                for replica_state_, values in zip(observers, _rows_i3qx(buf[at:end])):
                    (
                        replica_state_.replica_id, replica_state_.log_end_offset,
                        replica_state_.last_fetch_timestamp,
                        replica_state_.last_caught_up_timestamp,
                    ) = values
                    replica_state_.replica_directory_id = ZERO_UUID
                    replica_state_.unknown_tags = ()
                at = end
            while left_observers:
                left_observers -= 1
                replica_state_ = new(ReplicaState)
                observers.append(replica_state_)
                (
                    replica_state_.replica_id, replica_state_.log_end_offset,
                    replica_state_.last_fetch_timestamp, replica_state_.last_caught_up_timestamp,
                    tags,
                ) = _read_i3qB(buf, at)
                at += 29
                replica_state_.replica_directory_id = ZERO_UUID
                replica_state_.unknown_tags = ()
                if tags:
                    replica_state_.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            partition_data.error_message = ""
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.error_message = ""
    m.nodes = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_quorum_response_v2(buf: bytes, at: int) -> tuple[DescribeQuorumResponse, int]:
    m = new(DescribeQuorumResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
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
            n, at = long_count(buf, at, 26)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (partition_data.partition_index, partition_data.error_code, n) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_data.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_data.error_message = buf[at:end].decode()
                at = end
            (
                partition_data.leader_id, partition_data.leader_epoch,
                partition_data.high_watermark, n,
            ) = _read_2iqB(buf, at)
            at += 17
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 45)
            current_voters: list[ReplicaState] = []
            partition_data.current_voters = current_voters
            left_current_voters = n - 1
            if (
                left_current_voters > 4
                and buf[at + 44 : at + 45 * left_current_voters : 45] ==
                    bytes(left_current_voters)
            ):
                end = at + 45 * left_current_voters
                current_voters += map(new, repeat(ReplicaState, left_current_voters))
                left_current_voters = 0
                for replica_state, values in zip(current_voters, _rows_i16s3qx(buf[at:end])):
                    (
                        replica_state.replica_id, replica_state.replica_directory_id,
                        replica_state.log_end_offset, replica_state.last_fetch_timestamp,
                        replica_state.last_caught_up_timestamp,
                    ) = values
                    replica_state.unknown_tags = ()
                at = end
            while left_current_voters:
                left_current_voters -= 1
                replica_state = new(ReplicaState)
                current_voters.append(replica_state)
                (
                    replica_state.replica_id, replica_state.replica_directory_id,
                    replica_state.log_end_offset, replica_state.last_fetch_timestamp,
                    replica_state.last_caught_up_timestamp, tags,
                ) = _read_i16s3qB(buf, at)
                at += 45
                replica_state.unknown_tags = ()
                if tags:
                    replica_state.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 45)
            observers: list[ReplicaState] = []
            partition_data.observers = observers
            left_observers = n - 1
            if (
                left_observers > 4
                and buf[at + 44 : at + 45 * left_observers : 45] == bytes(left_observers)
            ):
                end = at + 45 * left_observers
                observers += map(new, repeat(ReplicaState, left_observers))
                left_observers = 0
                for replica_state_, values in zip(observers, _rows_i16s3qx(buf[at:end])):
                    (
                        replica_state_.replica_id, replica_state_.replica_directory_id,
                        replica_state_.log_end_offset, replica_state_.last_fetch_timestamp,
                        replica_state_.last_caught_up_timestamp,
                    ) = values
                    replica_state_.unknown_tags = ()
                at = end
            while left_observers:
                left_observers -= 1
                replica_state_ = new(ReplicaState)
                observers.append(replica_state_)
                (
                    replica_state_.replica_id, replica_state_.replica_directory_id,
                    replica_state_.log_end_offset, replica_state_.last_fetch_timestamp,
                    replica_state_.last_caught_up_timestamp, tags,
                ) = _read_i16s3qB(buf, at)
                at += 45
                replica_state_.unknown_tags = ()
                if tags:
                    replica_state_.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    nodes: list[Node] = []
    m.nodes = nodes
    left_nodes = n - 1
    while left_nodes:
        left_nodes -= 1
        node = new(Node)
        nodes.append(node)
        (node.node_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 5)
        listeners: list[Listener] = []
        node.listeners = listeners
        left_listeners = n - 1
        while left_listeners:
            left_listeners -= 1
            listener = new(Listener)
            listeners.append(listener)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            listener.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            listener.host = buf[at:end].decode()
            at = end
            (listener.port, tags) = _read_HB(buf, at)
            at += 3
            listener.unknown_tags = ()
            if tags:
                listener.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        node.unknown_tags = ()
        if tags:
            node.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_quorum_response_v0(out: Parts, m: DescribeQuorumResponse) -> None:
    if m.nodes:
        refuse_field("nodes")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
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
            current_voters = partition_data.current_voters
            n = len(current_voters) + 1
            out.append(_write_ih2iqB(
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.high_watermark, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for replica_state in current_voters:
                if replica_state.replica_directory_id != ZERO_UUID:
                    refuse_field("replica_directory_id")
                out.append(_write_iqx(replica_state.replica_id, replica_state.log_end_offset))
                if replica_state.unknown_tags:
                    put_tags(out, [], replica_state.unknown_tags)
            observers = partition_data.observers
            n = len(observers) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for replica_state_ in observers:
                if replica_state_.replica_directory_id != ZERO_UUID:
                    refuse_field("replica_directory_id")
                out.append(_write_iqx(replica_state_.replica_id, replica_state_.log_end_offset))
                if replica_state_.unknown_tags:
                    put_tags(out, [], replica_state_.unknown_tags)
            out.append(b"\0")
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_quorum_response_v1(out: Parts, m: DescribeQuorumResponse) -> None:
    if m.nodes:
        refuse_field("nodes")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
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
            current_voters = partition_data.current_voters
            n = len(current_voters) + 1
            out.append(_write_ih2iqB(
                partition_data.partition_index, partition_data.error_code, partition_data.leader_id,
                partition_data.leader_epoch, partition_data.high_watermark, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for replica_state in current_voters:
                if replica_state.replica_directory_id != ZERO_UUID:
                    refuse_field("replica_directory_id")
                out.append(_write_i3qx(
                    replica_state.replica_id, replica_state.log_end_offset,
                    replica_state.last_fetch_timestamp, replica_state.last_caught_up_timestamp,
                ))
                if replica_state.unknown_tags:
                    put_tags(out, [], replica_state.unknown_tags)
            observers = partition_data.observers
            n = len(observers) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for replica_state_ in observers:
                if replica_state_.replica_directory_id != ZERO_UUID:
                    refuse_field("replica_directory_id")
                out.append(_write_i3qx(
                    replica_state_.replica_id, replica_state_.log_end_offset,
                    replica_state_.last_fetch_timestamp, replica_state_.last_caught_up_timestamp,
                ))
                if replica_state_.unknown_tags:
                    put_tags(out, [], replica_state_.unknown_tags)
            out.append(b"\0")
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_quorum_response_v2(out: Parts, m: DescribeQuorumResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_data in topics:
        topic_name = topic_data.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = topic_data.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_data in partitions:
            error_message_ = (
                b"" if partition_data.error_message is None else
                partition_data.error_message.encode()
            )
            n = 0 if partition_data.error_message is None else len(error_message_) + 1
            out.append(_write_ihB(
                partition_data.partition_index, partition_data.error_code, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message_)
            current_voters = partition_data.current_voters
            n = len(current_voters) + 1
            out.append(_write_2iqB(
                partition_data.leader_id, partition_data.leader_epoch,
                partition_data.high_watermark, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for replica_state in current_voters:
                if len(replica_state.replica_directory_id) != 16:
                    refuse_uuid("replica_directory_id")
                out.append(_write_i16s3qx(
                    replica_state.replica_id, replica_state.replica_directory_id,
                    replica_state.log_end_offset, replica_state.last_fetch_timestamp,
                    replica_state.last_caught_up_timestamp,
                ))
                if replica_state.unknown_tags:
                    put_tags(out, [], replica_state.unknown_tags)
            observers = partition_data.observers
            n = len(observers) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for replica_state_ in observers:
                if len(replica_state_.replica_directory_id) != 16:
                    refuse_uuid("replica_directory_id")
                out.append(_write_i16s3qx(
                    replica_state_.replica_id, replica_state_.replica_directory_id,
                    replica_state_.log_end_offset, replica_state_.last_fetch_timestamp,
                    replica_state_.last_caught_up_timestamp,
                ))
                if replica_state_.unknown_tags:
                    put_tags(out, [], replica_state_.unknown_tags)
            out.append(b"\0")
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    nodes = m.nodes
    n = len(nodes) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for node in nodes:
        listeners = node.listeners
        n = len(listeners) + 1
        out.append(_write_iB(node.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for listener in listeners:
            name = listener.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            host = listener.host.encode()
            n = len(host) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(host)
            out.append(_write_Hx(listener.port))
            if listener.unknown_tags:
                put_tags(out, [], listener.unknown_tags)
        out.append(b"\0")
        if node.unknown_tags:
            put_tags(out, [], node.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_quorum_response_v0, 1: _get_describe_quorum_response_v1,
    2: _get_describe_quorum_response_v2,
}
_PUT = {
    0: _put_describe_quorum_response_v0, 1: _put_describe_quorum_response_v1,
    2: _put_describe_quorum_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeQuorumResponse:
    """The DescribeQuorumResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeQuorumResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeQuorumResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeQuorumResponse, version: int) -> None:
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
        ("replicaId", "replica_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "replicaDirectoryId", "replica_directory_id", "uuid", (2, 2), None, None, None,
            ZERO_UUID, False, (0, 2), None,
        ),
        (
            "logEndOffset", "log_end_offset", "int64", (0, 2), None, None, None, 0, False, (0, 2),
            None,
        ),
        (
            "lastFetchTimestamp", "last_fetch_timestamp", "int64", (1, 2), None, None, None, -1,
            True, (0, 2), None,
        ),
        (
            "lastCaughtUpTimestamp", "last_caught_up_timestamp", "int64", (1, 2), None, None, None,
            -1, True, (0, 2), None,
        ),
    ),
)
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "errorMessage", "error_message", "string", (2, 2), (2, 2), None, None, "", True, (0, 2),
            None,
        ),
        ("leaderId", "leader_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "highWatermark", "high_watermark", "int64", (0, 2), None, None, None, 0, False, (0, 2),
            None,
        ),
        (
            "currentVoters", "current_voters", "[]ReplicaState", (0, 2), None, None, None, (),
            False, (0, 2), _REPLICA_STATE_SHAPE,
        ),
        (
            "observers", "observers", "[]ReplicaState", (0, 2), None, None, None, (), False, (0, 2),
            _REPLICA_STATE_SHAPE,
        ),
    ),
)
_TOPIC_DATA_SHAPE: Shape = (
    TopicData,
    (
        ("topicName", "topic_name", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 2), None, None, None, (), False,
            (0, 2), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_LISTENER_SHAPE: Shape = (
    Listener,
    (
        ("name", "name", "string", (2, 2), None, None, None, "", False, (0, 2), None),
        ("host", "host", "string", (2, 2), None, None, None, "", False, (0, 2), None),
        ("port", "port", "uint16", (2, 2), None, None, None, 0, False, (0, 2), None),
    ),
)
_NODE_SHAPE: Shape = (
    Node,
    (
        ("nodeId", "node_id", "int32", (2, 2), None, None, None, 0, False, (0, 2), None),
        (
            "listeners", "listeners", "[]Listener", (2, 2), None, None, None, (), False, (0, 2),
            _LISTENER_SHAPE,
        ),
    ),
)
_DESCRIBE_QUORUM_RESPONSE_SHAPE: Shape = (
    DescribeQuorumResponse,
    (
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "errorMessage", "error_message", "string", (2, 2), (2, 2), None, None, "", True, (0, 2),
            None,
        ),
        (
            "topics", "topics", "[]TopicData", (0, 2), None, None, None, (), False, (0, 2),
            _TOPIC_DATA_SHAPE,
        ),
        ("nodes", "nodes", "[]Node", (2, 2), None, None, None, (), False, (0, 2), _NODE_SHAPE),
    ),
)
SHAPE: Shape = (_DESCRIBE_QUORUM_RESPONSE_SHAPE, (0, 2), (0, 2))
