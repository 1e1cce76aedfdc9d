"""An error that sends a client to the leader names it: in a field if there is one, else in text."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.config.listeners import HostPort
from metaquorum.server.pipeline.leader_text import reason_with_leader
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import (
    add_raft_voter_request,
    alter_client_quotas_request,
    controller_registration_request,
    error_codes,
    remove_raft_voter_request,
    unregister_controller_request,
    update_features_request,
)
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic

ELSEWHERE = (error_codes.NOT_CONTROLLER, error_codes.NOT_LEADER_OR_FOLLOWER)


def successor(leader_id: int | None = 2, place: HostPort | None = None) -> FakeServices:
    services = services_with_eight_records()
    services.leading = LeaderAndEpoch(leader_id, 4)
    services.places = {"CONTROLLER": {} if place is None else {2: place}}
    return services


@pytest.mark.parametrize("code", ELSEWHERE)
@pytest.mark.parametrize(
    ("services", "words"),
    [
        (successor(2, HostPort("b", 9093)), "node 2 leads epoch 4, at b:9093"),
        (successor(2, HostPort("::1", 9093)), "node 2 leads epoch 4, at [::1]:9093"),
        (successor(2), "node 2 leads epoch 4"),
        (successor(None), "no leader of epoch 4 is known here"),
        (successor(1), "no other node leads yet"),
    ],
)
def test_the_words_name_the_leader_as_far_as_it_is_known(
    services: FakeServices, words: str, code: int
) -> None:
    stopping = RequestError(code, "this node is stopping")
    assert reason_with_leader(stopping, services, "CONTROLLER") == f"this node is stopping; {words}"
    assert reason_with_leader(RequestError(code), services, "CONTROLLER") == words


def test_other_refusals_stay_as_they_are() -> None:
    services = successor()
    error = RequestError(error_codes.REQUEST_TIMED_OUT, "too late")
    assert reason_with_leader(error, services, "CONTROLLER") == "too late"
    assert reason_with_leader(RequestError(7), services, "CONTROLLER") is None


def quotas() -> alter_client_quotas_request.AlterClientQuotasRequest:
    entity = [alter_client_quotas_request.EntityData("user", "ann")]
    entry = alter_client_quotas_request.EntryData(entity, [])
    return alter_client_quotas_request.AlterClientQuotasRequest(entries=[entry])


@pytest.mark.parametrize(
    ("message", "version"),
    [
        (quotas(), 1),
        (update_features_request.UpdateFeaturesRequest(), 2),
        (add_raft_voter_request.AddRaftVoterRequest(), 1),
        (remove_raft_voter_request.RemoveRaftVoterRequest(), 0),
        (unregister_controller_request.UnregisterControllerRequest(), 0),
        (controller_registration_request.ControllerRegistrationRequest(), 0),
    ],
)
def test_a_stopping_leader_names_its_successor_in_all_error_messages(
    message: object, version: int
) -> None:
    client = PipelineClient(successor(2, HostPort("b", 9093)))
    client.pipeline.stopping = True
    answer = client.ask(message, version)
    row = answer.entries[0] if hasattr(answer, "entries") else answer
    assert row.error_code == error_codes.NOT_CONTROLLER
    assert row.error_message == "this node is stopping; node 2 leads epoch 4, at b:9093"


@pytest.mark.parametrize("version", [4, 11, 12, 13, 16, 18])
def test_a_stopping_nodes_fetch_names_the_successor_if_version_allows(
    version: int,
) -> None:
    client = PipelineClient(successor(2, HostPort("b", 9093)))
    client.pipeline.stopping = True
    by_id = version >= 13
    topic = FetchTopic(
        "" if by_id else METADATA_TOPIC,
        METADATA_TOPIC_ID if by_id else bytes(16),
        [FetchPartition(partition=0)],
    )
    answer = client.ask(FetchRequest(topics=[topic]), version)
    row = answer.responses[0].partitions[0]
    assert row.error_code == error_codes.NOT_LEADER_OR_FOLLOWER
    hint = (row.current_leader.leader_id, row.current_leader.leader_epoch)
    assert hint == ((2, 4) if version >= 12 else (-1, -1))
    nodes = [(one.node_id, one.host, one.port) for one in answer.node_endpoints]
    assert nodes == ([(2, "b", 9093)] if version >= 16 else [])
