# GENERATED from schemas/unregister_broker_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 6a35988dbaced7b9, generator 1.
"""Says whether the registration is gone. Api key 64, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, lengthen_text, long_text, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 64
NAME: Final = "UnregisterBrokerResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class UnregisterBrokerResponse(Message):
    """Says whether the registration is gone."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


_read_ihB = Struct(">ihB").unpack_from
_write_ihB = Struct(">ihB").pack


def _get_unregister_broker_response_v0(buf: bytes, at: int) -> tuple[UnregisterBrokerResponse, int]:
    m = new(UnregisterBrokerResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_unregister_broker_response_v0(out: Parts, m: UnregisterBrokerResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_unregister_broker_response_v0}
_PUT = {0: _put_unregister_broker_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> UnregisterBrokerResponse:
    """The UnregisterBrokerResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UnregisterBrokerResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UnregisterBrokerResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UnregisterBrokerResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_UNREGISTER_BROKER_RESPONSE_SHAPE: Shape = (
    UnregisterBrokerResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, "", False,
            (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_UNREGISTER_BROKER_RESPONSE_SHAPE, (0, 0), (0, 0))
