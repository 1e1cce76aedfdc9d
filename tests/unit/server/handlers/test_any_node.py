"""What only the leader answers: forwarded for clients, refused between controllers."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.controller.commands import (
    AlterClientQuotas,
    RegisterController,
    UnregisterController,
)
from metaquorum.server.contract.api import SITES
from metaquorum.server.contract.site import Site
from metaquorum.testing.fake_house import house_of_eight, plain_config
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import controller_registration_request as registration_form
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest
from metaquorum.wire.generated.alter_client_quotas_response import AlterClientQuotasResponse
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
FORWARDED = [site for site in SITES if site.forwards]


def house(**changes: Any) -> Any:
    return house_of_eight(config=plain_config(BOTH), **changes)


def empty_request(site: Site) -> Any:
    """The API's request with every field at its default."""
    codec: Any = request_codec(site.key)
    return getattr(codec, codec.NAME)()


def test_changes_and_questions_for_the_leader_are_forwarded():
    assert {49, 55, 94} <= {site.key for site in FORWARDED}


@pytest.mark.parametrize("site", FORWARDED, ids=lambda site: site.name)
def test_a_client_of_any_node_gets_the_leaders_answer(site):
    follower = house(leading=ELSEWHERE)
    message = empty_request(site)
    exchange = PipelineClient(follower, "PLAINTEXT").send(message, site.highest)
    (asked,) = follower.asked
    assert asked[:5] == ("forward", site.key, site.highest, message, "test")
    assert asked[5] > follower.clock.now_ms()
    assert exchange.delivered is None


@pytest.mark.parametrize("site", FORWARDED, ids=lambda site: site.name)
def test_between_controllers_and_at_the_leader_nothing_is_forwarded(site):
    message = empty_request(site)
    for node, listener in (
        (house(leading=ELSEWHERE), "CONTROLLER"),
        (house(), "PLAINTEXT"),
        (house_of_eight(leading=ELSEWHERE), "CONTROLLER"),
    ):
        PipelineClient(node, listener).send(message, site.highest)
        assert [asked for asked in node.asked if asked[0] == "forward"] == []


def test_what_the_leader_said_is_said_again():
    follower = house(leading=ELSEWHERE)
    exchange = PipelineClient(follower, "PLAINTEXT").send(AlterClientQuotasRequest([], False), 1)
    follower.answers[-1].complete(AlterClientQuotasResponse(throttle_time_ms=7))
    assert exchange.response.throttle_time_ms == 7


def test_a_leader_that_cannot_be_asked_is_an_error_where_clients_look_for_it():
    follower = house(leading=ELSEWHERE)
    request = UnregisterControllerRequest(3)
    exchange = PipelineClient(follower, "PLAINTEXT").send(request, 0)
    follower.answers[-1].fail(RequestError(error_codes.REQUEST_TIMED_OUT, "nobody leads"))
    response = exchange.response
    assert (response.error_code, response.error_message) == (7, "nobody leads")


def test_a_registration_goes_to_the_controller_and_comes_back():
    node = house()
    message = ControllerRegistrationRequest(
        2, bytes(range(16)), False, [registration_form.Listener("CONTROLLER", "a", 1, 0)], []
    )
    exchange = PipelineClient(node).send(message, 0)
    ((command, deadline),) = node.asked
    assert command == RegisterController(message)
    assert deadline == node.clock.now_ms() + 30_000
    node.answers[-1].complete(ControllerRegistrationResponse())
    assert exchange.response.error_code == error_codes.NONE


def test_a_registration_is_refused_by_a_node_that_is_not_the_active_controller():
    node = house(leading=ELSEWHERE)
    exchange = PipelineClient(node).send(ControllerRegistrationRequest(2), 0)
    node.answers[-1].fail(RequestError(error_codes.NOT_CONTROLLER, "node 2 is"))
    assert exchange.response.error_code == error_codes.NOT_CONTROLLER


def test_registrations_are_taken_on_controller_listeners_only():
    served = PipelineClient(house(), "PLAINTEXT").origin.listener.sites
    assert 70 not in served and 94 in served


def test_the_controller_is_told_which_id_is_its_own():
    node = house()
    exchange = PipelineClient(node, "PLAINTEXT").send(UnregisterControllerRequest(3), 0)
    command = node.asked[0][0]
    assert isinstance(command, UnregisterController)
    assert (command.request.controller_id, command.active_id) == (3, 1)
    node.answers[-1].complete(UnregisterControllerResponse())
    assert exchange.response.error_code == 0


def test_a_change_is_planned_by_the_active_controller():
    node = house()
    PipelineClient(node, "PLAINTEXT").send(AlterClientQuotasRequest([], False), 1)
    assert isinstance(node.asked[0][0], AlterClientQuotas)
