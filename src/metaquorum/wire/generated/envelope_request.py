# GENERATED from schemas/envelope_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 79c22195f8a5e363, generator 1.
"""Carries a client's request from a broker to the controller (KIP-590). Api key 58, versions 0,
flexible from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_head, long_size, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 58
NAME: Final = "EnvelopeRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class EnvelopeRequest(Message):
    """Carries a client's request from a broker to the controller (KIP-590)."""

    __slots__ = ("request_data", "request_principal", "client_host_address", "unknown_tags")

    def __init__(
        self,
        # The request with its header.
        request_data: Buffer = b"",
        # The client's principal; null when there is none.
        request_principal: Buffer | None = b"",
        # Address of the client, four or sixteen bytes.
        client_host_address: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.request_data = request_data
        self.request_principal = request_principal
        self.client_host_address = client_host_address
        self.unknown_tags = unknown_tags




def _get_envelope_request_v0(buf: bytes, view: memoryview, at: int) -> tuple[EnvelopeRequest, int]:
    m = new(EnvelopeRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.request_data = view[at:end]
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.request_principal = None
    else:
        if n > 127:
            if 0 < buf[at] < 128:
                n += (buf[at] << 7) - 128
                at += 1
            else:
                n, at = long_size(buf, at)
        end = at + n - 1
        m.request_principal = view[at:end]
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.client_host_address = view[at:end]
    at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_envelope_request_v0(out: Parts, m: EnvelopeRequest) -> None:
    request_data = m.request_data
    n = len(request_data) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(request_data)
    request_principal = m.request_principal
    n = 0 if request_principal is None else len(request_principal) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if request_principal is not None:
        out.append(request_principal)
    client_host_address = m.client_host_address
    n = len(client_host_address) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(client_host_address)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_envelope_request_v0}
_PUT = {0: _put_envelope_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> EnvelopeRequest:
    """The EnvelopeRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[EnvelopeRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: EnvelopeRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: EnvelopeRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ENVELOPE_REQUEST_SHAPE: Shape = (
    EnvelopeRequest,
    (
        (
            "requestData", "request_data", "bytes", (0, 0), None, None, None, b"", False, (0, 0),
            None,
        ),
        (
            "requestPrincipal", "request_principal", "bytes", (0, 0), (0, 0), None, None, b"",
            False, (0, 0), None,
        ),
        (
            "clientHostAddress", "client_host_address", "bytes", (0, 0), None, None, None, b"",
            False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_ENVELOPE_REQUEST_SHAPE, (0, 0), (0, 0))
