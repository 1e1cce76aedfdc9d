"""UpdateFeatures: one command for most features, three steps where kraft.version is among them."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.controller.commands import UpdateFeatures
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import Exchange, PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)
from metaquorum.wire.generated.update_features_response import UpdateFeaturesResponse

GROUPS = FeatureUpdateKey("group.version", 1)
KRAFT = FeatureUpdateKey("kraft.version", 1)
FINE = UpdateFeaturesResponse(error_message=None)


def send(services: Any, *updates: FeatureUpdateKey, validate_only: bool = False) -> Exchange:
    request = UpdateFeaturesRequest(5_000, list(updates), validate_only)
    return PipelineClient(services).send(request, 2)


def test_the_controller_is_asked_with_what_it_must_know():
    services = services_with_eight_records(voters=(1, 2, 3))
    exchange = send(services, GROUPS)
    ((command, deadline),) = services.asked
    assert isinstance(command, UpdateFeatures)
    assert (command.version, command.voter_ids, command.min_insync_replicas) == (2, (2, 3), 1)
    assert (command.node_id, command.kraft_version) == (services.node_id, 1)
    assert command.supported == services.features.supported
    assert deadline == services.clock.now_ms() + 5_000
    services.answers[0].complete(FINE)
    assert exchange.response.error_code == error_codes.NONE


def test_quorum_writes_kraft_version_between_feature_check_and_write():
    services = services_with_eight_records()
    exchange = send(services, GROUPS, KRAFT)
    (check, _) = services.asked[0]
    assert check.request.validate_only and len(check.request.feature_updates) == 2
    services.answers[0].complete(FINE)
    assert services.asked[1] == ("kraft.version", 1, False)
    services.answers[1].complete((error_codes.NONE, ""))
    (write, _) = services.asked[2]
    assert not write.request.validate_only
    assert exchange.delivered is None
    services.answers[2].complete(FINE)
    assert exchange.response.error_code == error_codes.NONE


@pytest.mark.parametrize("step", [0, 1, 2])
def test_the_first_refusal_is_the_answer_and_nothing_follows(step: int):
    services = services_with_eight_records()
    exchange = send(services, KRAFT)
    for number in range(step):
        services.answers[number].complete((0, "") if number == 1 else FINE)
    services.answers[step].fail(RequestError(error_codes.NOT_CONTROLLER, "no more"))
    assert exchange.response.error_code == 41
    assert exchange.response.error_message == "no more; no other node leads yet"
    assert len(services.asked) == step + 1


def test_what_the_quorum_says_against_it_is_told():
    services = services_with_eight_records()
    exchange = send(services, KRAFT)
    services.answers[0].complete(FINE)
    services.answers[1].complete((error_codes.INVALID_UPDATE_VERSION, "not all voters can"))
    assert (exchange.response.error_code, exchange.response.error_message) == (
        error_codes.INVALID_UPDATE_VERSION,
        "not all voters can",
    )
    assert len(services.asked) == 2


def test_only_validating_asks_the_quorum_to_validate_too():
    services = services_with_eight_records()
    send(services, KRAFT, validate_only=True)
    services.answers[0].complete(FINE)
    assert services.asked[1] == ("kraft.version", 1, True)


def test_an_asker_that_hung_up_stops_what_is_under_way():
    services = services_with_eight_records()
    exchange = send(services, KRAFT)
    services.answers[0].complete(FINE)
    assert exchange.parked is not None
    exchange.parked.cancel()
    assert services.answers[1].cancelled
