"""Answers to fetches that are the same object for all who are told the same."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.limits import SHARED_FETCH_ANSWERS
from metaquorum.quorum.effects import Answer
from metaquorum.quorum.events import AppendAsked, RequestArrived, ResignAsked
from metaquorum.quorum.messages import NOT_LEADER_OR_FOLLOWER, FetchRequest, FetchResponse
from metaquorum.quorum.types import ReplicaKey
from metaquorum.testing.fakes import FakeHost, data_batch, voters

OF_OBSERVER = FetchRequest(ReplicaKey(100), 1, 1, 1, max_wait_ms=500, max_bytes=1_000)


def leader() -> FakeHost:
    return FakeHost.of(1, voters(1)).started()


def answers(words: list[object]) -> list[FetchResponse]:
    return [word.message for word in words if isinstance(word, Answer)]


def park(host: FakeHost, *offsets: int) -> None:
    for at, offset in enumerate(offsets):
        asked = evolve(OF_OBSERVER, replica=ReplicaKey(100 + at), offset=offset)
        assert not answers(host.tell(RequestArrived(at, asked)))


def test_observers_at_one_place_are_told_by_one_object() -> None:
    host = leader()
    park(host, 1, 1, 1)
    host.tell(AppendAsked(1, (data_batch(),), 1))
    first, *others = answers(host.sync())
    assert len(others) == 2 and all(other is first for other in others)
    late = evolve(OF_OBSERVER, replica=ReplicaKey(200))
    (told,) = answers(host.tell(RequestArrived(9, late)))
    assert told is first


def test_another_place_or_another_size_is_another_answer() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    host.sync()
    asked = [OF_OBSERVER, evolve(OF_OBSERVER, offset=0, last_epoch=0)]
    asked.append(evolve(OF_OBSERVER, max_bytes=2_000))
    told = [answers(host.tell(RequestArrived(9, one)))[0].records for one in asked]
    places = [(one.first, one.max_bytes, one.below) for one in told]  # type: ignore[union-attr]
    assert places == [(1, 1_000, 2), (0, 1_000, 2), (1, 2_000, 2)]


def test_once_the_log_has_moved_on_the_answer_is_a_new_one() -> None:
    host = leader()
    told = []
    for count in (1, 2):
        host.tell(AppendAsked(count, (data_batch(),), 1))
        host.sync()
        told += answers(host.tell(RequestArrived(9, OF_OBSERVER)))
    assert [one.high_watermark for one in told] == [2, 3]


def test_a_resigned_leader_reuses_no_fetch_response_it_sent_as_leader() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    host.sync()
    assert answers(host.tell(RequestArrived(9, OF_OBSERVER)))[0].error == 0
    host.tell(ResignAsked(1, "asked to"))
    assert answers(host.tell(RequestArrived(9, OF_OBSERVER)))[0].error == NOT_LEADER_OR_FOLLOWER


def test_only_so_many_places_are_remembered() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    host.sync()
    for size in range(2 * SHARED_FETCH_ANSWERS):
        host.tell(RequestArrived(9, evolve(OF_OBSERVER, max_bytes=1_000 + size)))
    assert len(host.replica.fetch_answers) == SHARED_FETCH_ANSWERS
