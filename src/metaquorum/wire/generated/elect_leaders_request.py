# GENERATED from schemas/elect_leaders_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 2308049024620edc, generator 1.
"""Asks for new leaders of partitions. Api key 43, versions 0-2, flexible from 2."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 43
NAME: Final = "ElectLeadersRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class TopicPartitions(Message):
    """Partitions by topic; null for all."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ElectLeadersRequest(Message):
    """Asks for new leaders of partitions."""

    __slots__ = ("election_type", "topic_partitions", "timeout_ms", "unknown_tags")

    def __init__(
        self,
        # 0 elects the preferred leader, 1 any live replica, at the risk of losing records. (v1+)
        election_type: int = 0,
        # Partitions by topic; null for all.
        topic_partitions: Sequence[TopicPartitions] | None = (),
        # Milliseconds the server may take.
        timeout_ms: int = 60000,
        unknown_tags: Tags = (),
    ) -> None:
        self.election_type = election_type
        self.topic_partitions: Sequence[TopicPartitions] | None = (
            [] if topic_partitions == () else topic_partitions
        )
        self.timeout_ms = timeout_ms
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_bB = Struct(">bB").unpack_from
_read_bi = Struct(">bi").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_bB = Struct(">bB").pack
_write_bi = Struct(">bi").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_ix = Struct(">ix").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_elect_leaders_request_v0(buf: bytes, at: int) -> tuple[ElectLeadersRequest, int]:
    m = new(ElectLeadersRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.topic_partitions = None
    else:
        if n > 127:
            check_count(buf, at, n, 6)
        topic_partitions: list[TopicPartitions] = []
        m.topic_partitions = topic_partitions
        left_topic_partitions = n
        while left_topic_partitions:
            left_topic_partitions -= 1
            topic_partitions_ = new(TopicPartitions)
            topic_partitions.append(topic_partitions_)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            topic_partitions_.topic = buf[at:end].decode()
            at = end
            (n_partitions,) = _read_i(buf, at)
            at += 4
            if not 0 <= n_partitions < 128:
                check_count(buf, at, n_partitions, 4)
            topic_partitions_.partitions = [*_read_array_ni[n_partitions](buf, at)]
            at += 4 * n_partitions
            topic_partitions_.unknown_tags = ()
    (m.timeout_ms,) = _read_i(buf, at)
    at += 4
    m.election_type = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_elect_leaders_request_v1(buf: bytes, at: int) -> tuple[ElectLeadersRequest, int]:
    m = new(ElectLeadersRequest)
    (m.election_type, n) = _read_bi(buf, at)
    at += 5
    if n < 0:
        m.topic_partitions = None
    else:
        if n > 127:
            check_count(buf, at, n, 6)
        topic_partitions: list[TopicPartitions] = []
        m.topic_partitions = topic_partitions
        left_topic_partitions = n
        while left_topic_partitions:
            left_topic_partitions -= 1
            topic_partitions_ = new(TopicPartitions)
            topic_partitions.append(topic_partitions_)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            topic_partitions_.topic = buf[at:end].decode()
            at = end
            (n_partitions,) = _read_i(buf, at)
            at += 4
            if not 0 <= n_partitions < 128:
                check_count(buf, at, n_partitions, 4)
            topic_partitions_.partitions = [*_read_array_ni[n_partitions](buf, at)]
            at += 4 * n_partitions
            topic_partitions_.unknown_tags = ()
    (m.timeout_ms,) = _read_i(buf, at)
    at += 4
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_elect_leaders_request_v2(buf: bytes, at: int) -> tuple[ElectLeadersRequest, int]:
    m = new(ElectLeadersRequest)
    (m.election_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0:
        m.topic_partitions = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        topic_partitions: list[TopicPartitions] = []
        m.topic_partitions = topic_partitions
        left_topic_partitions = n - 1
        while left_topic_partitions:
            left_topic_partitions -= 1
            topic_partitions_ = new(TopicPartitions)
            topic_partitions.append(topic_partitions_)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            topic_partitions_.topic = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*topic_partitions_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            topic_partitions_.unknown_tags = ()
            if tags:
                topic_partitions_.unknown_tags, at = get_tags(buf, at - 1)
    (m.timeout_ms, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_elect_leaders_request_v0(out: Parts, m: ElectLeadersRequest) -> None:
    if m.election_type != 0:
        refuse_field("election_type")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topic_partitions = m.topic_partitions
    n = -1 if topic_partitions is None else len(topic_partitions)
    out.append(_write_i(n))
    if topic_partitions is not None:
        for topic_partitions_ in topic_partitions:
            if topic_partitions_.unknown_tags:
                refuse_field("unknown_tags")
            topic = topic_partitions_.topic.encode()
            n = len(topic)
            out.append(_write_h(n))
            out.append(topic)
            partitions = topic_partitions_.partitions
            n_partitions = len(partitions)
            write = _write_i_many_i[n_partitions]
            out.append(write(n_partitions, *partitions))
    out.append(_write_i(m.timeout_ms))


def _put_elect_leaders_request_v1(out: Parts, m: ElectLeadersRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topic_partitions = m.topic_partitions
    n = -1 if topic_partitions is None else len(topic_partitions)
    out.append(_write_bi(m.election_type, n))
    if topic_partitions is not None:
        for topic_partitions_ in topic_partitions:
            if topic_partitions_.unknown_tags:
                refuse_field("unknown_tags")
            topic = topic_partitions_.topic.encode()
            n = len(topic)
            out.append(_write_h(n))
            out.append(topic)
            partitions = topic_partitions_.partitions
            n_partitions = len(partitions)
            write = _write_i_many_i[n_partitions]
            out.append(write(n_partitions, *partitions))
    out.append(_write_i(m.timeout_ms))


def _put_elect_leaders_request_v2(out: Parts, m: ElectLeadersRequest) -> None:
    topic_partitions = m.topic_partitions
    n = 0 if topic_partitions is None else len(topic_partitions) + 1
    out.append(_write_bB(m.election_type, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    if topic_partitions is not None:
        for topic_partitions_ in topic_partitions:
            topic = topic_partitions_.topic.encode()
            n = len(topic) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(topic)
            partitions = topic_partitions_.partitions
            n_partitions = len(partitions)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions))
            if topic_partitions_.unknown_tags:
                put_tags(out, [], topic_partitions_.unknown_tags)
    out.append(_write_ix(m.timeout_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_elect_leaders_request_v0, 1: _get_elect_leaders_request_v1,
    2: _get_elect_leaders_request_v2,
}
_PUT = {
    0: _put_elect_leaders_request_v0, 1: _put_elect_leaders_request_v1,
    2: _put_elect_leaders_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ElectLeadersRequest:
    """The ElectLeadersRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ElectLeadersRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ElectLeadersRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ElectLeadersRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_PARTITIONS_SHAPE: Shape = (
    TopicPartitions,
    (
        ("topic", "topic", "string", (0, 2), None, None, None, "", False, (2, 2), None),
        ("partitions", "partitions", "[]int32", (0, 2), None, None, None, (), False, (2, 2), None),
    ),
)
_ELECT_LEADERS_REQUEST_SHAPE: Shape = (
    ElectLeadersRequest,
    (
        ("electionType", "election_type", "int8", (1, 2), None, None, None, 0, False, (2, 2), None),
        (
            "topicPartitions", "topic_partitions", "[]TopicPartitions", (0, 2), (0, 2), None, None,
            (), False, (2, 2), _TOPIC_PARTITIONS_SHAPE,
        ),
        ("timeoutMs", "timeout_ms", "int32", (0, 2), None, None, None, 60000, False, (2, 2), None),
    ),
)
SHAPE: Shape = (_ELECT_LEADERS_REQUEST_SHAPE, (0, 2), (2, 2))
