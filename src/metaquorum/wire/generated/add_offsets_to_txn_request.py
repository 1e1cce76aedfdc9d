# GENERATED from schemas/add_offsets_to_txn_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b261227476ae83f7, generator 1.
"""Adds the offsets partition of a group to a transaction, ahead of TxnOffsetCommit. Api key 25,
versions 0-4, flexible from 3.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_text, long_text_head, put_tags, refuse_field, refuse_null,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 25
NAME: Final = "AddOffsetsToTxnRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 3


class AddOffsetsToTxnRequest(Message):
    """Adds the offsets partition of a group to a transaction, ahead of TxnOffsetCommit."""

    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "group_id", "unknown_tags")

    def __init__(
        self,
        # Transactional id of the producer.
        transactional_id: str = "",
        # Id of the producer.
        producer_id: int = 0,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # Group.
        group_id: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.group_id = group_id
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_q2h = Struct(">q2h").unpack_from
_read_qhB = Struct(">qhB").unpack_from
_write_h = Struct(">h").pack
_write_q2h = Struct(">q2h").pack
_write_qhB = Struct(">qhB").pack


def _get_add_offsets_to_txn_request_v0(buf: bytes, at: int) -> tuple[AddOffsetsToTxnRequest, int]:
    m = new(AddOffsetsToTxnRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.transactional_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, n) = _read_q2h(buf, at)
    at += 12
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_add_offsets_to_txn_request_v3(buf: bytes, at: int) -> tuple[AddOffsetsToTxnRequest, int]:
    m = new(AddOffsetsToTxnRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.transactional_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, n) = _read_qhB(buf, at)
    at += 11
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_add_offsets_to_txn_request_v0(out: Parts, m: AddOffsetsToTxnRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id)
    out.append(_write_h(n))
    out.append(transactional_id)
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_q2h(m.producer_id, m.producer_epoch, n))
    out.append(group_id)


def _put_add_offsets_to_txn_request_v3(out: Parts, m: AddOffsetsToTxnRequest) -> None:
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(_write_qhB(m.producer_id, m.producer_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(group_id)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_add_offsets_to_txn_request_v0, 1: _get_add_offsets_to_txn_request_v0,
    2: _get_add_offsets_to_txn_request_v0, 3: _get_add_offsets_to_txn_request_v3,
    4: _get_add_offsets_to_txn_request_v3,
}
_PUT = {
    0: _put_add_offsets_to_txn_request_v0, 1: _put_add_offsets_to_txn_request_v0,
    2: _put_add_offsets_to_txn_request_v0, 3: _put_add_offsets_to_txn_request_v3,
    4: _put_add_offsets_to_txn_request_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AddOffsetsToTxnRequest:
    """The AddOffsetsToTxnRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AddOffsetsToTxnRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AddOffsetsToTxnRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AddOffsetsToTxnRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ADD_OFFSETS_TO_TXN_REQUEST_SHAPE: Shape = (
    AddOffsetsToTxnRequest,
    (
        (
            "transactionalId", "transactional_id", "string", (0, 4), None, None, None, "", False,
            (3, 4), None,
        ),
        ("producerId", "producer_id", "int64", (0, 4), None, None, None, 0, False, (3, 4), None),
        (
            "producerEpoch", "producer_epoch", "int16", (0, 4), None, None, None, 0, False, (3, 4),
            None,
        ),
        ("groupId", "group_id", "string", (0, 4), None, None, None, "", False, (3, 4), None),
    ),
)
SHAPE: Shape = (_ADD_OFFSETS_TO_TXN_REQUEST_SHAPE, (0, 4), (3, 4))
