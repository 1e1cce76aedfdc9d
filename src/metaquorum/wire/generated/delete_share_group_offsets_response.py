# GENERATED from schemas/delete_share_group_offsets_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 27b78a3d8430031f, generator 1.
"""Says for each topic whether the group forgot its place. Api key 92, versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 92
NAME: Final = "DeleteShareGroupOffsetsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class DeleteShareGroupOffsetsResponseTopic(Message):
    """One result a topic."""

    __slots__ = ("topic_name", "topic_id", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class DeleteShareGroupOffsetsResponse(Message):
    """Says for each topic whether the group forgot its place."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "responses", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # One result a topic.
        responses: Sequence[DeleteShareGroupOffsetsResponseTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.responses: Sequence[DeleteShareGroupOffsetsResponseTopic] = (
            [] if responses == () else responses
        )
        self.unknown_tags = unknown_tags


_read_16shB = Struct(">16shB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_16shB = Struct(">16shB").pack
_write_ihB = Struct(">ihB").pack


def _get_delete_share_group_offsets_response_v0(
    buf: bytes, at: int,
) -> tuple[DeleteShareGroupOffsetsResponse, int]:
    m = new(DeleteShareGroupOffsetsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 21)
    responses: list[DeleteShareGroupOffsetsResponseTopic] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        offsets_response_topic = new(DeleteShareGroupOffsetsResponseTopic)
        responses.append(offsets_response_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_response_topic.topic_name = buf[at:end].decode()
        at = end
        (
            offsets_response_topic.topic_id, offsets_response_topic.error_code, n,
        ) = _read_16shB(buf, at)
        at += 19
        if n == 0:
            offsets_response_topic.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            offsets_response_topic.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        offsets_response_topic.unknown_tags = ()
        if tags:
            offsets_response_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_share_group_offsets_response_v0(
    out: Parts, m: DeleteShareGroupOffsetsResponse,
) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    responses = m.responses
    n = len(responses) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for offsets_response_topic in responses:
        topic_name = offsets_response_topic.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        if len(offsets_response_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        error_message_ = (
            b"" if offsets_response_topic.error_message is None else
            offsets_response_topic.error_message.encode()
        )
        n = 0 if offsets_response_topic.error_message is None else len(error_message_) + 1
        out.append(_write_16shB(
            offsets_response_topic.topic_id, offsets_response_topic.error_code, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message_)
        out.append(b"\0")
        if offsets_response_topic.unknown_tags:
            put_tags(out, [], offsets_response_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_delete_share_group_offsets_response_v0}
_PUT = {0: _put_delete_share_group_offsets_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteShareGroupOffsetsResponse:
    """The DeleteShareGroupOffsetsResponse that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteShareGroupOffsetsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteShareGroupOffsetsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteShareGroupOffsetsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_SHARE_GROUP_OFFSETS_RESPONSE_TOPIC_SHAPE: Shape = (
    DeleteShareGroupOffsetsResponseTopic,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
    ),
)
_DELETE_SHARE_GROUP_OFFSETS_RESPONSE_SHAPE: Shape = (
    DeleteShareGroupOffsetsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        (
            "responses", "responses", "[]DeleteShareGroupOffsetsResponseTopic", (0, 0), None, None,
            None, (), False, (0, 0), _DELETE_SHARE_GROUP_OFFSETS_RESPONSE_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DELETE_SHARE_GROUP_OFFSETS_RESPONSE_SHAPE, (0, 0), (0, 0))
