"""AddRaftVoter, RemoveRaftVoter and UpdateRaftVoter on the wire and in the core."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.quorum import adapt
from metaquorum.quorum.adapt import AnswerContext, Settled
from metaquorum.quorum.messages import (
    AddVoterRequest,
    Hint,
    RemoveVoterRequest,
    UpdateVoterRequest,
    VoterChangeResponse,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.wire.generated import (
    add_raft_voter_request,
    index,
    remove_raft_voter_request,
    update_raft_voter_request,
    update_raft_voter_response,
)
from metaquorum.wire.message import Message

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
DIRECTORY = bytes(range(16))
KEY = ReplicaKey(4, DIRECTORY)
PLACE = Endpoint("CONTROLLER", "d", 9093)
CONTEXT = AnswerContext("CONTROLLER", lambda slice_: b"")
HINT = Hint(2, 7, (Endpoint("CONTROLLER", "b", 9093), Endpoint("OTHER", "b", 1)))


def add(cluster_id: str | None = None, **more: Any) -> add_raft_voter_request.AddRaftVoterRequest:
    place = add_raft_voter_request.Listener("controller", "d", 9093)
    return add_raft_voter_request.AddRaftVoterRequest(
        cluster_id, 1_000, 4, DIRECTORY, [place], **more
    )


def remove(cluster_id: str | None = None) -> remove_raft_voter_request.RemoveRaftVoterRequest:
    return remove_raft_voter_request.RemoveRaftVoterRequest(cluster_id, 4, DIRECTORY)


def update(cluster_id: str | None = None) -> update_raft_voter_request.UpdateRaftVoterRequest:
    place = update_raft_voter_request.Listener("controller", "d", 9093)
    return update_raft_voter_request.UpdateRaftVoterRequest(
        cluster_id,
        7,
        4,
        DIRECTORY,
        [place],
        update_raft_voter_request.KRaftVersionFeature(0, 1),
    )


def test_an_addition_is_read_with_listener_names_in_upper_case() -> None:
    assert adapt.read_request(80, 1, add(), CLUSTER) == AddVoterRequest(KEY, (PLACE,), True)
    early = adapt.read_request(80, 1, add(CLUSTER, ack_when_committed=False), CLUSTER)
    assert early == AddVoterRequest(KEY, (PLACE,), False)


def test_a_key_without_directory_is_left_to_the_core_to_refuse() -> None:
    request = add()
    request.voter_directory_id = bytes(16)
    message = adapt.read_request(80, 1, request, CLUSTER)
    assert isinstance(message, AddVoterRequest) and message.key == ReplicaKey(4, None)


def test_a_removal_is_read() -> None:
    assert adapt.read_request(81, 0, remove(CLUSTER), CLUSTER) == RemoveVoterRequest(KEY)


def test_an_update_is_read_and_written() -> None:
    message = UpdateVoterRequest(7, KEY, (PLACE,), 0, 1)
    assert adapt.read_request(82, 0, update(), CLUSTER) == message
    wire = adapt.write_request(0, message, CLUSTER)
    assert adapt.api_key_of(message) == 82
    assert adapt.read_request(82, 0, wire, CLUSTER) == message


@pytest.mark.parametrize(("key", "version", "request_of"), [(80, 1, add), (81, 0, remove)])
def test_another_cluster_is_refused_by_name(key: int, version: int, request_of: Any) -> None:
    settled = adapt.read_request(key, version, request_of("other"), CLUSTER)
    assert isinstance(settled, Settled)
    assert adapt.settled_response(key, settled, HINT, CONTEXT) is settled.response
    assert settled.response.error_code == 104
    assert CLUSTER in settled.response.error_message


def test_another_cluster_hears_who_leads_where_there_is_room_for_it() -> None:
    settled = adapt.read_request(82, 0, update("other"), CLUSTER)
    assert isinstance(settled, Settled)
    told = adapt.settled_response(82, settled, HINT, CONTEXT)
    assert told.error_code == 104
    assert told.current_leader == update_raft_voter_response.CurrentLeader(2, 7, "b", 9093)


@pytest.mark.parametrize(("key", "version", "request_of"), [(80, 1, add), (81, 0, remove)])
def test_words_go_with_errors_only(key: int, version: int, request_of: Any) -> None:
    request = request_of()
    fine = adapt.write_response(key, version, request, VoterChangeResponse(0, HINT), CONTEXT)
    assert (fine.error_code, fine.error_message) == (0, None)
    refused = VoterChangeResponse(126, HINT, "there already")
    wire = adapt.write_response(key, version, request, refused, CONTEXT)
    assert (wire.error_code, wire.error_message) == (126, "there already")
    assert through_the_wire(key, version, wire) == wire


def test_the_answer_to_an_update_names_the_leader_there_and_back() -> None:
    wire = adapt.write_response(82, 0, update(), VoterChangeResponse(74, HINT), CONTEXT)
    assert through_the_wire(82, 0, wire) == wire
    told = adapt.read_response(82, 0, wire, "CONTROLLER")
    assert told == VoterChangeResponse(74, Hint(2, 7, (Endpoint("CONTROLLER", "b", 9093),)))


def test_an_answer_without_a_leader_or_its_place_is_one_without() -> None:
    nobody = adapt.write_response(82, 0, update(), VoterChangeResponse(6, Hint(None, 7)), CONTEXT)
    assert adapt.read_response(82, 0, nobody, "CONTROLLER").hint == Hint(None, 7)
    somewhere = VoterChangeResponse(6, Hint(3, 7))
    wire = adapt.write_response(82, 0, update(), somewhere, CONTEXT)
    assert adapt.read_response(82, 0, wire, "CONTROLLER").hint == Hint(3, 7)


def through_the_wire(key: int, version: int, message: Message) -> Message:
    codec = index.response_codec(key)
    parts: list[Any] = []
    codec.put(parts, message, version)
    decoded: Message = codec.decode(b"".join(parts), version, 0)
    return decoded


@pytest.mark.parametrize(("api_key", "request_"), [(80, add()), (81, remove())])
@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (HINT, "node 2 leads epoch 7, at b:9093"),
        (Hint(2, 7), "node 2 leads epoch 7"),
        (Hint(None, 7), "no leader of epoch 7 is known here"),
    ],
)
def test_who_does_not_lead_says_in_words_who_does(
    api_key: int, request_: Message, hint: Hint, words: str
) -> None:
    told = VoterChangeResponse(6, hint)
    answer = adapt.write_response(api_key, 0, request_, told, CONTEXT)
    assert answer.error_message == f"this node does not lead the quorum; {words}"
