"""Requests that meet a fault of ours: refused, or their connection ends, and the node goes on."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated, PeerError, UnexpectedError
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart
from metaquorum.server.handlers import describe_cluster, describe_quorum, list_groups
from metaquorum.server.pipeline import answer_frames
from metaquorum.server.pipeline import pipeline as pipeline_module
from metaquorum.server.pipeline.failures import Failures, place_of
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.sockets.fair_queue import FairQueue
from metaquorum.server.sockets.pipelined_commands import PipelinedCommands
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient, request_frame
from metaquorum.wire import frames
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.generated import describe_quorum_response, error_codes
from metaquorum.wire.generated import list_groups_response as groups
from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest
from metaquorum.wire.generated.describe_cluster_response import DescribeClusterResponse
from metaquorum.wire.generated.describe_quorum_request import DescribeQuorumRequest
from metaquorum.wire.generated.describe_quorum_response import DescribeQuorumResponse
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from metaquorum.wire.generated.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)
from metaquorum.wire.generated.update_features_response import UpdateFeaturesResponse

UNKNOWN = error_codes.UNKNOWN_SERVER_ERROR
LONG = "x" * 40_000


def failing(error):
    def fail(*_, **__):
        raise error

    return fail


@pytest.fixture
def lines():
    """What was noted."""
    return []


@pytest.fixture
def client(lines):
    client = PipelineClient(services_with_eight_records())
    client.pipeline.failures = Failures(NoteGate(lines.append, client.services.clock))
    return client


def refused(client, exchange, code_of=lambda answer: answer.error_code):
    """One request failed, and the next one is served."""
    assert code_of(exchange.response) == UNKNOWN
    assert client.pipeline.failures.count == 1
    assert client.ask(DescribeClusterRequest(), 0).error_code == error_codes.NONE


@pytest.mark.parametrize("error", [ValueError("x"), RecursionError(), MemoryError(), OSError(5)])
def test_a_handler_that_raises_is_answered_unknown_server_error(client, monkeypatch, error):
    with monkeypatch.context() as patch:
        patch.setattr(list_groups, "handle", failing(error))
        exchange = client.send(ListGroupsRequest(), 4)
    refused(client, exchange)


def test_a_log_line_has_api_version_peer_exception_place_but_no_text(client, lines, monkeypatch):
    monkeypatch.setattr(list_groups, "handle", failing(ValueError("a password")))
    client.send(ListGroupsRequest(), 4)
    (line,) = lines
    assert line.startswith(
        "ListGroups version 4 of 127.0.0.1:5000 on CONTROLLER failed: ValueError at "
        "server/pipeline/pipeline.py:"
    )
    assert "password" not in line


def test_an_answer_that_fails_later_is_answered_unknown_server_error(client):
    exchange = client.send(DescribeQuorumRequest(), 2)
    client.services.answers[0].fail(ZeroDivisionError("ours"))
    refused(client, exchange)


def test_an_answer_that_cannot_be_encoded_is_unknown_server_error(client, lines, monkeypatch):
    long = DescribeClusterResponse(error_message="short", cluster_id=LONG)
    with monkeypatch.context() as patch:
        patch.setattr(describe_cluster, "handle", lambda request, services: long)
        exchange = client.send(DescribeClusterRequest(), 0)
    refused(client, exchange)
    assert "EncodeError of DescribeClusterResponse.cluster_id" in lines[0]


def test_a_late_answer_that_cannot_be_encoded_is_unknown_server_error(client):
    exchange = client.send(DescribeQuorumRequest(), 2)
    client.services.answers[0].complete(DescribeQuorumResponse(error_code="none"))
    refused(client, exchange)


def test_an_answer_larger_than_the_limit_is_unknown_server_error(client, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(answer_frames, "MAX_RESPONSE_BYTES", 10)
        patch.setattr(frames, "MAX_RESPONSE_BYTES", 10)
        patch.setattr(describe_cluster, "handle", lambda *_: Encoded([bytes(11)]))
        patch.setattr(describe_cluster, "refusal", lambda *_: Encoded([b"\0"]))
        exchange = client.send(DescribeClusterRequest(), 0)
    assert exchange.raw[-1:] == b"\0"
    assert client.pipeline.failures.count == 1


def test_rows_beyond_the_largest_answer_are_not_kept(monkeypatch):
    answer = RowsApart(groups, groups.ListGroupsResponse(), "groups", 5, 3)
    monkeypatch.setattr("metaquorum.server.contract.steps.MAX_RESPONSE_BYTES", 100)
    with pytest.raises(EncodeError, match="the most is"):
        answer.add([groups.ListedGroup("x" * 101)])


@pytest.mark.parametrize("late", [False, True])
def test_a_connection_ends_where_even_the_refusal_fails(client, monkeypatch, late):
    monkeypatch.setattr(describe_quorum, "refusal", failing(KeyError("ours")))
    if not late:
        monkeypatch.setattr(describe_quorum, "handle", failing(KeyError("ours")))
    exchange = client.send(DescribeQuorumRequest(), 2)
    if late:
        client.services.answers[0].fail(KeyError("ours"))
    assert exchange.fault is not None
    assert client.ask(DescribeClusterRequest(), 0).error_code == error_codes.NONE


def test_a_connection_ends_where_no_answer_can_be_encoded(client, monkeypatch):
    monkeypatch.setattr(describe_quorum_response, "put", failing(KeyError("ours")))
    exchange = client.send(DescribeQuorumRequest(), 2)
    client.services.answers[0].complete(DescribeQuorumResponse())
    assert exchange.fault is not None


def test_a_late_fault_of_the_peer_ends_its_connection(client):
    exchange = client.send(DescribeQuorumRequest(), 2)
    client.services.answers[0].fail(PeerError("broken"))
    assert exchange.fault is not None
    assert client.pipeline.failures.count == 0


def test_an_internal_error_in_reading_a_request_closes_the_connection(client, lines, monkeypatch):
    monkeypatch.setattr(pipeline_module, "read_request_header", failing(IndexError()))
    with pytest.raises(PeerError, match="could not be served: IndexError"):
        client.send(ListGroupsRequest(), 4)
    assert lines[0].startswith("ListGroups version 4 of 127.0.0.1:5000")


@pytest.mark.parametrize("late", [False, True])
def test_a_broken_invariant_still_stops_the_process(client, monkeypatch, late):
    broken = InvariantViolated("the log is not what it was")
    if not late:
        monkeypatch.setattr(describe_quorum, "handle", failing(broken))
        with pytest.raises(InvariantViolated):
            client.send(DescribeQuorumRequest(), 2)
        return
    client.send(DescribeQuorumRequest(), 2)
    with pytest.raises(InvariantViolated):
        client.services.answers[0].fail(broken)


def test_a_fault_that_the_controller_met_is_noted_with_its_own_place(client, lines):
    try:
        place_of(None)  # type: ignore[arg-type]  # raises within that function
    except AttributeError as error:
        cause = error
    exchange = client.send(DescribeQuorumRequest(), 2)
    client.services.answers[0].fail(UnexpectedError(cause))
    assert exchange.response.error_code == UNKNOWN
    assert "AttributeError at server/pipeline/failures.py:" in lines[0]


@pytest.mark.parametrize("fails_at", [0, 1, 3])
def test_an_answer_in_steps_that_raises_leaves_the_queue_to_others(monkeypatch, fails_at):
    client = PipelineClient(services_with_eight_records())
    fair_queue = FairQueue(client.services.clock)
    client.pipeline = Pipeline(client.services, work=fair_queue.work)

    def steps(failing_at):
        for number in range(5):
            if number == failing_at:
                raise LookupError(number)
            yield
        return groups.ListGroupsResponse()

    answers = [InSteps(steps(fails_at)), InSteps(steps(None))]
    monkeypatch.setattr(list_groups, "handle", lambda *_: answers.pop(0))
    first, second = (client.send(ListGroupsRequest(), 4) for _ in range(2))
    while fair_queue._jobs:
        fair_queue._take_step()
    assert first.response.error_code == UNKNOWN
    assert second.response.error_code == error_codes.NONE
    assert client.pipeline.failures.count == 1


def test_a_fetch_that_is_served_again_and_raises_is_refused(client):
    partition = FetchPartition(fetch_offset=8, partition_max_bytes=1_000)
    fetch = FetchRequest(
        max_wait_ms=0,
        max_bytes=1_000,
        topics=[FetchTopic("__cluster_metadata", partitions=[partition])],
    )
    client.send(fetch, 11)
    last = client.origin.last_fetch
    last.way, last.has_quotas = failing(KeyError("ours")), False
    exchange = client.send(fetch, 11)
    refused(client, exchange, row_code)


def test_a_fetch_that_waits_and_fails_when_it_is_woken_is_refused(client, monkeypatch):
    partition = FetchPartition(fetch_offset=8, partition_max_bytes=1_000)
    fetch = FetchRequest(
        max_wait_ms=1_000,
        min_bytes=1,
        max_bytes=1_000,
        topics=[FetchTopic("__cluster_metadata", partitions=[partition])],
    )
    exchange, other = client.send(fetch, 11), client.send(fetch, 12)
    monkeypatch.setattr(
        "metaquorum.server.fetch.consumer_fetch.plan_fetch", failing(KeyError("ours"))
    )
    client.services.log.append([(None, b"more")])
    client.services.commit()
    assert row_code(exchange.response) == row_code(other.response) == UNKNOWN


def test_an_upgrade_whose_second_part_raises_is_refused(client, monkeypatch):
    update = FeatureUpdateKey("kraft.version", 1)
    exchange = client.send(UpdateFeaturesRequest(1_000, [update]), 1)
    monkeypatch.setattr(FakeServices, "upgrade_kraft_version", failing(KeyError("ours")))
    client.services.answers[0].complete(UpdateFeaturesResponse())
    refused(client, exchange)


@pytest.mark.parametrize("part", [1, 2])
def test_an_upgrade_whose_later_part_fails_is_refused(client, part):
    update = FeatureUpdateKey("kraft.version", 1)
    exchange = client.send(UpdateFeaturesRequest(1_000, [update]), 1)
    client.services.answers[0].complete(UpdateFeaturesResponse())
    if part == 2:
        client.services.answers[1].complete((error_codes.NONE, ""))
    client.services.answers[part].fail(KeyError("ours"))
    refused(client, exchange)


def row_code(answer):
    return answer.responses[0].partitions[0].error_code


def test_a_train_with_an_answer_that_is_missing_ends_its_connection():
    told = []

    class NothingBehind:
        def next_together(self, api_key):
            return None

    fault = PeerError("no answer")
    train = PipelinedCommands(NothingBehind(), lambda frame, deliver: deliver(fault), told.append)
    train.deliver = lambda parts, pause_ms=0: told.append(parts)
    assert train.run(request_frame(ListGroupsRequest(), 4), 16) is None
    assert told == [fault]
