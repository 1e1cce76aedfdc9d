"""Known bugs planted one by one: the recorded seed meets each, and without it nothing breaks."""

from __future__ import annotations

import pytest

from metaquorum.testing.simulator.mutants import MUTANTS, SECONDS, Planted
from metaquorum.testing.simulator.run import run
from metaquorum.testing.simulator.storms import STORMS

MORE_SEEDS = 60
"""A change of the code moves what a seed meets: so many others are tried before giving up."""

each = pytest.mark.parametrize("planted", MUTANTS, ids=lambda planted: planted.name)


def seeds(planted: Planted) -> list[int]:
    """The recorded seed, then those from 0 on."""
    return [planted.seed, *(seed for seed in range(MORE_SEEDS) if seed != planted.seed)]


@each
def test_a_planted_bug_is_caught(planted: Planted):
    draw = STORMS[planted.storm]
    with planted.mutant():
        outcomes = (run(draw(seed, SECONDS)) for seed in seeds(planted))
        caught = next((one for one in outcomes if one.violation is not None), None)
    assert caught is not None
    assert run(caught.scenario).violation is None, "the bug is not planted any more"


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@each
def test_a_planted_bug_is_met_by_hunting_from_the_first_seed(planted: Planted):
    draw = STORMS[planted.storm]
    with planted.mutant():
        for seed in range(500):
            if run(draw(seed, SECONDS)).violation is not None:
                break
        else:
            raise AssertionError(f"{planted.name} was not met in 500 seeds")


def test_there_are_enough_of_them():
    assert len({planted.mutant for planted in MUTANTS}) >= 20
