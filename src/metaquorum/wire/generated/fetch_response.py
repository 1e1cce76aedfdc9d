# GENERATED from schemas/fetch_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5bcce77c019e46ba, generator 1.
"""Record batches by partition, or what to do first. Api key 1, versions 0-18, flexible from 12."""

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
    long_count, long_head, long_size, long_text, long_text_head, put_records, put_tags,
    refuse_field, refuse_null, refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape
from metaquorum.wire.slices import RecordsValue

API_KEY: Final = 1
NAME: Final = "FetchResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 18
FLEXIBLE_FROM: Final[int | None] = 12


class EpochEndOffset(Message):
    """Where the fetcher's log parts from the leader's."""

    __slots__ = ("epoch", "end_offset", "unknown_tags")

    def __init__(
        self,
        # Largest epoch of the leader's log at or below the fetcher's; -1 when nothing diverges.
        # (v12+)
        epoch: int = -1,
        # Offset after the last record of that epoch. (v12+)
        end_offset: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.epoch = epoch
        self.end_offset = end_offset
        self.unknown_tags = unknown_tags


class LeaderIdAndEpoch(Message):
    """Leader that the server knows, sent when the fetcher has to look elsewhere."""

    __slots__ = ("leader_id", "leader_epoch", "unknown_tags")

    def __init__(
        self,
        # Node that leads; -1 when unknown. (v12+)
        leader_id: int = -1,
        # Newest epoch the server knows; -1 when unknown. (v12+)
        leader_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class SnapshotId(Message):
    """Snapshot to fetch first, because the log no longer starts early enough; -1 for none."""

    __slots__ = ("end_offset", "epoch", "unknown_tags")

    def __init__(
        self,
        # Offset after the last record that the snapshot covers.
        end_offset: int = -1,
        # Epoch of the last record that the snapshot covers.
        epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch
        self.unknown_tags = unknown_tags


class AbortedTransaction(Message):
    """Aborted transactions that overlap the records; null for read_uncommitted."""

    __slots__ = ("producer_id", "first_offset", "unknown_tags")

    def __init__(
        self,
        # Producer whose transaction was aborted. (v4+)
        producer_id: int = 0,
        # Where the aborted transaction begins. (v4+)
        first_offset: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.producer_id = producer_id
        self.first_offset = first_offset
        self.unknown_tags = unknown_tags


class PartitionData(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "error_code", "high_watermark", "last_stable_offset", "log_start_offset",
        "diverging_epoch", "current_leader", "snapshot_id", "aborted_transactions",
        "preferred_read_replica", "records", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # High watermark; -1 when unknown.
        high_watermark: int = 0,
        # Offset below which every transaction is decided; -1 when unknown. (v4+)
        last_stable_offset: int = -1,
        # First offset of the log; -1 when unknown. (v5+)
        log_start_offset: int = -1,
        # Where the fetcher's log parts from the leader's. (v12+, tag 0)
        diverging_epoch: EpochEndOffset | None = None,
        # Leader that the server knows, sent when the fetcher has to look elsewhere. (v12+, tag 1)
        current_leader: LeaderIdAndEpoch | None = None,
        # Snapshot to fetch first, because the log no longer starts early enough; -1 for none.
        # (v12+, tag 2)
        snapshot_id: SnapshotId | None = None,
        # Aborted transactions that overlap the records; null for read_uncommitted. (v4+)
        aborted_transactions: Sequence[AbortedTransaction] | None = (),
        # Replica the consumer should read from instead; -1 for none. (v11+)
        preferred_read_replica: int = -1,
        # Record batches, whole and in order.
        records: RecordsValue = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.high_watermark = high_watermark
        self.last_stable_offset = last_stable_offset
        self.log_start_offset = log_start_offset
        self.diverging_epoch = EpochEndOffset() if diverging_epoch is None else diverging_epoch
        self.current_leader = LeaderIdAndEpoch() if current_leader is None else current_leader
        self.snapshot_id = SnapshotId() if snapshot_id is None else snapshot_id
        self.aborted_transactions: Sequence[AbortedTransaction] | None = (
            [] if aborted_transactions == () else aborted_transactions
        )
        self.preferred_read_replica = preferred_read_replica
        self.records = records
        self.unknown_tags = unknown_tags


class FetchableTopicResponse(Message):
    """One result a topic."""

    __slots__ = ("topic", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-12)
        topic: str = "",
        # Id of the topic. (v13+)
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class NodeEndpoint(Message):
    """Where the leaders named in this response can be reached."""

    __slots__ = ("node_id", "host", "port", "rack", "unknown_tags")

    def __init__(
        self,
        # Id of the node. (v16+)
        node_id: int = 0,
        # Host to connect to. (v16+)
        host: str = "",
        # Port to connect to. (v16+)
        port: int = 0,
        # Rack of the node; null when it has none. (v16+)
        rack: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack
        self.unknown_tags = unknown_tags


class FetchResponse(Message):
    """Record batches by partition, or what to do first."""

    __slots__ = (
        "throttle_time_ms", "error_code", "session_id", "responses", "node_endpoints",
        "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none. (v7+)
        error_code: int = 0,
        # Fetch session that the server keeps; 0 when it keeps none. (v7+)
        session_id: int = 0,
        # One result a topic.
        responses: Sequence[FetchableTopicResponse] = (),
        # Where the leaders named in this response can be reached. (v16+, tag 0)
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.session_id = session_id
        self.responses: Sequence[FetchableTopicResponse] = [] if responses == () else responses
        self.node_endpoints: Sequence[NodeEndpoint] = [] if node_endpoints == () else node_endpoints
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_2q = Struct(">2q").unpack_from
_read_2qB = Struct(">2qB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih2i = Struct(">ih2i").unpack_from
_read_ih2qi = Struct(">ih2qi").unpack_from
_read_ih3qB = Struct(">ih3qB").unpack_from
_read_ih3qi = Struct(">ih3qi").unpack_from
_read_ihiB = Struct(">ihiB").unpack_from
_read_ihqi = Struct(">ihqi").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_read_qiB = Struct(">qiB").unpack_from
_rows_2q = Struct(">2q").iter_unpack
_rows_2qx = Struct(">2qx").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_2i = Struct(">2i").pack
_write_2ix = Struct(">2ix").pack
_write_2q = Struct(">2q").pack
_write_2qx = Struct(">2qx").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih2i = Struct(">ih2i").pack
_write_ih2qi = Struct(">ih2qi").pack
_write_ih3qB = Struct(">ih3qB").pack
_write_ih3qi = Struct(">ih3qi").pack
_write_ihiB = Struct(">ihiB").pack
_write_ihqi = Struct(">ihqi").pack
_write_iqx = Struct(">iqx").pack
_write_qix = Struct(">qix").pack
_NO_EPOCH_END_OFFSET = EpochEndOffset()
_NO_LEADER_ID_AND_EPOCH = LeaderIdAndEpoch()
_NO_SNAPSHOT_ID = SnapshotId()


def _get_fetch_response_v0(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_response.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, n,
            ) = _read_ihqi(buf, at)
            at += 18
            if n < 0:
                partition_data.records = None
            else:
                end = at + n
                partition_data.records = view[at:end]
                at = end
            partition_data.last_stable_offset = -1
            partition_data.log_start_offset = -1
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.aborted_transactions = []
            partition_data.preferred_read_replica = -1
            partition_data.unknown_tags = ()
        topic_response.topic_id = ZERO_UUID
        topic_response.unknown_tags = ()
    m.throttle_time_ms = 0
    m.error_code = 0
    m.session_id = 0
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_response_v1(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_response.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, n,
            ) = _read_ihqi(buf, at)
            at += 18
            if n < 0:
                partition_data.records = None
            else:
                end = at + n
                partition_data.records = view[at:end]
                at = end
            partition_data.last_stable_offset = -1
            partition_data.log_start_offset = -1
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.aborted_transactions = []
            partition_data.preferred_read_replica = -1
            partition_data.unknown_tags = ()
        topic_response.topic_id = ZERO_UUID
        topic_response.unknown_tags = ()
    m.error_code = 0
    m.session_id = 0
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_response_v4(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_response.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 30)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset, n,
            ) = _read_ih2qi(buf, at)
            at += 26
            if n < 0:
                partition_data.aborted_transactions = None
            else:
                if n > 127:
                    check_count(buf, at, n, 16)
                aborted_transactions: list[AbortedTransaction] = []
                partition_data.aborted_transactions = aborted_transactions
                left_aborted_transactions = n
                if left_aborted_transactions > 4:
                    end = at + 16 * left_aborted_transactions
                    aborted_transactions += map(
                        new, repeat(AbortedTransaction, left_aborted_transactions),
                    )
                    left_aborted_transactions = 0
                    for aborted_transaction, values in zip(
                        aborted_transactions, _rows_2q(buf[at:end]),
                    ):
                        (aborted_transaction.producer_id, aborted_transaction.first_offset) = values
                        aborted_transaction.unknown_tags = ()
                    at = end
                while left_aborted_transactions:
                    left_aborted_transactions -= 1
                    aborted_transaction = new(AbortedTransaction)
                    aborted_transactions.append(aborted_transaction)
                    (
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ) = _read_2q(buf, at)
                    at += 16
                    aborted_transaction.unknown_tags = ()
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                partition_data.records = None
            else:
                end = at + n
                partition_data.records = view[at:end]
                at = end
            partition_data.log_start_offset = -1
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.preferred_read_replica = -1
            partition_data.unknown_tags = ()
        topic_response.topic_id = ZERO_UUID
        topic_response.unknown_tags = ()
    m.error_code = 0
    m.session_id = 0
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_response_v5(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_response.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 38)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ) = _read_ih3qi(buf, at)
            at += 34
            if n < 0:
                partition_data.aborted_transactions = None
            else:
                if n > 127:
                    check_count(buf, at, n, 16)
                aborted_transactions: list[AbortedTransaction] = []
                partition_data.aborted_transactions = aborted_transactions
                left_aborted_transactions = n
                if left_aborted_transactions > 4:
                    end = at + 16 * left_aborted_transactions
                    aborted_transactions += map(
                        new, repeat(AbortedTransaction, left_aborted_transactions),
                    )
                    left_aborted_transactions = 0
                    for aborted_transaction, values in zip(
                        aborted_transactions, _rows_2q(buf[at:end]),
                    ):
                        (aborted_transaction.producer_id, aborted_transaction.first_offset) = values
                        aborted_transaction.unknown_tags = ()
                    at = end
                while left_aborted_transactions:
                    left_aborted_transactions -= 1
                    aborted_transaction = new(AbortedTransaction)
                    aborted_transactions.append(aborted_transaction)
                    (
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ) = _read_2q(buf, at)
                    at += 16
                    aborted_transaction.unknown_tags = ()
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                partition_data.records = None
            else:
                end = at + n
                partition_data.records = view[at:end]
                at = end
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.preferred_read_replica = -1
            partition_data.unknown_tags = ()
        topic_response.topic_id = ZERO_UUID
        topic_response.unknown_tags = ()
    m.error_code = 0
    m.session_id = 0
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_response_v7(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, m.error_code, m.session_id, n) = _read_ih2i(buf, at)
    at += 14
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_response.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 38)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ) = _read_ih3qi(buf, at)
            at += 34
            if n < 0:
                partition_data.aborted_transactions = None
            else:
                if n > 127:
                    check_count(buf, at, n, 16)
                aborted_transactions: list[AbortedTransaction] = []
                partition_data.aborted_transactions = aborted_transactions
                left_aborted_transactions = n
                if left_aborted_transactions > 4:
                    end = at + 16 * left_aborted_transactions
                    aborted_transactions += map(
                        new, repeat(AbortedTransaction, left_aborted_transactions),
                    )
                    left_aborted_transactions = 0
                    for aborted_transaction, values in zip(
                        aborted_transactions, _rows_2q(buf[at:end]),
                    ):
                        (aborted_transaction.producer_id, aborted_transaction.first_offset) = values
                        aborted_transaction.unknown_tags = ()
                    at = end
                while left_aborted_transactions:
                    left_aborted_transactions -= 1
                    aborted_transaction = new(AbortedTransaction)
                    aborted_transactions.append(aborted_transaction)
                    (
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ) = _read_2q(buf, at)
                    at += 16
                    aborted_transaction.unknown_tags = ()
            (n,) = _read_i(buf, at)
            at += 4
            if n < 0:
                partition_data.records = None
            else:
                end = at + n
                partition_data.records = view[at:end]
                at = end
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.preferred_read_replica = -1
            partition_data.unknown_tags = ()
        topic_response.topic_id = ZERO_UUID
        topic_response.unknown_tags = ()
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_fetch_response_v11(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, m.error_code, m.session_id, n) = _read_ih2i(buf, at)
    at += 14
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_response.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 42)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ) = _read_ih3qi(buf, at)
            at += 34
            if n < 0:
                partition_data.aborted_transactions = None
            else:
                if n > 127:
                    check_count(buf, at, n, 16)
                aborted_transactions: list[AbortedTransaction] = []
                partition_data.aborted_transactions = aborted_transactions
                left_aborted_transactions = n
                if left_aborted_transactions > 4:
                    end = at + 16 * left_aborted_transactions
                    aborted_transactions += map(
                        new, repeat(AbortedTransaction, left_aborted_transactions),
                    )
                    left_aborted_transactions = 0
                    for aborted_transaction, values in zip(
                        aborted_transactions, _rows_2q(buf[at:end]),
                    ):
                        (aborted_transaction.producer_id, aborted_transaction.first_offset) = values
                        aborted_transaction.unknown_tags = ()
                    at = end
                while left_aborted_transactions:
                    left_aborted_transactions -= 1
                    aborted_transaction = new(AbortedTransaction)
                    aborted_transactions.append(aborted_transaction)
                    (
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ) = _read_2q(buf, at)
                    at += 16
                    aborted_transaction.unknown_tags = ()
            (partition_data.preferred_read_replica, n) = _read_2i(buf, at)
            at += 8
            if n < 0:
                partition_data.records = None
            else:
                end = at + n
                partition_data.records = view[at:end]
                at = end
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.unknown_tags = ()
        topic_response.topic_id = ZERO_UUID
        topic_response.unknown_tags = ()
    m.node_endpoints = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_epoch_end_offset_v12(buf: bytes, at: int) -> tuple[EpochEndOffset, int]:
    m = new(EpochEndOffset)
    (m.epoch, m.end_offset, tags) = _read_iqB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_id_and_epoch_v12(buf: bytes, at: int) -> tuple[LeaderIdAndEpoch, int]:
    m = new(LeaderIdAndEpoch)
    (m.leader_id, m.leader_epoch, tags) = _read_2iB(buf, at)
    at += 9
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_snapshot_id_v12(buf: bytes, at: int) -> tuple[SnapshotId, int]:
    m = new(SnapshotId)
    (m.end_offset, m.epoch, tags) = _read_qiB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_partition_data_v12(m: PartitionData, buf: bytes, view: memoryview, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            m.diverging_epoch, at = _get_epoch_end_offset_v12(buf, at)
        elif tag == 1:
            m.current_leader, at = _get_leader_id_and_epoch_v12(buf, at)
        elif tag == 2:
            m.snapshot_id, at = _get_snapshot_id_v12(buf, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_fetch_response_v12(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, m.error_code, m.session_id, n) = _read_ihiB(buf, at)
    at += 11
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_response.topic = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 37)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ) = _read_ih3qB(buf, at)
            at += 31
            if n == 0:
                partition_data.aborted_transactions = None
            else:
                if n > 127:
                    n, at = long_count(buf, at, 17)
                aborted_transactions: list[AbortedTransaction] = []
                partition_data.aborted_transactions = aborted_transactions
                left_aborted_transactions = n - 1
                if (
                    left_aborted_transactions > 4
                    and buf[at + 16 : at + 17 * left_aborted_transactions : 17] ==
                        bytes(left_aborted_transactions)
                ):
                    end = at + 17 * left_aborted_transactions
                    aborted_transactions += map(
                        new, repeat(AbortedTransaction, left_aborted_transactions),
                    )
                    left_aborted_transactions = 0
                    for aborted_transaction, values in zip(
                        aborted_transactions, _rows_2qx(buf[at:end]),
                    ):
                        (aborted_transaction.producer_id, aborted_transaction.first_offset) = values
                        aborted_transaction.unknown_tags = ()
                    at = end
                while left_aborted_transactions:
                    left_aborted_transactions -= 1
                    aborted_transaction = new(AbortedTransaction)
                    aborted_transactions.append(aborted_transaction)
                    (
                        aborted_transaction.producer_id, aborted_transaction.first_offset, tags,
                    ) = _read_2qB(buf, at)
                    at += 17
                    aborted_transaction.unknown_tags = ()
                    if tags:
                        aborted_transaction.unknown_tags, at = get_tags(buf, at - 1)
            (partition_data.preferred_read_replica, n) = _read_iB(buf, at)
            at += 5
            if n == 0:
                partition_data.records = None
            else:
                if n > 127:
                    if 0 < buf[at] < 128:
                        n += (buf[at] << 7) - 128
                        at += 1
                    else:
                        n, at = long_size(buf, at)
                end = at + n - 1
                partition_data.records = view[at:end]
                at = end
            tags = buf[at]
            at += 1
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.unknown_tags = ()
            if tags:
                at = _get_tags_partition_data_v12(partition_data, buf, view, at - 1)
        tags = buf[at]
        at += 1
        topic_response.topic_id = ZERO_UUID
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_fetch_response_v13(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, m.error_code, m.session_id, n) = _read_ihiB(buf, at)
    at += 11
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (topic_response.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 37)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ) = _read_ih3qB(buf, at)
            at += 31
            if n == 0:
                partition_data.aborted_transactions = None
            else:
                if n > 127:
                    n, at = long_count(buf, at, 17)
                aborted_transactions: list[AbortedTransaction] = []
                partition_data.aborted_transactions = aborted_transactions
                left_aborted_transactions = n - 1
                if (
                    left_aborted_transactions > 4
                    and buf[at + 16 : at + 17 * left_aborted_transactions : 17] ==
                        bytes(left_aborted_transactions)
                ):
                    end = at + 17 * left_aborted_transactions
                    aborted_transactions += map(
                        new, repeat(AbortedTransaction, left_aborted_transactions),
                    )
                    left_aborted_transactions = 0
                    for aborted_transaction, values in zip(
                        aborted_transactions, _rows_2qx(buf[at:end]),
                    ):
                        (aborted_transaction.producer_id, aborted_transaction.first_offset) = values
                        aborted_transaction.unknown_tags = ()
                    at = end
                while left_aborted_transactions:
                    left_aborted_transactions -= 1
                    aborted_transaction = new(AbortedTransaction)
                    aborted_transactions.append(aborted_transaction)
                    (
                        aborted_transaction.producer_id, aborted_transaction.first_offset, tags,
                    ) = _read_2qB(buf, at)
                    at += 17
                    aborted_transaction.unknown_tags = ()
                    if tags:
                        aborted_transaction.unknown_tags, at = get_tags(buf, at - 1)
            (partition_data.preferred_read_replica, n) = _read_iB(buf, at)
            at += 5
            if n == 0:
                partition_data.records = None
            else:
                if n > 127:
                    if 0 < buf[at] < 128:
                        n += (buf[at] << 7) - 128
                        at += 1
                    else:
                        n, at = long_size(buf, at)
                end = at + n - 1
                partition_data.records = view[at:end]
                at = end
            tags = buf[at]
            at += 1
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.unknown_tags = ()
            if tags:
                at = _get_tags_partition_data_v12(partition_data, buf, view, at - 1)
        tags = buf[at]
        at += 1
        topic_response.topic = ""
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_fetch_response_v16(m: FetchResponse, buf: bytes, view: memoryview, at: int) -> int:
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


def _get_fetch_response_v16(buf: bytes, view: memoryview, at: int) -> tuple[FetchResponse, int]:
    m = new(FetchResponse)
    (m.throttle_time_ms, m.error_code, m.session_id, n) = _read_ihiB(buf, at)
    at += 11
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    responses: list[FetchableTopicResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_response = new(FetchableTopicResponse)
        responses.append(topic_response)
        (topic_response.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 37)
        partitions: list[PartitionData] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ) = _read_ih3qB(buf, at)
            at += 31
            if n == 0:
                partition_data.aborted_transactions = None
            else:
                if n > 127:
                    n, at = long_count(buf, at, 17)
                aborted_transactions: list[AbortedTransaction] = []
                partition_data.aborted_transactions = aborted_transactions
                left_aborted_transactions = n - 1
                if (
                    left_aborted_transactions > 4
                    and buf[at + 16 : at + 17 * left_aborted_transactions : 17] ==
                        bytes(left_aborted_transactions)
                ):
                    end = at + 17 * left_aborted_transactions
                    aborted_transactions += map(
                        new, repeat(AbortedTransaction, left_aborted_transactions),
                    )
                    left_aborted_transactions = 0
                    for aborted_transaction, values in zip(
                        aborted_transactions, _rows_2qx(buf[at:end]),
                    ):
                        (aborted_transaction.producer_id, aborted_transaction.first_offset) = values
                        aborted_transaction.unknown_tags = ()
                    at = end
                while left_aborted_transactions:
                    left_aborted_transactions -= 1
                    aborted_transaction = new(AbortedTransaction)
                    aborted_transactions.append(aborted_transaction)
                    (
                        aborted_transaction.producer_id, aborted_transaction.first_offset, tags,
                    ) = _read_2qB(buf, at)
                    at += 17
                    aborted_transaction.unknown_tags = ()
                    if tags:
                        aborted_transaction.unknown_tags, at = get_tags(buf, at - 1)
            (partition_data.preferred_read_replica, n) = _read_iB(buf, at)
            at += 5
            if n == 0:
                partition_data.records = None
            else:
                if n > 127:
                    if 0 < buf[at] < 128:
                        n += (buf[at] << 7) - 128
                        at += 1
                    else:
                        n, at = long_size(buf, at)
                end = at + n - 1
                partition_data.records = view[at:end]
                at = end
            tags = buf[at]
            at += 1
            partition_data.diverging_epoch = _NO_EPOCH_END_OFFSET
            partition_data.current_leader = _NO_LEADER_ID_AND_EPOCH
            partition_data.snapshot_id = _NO_SNAPSHOT_ID
            partition_data.unknown_tags = ()
            if tags:
                at = _get_tags_partition_data_v12(partition_data, buf, view, at - 1)
        tags = buf[at]
        at += 1
        topic_response.topic = ""
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.node_endpoints = []
    m.unknown_tags = ()
    if tags:
        at = _get_tags_fetch_response_v16(m, buf, view, at - 1)
    return m, at


def _put_fetch_response_v0(out: Parts, m: FetchResponse) -> None:
    if m.session_id != 0:
        refuse_field("session_id")
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_i(n))
    for topic_response in responses:
        if topic_response.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_response.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_data in partitions:
            if (
                ((diverging_epoch := partition_data.diverging_epoch) is not _NO_EPOCH_END_OFFSET
                    and (diverging_epoch.epoch != -1 or diverging_epoch.end_offset != -1 or
                    diverging_epoch.unknown_tags))
            ):
                refuse_field("diverging_epoch")
            if (
                ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if (
                ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                refuse_field("snapshot_id")
            if partition_data.preferred_read_replica != -1:
                refuse_field("preferred_read_replica")
            if partition_data.unknown_tags:
                refuse_field("unknown_tags")
            records = partition_data.records
            n = -1 if records is None else len(records)
            out.append(_write_ihqi(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, n,
            ))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_fetch_response_v1(out: Parts, m: FetchResponse) -> None:
    if m.session_id != 0:
        refuse_field("session_id")
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_2i(m.throttle_time_ms, n))
    for topic_response in responses:
        if topic_response.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_response.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_data in partitions:
            if (
                ((diverging_epoch := partition_data.diverging_epoch) is not _NO_EPOCH_END_OFFSET
                    and (diverging_epoch.epoch != -1 or diverging_epoch.end_offset != -1 or
                    diverging_epoch.unknown_tags))
            ):
                refuse_field("diverging_epoch")
            if (
                ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if (
                ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                refuse_field("snapshot_id")
            if partition_data.preferred_read_replica != -1:
                refuse_field("preferred_read_replica")
            if partition_data.unknown_tags:
                refuse_field("unknown_tags")
            records = partition_data.records
            n = -1 if records is None else len(records)
            out.append(_write_ihqi(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, n,
            ))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_fetch_response_v4(out: Parts, m: FetchResponse) -> None:
    if m.session_id != 0:
        refuse_field("session_id")
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_2i(m.throttle_time_ms, n))
    for topic_response in responses:
        if topic_response.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_response.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_data in partitions:
            if (
                ((diverging_epoch := partition_data.diverging_epoch) is not _NO_EPOCH_END_OFFSET
                    and (diverging_epoch.epoch != -1 or diverging_epoch.end_offset != -1 or
                    diverging_epoch.unknown_tags))
            ):
                refuse_field("diverging_epoch")
            if (
                ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if (
                ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                refuse_field("snapshot_id")
            if partition_data.preferred_read_replica != -1:
                refuse_field("preferred_read_replica")
            if partition_data.unknown_tags:
                refuse_field("unknown_tags")
            aborted_transactions = partition_data.aborted_transactions
            n = -1 if aborted_transactions is None else len(aborted_transactions)
            out.append(_write_ih2qi(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset, n,
            ))
            if aborted_transactions is not None:
                for aborted_transaction in aborted_transactions:
                    if aborted_transaction.unknown_tags:
                        refuse_field("unknown_tags")
                    out.append(_write_2q(
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ))
            records = partition_data.records
            n = -1 if records is None else len(records)
            out.append(_write_i(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_fetch_response_v5(out: Parts, m: FetchResponse) -> None:
    if m.session_id != 0:
        refuse_field("session_id")
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_2i(m.throttle_time_ms, n))
    for topic_response in responses:
        if topic_response.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_response.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_data in partitions:
            if (
                ((diverging_epoch := partition_data.diverging_epoch) is not _NO_EPOCH_END_OFFSET
                    and (diverging_epoch.epoch != -1 or diverging_epoch.end_offset != -1 or
                    diverging_epoch.unknown_tags))
            ):
                refuse_field("diverging_epoch")
            if (
                ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if (
                ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                refuse_field("snapshot_id")
            if partition_data.preferred_read_replica != -1:
                refuse_field("preferred_read_replica")
            if partition_data.unknown_tags:
                refuse_field("unknown_tags")
            aborted_transactions = partition_data.aborted_transactions
            n = -1 if aborted_transactions is None else len(aborted_transactions)
            out.append(_write_ih3qi(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ))
            if aborted_transactions is not None:
                for aborted_transaction in aborted_transactions:
                    if aborted_transaction.unknown_tags:
                        refuse_field("unknown_tags")
                    out.append(_write_2q(
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ))
            records = partition_data.records
            n = -1 if records is None else len(records)
            out.append(_write_i(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_fetch_response_v7(out: Parts, m: FetchResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_ih2i(m.throttle_time_ms, m.error_code, m.session_id, n))
    for topic_response in responses:
        if topic_response.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_response.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_data in partitions:
            if (
                ((diverging_epoch := partition_data.diverging_epoch) is not _NO_EPOCH_END_OFFSET
                    and (diverging_epoch.epoch != -1 or diverging_epoch.end_offset != -1 or
                    diverging_epoch.unknown_tags))
            ):
                refuse_field("diverging_epoch")
            if (
                ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if (
                ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                refuse_field("snapshot_id")
            if partition_data.preferred_read_replica != -1:
                refuse_field("preferred_read_replica")
            if partition_data.unknown_tags:
                refuse_field("unknown_tags")
            aborted_transactions = partition_data.aborted_transactions
            n = -1 if aborted_transactions is None else len(aborted_transactions)
            out.append(_write_ih3qi(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ))
            if aborted_transactions is not None:
                for aborted_transaction in aborted_transactions:
                    if aborted_transaction.unknown_tags:
                        refuse_field("unknown_tags")
                    out.append(_write_2q(
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ))
            records = partition_data.records
            n = -1 if records is None else len(records)
            out.append(_write_i(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_fetch_response_v11(out: Parts, m: FetchResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_ih2i(m.throttle_time_ms, m.error_code, m.session_id, n))
    for topic_response in responses:
        if topic_response.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_response.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_data in partitions:
            if (
                ((diverging_epoch := partition_data.diverging_epoch) is not _NO_EPOCH_END_OFFSET
                    and (diverging_epoch.epoch != -1 or diverging_epoch.end_offset != -1 or
                    diverging_epoch.unknown_tags))
            ):
                refuse_field("diverging_epoch")
            if (
                ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
            ):
                refuse_field("current_leader")
            if (
                ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                refuse_field("snapshot_id")
            if partition_data.unknown_tags:
                refuse_field("unknown_tags")
            aborted_transactions = partition_data.aborted_transactions
            n = -1 if aborted_transactions is None else len(aborted_transactions)
            out.append(_write_ih3qi(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n,
            ))
            if aborted_transactions is not None:
                for aborted_transaction in aborted_transactions:
                    if aborted_transaction.unknown_tags:
                        refuse_field("unknown_tags")
                    out.append(_write_2q(
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ))
            records = partition_data.records
            n = -1 if records is None else len(records)
            out.append(_write_2i(partition_data.preferred_read_replica, n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_epoch_end_offset_v12(out: Parts, m: EpochEndOffset) -> None:
    out.append(_write_iqx(m.epoch, m.end_offset))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_id_and_epoch_v12(out: Parts, m: LeaderIdAndEpoch) -> None:
    out.append(_write_2ix(m.leader_id, m.leader_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_snapshot_id_v12(out: Parts, m: SnapshotId) -> None:
    out.append(_write_qix(m.end_offset, m.epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_partition_data_v12(m: PartitionData) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if (
        ((diverging_epoch := m.diverging_epoch) is not _NO_EPOCH_END_OFFSET and
            (diverging_epoch.epoch != -1 or diverging_epoch.end_offset != -1 or
            diverging_epoch.unknown_tags))
    ):
        part: Parts = []
        _put_epoch_end_offset_v12(part, m.diverging_epoch)
        tags.append((0, joined(part)))
    if (
        ((current_leader := m.current_leader) is not _NO_LEADER_ID_AND_EPOCH and
            (current_leader.leader_id != -1 or current_leader.leader_epoch != -1 or
            current_leader.unknown_tags))
    ):
        part = []
        _put_leader_id_and_epoch_v12(part, m.current_leader)
        tags.append((1, joined(part)))
    if (
        ((snapshot_id := m.snapshot_id) is not _NO_SNAPSHOT_ID and (snapshot_id.end_offset != -1
            or snapshot_id.epoch != -1 or snapshot_id.unknown_tags))
    ):
        part = []
        _put_snapshot_id_v12(part, m.snapshot_id)
        tags.append((2, joined(part)))
    return tags


def _put_fetch_response_v12(out: Parts, m: FetchResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_ihiB(m.throttle_time_ms, m.error_code, m.session_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_response in responses:
        topic = topic_response.topic.encode()
        n = len(topic) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic)
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_data in partitions:
            aborted_transactions = partition_data.aborted_transactions
            n = 0 if aborted_transactions is None else len(aborted_transactions) + 1
            out.append(_write_ih3qB(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            if aborted_transactions is not None:
                for aborted_transaction in aborted_transactions:
                    out.append(_write_2qx(
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ))
                    if aborted_transaction.unknown_tags:
                        put_tags(out, [], aborted_transaction.unknown_tags)
            records = partition_data.records
            n = 0 if records is None else len(records) + 1
            out.append(_write_i(partition_data.preferred_read_replica))
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)
            out.append(b"\0")
            if (
                partition_data.unknown_tags
                or ((diverging_epoch := partition_data.diverging_epoch) is not
                    _NO_EPOCH_END_OFFSET and (diverging_epoch.epoch != -1 or
                    diverging_epoch.end_offset != -1 or diverging_epoch.unknown_tags))
                or ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
                or ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                put_tags(
                    out, _tags_of_partition_data_v12(partition_data), partition_data.unknown_tags,
                )
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_fetch_response_v13(out: Parts, m: FetchResponse) -> None:
    if m.node_endpoints:
        refuse_field("node_endpoints")
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_ihiB(m.throttle_time_ms, m.error_code, m.session_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_response in responses:
        if len(topic_response.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(topic_response.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            aborted_transactions = partition_data.aborted_transactions
            n = 0 if aborted_transactions is None else len(aborted_transactions) + 1
            out.append(_write_ih3qB(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            if aborted_transactions is not None:
                for aborted_transaction in aborted_transactions:
                    out.append(_write_2qx(
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ))
                    if aborted_transaction.unknown_tags:
                        put_tags(out, [], aborted_transaction.unknown_tags)
            records = partition_data.records
            n = 0 if records is None else len(records) + 1
            out.append(_write_i(partition_data.preferred_read_replica))
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)
            out.append(b"\0")
            if (
                partition_data.unknown_tags
                or ((diverging_epoch := partition_data.diverging_epoch) is not
                    _NO_EPOCH_END_OFFSET and (diverging_epoch.epoch != -1 or
                    diverging_epoch.end_offset != -1 or diverging_epoch.unknown_tags))
                or ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
                or ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                put_tags(
                    out, _tags_of_partition_data_v12(partition_data), partition_data.unknown_tags,
                )
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_fetch_response_v16(m: FetchResponse) -> list[tuple[int, bytes]]:
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


def _put_fetch_response_v16(out: Parts, m: FetchResponse) -> None:
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_ihiB(m.throttle_time_ms, m.error_code, m.session_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_response in responses:
        if len(topic_response.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(topic_response.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_data in partitions:
            aborted_transactions = partition_data.aborted_transactions
            n = 0 if aborted_transactions is None else len(aborted_transactions) + 1
            out.append(_write_ih3qB(
                partition_data.partition_index, partition_data.error_code,
                partition_data.high_watermark, partition_data.last_stable_offset,
                partition_data.log_start_offset, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            if aborted_transactions is not None:
                for aborted_transaction in aborted_transactions:
                    out.append(_write_2qx(
                        aborted_transaction.producer_id, aborted_transaction.first_offset,
                    ))
                    if aborted_transaction.unknown_tags:
                        put_tags(out, [], aborted_transaction.unknown_tags)
            records = partition_data.records
            n = 0 if records is None else len(records) + 1
            out.append(_write_i(partition_data.preferred_read_replica))
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)
            out.append(b"\0")
            if (
                partition_data.unknown_tags
                or ((diverging_epoch := partition_data.diverging_epoch) is not
                    _NO_EPOCH_END_OFFSET and (diverging_epoch.epoch != -1 or
                    diverging_epoch.end_offset != -1 or diverging_epoch.unknown_tags))
                or ((current_leader := partition_data.current_leader) is not
                    _NO_LEADER_ID_AND_EPOCH and (current_leader.leader_id != -1 or
                    current_leader.leader_epoch != -1 or current_leader.unknown_tags))
                or ((snapshot_id := partition_data.snapshot_id) is not _NO_SNAPSHOT_ID and
                    (snapshot_id.end_offset != -1 or snapshot_id.epoch != -1 or
                    snapshot_id.unknown_tags))
            ):
                put_tags(
                    out, _tags_of_partition_data_v12(partition_data), partition_data.unknown_tags,
                )
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags or m.node_endpoints:
        put_tags(out, _tags_of_fetch_response_v16(m), m.unknown_tags)


_GET = {
    0: _get_fetch_response_v0, 1: _get_fetch_response_v1, 2: _get_fetch_response_v1,
    3: _get_fetch_response_v1, 4: _get_fetch_response_v4, 5: _get_fetch_response_v5,
    6: _get_fetch_response_v5, 7: _get_fetch_response_v7, 8: _get_fetch_response_v7,
    9: _get_fetch_response_v7, 10: _get_fetch_response_v7, 11: _get_fetch_response_v11,
    12: _get_fetch_response_v12, 13: _get_fetch_response_v13, 14: _get_fetch_response_v13,
    15: _get_fetch_response_v13, 16: _get_fetch_response_v16, 17: _get_fetch_response_v16,
    18: _get_fetch_response_v16,
}
_PUT = {
    0: _put_fetch_response_v0, 1: _put_fetch_response_v1, 2: _put_fetch_response_v1,
    3: _put_fetch_response_v1, 4: _put_fetch_response_v4, 5: _put_fetch_response_v5,
    6: _put_fetch_response_v5, 7: _put_fetch_response_v7, 8: _put_fetch_response_v7,
    9: _put_fetch_response_v7, 10: _put_fetch_response_v7, 11: _put_fetch_response_v11,
    12: _put_fetch_response_v12, 13: _put_fetch_response_v13, 14: _put_fetch_response_v13,
    15: _put_fetch_response_v13, 16: _put_fetch_response_v16, 17: _put_fetch_response_v16,
    18: _put_fetch_response_v16,
}


def decode(buf: Buffer, version: int, at: int = 0) -> FetchResponse:
    """The FetchResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[FetchResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: FetchResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: FetchResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_EPOCH_END_OFFSET_SHAPE: Shape = (
    EpochEndOffset,
    (
        ("epoch", "epoch", "int32", (12, 18), None, None, None, -1, False, (12, 18), None),
        ("endOffset", "end_offset", "int64", (12, 18), None, None, None, -1, False, (12, 18), None),
    ),
)
_LEADER_ID_AND_EPOCH_SHAPE: Shape = (
    LeaderIdAndEpoch,
    (
        ("leaderId", "leader_id", "int32", (12, 18), None, None, None, -1, False, (12, 18), None),
        (
            "leaderEpoch", "leader_epoch", "int32", (12, 18), None, None, None, -1, False, (12, 18),
            None,
        ),
    ),
)
_SNAPSHOT_ID_SHAPE: Shape = (
    SnapshotId,
    (
        ("endOffset", "end_offset", "int64", (0, 18), None, None, None, -1, False, (12, 18), None),
        ("epoch", "epoch", "int32", (0, 18), None, None, None, -1, False, (12, 18), None),
    ),
)
_ABORTED_TRANSACTION_SHAPE: Shape = (
    AbortedTransaction,
    (
        ("producerId", "producer_id", "int64", (4, 18), None, None, None, 0, False, (12, 18), None),
        (
            "firstOffset", "first_offset", "int64", (4, 18), None, None, None, 0, False, (12, 18),
            None,
        ),
    ),
)
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 18), None, None, None, 0, False,
            (12, 18), None,
        ),
        ("errorCode", "error_code", "int16", (0, 18), None, None, None, 0, False, (12, 18), None),
        (
            "highWatermark", "high_watermark", "int64", (0, 18), None, None, None, 0, False,
            (12, 18), None,
        ),
        (
            "lastStableOffset", "last_stable_offset", "int64", (4, 18), None, None, None, -1, True,
            (12, 18), None,
        ),
        (
            "logStartOffset", "log_start_offset", "int64", (5, 18), None, None, None, -1, True,
            (12, 18), None,
        ),
        (
            "divergingEpoch", "diverging_epoch", "EpochEndOffset", (12, 18), None, 0, (12, 18),
            UNSET, False, (12, 18), _EPOCH_END_OFFSET_SHAPE,
        ),
        (
            "currentLeader", "current_leader", "LeaderIdAndEpoch", (12, 18), None, 1, (12, 18),
            UNSET, False, (12, 18), _LEADER_ID_AND_EPOCH_SHAPE,
        ),
        (
            "snapshotId", "snapshot_id", "SnapshotId", (12, 18), None, 2, (12, 18), UNSET, False,
            (12, 18), _SNAPSHOT_ID_SHAPE,
        ),
        (
            "abortedTransactions", "aborted_transactions", "[]AbortedTransaction", (4, 18), (4, 18),
            None, None, (), True, (12, 18), _ABORTED_TRANSACTION_SHAPE,
        ),
        (
            "preferredReadReplica", "preferred_read_replica", "int32", (11, 18), None, None, None,
            -1, False, (12, 18), None,
        ),
        ("records", "records", "records", (0, 18), (0, 18), None, None, b"", False, (12, 18), None),
    ),
)
_FETCHABLE_TOPIC_RESPONSE_SHAPE: Shape = (
    FetchableTopicResponse,
    (
        ("topic", "topic", "string", (0, 12), None, None, None, "", True, (12, 18), None),
        (
            "topicId", "topic_id", "uuid", (13, 18), None, None, None, ZERO_UUID, True, (12, 18),
            None,
        ),
        (
            "partitions", "partitions", "[]PartitionData", (0, 18), None, None, None, (), False,
            (12, 18), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_NODE_ENDPOINT_SHAPE: Shape = (
    NodeEndpoint,
    (
        ("nodeId", "node_id", "int32", (16, 18), None, None, None, 0, False, (12, 18), None),
        ("host", "host", "string", (16, 18), None, None, None, "", False, (12, 18), None),
        ("port", "port", "int32", (16, 18), None, None, None, 0, False, (12, 18), None),
        ("rack", "rack", "string", (16, 18), (16, 18), None, None, None, False, (12, 18), None),
    ),
)
_FETCH_RESPONSE_SHAPE: Shape = (
    FetchResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 18), None, None, None, 0, True,
            (12, 18), None,
        ),
        ("errorCode", "error_code", "int16", (7, 18), None, None, None, 0, True, (12, 18), None),
        ("sessionId", "session_id", "int32", (7, 18), None, None, None, 0, False, (12, 18), None),
        (
            "responses", "responses", "[]FetchableTopicResponse", (0, 18), None, None, None, (),
            False, (12, 18), _FETCHABLE_TOPIC_RESPONSE_SHAPE,
        ),
        (
            "nodeEndpoints", "node_endpoints", "[]NodeEndpoint", (16, 18), None, 0, (16, 18), (),
            False, (12, 18), _NODE_ENDPOINT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_FETCH_RESPONSE_SHAPE, (0, 18), (12, 18))
