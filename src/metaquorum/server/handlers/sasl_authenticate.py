"""SaslAuthenticate (36): the tokens of the mechanism that the handshake chose.

Behaviour
- On a listener with SASL: the server's token, and with the last one for how long the session is
  good. SASL_AUTHENTICATION_FAILED, in the same words whatever was wrong, is held back for
  ``connection.failed.authentication.delay.ms``, and then the connection is closed; so is it after
  ILLEGAL_SASL_STATE for a token before the handshake.
- On a listener without: ILLEGAL_SASL_STATE with a sentence that says what to change. The
  connection stays open.

Version notes
- 1 adds the session's lifetime, which is 0 where nobody has to authenticate again.
"""

from __future__ import annotations

from typing import Final

from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.access.sasl_session import FAILED_TEXT
from metaquorum.server.contract.delays import delayed
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.generated.sasl_authenticate_response import SaslAuthenticateResponse

_LIFETIME_FROM: Final = 1


def handle(
    request: Request[SaslAuthenticateRequest], services: Services
) -> SaslAuthenticateResponse | Promise[SaslAuthenticateResponse]:
    """The next token, or that it failed."""
    session = request.origin.sasl
    if session is None:
        listener = request.origin.listener.name
        reason = f"listener {listener} uses no SASL; connect with security.protocol=PLAINTEXT"
        return refusal(request, error_codes.ILLEGAL_SASL_STATE, reason)
    token = bytes(request.message.auth_bytes)
    code, reply_token, lifetime_ms = session.authenticate(token, request.received_at_ms)
    if code == error_codes.SASL_AUTHENTICATION_FAILED:
        answer = refusal(request, code, FAILED_TEXT)
        return delayed(services, answer, session.settings.failure_delay_ms)
    if code:
        return refusal(request, code, "authenticate after a handshake, and once")
    return SaslAuthenticateResponse(
        auth_bytes=reply_token,
        session_lifetime_ms=lifetime_ms if request.version >= _LIFETIME_FROM else 0,
        error_message=None,
    )


def refusal(
    request: Request[SaslAuthenticateRequest], code: int, reason: str | None
) -> SaslAuthenticateResponse:
    """An error and no token."""
    return SaslAuthenticateResponse(error_code=code, error_message=reason)
