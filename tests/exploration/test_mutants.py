"""Known bugs planted one by one: the explorer finds each, as a short story that ends in it."""

from __future__ import annotations

import pytest

from metaquorum.testing.explorer.mutants import MUTANTS, Planted
from metaquorum.testing.explorer.scopes import by_name
from metaquorum.testing.explorer.search import explore
from metaquorum.testing.explorer.story import tell
from metaquorum.testing.mutants import BUGS


@pytest.mark.parametrize("planted", MUTANTS, ids=lambda planted: f"{planted.name}, {planted.scope}")
def test_a_planted_bug_is_found(planted: Planted) -> None:
    scope = by_name(planted.scope)
    with planted.mutant():
        outcome = explore(scope)
        assert outcome.found is not None, f"{planted.name} was not found: {outcome.line}"
        story = tell(scope, outcome.found.story)
    assert planted.breaks in outcome.found.what, story
    assert f"VIOLATION {outcome.found.what}" in story
    assert len(outcome.found.story) <= planted.steps, story


def test_every_bug_is_planted_somewhere() -> None:
    assert sorted({planted.name for planted in MUTANTS}) == sorted(BUGS)


def test_no_mutant_outlives_its_test() -> None:
    for planted in MUTANTS:
        with planted.mutant():
            pass
    assert explore(by_name("one-voter-crashes")).found is None
