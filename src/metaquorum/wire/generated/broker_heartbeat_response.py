# GENERATED from schemas/broker_heartbeat_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 deb52b47245666e9, generator 1.
"""Tells the broker whether it is fenced and whether it may stop. Api key 63, versions 0-2, flexible
from 0.
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

API_KEY: Final = 63
NAME: Final = "BrokerHeartbeatResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class BrokerHeartbeatResponse(Message):
    """Tells the broker whether it is fenced and whether it may stop."""

    __slots__ = (
        "throttle_time_ms", "error_code", "is_caught_up", "is_fenced", "should_shut_down",
        "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # True when the broker has nearly all of the metadata.
        is_caught_up: bool = False,
        # True when the broker is fenced.
        is_fenced: bool = True,
        # True when the broker may stop now.
        should_shut_down: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.is_caught_up = is_caught_up
        self.is_fenced = is_fenced
        self.should_shut_down = should_shut_down
        self.unknown_tags = unknown_tags


_read_ih3tB = Struct(">ih3?B").unpack_from
_write_ih3tx = Struct(">ih3?x").pack


def _get_broker_heartbeat_response_v0(buf: bytes, at: int) -> tuple[BrokerHeartbeatResponse, int]:
    m = new(BrokerHeartbeatResponse)
    (
        m.throttle_time_ms, m.error_code, m.is_caught_up, m.is_fenced, m.should_shut_down, tags,
    ) = _read_ih3tB(buf, at)
    at += 10
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_broker_heartbeat_response_v0(out: Parts, m: BrokerHeartbeatResponse) -> None:
    out.append(_write_ih3tx(
        m.throttle_time_ms, m.error_code, m.is_caught_up, m.is_fenced, m.should_shut_down,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_broker_heartbeat_response_v0, 1: _get_broker_heartbeat_response_v0,
    2: _get_broker_heartbeat_response_v0,
}
_PUT = {
    0: _put_broker_heartbeat_response_v0, 1: _put_broker_heartbeat_response_v0,
    2: _put_broker_heartbeat_response_v0,
}


def decode(buf: Buffer, version: int, at: int = 0) -> BrokerHeartbeatResponse:
    """The BrokerHeartbeatResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[BrokerHeartbeatResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: BrokerHeartbeatResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: BrokerHeartbeatResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BROKER_HEARTBEAT_RESPONSE_SHAPE: Shape = (
    BrokerHeartbeatResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "isCaughtUp", "is_caught_up", "bool", (0, 2), None, None, None, False, False, (0, 2),
            None,
        ),
        ("isFenced", "is_fenced", "bool", (0, 2), None, None, None, True, False, (0, 2), None),
        (
            "shouldShutDown", "should_shut_down", "bool", (0, 2), None, None, None, False, False,
            (0, 2), None,
        ),
    ),
)
SHAPE: Shape = (_BROKER_HEARTBEAT_RESPONSE_SHAPE, (0, 2), (0, 2))
