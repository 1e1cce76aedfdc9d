# GENERATED from schemas/init_producer_id_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 ffd473a4725c34b3, generator 1.
"""Asks for a producer id and epoch, and fences older producers of the same transactional id. Api
key 22, versions 0-6, flexible from 2.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 22
NAME: Final = "InitProducerIdRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 2


class InitProducerIdRequest(Message):
    """Asks for a producer id and epoch, and fences older producers of the same transactional id."""

    __slots__ = (
        "transactional_id", "transaction_timeout_ms", "producer_id", "producer_epoch", "enable2_pc",
        "keep_prepared_txn", "unknown_tags",
    )

    def __init__(
        self,
        # Transactional id of the producer; null outside of transactions.
        transactional_id: str | None = "",
        # Milliseconds after which an open transaction is aborted.
        transaction_timeout_ms: int = 0,
        # Id the producer has already; -1 when it has none. (v3+)
        producer_id: int = -1,
        # Epoch the producer has already; -1 when it has none. (v3+)
        producer_epoch: int = -1,
        # True when something outside decides over the transaction. (v6+)
        enable2_pc: bool = False,
        # True to leave a prepared transaction open. (v6+)
        keep_prepared_txn: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.transaction_timeout_ms = transaction_timeout_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.enable2_pc = enable2_pc
        self.keep_prepared_txn = keep_prepared_txn
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_iqh2tB = Struct(">iqh2?B").unpack_from
_read_iqhB = Struct(">iqhB").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iqh2tx = Struct(">iqh2?x").pack
_write_iqhx = Struct(">iqhx").pack
_write_ix = Struct(">ix").pack


def _get_init_producer_id_request_v0(buf: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    m = new(InitProducerIdRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.transactional_id = None
    else:
        end = at + n
        m.transactional_id = buf[at:end].decode()
        at = end
    (m.transaction_timeout_ms,) = _read_i(buf, at)
    at += 4
    m.producer_id = -1
    m.producer_epoch = -1
    m.enable2_pc = False
    m.keep_prepared_txn = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_init_producer_id_request_v2(buf: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    m = new(InitProducerIdRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.transactional_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.transactional_id = buf[at:end].decode()
        at = end
    (m.transaction_timeout_ms, tags) = _read_iB(buf, at)
    at += 5
    m.producer_id = -1
    m.producer_epoch = -1
    m.enable2_pc = False
    m.keep_prepared_txn = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_init_producer_id_request_v3(buf: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    m = new(InitProducerIdRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.transactional_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.transactional_id = buf[at:end].decode()
        at = end
    (m.transaction_timeout_ms, m.producer_id, m.producer_epoch, tags) = _read_iqhB(buf, at)
    at += 15
    m.enable2_pc = False
    m.keep_prepared_txn = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_init_producer_id_request_v6(buf: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    m = new(InitProducerIdRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.transactional_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.transactional_id = buf[at:end].decode()
        at = end
    (
        m.transaction_timeout_ms, m.producer_id, m.producer_epoch, m.enable2_pc,
        m.keep_prepared_txn, tags,
    ) = _read_iqh2tB(buf, at)
    at += 17
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_init_producer_id_request_v0(out: Parts, m: InitProducerIdRequest) -> None:
    if m.producer_id != -1:
        refuse_field("producer_id")
    if m.producer_epoch != -1:
        refuse_field("producer_epoch")
    if m.enable2_pc:
        refuse_field("enable2_pc")
    if m.keep_prepared_txn:
        refuse_field("keep_prepared_txn")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    transactional_id = b"" if m.transactional_id is None else m.transactional_id.encode()
    n = -1 if m.transactional_id is None else len(transactional_id)
    out.append(_write_h(n))
    out.append(transactional_id)
    out.append(_write_i(m.transaction_timeout_ms))


def _put_init_producer_id_request_v2(out: Parts, m: InitProducerIdRequest) -> None:
    if m.producer_id != -1:
        refuse_field("producer_id")
    if m.producer_epoch != -1:
        refuse_field("producer_epoch")
    if m.enable2_pc:
        refuse_field("enable2_pc")
    if m.keep_prepared_txn:
        refuse_field("keep_prepared_txn")
    transactional_id = b"" if m.transactional_id is None else m.transactional_id.encode()
    n = 0 if m.transactional_id is None else len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    out.append(_write_ix(m.transaction_timeout_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_init_producer_id_request_v3(out: Parts, m: InitProducerIdRequest) -> None:
    if m.enable2_pc:
        refuse_field("enable2_pc")
    if m.keep_prepared_txn:
        refuse_field("keep_prepared_txn")
    transactional_id = b"" if m.transactional_id is None else m.transactional_id.encode()
    n = 0 if m.transactional_id is None else len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    out.append(_write_iqhx(m.transaction_timeout_ms, m.producer_id, m.producer_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_init_producer_id_request_v6(out: Parts, m: InitProducerIdRequest) -> None:
    transactional_id = b"" if m.transactional_id is None else m.transactional_id.encode()
    n = 0 if m.transactional_id is None else len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    out.append(_write_iqh2tx(
        m.transaction_timeout_ms, m.producer_id, m.producer_epoch, m.enable2_pc,
        m.keep_prepared_txn,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_init_producer_id_request_v0, 1: _get_init_producer_id_request_v0,
    2: _get_init_producer_id_request_v2, 3: _get_init_producer_id_request_v3,
    4: _get_init_producer_id_request_v3, 5: _get_init_producer_id_request_v3,
    6: _get_init_producer_id_request_v6,
}
_PUT = {
    0: _put_init_producer_id_request_v0, 1: _put_init_producer_id_request_v0,
    2: _put_init_producer_id_request_v2, 3: _put_init_producer_id_request_v3,
    4: _put_init_producer_id_request_v3, 5: _put_init_producer_id_request_v3,
    6: _put_init_producer_id_request_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> InitProducerIdRequest:
    """The InitProducerIdRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[InitProducerIdRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: InitProducerIdRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: InitProducerIdRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_INIT_PRODUCER_ID_REQUEST_SHAPE: Shape = (
    InitProducerIdRequest,
    (
        (
            "transactionalId", "transactional_id", "string", (0, 6), (0, 6), None, None, "", False,
            (2, 6), None,
        ),
        (
            "transactionTimeoutMs", "transaction_timeout_ms", "int32", (0, 6), None, None, None, 0,
            False, (2, 6), None,
        ),
        ("producerId", "producer_id", "int64", (3, 6), None, None, None, -1, False, (2, 6), None),
        (
            "producerEpoch", "producer_epoch", "int16", (3, 6), None, None, None, -1, False, (2, 6),
            None,
        ),
        ("enable2Pc", "enable2_pc", "bool", (6, 6), None, None, None, False, False, (2, 6), None),
        (
            "keepPreparedTxn", "keep_prepared_txn", "bool", (6, 6), None, None, None, False, False,
            (2, 6), None,
        ),
    ),
)
SHAPE: Shape = (_INIT_PRODUCER_ID_REQUEST_SHAPE, (0, 6), (2, 6))
