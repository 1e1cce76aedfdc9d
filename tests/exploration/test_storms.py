"""Random walks where everything may happen: nothing promised is lost, on any seed."""

from __future__ import annotations

import pytest

from metaquorum.testing.explorer.scope import Scope
from metaquorum.testing.explorer.scopes import STORMS, by_name
from metaquorum.testing.explorer.story import tell
from metaquorum.testing.explorer.walk import walk
from metaquorum.testing.mutants import (
    Mutant,
    older_epochs_are_counted,
    vote_ignores_the_log,
    vote_is_not_saved,
)

SEEDS, STEPS = range(4), 1_500


@pytest.mark.parametrize("scope", STORMS, ids=lambda scope: scope.name)
def test_nothing_promised_is_lost_in_a_storm(scope: Scope) -> None:
    committed = epochs = 0
    for seed in SEEDS:
        walked = walk(scope, seed, STEPS)
        assert walked.found is None, f"seed {seed}\n{tell(scope, walked.found.story)}"
        committed, epochs = committed + walked.committed_end, epochs + walked.epochs
    assert committed > 10, "a storm in which nothing is ever committed shows nothing"
    assert epochs > 5, "nor one in which nobody is ever elected"


def test_a_seed_goes_the_same_way_every_time() -> None:
    scope = by_name("storm-of-three")
    assert walk(scope, 7, 500) == walk(scope, 7, 500)
    assert walk(scope, 7, 500) != walk(scope, 8, 500)


@pytest.mark.parametrize(
    ("mutant", "breaks"),
    [
        (older_epochs_are_counted, "no Commit does that"),
        (vote_ignores_the_log, "leader completeness"),
        (vote_is_not_saved, "one vote in an epoch"),
    ],
    ids=["older epochs are counted", "a vote ignores the log", "a vote is not saved"],
)
def test_a_planted_bug_is_met_in_a_storm(mutant: Mutant, breaks: str) -> None:
    scope = by_name("storm-of-three")
    with mutant():
        walks = (walk(scope, seed, STEPS) for seed in range(30))
        found = next((walked.found for walked in walks if walked.found is not None), None)
    assert found is not None
    assert breaks in found.what
