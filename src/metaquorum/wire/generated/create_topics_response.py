# GENERATED from schemas/create_topics_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f1ccce2f6b76b23b, generator 1.
"""Says for each topic whether it was created, and how. Api key 19, versions 0-7, flexible from 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tag_count, get_tag_head, get_tags, joined, lengthen, lengthen_text,
    long_count, long_text, long_text_head, put_tags, refuse_field, refuse_null, refuse_size,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 19
NAME: Final = "CreateTopicsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 7
FLEXIBLE_FROM: Final[int | None] = 5


class CreatableTopicConfigs(Message):
    """Keys of the topic with their values; null when the caller may not know."""

    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive", "unknown_tags")

    def __init__(
        self,
        # Name of the key. (v5+)
        name: str = "",
        # Value in force; null when hidden or unset. (v5+)
        value: str | None = "",
        # True when the key cannot be changed at run time. (v5+)
        read_only: bool = False,
        # Where the value comes from: 1 topic, 2 and 3 dynamic broker, 4 static, 5 default. (v5+)
        config_source: int = -1,
        # True when the value is secret, and then hidden. (v5+)
        is_sensitive: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive
        self.unknown_tags = unknown_tags


class CreatableTopicResult(Message):
    """One result a topic."""

    __slots__ = (
        "name", "topic_id", "error_code", "error_message", "topic_config_error_code",
        "num_partitions", "replication_factor", "configs", "unknown_tags",
    )

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Id of the topic. (v7+)
        topic_id: bytes = ZERO_UUID,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say. (v1+)
        error_message: str | None = "",
        # Error that keeps the configuration from the caller; 0 for none. (v5+, tag 0)
        topic_config_error_code: int = 0,
        # Number of partitions; -1 when the caller may not know. (v5+)
        num_partitions: int = -1,
        # Number of replicas of each partition; -1 when the caller may not know. (v5+)
        replication_factor: int = -1,
        # Keys of the topic with their values; null when the caller may not know. (v5+)
        configs: Sequence[CreatableTopicConfigs] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message
        self.topic_config_error_code = topic_config_error_code
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.configs: Sequence[CreatableTopicConfigs] | None = [] if configs == () else configs
        self.unknown_tags = unknown_tags


class CreateTopicsResponse(Message):
    """Says for each topic whether it was created, and how."""

    __slots__ = ("throttle_time_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v2+)
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[CreatableTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[CreatableTopicResult] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16shB = Struct(">16shB").unpack_from
_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_tbtB = Struct(">?b?B").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_16shB = Struct(">16shB").pack
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_tbtx = Struct(">?b?x").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ihB = Struct(">ihB").pack


def _get_create_topics_response_v0(buf: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    m = new(CreateTopicsResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    topics: list[CreatableTopicResult] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        creatable_topic_result = new(CreatableTopicResult)
        topics.append(creatable_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        creatable_topic_result.name = buf[at:end].decode()
        at = end
        (creatable_topic_result.error_code,) = _read_h(buf, at)
        at += 2
        creatable_topic_result.topic_id = ZERO_UUID
        creatable_topic_result.error_message = ""
        creatable_topic_result.topic_config_error_code = 0
        creatable_topic_result.num_partitions = -1
        creatable_topic_result.replication_factor = -1
        creatable_topic_result.configs = []
        creatable_topic_result.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_topics_response_v1(buf: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    m = new(CreateTopicsResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[CreatableTopicResult] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        creatable_topic_result = new(CreatableTopicResult)
        topics.append(creatable_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        creatable_topic_result.name = buf[at:end].decode()
        at = end
        (creatable_topic_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            creatable_topic_result.error_message = None
        else:
            end = at + n
            creatable_topic_result.error_message = buf[at:end].decode()
            at = end
        creatable_topic_result.topic_id = ZERO_UUID
        creatable_topic_result.topic_config_error_code = 0
        creatable_topic_result.num_partitions = -1
        creatable_topic_result.replication_factor = -1
        creatable_topic_result.configs = []
        creatable_topic_result.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_create_topics_response_v2(buf: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    m = new(CreateTopicsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[CreatableTopicResult] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        creatable_topic_result = new(CreatableTopicResult)
        topics.append(creatable_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        creatable_topic_result.name = buf[at:end].decode()
        at = end
        (creatable_topic_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            creatable_topic_result.error_message = None
        else:
            end = at + n
            creatable_topic_result.error_message = buf[at:end].decode()
            at = end
        creatable_topic_result.topic_id = ZERO_UUID
        creatable_topic_result.topic_config_error_code = 0
        creatable_topic_result.num_partitions = -1
        creatable_topic_result.replication_factor = -1
        creatable_topic_result.configs = []
        creatable_topic_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_tags_creatable_topic_result_v5(m: CreatableTopicResult, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.topic_config_error_code,) = _read_h(buf, at)
            at += 2
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_create_topics_response_v5(buf: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    m = new(CreateTopicsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 12)
    topics: list[CreatableTopicResult] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        creatable_topic_result = new(CreatableTopicResult)
        topics.append(creatable_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        creatable_topic_result.name = buf[at:end].decode()
        at = end
        (creatable_topic_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            creatable_topic_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            creatable_topic_result.error_message = buf[at:end].decode()
            at = end
        (
            creatable_topic_result.num_partitions, creatable_topic_result.replication_factor, n,
        ) = _read_ihB(buf, at)
        at += 7
        if n == 0:
            creatable_topic_result.configs = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 6)
            configs: list[CreatableTopicConfigs] = []
            creatable_topic_result.configs = configs
            left_configs = n - 1
            while left_configs:
                left_configs -= 1
                topic_configs = new(CreatableTopicConfigs)
                configs.append(topic_configs)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_configs.name = buf[at:end].decode()
                at = end
                n = buf[at]
                at += 1
                if n == 0:
                    topic_configs.value = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    topic_configs.value = buf[at:end].decode()
                    at = end
                (
                    topic_configs.read_only, topic_configs.config_source,
                    topic_configs.is_sensitive, tags,
                ) = _read_tbtB(buf, at)
                at += 4
                topic_configs.unknown_tags = ()
                if tags:
                    topic_configs.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        creatable_topic_result.topic_id = ZERO_UUID
        creatable_topic_result.topic_config_error_code = 0
        creatable_topic_result.unknown_tags = ()
        if tags:
            at = _get_tags_creatable_topic_result_v5(creatable_topic_result, buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_creatable_topic_result_v7(m: CreatableTopicResult, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.topic_config_error_code,) = _read_h(buf, at)
            at += 2
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_create_topics_response_v7(buf: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    m = new(CreateTopicsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 28)
    topics: list[CreatableTopicResult] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        creatable_topic_result = new(CreatableTopicResult)
        topics.append(creatable_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        creatable_topic_result.name = buf[at:end].decode()
        at = end
        (
            creatable_topic_result.topic_id, creatable_topic_result.error_code, n,
        ) = _read_16shB(buf, at)
        at += 19
        if n == 0:
            creatable_topic_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            creatable_topic_result.error_message = buf[at:end].decode()
            at = end
        (
            creatable_topic_result.num_partitions, creatable_topic_result.replication_factor, n,
        ) = _read_ihB(buf, at)
        at += 7
        if n == 0:
            creatable_topic_result.configs = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 6)
            configs: list[CreatableTopicConfigs] = []
            creatable_topic_result.configs = configs
            left_configs = n - 1
            while left_configs:
                left_configs -= 1
                topic_configs = new(CreatableTopicConfigs)
                configs.append(topic_configs)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                topic_configs.name = buf[at:end].decode()
                at = end
                n = buf[at]
                at += 1
                if n == 0:
                    topic_configs.value = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    topic_configs.value = buf[at:end].decode()
                    at = end
                (
                    topic_configs.read_only, topic_configs.config_source,
                    topic_configs.is_sensitive, tags,
                ) = _read_tbtB(buf, at)
                at += 4
                topic_configs.unknown_tags = ()
                if tags:
                    topic_configs.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        creatable_topic_result.topic_config_error_code = 0
        creatable_topic_result.unknown_tags = ()
        if tags:
            at = _get_tags_creatable_topic_result_v7(creatable_topic_result, buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_create_topics_response_v0(out: Parts, m: CreateTopicsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for creatable_topic_result in topics:
        if creatable_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        name = creatable_topic_result.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        out.append(_write_h(creatable_topic_result.error_code))


def _put_create_topics_response_v1(out: Parts, m: CreateTopicsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for creatable_topic_result in topics:
        if creatable_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        name = creatable_topic_result.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        error_message = (
            b"" if creatable_topic_result.error_message is None else
            creatable_topic_result.error_message.encode()
        )
        n = -1 if creatable_topic_result.error_message is None else len(error_message)
        out.append(_write_2h(creatable_topic_result.error_code, n))
        out.append(error_message)


def _put_create_topics_response_v2(out: Parts, m: CreateTopicsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for creatable_topic_result in topics:
        if creatable_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        name = creatable_topic_result.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        error_message = (
            b"" if creatable_topic_result.error_message is None else
            creatable_topic_result.error_message.encode()
        )
        n = -1 if creatable_topic_result.error_message is None else len(error_message)
        out.append(_write_2h(creatable_topic_result.error_code, n))
        out.append(error_message)


def _tags_of_creatable_topic_result_v5(m: CreatableTopicResult) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.topic_config_error_code != 0:
        tags.append((0, _write_h(m.topic_config_error_code)))
    return tags


def _put_create_topics_response_v5(out: Parts, m: CreateTopicsResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for creatable_topic_result in topics:
        name = creatable_topic_result.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        error_message = (
            b"" if creatable_topic_result.error_message is None else
            creatable_topic_result.error_message.encode()
        )
        n = 0 if creatable_topic_result.error_message is None else len(error_message) + 1
        out.append(_write_hB(creatable_topic_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        configs = creatable_topic_result.configs
        n = 0 if configs is None else len(configs) + 1
        out.append(_write_ihB(
            creatable_topic_result.num_partitions, creatable_topic_result.replication_factor,
            n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        if configs is not None:
            for topic_configs in configs:
                name_ = topic_configs.name.encode()
                n = len(name_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(name_)
                value = b"" if topic_configs.value is None else topic_configs.value.encode()
                n = 0 if topic_configs.value is None else len(value) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(value)
                out.append(_write_tbtx(
                    topic_configs.read_only, topic_configs.config_source,
                    topic_configs.is_sensitive,
                ))
                if topic_configs.unknown_tags:
                    put_tags(out, [], topic_configs.unknown_tags)
        out.append(b"\0")
        if (
            creatable_topic_result.unknown_tags
            or creatable_topic_result.topic_config_error_code != 0
        ):
            put_tags(
                out, _tags_of_creatable_topic_result_v5(creatable_topic_result),
                creatable_topic_result.unknown_tags,
            )
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_creatable_topic_result_v7(m: CreatableTopicResult) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.topic_config_error_code != 0:
        tags.append((0, _write_h(m.topic_config_error_code)))
    return tags


def _put_create_topics_response_v7(out: Parts, m: CreateTopicsResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for creatable_topic_result in topics:
        name = creatable_topic_result.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        if len(creatable_topic_result.topic_id) != 16:
            refuse_uuid("topic_id")
        error_message = (
            b"" if creatable_topic_result.error_message is None else
            creatable_topic_result.error_message.encode()
        )
        n = 0 if creatable_topic_result.error_message is None else len(error_message) + 1
        out.append(_write_16shB(
            creatable_topic_result.topic_id, creatable_topic_result.error_code, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        configs = creatable_topic_result.configs
        n = 0 if configs is None else len(configs) + 1
        out.append(_write_ihB(
            creatable_topic_result.num_partitions, creatable_topic_result.replication_factor,
            n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        if configs is not None:
            for topic_configs in configs:
                name_ = topic_configs.name.encode()
                n = len(name_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(name_)
                value = b"" if topic_configs.value is None else topic_configs.value.encode()
                n = 0 if topic_configs.value is None else len(value) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(value)
                out.append(_write_tbtx(
                    topic_configs.read_only, topic_configs.config_source,
                    topic_configs.is_sensitive,
                ))
                if topic_configs.unknown_tags:
                    put_tags(out, [], topic_configs.unknown_tags)
        out.append(b"\0")
        if (
            creatable_topic_result.unknown_tags
            or creatable_topic_result.topic_config_error_code != 0
        ):
            put_tags(
                out, _tags_of_creatable_topic_result_v7(creatable_topic_result),
                creatable_topic_result.unknown_tags,
            )
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_create_topics_response_v0, 1: _get_create_topics_response_v1,
    2: _get_create_topics_response_v2, 3: _get_create_topics_response_v2,
    4: _get_create_topics_response_v2, 5: _get_create_topics_response_v5,
    6: _get_create_topics_response_v5, 7: _get_create_topics_response_v7,
}
_PUT = {
    0: _put_create_topics_response_v0, 1: _put_create_topics_response_v1,
    2: _put_create_topics_response_v2, 3: _put_create_topics_response_v2,
    4: _put_create_topics_response_v2, 5: _put_create_topics_response_v5,
    6: _put_create_topics_response_v5, 7: _put_create_topics_response_v7,
}


def decode(buf: Buffer, version: int, at: int = 0) -> CreateTopicsResponse:
    """The CreateTopicsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[CreateTopicsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: CreateTopicsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: CreateTopicsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CREATABLE_TOPIC_CONFIGS_SHAPE: Shape = (
    CreatableTopicConfigs,
    (
        ("name", "name", "string", (5, 7), None, None, None, "", False, (5, 7), None),
        ("value", "value", "string", (5, 7), (5, 7), None, None, "", False, (5, 7), None),
        ("readOnly", "read_only", "bool", (5, 7), None, None, None, False, False, (5, 7), None),
        ("configSource", "config_source", "int8", (5, 7), None, None, None, -1, True, (5, 7), None),
        (
            "isSensitive", "is_sensitive", "bool", (5, 7), None, None, None, False, False, (5, 7),
            None,
        ),
    ),
)
_CREATABLE_TOPIC_RESULT_SHAPE: Shape = (
    CreatableTopicResult,
    (
        ("name", "name", "string", (0, 7), None, None, None, "", False, (5, 7), None),
        ("topicId", "topic_id", "uuid", (7, 7), None, None, None, ZERO_UUID, True, (5, 7), None),
        ("errorCode", "error_code", "int16", (0, 7), None, None, None, 0, False, (5, 7), None),
        (
            "errorMessage", "error_message", "string", (1, 7), (0, 7), None, None, "", True, (5, 7),
            None,
        ),
        (
            "topicConfigErrorCode", "topic_config_error_code", "int16", (5, 7), None, 0, (5, 7), 0,
            True, (5, 7), None,
        ),
        (
            "numPartitions", "num_partitions", "int32", (5, 7), None, None, None, -1, True, (5, 7),
            None,
        ),
        (
            "replicationFactor", "replication_factor", "int16", (5, 7), None, None, None, -1, True,
            (5, 7), None,
        ),
        (
            "configs", "configs", "[]CreatableTopicConfigs", (5, 7), (5, 7), None, None, (), True,
            (5, 7), _CREATABLE_TOPIC_CONFIGS_SHAPE,
        ),
    ),
)
_CREATE_TOPICS_RESPONSE_SHAPE: Shape = (
    CreateTopicsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (2, 7), None, None, None, 0, True,
            (5, 7), None,
        ),
        (
            "topics", "topics", "[]CreatableTopicResult", (0, 7), None, None, None, (), False,
            (5, 7), _CREATABLE_TOPIC_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CREATE_TOPICS_RESPONSE_SHAPE, (0, 7), (5, 7))
