"""The table of legal moves is complete, used, and refuses everything else."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.roles import Role
from metaquorum.quorum.roles.transitions import ANY, MOVES, RISES, STAYS, check_move

NAMES = [role.name for role in get_args(Role)]
BY_ENDS = {(move.before, move.after): move for move in MOVES}


def test_every_move_is_between_known_roles_and_stands_once() -> None:
    assert len(BY_ENDS) == len(MOVES)
    assert {name for ends in BY_ENDS for name in ends} == set(NAMES)
    assert all(move.epoch in (ANY, RISES, STAYS) and move.why for move in MOVES)


@pytest.mark.parametrize("ends", list(product(NAMES, NAMES)), ids=" to ".join)
def test_a_move_is_allowed_exactly_as_the_table_says(ends: tuple[str, str]) -> None:
    move = BY_ENDS.get(ends)
    for after, allowed in (
        (4, False),
        (5, move is not None and move.epoch != RISES),
        (6, move is not None and move.epoch != STAYS),
    ):
        if allowed:
            check_move(*ends, 5, after)
        else:
            with pytest.raises(InvariantViolated):
                check_move(*ends, 5, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Unattached", "Candidate"),
        ("Unattached", "Leader"),
        ("Follower", "Candidate"),
        ("Follower", "Leader"),
        ("Resigned", "Leader"),
        ("Resigned", "Candidate"),
        ("Leader", "Candidate"),
        ("Prospective", "Leader"),
        ("Candidate", "Resigned"),
    ],
)
def test_no_replica_leads_without_election_or_stands_without_pre_vote(
    before: str, after: str
) -> None:
    assert (before, after) not in BY_ENDS


def test_a_leader_leaves_its_epoch_only_by_resigning() -> None:
    staying = [move.after for move in MOVES if move.before == "Leader" and move.epoch != RISES]
    assert staying == ["Leader", "Resigned"]
