"""Requests that the quorum or the controller answers, and what a refusal of theirs looks like."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    alter_client_quotas_response,
    begin_quorum_epoch_request,
    describe_quorum_request,
    end_quorum_epoch_request,
    fetch_snapshot_request,
    vote_request,
)
from metaquorum.wire.generated.index import response_codec

RPCS = [
    (52, vote_request.VoteRequest(), range(3)),
    (53, begin_quorum_epoch_request.BeginQuorumEpochRequest(), range(2)),
    (54, end_quorum_epoch_request.EndQuorumEpochRequest(), range(2)),
    (55, describe_quorum_request.DescribeQuorumRequest(), range(3)),
    (59, fetch_snapshot_request.FetchSnapshotRequest(), range(2)),
]
EACH = [(key, message, version) for key, message, versions in RPCS for version in versions]


@pytest.mark.parametrize(("key", "message", "version"), EACH)
def test_the_quorum_is_asked_and_its_answer_handed_back(key, message, version):
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(message, version)
    assert services.asked == [(key, version, message, 1_000 + ADMIN_REQUEST_MS)]
    assert exchange.delivered is None
    answer = type(_blank(key))
    services.answers[0].complete(answer(error_code=42))
    assert exchange.response.error_code == 42


def _blank(key):
    codec = response_codec(key)
    return getattr(codec, codec.NAME)()


@pytest.mark.parametrize(("key", "message", "version"), EACH)
def test_a_refusal_is_the_code_for_the_whole_request(key, message, version):
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(message, version)
    services.answers[0].fail(RequestError(7, "too late"))
    assert exchange.response.error_code == 7


def test_a_refused_description_names_its_topic_all_the_same():
    codec = describe_quorum_request
    topic = codec.TopicData("__cluster_metadata", [codec.PartitionData(0)])
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(codec.DescribeQuorumRequest([topic]), 2)
    services.answers[0].fail(RequestError(6, "not here"))
    (told,) = exchange.response.topics
    assert told.topic_name == "__cluster_metadata"
    assert told.partitions[0].error_code == 6
    assert told.partitions[0].error_message == "not here; no other node leads yet"


def quotas_request():
    codec = alter_client_quotas_request
    entity = [codec.EntityData("user", "ann"), codec.EntityData("client-id", None)]
    return codec.AlterClientQuotasRequest(
        entries=[codec.EntryData(entity, [codec.OpData("producer_byte_rate", 10.0)])]
    )


@pytest.mark.parametrize("version", range(2))
def test_a_change_of_quotas_is_a_command_to_the_controller(version):
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(quotas_request(), version)
    ((command, deadline),) = services.asked
    assert (command, deadline) == (AlterClientQuotas(quotas_request()), 1_000 + ADMIN_REQUEST_MS)
    services.answers[0].complete(alter_client_quotas_response.AlterClientQuotasResponse())
    assert list(exchange.response.entries) == []


@pytest.mark.parametrize("version", range(2))
def test_a_refused_quota_change_has_code_and_entity_in_each_entry(version):
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(quotas_request(), version)
    services.answers[0].fail(RequestError(41, "ask node 2"))
    (entry,) = exchange.response.entries
    assert entry.error_code == 41
    assert entry.error_message == "ask node 2; no other node leads yet"
    told = [(part.entity_type, part.entity_name) for part in entry.entity]
    assert told == [("user", "ann"), ("client-id", None)]


def test_while_the_node_stops_the_controller_is_elsewhere():
    client = PipelineClient(services_with_eight_records())
    client.pipeline.stopping = True
    assert client.ask(quotas_request(), 1).entries[0].error_code == 41
    assert client.services.asked == []
