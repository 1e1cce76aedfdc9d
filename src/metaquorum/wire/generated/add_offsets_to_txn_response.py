# GENERATED from schemas/add_offsets_to_txn_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 da905cd514ffe814, generator 1.
"""Says whether the offsets partition is part of the transaction now. Api key 25, versions 0-4,
flexible from 3.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 25
NAME: Final = "AddOffsetsToTxnResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 3


class AddOffsetsToTxnResponse(Message):
    """Says whether the offsets partition is part of the transaction now."""

    __slots__ = ("throttle_time_ms", "error_code", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.unknown_tags = unknown_tags


_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_ih = Struct(">ih").pack
_write_ihx = Struct(">ihx").pack


def _get_add_offsets_to_txn_response_v0(buf: bytes, at: int) -> tuple[AddOffsetsToTxnResponse, int]:
    m = new(AddOffsetsToTxnResponse)
    (m.throttle_time_ms, m.error_code) = _read_ih(buf, at)
    at += 6
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_add_offsets_to_txn_response_v3(buf: bytes, at: int) -> tuple[AddOffsetsToTxnResponse, int]:
    m = new(AddOffsetsToTxnResponse)
    (m.throttle_time_ms, m.error_code, tags) = _read_ihB(buf, at)
    at += 7
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_add_offsets_to_txn_response_v0(out: Parts, m: AddOffsetsToTxnResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_ih(m.throttle_time_ms, m.error_code))


def _put_add_offsets_to_txn_response_v3(out: Parts, m: AddOffsetsToTxnResponse) -> None:
    out.append(_write_ihx(m.throttle_time_ms, m.error_code))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_add_offsets_to_txn_response_v0, 1: _get_add_offsets_to_txn_response_v0,
    2: _get_add_offsets_to_txn_response_v0, 3: _get_add_offsets_to_txn_response_v3,
    4: _get_add_offsets_to_txn_response_v3,
}
_PUT = {
    0: _put_add_offsets_to_txn_response_v0, 1: _put_add_offsets_to_txn_response_v0,
    2: _put_add_offsets_to_txn_response_v0, 3: _put_add_offsets_to_txn_response_v3,
    4: _put_add_offsets_to_txn_response_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AddOffsetsToTxnResponse:
    """The AddOffsetsToTxnResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AddOffsetsToTxnResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AddOffsetsToTxnResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AddOffsetsToTxnResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ADD_OFFSETS_TO_TXN_RESPONSE_SHAPE: Shape = (
    AddOffsetsToTxnResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 4), None, None, None, 0, False,
            (3, 4), None,
        ),
        ("errorCode", "error_code", "int16", (0, 4), None, None, None, 0, False, (3, 4), None),
    ),
)
SHAPE: Shape = (_ADD_OFFSETS_TO_TXN_RESPONSE_SHAPE, (0, 4), (3, 4))
