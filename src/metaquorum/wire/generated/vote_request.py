# GENERATED from schemas/vote_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 657c5732d393909f, generator 1.
"""A candidate asks one voter for its vote, or whether it could win (KIP-595, KIP-996). Api key 52,
versions 0-2, flexible from 0.
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
    get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 52
NAME: Final = "VoteRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionData(Message):
    """One row a partition."""

    __slots__ = (
        "partition_index", "replica_epoch", "replica_id", "replica_directory_id",
        "voter_directory_id", "last_offset_epoch", "last_offset", "pre_vote", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Epoch of the candidate.
        replica_epoch: int = 0,
        # Node that asks for the vote.
        replica_id: int = 0,
        # Log directory of the asking replica; zeros when unknown. (v1+)
        replica_directory_id: bytes = ZERO_UUID,
        # Log directory of the voter the request is meant for; zeros when unknown. (v1+)
        voter_directory_id: bytes = ZERO_UUID,
        # Epoch of the last record in the candidate's log.
        last_offset_epoch: int = 0,
        # Log end offset of the candidate.
        last_offset: int = 0,
        # True when the sender only asks whether it could win, and its epoch is not raised. (v2+)
        pre_vote: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.replica_epoch = replica_epoch
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.voter_directory_id = voter_directory_id
        self.last_offset_epoch = last_offset_epoch
        self.last_offset = last_offset
        self.pre_vote = pre_vote
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # One row a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class VoteRequest(Message):
    """A candidate asks one voter for its vote, or whether it could win (KIP-595, KIP-996)."""

    __slots__ = ("cluster_id", "voter_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked.
        cluster_id: str | None = None,
        # Voter the request is meant for; -1 when not given. (v1+)
        voter_id: int = -1,
        # One row a topic.
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_3i16s16siqtB = Struct(">3i16s16siq?B").unpack_from
_read_3i16s16siqB = Struct(">3i16s16siqB").unpack_from
_read_4iqB = Struct(">4iqB").unpack_from
_read_iB = Struct(">iB").unpack_from
_rows_3i16s16siqtx = Struct(">3i16s16siq?x").iter_unpack
_rows_3i16s16siqx = Struct(">3i16s16siqx").iter_unpack
_rows_4iqx = Struct(">4iqx").iter_unpack
_write_3i16s16siqtx = Struct(">3i16s16siq?x").pack
_write_3i16s16siqx = Struct(">3i16s16siqx").pack
_write_4iqx = Struct(">4iqx").pack
_write_iB = Struct(">iB").pack


def _get_vote_request_v0(buf: bytes, at: int) -> tuple[VoteRequest, int]:
    m = new(VoteRequest)
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
            n, at = long_count(buf, at, 25)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 24 : at + 25 * left_partitions : 25] == bytes(left_partitions)
        ):
            end = at + 25 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_4iqx(buf[at:end])):
                (
                    partition_data.partition_index, partition_data.replica_epoch,
                    partition_data.replica_id, partition_data.last_offset_epoch,
                    partition_data.last_offset,
                ) = values
                partition_data.replica_directory_id = ZERO_UUID
                partition_data.voter_directory_id = ZERO_UUID
                partition_data.pre_vote = False
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.replica_epoch,
                partition_data.replica_id, partition_data.last_offset_epoch,
                partition_data.last_offset, tags,
            ) = _read_4iqB(buf, at)
            at += 25
            partition_data.replica_directory_id = ZERO_UUID
            partition_data.voter_directory_id = ZERO_UUID
            partition_data.pre_vote = False
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
    m.voter_id = -1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_vote_request_v1(buf: bytes, at: int) -> tuple[VoteRequest, int]:
    m = new(VoteRequest)
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
    (m.voter_id, n) = _read_iB(buf, at)
    at += 5
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
            n, at = long_count(buf, at, 57)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 56 : at + 57 * left_partitions : 57] == bytes(left_partitions)
        ):
            end = at + 57 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_3i16s16siqx(buf[at:end])):
                (
                    partition_data.partition_index, partition_data.replica_epoch,
                    partition_data.replica_id, partition_data.replica_directory_id,
                    partition_data.voter_directory_id, partition_data.last_offset_epoch,
                    partition_data.last_offset,
                ) = values
                partition_data.pre_vote = False
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.replica_epoch,
                partition_data.replica_id, partition_data.replica_directory_id,
                partition_data.voter_directory_id, partition_data.last_offset_epoch,
                partition_data.last_offset, tags,
            ) = _read_3i16s16siqB(buf, at)
            at += 57
            partition_data.pre_vote = False
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
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_vote_request_v2(buf: bytes, at: int) -> tuple[VoteRequest, int]:
    m = new(VoteRequest)
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
    (m.voter_id, n) = _read_iB(buf, at)
    at += 5
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
            n, at = long_count(buf, at, 58)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 57 : at + 58 * left_partitions : 58] == bytes(left_partitions)
        ):
            end = at + 58 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_3i16s16siqtx(buf[at:end])):
                (
                    partition_data.partition_index, partition_data.replica_epoch,
                    partition_data.replica_id, partition_data.replica_directory_id,
                    partition_data.voter_directory_id, partition_data.last_offset_epoch,
                    partition_data.last_offset, partition_data.pre_vote,
                ) = values
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (
                partition_data.partition_index, partition_data.replica_epoch,
                partition_data.replica_id, partition_data.replica_directory_id,
                partition_data.voter_directory_id, partition_data.last_offset_epoch,
                partition_data.last_offset, partition_data.pre_vote, tags,
            ) = _read_3i16s16siqtB(buf, at)
            at += 58
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
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_vote_request_v0(out: Parts, m: VoteRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
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
            if partition_data.pre_vote:
                refuse_field("pre_vote")
            out.append(_write_4iqx(
                partition_data.partition_index, partition_data.replica_epoch,
                partition_data.replica_id, partition_data.last_offset_epoch,
                partition_data.last_offset,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_vote_request_v1(out: Parts, m: VoteRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.voter_id, n if n < 128 else 0))
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
            if partition_data.pre_vote:
                refuse_field("pre_vote")
            if len(partition_data.replica_directory_id) != 16:
                refuse_uuid("replica_directory_id")
            if len(partition_data.voter_directory_id) != 16:
                refuse_uuid("voter_directory_id")
            out.append(_write_3i16s16siqx(
                partition_data.partition_index, partition_data.replica_epoch,
                partition_data.replica_id, partition_data.replica_directory_id,
                partition_data.voter_directory_id, partition_data.last_offset_epoch,
                partition_data.last_offset,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_vote_request_v2(out: Parts, m: VoteRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.voter_id, n if n < 128 else 0))
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
            if len(partition_data.replica_directory_id) != 16:
                refuse_uuid("replica_directory_id")
            if len(partition_data.voter_directory_id) != 16:
                refuse_uuid("voter_directory_id")
            out.append(_write_3i16s16siqtx(
                partition_data.partition_index, partition_data.replica_epoch,
                partition_data.replica_id, partition_data.replica_directory_id,
                partition_data.voter_directory_id, partition_data.last_offset_epoch,
                partition_data.last_offset, partition_data.pre_vote,
            ))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_vote_request_v0, 1: _get_vote_request_v1, 2: _get_vote_request_v2}
_PUT = {0: _put_vote_request_v0, 1: _put_vote_request_v1, 2: _put_vote_request_v2}


def decode(buf: Buffer, version: int, at: int = 0) -> VoteRequest:
    """The VoteRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[VoteRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: VoteRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: VoteRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        (
            "replicaEpoch", "replica_epoch", "int32", (0, 2), None, None, None, 0, False, (0, 2),
            None,
        ),
        ("replicaId", "replica_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "replicaDirectoryId", "replica_directory_id", "uuid", (1, 2), None, None, None,
            ZERO_UUID, True, (0, 2), None,
        ),
        (
            "voterDirectoryId", "voter_directory_id", "uuid", (1, 2), None, None, None, ZERO_UUID,
            True, (0, 2), None,
        ),
        (
            "lastOffsetEpoch", "last_offset_epoch", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("lastOffset", "last_offset", "int64", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("preVote", "pre_vote", "bool", (2, 2), None, None, None, False, False, (0, 2), None),
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
_VOTE_REQUEST_SHAPE: Shape = (
    VoteRequest,
    (
        (
            "clusterId", "cluster_id", "string", (0, 2), (0, 2), None, None, None, False, (0, 2),
            None,
        ),
        ("voterId", "voter_id", "int32", (1, 2), None, None, None, -1, True, (0, 2), None),
        (
            "topics", "topics", "[]TopicData", (0, 2), None, None, None, (), False, (0, 2),
            _TOPIC_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_VOTE_REQUEST_SHAPE, (0, 2), (0, 2))
