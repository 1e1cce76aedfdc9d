# GENERATED from schemas/elect_leaders_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5df8749684bd4703, generator 1.
"""Says for each partition whether it has a new leader. Api key 43, versions 0-2, flexible from 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 43
NAME: Final = "ElectLeadersResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class PartitionResult(Message):
    """One result a partition."""

    __slots__ = ("partition_id", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_id: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_id = partition_id
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class ReplicaElectionResult(Message):
    """One result a topic."""

    __slots__ = ("topic", "partition_result", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # One result a partition.
        partition_result: Sequence[PartitionResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partition_result: Sequence[PartitionResult] = (
            [] if partition_result == () else partition_result
        )
        self.unknown_tags = unknown_tags


class ElectLeadersResponse(Message):
    """Says for each partition whether it has a new leader."""

    __slots__ = ("throttle_time_ms", "error_code", "replica_election_results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none. (v1+)
        error_code: int = 0,
        # One result a topic.
        replica_election_results: Sequence[ReplicaElectionResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.replica_election_results: Sequence[ReplicaElectionResult] = (
            [] if replica_election_results == () else replica_election_results
        )
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_i2h = Struct(">i2h").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_ihi = Struct(">ihi").unpack_from
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i2h = Struct(">i2h").pack
_write_ihB = Struct(">ihB").pack
_write_ihi = Struct(">ihi").pack


def _get_elect_leaders_response_v0(buf: bytes, at: int) -> tuple[ElectLeadersResponse, int]:
    m = new(ElectLeadersResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    replica_election_results: list[ReplicaElectionResult] = []
    m.replica_election_results = replica_election_results
    left_replica_election_results = n
    while left_replica_election_results:
        left_replica_election_results -= 1
        election_result = new(ReplicaElectionResult)
        replica_election_results.append(election_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        election_result.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        partition_result: list[PartitionResult] = []
        election_result.partition_result = partition_result
        left_partition_result = n
        while left_partition_result:
            left_partition_result -= 1
            partition_result_ = new(PartitionResult)
            partition_result.append(partition_result_)
            (partition_result_.partition_id, partition_result_.error_code, n) = _read_i2h(buf, at)
            at += 8
            if n < 0:
                partition_result_.error_message = None
            else:
                end = at + n
                partition_result_.error_message = buf[at:end].decode()
                at = end
            partition_result_.unknown_tags = ()
        election_result.unknown_tags = ()
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_elect_leaders_response_v1(buf: bytes, at: int) -> tuple[ElectLeadersResponse, int]:
    m = new(ElectLeadersResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihi(buf, at)
    at += 10
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    replica_election_results: list[ReplicaElectionResult] = []
    m.replica_election_results = replica_election_results
    left_replica_election_results = n
    while left_replica_election_results:
        left_replica_election_results -= 1
        election_result = new(ReplicaElectionResult)
        replica_election_results.append(election_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        election_result.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        partition_result: list[PartitionResult] = []
        election_result.partition_result = partition_result
        left_partition_result = n
        while left_partition_result:
            left_partition_result -= 1
            partition_result_ = new(PartitionResult)
            partition_result.append(partition_result_)
            (partition_result_.partition_id, partition_result_.error_code, n) = _read_i2h(buf, at)
            at += 8
            if n < 0:
                partition_result_.error_message = None
            else:
                end = at + n
                partition_result_.error_message = buf[at:end].decode()
                at = end
            partition_result_.unknown_tags = ()
        election_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_elect_leaders_response_v2(buf: bytes, at: int) -> tuple[ElectLeadersResponse, int]:
    m = new(ElectLeadersResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    replica_election_results: list[ReplicaElectionResult] = []
    m.replica_election_results = replica_election_results
    left_replica_election_results = n - 1
    while left_replica_election_results:
        left_replica_election_results -= 1
        election_result = new(ReplicaElectionResult)
        replica_election_results.append(election_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        election_result.topic = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 8)
        partition_result: list[PartitionResult] = []
        election_result.partition_result = partition_result
        left_partition_result = n - 1
        while left_partition_result:
            left_partition_result -= 1
            partition_result_ = new(PartitionResult)
            partition_result.append(partition_result_)
            (partition_result_.partition_id, partition_result_.error_code, n) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                partition_result_.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                partition_result_.error_message = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            partition_result_.unknown_tags = ()
            if tags:
                partition_result_.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        election_result.unknown_tags = ()
        if tags:
            election_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_elect_leaders_response_v0(out: Parts, m: ElectLeadersResponse) -> None:
    if m.error_code != 0:
        refuse_field("error_code")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    replica_election_results = m.replica_election_results
    n = len(replica_election_results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for election_result in replica_election_results:
        if election_result.unknown_tags:
            refuse_field("unknown_tags")
        topic = election_result.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partition_result = election_result.partition_result
        n = len(partition_result)
        out.append(_write_i(n))
        for partition_result_ in partition_result:
            if partition_result_.unknown_tags:
                refuse_field("unknown_tags")
            error_message = (
                b"" if partition_result_.error_message is None else
                partition_result_.error_message.encode()
            )
            n = -1 if partition_result_.error_message is None else len(error_message)
            out.append(_write_i2h(partition_result_.partition_id, partition_result_.error_code, n))
            out.append(error_message)


def _put_elect_leaders_response_v1(out: Parts, m: ElectLeadersResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    replica_election_results = m.replica_election_results
    n = len(replica_election_results)
    out.append(_write_ihi(m.throttle_time_ms, m.error_code, n))
    for election_result in replica_election_results:
        if election_result.unknown_tags:
            refuse_field("unknown_tags")
        topic = election_result.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partition_result = election_result.partition_result
        n = len(partition_result)
        out.append(_write_i(n))
        for partition_result_ in partition_result:
            if partition_result_.unknown_tags:
                refuse_field("unknown_tags")
            error_message = (
                b"" if partition_result_.error_message is None else
                partition_result_.error_message.encode()
            )
            n = -1 if partition_result_.error_message is None else len(error_message)
            out.append(_write_i2h(partition_result_.partition_id, partition_result_.error_code, n))
            out.append(error_message)


def _put_elect_leaders_response_v2(out: Parts, m: ElectLeadersResponse) -> None:
    replica_election_results = m.replica_election_results
    n = len(replica_election_results) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for election_result in replica_election_results:
        topic = election_result.topic.encode()
        n = len(topic) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic)
        partition_result = election_result.partition_result
        n = len(partition_result) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_result_ in partition_result:
            error_message = (
                b"" if partition_result_.error_message is None else
                partition_result_.error_message.encode()
            )
            n = 0 if partition_result_.error_message is None else len(error_message) + 1
            out.append(_write_ihB(
                partition_result_.partition_id, partition_result_.error_code, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message)
            out.append(b"\0")
            if partition_result_.unknown_tags:
                put_tags(out, [], partition_result_.unknown_tags)
        out.append(b"\0")
        if election_result.unknown_tags:
            put_tags(out, [], election_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_elect_leaders_response_v0, 1: _get_elect_leaders_response_v1,
    2: _get_elect_leaders_response_v2,
}
_PUT = {
    0: _put_elect_leaders_response_v0, 1: _put_elect_leaders_response_v1,
    2: _put_elect_leaders_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ElectLeadersResponse:
    """The ElectLeadersResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ElectLeadersResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ElectLeadersResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ElectLeadersResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_RESULT_SHAPE: Shape = (
    PartitionResult,
    (
        ("partitionId", "partition_id", "int32", (0, 2), None, None, None, 0, False, (2, 2), None),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (2, 2), None),
        (
            "errorMessage", "error_message", "string", (0, 2), (0, 2), None, None, "", False,
            (2, 2), None,
        ),
    ),
)
_REPLICA_ELECTION_RESULT_SHAPE: Shape = (
    ReplicaElectionResult,
    (
        ("topic", "topic", "string", (0, 2), None, None, None, "", False, (2, 2), None),
        (
            "partitionResult", "partition_result", "[]PartitionResult", (0, 2), None, None, None,
            (), False, (2, 2), _PARTITION_RESULT_SHAPE,
        ),
    ),
)
_ELECT_LEADERS_RESPONSE_SHAPE: Shape = (
    ElectLeadersResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        ("errorCode", "error_code", "int16", (1, 2), None, None, None, 0, False, (2, 2), None),
        (
            "replicaElectionResults", "replica_election_results", "[]ReplicaElectionResult", (0, 2),
            None, None, None, (), False, (2, 2), _REPLICA_ELECTION_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ELECT_LEADERS_RESPONSE_SHAPE, (0, 2), (2, 2))
