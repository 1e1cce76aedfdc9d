"""Requests about topics: what the controller is asked, what is refused before, what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.state import MetadataState
from metaquorum.server.contract.api import API_ROWS
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.guarded_client import guarded
from metaquorum.testing.partitions import Cluster
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from metaquorum.wire.generated.allocate_producer_ids_response import AllocateProducerIdsResponse
from metaquorum.wire.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from metaquorum.wire.generated.create_partitions_response import (
    CreatePartitionsResponse,
    CreatePartitionsTopicResult,
)
from metaquorum.wire.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from metaquorum.wire.generated.create_topics_response import (
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsResponse,
)
from metaquorum.wire.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from metaquorum.wire.generated.delete_topics_response import (
    DeletableTopicResult,
    DeleteTopicsResponse,
)

ROWS = {row.name: row for row in API_ROWS}


def versions(name: str) -> range:
    return range(ROWS[name].lowest, ROWS[name].highest + 1)


@pytest.fixture
def services() -> FakeServices:
    return services_with_eight_records(state=MetadataState().committed())


def creation(*names: str) -> CreateTopicsRequest:
    return CreateTopicsRequest([CreatableTopic(name, 1, 1) for name in names], 5_000)


def created(name: str) -> CreatableTopicResult:
    configs = [CreatableTopicConfigs("retention.ms", "5", False, 5, False)]
    return CreatableTopicResult(name, b"i" * 16, 0, None, 0, 3, 2, configs)


def rows_of(answer: Any) -> list[tuple[str, int]]:
    rows = getattr(answer, "topics", None) or getattr(answer, "responses", None) or answer.results
    return [(row.name, row.error_code) for row in rows]


@pytest.mark.parametrize("version", versions("CreateTopics"))
def test_topics_that_can_be_asked_for_reach_the_controller(
    services: FakeServices, version: int
) -> None:
    asked = creation("a", "b", METADATA_TOPIC, "b", "c")
    exchange = PipelineClient(services).send(asked, version)
    ((command, deadline_ms),) = services.asked
    assert [one.name for one in command.request.topics] == ["a", "c"]
    assert len(set(command.ids)) == 2
    assert deadline_ms - services.clock.now_ms() == 5_000
    services.answers[0].complete(CreateTopicsResponse(topics=[created("a"), created("c")]))
    response = exchange.response
    assert rows_of(response) == [
        *(("a", 0), ("c", 0)),
        ("b", error_codes.INVALID_REQUEST),
        (METADATA_TOPIC, error_codes.INVALID_REQUEST),
    ]
    if version >= 5:
        assert (response.topics[0].num_partitions, len(response.topics[0].configs)) == (3, 1)


@pytest.mark.parametrize("version", versions("CreateTopics"))
def test_configuration_is_hidden_from_who_may_not_see_it(
    services: FakeServices, version: int
) -> None:
    client = guarded(services, (Operation.CREATE, ResourceType.TOPIC, "a"))
    exchange = client.send(creation("a", "b"), version)
    services.answers[0].complete(CreateTopicsResponse(topics=[created("a")]))
    response = exchange.response
    assert rows_of(response) == [("a", 0), ("b", error_codes.TOPIC_AUTHORIZATION_FAILED)]
    if version >= 5:
        first = response.topics[0]
        assert first.topic_config_error_code == error_codes.TOPIC_AUTHORIZATION_FAILED
        assert (first.num_partitions, first.replication_factor, first.configs) == (-1, -1, [])


def test_the_right_to_create_in_the_cluster_is_enough(services: FakeServices) -> None:
    client = guarded(services, (Operation.CREATE, ResourceType.CLUSTER, "kafka-cluster"))
    client.send(creation("a", "b"), 7)
    assert [one.name for one in services.asked[0][0].request.topics] == ["a", "b"]


REQUESTS = {
    "CreateTopics": creation("a"),
    "DeleteTopics": DeleteTopicsRequest([DeleteTopicState("a")], ["a"], 5_000),
    "CreatePartitions": CreatePartitionsRequest([CreatePartitionsTopic("a", 2, None)], 5_000),
}


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("is_late", [False, True])
def test_every_topic_of_a_refused_request_has_the_code(
    services: FakeServices, name: str, is_late: bool
) -> None:
    for version in versions(name):
        services.leading = LeaderAndEpoch(1 if is_late else 2, 3)
        request = REQUESTS[name]
        if name == "DeleteTopics":
            state = [DeleteTopicState("a")] if version >= 6 else []
            request = DeleteTopicsRequest(state, [] if version >= 6 else ["a"], 5_000)
        exchange = PipelineClient(services).send(request, version)
        if is_late:
            services.answers[-1].fail(RequestError(error_codes.NOT_CONTROLLER, "no"))
        assert rows_of(exchange.response) == [("a", error_codes.NOT_CONTROLLER)]
    assert bool(services.asked) == is_late


@pytest.mark.parametrize("version", versions("DeleteTopics"))
def test_topics_to_delete_are_named_once_and_in_one_way(
    services: FakeServices, version: int
) -> None:
    if version < 6:
        asked = DeleteTopicsRequest([], ["a", "b", "b"], 5_000)
    else:
        asked = DeleteTopicsRequest(
            [
                DeleteTopicState("a"),
                *(DeleteTopicState("b"), DeleteTopicState("b")),
            ],
            timeout_ms=5_000,
        )
    exchange = PipelineClient(services).send(asked, version)
    ((command, _),) = services.asked
    assert [one.name for one in command.topics] == ["a"]
    done = DeleteTopicsResponse(responses=[DeletableTopicResult("a", b"i" * 16, 0)])
    services.answers[0].complete(done)
    assert sorted(rows_of(exchange.response)) == [
        ("a", 0),
        ("b", error_codes.INVALID_REQUEST),
    ]


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (DeleteTopicState("a", b"x" * 16), error_codes.INVALID_REQUEST),
        (DeleteTopicState(None, ZERO_UUID), error_codes.INVALID_REQUEST),
        (DeleteTopicState(None, b"x" * 16), error_codes.UNKNOWN_TOPIC_ID),
        (DeleteTopicState(None, METADATA_TOPIC_ID), error_codes.UNKNOWN_TOPIC_ID),
    ],
)
def test_a_topic_that_cannot_be_looked_for_is_refused(
    services: FakeServices, state: DeleteTopicState, code: int
) -> None:
    request = DeleteTopicsRequest([state], timeout_ms=5_000)
    (row,) = PipelineClient(services).ask(request, 6).responses
    assert row.error_code == code
    assert services.asked == []


@pytest.mark.parametrize("may_describe", [False, True])
def test_deleting_needs_the_right_to_delete(may_describe: bool) -> None:
    cluster = Cluster.of((1,))
    topic_id = cluster.topic("a", [1])
    services = services_with_eight_records(state=cluster.state.live())
    names = ("a", "absent") if may_describe else ()
    rights = [(Operation.DESCRIBE, ResourceType.TOPIC, one) for one in names]
    client = guarded(services, *rights)
    named = [DeleteTopicState("a"), DeleteTopicState("absent")]
    rows = client.ask(DeleteTopicsRequest(named, timeout_ms=5_000), 6).responses
    assert [(one.name, one.error_code) for one in rows] == [
        ("a", error_codes.TOPIC_AUTHORIZATION_FAILED),
        (
            "absent",
            error_codes.UNKNOWN_TOPIC_OR_PARTITION
            if may_describe
            else error_codes.TOPIC_AUTHORIZATION_FAILED,
        ),
    ]
    by_id = DeleteTopicsRequest([DeleteTopicState(None, topic_id)], timeout_ms=5_000)
    (row,) = client.ask(by_id, 6).responses
    assert row.error_code == error_codes.TOPIC_AUTHORIZATION_FAILED
    assert row.name == ("a" if may_describe else None)
    assert services.asked == []


def test_the_right_to_delete_in_the_cluster_is_enough(services: FakeServices) -> None:
    client = guarded(services, (Operation.DELETE, ResourceType.CLUSTER, "kafka-cluster"))
    client.send(DeleteTopicsRequest([DeleteTopicState("a")], timeout_ms=5_000), 6)
    assert [one.name for one in services.asked[0][0].topics] == ["a"]


@pytest.mark.parametrize("times", [1, 2])
def test_a_topic_named_by_name_and_by_id_stays(times: int) -> None:
    cluster = Cluster.of((1,))
    topic_id = cluster.topic("a", [1])
    services = services_with_eight_records(state=cluster.state.live())
    named = [DeleteTopicState("a"), *[DeleteTopicState(None, topic_id)] * times]
    rows = PipelineClient(services).ask(DeleteTopicsRequest(named, timeout_ms=5_000), 6).responses
    assert ("a", topic_id) in [(one.name, bytes(one.topic_id)) for one in rows]
    assert {one.error_code for one in rows} == {error_codes.INVALID_REQUEST}
    assert services.asked == []


@pytest.mark.parametrize("version", versions("DeleteTopics"))
def test_old_clients_are_told_of_disabled_deletion_in_their_words(
    services: FakeServices, version: int
) -> None:
    state = [DeleteTopicState("a")] if version >= 6 else []
    request = DeleteTopicsRequest(state, [] if version >= 6 else ["a"], 5_000)
    exchange = PipelineClient(services).send(request, version)
    services.answers[0].fail(RequestError(error_codes.TOPIC_DELETION_DISABLED, "no"))
    expected = error_codes.TOPIC_DELETION_DISABLED if version >= 3 else error_codes.INVALID_REQUEST
    assert rows_of(exchange.response) == [("a", expected)]


@pytest.mark.parametrize("version", versions("CreatePartitions"))
def test_topics_to_extend_are_named_once(services: FakeServices, version: int) -> None:
    asked = [CreatePartitionsTopic(name, 2, None) for name in ("a", "b", "b")]
    exchange = PipelineClient(services).send(CreatePartitionsRequest(asked, 5_000), version)
    ((command, _),) = services.asked
    assert [one.name for one in command.request.topics] == ["a"]
    done = CreatePartitionsResponse(results=[CreatePartitionsTopicResult("a", 0, None)])
    services.answers[0].complete(done)
    assert rows_of(exchange.response) == [("a", 0), ("b", error_codes.INVALID_REQUEST)]


def test_a_block_of_producer_ids_is_handed_on(services: FakeServices) -> None:
    exchange = PipelineClient(services).send(AllocateProducerIdsRequest(1, 2), 0)
    reply = AllocateProducerIdsResponse(producer_id_start=1_000, producer_id_len=1_000)
    services.answers[0].complete(reply)
    assert exchange.response == reply


def test_deleting_by_name_needs_the_right_to_describe_too() -> None:
    cluster = Cluster.of((1,))
    topic_id = cluster.topic("a", [1])
    services = services_with_eight_records(state=cluster.state.live())
    client = guarded(services, (Operation.DELETE, ResourceType.TOPIC, "a"))
    by_name = DeleteTopicsRequest([DeleteTopicState("a")], timeout_ms=5_000)
    (row,) = client.ask(by_name, 6).responses
    assert row.error_code == error_codes.TOPIC_AUTHORIZATION_FAILED
    client.send(DeleteTopicsRequest([DeleteTopicState(None, topic_id)], timeout_ms=5_000), 6)
    assert [bytes(one.topic_id) for one in services.asked[0][0].topics] == [topic_id]
