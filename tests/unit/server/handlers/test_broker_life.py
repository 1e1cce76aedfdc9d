"""BrokerRegistration, BrokerHeartbeat and UnregisterBroker: what the controller is asked."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import BrokerHeartbeat, RegisterBroker, UnregisterBroker
from metaquorum.testing.fake_services import CLUSTER_ID, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.broker_heartbeat_response import BrokerHeartbeatResponse
from metaquorum.wire.generated.broker_registration_request import BrokerRegistrationRequest
from metaquorum.wire.generated.broker_registration_response import BrokerRegistrationResponse
from metaquorum.wire.generated.unregister_broker_request import UnregisterBrokerRequest
from metaquorum.wire.generated.unregister_broker_response import UnregisterBrokerResponse

REQUESTS = [
    *(("registration", version) for version in range(5)),
    *(("heartbeat", version) for version in range(3)),
    ("unregistration", 0),
]
MESSAGES: dict[str, Any] = {
    "registration": BrokerRegistrationRequest(100, CLUSTER_ID, rack=None),
    "heartbeat": BrokerHeartbeatRequest(100, 7, 9),
    "unregistration": UnregisterBrokerRequest(100),
}
REPLIES: dict[str, Any] = {
    "registration": BrokerRegistrationResponse(broker_epoch=7),
    "heartbeat": BrokerHeartbeatResponse(is_caught_up=True, is_fenced=False),
    "unregistration": UnregisterBrokerResponse(error_message=None),
}


def send(services: Any, kind: str, version: int) -> Any:
    return PipelineClient(services).send(MESSAGES[kind], version)


@pytest.mark.parametrize(("kind", "version"), REQUESTS)
def test_controllers_reply_is_the_answer(kind: str, version: int) -> None:
    services = services_with_eight_records()
    exchange = send(services, kind, version)
    assert exchange.delivered is None
    services.answers[0].complete(REPLIES[kind])
    assert exchange.response == REPLIES[kind]


@pytest.mark.parametrize(("kind", "version"), REQUESTS)
def test_controllers_refusal_is_the_answers_code(kind: str, version: int) -> None:
    services = services_with_eight_records()
    exchange = send(services, kind, version)
    services.answers[0].fail(RequestError(error_codes.BROKER_ID_NOT_REGISTERED, "no such broker"))
    assert exchange.response.error_code == error_codes.BROKER_ID_NOT_REGISTERED


def test_refused_heartbeat_leaves_the_broker_fenced() -> None:
    services = services_with_eight_records()
    exchange = send(services, "heartbeat", 2)
    services.answers[0].fail(RequestError(error_codes.STALE_BROKER_EPOCH, "another epoch"))
    reply = exchange.response
    assert (reply.is_caught_up, reply.is_fenced, reply.should_shut_down) == (False, True, False)


def test_registration_comes_with_what_no_record_tells() -> None:
    services = services_with_eight_records()
    send(services, "registration", 4)
    ((command, deadline),) = services.asked
    assert isinstance(command, RegisterBroker)
    assert command.cluster_id == CLUSTER_ID
    assert command.kraft_version == services.features.finalized.get("kraft.version", 0)
    assert deadline == services.clock.now_ms() + ADMIN_REQUEST_MS


def test_heartbeat_waits_for_half_its_interval() -> None:
    services = services_with_eight_records()
    send(services, "heartbeat", 2)
    ((command, deadline),) = services.asked
    assert isinstance(command, BrokerHeartbeat)
    assert deadline == services.clock.now_ms() + 1_000


def test_unregistration_names_the_broker() -> None:
    services = services_with_eight_records()
    send(services, "unregistration", 0)
    ((command, _),) = services.asked
    assert isinstance(command, UnregisterBroker) and command.request.broker_id == 100
