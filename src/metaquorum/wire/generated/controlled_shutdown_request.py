# GENERATED from schemas/controlled_shutdown_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c53a954721c88021, generator 1.
"""A broker of the ZooKeeper days asks to be relieved of its partitions before it stops. Api key 7,
versions 0-3, flexible from 3.
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

API_KEY: Final = 7
NAME: Final = "ControlledShutdownRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 3


class ControlledShutdownRequest(Message):
    """A broker of the ZooKeeper days asks to be relieved of its partitions before it stops."""

    __slots__ = ("broker_id", "broker_epoch", "unknown_tags")

    def __init__(
        self,
        # Broker that wants to stop.
        broker_id: int = 0,
        # Epoch of that broker's registration; -1 when unknown. (v2+)
        broker_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.unknown_tags = unknown_tags


_read_i = Struct(">i").unpack_from
_read_iq = Struct(">iq").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_write_i = Struct(">i").pack
_write_iq = Struct(">iq").pack
_write_iqx = Struct(">iqx").pack


def _get_controlled_shutdown_request_v0(
    buf: bytes, at: int,
) -> tuple[ControlledShutdownRequest, int]:
    m = new(ControlledShutdownRequest)
    (m.broker_id,) = _read_i(buf, at)
    at += 4
    m.broker_epoch = -1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_controlled_shutdown_request_v2(
    buf: bytes, at: int,
) -> tuple[ControlledShutdownRequest, int]:
    m = new(ControlledShutdownRequest)
    (m.broker_id, m.broker_epoch) = _read_iq(buf, at)
    at += 12
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_controlled_shutdown_request_v3(
    buf: bytes, at: int,
) -> tuple[ControlledShutdownRequest, int]:
    m = new(ControlledShutdownRequest)
    (m.broker_id, m.broker_epoch, tags) = _read_iqB(buf, at)
    at += 13
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_controlled_shutdown_request_v0(out: Parts, m: ControlledShutdownRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_i(m.broker_id))


def _put_controlled_shutdown_request_v2(out: Parts, m: ControlledShutdownRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_iq(m.broker_id, m.broker_epoch))


def _put_controlled_shutdown_request_v3(out: Parts, m: ControlledShutdownRequest) -> None:
    out.append(_write_iqx(m.broker_id, m.broker_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_controlled_shutdown_request_v0, 1: _get_controlled_shutdown_request_v0,
    2: _get_controlled_shutdown_request_v2, 3: _get_controlled_shutdown_request_v3,
}
_PUT = {
    0: _put_controlled_shutdown_request_v0, 1: _put_controlled_shutdown_request_v0,
    2: _put_controlled_shutdown_request_v2, 3: _put_controlled_shutdown_request_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ControlledShutdownRequest:
    """The ControlledShutdownRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ControlledShutdownRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ControlledShutdownRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ControlledShutdownRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CONTROLLED_SHUTDOWN_REQUEST_SHAPE: Shape = (
    ControlledShutdownRequest,
    (
        ("brokerId", "broker_id", "int32", (0, 3), None, None, None, 0, False, (3, 3), None),
        ("brokerEpoch", "broker_epoch", "int64", (2, 3), None, None, None, -1, True, (3, 3), None),
    ),
)
SHAPE: Shape = (_CONTROLLED_SHUTDOWN_REQUEST_SHAPE, (0, 3), (3, 3))
