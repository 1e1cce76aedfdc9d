# GENERATED from schemas/allocate_producer_ids_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9cbd161e33f87e16, generator 1.
"""Gives the broker its block of producer ids. Api key 67, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 67
NAME: Final = "AllocateProducerIdsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class AllocateProducerIdsResponse(Message):
    """Gives the broker its block of producer ids."""

    __slots__ = (
        "throttle_time_ms", "error_code", "producer_id_start", "producer_id_len", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # First id of the block.
        producer_id_start: int = 0,
        # Number of ids in the block.
        producer_id_len: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id_start = producer_id_start
        self.producer_id_len = producer_id_len
        self.unknown_tags = unknown_tags


_read_ihqiB = Struct(">ihqiB").unpack_from
_write_ihqix = Struct(">ihqix").pack


def _get_allocate_producer_ids_response_v0(
    buf: bytes, at: int,
) -> tuple[AllocateProducerIdsResponse, int]:
    m = new(AllocateProducerIdsResponse)
    (
        m.throttle_time_ms, m.error_code, m.producer_id_start, m.producer_id_len, tags,
    ) = _read_ihqiB(buf, at)
    at += 19
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_allocate_producer_ids_response_v0(out: Parts, m: AllocateProducerIdsResponse) -> None:
    out.append(_write_ihqix(
        m.throttle_time_ms, m.error_code, m.producer_id_start, m.producer_id_len,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_allocate_producer_ids_response_v0}
_PUT = {0: _put_allocate_producer_ids_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AllocateProducerIdsResponse:
    """The AllocateProducerIdsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AllocateProducerIdsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AllocateProducerIdsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AllocateProducerIdsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALLOCATE_PRODUCER_IDS_RESPONSE_SHAPE: Shape = (
    AllocateProducerIdsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "producerIdStart", "producer_id_start", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "producerIdLen", "producer_id_len", "int32", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
    ),
)
SHAPE: Shape = (_ALLOCATE_PRODUCER_IDS_RESPONSE_SHAPE, (0, 0), (0, 0))
