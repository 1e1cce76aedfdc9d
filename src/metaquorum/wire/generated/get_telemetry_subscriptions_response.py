# GENERATED from schemas/get_telemetry_subscriptions_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 bbe00461f35b336b, generator 1.
"""Tells the client which metrics to push, how and how often. Api key 71, versions 0, flexible from
0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, long_count, put_compact_texts, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 71
NAME: Final = "GetTelemetrySubscriptionsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class GetTelemetrySubscriptionsResponse(Message):
    """Tells the client which metrics to push, how and how often."""

    __slots__ = (
        "throttle_time_ms", "error_code", "client_instance_id", "subscription_id",
        "accepted_compression_types", "push_interval_ms", "telemetry_max_bytes",
        "delta_temporality", "requested_metrics", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Id the client got for its lifetime; zeros when it has none.
        client_instance_id: bytes = ZERO_UUID,
        # Stands for the set of metrics that are asked for.
        subscription_id: int = 0,
        # Compressions the server reads, the preferred one first.
        accepted_compression_types: Sequence[int] = (),
        # Milliseconds between two pushes.
        push_interval_ms: int = 0,
        # Most bytes of one push.
        telemetry_max_bytes: int = 0,
        # True for changes since the last push, false for totals.
        delta_temporality: bool = False,
        # Prefixes of the names of metrics; one empty prefix asks for all.
        requested_metrics: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.accepted_compression_types: Sequence[int] = (
            [] if accepted_compression_types == () else accepted_compression_types
        )
        self.push_interval_ms = push_interval_ms
        self.telemetry_max_bytes = telemetry_max_bytes
        self.delta_temporality = delta_temporality
        self.requested_metrics: Sequence[str] = [] if requested_metrics == () else requested_metrics
        self.unknown_tags = unknown_tags


_read_array_cb_2itB = ArrayReads("b", "2i?B", 1)
_read_ih16siB = Struct(">ih16siB").unpack_from
_write_ih16siB_many_b_2itB = ArrayWrites("ih16siB *b ii?B")


def _get_get_telemetry_subscriptions_response_v0(
    buf: bytes, at: int,
) -> tuple[GetTelemetrySubscriptionsResponse, int]:
    m = new(GetTelemetrySubscriptionsResponse)
    (
        m.throttle_time_ms, m.error_code, m.client_instance_id, m.subscription_id,
        n_accepted_compression_types,
    ) = _read_ih16siB(buf, at)
    at += 27
    if n_accepted_compression_types > 127:
        n_accepted_compression_types, at = long_count(buf, at, 1)
    (
        *m.accepted_compression_types, m.push_interval_ms, m.telemetry_max_bytes,
        m.delta_temporality, n,
    ) = _read_array_cb_2itB[n_accepted_compression_types](buf, at)
    at += n_accepted_compression_types + 9
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.requested_metrics, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_get_telemetry_subscriptions_response_v0(
    out: Parts, m: GetTelemetrySubscriptionsResponse,
) -> None:
    if len(m.client_instance_id) != 16:
        refuse_uuid("client_instance_id")
    accepted_compression_types = m.accepted_compression_types
    n_accepted_compression_types = len(accepted_compression_types)
    requested_metrics = m.requested_metrics
    n = len(requested_metrics) + 1
    write = _write_ih16siB_many_b_2itB[n_accepted_compression_types]
    out.append(write(
        m.throttle_time_ms, m.error_code, m.client_instance_id, m.subscription_id,
        n_accepted_compression_types + 1, *accepted_compression_types, m.push_interval_ms,
        m.telemetry_max_bytes, m.delta_temporality, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    put_compact_texts(out, requested_metrics)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_get_telemetry_subscriptions_response_v0}
_PUT = {0: _put_get_telemetry_subscriptions_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> GetTelemetrySubscriptionsResponse:
    """The GetTelemetrySubscriptionsResponse that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[GetTelemetrySubscriptionsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: GetTelemetrySubscriptionsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: GetTelemetrySubscriptionsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_GET_TELEMETRY_SUBSCRIPTIONS_RESPONSE_SHAPE: Shape = (
    GetTelemetrySubscriptionsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "clientInstanceId", "client_instance_id", "uuid", (0, 0), None, None, None, ZERO_UUID,
            False, (0, 0), None,
        ),
        (
            "subscriptionId", "subscription_id", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "acceptedCompressionTypes", "accepted_compression_types", "[]int8", (0, 0), None, None,
            None, (), False, (0, 0), None,
        ),
        (
            "pushIntervalMs", "push_interval_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "telemetryMaxBytes", "telemetry_max_bytes", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "deltaTemporality", "delta_temporality", "bool", (0, 0), None, None, None, False, False,
            (0, 0), None,
        ),
        (
            "requestedMetrics", "requested_metrics", "[]string", (0, 0), None, None, None, (),
            False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_GET_TELEMETRY_SUBSCRIPTIONS_RESPONSE_SHAPE, (0, 0), (0, 0))
