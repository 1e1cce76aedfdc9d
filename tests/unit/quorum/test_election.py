"""A ballot: the voters at its beginning, and one answer of each."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.election import Ballot
from metaquorum.testing.fakes import voters


def of(count: int) -> Ballot:
    """The ballot of node 1 among so many voters, with its own vote."""
    return Ballot(voters(*range(1, count + 1))).with_answer(1, True)


@pytest.mark.parametrize(
    ("count", "needed", "refusals"),
    [(1, 0, 1), (2, 1, 1), (3, 1, 2), (4, 2, 2), (5, 2, 3)],
)
def test_more_than_half_win_and_a_majority_that_cannot_be_had_loses(
    count: int, needed: int, refusals: int
) -> None:
    yes = no = of(count)
    assert yes.is_won == (needed == 0)
    for voter_id in range(2, needed + 2):
        assert not yes.is_won
        yes = yes.with_answer(voter_id, True)
    assert yes.is_won
    for refused, voter_id in enumerate(range(2, count + 1), 1):
        no = no.with_answer(voter_id, False)
        assert no.is_lost == (refused >= refusals)


def test_an_answer_counts_once_however_often_it_comes() -> None:
    once = of(5).with_answer(2, True)
    assert once.with_answer(2, True) == once
    assert (once.granted, once.unanswered) == ((1, 2), (3, 4, 5))
    refused = once.with_answer(3, False)
    assert refused.with_answer(3, False) == refused
    assert refused.rejected == (3,)


def test_a_voters_latest_answer_replaces_its_earlier_one() -> None:
    """Kafka takes that for a mistake in an election; here it can only be asked once in each."""
    changed = of(3).with_answer(2, False).with_answer(2, True)
    assert (changed.granted, changed.rejected) == ((1, 2), ())
    assert changed.without_answer(2).unanswered == (2, 3)


def test_anyone_who_is_not_in_the_ballot_has_no_say() -> None:
    for granted in (False, True):
        with pytest.raises(
            InvariantViolated, match="node 9 answered a vote that it was not asked for"
        ):
            of(3).with_answer(9, granted)
