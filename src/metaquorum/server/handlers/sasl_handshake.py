"""SaslHandshake (17): which mechanism the client authenticates by.

Behaviour
- On a listener with SASL: no error and the mechanisms that are offered, or
  UNSUPPORTED_SASL_MECHANISM with them; ILLEGAL_SASL_STATE out of turn. After an error the
  connection is closed. What is in turn when: ``server.sasl_session``.
- On a listener without: the connection is as authenticated as it will get, so the answer is
  ILLEGAL_SASL_STATE without mechanisms, as Kafka's on a PLAINTEXT listener. The connection stays
  open.

Version notes
- 0 sends raw tokens afterwards, frames without headers; 1 wraps them in SaslAuthenticate.
"""

from __future__ import annotations

from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest
from metaquorum.wire.generated.sasl_handshake_response import SaslHandshakeResponse


def handle(request: Request[SaslHandshakeRequest], services: Services) -> SaslHandshakeResponse:
    """The mechanisms, and whether the one that was named is among them."""
    session = request.origin.sasl
    if session is None:
        return refusal(request, error_codes.ILLEGAL_SASL_STATE, None)
    code = session.handshake(request.message.mechanism, request.version, request.received_at_ms)
    return SaslHandshakeResponse(code, list(session.settings.mechanisms))


def refusal(
    request: Request[SaslHandshakeRequest], code: int, reason: str | None
) -> SaslHandshakeResponse:
    """An error and no mechanisms."""
    return SaslHandshakeResponse(error_code=code)
