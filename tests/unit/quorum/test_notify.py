"""When a Fetch is answered: the rules one by one, and what they do to those that are parked."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.clock import NEVER
from metaquorum.base.limits import (
    SPARE_VOTER_LATEST_MS,
    SPARE_VOTER_MS,
    WAITERS_AT_ONCE,
    WAITERS_PAUSE_MS,
    WATERMARK_ALONE_MS,
)
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.notify import (
    LeaderNow,
    Notify,
    ParkedFetch,
    ParkedFetches,
    ThriftyReplication,
    decide,
)
from metaquorum.quorum.types import ReplicaKey
from metaquorum.testing.fakes import voter, voters

ROUND, LATEST = SPARE_VOTER_MS, SPARE_VOTER_LATEST_MS
VOTER = FetchRequest(voter(2).key, 1, 10, 1, high_watermark=8)
OBSERVER = evolve(VOTER, replica=ReplicaKey(7))
CONSUMER = evolve(VOTER, replica=ReplicaKey(-1))
MANY = 2 * WAITERS_AT_ONCE


def before_18(asked: FetchRequest) -> FetchRequest:
    """The same Fetch in a version that does not say which watermark it knows."""
    return evolve(asked, high_watermark=None)


def knows(asked: FetchRequest, high_watermark: int) -> FetchRequest:
    return evolve(asked, high_watermark=high_watermark)


def round_begun(*needed: int) -> ThriftyReplication:
    """These are needed, and a round began at 100 ms, when the log ended at 10."""
    thrift = ThriftyReplication()
    thrift.note_commit(needed, len(needed))
    thrift.note_records_sent(9, 10, 100)
    return thrift


def leader(
    log_end: int,
    high_watermark: int,
    now: int = 0,
    *,
    thrift: ThriftyReplication | None = None,
    batch_open: bool = False,
    others: tuple[int, ...] = (2,),
) -> LeaderNow:
    known = ThriftyReplication() if thrift is None else thrift
    return LeaderNow(log_end, high_watermark, voters(*others), known, now, batch_open)


def at_101(needed: int, *, batch_open: bool = False) -> LeaderNow:
    """One record beyond VOTER, within a round in which this voter is needed."""
    return leader(11, 8, 101, thrift=round_begun(needed), batch_open=batch_open)


NO, MISSED, OVER = {}, {"missed_commit": True}, {"deferral_over": True}  # type: ignore[var-annotated]
IN_BATCH, IN_ROUND = leader(10, 9, batch_open=True), leader(11, 10, 101, thrift=round_begun(2))

RULES: list[tuple[str, FetchRequest, LeaderNow, dict[str, bool], Notify]] = [
    ("nothing new for a voter", VOTER, leader(10, 8), NO, Notify.NOTHING_NEW),
    ("nothing new for an observer", OBSERVER, leader(10, 8), NO, Notify.NOTHING_NEW),
    ("uncommitted records", OBSERVER, leader(11, 8), NO, Notify.NOTHING_NEW),
    ("no watermark is known", knows(OBSERVER, -1), leader(10, -1), NO, Notify.NOTHING_NEW),
    ("no commit, before 18", before_18(OBSERVER), leader(12, 10), NO, Notify.NOTHING_NEW),
    ("a new watermark", OBSERVER, leader(10, 9), NO, Notify.PACED),
    ("a missed commit, before 18", before_18(OBSERVER), leader(10, 9), MISSED, Notify.PACED),
    ("committed records", knows(OBSERVER, 11), leader(12, 11), NO, Notify.PACED),
    ("committed records, consumer", CONSUMER, leader(12, 11), NO, Notify.PACED),
    ("committed records, before 18", before_18(OBSERVER), leader(12, 11), NO, Notify.PACED),
    ("a new leader's first record", before_18(OBSERVER), leader(11, -1), NO, Notify.PACED),
    ("an observer in a batch", OBSERVER, IN_BATCH, NO, Notify.PACED),
    ("an observer in a round", OBSERVER, IN_ROUND, NO, Notify.PACED),
    ("a watermark alone", VOTER, leader(10, 9), NO, Notify.WATERMARK_ALONE),
    ("a watermark, open batch", VOTER, IN_BATCH, NO, Notify.WATERMARK_ALONE),
    ("a watermark, before 18", before_18(VOTER), leader(10, 9), MISSED, Notify.WATERMARK_ALONE),
    ("a voter that knows none", knows(VOTER, -1), leader(10, 9), NO, Notify.WATERMARK),
    ("a voter that waited", VOTER, leader(10, 9), OVER, Notify.WATERMARK),
    ("not needed", VOTER, at_101(3), NO, Notify.NOT_NEEDED),
    ("not needed, open batch", VOTER, at_101(3, batch_open=True), NO, Notify.NOT_NEEDED),
    ("not needed, lacks more", evolve(VOTER, offset=9), at_101(3), NO, Notify.RECORDS),
    ("needed, open batch", VOTER, at_101(2, batch_open=True), NO, Notify.BATCH_OPEN),
    ("needed", VOTER, at_101(2), NO, Notify.RECORDS),
    ("nobody is needed", VOTER, leader(11, 8), NO, Notify.RECORDS),
    ("records and a watermark", VOTER, leader(11, 9), NO, Notify.RECORDS),
    ("records, before 18", before_18(VOTER), leader(11, 8), NO, Notify.RECORDS),
]


@pytest.mark.parametrize(
    ("asked", "now", "more", "expected"), [one[1:] for one in RULES], ids=[one[0] for one in RULES]
)
def test_the_first_rule_that_applies(
    asked: FetchRequest, now: LeaderNow, more: dict[str, bool], expected: Notify
) -> None:
    assert decide(asked, now, **more) is expected


def test_every_rule_has_a_row() -> None:
    assert {one[4] for one in RULES} == set(Notify)


# --- who is needed for a commit ---------------------------------------------------------------


def test_first_holders_of_a_commit_stay_needed_if_they_hold_the_next() -> None:
    thrift = ThriftyReplication()
    for holders, count, needed in (
        ((3, 5), 2, (3, 5)),
        ((2, 3, 5), 2, (3, 5)),
        ((2, 3), 2, (2, 3)),
        ((2, 3), 1, (2,)),
    ):
        thrift.note_commit(holders, count)
        assert thrift.needed == needed
    thrift.reset()
    assert thrift.needed == ()


@pytest.mark.parametrize(
    ("one", "offset", "now", "expected"),
    [
        (2, 10, 101, False),
        (3, 10, 100 + ROUND - 1, True),
        (3, 10, 100 + ROUND, False),
        (3, 9, 101, False),
    ],
    ids=["needed", "not needed", "the round is over", "lacks what there was when it began"],
)
def test_who_is_deferred_in_a_round(one: int, offset: int, now: int, expected: bool) -> None:
    assert round_begun(2).may_defer(one, offset, now) is expected
    assert not round_begun().may_defer(one, offset, now)


def test_records_for_one_that_is_not_needed_begin_the_next_round() -> None:
    thrift = round_begun(2)
    for one, now, until in (
        (4, 100 + ROUND - 1, 100 + LATEST),
        (2, 100 + ROUND, 100 + LATEST),
        (4, 100 + ROUND, 100 + ROUND + LATEST),
    ):
        thrift.note_records_sent(one, 20, now)
        assert thrift.deferred_until == until
    assert not thrift.may_defer(3, 10, 100 + ROUND + 1)


def test_a_fork_has_its_own_round() -> None:
    thrift = round_begun(2)
    fork = thrift.fork()
    assert (fork.value(), fork.deferred_until) == (thrift.value(), thrift.deferred_until)
    fork.note_records_sent(3, 20, 200)
    fork.reset()
    assert (thrift.needed, thrift.deferred_until) == ((2,), 100 + LATEST)


# --- those that are parked --------------------------------------------------------------------


def parked(*requests: FetchRequest, deadline: int = 1_000) -> ParkedFetches:
    """These wait, with ids from 1 on."""
    waiting = ParkedFetches()
    for number, asked in enumerate(requests, 1):
        waiting.park(ParkedFetch(number, asked, deadline))
    return waiting


def observers(count: int) -> list[FetchRequest]:
    return [evolve(OBSERVER, replica=ReplicaKey(100 + one)) for one in range(count)]


def news(waiting: ParkedFetches, now: LeaderNow, *, committed: bool = False) -> list[int]:
    return [one.id for one in waiting.take_news(now, committed=committed)]


def test_who_was_answered_waits_no_more() -> None:
    waiting = parked(VOTER, evolve(VOTER, offset=11))
    assert news(waiting, leader(11, 8)) == [1]
    assert news(waiting, leader(11, 8)) == []


def test_a_version_before_18_hears_of_each_commit_once() -> None:
    waiting = parked(OBSERVER, before_18(OBSERVER))
    assert news(waiting, leader(10, 8)) == []
    assert news(waiting, leader(10, 9), committed=True) == [1, 2]
    assert not waiting.arrived(3, OBSERVER, 1_000, leader(10, 9))
    assert waiting.arrived(4, before_18(OBSERVER), 1_000, leader(10, 9))
    assert news(waiting, leader(10, 9)) == []


@pytest.mark.parametrize("asked", [VOTER, before_18(VOTER)])
def test_a_voter_waits_for_a_watermark_from_the_first_commit_on(asked: FetchRequest) -> None:
    waiting = parked(asked)
    due = 100 + WATERMARK_ALONE_MS
    assert news(waiting, leader(10, 9, 100), committed=True) == []
    assert (waiting.has_deferred, waiting.deadline, waiting.fork().deadline) == (True, due, due)
    assert news(waiting, leader(10, 10, 102), committed=True) == []
    assert waiting.arrived(2, VOTER, 1_000, leader(10, 10, 103))
    assert waiting.deadline == due
    assert news(waiting, leader(10, 10, due)) == [1, 2]
    assert (waiting.has_deferred, waiting.deadline) == (False, NEVER)


def test_records_bring_a_voter_the_watermark_that_it_waits_for() -> None:
    waiting = parked(VOTER, before_18(VOTER))
    assert news(waiting, leader(10, 9, 100), committed=True) == []
    assert news(waiting, leader(11, 9, 101)) == [1, 2]
    assert (waiting.has_deferred, waiting.deadline) == (False, NEVER)


def test_an_open_batch_keeps_records_from_voters_alone() -> None:
    waiting = parked(VOTER, evolve(OBSERVER, offset=9))
    assert news(waiting, leader(11, 10, batch_open=True), committed=True) == [2]
    assert waiting.holds_back and waiting.fork().holds_back
    assert news(waiting, leader(12, 10, 1)) == [1]
    assert not waiting.holds_back


def test_a_batch_without_records_for_a_voter_holds_nobody_back() -> None:
    waiting = parked(VOTER)
    assert news(waiting, leader(10, 9, batch_open=True), committed=True) == []
    assert (waiting.holds_back, waiting.deadline) == (False, WATERMARK_ALONE_MS)


def test_the_pace_does_not_count_who_is_held_back() -> None:
    waiting = parked(*[VOTER] * WAITERS_AT_ONCE)
    assert news(waiting, leader(11, 8, batch_open=True)) == []
    assert not waiting.arrived(100, OBSERVER, 1_000, leader(10, 9))


def test_an_observer_begins_no_round() -> None:
    thrift = round_begun(2)
    waiting = parked(evolve(OBSERVER, offset=9))
    assert news(waiting, leader(11, 10, 200, thrift=thrift), committed=True) == [1]
    assert thrift.deferred_until == 100 + LATEST


@pytest.mark.parametrize("waits", [True, False], ids=["parked", "arrives"])
def test_a_voter_that_is_not_needed_begins_a_round_with_its_records(waits: bool) -> None:
    thrift = round_begun(3)
    now = leader(12, 10, 200, thrift=thrift)
    if waits:
        assert news(parked(VOTER), now) == [1]
    else:
        assert not parked().arrived(1, VOTER, 1_000, now)
    assert thrift.deferred_until == 200 + LATEST


def test_the_deadline_is_the_next_of_those_that_still_wait() -> None:
    waiting = ParkedFetches()
    for one in (1, 2, 3):
        waiting.park(ParkedFetch(one, VOTER, 100 - one))
    assert waiting.deadline == 97
    waiting.forget(3)
    waiting.forget(77)  # unknown: its answer and its disconnect crossed
    assert waiting.deadline == 98
    assert [one.id for one in waiting.take_due(98)] == [2]
    assert [one.id for one in waiting.take_due(1_000)] == [1]
    assert waiting.deadline == NEVER


def test_everyone_leaves_in_the_order_of_arrival() -> None:
    waiting = ParkedFetches()
    waiting.park(ParkedFetch(9, VOTER, 5))
    waiting.park(ParkedFetch(3, VOTER, 7))
    twin = waiting.fork()
    assert [one.id for one in waiting.take_all()] == [9, 3]
    assert (len(waiting), waiting.deadline, waiting.holds_back) == (0, NEVER, False)
    assert [one.id for one in twin.value()] == [3, 9]


@pytest.mark.parametrize("gone", ["forgotten", "overdue"])
def test_nothing_is_due_when_the_deferred_voter_is_gone(gone: str) -> None:
    waiting = parked(VOTER, deadline=101)
    assert news(waiting, leader(10, 9, 100), committed=True) == []
    if gone == "forgotten":
        waiting.forget(1)
    else:
        assert len(waiting.take_due(101)) == 1
    assert (waiting.has_deferred, waiting.deadline) == (False, NEVER)


# --- hundreds that are parked -----------------------------------------------------------------


def test_among_many_voters_are_answered_at_once_and_others_paced() -> None:
    waiting = parked(*observers(MANY), VOTER)
    assert news(waiting, leader(11, 8)) == [MANY + 1]
    first = news(waiting, leader(11, 11), committed=True)
    assert first == list(range(1, WAITERS_AT_ONCE + 1))
    assert (waiting.has_deferred, waiting.deadline) == (True, WAITERS_PAUSE_MS)
    some = news(waiting, leader(11, 11, WAITERS_PAUSE_MS))
    assert some[0] == WAITERS_AT_ONCE + 1
    rest = news(waiting, leader(11, 11, WAITERS_PAUSE_MS))  # few enough to be answered at once
    assert (len(rest), waiting.has_deferred) == (WAITERS_AT_ONCE - len(some), False)


def test_among_many_a_voter_waits_for_a_watermark_alone() -> None:
    waiting = parked(*observers(MANY), VOTER)
    assert MANY + 1 not in news(waiting, leader(10, 9, 100), committed=True)
    assert MANY + 1 in news(waiting, leader(10, 9, 100 + WATERMARK_ALONE_MS))


def test_among_many_one_that_became_a_voter_is_answered_as_one() -> None:
    waiting = parked(*(evolve(OBSERVER, replica=voter(100 + one).key) for one in range(MANY)))
    assert news(waiting, leader(11, 8, others=(2, 100 + MANY - 1))) == [MANY]


def test_among_many_before_18_each_hears_of_a_commit_once() -> None:
    waiting = parked(*map(before_18, observers(MANY)))
    assert len(news(waiting, leader(10, 9), committed=True)) == WAITERS_AT_ONCE
    for number, asked in enumerate(observers(100), 200):
        assert waiting.arrived(number, before_18(asked), 1_000, leader(10, 9))
    left = news(waiting, leader(10, 9, 50))
    assert left == list(range(WAITERS_AT_ONCE + 1, MANY + 1))
    assert news(waiting, leader(10, 9, 100)) == []


def test_who_arrives_while_others_are_left_waits_behind_them() -> None:
    waiting = parked(*observers(MANY))
    assert not waiting.arrived(500, OBSERVER, 1_000, leader(11, 11))
    news(waiting, leader(11, 11), committed=True)
    assert waiting.arrived(501, OBSERVER, 1_000, leader(11, 11, 100))


def test_who_arrives_when_the_pace_is_used_up_waits_a_moment() -> None:
    waiting, now = parked(), leader(11, 11, 5)
    for number in range(WAITERS_AT_ONCE):
        assert not waiting.arrived(number, OBSERVER, 1_000, now)
    assert waiting.arrived(700, OBSERVER, 1_000, now)
    assert waiting.deadline == 5 + WAITERS_PAUSE_MS
    assert news(waiting, leader(11, 11, 7)) == [700]
    assert not waiting.arrived(701, OBSERVER, 1_000, leader(11, 11, 7))


def test_many_that_are_gone_leave_nothing_behind() -> None:
    waiting = parked(*observers(MANY), VOTER)
    twin = waiting.fork()
    for one in range(1, MANY + 2):
        waiting.forget(one)
    assert (len(waiting), waiting._of_replica) == (0, {})
    assert len(twin.take_due(1_000)) == MANY + 1
    assert twin._of_replica == {}
