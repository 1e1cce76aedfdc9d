# GENERATED from schemas/get_telemetry_subscriptions_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5abf46038b37db46, generator 1.
"""A client asks which of its metrics the cluster wants (KIP-714). Api key 71, versions 0, flexible
from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 71
NAME: Final = "GetTelemetrySubscriptionsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class GetTelemetrySubscriptionsRequest(Message):
    """A client asks which of its metrics the cluster wants (KIP-714)."""

    __slots__ = ("client_instance_id", "unknown_tags")

    def __init__(
        self,
        # Id the client got for its lifetime; zeros when it has none.
        client_instance_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.client_instance_id = client_instance_id
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_write_16sx = Struct(">16sx").pack


def _get_get_telemetry_subscriptions_request_v0(
    buf: bytes, at: int,
) -> tuple[GetTelemetrySubscriptionsRequest, int]:
    m = new(GetTelemetrySubscriptionsRequest)
    (m.client_instance_id, tags) = _read_16sB(buf, at)
    at += 17
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_get_telemetry_subscriptions_request_v0(
    out: Parts, m: GetTelemetrySubscriptionsRequest,
) -> None:
    if len(m.client_instance_id) != 16:
        refuse_uuid("client_instance_id")
    out.append(_write_16sx(m.client_instance_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_get_telemetry_subscriptions_request_v0}
_PUT = {0: _put_get_telemetry_subscriptions_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> GetTelemetrySubscriptionsRequest:
    """The GetTelemetrySubscriptionsRequest that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[GetTelemetrySubscriptionsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: GetTelemetrySubscriptionsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: GetTelemetrySubscriptionsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_GET_TELEMETRY_SUBSCRIPTIONS_REQUEST_SHAPE: Shape = (
    GetTelemetrySubscriptionsRequest,
    (
        (
            "clientInstanceId", "client_instance_id", "uuid", (0, 0), None, None, None, ZERO_UUID,
            False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_GET_TELEMETRY_SUBSCRIPTIONS_REQUEST_SHAPE, (0, 0), (0, 0))
