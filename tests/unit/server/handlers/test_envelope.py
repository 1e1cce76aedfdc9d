"""Requests that brokers hand on: served for the client, with the client's rights."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.metadata.state import MetadataState
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.contract.envelopes import FORWARDABLE
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient, decoded_answer, request_frame
from metaquorum.wire.generated import default_principal_data, error_codes
from metaquorum.wire.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from metaquorum.wire.generated.create_topics_response import (
    CreatableTopicResult,
    CreateTopicsResponse,
)
from metaquorum.wire.generated.default_principal_data import DefaultPrincipalData
from metaquorum.wire.generated.describe_acls_request import DescribeAclsRequest
from metaquorum.wire.generated.envelope_request import EnvelopeRequest
from metaquorum.wire.generated.metadata_request import MetadataRequest

CREATE_TOPICS, VERSION = 19, 7
LOOPBACK = bytes((127, 0, 0, 9))
CREATION = CreateTopicsRequest([CreatableTopic("a", 1, 1)], 5_000)


def principal(name: str = "anna", kind: str = "User", version: int = 0) -> bytes:
    data = default_principal_data.encode(DefaultPrincipalData(kind, name), 0)
    return version.to_bytes(2, "big") + bytes(data)


def envelope(inner: bytes | None = None, **fields: Any) -> EnvelopeRequest:
    frame = request_frame(CREATION, VERSION, correlation=77) if inner is None else inner
    given = {"request_principal": principal(), "client_host_address": LOOPBACK} | fields
    return EnvelopeRequest(request_data=frame, **given)


@pytest.fixture
def services() -> FakeServices:
    return services_with_eight_records(state=MetadataState().committed())


def inner_of(response: Any, key: int = CREATE_TOPICS, version: int = VERSION) -> tuple[int, Any]:
    assert response.error_code == error_codes.NONE
    data = bytes(response.response_data)
    return decoded_answer(len(data).to_bytes(4, "big") + data, key, version)


def test_the_whole_inner_response_comes_back(services: FakeServices) -> None:
    exchange = PipelineClient(services).send(envelope(), 0)
    assert exchange.delivered is None
    row = CreatableTopicResult("a", b"i" * 16, 0, None, 0, 1, 1, [])
    services.answers[0].complete(CreateTopicsResponse(topics=[row]))
    correlation, answer = inner_of(exchange.response)
    assert correlation == 77
    assert [(one.name, one.error_code) for one in answer.topics] == [("a", 0)]


class Of:
    """Allows everything to one principal at one address, opening envelopes to the other."""

    is_on = True

    def __init__(self, who: str, host: str) -> None:
        self.who, self.host = who, host
        self.asked: list[tuple[str, str]] = []

    def allows(self, who: str, host: str, operation: Any, resource_type: int, name: str) -> bool:
        self.asked.append((who, host))
        if who == "User:ANONYMOUS":
            return operation.name == "CLUSTER_ACTION"
        return (who, host) == (self.who, self.host)


@pytest.mark.parametrize(
    ("address", "host"), [(LOOPBACK, "127.0.0.9"), (bytes(15) + b"\x01", "::1")]
)
def test_the_rights_are_those_of_the_client(
    services: FakeServices, address: bytes, host: str
) -> None:
    client = PipelineClient(services)
    client.pipeline.authoriser = rights = Of("User:anna", host)  # type: ignore[assignment]
    client.send(envelope(client_host_address=address), 0)
    assert len(services.asked) == 1
    assert rights.asked[0] == ("User:ANONYMOUS", "")
    assert set(rights.asked[1:]) == {("User:anna", host)}


def test_a_brokers_own_rights_do_not_reach_into_the_envelope(services: FakeServices) -> None:
    client = PipelineClient(services)
    client.pipeline.authoriser = Of("User:berta", "127.0.0.9")  # type: ignore[assignment]
    _, answer = inner_of(client.ask(envelope(), 0))
    assert [one.error_code for one in answer.topics] == [error_codes.TOPIC_AUTHORIZATION_FAILED]
    assert services.asked == []


@pytest.mark.parametrize("length", [0, 3, 5, 15, 17])
def test_an_address_of_another_length_is_refused(services: FakeServices, length: int) -> None:
    answer = PipelineClient(services).ask(envelope(client_host_address=bytes(length)), 0)
    assert (answer.error_code, answer.response_data) == (error_codes.INVALID_REQUEST, None)


@pytest.mark.parametrize(
    "data",
    [None, b"", b"\0", b"\0\0", principal(version=1), principal()[:-3], b"\0\0\xff\xff\xff"],
)
def test_a_principal_that_cannot_be_read_is_refused(
    services: FakeServices, data: bytes | None
) -> None:
    answer = PipelineClient(services).ask(envelope(request_principal=data), 0)
    assert answer.error_code == error_codes.PRINCIPAL_DESERIALIZATION_FAILURE


@pytest.mark.parametrize(
    "inner",
    [
        b"",
        b"\0",
        request_frame(CREATION, VERSION)[:-4],
        request_frame(CREATION, VERSION).replace(b"\0\x13\0\x07", b"\0\x13\0\x63", 1),
        request_frame(CREATION, VERSION).replace(b"\0\x13\0\x07", b"\0\x13\0\0", 1),
    ],
    ids=["empty", "one byte", "cut", "version too high", "version too low"],
)
def test_an_inner_request_that_cannot_be_served_spares_the_connection(
    services: FakeServices, inner: bytes
) -> None:
    exchange = PipelineClient(services).send(envelope(inner), 0)
    assert exchange.fault is None
    assert exchange.response.error_code == error_codes.UNSUPPORTED_VERSION


def test_an_envelope_in_an_envelope_is_refused(services: FakeServices) -> None:
    inner = request_frame(envelope(), 0)
    answer = PipelineClient(services).ask(envelope(inner), 0)
    assert answer.error_code == error_codes.INVALID_REQUEST


@pytest.mark.parametrize(
    ("message", "version"), [(MetadataRequest(), 12), (DescribeAclsRequest(), 3)]
)
def test_what_brokers_serve_themselves_is_refused(
    services: FakeServices, message: Any, version: int
) -> None:
    answer = PipelineClient(services).ask(envelope(request_frame(message, version)), 0)
    assert answer.error_code == error_codes.INVALID_REQUEST


def test_another_controller_is_named_on_the_envelope_at_once(services: FakeServices) -> None:
    services.leading = LeaderAndEpoch(2, 3)
    answer = PipelineClient(services).ask(envelope(), 0)
    assert (answer.error_code, answer.response_data) == (error_codes.NOT_CONTROLLER, None)


def test_another_controller_is_named_on_the_envelope_later(services: FakeServices) -> None:
    exchange = PipelineClient(services).send(envelope(), 0)
    services.answers[0].fail(RequestError(error_codes.NOT_CONTROLLER))
    assert exchange.response.error_code == error_codes.NOT_CONTROLLER


def test_another_refusal_is_in_the_inner_response(services: FakeServices) -> None:
    exchange = PipelineClient(services).send(envelope(), 0)
    services.answers[0].fail(RequestError(error_codes.REQUEST_TIMED_OUT))
    _, answer = inner_of(exchange.response)
    assert [one.error_code for one in answer.topics] == [error_codes.REQUEST_TIMED_OUT]


def test_nobody_waits_for_the_inner_answer_of_a_lost_broker(services: FakeServices) -> None:
    exchange = PipelineClient(services).send(envelope(), 0)
    assert exchange.parked is not None
    exchange.parked.cancel()
    assert services.answers[0].cancelled


def test_what_brokers_forward_is_served() -> None:
    served = {row.key for row in API_ROWS}
    assert {19, 20, 37, 43, 45, 46, 64, 67} <= FORWARDABLE & served
