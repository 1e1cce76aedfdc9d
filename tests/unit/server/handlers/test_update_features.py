"""UpdateFeatures: one command for most features, three steps where kraft.version is among them."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.controller.commands import UpdateFeatures
from metaquorum.testing.fake_house import house_of_eight
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


def send(house: Any, *updates: FeatureUpdateKey, validate_only: bool = False) -> Exchange:
    request = UpdateFeaturesRequest(5_000, list(updates), validate_only)
    return PipelineClient(house).send(request, 2)


def test_the_controller_is_asked_with_what_it_must_know():
    house = house_of_eight(voters=(1, 2))
    exchange = send(house, GROUPS)
    ((command, deadline),) = house.asked
    assert isinstance(command, UpdateFeatures)
    assert (command.version, command.voter_ids, command.min_insync_replicas) == (2, (1, 2), 1)
    assert command.supported == house.features.supported
    assert deadline == house.clock.now_ms() + 5_000
    house.answers[0].complete(FINE)
    assert exchange.response.error_code == error_codes.NONE


def test_kraft_version_is_written_by_the_quorum_between_check_and_writing_of_the_others():
    house = house_of_eight()
    exchange = send(house, GROUPS, KRAFT)
    (check, _) = house.asked[0]
    assert check.request.validate_only and len(check.request.feature_updates) == 2
    house.answers[0].complete(FINE)
    assert house.asked[1] == ("kraft.version", 1, False)
    house.answers[1].complete((error_codes.NONE, ""))
    (write, _) = house.asked[2]
    assert not write.request.validate_only
    assert exchange.delivered is None
    house.answers[2].complete(FINE)
    assert exchange.response.error_code == error_codes.NONE


@pytest.mark.parametrize("step", [0, 1, 2])
def test_the_first_refusal_is_the_answer_and_nothing_follows(step: int):
    house = house_of_eight()
    exchange = send(house, KRAFT)
    for number in range(step):
        house.answers[number].complete((0, "") if number == 1 else FINE)
    house.answers[step].fail(RequestError(error_codes.NOT_CONTROLLER, "no more"))
    assert exchange.response.error_code == 41
    assert exchange.response.error_message == "no more; no other node leads yet"
    assert len(house.asked) == step + 1


def test_what_the_quorum_says_against_it_is_told():
    house = house_of_eight()
    exchange = send(house, KRAFT)
    house.answers[0].complete(FINE)
    house.answers[1].complete((error_codes.INVALID_UPDATE_VERSION, "not all voters can"))
    assert (exchange.response.error_code, exchange.response.error_message) == (
        error_codes.INVALID_UPDATE_VERSION,
        "not all voters can",
    )
    assert len(house.asked) == 2


def test_only_validating_asks_the_quorum_to_validate_too():
    house = house_of_eight()
    send(house, KRAFT, validate_only=True)
    house.answers[0].complete(FINE)
    assert house.asked[1] == ("kraft.version", 1, True)


def test_an_asker_that_hung_up_stops_what_is_under_way():
    house = house_of_eight()
    exchange = send(house, KRAFT)
    house.answers[0].complete(FINE)
    assert exchange.parked is not None
    exchange.parked.cancel()
    assert house.answers[1].cancelled
