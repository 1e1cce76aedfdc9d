"""What replicas say to each other survives the wire in every version that can carry it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum import adapt
from metaquorum.quorum.messages import (
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Hint,
    LogSlice,
    Refused,
    Request,
    Response,
    SnapshotSlice,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey, SnapshotId
from metaquorum.records.builder import build_batch
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.primitives import UnsupportedField

ONE, TWO = ReplicaKey(1, b"a" * 16), ReplicaKey(2, b"b" * 16)
ENDPOINTS = (Endpoint("CONTROLLER", "one", 9093),)
HINT = Hint(1, 7, ENDPOINTS)
BARE = Hint(1, 7)
BATCH = build_batch([(None, b"x")], timestamp_ms=9, base_offset=30, leader_epoch=7)
VOTE = VoteRequest(7, ONE, OffsetAndEpoch(6, 30), receiver=TWO)
BEGIN = BeginEpochRequest(7, 1, ENDPOINTS, TWO)
END = EndEpochRequest(7, 1, (TWO, ReplicaKey(3, b"c" * 16)), ENDPOINTS)
FETCH = FetchRequest(ONE, 7, 30, 6, 500, 1_000, 29)
PART = FetchSnapshotRequest(ONE, 7, SnapshotId(6, 90), 10, 1_000)


def sent(message: Request, version: int, cluster_id: str | None = "c") -> Any:
    """The message as the other side reads it."""
    key = adapt.api_key_of(message)
    module = import_module(f"metaquorum.wire.generated.{APIS[key].request_module}")
    wire = adapt.write_request(version, message, "c")
    wire.cluster_id = cluster_id
    return adapt.read_request(
        key, version, module.decode(module.encode(wire, version), version), "c"
    )


def answered(message: Request, version: int, response: Response) -> Any:
    """The answer to the message as the asker reads it."""
    key = adapt.api_key_of(message)
    module = import_module(f"metaquorum.wire.generated.{APIS[key].response_module}")
    context = adapt.AnswerContext("CONTROLLER", resolve)
    request = adapt.write_request(version, message, "c")
    wire = adapt.write_response(key, version, request, response, context)
    decoded = module.decode(module.encode(wire, version), version)
    return adapt.read_response(key, version, decoded, "CONTROLLER")


def resolve(part: LogSlice | SnapshotSlice) -> bytes:
    return BATCH if isinstance(part, LogSlice) else b"snapshot bytes"


@pytest.mark.parametrize(
    ("message", "version", "read"),
    [
        (VOTE, 0, evolve(VOTE, candidate=ReplicaKey(1), receiver=None)),
        (VOTE, 1, VOTE),
        (evolve(VOTE, pre_vote=True), 2, evolve(VOTE, pre_vote=True)),
        (BEGIN, 0, evolve(BEGIN, endpoints=(), receiver=None)),
        (BEGIN, 1, BEGIN),
        (END, 0, evolve(END, endpoints=(), candidates=(ReplicaKey(2), ReplicaKey(3)))),
        (END, 1, END),
        (FETCH, 13, evolve(FETCH, replica=ReplicaKey(1), high_watermark=None)),
        (FETCH, 15, evolve(FETCH, replica=ReplicaKey(1), high_watermark=None)),
        (FETCH, 17, evolve(FETCH, high_watermark=None)),
        (FETCH, 18, FETCH),
        (PART, 0, evolve(PART, replica=ReplicaKey(1))),
        (PART, 1, PART),
    ],
)
def test_a_request_is_read_as_far_as_its_version_can_say_it(
    message: Request, version: int, read: Request
) -> None:
    assert sent(message, version) == read


@pytest.mark.parametrize(
    ("message", "version"),
    [(VOTE, 1), (VOTE, 2), (BEGIN, 1), (END, 1), (FETCH, 18), (PART, 1)],
)
def test_a_request_without_a_cluster_id_is_served(message: Request, version: int) -> None:
    assert sent(message, version, cluster_id=None) == message


@pytest.mark.parametrize("message", [VOTE, BEGIN, END])
def test_a_request_from_another_cluster_is_refused_at_the_top(message: Request) -> None:
    settled = sent(message, 1, cluster_id="other")
    assert isinstance(settled, adapt.Settled)
    key = adapt.api_key_of(message)
    assert adapt.read_response(key, 1, settled.response, "CONTROLLER") == Refused(104)


@pytest.mark.parametrize("cluster_id", ["other", "", "x" * 30_000])
@pytest.mark.parametrize(("message", "version"), [(VOTE, 1), (END, 1), (FETCH, 17), (PART, 1)])
def test_a_wrong_form_is_a_line_with_its_code(
    message: Request, version: int, cluster_id: str
) -> None:
    key = adapt.api_key_of(message)
    wire = adapt.write_request(version, message, cluster_id)
    settled = adapt.read_request(key, version, wire, "c")
    assert isinstance(settled, adapt.Settled)
    line = adapt.settled_complaint(key, wire, settled, "10.0.0.3:4711")
    name = f"{APIS[key].name}, from 10.0.0.3:4711"
    meant = f"it is meant for cluster '{cluster_id[:60]}'"
    assert line == f"{name}: INCONSISTENT_CLUSTER_ID; {meant}"
    wire = adapt.write_request(version, message, "c")
    wire.topics = []
    settled = adapt.read_request(key, version, wire, "c")
    assert isinstance(settled, adapt.Settled)
    told = adapt.settled_complaint(key, wire, settled, "10.0.0.3:4711")
    assert told == f"{name}: INVALID_REQUEST; it is not about the metadata log alone"


@pytest.mark.parametrize("message", [VOTE, BEGIN, END])
def test_a_request_about_another_log_is_refused_at_the_top(message: Request) -> None:
    wire = adapt.write_request(1, message, "c")
    wire.topics[0].topic_name = METADATA_TOPIC + "_"
    settled = adapt.read_request(adapt.api_key_of(message), 1, wire, "c")
    assert isinstance(settled, adapt.Settled)
    assert settled.response.error_code == 42


@pytest.mark.parametrize(("cluster_id", "code"), [("c", 8), ("d", 104)])
def test_a_log_that_is_not_open_yet_is_to_be_asked_for_again(cluster_id: str, code: int) -> None:
    wire = adapt.write_request(1, BEGIN, cluster_id)
    wire.topics[0].topic_name = "__consumer_offsets"
    settled = adapt.read_request(adapt.api_key_of(BEGIN), 1, wire, "c")
    assert isinstance(settled, adapt.Settled)
    assert adapt.not_open_yet(settled).response.error_code == code


def test_a_pre_vote_cannot_be_asked_before_version_2() -> None:
    with pytest.raises(UnsupportedField):
        sent(evolve(VOTE, pre_vote=True), 1)


@pytest.mark.parametrize(
    ("message", "version", "response", "read"),
    [
        (VOTE, 0, VoteResponse(0, HINT, True), VoteResponse(0, BARE, True)),
        (VOTE, 2, VoteResponse(0, HINT, True), VoteResponse(0, HINT, True)),
        (VOTE, 2, VoteResponse(74, Hint(None, 9)), VoteResponse(74, Hint(None, 9))),
        (BEGIN, 0, EpochResponse(0, HINT), EpochResponse(0, BARE)),
        (BEGIN, 1, EpochResponse(125, HINT), EpochResponse(125, HINT)),
        (END, 0, EpochResponse(0, HINT), EpochResponse(0, BARE)),
        (END, 1, EpochResponse(0, HINT), EpochResponse(0, HINT)),
        (
            FETCH,
            18,
            FetchResponse(0, HINT, 30, 2, records=LogSlice(30, 1_000, 31)),
            FetchResponse(0, HINT, 30, 2, records=(adapt.built_batch(BATCH),)),
        ),
        (FETCH, 13, FetchResponse(6, HINT), FetchResponse(6, BARE)),
        (
            FETCH,
            17,
            FetchResponse(0, HINT, 30, 2, diverging=OffsetAndEpoch(0, 0)),
            FetchResponse(0, HINT, 30, 2, diverging=OffsetAndEpoch(0, 0)),
        ),
        (
            FETCH,
            17,
            FetchResponse(0, HINT, 30, 2, snapshot=SnapshotId(6, 90)),
            FetchResponse(0, HINT, 30, 2, snapshot=SnapshotId(6, 90)),
        ),
        (
            PART,
            1,
            FetchSnapshotResponse(
                0, HINT, SnapshotId(6, 90), 24, 10, SnapshotSlice(SnapshotId(6, 90), 10, 14)
            ),
            FetchSnapshotResponse(0, HINT, SnapshotId(6, 90), 24, 10, b"snapshot bytes"),
        ),
    ],
)
def test_an_answer_is_read_as_far_as_its_version_can_say_it(
    message: Request, version: int, response: Response, read: Response
) -> None:
    assert answered(message, version, response) == read


def test_an_answer_about_another_topic_is_no_answer() -> None:
    from metaquorum.wire.generated import fetch_response

    assert adapt.read_response(1, 17, fetch_response.FetchResponse(), "C") == Refused(42)


def test_a_node_offers_everything_that_voters_ask_each_other() -> None:
    assert adapt.SERVED == (1, 52, 53, 54, 55, 59, 80, 81, 82)


@pytest.mark.parametrize("broken", [BATCH[:-1], BATCH[:-1] + b"!", BATCH[:40]])
def test_an_answer_without_one_good_batch_is_an_error_to_rest_after(broken: bytes) -> None:
    wire = adapt.write_response(
        1,
        17,
        adapt.write_request(17, FETCH, "c"),
        FetchResponse(0, HINT, 30, 2, records=LogSlice(30, 1_000, 31)),
        adapt.AnswerContext("CONTROLLER", lambda part: broken),
    )
    read = adapt.read_response(1, 17, wire, "CONTROLLER")
    assert isinstance(read, FetchResponse)
    assert (read.error, read.records) == (2, None)
