"""SASL on a listener without SASL: told so, and nothing breaks."""

from __future__ import annotations

import pytest

from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest

ILLEGAL_SASL_STATE = 34


@pytest.mark.parametrize("version", range(2))
def test_a_handshake_is_out_of_place(version):
    response = PipelineClient(services_with_eight_records()).ask(
        SaslHandshakeRequest("PLAIN"), version
    )
    assert (response.error_code, list(response.mechanisms)) == (ILLEGAL_SASL_STATE, [])


@pytest.mark.parametrize("version", range(3))
def test_credentials_without_sasl_are_refused_with_the_setting_to_fix(version):
    response = PipelineClient(services_with_eight_records()).ask(
        SaslAuthenticateRequest(b"\0u\0p"), version
    )
    assert response.error_code == ILLEGAL_SASL_STATE
    assert "security.protocol=PLAINTEXT" in response.error_message
    assert bytes(response.auth_bytes) == b""
