# GENERATED from schemas/assign_replicas_to_dirs_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 ccdb2d71ca3ddfbe, generator 1.
"""A broker tells the controller which log directory holds which replica (KIP-858). Api key 73,
versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, lengthen, long_count, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 73
NAME: Final = "AssignReplicasToDirsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionData(Message):
    """One row a partition."""

    __slots__ = ("partition_index", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One row a topic."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class DirectoryData(Message):
    """One row a log directory."""

    __slots__ = ("id", "topics", "unknown_tags")

    def __init__(
        self,
        # Id of the log directory.
        id: bytes = ZERO_UUID,
        # One row a topic.
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.id = id
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


class AssignReplicasToDirsRequest(Message):
    """A broker tells the controller which log directory holds which replica (KIP-858)."""

    __slots__ = ("broker_id", "broker_epoch", "directories", "unknown_tags")

    def __init__(
        self,
        # Broker that asks.
        broker_id: int = 0,
        # Epoch of that broker's registration; -1 when unknown.
        broker_epoch: int = -1,
        # One row a log directory.
        directories: Sequence[DirectoryData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.directories: Sequence[DirectoryData] = [] if directories == () else directories
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_rows_ix = Struct(">ix").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_iqB = Struct(">iqB").pack
_write_ix = Struct(">ix").pack


def _get_assign_replicas_to_dirs_request_v0(
    buf: bytes, at: int,
) -> tuple[AssignReplicasToDirsRequest, int]:
    m = new(AssignReplicasToDirsRequest)
    (m.broker_id, m.broker_epoch, n) = _read_iqB(buf, at)
    at += 13
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    directories: list[DirectoryData] = []
    m.directories = directories
    left_directories = n - 1
    while left_directories:
        left_directories -= 1
        directory_data = new(DirectoryData)
        directories.append(directory_data)
        (directory_data.id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 18)
        topics: list[TopicData] = []
        directory_data.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            topic_data = new(TopicData)
            topics.append(topic_data)
            (topic_data.topic_id, n) = _read_16sB(buf, at)
            at += 17
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 5)
            partitions: list[PartitionData] = []
            topic_data.partitions = partitions
            left_partitions = n - 1
            if (
                left_partitions > 4
                and buf[at + 4 : at + 5 * left_partitions : 5] == bytes(left_partitions)
            ):
                end = at + 5 * left_partitions
                partitions += map(new, repeat(PartitionData, left_partitions))
                left_partitions = 0
                for partition_data, values in zip(partitions, _rows_ix(buf[at:end])):
                    (partition_data.partition_index,) = values
                    partition_data.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                partition_data = new(PartitionData)
                partitions.append(partition_data)
                (partition_data.partition_index, tags) = _read_iB(buf, at)
                at += 5
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
        directory_data.unknown_tags = ()
        if tags:
            directory_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_assign_replicas_to_dirs_request_v0(out: Parts, m: AssignReplicasToDirsRequest) -> None:
    directories = m.directories
    n = len(directories) + 1
    out.append(_write_iqB(m.broker_id, m.broker_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for directory_data in directories:
        if len(directory_data.id) != 16:
            refuse_uuid("id")
        topics = directory_data.topics
        n = len(topics) + 1
        out.append(_write_16sB(directory_data.id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for topic_data in topics:
            if len(topic_data.topic_id) != 16:
                refuse_uuid("topic_id")
            partitions = topic_data.partitions
            n = len(partitions) + 1
            out.append(_write_16sB(topic_data.topic_id, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for partition_data in partitions:
                out.append(_write_ix(partition_data.partition_index))
                if partition_data.unknown_tags:
                    put_tags(out, [], partition_data.unknown_tags)
            out.append(b"\0")
            if topic_data.unknown_tags:
                put_tags(out, [], topic_data.unknown_tags)
        out.append(b"\0")
        if directory_data.unknown_tags:
            put_tags(out, [], directory_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_assign_replicas_to_dirs_request_v0}
_PUT = {0: _put_assign_replicas_to_dirs_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AssignReplicasToDirsRequest:
    """The AssignReplicasToDirsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AssignReplicasToDirsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AssignReplicasToDirsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AssignReplicasToDirsRequest, version: int) -> None:
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
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
    ),
)
_TOPIC_DATA_SHAPE: Shape = (
    TopicData,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 0), None, None, None, (), False,
            (0, 0), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_DIRECTORY_DATA_SHAPE: Shape = (
    DirectoryData,
    (
        ("id", "id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        (
            "topics", "topics", "[]TopicData", (0, 0), None, None, None, (), False, (0, 0),
            _TOPIC_DATA_SHAPE,
        ),
    ),
)
_ASSIGN_REPLICAS_TO_DIRS_REQUEST_SHAPE: Shape = (
    AssignReplicasToDirsRequest,
    (
        ("brokerId", "broker_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("brokerEpoch", "broker_epoch", "int64", (0, 0), None, None, None, -1, False, (0, 0), None),
        (
            "directories", "directories", "[]DirectoryData", (0, 0), None, None, None, (), False,
            (0, 0), _DIRECTORY_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ASSIGN_REPLICAS_TO_DIRS_REQUEST_SHAPE, (0, 0), (0, 0))
