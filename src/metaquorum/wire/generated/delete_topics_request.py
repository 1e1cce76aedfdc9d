# GENERATED from schemas/delete_topics_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 43b27058f5a30c00, generator 1.
"""Deletes topics by name or id. Api key 20, versions 0-6, flexible from 4."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_compact_texts, get_tags, get_texts, joined, long_count, long_head,
    long_text, long_text_head, put_compact_texts, put_tags, put_texts, refuse_field, refuse_uuid,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 20
NAME: Final = "DeleteTopicsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 4


class DeleteTopicState(Message):
    """One row a topic."""

    __slots__ = ("name", "topic_id", "unknown_tags")

    def __init__(
        self,
        # Name of the topic; null to go by id. (v6+)
        name: str | None = None,
        # Id of the topic. (v6+)
        topic_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.unknown_tags = unknown_tags


class DeleteTopicsRequest(Message):
    """Deletes topics by name or id."""

    __slots__ = ("topics", "topic_names", "timeout_ms", "unknown_tags")

    def __init__(
        self,
        # One row a topic. (v6+)
        topics: Sequence[DeleteTopicState] = (),
        # Topics to delete, by name. (v0-5)
        topic_names: Sequence[str] = (),
        # Milliseconds the server may take.
        timeout_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[DeleteTopicState] = [] if topics == () else topics
        self.topic_names: Sequence[str] = [] if topic_names == () else topic_names
        self.timeout_ms = timeout_ms
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16sx = Struct(">16sx").pack
_write_i = Struct(">i").pack
_write_ix = Struct(">ix").pack


def _get_delete_topics_request_v0(buf: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    m = new(DeleteTopicsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 2)
    m.topic_names, at = get_texts(buf, at, n)
    (m.timeout_ms,) = _read_i(buf, at)
    at += 4
    m.topics = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_topics_request_v4(buf: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    m = new(DeleteTopicsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.topic_names, at = get_compact_texts(buf, at, n - 1)
    (m.timeout_ms, tags) = _read_iB(buf, at)
    at += 5
    m.topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_delete_topics_request_v6(buf: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    m = new(DeleteTopicsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[DeleteTopicState] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        delete_topic_state = new(DeleteTopicState)
        topics.append(delete_topic_state)
        n = buf[at]
        at += 1
        if n == 0:
            delete_topic_state.name = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            delete_topic_state.name = buf[at:end].decode()
            at = end
        (delete_topic_state.topic_id, tags) = _read_16sB(buf, at)
        at += 17
        delete_topic_state.unknown_tags = ()
        if tags:
            delete_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    (m.timeout_ms, tags) = _read_iB(buf, at)
    at += 5
    m.topic_names = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_topics_request_v0(out: Parts, m: DeleteTopicsRequest) -> None:
    if m.topics:
        refuse_field("topics")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topic_names = m.topic_names
    n = len(topic_names)
    out.append(_write_i(n))
    put_texts(out, topic_names)
    out.append(_write_i(m.timeout_ms))


def _put_delete_topics_request_v4(out: Parts, m: DeleteTopicsRequest) -> None:
    if m.topics:
        refuse_field("topics")
    topic_names = m.topic_names
    n = len(topic_names) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, topic_names)
    out.append(_write_ix(m.timeout_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_delete_topics_request_v6(out: Parts, m: DeleteTopicsRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for delete_topic_state in topics:
        name = b"" if delete_topic_state.name is None else delete_topic_state.name.encode()
        n = 0 if delete_topic_state.name is None else len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        if len(delete_topic_state.topic_id) != 16:
            refuse_uuid("topic_id")
        out.append(_write_16sx(delete_topic_state.topic_id))
        if delete_topic_state.unknown_tags:
            put_tags(out, [], delete_topic_state.unknown_tags)
    out.append(_write_ix(m.timeout_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_delete_topics_request_v0, 1: _get_delete_topics_request_v0,
    2: _get_delete_topics_request_v0, 3: _get_delete_topics_request_v0,
    4: _get_delete_topics_request_v4, 5: _get_delete_topics_request_v4,
    6: _get_delete_topics_request_v6,
}
_PUT = {
    0: _put_delete_topics_request_v0, 1: _put_delete_topics_request_v0,
    2: _put_delete_topics_request_v0, 3: _put_delete_topics_request_v0,
    4: _put_delete_topics_request_v4, 5: _put_delete_topics_request_v4,
    6: _put_delete_topics_request_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteTopicsRequest:
    """The DeleteTopicsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteTopicsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteTopicsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteTopicsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_TOPIC_STATE_SHAPE: Shape = (
    DeleteTopicState,
    (
        ("name", "name", "string", (6, 6), (6, 6), None, None, None, False, (4, 6), None),
        ("topicId", "topic_id", "uuid", (6, 6), None, None, None, ZERO_UUID, False, (4, 6), None),
    ),
)
_DELETE_TOPICS_REQUEST_SHAPE: Shape = (
    DeleteTopicsRequest,
    (
        (
            "topics", "topics", "[]DeleteTopicState", (6, 6), None, None, None, (), False, (4, 6),
            _DELETE_TOPIC_STATE_SHAPE,
        ),
        ("topicNames", "topic_names", "[]string", (0, 5), None, None, None, (), True, (4, 6), None),
        ("timeoutMs", "timeout_ms", "int32", (0, 6), None, None, None, 0, False, (4, 6), None),
    ),
)
SHAPE: Shape = (_DELETE_TOPICS_REQUEST_SHAPE, (0, 6), (4, 6))
