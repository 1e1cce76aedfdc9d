"""Every kept input, and some seeded damage to it, against the promise of its target.

The long, coverage-guided runs are in ``test_coverage_guided.py``; this is their short pass.
"""

from __future__ import annotations

import pytest

from metaquorum.testing.fuzz import seeds
from metaquorum.testing.fuzz.mutations import mutations
from metaquorum.testing.fuzz.targets import (
    CORPUS,
    TARGETS,
    kept_inputs,
    one_input_of,
)

MUTATIONS = 400
MOST_CORPUS_BYTES = 300_000

each_target = pytest.mark.parametrize("target", TARGETS)


@each_target
def test_every_kept_input_keeps_the_promise(target: str) -> None:
    one_input = one_input_of(target)
    found = [one_input(data) for _, data in kept_inputs(target)]

    assert any(found), "some inputs are values, or nothing behind the first check is reached"


@each_target
def test_damaged_inputs_keep_the_promise_and_are_not_all_refused(target: str) -> None:
    one_input = one_input_of(target)
    kept = [data for _, data in kept_inputs(target)]
    found = [one_input(data) for data in mutations(kept, MUTATIONS, target)]

    assert set(found) == {True, False}


@pytest.mark.parametrize("target", ["messages", "metadata_records"])
def test_every_message_that_there_is_begins_as_a_value(target: str) -> None:
    one_input = one_input_of(target)

    assert [name for name, data in seeds.SEEDS[target]().items() if not one_input(data)] == []


def test_every_target_has_its_first_inputs() -> None:
    assert set(seeds.SEEDS) == set(TARGETS)


def test_the_corpus_stays_small_and_every_folder_has_its_target() -> None:
    files = [path for path in CORPUS.rglob("*") if path.is_file()]

    assert sum(path.stat().st_size for path in files) <= MOST_CORPUS_BYTES
    assert {path.parent.name for path in files} == set(TARGETS)


def test_damage_is_the_same_in_every_run_and_differs_by_seed() -> None:
    inputs = [b"one input", b"and another"]

    assert list(mutations(inputs, 50, "a")) == list(mutations(inputs, 50, "a"))
    assert list(mutations(inputs, 50, "a")) != list(mutations(inputs, 50, "b"))
