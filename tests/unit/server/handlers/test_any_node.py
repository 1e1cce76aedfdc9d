"""What only the leader answers: forwarded for clients, refused between controllers."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.controller.commands import (
    AlterClientQuotas,
    RegisterController,
    UnregisterController,
)
from metaquorum.server.access.authorise import Right
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.contract.api_row import ApiRow
from metaquorum.testing.fake_services import plain_config, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.enveloping import Asker
from metaquorum.wire.generated import controller_registration_request as registration_form
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest
from metaquorum.wire.generated.alter_client_quotas_response import AlterClientQuotasResponse
from metaquorum.wire.generated.alter_configs_request import (
    AlterConfigsRequest,
    AlterConfigsResource,
)
from metaquorum.wire.generated.controller_registration_request import (
    ControllerRegistrationRequest,
)
from metaquorum.wire.generated.controller_registration_response import (
    ControllerRegistrationResponse,
)
from metaquorum.wire.generated.index import request_codec
from metaquorum.wire.generated.unregister_controller_request import UnregisterControllerRequest
from metaquorum.wire.generated.unregister_controller_response import UnregisterControllerResponse

BOTH = "CONTROLLER://127.0.0.1:0,PLAINTEXT://127.0.0.1:0"
ELSEWHERE = LeaderAndEpoch(2, 3)
FORWARDED = [api_row for api_row in API_ROWS if api_row.forwards]


def services(**changes: Any) -> Any:
    return services_with_eight_records(config=plain_config(BOTH), **changes)


def empty_request(api_row: ApiRow) -> Any:
    """The API's request with every field at its default."""
    codec: Any = request_codec(api_row.key)
    return getattr(codec, codec.NAME)()


def test_changes_and_questions_for_the_leader_are_forwarded():
    assert {49, 55, 94} <= {api_row.key for api_row in FORWARDED}


def client(node: Any, listener: str) -> PipelineClient:
    """One that has proved to be anna, and not by a token."""
    made = PipelineClient(node, listener)
    made.origin = evolve(made.origin, host="10.0.0.9", forwarded_for="User:anna")
    return made


@pytest.mark.parametrize("api_row", FORWARDED, ids=lambda api_row: api_row.name)
def test_a_client_of_any_node_gets_the_leaders_answer(api_row):
    follower = services(leading=ELSEWHERE)
    message = empty_request(api_row)
    exchange = client(follower, "PLAINTEXT").send(message, api_row.highest)
    (asked,) = follower.asked
    assert asked[:5] == ("forward", api_row.key, api_row.highest, message, "test")
    assert (asked[6] is not None) == (api_row.right is Right.ROWS)
    assert asked[5] > follower.clock.now_ms()
    assert exchange.delivered is None


@pytest.mark.parametrize("api_row", FORWARDED, ids=lambda api_row: api_row.name)
def test_between_controllers_and_at_the_leader_nothing_is_forwarded(api_row):
    message = empty_request(api_row)
    for node, listener in (
        (services(leading=ELSEWHERE), "CONTROLLER"),
        (services(), "PLAINTEXT"),
        (services_with_eight_records(leading=ELSEWHERE), "CONTROLLER"),
    ):
        client(node, listener).send(message, api_row.highest)
        assert [asked for asked in node.asked if asked[0] == "forward"] == []


@pytest.mark.parametrize("by_token", [False, True])
def test_where_rows_have_rights_the_leader_is_told_whose_they_are(by_token: bool) -> None:
    follower = services(leading=ELSEWHERE)
    asker = client(follower, "PLAINTEXT")
    asker.origin = evolve(asker.origin, forwarded_by_token=by_token)
    asker.send(AlterConfigsRequest([AlterConfigsResource(2, "t")]), 2)
    assert follower.asked[0][6] == Asker("User:anna", "10.0.0.9", by_token)


def test_what_the_leader_said_is_said_again():
    follower = services(leading=ELSEWHERE)
    exchange = PipelineClient(follower, "PLAINTEXT").send(AlterClientQuotasRequest([], False), 1)
    follower.answers[-1].complete(AlterClientQuotasResponse(throttle_time_ms=7))
    assert exchange.response.throttle_time_ms == 7


def test_a_leader_that_cannot_be_asked_is_reported_in_the_error_code():
    follower = services(leading=ELSEWHERE)
    request = UnregisterControllerRequest(3)
    exchange = PipelineClient(follower, "PLAINTEXT").send(request, 0)
    follower.answers[-1].fail(RequestError(error_codes.REQUEST_TIMED_OUT, "nobody leads"))
    response = exchange.response
    assert (response.error_code, response.error_message) == (7, "nobody leads")


def test_a_registration_goes_to_the_controller_and_comes_back():
    node = services()
    message = ControllerRegistrationRequest(
        2, bytes(range(16)), False, [registration_form.Listener("CONTROLLER", "a", 1, 0)], []
    )
    exchange = PipelineClient(node).send(message, 0)
    ((command, deadline),) = node.asked
    assert command == RegisterController(message)
    assert deadline == node.clock.now_ms() + 30_000
    node.answers[-1].complete(ControllerRegistrationResponse())
    assert exchange.response.error_code == error_codes.NONE


def test_a_node_that_is_not_active_controller_refuses_a_registration():
    node = services(leading=ELSEWHERE)
    exchange = PipelineClient(node).send(ControllerRegistrationRequest(2), 0)
    node.answers[-1].fail(RequestError(error_codes.NOT_CONTROLLER, "node 2 is"))
    assert exchange.response.error_code == error_codes.NOT_CONTROLLER


def test_registrations_are_taken_on_controller_listeners_only():
    served = PipelineClient(services(), "PLAINTEXT").origin.listener.api_rows
    assert 70 not in served and 94 in served


def test_the_controller_is_told_which_id_is_its_own():
    node = services()
    exchange = PipelineClient(node, "PLAINTEXT").send(UnregisterControllerRequest(3), 0)
    command = node.asked[0][0]
    assert isinstance(command, UnregisterController)
    assert (command.request.controller_id, command.active_id) == (3, 1)
    node.answers[-1].complete(UnregisterControllerResponse())
    assert exchange.response.error_code == 0


def test_a_change_is_planned_by_the_active_controller():
    node = services()
    PipelineClient(node, "PLAINTEXT").send(AlterClientQuotasRequest([], False), 1)
    assert isinstance(node.asked[0][0], AlterClientQuotas)
