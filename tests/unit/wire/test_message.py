from __future__ import annotations

import copy
import pickle

import pytest

from metaquorum.wire.generated.fetch_request import FetchRequest, FetchTopic, ReplicaState
from metaquorum.wire.generated.vote_request import PartitionData, TopicData, VoteRequest
from metaquorum.wire.message import evolve


def test_messages_are_equal_by_value_and_by_class() -> None:
    assert TopicData("a", [PartitionData(1)]) == TopicData("a", [PartitionData(1)])
    assert TopicData("a") != TopicData("b")
    assert TopicData("a", unknown_tags=((1, b""),)) != TopicData("a")
    assert TopicData() != PartitionData()
    assert TopicData() != ("", [])


def test_a_tuple_given_for_nothing_equals_what_is_decoded() -> None:
    assert VoteRequest(topics=()) == VoteRequest() == VoteRequest(topics=[])


def test_messages_cannot_be_keys() -> None:
    with pytest.raises(TypeError):
        hash(VoteRequest())


def test_every_message_has_lists_and_structs_of_its_own() -> None:
    first, second = FetchRequest(), FetchRequest()
    assert first.topics is not second.topics
    assert first.replica_state is not second.replica_state
    rows: list[FetchTopic] = []
    assert FetchRequest(topics=rows).topics is rows


def test_a_misspelt_field_cannot_be_set() -> None:
    message = VoteRequest()
    with pytest.raises(AttributeError):
        message.cluster = "x"  # type: ignore[attr-defined]


def test_the_readable_form_can_be_read_back() -> None:
    message = FetchRequest(replica_state=ReplicaState(3, 4), topics=[FetchTopic("a")])
    names = {"FetchRequest": FetchRequest, "FetchTopic": FetchTopic, "ReplicaState": ReplicaState}
    assert eval(repr(message), names) == message


def test_a_changed_copy_leaves_the_first_alone() -> None:
    message = VoteRequest("a", 5)
    assert evolve(message, voter_id=6) == VoteRequest("a", 6)
    assert message.voter_id == 5
    with pytest.raises(TypeError, match="VoteRequest has no field voter"):
        evolve(message, voter=6)


def test_messages_can_be_copied_and_pickled() -> None:
    message = VoteRequest("a", 5, [TopicData("b")])
    assert copy.deepcopy(message) == message
    assert pickle.loads(pickle.dumps(message)) == message
