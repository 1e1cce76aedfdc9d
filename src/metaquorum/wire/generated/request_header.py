# GENERATED from schemas/request_header.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c08082d367d2f1f0, generator 1.
"""Stands before every request; version 0 only ever preceded ControlledShutdown 0. Versions 0-2,
flexible from 2.
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

NAME: Final = "RequestHeader"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class RequestHeader(Message):
    """Stands before every request; version 0 only ever preceded ControlledShutdown 0."""

    __slots__ = (
        "request_api_key", "request_api_version", "correlation_id", "client_id", "unknown_tags",
    )

    def __init__(
        self,
        # Number of the API.
        request_api_key: int = 0,
        # Version of the API.
        request_api_version: int = 0,
        # Number the client picks; the response carries it back.
        correlation_id: int = 0,
        # Name the client gives itself, for quotas and logs; null when it gives none. (v1+)
        client_id: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.request_api_key = request_api_key
        self.request_api_version = request_api_version
        self.correlation_id = correlation_id
        self.client_id = client_id
        self.unknown_tags = unknown_tags


_read_2hi = Struct(">2hi").unpack_from
_read_2hih = Struct(">2hih").unpack_from
_write_2hi = Struct(">2hi").pack
_write_2hih = Struct(">2hih").pack


def _get_request_header_v0(buf: bytes, at: int) -> tuple[RequestHeader, int]:
    m = new(RequestHeader)
    (m.request_api_key, m.request_api_version, m.correlation_id) = _read_2hi(buf, at)
    at += 8
    m.client_id = ""
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_request_header_v1(buf: bytes, at: int) -> tuple[RequestHeader, int]:
    m = new(RequestHeader)
    (m.request_api_key, m.request_api_version, m.correlation_id, n) = _read_2hih(buf, at)
    at += 10
    if n < 0:
        m.client_id = None
    else:
        end = at + n
        m.client_id = buf[at:end].decode()
        at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_request_header_v2(buf: bytes, at: int) -> tuple[RequestHeader, int]:
    m = new(RequestHeader)
    (m.request_api_key, m.request_api_version, m.correlation_id, n) = _read_2hih(buf, at)
    at += 10
    if n < 0:
        m.client_id = None
    else:
        end = at + n
        m.client_id = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_request_header_v0(out: Parts, m: RequestHeader) -> None:
    if m.client_id != "":
        refuse_field("client_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_2hi(m.request_api_key, m.request_api_version, m.correlation_id))


def _put_request_header_v1(out: Parts, m: RequestHeader) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    client_id = b"" if m.client_id is None else m.client_id.encode()
    n = -1 if m.client_id is None else len(client_id)
    out.append(_write_2hih(m.request_api_key, m.request_api_version, m.correlation_id, n))
    out.append(client_id)


def _put_request_header_v2(out: Parts, m: RequestHeader) -> None:
    client_id = b"" if m.client_id is None else m.client_id.encode()
    n = -1 if m.client_id is None else len(client_id)
    out.append(_write_2hih(m.request_api_key, m.request_api_version, m.correlation_id, n))
    out.append(client_id)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_request_header_v0, 1: _get_request_header_v1, 2: _get_request_header_v2}
_PUT = {0: _put_request_header_v0, 1: _put_request_header_v1, 2: _put_request_header_v2}


def decode(buf: Buffer, version: int, at: int = 0) -> RequestHeader:
    """The RequestHeader that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RequestHeader, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RequestHeader, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RequestHeader, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REQUEST_HEADER_SHAPE: Shape = (
    RequestHeader,
    (
        (
            "requestApiKey", "request_api_key", "int16", (0, 2), None, None, None, 0, False, (2, 2),
            None,
        ),
        (
            "requestApiVersion", "request_api_version", "int16", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        (
            "correlationId", "correlation_id", "int32", (0, 2), None, None, None, 0, False, (2, 2),
            None,
        ),
        ("clientId", "client_id", "string", (1, 2), (1, 2), None, None, "", False, None, None),
    ),
)
SHAPE: Shape = (_REQUEST_HEADER_SHAPE, (0, 2), (2, 2))
