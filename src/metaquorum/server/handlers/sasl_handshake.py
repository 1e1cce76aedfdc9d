"""SaslHandshake (17): out of place on a listener without SASL.

Behaviour
- The connection is as authenticated as it will get, so the answer is ILLEGAL_SASL_STATE without
  mechanisms, as Kafka's on a PLAINTEXT listener. The connection stays open.

Version notes
- 0 would send raw tokens afterwards, 1 wraps them in SaslAuthenticate; the answer is the same.
"""

from __future__ import annotations

from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest
from metaquorum.wire.generated.sasl_handshake_response import SaslHandshakeResponse


def handle(request: Request[SaslHandshakeRequest], house: House) -> SaslHandshakeResponse:
    """No."""
    return refusal(request, error_codes.ILLEGAL_SASL_STATE, None)


def refusal(
    request: Request[SaslHandshakeRequest], code: int, reason: str | None
) -> SaslHandshakeResponse:
    """An error and no mechanisms."""
    return SaslHandshakeResponse(error_code=code)
