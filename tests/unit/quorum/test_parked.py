"""Fetches that wait: for data, for the watermark, for their deadline."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.clock import NEVER
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.parked import ParkedFetch, ParkedFetches, has_news
from metaquorum.quorum.types import ReplicaKey

REQUEST = FetchRequest(ReplicaKey(2), 1, 10, 1, high_watermark=8)
OLD_VERSION = evolve(REQUEST, high_watermark=None)


def parked(*fetches: ParkedFetch) -> ParkedFetches:
    waiting = ParkedFetches()
    for fetch in fetches:
        waiting.park(fetch)
    return waiting


def is_voter(key: ReplicaKey) -> bool:
    return key.id == 2


def ids(fetches: list[ParkedFetch]) -> list[int]:
    return [fetch.id for fetch in fetches]


def test_records_beyond_it_wake_a_fetch() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 5), ParkedFetch(2, evolve(REQUEST, offset=11), 5))
    assert ids(waiting.take_news(11, 8, is_voter, moved=False)) == [1]
    assert ids(waiting.take_news(11, 8, is_voter, moved=False)) == []


def test_a_watermark_that_it_does_not_know_wakes_a_fetch() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 5), ParkedFetch(2, OLD_VERSION, 5))
    assert ids(waiting.take_news(10, 8, is_voter, moved=False)) == []
    assert ids(waiting.take_news(10, 9, is_voter, moved=True)) == [1, 2]


OF_OBSERVER = evolve(REQUEST, replica=ReplicaKey(7))


@pytest.mark.parametrize(
    ("asked", "log_end", "high_watermark", "expected"),
    [
        (REQUEST, 10, 8, False),
        (REQUEST, 11, 8, True),
        (REQUEST, 10, 9, True),
        (OF_OBSERVER, 11, 8, False),
        (OF_OBSERVER, 10, 9, True),
        (OF_OBSERVER, 12, 11, True),
        (evolve(OF_OBSERVER, high_watermark=11), 12, 11, True),
        (evolve(OF_OBSERVER, high_watermark=None), 12, 11, True),
        (evolve(OF_OBSERVER, high_watermark=None), 12, 10, False),
        (evolve(OF_OBSERVER, high_watermark=None), 11, -1, True),
        (evolve(OF_OBSERVER, high_watermark=-1), 10, -1, False),
    ],
)
def test_what_is_news_depends_on_the_vote(
    asked: FetchRequest, log_end: int, high_watermark: int, expected: bool
) -> None:
    assert has_news(asked, log_end, high_watermark, is_voter) == expected


def test_the_deadline_is_the_next_of_those_that_still_wait() -> None:
    waiting = parked(*(ParkedFetch(one, REQUEST, 100 - one) for one in (1, 2, 3)))
    assert waiting.deadline == 97
    waiting.forget(3)
    assert waiting.deadline == 98
    assert ids(waiting.take_due(98)) == [2]
    assert ids(waiting.take_due(1_000)) == [1]
    assert waiting.deadline == NEVER


def test_a_stranger_is_forgotten_without_complaint() -> None:
    waiting = parked()
    waiting.forget(77)
    assert len(waiting) == 0


def test_everyone_leaves_in_the_order_of_arrival() -> None:
    waiting = parked(ParkedFetch(9, REQUEST, 5), ParkedFetch(3, REQUEST, 7))
    assert ids(waiting.take_all()) == [9, 3]
    assert (len(waiting), waiting.deadline) == (0, NEVER)
    assert waiting.statistics() == {"waiting": 0, "most": 2}


def test_a_fork_waits_on_its_own() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 5))
    twin = waiting.fork()
    twin.take_all()
    assert len(waiting) == 1
    assert waiting.value() == (ParkedFetch(1, REQUEST, 5),)
