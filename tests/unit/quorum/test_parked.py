"""Fetches that wait: for data, for the watermark, for their deadline."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.clock import NEVER
from metaquorum.base.limits import WAITERS_AT_ONCE, WAITERS_PAUSE_MS, WATERMARK_ALONE_MS
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.parked import ParkedFetch, ParkedFetches, has_news
from metaquorum.quorum.spares import Spares
from metaquorum.quorum.types import ReplicaKey, Voter
from metaquorum.quorum.voters import VoterSet

REQUEST = FetchRequest(ReplicaKey(2), 1, 10, 1, high_watermark=8)
OLD_VERSION = evolve(REQUEST, high_watermark=None)


def parked(*fetches: ParkedFetch) -> ParkedFetches:
    waiting = ParkedFetches()
    for fetch in fetches:
        waiting.park(fetch)
    return waiting


NO_SPARES = Spares()
VOTERS = VoterSet((Voter(ReplicaKey(2)),))


def ids(fetches: list[ParkedFetch]) -> list[int]:
    return [fetch.id for fetch in fetches]


def test_records_beyond_it_wake_a_fetch() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 5), ParkedFetch(2, evolve(REQUEST, offset=11), 5))
    assert ids(waiting.take_news(11, 8, VOTERS, NO_SPARES, 0, moved=False)) == [1]
    assert ids(waiting.take_news(11, 8, VOTERS, NO_SPARES, 0, moved=False)) == []


def test_a_watermark_that_it_does_not_know_wakes_an_observers_fetch() -> None:
    old_version = evolve(OF_OBSERVER, high_watermark=None)
    waiting = parked(ParkedFetch(1, OF_OBSERVER, 5), ParkedFetch(2, old_version, 5))
    assert ids(waiting.take_news(10, 8, VOTERS, NO_SPARES, 0, moved=False)) == []
    assert ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 0, moved=True)) == [1, 2]


def test_a_voter_is_told_of_a_watermark_alone_a_little_later() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 500), ParkedFetch(2, OLD_VERSION, 500))
    assert ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=True)) == []
    assert (waiting.is_late, waiting.deadline) == (True, 100 + WATERMARK_ALONE_MS)
    # what moves meanwhile does not make it wait any longer
    assert ids(waiting.take_news(10, 10, VOTERS, NO_SPARES, 102, moved=True)) == []
    assert waiting.deadline == 100 + WATERMARK_ALONE_MS
    due = waiting.deadline
    assert ids(waiting.take_news(10, 10, VOTERS, NO_SPARES, due, moved=False)) == [1, 2]
    assert (waiting.is_late, waiting.deadline) == (False, NEVER)


def test_records_bring_a_voter_the_watermark_that_it_waits_for() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 500), ParkedFetch(2, OLD_VERSION, 500))
    assert ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=True)) == []
    assert ids(waiting.take_news(11, 9, VOTERS, NO_SPARES, 101, moved=False)) == [1, 2]
    assert (waiting.is_late, waiting.deadline) == (False, NEVER)


def test_a_voter_that_comes_for_a_watermark_waits_no_longer_than_one_that_was_there() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 500))
    assert ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=True)) == []
    waiting.put_off(103)
    waiting.park(ParkedFetch(2, REQUEST, 503))
    assert waiting.deadline == 100 + WATERMARK_ALONE_MS


def test_a_voter_that_knows_no_watermark_is_told_at_once() -> None:
    waiting = parked(ParkedFetch(1, evolve(REQUEST, high_watermark=-1), 500))
    assert ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=True)) == [1]


def test_a_fork_tells_voters_at_the_same_time() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 500))
    waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=True)
    assert waiting.fork().deadline == 100 + WATERMARK_ALONE_MS


def test_while_more_follow_a_voter_is_told_of_no_records_and_others_of_their_watermark() -> None:
    observer = evolve(OF_OBSERVER, offset=9)
    waiting = parked(ParkedFetch(1, REQUEST, 500), ParkedFetch(2, observer, 500))
    assert ids(waiting.take_news(11, 10, VOTERS, NO_SPARES, 0, moved=True, more_follow=True)) == [2]
    assert waiting.holds_back and waiting.fork().holds_back
    assert ids(waiting.take_news(12, 10, VOTERS, NO_SPARES, 1, moved=False)) == [1]
    assert not waiting.holds_back


def test_nobody_is_held_back_for_whom_there_are_no_records() -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 500))
    assert ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 0, moved=True, more_follow=True)) == []
    assert not waiting.holds_back
    assert waiting.deadline == WATERMARK_ALONE_MS


def test_in_a_crowd_too_a_voter_waits_for_a_watermark() -> None:
    waiting = crowd(2 * WAITERS_AT_ONCE)
    told = ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=True))
    assert 1 not in told
    assert 1 in ids(
        waiting.take_news(10, 9, VOTERS, NO_SPARES, 100 + WATERMARK_ALONE_MS, moved=False)
    )


def test_whoever_has_no_vote_is_no_spare_and_begins_no_round() -> None:
    spares = Spares()
    spares.note_commit((2,), 1)
    before = spares.waits_to
    waiting = parked(ParkedFetch(1, evolve(OF_OBSERVER, offset=9), 500))
    assert ids(waiting.take_news(11, 10, VOTERS, spares, 100, moved=True)) == [1]
    assert spares.waits_to == before
    spares.note_told(3, 9, 100)
    waiting = parked(ParkedFetch(2, evolve(OF_OBSERVER, offset=9), 500))
    assert ids(waiting.take_news(11, 10, VOTERS, spares, 101, moved=True)) == [2]


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
    assert has_news(asked, log_end, high_watermark, VOTERS.is_voter) == expected


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


def crowd(count: int) -> ParkedFetches:
    """So many observers, ids from 100 on, and behind them a voter with id 1."""
    others = (
        ParkedFetch(100 + one, evolve(REQUEST, replica=ReplicaKey(100 + one)), 1_000)
        for one in range(count)
    )
    return parked(*others, ParkedFetch(1, REQUEST, 1_000))


def test_in_a_crowd_a_voter_is_told_at_once_and_the_others_at_a_pace_in_the_order_of_arrival() -> (
    None
):
    waiting = crowd(2 * WAITERS_AT_ONCE)
    assert ids(waiting.take_news(11, 8, VOTERS, NO_SPARES, 0, moved=False)) == [1]
    first = [100 + one for one in range(WAITERS_AT_ONCE)]
    assert ids(waiting.take_news(11, 11, VOTERS, NO_SPARES, 0, moved=True)) == first
    assert (waiting.is_late, waiting.deadline) == (True, WAITERS_PAUSE_MS)
    some = waiting.take_news(11, 11, VOTERS, NO_SPARES, WAITERS_PAUSE_MS, moved=False)
    assert ids(some)[0] == 100 + WAITERS_AT_ONCE
    # few enough are left to be told at once
    rest = waiting.take_news(11, 11, VOTERS, NO_SPARES, WAITERS_PAUSE_MS, moved=False)
    assert (len(rest), waiting.is_late) == (WAITERS_AT_ONCE - len(some), False)


def test_in_a_crowd_a_replica_that_became_a_voter_while_it_waited_is_told_as_one() -> None:
    waiting = crowd(2 * WAITERS_AT_ONCE)
    late = 100 + 2 * WAITERS_AT_ONCE - 1
    voters = VoterSet((Voter(ReplicaKey(2)), Voter(ReplicaKey(late))))
    assert sorted(ids(waiting.take_news(11, 8, voters, NO_SPARES, 0, moved=False))) == [1, late]


def test_in_a_crowd_who_cannot_say_which_watermark_it_knows_hears_of_each_move_once() -> None:
    waiting = parked(
        *(ParkedFetch(one, evolve(OLD_VERSION, replica=ReplicaKey(one)), 9) for one in range(3, 90))
    )
    assert len(waiting.take_news(10, 9, VOTERS, NO_SPARES, 0, moved=True)) == WAITERS_AT_ONCE
    for one in range(200, 300):
        waiting.park(ParkedFetch(one, evolve(OLD_VERSION, replica=ReplicaKey(one)), 9))
    left = ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 50, moved=False))
    assert left == list(range(3 + WAITERS_AT_ONCE, 90))
    assert waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=False) == []


def test_in_a_crowd_who_comes_while_others_are_to_be_told_has_to_wait() -> None:
    waiting = crowd(2 * WAITERS_AT_ONCE)
    assert waiting.has_turn(0)
    waiting.take_news(11, 11, VOTERS, NO_SPARES, 0, moved=True)
    assert not waiting.has_turn(100)


def test_who_comes_when_as_many_were_told_as_the_pace_allows_waits_though_nobody_else_does() -> (
    None
):
    waiting = parked()
    assert all(waiting.has_turn(5) for _ in range(WAITERS_AT_ONCE))
    assert not waiting.has_turn(5)
    waiting.park(ParkedFetch(7, evolve(REQUEST, replica=ReplicaKey(7)), 1_000))
    assert waiting.deadline == 5 + WAITERS_PAUSE_MS
    assert ids(waiting.take_news(11, 11, VOTERS, NO_SPARES, 7, moved=False)) == [7]
    assert waiting.has_turn(7)


def test_a_crowd_that_is_forgotten_leaves_nothing_behind() -> None:
    waiting = crowd(2 * WAITERS_AT_ONCE)
    waiting.park(ParkedFetch(5, OLD_VERSION, 3))
    twin = waiting.fork()
    for one in [*range(100, 100 + 2 * WAITERS_AT_ONCE), 1, 5]:
        waiting.forget(one)
    assert (len(waiting), waiting._of_replica, waiting._unsure) == (0, {}, {})
    assert len(twin.take_due(1_000)) == 2 * WAITERS_AT_ONCE + 2
    assert (twin._of_replica, twin._unsure) == ({}, {})


@pytest.mark.parametrize("gone", ["forgotten", "overdue"])
def test_nothing_is_due_when_the_voter_that_was_put_off_waits_no_more(gone: str) -> None:
    waiting = parked(ParkedFetch(1, REQUEST, 101))
    assert ids(waiting.take_news(10, 9, VOTERS, NO_SPARES, 100, moved=True)) == []
    if gone == "forgotten":
        waiting.forget(1)
    else:
        assert ids(waiting.take_due(101)) == [1]
    assert (waiting.is_late, waiting.deadline) == (False, NEVER)
