# GENERATED from schemas/alter_replica_log_dirs_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 3470bfeff81fd4ce, generator 1.
"""Moves replicas of one broker between its log directories (KIP-113). Api key 34, versions 0-2,
flexible from 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 34
NAME: Final = "AlterReplicaLogDirsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class AlterReplicaLogDirTopic(Message):
    """One row a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class AlterReplicaLogDir(Message):
    """One row a log directory."""

    __slots__ = ("path", "topics", "unknown_tags")

    def __init__(
        self,
        # Absolute path of the directory.
        path: str = "",
        # One row a topic.
        topics: Sequence[AlterReplicaLogDirTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.path = path
        self.topics: Sequence[AlterReplicaLogDirTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


class AlterReplicaLogDirsRequest(Message):
    """Moves replicas of one broker between its log directories (KIP-113)."""

    __slots__ = ("dirs", "unknown_tags")

    def __init__(
        self,
        # One row a log directory.
        dirs: Sequence[AlterReplicaLogDir] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.dirs: Sequence[AlterReplicaLogDir] = [] if dirs == () else dirs
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_alter_replica_log_dirs_request_v0(
    buf: bytes, at: int,
) -> tuple[AlterReplicaLogDirsRequest, int]:
    m = new(AlterReplicaLogDirsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    dirs: list[AlterReplicaLogDir] = []
    m.dirs = dirs
    left_dirs = n
    while left_dirs:
        left_dirs -= 1
        alter_replica_log_dir = new(AlterReplicaLogDir)
        dirs.append(alter_replica_log_dir)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        alter_replica_log_dir.path = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        topics: list[AlterReplicaLogDirTopic] = []
        alter_replica_log_dir.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            replica_log_dir_topic = new(AlterReplicaLogDirTopic)
            topics.append(replica_log_dir_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            replica_log_dir_topic.name = buf[at:end].decode()
            at = end
            (n_partitions,) = _read_i(buf, at)
            at += 4
            if not 0 <= n_partitions < 128:
                check_count(buf, at, n_partitions, 4)
            replica_log_dir_topic.partitions = [*_read_array_ni[n_partitions](buf, at)]
            at += 4 * n_partitions
            replica_log_dir_topic.unknown_tags = ()
        alter_replica_log_dir.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_alter_replica_log_dirs_request_v2(
    buf: bytes, at: int,
) -> tuple[AlterReplicaLogDirsRequest, int]:
    m = new(AlterReplicaLogDirsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    dirs: list[AlterReplicaLogDir] = []
    m.dirs = dirs
    left_dirs = n - 1
    while left_dirs:
        left_dirs -= 1
        alter_replica_log_dir = new(AlterReplicaLogDir)
        dirs.append(alter_replica_log_dir)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        alter_replica_log_dir.path = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[AlterReplicaLogDirTopic] = []
        alter_replica_log_dir.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            replica_log_dir_topic = new(AlterReplicaLogDirTopic)
            topics.append(replica_log_dir_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            replica_log_dir_topic.name = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*replica_log_dir_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            replica_log_dir_topic.unknown_tags = ()
            if tags:
                replica_log_dir_topic.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        alter_replica_log_dir.unknown_tags = ()
        if tags:
            alter_replica_log_dir.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_replica_log_dirs_request_v0(out: Parts, m: AlterReplicaLogDirsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    dirs = m.dirs
    n = len(dirs)
    out.append(_write_i(n))
    for alter_replica_log_dir in dirs:
        if alter_replica_log_dir.unknown_tags:
            refuse_field("unknown_tags")
        path = alter_replica_log_dir.path.encode()
        n = len(path)
        out.append(_write_h(n))
        out.append(path)
        topics = alter_replica_log_dir.topics
        n = len(topics)
        out.append(_write_i(n))
        for replica_log_dir_topic in topics:
            if replica_log_dir_topic.unknown_tags:
                refuse_field("unknown_tags")
            name = replica_log_dir_topic.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            partitions = replica_log_dir_topic.partitions
            n_partitions = len(partitions)
            write = _write_i_many_i[n_partitions]
            out.append(write(n_partitions, *partitions))


def _put_alter_replica_log_dirs_request_v2(out: Parts, m: AlterReplicaLogDirsRequest) -> None:
    dirs = m.dirs
    n = len(dirs) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for alter_replica_log_dir in dirs:
        path = alter_replica_log_dir.path.encode()
        n = len(path) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(path)
        topics = alter_replica_log_dir.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for replica_log_dir_topic in topics:
            name = replica_log_dir_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = replica_log_dir_topic.partitions
            n_partitions = len(partitions)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions))
            if replica_log_dir_topic.unknown_tags:
                put_tags(out, [], replica_log_dir_topic.unknown_tags)
        out.append(b"\0")
        if alter_replica_log_dir.unknown_tags:
            put_tags(out, [], alter_replica_log_dir.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_alter_replica_log_dirs_request_v0, 1: _get_alter_replica_log_dirs_request_v0,
    2: _get_alter_replica_log_dirs_request_v2,
}
_PUT = {
    0: _put_alter_replica_log_dirs_request_v0, 1: _put_alter_replica_log_dirs_request_v0,
    2: _put_alter_replica_log_dirs_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterReplicaLogDirsRequest:
    """The AlterReplicaLogDirsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterReplicaLogDirsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterReplicaLogDirsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterReplicaLogDirsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALTER_REPLICA_LOG_DIR_TOPIC_SHAPE: Shape = (
    AlterReplicaLogDirTopic,
    (
        ("name", "name", "string", (0, 2), None, None, None, "", False, (2, 2), None),
        ("partitions", "partitions", "[]int32", (0, 2), None, None, None, (), False, (2, 2), None),
    ),
)
_ALTER_REPLICA_LOG_DIR_SHAPE: Shape = (
    AlterReplicaLogDir,
    (
        ("path", "path", "string", (0, 2), None, None, None, "", False, (2, 2), None),
        (
            "topics", "topics", "[]AlterReplicaLogDirTopic", (0, 2), None, None, None, (), False,
            (2, 2), _ALTER_REPLICA_LOG_DIR_TOPIC_SHAPE,
        ),
    ),
)
_ALTER_REPLICA_LOG_DIRS_REQUEST_SHAPE: Shape = (
    AlterReplicaLogDirsRequest,
    (
        (
            "dirs", "dirs", "[]AlterReplicaLogDir", (0, 2), None, None, None, (), False, (2, 2),
            _ALTER_REPLICA_LOG_DIR_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_REPLICA_LOG_DIRS_REQUEST_SHAPE, (0, 2), (2, 2))
