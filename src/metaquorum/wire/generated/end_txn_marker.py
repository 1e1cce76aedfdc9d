# GENERATED from schemas/end_txn_marker.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 416250895bbe39d4, generator 1.
"""Value of the control record that commits or aborts a producer's transaction. Versions 0, never
flexible.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, joined,
    refuse_field, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "EndTxnMarker"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class EndTxnMarker(Message):
    """Value of the control record that commits or aborts a producer's transaction."""

    __slots__ = ("coordinator_epoch", "unknown_tags")

    def __init__(
        self,
        # Epoch of the transaction coordinator that wrote the marker.
        coordinator_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.coordinator_epoch = coordinator_epoch
        self.unknown_tags = unknown_tags


_read_i = Struct(">i").unpack_from
_write_i = Struct(">i").pack


def _get_end_txn_marker_v0(buf: bytes, at: int) -> tuple[EndTxnMarker, int]:
    m = new(EndTxnMarker)
    (m.coordinator_epoch,) = _read_i(buf, at)
    at += 4
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_end_txn_marker_v0(out: Parts, m: EndTxnMarker) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_i(m.coordinator_epoch))


_GET = {0: _get_end_txn_marker_v0}
_PUT = {0: _put_end_txn_marker_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> EndTxnMarker:
    """The EndTxnMarker that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[EndTxnMarker, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: EndTxnMarker, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: EndTxnMarker, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_END_TXN_MARKER_SHAPE: Shape = (
    EndTxnMarker,
    (
        (
            "coordinatorEpoch", "coordinator_epoch", "int32", (0, 0), None, None, None, 0, False,
            None, None,
        ),
    ),
)
SHAPE: Shape = (_END_TXN_MARKER_SHAPE, (0, 0), None)
