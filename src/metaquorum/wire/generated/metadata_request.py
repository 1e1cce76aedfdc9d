# GENERATED from schemas/metadata_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 79ffca682310b627, generator 1.
"""Asks for brokers and topics. Api key 3, versions 0-13, flexible from 9."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen_text, long_count, long_head, long_text,
    long_text_head, not_null, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 3
NAME: Final = "MetadataRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 13
FLEXIBLE_FROM: Final[int | None] = 9


class MetadataRequestTopic(Message):
    """Topics to describe; null for all (in version 0, an empty list)."""

    __slots__ = ("topic_id", "name", "unknown_tags")

    def __init__(
        self,
        # Topic to describe by id; zeros to go by name. (v10+)
        topic_id: bytes = ZERO_UUID,
        # Name of the topic; null to go by id.
        name: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.name = name
        self.unknown_tags = unknown_tags


class MetadataRequest(Message):
    """Asks for brokers and topics."""

    __slots__ = (
        "topics", "allow_auto_topic_creation", "include_cluster_authorized_operations",
        "include_topic_authorized_operations", "unknown_tags",
    )

    def __init__(
        self,
        # Topics to describe; null for all (in version 0, an empty list).
        topics: Sequence[MetadataRequestTopic] | None = (),
        # True to let the server create topics that do not exist. (v4+)
        allow_auto_topic_creation: bool = True,
        # True to learn what the caller may do with the cluster. (v8-10)
        include_cluster_authorized_operations: bool = False,
        # True to learn what the caller may do with each topic. (v8+)
        include_topic_authorized_operations: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[MetadataRequestTopic] | None = [] if topics == () else topics
        self.allow_auto_topic_creation = allow_auto_topic_creation
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.include_topic_authorized_operations = include_topic_authorized_operations
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2tB = Struct(">2?B").unpack_from
_read_3t = Struct(">3?").unpack_from
_read_3tB = Struct(">3?B").unpack_from
_read_t = Struct(">?").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2tx = Struct(">2?x").pack
_write_3t = Struct(">3?").pack
_write_3tx = Struct(">3?x").pack
_write_t = Struct(">?").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_metadata_request_v0(buf: bytes, at: int) -> tuple[MetadataRequest, int]:
    m = new(MetadataRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    topics: list[MetadataRequestTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        metadata_request_topic = new(MetadataRequestTopic)
        topics.append(metadata_request_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        metadata_request_topic.name = buf[at:end].decode()
        at = end
        metadata_request_topic.topic_id = ZERO_UUID
        metadata_request_topic.unknown_tags = ()
    m.allow_auto_topic_creation = True
    m.include_cluster_authorized_operations = False
    m.include_topic_authorized_operations = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_request_v1(buf: bytes, at: int) -> tuple[MetadataRequest, int]:
    m = new(MetadataRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.topics = None
    else:
        if n > 127:
            check_count(buf, at, n, 2)
        topics: list[MetadataRequestTopic] = []
        m.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            metadata_request_topic = new(MetadataRequestTopic)
            topics.append(metadata_request_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            metadata_request_topic.name = buf[at:end].decode()
            at = end
            metadata_request_topic.topic_id = ZERO_UUID
            metadata_request_topic.unknown_tags = ()
    m.allow_auto_topic_creation = True
    m.include_cluster_authorized_operations = False
    m.include_topic_authorized_operations = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_request_v4(buf: bytes, at: int) -> tuple[MetadataRequest, int]:
    m = new(MetadataRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.topics = None
    else:
        if n > 127:
            check_count(buf, at, n, 2)
        topics: list[MetadataRequestTopic] = []
        m.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            metadata_request_topic = new(MetadataRequestTopic)
            topics.append(metadata_request_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            metadata_request_topic.name = buf[at:end].decode()
            at = end
            metadata_request_topic.topic_id = ZERO_UUID
            metadata_request_topic.unknown_tags = ()
    (m.allow_auto_topic_creation,) = _read_t(buf, at)
    at += 1
    m.include_cluster_authorized_operations = False
    m.include_topic_authorized_operations = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_request_v8(buf: bytes, at: int) -> tuple[MetadataRequest, int]:
    m = new(MetadataRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.topics = None
    else:
        if n > 127:
            check_count(buf, at, n, 2)
        topics: list[MetadataRequestTopic] = []
        m.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            metadata_request_topic = new(MetadataRequestTopic)
            topics.append(metadata_request_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            metadata_request_topic.name = buf[at:end].decode()
            at = end
            metadata_request_topic.topic_id = ZERO_UUID
            metadata_request_topic.unknown_tags = ()
    (
        m.allow_auto_topic_creation, m.include_cluster_authorized_operations,
        m.include_topic_authorized_operations,
    ) = _read_3t(buf, at)
    at += 3
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_metadata_request_v9(buf: bytes, at: int) -> tuple[MetadataRequest, int]:
    m = new(MetadataRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.topics = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 2)
        topics: list[MetadataRequestTopic] = []
        m.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            metadata_request_topic = new(MetadataRequestTopic)
            topics.append(metadata_request_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            metadata_request_topic.name = buf[at:end].decode()
            at = end
            tags = buf[at]
            at += 1
            metadata_request_topic.topic_id = ZERO_UUID
            metadata_request_topic.unknown_tags = ()
            if tags:
                metadata_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    (
        m.allow_auto_topic_creation, m.include_cluster_authorized_operations,
        m.include_topic_authorized_operations, tags,
    ) = _read_3tB(buf, at)
    at += 4
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_metadata_request_v10(buf: bytes, at: int) -> tuple[MetadataRequest, int]:
    m = new(MetadataRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.topics = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 18)
        topics: list[MetadataRequestTopic] = []
        m.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            metadata_request_topic = new(MetadataRequestTopic)
            topics.append(metadata_request_topic)
            (metadata_request_topic.topic_id, n) = _read_16sB(buf, at)
            at += 17
            if n == 0:
                metadata_request_topic.name = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                metadata_request_topic.name = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            metadata_request_topic.unknown_tags = ()
            if tags:
                metadata_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    (
        m.allow_auto_topic_creation, m.include_cluster_authorized_operations,
        m.include_topic_authorized_operations, tags,
    ) = _read_3tB(buf, at)
    at += 4
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_metadata_request_v11(buf: bytes, at: int) -> tuple[MetadataRequest, int]:
    m = new(MetadataRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.topics = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 18)
        topics: list[MetadataRequestTopic] = []
        m.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            metadata_request_topic = new(MetadataRequestTopic)
            topics.append(metadata_request_topic)
            (metadata_request_topic.topic_id, n) = _read_16sB(buf, at)
            at += 17
            if n == 0:
                metadata_request_topic.name = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                metadata_request_topic.name = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            metadata_request_topic.unknown_tags = ()
            if tags:
                metadata_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.allow_auto_topic_creation, m.include_topic_authorized_operations, tags) = _read_2tB(buf, at)
    at += 3
    m.include_cluster_authorized_operations = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_metadata_request_v0(out: Parts, m: MetadataRequest) -> None:
    if not m.allow_auto_topic_creation:
        refuse_field("allow_auto_topic_creation")
    if m.include_cluster_authorized_operations:
        refuse_field("include_cluster_authorized_operations")
    if m.include_topic_authorized_operations:
        refuse_field("include_topic_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    if topics is None:
        refuse_null("topics")
    n = len(topics)
    out.append(_write_i(n))
    for metadata_request_topic in topics:
        if metadata_request_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(metadata_request_topic.name).encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)


def _put_metadata_request_v1(out: Parts, m: MetadataRequest) -> None:
    if not m.allow_auto_topic_creation:
        refuse_field("allow_auto_topic_creation")
    if m.include_cluster_authorized_operations:
        refuse_field("include_cluster_authorized_operations")
    if m.include_topic_authorized_operations:
        refuse_field("include_topic_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = -1 if topics is None else len(topics)
    out.append(_write_i(n))
    if topics is not None:
        for metadata_request_topic in topics:
            if metadata_request_topic.unknown_tags:
                refuse_field("unknown_tags")
            name = not_null(metadata_request_topic.name).encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)


def _put_metadata_request_v4(out: Parts, m: MetadataRequest) -> None:
    if m.include_cluster_authorized_operations:
        refuse_field("include_cluster_authorized_operations")
    if m.include_topic_authorized_operations:
        refuse_field("include_topic_authorized_operations")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = -1 if topics is None else len(topics)
    out.append(_write_i(n))
    if topics is not None:
        for metadata_request_topic in topics:
            if metadata_request_topic.unknown_tags:
                refuse_field("unknown_tags")
            name = not_null(metadata_request_topic.name).encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
    out.append(_write_t(m.allow_auto_topic_creation))


def _put_metadata_request_v8(out: Parts, m: MetadataRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = -1 if topics is None else len(topics)
    out.append(_write_i(n))
    if topics is not None:
        for metadata_request_topic in topics:
            if metadata_request_topic.unknown_tags:
                refuse_field("unknown_tags")
            name = not_null(metadata_request_topic.name).encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
    out.append(_write_3t(
        m.allow_auto_topic_creation, m.include_cluster_authorized_operations,
        m.include_topic_authorized_operations,
    ))


def _put_metadata_request_v9(out: Parts, m: MetadataRequest) -> None:
    topics = m.topics
    n = 0 if topics is None else len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topics is not None:
        for metadata_request_topic in topics:
            name = not_null(metadata_request_topic.name).encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            out.append(b"\0")
            if metadata_request_topic.unknown_tags:
                put_tags(out, [], metadata_request_topic.unknown_tags)
    out.append(_write_3tx(
        m.allow_auto_topic_creation, m.include_cluster_authorized_operations,
        m.include_topic_authorized_operations,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_metadata_request_v10(out: Parts, m: MetadataRequest) -> None:
    topics = m.topics
    n = 0 if topics is None else len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topics is not None:
        for metadata_request_topic in topics:
            if len(metadata_request_topic.topic_id) != 16:
                refuse_uuid("topic_id")
            name = (
                b"" if metadata_request_topic.name is None else metadata_request_topic.name.encode()
            )
            n = 0 if metadata_request_topic.name is None else len(name) + 1
            out.append(_write_16sB(metadata_request_topic.topic_id, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(name)
            out.append(b"\0")
            if metadata_request_topic.unknown_tags:
                put_tags(out, [], metadata_request_topic.unknown_tags)
    out.append(_write_3tx(
        m.allow_auto_topic_creation, m.include_cluster_authorized_operations,
        m.include_topic_authorized_operations,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_metadata_request_v11(out: Parts, m: MetadataRequest) -> None:
    if m.include_cluster_authorized_operations:
        refuse_field("include_cluster_authorized_operations")
    topics = m.topics
    n = 0 if topics is None else len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topics is not None:
        for metadata_request_topic in topics:
            if len(metadata_request_topic.topic_id) != 16:
                refuse_uuid("topic_id")
            name = (
                b"" if metadata_request_topic.name is None else metadata_request_topic.name.encode()
            )
            n = 0 if metadata_request_topic.name is None else len(name) + 1
            out.append(_write_16sB(metadata_request_topic.topic_id, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(name)
            out.append(b"\0")
            if metadata_request_topic.unknown_tags:
                put_tags(out, [], metadata_request_topic.unknown_tags)
    out.append(_write_2tx(m.allow_auto_topic_creation, m.include_topic_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_metadata_request_v0, 1: _get_metadata_request_v1, 2: _get_metadata_request_v1,
    3: _get_metadata_request_v1, 4: _get_metadata_request_v4, 5: _get_metadata_request_v4,
    6: _get_metadata_request_v4, 7: _get_metadata_request_v4, 8: _get_metadata_request_v8,
    9: _get_metadata_request_v9, 10: _get_metadata_request_v10, 11: _get_metadata_request_v11,
    12: _get_metadata_request_v11, 13: _get_metadata_request_v11,
}
_PUT = {
    0: _put_metadata_request_v0, 1: _put_metadata_request_v1, 2: _put_metadata_request_v1,
    3: _put_metadata_request_v1, 4: _put_metadata_request_v4, 5: _put_metadata_request_v4,
    6: _put_metadata_request_v4, 7: _put_metadata_request_v4, 8: _put_metadata_request_v8,
    9: _put_metadata_request_v9, 10: _put_metadata_request_v10, 11: _put_metadata_request_v11,
    12: _put_metadata_request_v11, 13: _put_metadata_request_v11,
}


def decode(buf: Buffer, version: int, at: int = 0) -> MetadataRequest:
    """The MetadataRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[MetadataRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: MetadataRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: MetadataRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_METADATA_REQUEST_TOPIC_SHAPE: Shape = (
    MetadataRequestTopic,
    (
        ("topicId", "topic_id", "uuid", (10, 13), None, None, None, ZERO_UUID, True, (9, 13), None),
        ("name", "name", "string", (0, 13), (10, 13), None, None, "", False, (9, 13), None),
    ),
)
_METADATA_REQUEST_SHAPE: Shape = (
    MetadataRequest,
    (
        (
            "topics", "topics", "[]MetadataRequestTopic", (0, 13), (1, 13), None, None, (), False,
            (9, 13), _METADATA_REQUEST_TOPIC_SHAPE,
        ),
        (
            "allowAutoTopicCreation", "allow_auto_topic_creation", "bool", (4, 13), None, None,
            None, True, False, (9, 13), None,
        ),
        (
            "includeClusterAuthorizedOperations", "include_cluster_authorized_operations", "bool",
            (8, 10), None, None, None, False, False, (9, 13), None,
        ),
        (
            "includeTopicAuthorizedOperations", "include_topic_authorized_operations", "bool",
            (8, 13), None, None, None, False, False, (9, 13), None,
        ),
    ),
)
SHAPE: Shape = (_METADATA_REQUEST_SHAPE, (0, 13), (9, 13))
