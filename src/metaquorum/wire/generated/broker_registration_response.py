# GENERATED from schemas/broker_registration_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 669208599beb35d6, generator 1.
"""Gives the broker the epoch of its registration. Api key 62, versions 0-4, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 62
NAME: Final = "BrokerRegistrationResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 0


class BrokerRegistrationResponse(Message):
    """Gives the broker the epoch of its registration."""

    __slots__ = ("throttle_time_ms", "error_code", "broker_epoch", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Epoch of the registration; -1 when there is none.
        broker_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.broker_epoch = broker_epoch
        self.unknown_tags = unknown_tags


_read_ihqB = Struct(">ihqB").unpack_from
_write_ihqx = Struct(">ihqx").pack


def _get_broker_registration_response_v0(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationResponse, int]:
    m = new(BrokerRegistrationResponse)
    (m.throttle_time_ms, m.error_code, m.broker_epoch, tags) = _read_ihqB(buf, at)
    at += 15
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_broker_registration_response_v0(out: Parts, m: BrokerRegistrationResponse) -> None:
    out.append(_write_ihqx(m.throttle_time_ms, m.error_code, m.broker_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_broker_registration_response_v0, 1: _get_broker_registration_response_v0,
    2: _get_broker_registration_response_v0, 3: _get_broker_registration_response_v0,
    4: _get_broker_registration_response_v0,
}
_PUT = {
    0: _put_broker_registration_response_v0, 1: _put_broker_registration_response_v0,
    2: _put_broker_registration_response_v0, 3: _put_broker_registration_response_v0,
    4: _put_broker_registration_response_v0,
}


def decode(buf: Buffer, version: int, at: int = 0) -> BrokerRegistrationResponse:
    """The BrokerRegistrationResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[BrokerRegistrationResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: BrokerRegistrationResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: BrokerRegistrationResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BROKER_REGISTRATION_RESPONSE_SHAPE: Shape = (
    BrokerRegistrationResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 4), None, None, None, 0, False,
            (0, 4), None,
        ),
        ("errorCode", "error_code", "int16", (0, 4), None, None, None, 0, False, (0, 4), None),
        ("brokerEpoch", "broker_epoch", "int64", (0, 4), None, None, None, -1, False, (0, 4), None),
    ),
)
SHAPE: Shape = (_BROKER_REGISTRATION_RESPONSE_SHAPE, (0, 4), (0, 4))
