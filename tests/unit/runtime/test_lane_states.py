"""A log lane is in one state at a time, and the table names every way between them."""

from __future__ import annotations

import itertools

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.runtime.disk.lane_states import TRANSITIONS, LaneState, check_transition

LEGAL = {(one.before, one.after) for one in TRANSITIONS}
PAIRS = list(itertools.product(LaneState, repeat=2))


@pytest.mark.parametrize(("before", "after"), PAIRS, ids=lambda state: state.name)
def test_only_the_transitions_of_the_table_are_legal(before: LaneState, after: LaneState) -> None:
    if (before, after) in LEGAL:
        check_transition(before, after)
    else:
        with pytest.raises(InvariantViolated, match=f"from {before.name} to {after.name}"):
            check_transition(before, after)


def test_each_transition_stands_in_the_table_once() -> None:
    assert len(LEGAL) == len(TRANSITIONS)


def test_every_state_is_reached_and_left_but_the_first_and_the_last() -> None:
    assert {after for _, after in LEGAL} == set(LaneState) - {LaneState.NEW}
    assert {before for before, _ in LEGAL} == set(LaneState) - {LaneState.ENDED}


def test_a_closing_lane_only_ends() -> None:
    assert {after for before, after in LEGAL if before is LaneState.CLOSING} == {LaneState.ENDED}
