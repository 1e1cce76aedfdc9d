"""What a leader asks a voter to be, and what it reads out of the answer."""

from __future__ import annotations

import pytest

from metaquorum.quorum import adapt
from metaquorum.quorum.messages import ApiVersionsRequest, ApiVersionsResponse
from metaquorum.wire.generated import api_versions_request, api_versions_response

Feature = api_versions_response.SupportedFeatureKey


@pytest.mark.parametrize("version", [3, 4, 5])
def test_the_question_names_our_software_and_no_cluster(version: int) -> None:
    assert adapt.api_key_of(ApiVersionsRequest()) == 18
    wire = adapt.write_request(version, ApiVersionsRequest(), "a cluster")
    sent = api_versions_request.decode(api_versions_request.encode(wire, version), version)
    assert sent.client_software_name == "metaquorum"
    assert sent.cluster_id is None


@pytest.mark.parametrize(
    ("error", "features", "told"),
    [
        (0, [Feature("kraft.version", 0, 1)], ApiVersionsResponse(0, (0, 1))),
        (0, [Feature("metadata.version", 7, 30)], ApiVersionsResponse(0, None)),
        (35, [Feature("kraft.version", 0, 1)], ApiVersionsResponse(35, None)),
    ],
    ids=["supported", "not named", "refused"],
)
def test_the_range_of_kraft_version_is_read_out_of_the_answer(
    error: int, features: list[Feature], told: ApiVersionsResponse
) -> None:
    wire = api_versions_response.ApiVersionsResponse(error_code=error, supported_features=features)
    version = 4
    given = api_versions_response.decode(api_versions_response.encode(wire, version), version)
    assert adapt.read_response(18, version, given, "CONTROLLER") == told
