"""SaslAuthenticate (36): out of place on a listener without SASL.

Behaviour
- ILLEGAL_SASL_STATE with a sentence that says what to change. The connection stays open.

Version notes
- 1 adds a session lifetime, which is 0 here.
"""

from __future__ import annotations

from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.generated.sasl_authenticate_response import SaslAuthenticateResponse


def handle(request: Request[SaslAuthenticateRequest], house: House) -> SaslAuthenticateResponse:
    """No."""
    listener = request.origin.listener.name
    reason = f"listener {listener} uses no SASL; connect with security.protocol=PLAINTEXT"
    return refusal(request, error_codes.ILLEGAL_SASL_STATE, reason)


def refusal(
    request: Request[SaslAuthenticateRequest], code: int, reason: str | None
) -> SaslAuthenticateResponse:
    """An error and no token."""
    return SaslAuthenticateResponse(error_code=code, error_message=reason)
