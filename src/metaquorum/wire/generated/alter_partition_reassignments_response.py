# GENERATED from schemas/alter_partition_reassignments_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b063b9e615c4273e, generator 1.
"""Says for each partition whether its move was taken on. Api key 45, versions 0-1, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, long_text_head, put_tags,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 45
NAME: Final = "AlterPartitionReassignmentsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class ReassignablePartitionResponse(Message):
    """One result a partition."""

    __slots__ = ("partition_index", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class ReassignableTopicResponse(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[ReassignablePartitionResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[ReassignablePartitionResponse] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class AlterPartitionReassignmentsResponse(Message):
    """Says for each partition whether its move was taken on."""

    __slots__ = (
        "throttle_time_ms", "allow_replication_factor_change", "error_code", "error_message",
        "responses", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # The same as in the request. (v1+)
        allow_replication_factor_change: bool = True,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # One result a topic.
        responses: Sequence[ReassignableTopicResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.error_code = error_code
        self.error_message = error_message
        self.responses: Sequence[ReassignableTopicResponse] = [] if responses == () else responses
        self.unknown_tags = unknown_tags


_read_ithB = Struct(">i?hB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_ithB = Struct(">i?hB").pack
_write_ihB = Struct(">ihB").pack


def _get_alter_partition_reassignments_response_v0(
    buf: bytes, at: int,
) -> tuple[AlterPartitionReassignmentsResponse, int]:
    m = new(AlterPartitionReassignmentsResponse)
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
        n, at = long_count(buf, at, 3)
    responses: list[ReassignableTopicResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_response = new(ReassignableTopicResponse)
        responses.append(topic_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_response.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 8)
        partitions: list[ReassignablePartitionResponse] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_response = new(ReassignablePartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code, n,
            ) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_response.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_response.error_message = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            partition_response.unknown_tags = ()
            if tags:
                partition_response.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.allow_replication_factor_change = True
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_alter_partition_reassignments_response_v1(
    buf: bytes, at: int,
) -> tuple[AlterPartitionReassignmentsResponse, int]:
    m = new(AlterPartitionReassignmentsResponse)
    (m.throttle_time_ms, m.allow_replication_factor_change, m.error_code, n) = _read_ithB(buf, at)
    at += 8
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
        n, at = long_count(buf, at, 3)
    responses: list[ReassignableTopicResponse] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        topic_response = new(ReassignableTopicResponse)
        responses.append(topic_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_response.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 8)
        partitions: list[ReassignablePartitionResponse] = []
        topic_response.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            partition_response = new(ReassignablePartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code, n,
            ) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_response.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_response.error_message = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            partition_response.unknown_tags = ()
            if tags:
                partition_response.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_response.unknown_tags = ()
        if tags:
            topic_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_partition_reassignments_response_v0(
    out: Parts, m: AlterPartitionReassignmentsResponse,
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
    for topic_response in responses:
        name = topic_response.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_response in partitions:
            error_message_ = (
                b"" if partition_response.error_message is None else
                partition_response.error_message.encode()
            )
            n = 0 if partition_response.error_message is None else len(error_message_) + 1
            out.append(_write_ihB(
                partition_response.partition_index, partition_response.error_code,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message_)
            out.append(b"\0")
            if partition_response.unknown_tags:
                put_tags(out, [], partition_response.unknown_tags)
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_alter_partition_reassignments_response_v1(
    out: Parts, m: AlterPartitionReassignmentsResponse,
) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ithB(
        m.throttle_time_ms, m.allow_replication_factor_change, m.error_code, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    responses = m.responses
    n = len(responses) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_response in responses:
        name = topic_response.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = topic_response.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_response in partitions:
            error_message_ = (
                b"" if partition_response.error_message is None else
                partition_response.error_message.encode()
            )
            n = 0 if partition_response.error_message is None else len(error_message_) + 1
            out.append(_write_ihB(
                partition_response.partition_index, partition_response.error_code,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message_)
            out.append(b"\0")
            if partition_response.unknown_tags:
                put_tags(out, [], partition_response.unknown_tags)
        out.append(b"\0")
        if topic_response.unknown_tags:
            put_tags(out, [], topic_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_alter_partition_reassignments_response_v0,
    1: _get_alter_partition_reassignments_response_v1,
}
_PUT = {
    0: _put_alter_partition_reassignments_response_v0,
    1: _put_alter_partition_reassignments_response_v1,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterPartitionReassignmentsResponse:
    """The AlterPartitionReassignmentsResponse that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterPartitionReassignmentsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterPartitionReassignmentsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterPartitionReassignmentsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REASSIGNABLE_PARTITION_RESPONSE_SHAPE: Shape = (
    ReassignablePartitionResponse,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, "", False,
            (0, 1), None,
        ),
    ),
)
_REASSIGNABLE_TOPIC_RESPONSE_SHAPE: Shape = (
    ReassignableTopicResponse,
    (
        ("name", "name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "partitions", "partitions", "[]ReassignablePartitionResponse", (0, 1), None, None, None,
            (), False, (0, 1), _REASSIGNABLE_PARTITION_RESPONSE_SHAPE,
        ),
    ),
)
_ALTER_PARTITION_REASSIGNMENTS_RESPONSE_SHAPE: Shape = (
    AlterPartitionReassignmentsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        (
            "allowReplicationFactorChange", "allow_replication_factor_change", "bool", (1, 1), None,
            None, None, True, True, (0, 1), None,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, "", False,
            (0, 1), None,
        ),
        (
            "responses", "responses", "[]ReassignableTopicResponse", (0, 1), None, None, None, (),
            False, (0, 1), _REASSIGNABLE_TOPIC_RESPONSE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_PARTITION_REASSIGNMENTS_RESPONSE_SHAPE, (0, 1), (0, 1))
