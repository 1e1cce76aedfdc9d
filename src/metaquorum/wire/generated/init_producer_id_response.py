# GENERATED from schemas/init_producer_id_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 da5982ac51695f88, generator 1.
"""Gives the producer its id and epoch. Api key 22, versions 0-6, flexible from 2."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 22
NAME: Final = "InitProducerIdResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 2


class InitProducerIdResponse(Message):
    """Gives the producer its id and epoch."""

    __slots__ = (
        "throttle_time_ms", "error_code", "producer_id", "producer_epoch",
        "ongoing_txn_producer_id", "ongoing_txn_producer_epoch", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Id of the producer.
        producer_id: int = -1,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # Producer id of the transaction that is open; -1 when none is. (v6+)
        ongoing_txn_producer_id: int = -1,
        # Producer epoch of the transaction that is open; -1 when none is. (v6+)
        ongoing_txn_producer_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.ongoing_txn_producer_id = ongoing_txn_producer_id
        self.ongoing_txn_producer_epoch = ongoing_txn_producer_epoch
        self.unknown_tags = unknown_tags


_read_ihqh = Struct(">ihqh").unpack_from
_read_ihqhB = Struct(">ihqhB").unpack_from
_read_ihqhqhB = Struct(">ihqhqhB").unpack_from
_write_ihqh = Struct(">ihqh").pack
_write_ihqhqhx = Struct(">ihqhqhx").pack
_write_ihqhx = Struct(">ihqhx").pack


def _get_init_producer_id_response_v0(buf: bytes, at: int) -> tuple[InitProducerIdResponse, int]:
    m = new(InitProducerIdResponse)
    (m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch) = _read_ihqh(buf, at)
    at += 16
    m.ongoing_txn_producer_id = -1
    m.ongoing_txn_producer_epoch = -1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_init_producer_id_response_v2(buf: bytes, at: int) -> tuple[InitProducerIdResponse, int]:
    m = new(InitProducerIdResponse)
    (m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch, tags) = _read_ihqhB(buf, at)
    at += 17
    m.ongoing_txn_producer_id = -1
    m.ongoing_txn_producer_epoch = -1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_init_producer_id_response_v6(buf: bytes, at: int) -> tuple[InitProducerIdResponse, int]:
    m = new(InitProducerIdResponse)
    (
        m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch,
        m.ongoing_txn_producer_id, m.ongoing_txn_producer_epoch, tags,
    ) = _read_ihqhqhB(buf, at)
    at += 27
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_init_producer_id_response_v0(out: Parts, m: InitProducerIdResponse) -> None:
    if m.ongoing_txn_producer_id != -1:
        refuse_field("ongoing_txn_producer_id")
    if m.ongoing_txn_producer_epoch != -1:
        refuse_field("ongoing_txn_producer_epoch")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_ihqh(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch))


def _put_init_producer_id_response_v2(out: Parts, m: InitProducerIdResponse) -> None:
    if m.ongoing_txn_producer_id != -1:
        refuse_field("ongoing_txn_producer_id")
    if m.ongoing_txn_producer_epoch != -1:
        refuse_field("ongoing_txn_producer_epoch")
    out.append(_write_ihqhx(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_init_producer_id_response_v6(out: Parts, m: InitProducerIdResponse) -> None:
    out.append(_write_ihqhqhx(
        m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch,
        m.ongoing_txn_producer_id, m.ongoing_txn_producer_epoch,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_init_producer_id_response_v0, 1: _get_init_producer_id_response_v0,
    2: _get_init_producer_id_response_v2, 3: _get_init_producer_id_response_v2,
    4: _get_init_producer_id_response_v2, 5: _get_init_producer_id_response_v2,
    6: _get_init_producer_id_response_v6,
}
_PUT = {
    0: _put_init_producer_id_response_v0, 1: _put_init_producer_id_response_v0,
    2: _put_init_producer_id_response_v2, 3: _put_init_producer_id_response_v2,
    4: _put_init_producer_id_response_v2, 5: _put_init_producer_id_response_v2,
    6: _put_init_producer_id_response_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> InitProducerIdResponse:
    """The InitProducerIdResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[InitProducerIdResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: InitProducerIdResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: InitProducerIdResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_INIT_PRODUCER_ID_RESPONSE_SHAPE: Shape = (
    InitProducerIdResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 6), None, None, None, 0, True,
            (2, 6), None,
        ),
        ("errorCode", "error_code", "int16", (0, 6), None, None, None, 0, False, (2, 6), None),
        ("producerId", "producer_id", "int64", (0, 6), None, None, None, -1, False, (2, 6), None),
        (
            "producerEpoch", "producer_epoch", "int16", (0, 6), None, None, None, 0, False, (2, 6),
            None,
        ),
        (
            "ongoingTxnProducerId", "ongoing_txn_producer_id", "int64", (6, 6), None, None, None,
            -1, False, (2, 6), None,
        ),
        (
            "ongoingTxnProducerEpoch", "ongoing_txn_producer_epoch", "int16", (6, 6), None, None,
            None, -1, False, (2, 6), None,
        ),
    ),
)
SHAPE: Shape = (_INIT_PRODUCER_ID_RESPONSE_SHAPE, (0, 6), (2, 6))
