# GENERATED from schemas/end_txn_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 0063f6c32db789c7, generator 1.
"""Commits or aborts a transaction. Api key 26, versions 0-5, flexible from 3."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 26
NAME: Final = "EndTxnRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 3


class EndTxnRequest(Message):
    """Commits or aborts a transaction."""

    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "committed", "unknown_tags")

    def __init__(
        self,
        # Transactional id of the producer.
        transactional_id: str = "",
        # Id of the producer.
        producer_id: int = 0,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # True to commit, false to abort.
        committed: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.committed = committed
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_qht = Struct(">qh?").unpack_from
_read_qhtB = Struct(">qh?B").unpack_from
_write_h = Struct(">h").pack
_write_qht = Struct(">qh?").pack
_write_qhtx = Struct(">qh?x").pack


def _get_end_txn_request_v0(buf: bytes, at: int) -> tuple[EndTxnRequest, int]:
    m = new(EndTxnRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.transactional_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, m.committed) = _read_qht(buf, at)
    at += 11
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_end_txn_request_v3(buf: bytes, at: int) -> tuple[EndTxnRequest, int]:
    m = new(EndTxnRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.transactional_id = buf[at:end].decode()
    at = end
    (m.producer_id, m.producer_epoch, m.committed, tags) = _read_qhtB(buf, at)
    at += 12
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_end_txn_request_v0(out: Parts, m: EndTxnRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id)
    out.append(_write_h(n))
    out.append(transactional_id)
    out.append(_write_qht(m.producer_id, m.producer_epoch, m.committed))


def _put_end_txn_request_v3(out: Parts, m: EndTxnRequest) -> None:
    transactional_id = m.transactional_id.encode()
    n = len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    out.append(_write_qhtx(m.producer_id, m.producer_epoch, m.committed))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_end_txn_request_v0, 1: _get_end_txn_request_v0, 2: _get_end_txn_request_v0,
    3: _get_end_txn_request_v3, 4: _get_end_txn_request_v3, 5: _get_end_txn_request_v3,
}
_PUT = {
    0: _put_end_txn_request_v0, 1: _put_end_txn_request_v0, 2: _put_end_txn_request_v0,
    3: _put_end_txn_request_v3, 4: _put_end_txn_request_v3, 5: _put_end_txn_request_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> EndTxnRequest:
    """The EndTxnRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[EndTxnRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: EndTxnRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: EndTxnRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_END_TXN_REQUEST_SHAPE: Shape = (
    EndTxnRequest,
    (
        (
            "transactionalId", "transactional_id", "string", (0, 5), None, None, None, "", False,
            (3, 5), None,
        ),
        ("producerId", "producer_id", "int64", (0, 5), None, None, None, 0, False, (3, 5), None),
        (
            "producerEpoch", "producer_epoch", "int16", (0, 5), None, None, None, 0, False, (3, 5),
            None,
        ),
        ("committed", "committed", "bool", (0, 5), None, None, None, False, False, (3, 5), None),
    ),
)
SHAPE: Shape = (_END_TXN_REQUEST_SHAPE, (0, 5), (3, 5))
