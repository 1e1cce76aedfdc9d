# GENERATED from schemas/txn_offset_commit_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 bd49a99174bfb2a7, generator 1.
"""Commits offsets of a group as part of a transaction. Api key 28, versions 0-6, flexible from 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 28
NAME: Final = "TxnOffsetCommitRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 3


class TxnOffsetCommitRequestPartition(Message):
    """One row a partition."""

    __slots__ = (
        "partition_index", "committed_offset", "committed_leader_epoch", "committed_metadata",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Next offset the group wants to consume.
        committed_offset: int = 0,
        # Epoch of the last record that was consumed; -1 when unknown. (v2+)
        committed_leader_epoch: int = -1,
        # Text to store with the offset; may be null.
        committed_metadata: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.committed_metadata = committed_metadata
        self.unknown_tags = unknown_tags


class TxnOffsetCommitRequestTopic(Message):
    """One row a topic."""

    __slots__ = ("name", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-5)
        name: str = "",
        # Id of the topic. (v6+)
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partitions: Sequence[TxnOffsetCommitRequestPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions: Sequence[TxnOffsetCommitRequestPartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class TxnOffsetCommitRequest(Message):
    """Commits offsets of a group as part of a transaction."""

    __slots__ = (
        "transactional_id", "group_id", "producer_id", "producer_epoch",
        "generation_id_or_member_epoch", "member_id", "group_instance_id", "topics", "unknown_tags",
    )

    def __init__(
        self,
        # Transactional id of the producer.
        transactional_id: str = "",
        # Group.
        group_id: str = "",
        # Id of the producer.
        producer_id: int = 0,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # Generation or member epoch of the committing member; -1 when it is in no group. (v3+)
        generation_id_or_member_epoch: int = -1,
        # Id of the member; empty when it is in no group. (v3+)
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v3+)
        group_instance_id: str | None = None,
        # One row a topic.
        topics: Sequence[TxnOffsetCommitRequestTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.group_id = group_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.generation_id_or_member_epoch = generation_id_or_member_epoch
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.topics: Sequence[TxnOffsetCommitRequestTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iqh = Struct(">iqh").unpack_from
_read_iqiB = Struct(">iqiB").unpack_from
_read_iqih = Struct(">iqih").unpack_from
_read_qhi = Struct(">qhi").unpack_from
_read_qhiB = Struct(">qhiB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iqh = Struct(">iqh").pack
_write_iqiB = Struct(">iqiB").pack
_write_iqih = Struct(">iqih").pack
_write_qhi = Struct(">qhi").pack
_write_qhiB = Struct(">qhiB").pack


def _get_txn_offset_commit_request_v0(buf: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    m = new(TxnOffsetCommitRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.transactional_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, n) = _read_qhi(buf, at)
    at += 14
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[TxnOffsetCommitRequestTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        commit_request_topic = new(TxnOffsetCommitRequestTopic)
        topics.append(commit_request_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        commit_request_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        partitions: list[TxnOffsetCommitRequestPartition] = []
        commit_request_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            request_partition = new(TxnOffsetCommitRequestPartition)
            partitions.append(request_partition)
            (
                request_partition.partition_index, request_partition.committed_offset, n,
            ) = _read_iqh(buf, at)
            at += 14
            if n < 0:
                request_partition.committed_metadata = None
            else:
                end = at + n
                request_partition.committed_metadata = buf[at:end].decode()
                at = end
            request_partition.committed_leader_epoch = -1
            request_partition.unknown_tags = ()
        commit_request_topic.topic_id = ZERO_UUID
        commit_request_topic.unknown_tags = ()
    m.generation_id_or_member_epoch = -1
    m.member_id = ""
    m.group_instance_id = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_txn_offset_commit_request_v2(buf: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    m = new(TxnOffsetCommitRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.transactional_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, n) = _read_qhi(buf, at)
    at += 14
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[TxnOffsetCommitRequestTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        commit_request_topic = new(TxnOffsetCommitRequestTopic)
        topics.append(commit_request_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        commit_request_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[TxnOffsetCommitRequestPartition] = []
        commit_request_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            request_partition = new(TxnOffsetCommitRequestPartition)
            partitions.append(request_partition)
            (
                request_partition.partition_index, request_partition.committed_offset,
                request_partition.committed_leader_epoch, n,
            ) = _read_iqih(buf, at)
            at += 18
            if n < 0:
                request_partition.committed_metadata = None
            else:
                end = at + n
                request_partition.committed_metadata = buf[at:end].decode()
                at = end
            request_partition.unknown_tags = ()
        commit_request_topic.topic_id = ZERO_UUID
        commit_request_topic.unknown_tags = ()
    m.generation_id_or_member_epoch = -1
    m.member_id = ""
    m.group_instance_id = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_txn_offset_commit_request_v3(buf: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    m = new(TxnOffsetCommitRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.transactional_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, m.generation_id_or_member_epoch, n) = _read_qhiB(buf, at)
    at += 15
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.group_instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TxnOffsetCommitRequestTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        commit_request_topic = new(TxnOffsetCommitRequestTopic)
        topics.append(commit_request_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        commit_request_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 18)
        partitions: list[TxnOffsetCommitRequestPartition] = []
        commit_request_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            request_partition = new(TxnOffsetCommitRequestPartition)
            partitions.append(request_partition)
            (
                request_partition.partition_index, request_partition.committed_offset,
                request_partition.committed_leader_epoch, n,
            ) = _read_iqiB(buf, at)
            at += 17
            if n == 0:
                request_partition.committed_metadata = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                request_partition.committed_metadata = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            request_partition.unknown_tags = ()
            if tags:
                request_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        commit_request_topic.topic_id = ZERO_UUID
        commit_request_topic.unknown_tags = ()
        if tags:
            commit_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_txn_offset_commit_request_v6(buf: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    m = new(TxnOffsetCommitRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.transactional_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, m.generation_id_or_member_epoch, n) = _read_qhiB(buf, at)
    at += 15
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.group_instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[TxnOffsetCommitRequestTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        commit_request_topic = new(TxnOffsetCommitRequestTopic)
        topics.append(commit_request_topic)
        (commit_request_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 18)
        partitions: list[TxnOffsetCommitRequestPartition] = []
        commit_request_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            request_partition = new(TxnOffsetCommitRequestPartition)
            partitions.append(request_partition)
            (
                request_partition.partition_index, request_partition.committed_offset,
                request_partition.committed_leader_epoch, n,
            ) = _read_iqiB(buf, at)
            at += 17
            if n == 0:
                request_partition.committed_metadata = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                request_partition.committed_metadata = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            request_partition.unknown_tags = ()
            if tags:
                request_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        commit_request_topic.name = ""
        commit_request_topic.unknown_tags = ()
        if tags:
            commit_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_txn_offset_commit_request_v0(out: Parts, m: TxnOffsetCommitRequest) -> None:
    if m.generation_id_or_member_epoch != -1:
        refuse_field("generation_id_or_member_epoch")
    if m.member_id != "":
        refuse_field("member_id")
    if m.group_instance_id is not None:
        refuse_field("group_instance_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id)
    out.append(_write_h(n))
    out.append(transactional_id)
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_qhi(m.producer_id, m.producer_epoch, n))
    for commit_request_topic in topics:
        if commit_request_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = commit_request_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = commit_request_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for request_partition in partitions:
            if request_partition.unknown_tags:
                refuse_field("unknown_tags")
            committed_metadata = (
                b"" if request_partition.committed_metadata is None else
                request_partition.committed_metadata.encode()
            )
            n = -1 if request_partition.committed_metadata is None else len(committed_metadata)
            out.append(_write_iqh(
                request_partition.partition_index, request_partition.committed_offset, n,
            ))
            out.append(committed_metadata)


def _put_txn_offset_commit_request_v2(out: Parts, m: TxnOffsetCommitRequest) -> None:
    if m.generation_id_or_member_epoch != -1:
        refuse_field("generation_id_or_member_epoch")
    if m.member_id != "":
        refuse_field("member_id")
    if m.group_instance_id is not None:
        refuse_field("group_instance_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id)
    out.append(_write_h(n))
    out.append(transactional_id)
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_qhi(m.producer_id, m.producer_epoch, n))
    for commit_request_topic in topics:
        if commit_request_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = commit_request_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = commit_request_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for request_partition in partitions:
            if request_partition.unknown_tags:
                refuse_field("unknown_tags")
            committed_metadata = (
                b"" if request_partition.committed_metadata is None else
                request_partition.committed_metadata.encode()
            )
            n = -1 if request_partition.committed_metadata is None else len(committed_metadata)
            out.append(_write_iqih(
                request_partition.partition_index, request_partition.committed_offset,
                request_partition.committed_leader_epoch, n,
            ))
            out.append(committed_metadata)


def _put_txn_offset_commit_request_v3(out: Parts, m: TxnOffsetCommitRequest) -> None:
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(_write_qhiB(
        m.producer_id, m.producer_epoch, m.generation_id_or_member_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen_text(out, n)
    out.append(member_id)
    group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
    n = 0 if m.group_instance_id is None else len(group_instance_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_instance_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for commit_request_topic in topics:
        name = commit_request_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = commit_request_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for request_partition in partitions:
            committed_metadata = (
                b"" if request_partition.committed_metadata is None else
                request_partition.committed_metadata.encode()
            )
            n = 0 if request_partition.committed_metadata is None else len(committed_metadata) + 1
            out.append(_write_iqiB(
                request_partition.partition_index, request_partition.committed_offset,
                request_partition.committed_leader_epoch, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(committed_metadata)
            out.append(b"\0")
            if request_partition.unknown_tags:
                put_tags(out, [], request_partition.unknown_tags)
        out.append(b"\0")
        if commit_request_topic.unknown_tags:
            put_tags(out, [], commit_request_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_txn_offset_commit_request_v6(out: Parts, m: TxnOffsetCommitRequest) -> None:
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(_write_qhiB(
        m.producer_id, m.producer_epoch, m.generation_id_or_member_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen_text(out, n)
    out.append(member_id)
    group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
    n = 0 if m.group_instance_id is None else len(group_instance_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_instance_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for commit_request_topic in topics:
        if len(commit_request_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = commit_request_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(commit_request_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for request_partition in partitions:
            committed_metadata = (
                b"" if request_partition.committed_metadata is None else
                request_partition.committed_metadata.encode()
            )
            n = 0 if request_partition.committed_metadata is None else len(committed_metadata) + 1
            out.append(_write_iqiB(
                request_partition.partition_index, request_partition.committed_offset,
                request_partition.committed_leader_epoch, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(committed_metadata)
            out.append(b"\0")
            if request_partition.unknown_tags:
                put_tags(out, [], request_partition.unknown_tags)
        out.append(b"\0")
        if commit_request_topic.unknown_tags:
            put_tags(out, [], commit_request_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_txn_offset_commit_request_v0, 1: _get_txn_offset_commit_request_v0,
    2: _get_txn_offset_commit_request_v2, 3: _get_txn_offset_commit_request_v3,
    4: _get_txn_offset_commit_request_v3, 5: _get_txn_offset_commit_request_v3,
    6: _get_txn_offset_commit_request_v6,
}
_PUT = {
    0: _put_txn_offset_commit_request_v0, 1: _put_txn_offset_commit_request_v0,
    2: _put_txn_offset_commit_request_v2, 3: _put_txn_offset_commit_request_v3,
    4: _put_txn_offset_commit_request_v3, 5: _put_txn_offset_commit_request_v3,
    6: _put_txn_offset_commit_request_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> TxnOffsetCommitRequest:
    """The TxnOffsetCommitRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[TxnOffsetCommitRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: TxnOffsetCommitRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: TxnOffsetCommitRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TXN_OFFSET_COMMIT_REQUEST_PARTITION_SHAPE: Shape = (
    TxnOffsetCommitRequestPartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 6), None, None, None, 0, False,
            (3, 6), None,
        ),
        (
            "committedOffset", "committed_offset", "int64", (0, 6), None, None, None, 0, False,
            (3, 6), None,
        ),
        (
            "committedLeaderEpoch", "committed_leader_epoch", "int32", (2, 6), None, None, None, -1,
            True, (3, 6), None,
        ),
        (
            "committedMetadata", "committed_metadata", "string", (0, 6), (0, 6), None, None, "",
            False, (3, 6), None,
        ),
    ),
)
_TXN_OFFSET_COMMIT_REQUEST_TOPIC_SHAPE: Shape = (
    TxnOffsetCommitRequestTopic,
    (
        ("name", "name", "string", (0, 5), None, None, None, "", True, (3, 6), None),
        ("topicId", "topic_id", "uuid", (6, 6), None, None, None, ZERO_UUID, True, (3, 6), None),
        (
            "partitions", "partitions", "[]TxnOffsetCommitRequestPartition", (0, 6), None, None,
            None, (), False, (3, 6), _TXN_OFFSET_COMMIT_REQUEST_PARTITION_SHAPE,
        ),
    ),
)
_TXN_OFFSET_COMMIT_REQUEST_SHAPE: Shape = (
    TxnOffsetCommitRequest,
    (
        (
            "transactionalId", "transactional_id", "string", (0, 6), None, None, None, "", False,
            (3, 6), None,
        ),
        ("groupId", "group_id", "string", (0, 6), None, None, None, "", False, (3, 6), None),
        ("producerId", "producer_id", "int64", (0, 6), None, None, None, 0, False, (3, 6), None),
        (
            "producerEpoch", "producer_epoch", "int16", (0, 6), None, None, None, 0, False, (3, 6),
            None,
        ),
        (
            "generationIdOrMemberEpoch", "generation_id_or_member_epoch", "int32", (3, 6), None,
            None, None, -1, False, (3, 6), None,
        ),
        ("memberId", "member_id", "string", (3, 6), None, None, None, "", False, (3, 6), None),
        (
            "groupInstanceId", "group_instance_id", "string", (3, 6), (3, 6), None, None, None,
            False, (3, 6), None,
        ),
        (
            "topics", "topics", "[]TxnOffsetCommitRequestTopic", (0, 6), None, None, None, (),
            False, (3, 6), _TXN_OFFSET_COMMIT_REQUEST_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_TXN_OFFSET_COMMIT_REQUEST_SHAPE, (0, 6), (3, 6))
