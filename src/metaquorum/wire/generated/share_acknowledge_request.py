# GENERATED from schemas/share_acknowledge_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4b03327a108cbd63, generator 1.
"""A member of a share group says what became of records it was given (KIP-932). Api key 79,
versions 0-2, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags, refuse_field,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 79
NAME: Final = "ShareAcknowledgeRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class AcknowledgementBatch(Message):
    """Ranges of offsets with what became of them."""

    __slots__ = ("first_offset", "last_offset", "acknowledge_types", "unknown_tags")

    def __init__(
        self,
        # First offset of the range.
        first_offset: int = 0,
        # Last offset of the range.
        last_offset: int = 0,
        # For each offset, or once for all: 0 gap, 1 accept, 2 release, 3 reject, 4 renew.
        acknowledge_types: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.acknowledge_types: Sequence[int] = [] if acknowledge_types == () else acknowledge_types
        self.unknown_tags = unknown_tags


class AcknowledgePartition(Message):
    """One row a partition."""

    __slots__ = ("partition_index", "acknowledgement_batches", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Ranges of offsets with what became of them.
        acknowledgement_batches: Sequence[AcknowledgementBatch] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.acknowledgement_batches: Sequence[AcknowledgementBatch] = (
            [] if acknowledgement_batches == () else acknowledgement_batches
        )
        self.unknown_tags = unknown_tags


class AcknowledgeTopic(Message):
    """One row a topic."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partitions: Sequence[AcknowledgePartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[AcknowledgePartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ShareAcknowledgeRequest(Message):
    """A member of a share group says what became of records it was given (KIP-932)."""

    __slots__ = (
        "group_id", "member_id", "share_session_epoch", "is_renew_ack", "topics", "unknown_tags",
    )

    def __init__(
        self,
        # Group; null when it is not said.
        group_id: str | None = None,
        # Id of the member; null when it is not said.
        member_id: str | None = "",
        # Epoch of the share session; 0 opens one, -1 closes it.
        share_session_epoch: int = 0,
        # True when some acknowledgements ask for more time. (v2+)
        is_renew_ack: bool = False,
        # One row a topic.
        topics: Sequence[AcknowledgeTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.share_session_epoch = share_session_epoch
        self.is_renew_ack = is_renew_ack
        self.topics: Sequence[AcknowledgeTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_cb_B = ArrayReads("b", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2qB = Struct(">2qB").unpack_from
_read_itB = Struct(">i?B").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_itB = Struct(">i?B").pack
_write_iB = Struct(">iB").pack
_write_2qB_many_b_x = ArrayWrites("qqB *b x")


def _get_share_acknowledge_request_v0(buf: bytes, at: int) -> tuple[ShareAcknowledgeRequest, int]:
    m = new(ShareAcknowledgeRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.group_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.member_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.member_id = buf[at:end].decode()
        at = end
    (m.share_session_epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[AcknowledgeTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        acknowledge_topic = new(AcknowledgeTopic)
        topics.append(acknowledge_topic)
        (acknowledge_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        partitions: list[AcknowledgePartition] = []
        acknowledge_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            acknowledge_partition = new(AcknowledgePartition)
            partitions.append(acknowledge_partition)
            (acknowledge_partition.partition_index, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 18)
            acknowledgement_batches: list[AcknowledgementBatch] = []
            acknowledge_partition.acknowledgement_batches = acknowledgement_batches
            left_acknowledgement_batches = n - 1
            while left_acknowledgement_batches:
                left_acknowledgement_batches -= 1
                acknowledgement_batch = new(AcknowledgementBatch)
                acknowledgement_batches.append(acknowledgement_batch)
                (
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types,
                ) = _read_2qB(buf, at)
                at += 17
                if n_acknowledge_types > 127:
                    n_acknowledge_types, at = long_count(buf, at, 1)
                (
                    *acknowledgement_batch.acknowledge_types, tags,
                ) = _read_array_cb_B[n_acknowledge_types](buf, at)
                at += n_acknowledge_types
                acknowledgement_batch.unknown_tags = ()
                if tags:
                    acknowledgement_batch.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            acknowledge_partition.unknown_tags = ()
            if tags:
                acknowledge_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        acknowledge_topic.unknown_tags = ()
        if tags:
            acknowledge_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_renew_ack = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_share_acknowledge_request_v2(buf: bytes, at: int) -> tuple[ShareAcknowledgeRequest, int]:
    m = new(ShareAcknowledgeRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.group_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.member_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.member_id = buf[at:end].decode()
        at = end
    (m.share_session_epoch, m.is_renew_ack, n) = _read_itB(buf, at)
    at += 6
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[AcknowledgeTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        acknowledge_topic = new(AcknowledgeTopic)
        topics.append(acknowledge_topic)
        (acknowledge_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        partitions: list[AcknowledgePartition] = []
        acknowledge_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            acknowledge_partition = new(AcknowledgePartition)
            partitions.append(acknowledge_partition)
            (acknowledge_partition.partition_index, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 18)
            acknowledgement_batches: list[AcknowledgementBatch] = []
            acknowledge_partition.acknowledgement_batches = acknowledgement_batches
            left_acknowledgement_batches = n - 1
            while left_acknowledgement_batches:
                left_acknowledgement_batches -= 1
                acknowledgement_batch = new(AcknowledgementBatch)
                acknowledgement_batches.append(acknowledgement_batch)
                (
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types,
                ) = _read_2qB(buf, at)
                at += 17
                if n_acknowledge_types > 127:
                    n_acknowledge_types, at = long_count(buf, at, 1)
                (
                    *acknowledgement_batch.acknowledge_types, tags,
                ) = _read_array_cb_B[n_acknowledge_types](buf, at)
                at += n_acknowledge_types
                acknowledgement_batch.unknown_tags = ()
                if tags:
                    acknowledgement_batch.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            acknowledge_partition.unknown_tags = ()
            if tags:
                acknowledge_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        acknowledge_topic.unknown_tags = ()
        if tags:
            acknowledge_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_share_acknowledge_request_v0(out: Parts, m: ShareAcknowledgeRequest) -> None:
    if m.is_renew_ack:
        refuse_field("is_renew_ack")
    group_id = b"" if m.group_id is None else m.group_id.encode()
    n = 0 if m.group_id is None else len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = b"" if m.member_id is None else m.member_id.encode()
    n = 0 if m.member_id is None else len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.share_session_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for acknowledge_topic in topics:
        if len(acknowledge_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = acknowledge_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(acknowledge_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for acknowledge_partition in partitions:
            acknowledgement_batches = acknowledge_partition.acknowledgement_batches
            n = len(acknowledgement_batches) + 1
            out.append(_write_iB(acknowledge_partition.partition_index, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for acknowledgement_batch in acknowledgement_batches:
                acknowledge_types = acknowledgement_batch.acknowledge_types
                n_acknowledge_types = len(acknowledge_types)
                write = _write_2qB_many_b_x[n_acknowledge_types]
                out.append(write(
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types + 1, *acknowledge_types,
                ))
                if acknowledgement_batch.unknown_tags:
                    put_tags(out, [], acknowledgement_batch.unknown_tags)
            out.append(b"\0")
            if acknowledge_partition.unknown_tags:
                put_tags(out, [], acknowledge_partition.unknown_tags)
        out.append(b"\0")
        if acknowledge_topic.unknown_tags:
            put_tags(out, [], acknowledge_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_share_acknowledge_request_v2(out: Parts, m: ShareAcknowledgeRequest) -> None:
    group_id = b"" if m.group_id is None else m.group_id.encode()
    n = 0 if m.group_id is None else len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = b"" if m.member_id is None else m.member_id.encode()
    n = 0 if m.member_id is None else len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_itB(m.share_session_epoch, m.is_renew_ack, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for acknowledge_topic in topics:
        if len(acknowledge_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = acknowledge_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(acknowledge_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for acknowledge_partition in partitions:
            acknowledgement_batches = acknowledge_partition.acknowledgement_batches
            n = len(acknowledgement_batches) + 1
            out.append(_write_iB(acknowledge_partition.partition_index, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for acknowledgement_batch in acknowledgement_batches:
                acknowledge_types = acknowledgement_batch.acknowledge_types
                n_acknowledge_types = len(acknowledge_types)
                write = _write_2qB_many_b_x[n_acknowledge_types]
                out.append(write(
                    acknowledgement_batch.first_offset, acknowledgement_batch.last_offset,
                    n_acknowledge_types + 1, *acknowledge_types,
                ))
                if acknowledgement_batch.unknown_tags:
                    put_tags(out, [], acknowledgement_batch.unknown_tags)
            out.append(b"\0")
            if acknowledge_partition.unknown_tags:
                put_tags(out, [], acknowledge_partition.unknown_tags)
        out.append(b"\0")
        if acknowledge_topic.unknown_tags:
            put_tags(out, [], acknowledge_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_share_acknowledge_request_v0, 1: _get_share_acknowledge_request_v0,
    2: _get_share_acknowledge_request_v2,
}
_PUT = {
    0: _put_share_acknowledge_request_v0, 1: _put_share_acknowledge_request_v0,
    2: _put_share_acknowledge_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareAcknowledgeRequest:
    """The ShareAcknowledgeRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareAcknowledgeRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareAcknowledgeRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareAcknowledgeRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ACKNOWLEDGEMENT_BATCH_SHAPE: Shape = (
    AcknowledgementBatch,
    (
        ("firstOffset", "first_offset", "int64", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("lastOffset", "last_offset", "int64", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "acknowledgeTypes", "acknowledge_types", "[]int8", (0, 2), None, None, None, (), False,
            (0, 2), None,
        ),
    ),
)
_ACKNOWLEDGE_PARTITION_SHAPE: Shape = (
    AcknowledgePartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        (
            "acknowledgementBatches", "acknowledgement_batches", "[]AcknowledgementBatch", (0, 2),
            None, None, None, (), False, (0, 2), _ACKNOWLEDGEMENT_BATCH_SHAPE,
        ),
    ),
)
_ACKNOWLEDGE_TOPIC_SHAPE: Shape = (
    AcknowledgeTopic,
    (
        ("topicId", "topic_id", "uuid", (0, 2), None, None, None, ZERO_UUID, False, (0, 2), None),
        (
            "partitions", "partitions", "[]AcknowledgePartition", (0, 2), None, None, None, (),
            False, (0, 2), _ACKNOWLEDGE_PARTITION_SHAPE,
        ),
    ),
)
_SHARE_ACKNOWLEDGE_REQUEST_SHAPE: Shape = (
    ShareAcknowledgeRequest,
    (
        ("groupId", "group_id", "string", (0, 2), (0, 2), None, None, None, False, (0, 2), None),
        ("memberId", "member_id", "string", (0, 2), (0, 2), None, None, "", False, (0, 2), None),
        (
            "shareSessionEpoch", "share_session_epoch", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        (
            "isRenewAck", "is_renew_ack", "bool", (2, 2), None, None, None, False, False, (0, 2),
            None,
        ),
        (
            "topics", "topics", "[]AcknowledgeTopic", (0, 2), None, None, None, (), False, (0, 2),
            _ACKNOWLEDGE_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_ACKNOWLEDGE_REQUEST_SHAPE, (0, 2), (0, 2))
