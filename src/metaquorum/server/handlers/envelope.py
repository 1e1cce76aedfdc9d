"""Envelope (58): a broker hands on the request of a client that only the controller can serve.

Behaviour
- On controller listeners only, and for brokers (CLUSTER_ACTION). The inner request is served as if
  the client had sent it here: its rights are those of the inner principal and address, never the
  broker's.
- The answer carries the whole inner response with its header. A refusal of the inner request is in
  there, but for NOT_CONTROLLER, which the Envelope itself has: the broker then asks the next one
  (KAFKA-12677).
- An API that brokers may not forward, and an address of other than 4 or 16 bytes, is
  INVALID_REQUEST. A principal that is missing, or not of Kafka's default kind, is
  PRINCIPAL_DESERIALIZATION_FAILURE. A request that cannot be read, or of a version that is not
  served, is UNSUPPORTED_VERSION.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address

from metaquorum.base.errors import PeerError, RequestError
from metaquorum.server.contract.envelopes import FORWARDABLE, Enveloped
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.generated import default_principal_data, error_codes
from metaquorum.wire.generated.default_principal_data import DefaultPrincipalData
from metaquorum.wire.generated.envelope_request import EnvelopeRequest
from metaquorum.wire.generated.envelope_response import EnvelopeResponse
from metaquorum.wire.headers import read_request_header

_ADDRESS_BYTES = (4, 16)
_VERSION_BYTES = 2


def handle(request: Request[EnvelopeRequest], services: Services) -> Enveloped:
    """What is to be served in place of the Envelope."""
    message = request.message
    address, frame = bytes(message.client_host_address), bytes(message.request_data)
    if len(address) not in _ADDRESS_BYTES:
        raise RequestError(
            error_codes.INVALID_REQUEST, f"an address of {len(address)} bytes is none"
        )
    asker = _asker(message.request_principal)
    try:
        header, _ = read_request_header(frame)
    except (PeerError, DecodeError) as error:
        raise RequestError(error_codes.UNSUPPORTED_VERSION, str(error)) from error
    if header.api_key not in FORWARDABLE:
        raise RequestError(
            error_codes.INVALID_REQUEST, f"api key {header.api_key} cannot be forwarded"
        )
    if not services.is_active:
        raise RequestError(error_codes.NOT_CONTROLLER, "this node is not the active controller")
    principal = f"{asker.type}:{asker.name}"
    return Enveloped(frame, principal, str(ip_address(address)), asker.token_authenticated)


def _asker(data: bytes | memoryview | None) -> DefaultPrincipalData:
    """Whose the inner request is."""
    if data is not None and len(data) > _VERSION_BYTES:
        version = int.from_bytes(bytes(data[:_VERSION_BYTES]), "big")
        if version == default_principal_data.HIGHEST_VERSION:
            with suppress(DecodeError):
                return default_principal_data.decode(bytes(data), version, _VERSION_BYTES)
    raise RequestError(
        error_codes.PRINCIPAL_DESERIALIZATION_FAILURE,
        "the principal is not one of Kafka's default principal builder",
    )


def refusal(request: Request[EnvelopeRequest], code: int, reason: str | None) -> EnvelopeResponse:
    """The code of the Envelope itself; there is no inner response."""
    return EnvelopeResponse(response_data=None, error_code=code)
