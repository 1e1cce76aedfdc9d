# GENERATED from schemas/delete_share_group_offsets_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c5a374d535835fb7, generator 1.
"""Makes a share group forget its place in topics. Api key 92, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 92
NAME: Final = "DeleteShareGroupOffsetsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class DeleteShareGroupOffsetsRequestTopic(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.unknown_tags = unknown_tags


class DeleteShareGroupOffsetsRequest(Message):
    """Makes a share group forget its place in topics."""

    __slots__ = ("group_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # One row a topic.
        topics: Sequence[DeleteShareGroupOffsetsRequestTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[DeleteShareGroupOffsetsRequestTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags




def _get_delete_share_group_offsets_request_v0(
    buf: bytes, at: int,
) -> tuple[DeleteShareGroupOffsetsRequest, int]:
    m = new(DeleteShareGroupOffsetsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 2)
    topics: list[DeleteShareGroupOffsetsRequestTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        offsets_request_topic = new(DeleteShareGroupOffsetsRequestTopic)
        topics.append(offsets_request_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_request_topic.topic_name = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        offsets_request_topic.unknown_tags = ()
        if tags:
            offsets_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_share_group_offsets_request_v0(
    out: Parts, m: DeleteShareGroupOffsetsRequest,
) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for offsets_request_topic in topics:
        topic_name = offsets_request_topic.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        out.append(b"\0")
        if offsets_request_topic.unknown_tags:
            put_tags(out, [], offsets_request_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_delete_share_group_offsets_request_v0}
_PUT = {0: _put_delete_share_group_offsets_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteShareGroupOffsetsRequest:
    """The DeleteShareGroupOffsetsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteShareGroupOffsetsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteShareGroupOffsetsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteShareGroupOffsetsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_SHARE_GROUP_OFFSETS_REQUEST_TOPIC_SHAPE: Shape = (
    DeleteShareGroupOffsetsRequestTopic,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
_DELETE_SHARE_GROUP_OFFSETS_REQUEST_SHAPE: Shape = (
    DeleteShareGroupOffsetsRequest,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "topics", "topics", "[]DeleteShareGroupOffsetsRequestTopic", (0, 0), None, None, None,
            (), False, (0, 0), _DELETE_SHARE_GROUP_OFFSETS_REQUEST_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DELETE_SHARE_GROUP_OFFSETS_REQUEST_SHAPE, (0, 0), (0, 0))
