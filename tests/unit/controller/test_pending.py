"""Replies that wait: for an offset, for a deadline, or in vain."""

from __future__ import annotations

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated
from metaquorum.controller.pending import Pending, PendingReply


def _filed(*entries: tuple[int, str, int], limit: int = 10) -> Pending:
    pending = Pending(limit)
    for offset, name, deadline in entries:
        pending.file(PendingReply(offset, name, f"reply to {name}"), deadline)
    return pending


def test_an_offset_releases_what_waits_for_it_or_less_oldest_first() -> None:
    pending = _filed((3, "a", NEVER), (3, "b", NEVER), (7, "c", NEVER))
    assert [one.id for one in pending.reached(2)] == []
    assert [one.id for one in pending.reached(6)] == ["a", "b"]
    assert [one.reply for one in pending.reached(7)] == ["reply to c"]
    assert pending.statistics() == {"waiting": 0, "limit": 10}


def test_deadlines_release_the_earliest_first_and_leave_the_rest() -> None:
    pending = _filed((1, "late", 90), (2, "never", NEVER), (3, "soon", 50))
    assert pending.deadline == 50
    assert [one.id for one in pending.expired(49)] == []
    assert [one.id for one in pending.expired(90)] == ["soon", "late"]
    assert [one.id for one in pending.reached(5)] == ["never"]


def test_a_deadline_of_what_was_answered_is_forgotten() -> None:
    pending = _filed((1, "a", 50), (2, "b", 80))
    assert [one.id for one in pending.reached(1)] == ["a"]
    assert pending.deadline == 80
    assert [one.id for one in pending.reached(2)] == ["b"]
    assert pending.deadline == NEVER


def test_draining_takes_all_and_starts_afresh() -> None:
    pending = _filed((5, "a", 50), (6, "b", NEVER))
    assert [one.id for one in pending.drained()] == ["a", "b"]
    assert pending.deadline == NEVER
    pending.file(PendingReply(2, "c", None), NEVER)
    assert [one.id for one in pending.reached(2)] == ["c"]


def test_replies_come_with_rising_offsets_and_within_the_limit() -> None:
    pending = _filed((5, "a", NEVER), limit=2)
    with pytest.raises(InvariantViolated, match="offset 4 comes after one for 5"):
        pending.file(PendingReply(4, "b", None), NEVER)
    pending.file(PendingReply(5, "b", None), NEVER)
    assert not pending.has_room()
    with pytest.raises(InvariantViolated, match="2 replies wait already"):
        pending.file(PendingReply(6, "c", None), NEVER)


def test_a_deadline_before_others_finds_its_place_among_many() -> None:
    pending = Pending(100)
    for number in range(40):
        deadline = 1_000 + number if number % 4 else 1_000 - number
        pending.file(PendingReply(number, f"{number}", None), deadline)
    order = [int(one.id) for one in pending.expired(2_000)]  # type: ignore[call-overload]
    assert order == [*range(36, -1, -4), *(one for one in range(40) if one % 4)]
