# GENERATED from schemas/share_fetch_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5b4f232a445df246, generator 1.
"""A member of a share group asks for records and says what became of earlier ones (KIP-932). Api
key 78, versions 0-2, flexible from 0.
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
    refuse_field, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 78
NAME: Final = "ShareFetchRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class AcknowledgementBatch(Message):
    """Ranges of offsets with what became of them."""

    __slots__ = ("first_offset", "last_offset", "acknowledge_types", "unknown_tags")

    def __init__(
        self,
        # First offset of the range.
        first_offset: int = 0,
        # Last offset of the range.
        last_offset: int = 0,
        # For each offset, or once for all: 0 gap, 1 accept, 2 release, 3 reject, 4 renew.
        acknowledge_types: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.acknowledge_types: Sequence[int] = [] if acknowledge_types == () else acknowledge_types
        self.unknown_tags = unknown_tags


class FetchPartition(Message):
    """One row a partition."""

    __slots__ = (
        "partition_index", "partition_max_bytes", "acknowledgement_batches", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Most bytes of records from this partition. (v0)
        partition_max_bytes: int = 0,
        # Ranges of offsets with what became of them.
        acknowledgement_batches: Sequence[AcknowledgementBatch] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.partition_max_bytes = partition_max_bytes
        self.acknowledgement_batches: Sequence[AcknowledgementBatch] = (
            [] if acknowledgement_batches == () else acknowledgement_batches
        )
        self.unknown_tags = unknown_tags


class FetchTopic(Message):
    """One row a topic."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partitions: Sequence[FetchPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[FetchPartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ForgottenTopic(Message):
    """Partitions to drop from the session."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ShareFetchRequest(Message):
    """A member of a share group asks for records and says what became of earlier ones (KIP-932)."""

    __slots__ = (
        "group_id", "member_id", "share_session_epoch", "max_wait_ms", "min_bytes", "max_bytes",
        "max_records", "batch_size", "share_acquire_mode", "is_renew_ack", "topics",
        "forgotten_topics_data", "unknown_tags",
    )

    def __init__(
        self,
        # Group; null when it is not said.
        group_id: str | None = None,
        # Id of the member; null when it is not said.
        member_id: str | None = "",
        # Epoch of the share session; 0 opens one, -1 closes it.
        share_session_epoch: int = 0,
        # Milliseconds to wait for enough data.
        max_wait_ms: int = 0,
        # Bytes that are worth answering before the wait is over.
        min_bytes: int = 0,
        # Most bytes of records in the whole response; the first batch may exceed it.
        max_bytes: int = 2147483647,
        # Most records to acquire; whole batches may exceed it. (v1+)
        max_records: int = 0,
        # Records that a batch of acquired records should have at most. (v1+)
        batch_size: int = 0,
        # 0 lets whole batches exceed the most records, 1 does not. (v2+)
        share_acquire_mode: int = 0,
        # True when some acknowledgements ask for more time. (v2+)
        is_renew_ack: bool = False,
        # One row a topic.
        topics: Sequence[FetchTopic] = (),
        # Partitions to drop from the session.
        forgotten_topics_data: Sequence[ForgottenTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.share_session_epoch = share_session_epoch
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.max_records = max_records
        self.batch_size = batch_size
        self.share_acquire_mode = share_acquire_mode
        self.is_renew_ack = is_renew_ack
        self.topics: Sequence[FetchTopic] = [] if topics == () else topics
        self.forgotten_topics_data: Sequence[ForgottenTopic] = (
            [] if forgotten_topics_data == () else forgotten_topics_data
        )
        self.unknown_tags = unknown_tags


_read_array_cb_B = ArrayReads("b", "B", 1)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2iB = Struct(">2iB").unpack_from
_read_2qB = Struct(">2qB").unpack_from
_read_4iB = Struct(">4iB").unpack_from
_read_6iB = Struct(">6iB").unpack_from
_read_6ibtB = Struct(">6ib?B").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2iB = Struct(">2iB").pack
_write_4iB = Struct(">4iB").pack
_write_6iB = Struct(">6iB").pack
_write_6ibtB = Struct(">6ib?B").pack
_write_iB = Struct(">iB").pack
_write_16sB_many_i_x = ArrayWrites("16sB *i x")
_write_2qB_many_b_x = ArrayWrites("qqB *b x")


def _get_share_fetch_request_v0(buf: bytes, at: int) -> tuple[ShareFetchRequest, int]:
    m = new(ShareFetchRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.group_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.member_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.member_id = buf[at:end].decode()
        at = end
    (m.share_session_epoch, m.max_wait_ms, m.min_bytes, m.max_bytes, n) = _read_4iB(buf, at)
    at += 17
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
            n, at = long_count(buf, at, 10)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (
                fetch_partition.partition_index, fetch_partition.partition_max_bytes, n,
            ) = _read_2iB(buf, at)
            at += 9
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 18)
            acknowledgement_batches: list[AcknowledgementBatch] = []
            fetch_partition.acknowledgement_batches = acknowledgement_batches
            left_acknowledgement_batches = n - 1
            while left_acknowledgement_batches:
                left_acknowledgement_batches -= 1
                acknowledgement_batch = new(AcknowledgementBatch)
                acknowledgement_batches.append(acknowledgement_batch)
                (
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types,
                ) = _read_2qB(buf, at)
                at += 17
                if n_acknowledge_types > 127:
                    n_acknowledge_types, at = long_count(buf, at, 1)
                (
                    *acknowledgement_batch.acknowledge_types, tags,
                ) = _read_array_cb_B[n_acknowledge_types](buf, at)
                at += n_acknowledge_types
                acknowledgement_batch.unknown_tags = ()
                if tags:
                    acknowledgement_batch.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            fetch_partition.unknown_tags = ()
            if tags:
                fetch_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
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
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.max_records = 0
    m.batch_size = 0
    m.share_acquire_mode = 0
    m.is_renew_ack = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_share_fetch_request_v1(buf: bytes, at: int) -> tuple[ShareFetchRequest, int]:
    m = new(ShareFetchRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.group_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.member_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.member_id = buf[at:end].decode()
        at = end
    (
        m.share_session_epoch, m.max_wait_ms, m.min_bytes, m.max_bytes, m.max_records, m.batch_size,
        n,
    ) = _read_6iB(buf, at)
    at += 25
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
            n, at = long_count(buf, at, 6)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (fetch_partition.partition_index, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 18)
            acknowledgement_batches: list[AcknowledgementBatch] = []
            fetch_partition.acknowledgement_batches = acknowledgement_batches
            left_acknowledgement_batches = n - 1
            while left_acknowledgement_batches:
                left_acknowledgement_batches -= 1
                acknowledgement_batch = new(AcknowledgementBatch)
                acknowledgement_batches.append(acknowledgement_batch)
                (
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types,
                ) = _read_2qB(buf, at)
                at += 17
                if n_acknowledge_types > 127:
                    n_acknowledge_types, at = long_count(buf, at, 1)
                (
                    *acknowledgement_batch.acknowledge_types, tags,
                ) = _read_array_cb_B[n_acknowledge_types](buf, at)
                at += n_acknowledge_types
                acknowledgement_batch.unknown_tags = ()
                if tags:
                    acknowledgement_batch.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            fetch_partition.partition_max_bytes = 0
            fetch_partition.unknown_tags = ()
            if tags:
                fetch_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
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
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.share_acquire_mode = 0
    m.is_renew_ack = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_share_fetch_request_v2(buf: bytes, at: int) -> tuple[ShareFetchRequest, int]:
    m = new(ShareFetchRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.group_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.member_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.member_id = buf[at:end].decode()
        at = end
    (
        m.share_session_epoch, m.max_wait_ms, m.min_bytes, m.max_bytes, m.max_records, m.batch_size,
        m.share_acquire_mode, m.is_renew_ack, n,
    ) = _read_6ibtB(buf, at)
    at += 27
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
            n, at = long_count(buf, at, 6)
        partitions: list[FetchPartition] = []
        fetch_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            fetch_partition = new(FetchPartition)
            partitions.append(fetch_partition)
            (fetch_partition.partition_index, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 18)
            acknowledgement_batches: list[AcknowledgementBatch] = []
            fetch_partition.acknowledgement_batches = acknowledgement_batches
            left_acknowledgement_batches = n - 1
            while left_acknowledgement_batches:
                left_acknowledgement_batches -= 1
                acknowledgement_batch = new(AcknowledgementBatch)
                acknowledgement_batches.append(acknowledgement_batch)
                (
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types,
                ) = _read_2qB(buf, at)
                at += 17
                if n_acknowledge_types > 127:
                    n_acknowledge_types, at = long_count(buf, at, 1)
                (
                    *acknowledgement_batch.acknowledge_types, tags,
                ) = _read_array_cb_B[n_acknowledge_types](buf, at)
                at += n_acknowledge_types
                acknowledgement_batch.unknown_tags = ()
                if tags:
                    acknowledgement_batch.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            fetch_partition.partition_max_bytes = 0
            fetch_partition.unknown_tags = ()
            if tags:
                fetch_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
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
        forgotten_topic.unknown_tags = ()
        if tags:
            forgotten_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_share_fetch_request_v0(out: Parts, m: ShareFetchRequest) -> None:
    if m.max_records != 0:
        refuse_field("max_records")
    if m.batch_size != 0:
        refuse_field("batch_size")
    if m.is_renew_ack:
        refuse_field("is_renew_ack")
    group_id = b"" if m.group_id is None else m.group_id.encode()
    n = 0 if m.group_id is None else len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = b"" if m.member_id is None else m.member_id.encode()
    n = 0 if m.member_id is None else len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_4iB(
        m.share_session_epoch, m.max_wait_ms, m.min_bytes, m.max_bytes, n if n < 128 else 0,
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
            acknowledgement_batches = fetch_partition.acknowledgement_batches
            n = len(acknowledgement_batches) + 1
            out.append(_write_2iB(
                fetch_partition.partition_index, fetch_partition.partition_max_bytes,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for acknowledgement_batch in acknowledgement_batches:
                acknowledge_types = acknowledgement_batch.acknowledge_types
                n_acknowledge_types = len(acknowledge_types)
                write = _write_2qB_many_b_x[n_acknowledge_types]
                out.append(write(
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types + 1, *acknowledge_types,
                ))
                if acknowledgement_batch.unknown_tags:
                    put_tags(out, [], acknowledgement_batch.unknown_tags)
            out.append(b"\0")
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
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_share_fetch_request_v1(out: Parts, m: ShareFetchRequest) -> None:
    if m.is_renew_ack:
        refuse_field("is_renew_ack")
    group_id = b"" if m.group_id is None else m.group_id.encode()
    n = 0 if m.group_id is None else len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = b"" if m.member_id is None else m.member_id.encode()
    n = 0 if m.member_id is None else len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_6iB(
        m.share_session_epoch, m.max_wait_ms, m.min_bytes, m.max_bytes, m.max_records, m.batch_size,
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
            if fetch_partition.partition_max_bytes != 0:
                refuse_field("partition_max_bytes")
            acknowledgement_batches = fetch_partition.acknowledgement_batches
            n = len(acknowledgement_batches) + 1
            out.append(_write_iB(fetch_partition.partition_index, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for acknowledgement_batch in acknowledgement_batches:
                acknowledge_types = acknowledgement_batch.acknowledge_types
                n_acknowledge_types = len(acknowledge_types)
                write = _write_2qB_many_b_x[n_acknowledge_types]
                out.append(write(
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types + 1, *acknowledge_types,
                ))
                if acknowledgement_batch.unknown_tags:
                    put_tags(out, [], acknowledgement_batch.unknown_tags)
            out.append(b"\0")
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
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_share_fetch_request_v2(out: Parts, m: ShareFetchRequest) -> None:
    group_id = b"" if m.group_id is None else m.group_id.encode()
    n = 0 if m.group_id is None else len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = b"" if m.member_id is None else m.member_id.encode()
    n = 0 if m.member_id is None else len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_6ibtB(
        m.share_session_epoch, m.max_wait_ms, m.min_bytes, m.max_bytes, m.max_records, m.batch_size,
        m.share_acquire_mode, m.is_renew_ack, n if n < 128 else 0,
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
            if fetch_partition.partition_max_bytes != 0:
                refuse_field("partition_max_bytes")
            acknowledgement_batches = fetch_partition.acknowledgement_batches
            n = len(acknowledgement_batches) + 1
            out.append(_write_iB(fetch_partition.partition_index, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for acknowledgement_batch in acknowledgement_batches:
                acknowledge_types = acknowledgement_batch.acknowledge_types
                n_acknowledge_types = len(acknowledge_types)
                write = _write_2qB_many_b_x[n_acknowledge_types]
                out.append(write(
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types + 1, *acknowledge_types,
                ))
                if acknowledgement_batch.unknown_tags:
                    put_tags(out, [], acknowledgement_batch.unknown_tags)
            out.append(b"\0")
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
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_share_fetch_request_v0, 1: _get_share_fetch_request_v1, 2: _get_share_fetch_request_v2,
}
_PUT = {
    0: _put_share_fetch_request_v0, 1: _put_share_fetch_request_v1, 2: _put_share_fetch_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareFetchRequest:
    """The ShareFetchRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareFetchRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareFetchRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareFetchRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ACKNOWLEDGEMENT_BATCH_SHAPE: Shape = (
    AcknowledgementBatch,
    (
        ("firstOffset", "first_offset", "int64", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("lastOffset", "last_offset", "int64", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "acknowledgeTypes", "acknowledge_types", "[]int8", (0, 2), None, None, None, (), False,
            (0, 2), None,
        ),
    ),
)
_FETCH_PARTITION_SHAPE: Shape = (
    FetchPartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        (
            "partitionMaxBytes", "partition_max_bytes", "int32", (0, 0), None, None, None, 0, False,
            (0, 2), None,
        ),
        (
            "acknowledgementBatches", "acknowledgement_batches", "[]AcknowledgementBatch", (0, 2),
            None, None, None, (), False, (0, 2), _ACKNOWLEDGEMENT_BATCH_SHAPE,
        ),
    ),
)
_FETCH_TOPIC_SHAPE: Shape = (
    FetchTopic,
    (
        ("topicId", "topic_id", "uuid", (0, 2), None, None, None, ZERO_UUID, False, (0, 2), None),
        (
            "partitions", "partitions", "[]FetchPartition", (0, 2), None, None, None, (), False,
            (0, 2), _FETCH_PARTITION_SHAPE,
        ),
    ),
)
_FORGOTTEN_TOPIC_SHAPE: Shape = (
    ForgottenTopic,
    (
        ("topicId", "topic_id", "uuid", (0, 2), None, None, None, ZERO_UUID, False, (0, 2), None),
        ("partitions", "partitions", "[]int32", (0, 2), None, None, None, (), False, (0, 2), None),
    ),
)
_SHARE_FETCH_REQUEST_SHAPE: Shape = (
    ShareFetchRequest,
    (
        ("groupId", "group_id", "string", (0, 2), (0, 2), None, None, None, False, (0, 2), None),
        ("memberId", "member_id", "string", (0, 2), (0, 2), None, None, "", False, (0, 2), None),
        (
            "shareSessionEpoch", "share_session_epoch", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("maxWaitMs", "max_wait_ms", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("minBytes", "min_bytes", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "maxBytes", "max_bytes", "int32", (0, 2), None, None, None, 2147483647, False, (0, 2),
            None,
        ),
        ("maxRecords", "max_records", "int32", (1, 2), None, None, None, 0, False, (0, 2), None),
        ("batchSize", "batch_size", "int32", (1, 2), None, None, None, 0, False, (0, 2), None),
        (
            "shareAcquireMode", "share_acquire_mode", "int8", (2, 2), None, None, None, 0, True,
            (0, 2), None,
        ),
        (
            "isRenewAck", "is_renew_ack", "bool", (2, 2), None, None, None, False, False, (0, 2),
            None,
        ),
        (
            "topics", "topics", "[]FetchTopic", (0, 2), None, None, None, (), False, (0, 2),
            _FETCH_TOPIC_SHAPE,
        ),
        (
            "forgottenTopicsData", "forgotten_topics_data", "[]ForgottenTopic", (0, 2), None, None,
            None, (), False, (0, 2), _FORGOTTEN_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_FETCH_REQUEST_SHAPE, (0, 2), (0, 2))
