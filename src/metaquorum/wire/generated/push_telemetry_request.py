# GENERATED from schemas/push_telemetry_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 440270a7f381f11e, generator 1.
"""A client pushes the metrics that the cluster wants (KIP-714). Api key 72, versions 0, flexible
from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_head, long_size, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 72
NAME: Final = "PushTelemetryRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class PushTelemetryRequest(Message):
    """A client pushes the metrics that the cluster wants (KIP-714)."""

    __slots__ = (
        "client_instance_id", "subscription_id", "terminating", "compression_type", "metrics",
        "unknown_tags",
    )

    def __init__(
        self,
        # Id the client got for its lifetime; zeros when it has none.
        client_instance_id: bytes = ZERO_UUID,
        # Stands for the set of metrics that are asked for.
        subscription_id: int = 0,
        # True when the client is about to stop.
        terminating: bool = False,
        # Compression of the metrics.
        compression_type: int = 0,
        # Metrics in the form of OpenTelemetry.
        metrics: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.terminating = terminating
        self.compression_type = compression_type
        self.metrics = metrics
        self.unknown_tags = unknown_tags


_read_16sitbB = Struct(">16si?bB").unpack_from
_write_16sitb = Struct(">16si?b").pack


def _get_push_telemetry_request_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[PushTelemetryRequest, int]:
    m = new(PushTelemetryRequest)
    (
        m.client_instance_id, m.subscription_id, m.terminating, m.compression_type, n,
    ) = _read_16sitbB(buf, at)
    at += 23
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.metrics = view[at:end]
    at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_push_telemetry_request_v0(out: Parts, m: PushTelemetryRequest) -> None:
    if len(m.client_instance_id) != 16:
        refuse_uuid("client_instance_id")
    metrics = m.metrics
    n = len(metrics) + 1
    out.append(_write_16sitb(
        m.client_instance_id, m.subscription_id, m.terminating, m.compression_type,
    ))
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(metrics)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_push_telemetry_request_v0}
_PUT = {0: _put_push_telemetry_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> PushTelemetryRequest:
    """The PushTelemetryRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[PushTelemetryRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: PushTelemetryRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: PushTelemetryRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PUSH_TELEMETRY_REQUEST_SHAPE: Shape = (
    PushTelemetryRequest,
    (
        (
            "clientInstanceId", "client_instance_id", "uuid", (0, 0), None, None, None, ZERO_UUID,
            False, (0, 0), None,
        ),
        (
            "subscriptionId", "subscription_id", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "terminating", "terminating", "bool", (0, 0), None, None, None, False, False, (0, 0),
            None,
        ),
        (
            "compressionType", "compression_type", "int8", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("metrics", "metrics", "bytes", (0, 0), None, None, None, b"", False, (0, 0), None),
    ),
)
SHAPE: Shape = (_PUSH_TELEMETRY_REQUEST_SHAPE, (0, 0), (0, 0))
