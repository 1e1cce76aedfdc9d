# GENERATED from schemas/produce_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 6cb238c4d637f22f, generator 1.
"""Says for each partition where its records went. Api key 0, versions 0-13, flexible from 9."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tag_count, get_tag_head, get_tags, joined, lengthen, lengthen_text,
    long_count, long_head, long_text, long_text_head, put_tags, refuse_field, refuse_null,
    refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 0
NAME: Final = "ProduceResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 13
FLEXIBLE_FROM: Final[int | None] = 9


class BatchIndexAndErrorMessage(Message):
    """Records that caused the batch to be refused."""

    __slots__ = ("batch_index", "batch_index_error_message", "unknown_tags")

    def __init__(
        self,
        # Position of the record in its batch. (v8+)
        batch_index: int = 0,
        # Why the record was refused; null when there is nothing to say. (v8+)
        batch_index_error_message: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.batch_index = batch_index
        self.batch_index_error_message = batch_index_error_message
        self.unknown_tags = unknown_tags


class LeaderIdAndEpoch(Message):
    """Leader that the server knows, sent when it helps the client to move on."""

    __slots__ = ("leader_id", "leader_epoch", "unknown_tags")

    def __init__(
        self,
        # Node that leads; -1 when unknown. (v10+)
        leader_id: int = -1,
        # Newest epoch the server knows; -1 when unknown. (v10+)
        leader_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class PartitionProduceResponse(Message):
    """One result a partition."""

    __slots__ = (
        "index", "error_code", "base_offset", "log_append_time_ms", "log_start_offset",
        "record_errors", "error_message", "current_leader", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Offset given to the first record; -1 on error.
        base_offset: int = 0,
        # Milliseconds since 1970 given by the server; -1 when the records keep the client's time.
        # (v2+)
        log_append_time_ms: int = -1,
        # First offset of the log; -1 when unknown. (v5+)
        log_start_offset: int = -1,
        # Records that caused the batch to be refused. (v8+)
        record_errors: Sequence[BatchIndexAndErrorMessage] = (),
        # Words for a human; null when there is nothing to say. (v8+)
        error_message: str | None = None,
        # Leader that the server knows, sent when it helps the client to move on. (v10+, tag 0)
        current_leader: LeaderIdAndEpoch | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.base_offset = base_offset
        self.log_append_time_ms = log_append_time_ms
        self.log_start_offset = log_start_offset
        self.record_errors: Sequence[BatchIndexAndErrorMessage] = (
            [] if record_errors == () else record_errors
        )
        self.error_message = error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is None else current_leader
        self.unknown_tags = unknown_tags


class TopicProduceResponse(Message):
    """One result a topic."""

    __slots__ = ("name", "topic_id", "partition_responses", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-12)
        name: str = "",
        # Id of the topic. (v13+)
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partition_responses: Sequence[PartitionProduceResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_responses: Sequence[PartitionProduceResponse] = (
            [] if partition_responses == () else partition_responses
        )
        self.unknown_tags = unknown_tags


class NodeEndpoint(Message):
    """Where the leaders named in this response can be reached."""

    __slots__ = ("node_id", "host", "port", "rack", "unknown_tags")

    def __init__(
        self,
        # Id of the node. (v10+)
        node_id: int = 0,
        # Host to connect to. (v10+)
        host: str = "",
        # Port to connect to. (v10+)
        port: int = 0,
        # Rack of the node; null when it has none. (v10+)
        rack: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack
        self.unknown_tags = unknown_tags


class ProduceResponse(Message):
    """Says for each partition where its records went."""

    __slots__ = ("responses", "throttle_time_ms", "node_endpoints", "unknown_tags")

    def __init__(
        self,
        # One result a topic.
        responses: Sequence[TopicProduceResponse] = (),
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # Where the leaders named in this response can be reached. (v10+, tag 0)
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.responses: Sequence[TopicProduceResponse] = [] if responses == () else responses
        self.throttle_time_ms = throttle_time_ms
        self.node_endpoints: Sequence[NodeEndpoint] = [] if node_endpoints == () else node_endpoints
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ih2q = Struct(">ih2q").unpack_from
_read_ih3q = Struct(">ih3q").unpack_from
_read_ih3qB = Struct(">ih3qB").unpack_from
_read_ih3qi = Struct(">ih3qi").unpack_from
_read_ihq = Struct(">ihq").unpack_from
_rows_ih2q = Struct(">ih2q").iter_unpack
_rows_ih3q = Struct(">ih3q").iter_unpack
_rows_ihq = Struct(">ihq").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_2ix = Struct(">2ix").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ih2q = Struct(">ih2q").pack
_write_ih3q = Struct(">ih3q").pack
_write_ih3qB = Struct(">ih3qB").pack
_write_ih3qi = Struct(">ih3qi").pack
_write_ihq = Struct(">ihq").pack
_write_ix = Struct(">ix").pack
_NO_LEADER_ID_AND_EPOCH = LeaderIdAndEpoch()


def _get_produce_response_v0(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_produce_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n
        if left_partition_responses > 4:
            end = at + 14 * left_partition_responses
            partition_responses += map(
                new, repeat(PartitionProduceResponse, left_partition_responses),
            )
            left_partition_responses = 0
            for produce_response, values in zip(partition_responses, _rows_ihq(buf[at:end])):
                (
                    produce_response.index, produce_response.error_code,
                    produce_response.base_offset,
                ) = values
                produce_response.log_append_time_ms = -1
                produce_response.log_start_offset = -1
                produce_response.record_errors = []
                produce_response.error_message = None
                produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
                produce_response.unknown_tags = ()
            at = end
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
            ) = _read_ihq(buf, at)
            at += 14
            produce_response.log_append_time_ms = -1
            produce_response.log_start_offset = -1
            produce_response.record_errors = []
            produce_response.error_message = None
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
        topic_produce_response.topic_id = ZERO_UUID
        topic_produce_response.unknown_tags = ()
    m.throttle_time_ms = 0
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_produce_response_v1(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_produce_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n
        if left_partition_responses > 4:
            end = at + 14 * left_partition_responses
            partition_responses += map(
                new, repeat(PartitionProduceResponse, left_partition_responses),
            )
            left_partition_responses = 0
            for produce_response, values in zip(partition_responses, _rows_ihq(buf[at:end])):
                (
                    produce_response.index, produce_response.error_code,
                    produce_response.base_offset,
                ) = values
                produce_response.log_append_time_ms = -1
                produce_response.log_start_offset = -1
                produce_response.record_errors = []
                produce_response.error_message = None
                produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
                produce_response.unknown_tags = ()
            at = end
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
            ) = _read_ihq(buf, at)
            at += 14
            produce_response.log_append_time_ms = -1
            produce_response.log_start_offset = -1
            produce_response.record_errors = []
            produce_response.error_message = None
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
        topic_produce_response.topic_id = ZERO_UUID
        topic_produce_response.unknown_tags = ()
    (m.throttle_time_ms,) = _read_i(buf, at)
    at += 4
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_produce_response_v2(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_produce_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 22)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n
        if left_partition_responses > 4:
            end = at + 22 * left_partition_responses
            partition_responses += map(
                new, repeat(PartitionProduceResponse, left_partition_responses),
            )
            left_partition_responses = 0
            for produce_response, values in zip(partition_responses, _rows_ih2q(buf[at:end])):
                (
                    produce_response.index, produce_response.error_code,
                    produce_response.base_offset, produce_response.log_append_time_ms,
                ) = values
                produce_response.log_start_offset = -1
                produce_response.record_errors = []
                produce_response.error_message = None
                produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
                produce_response.unknown_tags = ()
            at = end
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms,
            ) = _read_ih2q(buf, at)
            at += 22
            produce_response.log_start_offset = -1
            produce_response.record_errors = []
            produce_response.error_message = None
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
        topic_produce_response.topic_id = ZERO_UUID
        topic_produce_response.unknown_tags = ()
    (m.throttle_time_ms,) = _read_i(buf, at)
    at += 4
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_produce_response_v5(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_produce_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 30)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n
        if left_partition_responses > 4:
            end = at + 30 * left_partition_responses
            partition_responses += map(
                new, repeat(PartitionProduceResponse, left_partition_responses),
            )
            left_partition_responses = 0
            for produce_response, values in zip(partition_responses, _rows_ih3q(buf[at:end])):
                (
                    produce_response.index, produce_response.error_code,
                    produce_response.base_offset, produce_response.log_append_time_ms,
                    produce_response.log_start_offset,
                ) = values
                produce_response.record_errors = []
                produce_response.error_message = None
                produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
                produce_response.unknown_tags = ()
            at = end
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset,
            ) = _read_ih3q(buf, at)
            at += 30
            produce_response.record_errors = []
            produce_response.error_message = None
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
        topic_produce_response.topic_id = ZERO_UUID
        topic_produce_response.unknown_tags = ()
    (m.throttle_time_ms,) = _read_i(buf, at)
    at += 4
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_produce_response_v8(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_produce_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 36)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset, n,
            ) = _read_ih3qi(buf, at)
            at += 34
            if not 0 <= n < 128:
                check_count(buf, at, n, 6)
            record_errors: list[BatchIndexAndErrorMessage] = []
            produce_response.record_errors = record_errors
            left_record_errors = n
            while left_record_errors:
                left_record_errors -= 1
                and_error_message = new(BatchIndexAndErrorMessage)
                record_errors.append(and_error_message)
                (and_error_message.batch_index, n) = _read_ih(buf, at)
                at += 6
                if n < 0:
                    and_error_message.batch_index_error_message = None
                else:
                    end = at + n
                    and_error_message.batch_index_error_message = buf[at:end].decode()
                    at = end
                and_error_message.unknown_tags = ()
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                produce_response.error_message = None
            else:
                end = at + n
                produce_response.error_message = buf[at:end].decode()
                at = end
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
        topic_produce_response.topic_id = ZERO_UUID
        topic_produce_response.unknown_tags = ()
    (m.throttle_time_ms,) = _read_i(buf, at)
    at += 4
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_produce_response_v9(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_produce_response.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n - 1
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset, n,
            ) = _read_ih3qB(buf, at)
            at += 31
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 6)
            record_errors: list[BatchIndexAndErrorMessage] = []
            produce_response.record_errors = record_errors
            left_record_errors = n - 1
            while left_record_errors:
                left_record_errors -= 1
                and_error_message = new(BatchIndexAndErrorMessage)
                record_errors.append(and_error_message)
                (and_error_message.batch_index, n) = _read_iB(buf, at)
                at += 5
                if n == 0:
                    and_error_message.batch_index_error_message = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    and_error_message.batch_index_error_message = buf[at:end].decode()
                    at = end
                tags = buf[at]
                at += 1
                and_error_message.unknown_tags = ()
                if tags:
                    and_error_message.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0:
                produce_response.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                produce_response.error_message = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
            if tags:
                produce_response.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_produce_response.topic_id = ZERO_UUID
        topic_produce_response.unknown_tags = ()
        if tags:
            topic_produce_response.unknown_tags, at = get_tags(buf, at - 1)
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_id_and_epoch_v10(buf: bytes, at: int) -> tuple[LeaderIdAndEpoch, int]:
    m = new(LeaderIdAndEpoch)
    (m.leader_id, m.leader_epoch, tags) = _read_2iB(buf, at)
    at += 9
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_partition_produce_response_v10(
    m: PartitionProduceResponse, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            m.current_leader, at = _get_leader_id_and_epoch_v10(buf, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_tags_produce_response_v10(m: ProduceResponse, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 11)
            node_endpoints: list[NodeEndpoint] = []
            m.node_endpoints = node_endpoints
            left_node_endpoints = n - 1
            while left_node_endpoints:
                left_node_endpoints -= 1
                node_endpoint = new(NodeEndpoint)
                node_endpoints.append(node_endpoint)
                (node_endpoint.node_id, n) = _read_iB(buf, at)
                at += 5
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                node_endpoint.host = buf[at:end].decode()
                at = end
                (node_endpoint.port, n) = _read_iB(buf, at)
                at += 5
                if n == 0:
                    node_endpoint.rack = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    node_endpoint.rack = buf[at:end].decode()
                    at = end
                tags = buf[at]
                at += 1
                node_endpoint.unknown_tags = ()
                if tags:
                    node_endpoint.unknown_tags, at = get_tags(buf, at - 1)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_produce_response_v10(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_produce_response.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n - 1
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset, n,
            ) = _read_ih3qB(buf, at)
            at += 31
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 6)
            record_errors: list[BatchIndexAndErrorMessage] = []
            produce_response.record_errors = record_errors
            left_record_errors = n - 1
            while left_record_errors:
                left_record_errors -= 1
                and_error_message = new(BatchIndexAndErrorMessage)
                record_errors.append(and_error_message)
                (and_error_message.batch_index, n) = _read_iB(buf, at)
                at += 5
                if n == 0:
                    and_error_message.batch_index_error_message = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    and_error_message.batch_index_error_message = buf[at:end].decode()
                    at = end
                tags = buf[at]
                at += 1
                and_error_message.unknown_tags = ()
                if tags:
                    and_error_message.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0:
                produce_response.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                produce_response.error_message = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
            if tags:
                at = _get_tags_partition_produce_response_v10(produce_response, buf, at - 1)
        tags = buf[at]
        at += 1
        topic_produce_response.topic_id = ZERO_UUID
        topic_produce_response.unknown_tags = ()
        if tags:
            topic_produce_response.unknown_tags, at = get_tags(buf, at - 1)
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        at = _get_tags_produce_response_v10(m, buf, at - 1)
    return m, at


def _get_tags_produce_response_v13(m: ProduceResponse, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 11)
            node_endpoints: list[NodeEndpoint] = []
            m.node_endpoints = node_endpoints
            left_node_endpoints = n - 1
            while left_node_endpoints:
                left_node_endpoints -= 1
                node_endpoint = new(NodeEndpoint)
                node_endpoints.append(node_endpoint)
                (node_endpoint.node_id, n) = _read_iB(buf, at)
                at += 5
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                node_endpoint.host = buf[at:end].decode()
                at = end
                (node_endpoint.port, n) = _read_iB(buf, at)
                at += 5
                if n == 0:
                    node_endpoint.rack = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    node_endpoint.rack = buf[at:end].decode()
                    at = end
                tags = buf[at]
                at += 1
                node_endpoint.unknown_tags = ()
                if tags:
                    node_endpoint.unknown_tags, at = get_tags(buf, at - 1)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_produce_response_v13(buf: bytes, at: int) -> tuple[ProduceResponse, int]:
    m = new(ProduceResponse)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    responses: list[TopicProduceResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_produce_response = new(TopicProduceResponse)
        responses.append(topic_produce_response)
        (topic_produce_response.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 33)
        partition_responses: list[PartitionProduceResponse] = []
        topic_produce_response.partition_responses = partition_responses
        left_partition_responses = n - 1
        while left_partition_responses:
            left_partition_responses -= 1
            produce_response = new(PartitionProduceResponse)
            partition_responses.append(produce_response)
            (
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset, n,
            ) = _read_ih3qB(buf, at)
            at += 31
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 6)
            record_errors: list[BatchIndexAndErrorMessage] = []
            produce_response.record_errors = record_errors
            left_record_errors = n - 1
            while left_record_errors:
                left_record_errors -= 1
                and_error_message = new(BatchIndexAndErrorMessage)
                record_errors.append(and_error_message)
                (and_error_message.batch_index, n) = _read_iB(buf, at)
                at += 5
                if n == 0:
                    and_error_message.batch_index_error_message = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    and_error_message.batch_index_error_message = buf[at:end].decode()
                    at = end
                tags = buf[at]
                at += 1
                and_error_message.unknown_tags = ()
                if tags:
                    and_error_message.unknown_tags, at = get_tags(buf, at - 1)
            n = buf[at]
            at += 1
            if n == 0:
                produce_response.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                produce_response.error_message = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            produce_response.current_leader = _NO_LEADER_ID_AND_EPOCH
            produce_response.unknown_tags = ()
            if tags:
                at = _get_tags_partition_produce_response_v10(produce_response, buf, at - 1)
        tags = buf[at]
        at += 1
        topic_produce_response.name = ""
        topic_produce_response.unknown_tags = ()
        if tags:
            topic_produce_response.unknown_tags, at = get_tags(buf, at - 1)
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        at = _get_tags_produce_response_v13(m, buf, at - 1)
    return m, at


def _put_produce_response_v0(out: Parts, m: ProduceResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_i(n))
    for topic_produce_response in responses:
        if topic_produce_response.unknown_tags:
            refuse_field("unknown_tags")
        name = topic_produce_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses)
        out.append(_write_i(n))
        for produce_response in partition_responses:
            if (
                ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if produce_response.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ihq(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
            ))


def _put_produce_response_v1(out: Parts, m: ProduceResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_i(n))
    for topic_produce_response in responses:
        if topic_produce_response.unknown_tags:
            refuse_field("unknown_tags")
        name = topic_produce_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses)
        out.append(_write_i(n))
        for produce_response in partition_responses:
            if (
                ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if produce_response.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ihq(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
            ))
    out.append(_write_i(m.throttle_time_ms))


def _put_produce_response_v2(out: Parts, m: ProduceResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_i(n))
    for topic_produce_response in responses:
        if topic_produce_response.unknown_tags:
            refuse_field("unknown_tags")
        name = topic_produce_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses)
        out.append(_write_i(n))
        for produce_response in partition_responses:
            if (
                ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if produce_response.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih2q(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms,
            ))
    out.append(_write_i(m.throttle_time_ms))


def _put_produce_response_v5(out: Parts, m: ProduceResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_i(n))
    for topic_produce_response in responses:
        if topic_produce_response.unknown_tags:
            refuse_field("unknown_tags")
        name = topic_produce_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses)
        out.append(_write_i(n))
        for produce_response in partition_responses:
            if (
                ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if produce_response.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih3q(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset,
            ))
    out.append(_write_i(m.throttle_time_ms))


def _put_produce_response_v8(out: Parts, m: ProduceResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_i(n))
    for topic_produce_response in responses:
        if topic_produce_response.unknown_tags:
            refuse_field("unknown_tags")
        name = topic_produce_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses)
        out.append(_write_i(n))
        for produce_response in partition_responses:
            if (
                ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if produce_response.unknown_tags:
                refuse_field("unknown_tags")
            record_errors = produce_response.record_errors
            n = len(record_errors)
            out.append(_write_ih3qi(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset, n,
            ))
            for and_error_message in record_errors:
                if and_error_message.unknown_tags:
                    refuse_field("unknown_tags")
                batch_index_error_message = (
                    b"" if and_error_message.batch_index_error_message is None else
                    and_error_message.batch_index_error_message.encode()
                )
                n = (
                    -1 if and_error_message.batch_index_error_message is None else
                    len(batch_index_error_message)
                )
                out.append(_write_ih(and_error_message.batch_index, n))
                out.append(batch_index_error_message)
            error_message = (
                b"" if produce_response.error_message is None else
                produce_response.error_message.encode()
            )
            n = -1 if produce_response.error_message is None else len(error_message)
            out.append(_write_h(n))
            out.append(error_message)
    out.append(_write_i(m.throttle_time_ms))


def _put_produce_response_v9(out: Parts, m: ProduceResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    responses = m.responses
    n = len(responses) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_produce_response in responses:
        name = topic_produce_response.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for produce_response in partition_responses:
            if (
                ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            record_errors = produce_response.record_errors
            n = len(record_errors) + 1
            out.append(_write_ih3qB(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for and_error_message in record_errors:
                batch_index_error_message = (
                    b"" if and_error_message.batch_index_error_message is None else
                    and_error_message.batch_index_error_message.encode()
                )
                n = (
                    0 if and_error_message.batch_index_error_message is None else
                    len(batch_index_error_message) + 1
                )
                out.append(_write_iB(and_error_message.batch_index, n if n < 128 else 0))
                if n > 127:
                    lengthen_text(out, n)
                out.append(batch_index_error_message)
                out.append(b"\0")
                if and_error_message.unknown_tags:
                    put_tags(out, [], and_error_message.unknown_tags)
            error_message = (
                b"" if produce_response.error_message is None else
                produce_response.error_message.encode()
            )
            n = 0 if produce_response.error_message is None else len(error_message) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(error_message)
            out.append(b"\0")
            if produce_response.unknown_tags:
                put_tags(out, [], produce_response.unknown_tags)
        out.append(b"\0")
        if topic_produce_response.unknown_tags:
            put_tags(out, [], topic_produce_response.unknown_tags)
    out.append(_write_ix(m.throttle_time_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_id_and_epoch_v10(out: Parts, m: LeaderIdAndEpoch) -> None:
    out.append(_write_2ix(m.leader_id, m.leader_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_partition_produce_response_v10(m: PartitionProduceResponse) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if (
        ((current_leader := m.current_leader) is not _NO_LEADER_ID_AND_EPOCH and
            (current_leader.leader_id != -1 or current_leader.leader_epoch != -1 or
            current_leader.unknown_tags))
    ):
        part: Parts = []
        _put_leader_id_and_epoch_v10(part, m.current_leader)
        tags.append((0, joined(part)))
    return tags


def _tags_of_produce_response_v10(m: ProduceResponse) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.node_endpoints:
        part: Parts = []
        node_endpoints = m.node_endpoints
        n = len(node_endpoints) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for node_endpoint in node_endpoints:
            host = node_endpoint.host.encode()
            n = len(host) + 1
            part.append(_write_iB(node_endpoint.node_id, n if n < 128 else 0))
            if n > 127:
                lengthen_text(part, n)
            part.append(host)
            rack = b"" if node_endpoint.rack is None else node_endpoint.rack.encode()
            n = 0 if node_endpoint.rack is None else len(rack) + 1
            part.append(_write_iB(node_endpoint.port, n if n < 128 else 0))
            if n > 127:
                lengthen_text(part, n)
            part.append(rack)
            part.append(b"\0")
            if node_endpoint.unknown_tags:
                put_tags(part, [], node_endpoint.unknown_tags)
        tags.append((0, joined(part)))
    return tags


def _put_produce_response_v10(out: Parts, m: ProduceResponse) -> None:
    responses = m.responses
    n = len(responses) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_produce_response in responses:
        name = topic_produce_response.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for produce_response in partition_responses:
            record_errors = produce_response.record_errors
            n = len(record_errors) + 1
            out.append(_write_ih3qB(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for and_error_message in record_errors:
                batch_index_error_message = (
                    b"" if and_error_message.batch_index_error_message is None else
                    and_error_message.batch_index_error_message.encode()
                )
                n = (
                    0 if and_error_message.batch_index_error_message is None else
                    len(batch_index_error_message) + 1
                )
                out.append(_write_iB(and_error_message.batch_index, n if n < 128 else 0))
                if n > 127:
                    lengthen_text(out, n)
                out.append(batch_index_error_message)
                out.append(b"\0")
                if and_error_message.unknown_tags:
                    put_tags(out, [], and_error_message.unknown_tags)
            error_message = (
                b"" if produce_response.error_message is None else
                produce_response.error_message.encode()
            )
            n = 0 if produce_response.error_message is None else len(error_message) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(error_message)
            out.append(b"\0")
            if (
                produce_response.unknown_tags
                or ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                put_tags(
                    out, _tags_of_partition_produce_response_v10(produce_response),
                    produce_response.unknown_tags,
                )
        out.append(b"\0")
        if topic_produce_response.unknown_tags:
            put_tags(out, [], topic_produce_response.unknown_tags)
    out.append(_write_ix(m.throttle_time_ms))
    if m.unknown_tags or m.node_endpoints:
        put_tags(out, _tags_of_produce_response_v10(m), m.unknown_tags)


def _tags_of_produce_response_v13(m: ProduceResponse) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.node_endpoints:
        part: Parts = []
        node_endpoints = m.node_endpoints
        n = len(node_endpoints) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for node_endpoint in node_endpoints:
            host = node_endpoint.host.encode()
            n = len(host) + 1
            part.append(_write_iB(node_endpoint.node_id, n if n < 128 else 0))
            if n > 127:
                lengthen_text(part, n)
            part.append(host)
            rack = b"" if node_endpoint.rack is None else node_endpoint.rack.encode()
            n = 0 if node_endpoint.rack is None else len(rack) + 1
            part.append(_write_iB(node_endpoint.port, n if n < 128 else 0))
            if n > 127:
                lengthen_text(part, n)
            part.append(rack)
            part.append(b"\0")
            if node_endpoint.unknown_tags:
                put_tags(part, [], node_endpoint.unknown_tags)
        tags.append((0, joined(part)))
    return tags


def _put_produce_response_v13(out: Parts, m: ProduceResponse) -> None:
    responses = m.responses
    n = len(responses) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_produce_response in responses:
        if len(topic_produce_response.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_responses = topic_produce_response.partition_responses
        n = len(partition_responses) + 1
        out.append(_write_16sB(topic_produce_response.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for produce_response in partition_responses:
            record_errors = produce_response.record_errors
            n = len(record_errors) + 1
            out.append(_write_ih3qB(
                produce_response.index, produce_response.error_code, produce_response.base_offset,
                produce_response.log_append_time_ms, produce_response.log_start_offset,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for and_error_message in record_errors:
                batch_index_error_message = (
                    b"" if and_error_message.batch_index_error_message is None else
                    and_error_message.batch_index_error_message.encode()
                )
                n = (
                    0 if and_error_message.batch_index_error_message is None else
                    len(batch_index_error_message) + 1
                )
                out.append(_write_iB(and_error_message.batch_index, n if n < 128 else 0))
                if n > 127:
                    lengthen_text(out, n)
                out.append(batch_index_error_message)
                out.append(b"\0")
                if and_error_message.unknown_tags:
                    put_tags(out, [], and_error_message.unknown_tags)
            error_message = (
                b"" if produce_response.error_message is None else
                produce_response.error_message.encode()
            )
            n = 0 if produce_response.error_message is None else len(error_message) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(error_message)
            out.append(b"\0")
            if (
                produce_response.unknown_tags
                or ((current_leader := produce_response.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                put_tags(
                    out, _tags_of_partition_produce_response_v10(produce_response),
                    produce_response.unknown_tags,
                )
        out.append(b"\0")
        if topic_produce_response.unknown_tags:
            put_tags(out, [], topic_produce_response.unknown_tags)
    out.append(_write_ix(m.throttle_time_ms))
    if m.unknown_tags or m.node_endpoints:
        put_tags(out, _tags_of_produce_response_v13(m), m.unknown_tags)


_GET = {
    0: _get_produce_response_v0, 1: _get_produce_response_v1, 2: _get_produce_response_v2,
    3: _get_produce_response_v2, 4: _get_produce_response_v2, 5: _get_produce_response_v5,
    6: _get_produce_response_v5, 7: _get_produce_response_v5, 8: _get_produce_response_v8,
    9: _get_produce_response_v9, 10: _get_produce_response_v10, 11: _get_produce_response_v10,
    12: _get_produce_response_v10, 13: _get_produce_response_v13,
}
_PUT = {
    0: _put_produce_response_v0, 1: _put_produce_response_v1, 2: _put_produce_response_v2,
    3: _put_produce_response_v2, 4: _put_produce_response_v2, 5: _put_produce_response_v5,
    6: _put_produce_response_v5, 7: _put_produce_response_v5, 8: _put_produce_response_v8,
    9: _put_produce_response_v9, 10: _put_produce_response_v10, 11: _put_produce_response_v10,
    12: _put_produce_response_v10, 13: _put_produce_response_v13,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ProduceResponse:
    """The ProduceResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ProduceResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ProduceResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ProduceResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BATCH_INDEX_AND_ERROR_MESSAGE_SHAPE: Shape = (
    BatchIndexAndErrorMessage,
    (
        ("batchIndex", "batch_index", "int32", (8, 13), None, None, None, 0, False, (9, 13), None),
        (
            "batchIndexErrorMessage", "batch_index_error_message", "string", (8, 13), (8, 13), None,
            None, None, False, (9, 13), None,
        ),
    ),
)
_LEADER_ID_AND_EPOCH_SHAPE: Shape = (
    LeaderIdAndEpoch,
    (
        ("leaderId", "leader_id", "int32", (10, 13), None, None, None, -1, False, (9, 13), None),
        (
            "leaderEpoch", "leader_epoch", "int32", (10, 13), None, None, None, -1, False, (9, 13),
            None,
        ),
    ),
)
_PARTITION_PRODUCE_RESPONSE_SHAPE: Shape = (
    PartitionProduceResponse,
    (
        ("index", "index", "int32", (0, 13), None, None, None, 0, False, (9, 13), None),
        ("errorCode", "error_code", "int16", (0, 13), None, None, None, 0, False, (9, 13), None),
        ("baseOffset", "base_offset", "int64", (0, 13), None, None, None, 0, False, (9, 13), None),
        (
            "logAppendTimeMs", "log_append_time_ms", "int64", (2, 13), None, None, None, -1, True,
            (9, 13), None,
        ),
        (
            "logStartOffset", "log_start_offset", "int64", (5, 13), None, None, None, -1, True,
            (9, 13), None,
        ),
        (
            "recordErrors", "record_errors", "[]BatchIndexAndErrorMessage", (8, 13), None, None,
            None, (), True, (9, 13), _BATCH_INDEX_AND_ERROR_MESSAGE_SHAPE,
        ),
        (
            "errorMessage", "error_message", "string", (8, 13), (8, 13), None, None, None, True,
            (9, 13), None,
        ),
        (
            "currentLeader", "current_leader", "LeaderIdAndEpoch", (10, 13), None, 0, (10, 13),
            UNSET, False, (9, 13), _LEADER_ID_AND_EPOCH_SHAPE,
        ),
    ),
)
_TOPIC_PRODUCE_RESPONSE_SHAPE: Shape = (
    TopicProduceResponse,
    (
        ("name", "name", "string", (0, 12), None, None, None, "", True, (9, 13), None),
        ("topicId", "topic_id", "uuid", (13, 13), None, None, None, ZERO_UUID, True, (9, 13), None),
        (
            "partitionResponses", "partition_responses", "[]PartitionProduceResponse", (0, 13),
            None, None, None, (), False, (9, 13), _PARTITION_PRODUCE_RESPONSE_SHAPE,
        ),
    ),
)
_NODE_ENDPOINT_SHAPE: Shape = (
    NodeEndpoint,
    (
        ("nodeId", "node_id", "int32", (10, 13), None, None, None, 0, False, (9, 13), None),
        ("host", "host", "string", (10, 13), None, None, None, "", False, (9, 13), None),
        ("port", "port", "int32", (10, 13), None, None, None, 0, False, (9, 13), None),
        ("rack", "rack", "string", (10, 13), (10, 13), None, None, None, False, (9, 13), None),
    ),
)
_PRODUCE_RESPONSE_SHAPE: Shape = (
    ProduceResponse,
    (
        (
            "responses", "responses", "[]TopicProduceResponse", (0, 13), None, None, None, (),
            False, (9, 13), _TOPIC_PRODUCE_RESPONSE_SHAPE,
        ),
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 13), None, None, None, 0, True,
            (9, 13), None,
        ),
        (
            "nodeEndpoints", "node_endpoints", "[]NodeEndpoint", (10, 13), None, 0, (10, 13), (),
            False, (9, 13), _NODE_ENDPOINT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_PRODUCE_RESPONSE_SHAPE, (0, 13), (9, 13))
