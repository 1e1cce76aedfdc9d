# GENERATED from schemas/records/producer_ids_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 983ef110f9486df4, generator 1.
"""Hands a block of producer ids to a broker. Record type 15, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 15
NAME: Final = "ProducerIdsRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ProducerIdsRecord(Message):
    """Hands a block of producer ids to a broker."""

    __slots__ = ("broker_id", "broker_epoch", "next_producer_id", "unknown_tags")

    def __init__(
        self,
        # Broker that received the block.
        broker_id: int = 0,
        # Registration epoch of the broker that received the block.
        broker_epoch: int = -1,
        # First producer id after the block.
        next_producer_id: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.next_producer_id = next_producer_id
        self.unknown_tags = unknown_tags


_read_i2qB = Struct(">i2qB").unpack_from
_write_i2qx = Struct(">i2qx").pack


def _get_producer_ids_record_v0(buf: bytes, at: int) -> tuple[ProducerIdsRecord, int]:
    m = new(ProducerIdsRecord)
    (m.broker_id, m.broker_epoch, m.next_producer_id, tags) = _read_i2qB(buf, at)
    at += 21
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_producer_ids_record_v0(out: Parts, m: ProducerIdsRecord) -> None:
    out.append(_write_i2qx(m.broker_id, m.broker_epoch, m.next_producer_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_producer_ids_record_v0}
_PUT = {0: _put_producer_ids_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ProducerIdsRecord:
    """The ProducerIdsRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ProducerIdsRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ProducerIdsRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ProducerIdsRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PRODUCER_IDS_RECORD_SHAPE: Shape = (
    ProducerIdsRecord,
    (
        ("brokerId", "broker_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("brokerEpoch", "broker_epoch", "int64", (0, 0), None, None, None, -1, False, (0, 0), None),
        (
            "nextProducerId", "next_producer_id", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_PRODUCER_IDS_RECORD_SHAPE, (0, 0), (0, 0))
