# GENERATED from schemas/allocate_producer_ids_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e32513baa885e58c, generator 1.
"""Asks the controller for a block of producer ids that only this broker will hand out. Api key 67,
versions 0, flexible from 0.
"""

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
NAME: Final = "AllocateProducerIdsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class AllocateProducerIdsRequest(Message):
    """Asks the controller for a block of producer ids that only this broker will hand out."""

    __slots__ = ("broker_id", "broker_epoch", "unknown_tags")

    def __init__(
        self,
        # Broker that asks.
        broker_id: int = 0,
        # Epoch of that broker's registration; -1 when unknown.
        broker_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.unknown_tags = unknown_tags


_read_iqB = Struct(">iqB").unpack_from
_write_iqx = Struct(">iqx").pack


def _get_allocate_producer_ids_request_v0(
    buf: bytes, at: int,
) -> tuple[AllocateProducerIdsRequest, int]:
    m = new(AllocateProducerIdsRequest)
    (m.broker_id, m.broker_epoch, tags) = _read_iqB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_allocate_producer_ids_request_v0(out: Parts, m: AllocateProducerIdsRequest) -> None:
    out.append(_write_iqx(m.broker_id, m.broker_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_allocate_producer_ids_request_v0}
_PUT = {0: _put_allocate_producer_ids_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AllocateProducerIdsRequest:
    """The AllocateProducerIdsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AllocateProducerIdsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AllocateProducerIdsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AllocateProducerIdsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALLOCATE_PRODUCER_IDS_REQUEST_SHAPE: Shape = (
    AllocateProducerIdsRequest,
    (
        ("brokerId", "broker_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("brokerEpoch", "broker_epoch", "int64", (0, 0), None, None, None, -1, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_ALLOCATE_PRODUCER_IDS_REQUEST_SHAPE, (0, 0), (0, 0))
