# GENERATED from schemas/push_telemetry_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 0541fd79e733b482, generator 1.
"""Says whether the metrics were taken. Api key 72, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 72
NAME: Final = "PushTelemetryResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class PushTelemetryResponse(Message):
    """Says whether the metrics were taken."""

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


_read_ihB = Struct(">ihB").unpack_from
_write_ihx = Struct(">ihx").pack


def _get_push_telemetry_response_v0(buf: bytes, at: int) -> tuple[PushTelemetryResponse, int]:
    m = new(PushTelemetryResponse)
    (m.throttle_time_ms, m.error_code, tags) = _read_ihB(buf, at)
    at += 7
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_push_telemetry_response_v0(out: Parts, m: PushTelemetryResponse) -> None:
    out.append(_write_ihx(m.throttle_time_ms, m.error_code))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_push_telemetry_response_v0}
_PUT = {0: _put_push_telemetry_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> PushTelemetryResponse:
    """The PushTelemetryResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[PushTelemetryResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: PushTelemetryResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: PushTelemetryResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PUSH_TELEMETRY_RESPONSE_SHAPE: Shape = (
    PushTelemetryResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_PUSH_TELEMETRY_RESPONSE_SHAPE, (0, 0), (0, 0))
