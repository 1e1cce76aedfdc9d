# GENERATED from schemas/unregister_broker_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 bc75bb46a994241b, generator 1.
"""Ends the registration of a broker that will not return. Api key 64, versions 0, flexible from 0.
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

API_KEY: Final = 64
NAME: Final = "UnregisterBrokerRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class UnregisterBrokerRequest(Message):
    """Ends the registration of a broker that will not return."""

    __slots__ = ("broker_id", "unknown_tags")

    def __init__(
        self,
        # Broker whose registration ends.
        broker_id: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_write_ix = Struct(">ix").pack


def _get_unregister_broker_request_v0(buf: bytes, at: int) -> tuple[UnregisterBrokerRequest, int]:
    m = new(UnregisterBrokerRequest)
    (m.broker_id, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_unregister_broker_request_v0(out: Parts, m: UnregisterBrokerRequest) -> None:
    out.append(_write_ix(m.broker_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_unregister_broker_request_v0}
_PUT = {0: _put_unregister_broker_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> UnregisterBrokerRequest:
    """The UnregisterBrokerRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UnregisterBrokerRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UnregisterBrokerRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UnregisterBrokerRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_UNREGISTER_BROKER_REQUEST_SHAPE: Shape = (
    UnregisterBrokerRequest,
    (
        ("brokerId", "broker_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_UNREGISTER_BROKER_REQUEST_SHAPE, (0, 0), (0, 0))
