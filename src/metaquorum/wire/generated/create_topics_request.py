# GENERATED from schemas/create_topics_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 d935688aa0a219bb, generator 1.
"""Creates topics. Api key 19, versions 0-7, flexible from 5."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 19
NAME: Final = "CreateTopicsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 7
FLEXIBLE_FROM: Final[int | None] = 5


class CreatableReplicaAssignment(Message):
    """Replicas of each partition; empty or null leaves the choice to the controller."""

    __slots__ = ("partition_index", "broker_ids", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Brokers that get a replica, preferred leader first.
        broker_ids: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.broker_ids: Sequence[int] = [] if broker_ids == () else broker_ids
        self.unknown_tags = unknown_tags


class CreatableTopicConfig(Message):
    """Keys of the topic with their values."""

    __slots__ = ("name", "value", "unknown_tags")

    def __init__(
        self,
        # Name of the key.
        name: str = "",
        # Value of the key; null for the default.
        value: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.value = value
        self.unknown_tags = unknown_tags


class CreatableTopic(Message):
    """One row a topic."""

    __slots__ = (
        "name", "num_partitions", "replication_factor", "assignments", "configs", "unknown_tags",
    )

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Number of partitions; -1 for the default or when assignments are given.
        num_partitions: int = 0,
        # Number of replicas of each partition; -1 for the default or when assignments are given.
        replication_factor: int = 0,
        # Replicas of each partition; empty or null leaves the choice to the controller.
        assignments: Sequence[CreatableReplicaAssignment] = (),
        # Keys of the topic with their values.
        configs: Sequence[CreatableTopicConfig] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.assignments: Sequence[CreatableReplicaAssignment] = (
            [] if assignments == () else assignments
        )
        self.configs: Sequence[CreatableTopicConfig] = [] if configs == () else configs
        self.unknown_tags = unknown_tags


class CreateTopicsRequest(Message):
    """Creates topics."""

    __slots__ = ("topics", "timeout_ms", "validate_only", "unknown_tags")

    def __init__(
        self,
        # One row a topic.
        topics: Sequence[CreatableTopic] = (),
        # Milliseconds the server may take.
        timeout_ms: int = 60000,
        # True to check the changes without making them. (v1+)
        validate_only: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[CreatableTopic] = [] if topics == () else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_it = Struct(">i?").unpack_from
_read_itB = Struct(">i?B").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_ihi = Struct(">ihi").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_it = Struct(">i?").pack
_write_itx = Struct(">i?x").pack
_write_ihB = Struct(">ihB").pack
_write_ihi = Struct(">ihi").pack
_write_iB_many_i_x = ArrayWrites("iB *i x")
_write_2i_many_i = ArrayWrites("ii *i")


def _get_create_topics_request_v0(buf: bytes, at: int) -> tuple[CreateTopicsRequest, int]:
    m = new(CreateTopicsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 16)
    topics: list[CreatableTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        creatable_topic = new(CreatableTopic)
        topics.append(creatable_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        creatable_topic.name = buf[at:end].decode()
        at = end
        (creatable_topic.num_partitions, creatable_topic.replication_factor, n) = _read_ihi(buf, at)
        at += 10
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        assignments: list[CreatableReplicaAssignment] = []
        creatable_topic.assignments = assignments
        left_assignments = n
        while left_assignments:
            left_assignments -= 1
            replica_assignment = new(CreatableReplicaAssignment)
            assignments.append(replica_assignment)
            (replica_assignment.partition_index, n_broker_ids) = _read_2i(buf, at)
            at += 8
            if not 0 <= n_broker_ids < 128:
                check_count(buf, at, n_broker_ids, 4)
            replica_assignment.broker_ids = [*_read_array_ni[n_broker_ids](buf, at)]
            at += 4 * n_broker_ids
            replica_assignment.unknown_tags = ()
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 4)
        configs: list[CreatableTopicConfig] = []
        creatable_topic.configs = configs
        left_configs = n
        while left_configs:
            left_configs -= 1
            creatable_topic_config = new(CreatableTopicConfig)
            configs.append(creatable_topic_config)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            creatable_topic_config.name = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                creatable_topic_config.value = None
            else:
                end = at + n
                creatable_topic_config.value = buf[at:end].decode()
                at = end
            creatable_topic_config.unknown_tags = ()
        creatable_topic.unknown_tags = ()
    (m.timeout_ms,) = _read_i(buf, at)
    at += 4
    m.validate_only = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_topics_request_v1(buf: bytes, at: int) -> tuple[CreateTopicsRequest, int]:
    m = new(CreateTopicsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 16)
    topics: list[CreatableTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        creatable_topic = new(CreatableTopic)
        topics.append(creatable_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        creatable_topic.name = buf[at:end].decode()
        at = end
        (creatable_topic.num_partitions, creatable_topic.replication_factor, n) = _read_ihi(buf, at)
        at += 10
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        assignments: list[CreatableReplicaAssignment] = []
        creatable_topic.assignments = assignments
        left_assignments = n
        while left_assignments:
            left_assignments -= 1
            replica_assignment = new(CreatableReplicaAssignment)
            assignments.append(replica_assignment)
            (replica_assignment.partition_index, n_broker_ids) = _read_2i(buf, at)
            at += 8
            if not 0 <= n_broker_ids < 128:
                check_count(buf, at, n_broker_ids, 4)
            replica_assignment.broker_ids = [*_read_array_ni[n_broker_ids](buf, at)]
            at += 4 * n_broker_ids
            replica_assignment.unknown_tags = ()
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 4)
        configs: list[CreatableTopicConfig] = []
        creatable_topic.configs = configs
        left_configs = n
        while left_configs:
            left_configs -= 1
            creatable_topic_config = new(CreatableTopicConfig)
            configs.append(creatable_topic_config)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            creatable_topic_config.name = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                creatable_topic_config.value = None
            else:
                end = at + n
                creatable_topic_config.value = buf[at:end].decode()
                at = end
            creatable_topic_config.unknown_tags = ()
        creatable_topic.unknown_tags = ()
    (m.timeout_ms, m.validate_only) = _read_it(buf, at)
    at += 5
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_topics_request_v5(buf: bytes, at: int) -> tuple[CreateTopicsRequest, int]:
    m = new(CreateTopicsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 10)
    topics: list[CreatableTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        creatable_topic = new(CreatableTopic)
        topics.append(creatable_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        creatable_topic.name = buf[at:end].decode()
        at = end
        (creatable_topic.num_partitions, creatable_topic.replication_factor, n) = _read_ihB(buf, at)
        at += 7
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        assignments: list[CreatableReplicaAssignment] = []
        creatable_topic.assignments = assignments
        left_assignments = n - 1
        while left_assignments:
            left_assignments -= 1
            replica_assignment = new(CreatableReplicaAssignment)
            assignments.append(replica_assignment)
            (replica_assignment.partition_index, n_broker_ids) = _read_iB(buf, at)
            at += 5
            if n_broker_ids > 127:
                n_broker_ids, at = long_count(buf, at, 4)
            (*replica_assignment.broker_ids, tags) = _read_array_ci_B[n_broker_ids](buf, at)
            at += 4 * n_broker_ids - 3
            replica_assignment.unknown_tags = ()
            if tags:
                replica_assignment.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        configs: list[CreatableTopicConfig] = []
        creatable_topic.configs = configs
        left_configs = n - 1
        while left_configs:
            left_configs -= 1
            creatable_topic_config = new(CreatableTopicConfig)
            configs.append(creatable_topic_config)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            creatable_topic_config.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0:
                creatable_topic_config.value = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                creatable_topic_config.value = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            creatable_topic_config.unknown_tags = ()
            if tags:
                creatable_topic_config.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        creatable_topic.unknown_tags = ()
        if tags:
            creatable_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.timeout_ms, m.validate_only, tags) = _read_itB(buf, at)
    at += 6
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_create_topics_request_v0(out: Parts, m: CreateTopicsRequest) -> None:
    if m.validate_only:
        refuse_field("validate_only")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for creatable_topic in topics:
        if creatable_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = creatable_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        assignments = creatable_topic.assignments
        n = len(assignments)
        out.append(_write_ihi(
            creatable_topic.num_partitions, creatable_topic.replication_factor, n,
        ))
        for replica_assignment in assignments:
            if replica_assignment.unknown_tags:
                refuse_field("unknown_tags")
            broker_ids = replica_assignment.broker_ids
            n_broker_ids = len(broker_ids)
            write = _write_2i_many_i[n_broker_ids]
            out.append(write(replica_assignment.partition_index, n_broker_ids, *broker_ids))
        configs = creatable_topic.configs
        n = len(configs)
        out.append(_write_i(n))
        for creatable_topic_config in configs:
            if creatable_topic_config.unknown_tags:
                refuse_field("unknown_tags")
            name_ = creatable_topic_config.name.encode()
            n = len(name_)
            out.append(_write_h(n))
            out.append(name_)
            value = (
                b"" if creatable_topic_config.value is None else
                creatable_topic_config.value.encode()
            )
            n = -1 if creatable_topic_config.value is None else len(value)
            out.append(_write_h(n))
            out.append(value)
    out.append(_write_i(m.timeout_ms))


def _put_create_topics_request_v1(out: Parts, m: CreateTopicsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for creatable_topic in topics:
        if creatable_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = creatable_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        assignments = creatable_topic.assignments
        n = len(assignments)
        out.append(_write_ihi(
            creatable_topic.num_partitions, creatable_topic.replication_factor, n,
        ))
        for replica_assignment in assignments:
            if replica_assignment.unknown_tags:
                refuse_field("unknown_tags")
            broker_ids = replica_assignment.broker_ids
            n_broker_ids = len(broker_ids)
            write = _write_2i_many_i[n_broker_ids]
            out.append(write(replica_assignment.partition_index, n_broker_ids, *broker_ids))
        configs = creatable_topic.configs
        n = len(configs)
        out.append(_write_i(n))
        for creatable_topic_config in configs:
            if creatable_topic_config.unknown_tags:
                refuse_field("unknown_tags")
            name_ = creatable_topic_config.name.encode()
            n = len(name_)
            out.append(_write_h(n))
            out.append(name_)
            value = (
                b"" if creatable_topic_config.value is None else
                creatable_topic_config.value.encode()
            )
            n = -1 if creatable_topic_config.value is None else len(value)
            out.append(_write_h(n))
            out.append(value)
    out.append(_write_it(m.timeout_ms, m.validate_only))


def _put_create_topics_request_v5(out: Parts, m: CreateTopicsRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for creatable_topic in topics:
        name = creatable_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        assignments = creatable_topic.assignments
        n = len(assignments) + 1
        out.append(_write_ihB(
            creatable_topic.num_partitions, creatable_topic.replication_factor, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        for replica_assignment in assignments:
            broker_ids = replica_assignment.broker_ids
            n_broker_ids = len(broker_ids)
            write = _write_iB_many_i_x[n_broker_ids]
            out.append(write(replica_assignment.partition_index, n_broker_ids + 1, *broker_ids))
            if replica_assignment.unknown_tags:
                put_tags(out, [], replica_assignment.unknown_tags)
        configs = creatable_topic.configs
        n = len(configs) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for creatable_topic_config in configs:
            name_ = creatable_topic_config.name.encode()
            n = len(name_) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name_)
            value = (
                b"" if creatable_topic_config.value is None else
                creatable_topic_config.value.encode()
            )
            n = 0 if creatable_topic_config.value is None else len(value) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(value)
            out.append(b"\0")
            if creatable_topic_config.unknown_tags:
                put_tags(out, [], creatable_topic_config.unknown_tags)
        out.append(b"\0")
        if creatable_topic.unknown_tags:
            put_tags(out, [], creatable_topic.unknown_tags)
    out.append(_write_itx(m.timeout_ms, m.validate_only))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_create_topics_request_v0, 1: _get_create_topics_request_v1,
    2: _get_create_topics_request_v1, 3: _get_create_topics_request_v1,
    4: _get_create_topics_request_v1, 5: _get_create_topics_request_v5,
    6: _get_create_topics_request_v5, 7: _get_create_topics_request_v5,
}
_PUT = {
    0: _put_create_topics_request_v0, 1: _put_create_topics_request_v1,
    2: _put_create_topics_request_v1, 3: _put_create_topics_request_v1,
    4: _put_create_topics_request_v1, 5: _put_create_topics_request_v5,
    6: _put_create_topics_request_v5, 7: _put_create_topics_request_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> CreateTopicsRequest:
    """The CreateTopicsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[CreateTopicsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: CreateTopicsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: CreateTopicsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CREATABLE_REPLICA_ASSIGNMENT_SHAPE: Shape = (
    CreatableReplicaAssignment,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 7), None, None, None, 0, False,
            (5, 7), None,
        ),
        ("brokerIds", "broker_ids", "[]int32", (0, 7), None, None, None, (), False, (5, 7), None),
    ),
)
_CREATABLE_TOPIC_CONFIG_SHAPE: Shape = (
    CreatableTopicConfig,
    (
        ("name", "name", "string", (0, 7), None, None, None, "", False, (5, 7), None),
        ("value", "value", "string", (0, 7), (0, 7), None, None, "", False, (5, 7), None),
    ),
)
_CREATABLE_TOPIC_SHAPE: Shape = (
    CreatableTopic,
    (
        ("name", "name", "string", (0, 7), None, None, None, "", False, (5, 7), None),
        (
            "numPartitions", "num_partitions", "int32", (0, 7), None, None, None, 0, False, (5, 7),
            None,
        ),
        (
            "replicationFactor", "replication_factor", "int16", (0, 7), None, None, None, 0, False,
            (5, 7), None,
        ),
        (
            "assignments", "assignments", "[]CreatableReplicaAssignment", (0, 7), None, None, None,
            (), False, (5, 7), _CREATABLE_REPLICA_ASSIGNMENT_SHAPE,
        ),
        (
            "configs", "configs", "[]CreatableTopicConfig", (0, 7), None, None, None, (), False,
            (5, 7), _CREATABLE_TOPIC_CONFIG_SHAPE,
        ),
    ),
)
_CREATE_TOPICS_REQUEST_SHAPE: Shape = (
    CreateTopicsRequest,
    (
        (
            "topics", "topics", "[]CreatableTopic", (0, 7), None, None, None, (), False, (5, 7),
            _CREATABLE_TOPIC_SHAPE,
        ),
        ("timeoutMs", "timeout_ms", "int32", (0, 7), None, None, None, 60000, False, (5, 7), None),
        (
            "validateOnly", "validate_only", "bool", (1, 7), None, None, None, False, False, (5, 7),
            None,
        ),
    ),
)
SHAPE: Shape = (_CREATE_TOPICS_REQUEST_SHAPE, (0, 7), (5, 7))
