# GENERATED from schemas/delete_topics_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 ffae894c144efca7, generator 1.
"""Says for each topic whether it is on its way out. Api key 20, versions 0-6, flexible from 4."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_text,
    long_text_head, not_null, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 20
NAME: Final = "DeleteTopicsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 4


class DeletableTopicResult(Message):
    """One result a topic."""

    __slots__ = ("name", "topic_id", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Name of the topic; null when it was not found by its id.
        name: str | None = "",
        # Id of the topic. (v6+)
        topic_id: bytes = ZERO_UUID,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say. (v5+)
        error_message: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class DeleteTopicsResponse(Message):
    """Says for each topic whether it is on its way out."""

    __slots__ = ("throttle_time_ms", "responses", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # One result a topic.
        responses: Sequence[DeletableTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses: Sequence[DeletableTopicResult] = [] if responses == () else responses
        self.unknown_tags = unknown_tags


_read_16shB = Struct(">16shB").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16shB = Struct(">16shB").pack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_hx = Struct(">hx").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack


def _get_delete_topics_response_v0(buf: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    m = new(DeleteTopicsResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    responses: list[DeletableTopicResult] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        deletable_topic_result = new(DeletableTopicResult)
        responses.append(deletable_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        deletable_topic_result.name = buf[at:end].decode()
        at = end
        (deletable_topic_result.error_code,) = _read_h(buf, at)
        at += 2
        deletable_topic_result.topic_id = ZERO_UUID
        deletable_topic_result.error_message = None
        deletable_topic_result.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_topics_response_v1(buf: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    m = new(DeleteTopicsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 4)
    responses: list[DeletableTopicResult] = []
    m.responses = responses
    left_responses = n
    while left_responses:
        left_responses -= 1
        deletable_topic_result = new(DeletableTopicResult)
        responses.append(deletable_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        deletable_topic_result.name = buf[at:end].decode()
        at = end
        (deletable_topic_result.error_code,) = _read_h(buf, at)
        at += 2
        deletable_topic_result.topic_id = ZERO_UUID
        deletable_topic_result.error_message = None
        deletable_topic_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_topics_response_v4(buf: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    m = new(DeleteTopicsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 4)
    responses: list[DeletableTopicResult] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        deletable_topic_result = new(DeletableTopicResult)
        responses.append(deletable_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        deletable_topic_result.name = buf[at:end].decode()
        at = end
        (deletable_topic_result.error_code, tags) = _read_hB(buf, at)
        at += 3
        deletable_topic_result.topic_id = ZERO_UUID
        deletable_topic_result.error_message = None
        deletable_topic_result.unknown_tags = ()
        if tags:
            deletable_topic_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_delete_topics_response_v5(buf: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    m = new(DeleteTopicsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    responses: list[DeletableTopicResult] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        deletable_topic_result = new(DeletableTopicResult)
        responses.append(deletable_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        deletable_topic_result.name = buf[at:end].decode()
        at = end
        (deletable_topic_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            deletable_topic_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            deletable_topic_result.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        deletable_topic_result.topic_id = ZERO_UUID
        deletable_topic_result.unknown_tags = ()
        if tags:
            deletable_topic_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_delete_topics_response_v6(buf: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    m = new(DeleteTopicsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 21)
    responses: list[DeletableTopicResult] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        deletable_topic_result = new(DeletableTopicResult)
        responses.append(deletable_topic_result)
        n = buf[at]
        at += 1
        if n == 0:
            deletable_topic_result.name = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            deletable_topic_result.name = buf[at:end].decode()
            at = end
        (
            deletable_topic_result.topic_id, deletable_topic_result.error_code, n,
        ) = _read_16shB(buf, at)
        at += 19
        if n == 0:
            deletable_topic_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            deletable_topic_result.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        deletable_topic_result.unknown_tags = ()
        if tags:
            deletable_topic_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_topics_response_v0(out: Parts, m: DeleteTopicsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_i(n))
    for deletable_topic_result in responses:
        if deletable_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(deletable_topic_result.name).encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        out.append(_write_h(deletable_topic_result.error_code))


def _put_delete_topics_response_v1(out: Parts, m: DeleteTopicsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    responses = m.responses
    n = len(responses)
    out.append(_write_2i(m.throttle_time_ms, n))
    for deletable_topic_result in responses:
        if deletable_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        name = not_null(deletable_topic_result.name).encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        out.append(_write_h(deletable_topic_result.error_code))


def _put_delete_topics_response_v4(out: Parts, m: DeleteTopicsResponse) -> None:
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for deletable_topic_result in responses:
        name = not_null(deletable_topic_result.name).encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        out.append(_write_hx(deletable_topic_result.error_code))
        if deletable_topic_result.unknown_tags:
            put_tags(out, [], deletable_topic_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_delete_topics_response_v5(out: Parts, m: DeleteTopicsResponse) -> None:
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for deletable_topic_result in responses:
        name = not_null(deletable_topic_result.name).encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        error_message = (
            b"" if deletable_topic_result.error_message is None else
            deletable_topic_result.error_message.encode()
        )
        n = 0 if deletable_topic_result.error_message is None else len(error_message) + 1
        out.append(_write_hB(deletable_topic_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        out.append(b"\0")
        if deletable_topic_result.unknown_tags:
            put_tags(out, [], deletable_topic_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_delete_topics_response_v6(out: Parts, m: DeleteTopicsResponse) -> None:
    responses = m.responses
    n = len(responses) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for deletable_topic_result in responses:
        name = b"" if deletable_topic_result.name is None else deletable_topic_result.name.encode()
        n = 0 if deletable_topic_result.name is None else len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        if len(deletable_topic_result.topic_id) != 16:
            refuse_uuid("topic_id")
        error_message = (
            b"" if deletable_topic_result.error_message is None else
            deletable_topic_result.error_message.encode()
        )
        n = 0 if deletable_topic_result.error_message is None else len(error_message) + 1
        out.append(_write_16shB(
            deletable_topic_result.topic_id, deletable_topic_result.error_code, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        out.append(b"\0")
        if deletable_topic_result.unknown_tags:
            put_tags(out, [], deletable_topic_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_delete_topics_response_v0, 1: _get_delete_topics_response_v1,
    2: _get_delete_topics_response_v1, 3: _get_delete_topics_response_v1,
    4: _get_delete_topics_response_v4, 5: _get_delete_topics_response_v5,
    6: _get_delete_topics_response_v6,
}
_PUT = {
    0: _put_delete_topics_response_v0, 1: _put_delete_topics_response_v1,
    2: _put_delete_topics_response_v1, 3: _put_delete_topics_response_v1,
    4: _put_delete_topics_response_v4, 5: _put_delete_topics_response_v5,
    6: _put_delete_topics_response_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteTopicsResponse:
    """The DeleteTopicsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteTopicsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteTopicsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteTopicsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETABLE_TOPIC_RESULT_SHAPE: Shape = (
    DeletableTopicResult,
    (
        ("name", "name", "string", (0, 6), (6, 6), None, None, "", False, (4, 6), None),
        ("topicId", "topic_id", "uuid", (6, 6), None, None, None, ZERO_UUID, True, (4, 6), None),
        ("errorCode", "error_code", "int16", (0, 6), None, None, None, 0, False, (4, 6), None),
        (
            "errorMessage", "error_message", "string", (5, 6), (5, 6), None, None, None, True,
            (4, 6), None,
        ),
    ),
)
_DELETE_TOPICS_RESPONSE_SHAPE: Shape = (
    DeleteTopicsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 6), None, None, None, 0, True,
            (4, 6), None,
        ),
        (
            "responses", "responses", "[]DeletableTopicResult", (0, 6), None, None, None, (), False,
            (4, 6), _DELETABLE_TOPIC_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DELETE_TOPICS_RESPONSE_SHAPE, (0, 6), (4, 6))
