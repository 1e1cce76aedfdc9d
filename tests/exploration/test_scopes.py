"""Every order of the quick scopes: no property of the quorum ever breaks."""

from __future__ import annotations

import pytest

from metaquorum.testing.explorer.actions import first_world, possible
from metaquorum.testing.explorer.scope import Scope
from metaquorum.testing.explorer.scopes import ALL_DEEP, ALL_QUICK, by_name
from metaquorum.testing.explorer.search import explore
from metaquorum.testing.explorer.story import tell


@pytest.mark.parametrize("scope", ALL_QUICK, ids=lambda scope: scope.name)
def test_no_order_of_events_breaks_a_property(scope: Scope) -> None:
    outcome = explore(scope)
    assert outcome.found is None, tell(scope, outcome.found.story)
    assert outcome.exhausted == scope.exhaustive


@pytest.mark.parametrize("scope", ALL_DEEP, ids=lambda scope: scope.name)
def test_a_deep_scope_has_a_beginning(scope: Scope) -> None:
    assert list(possible(scope, first_world(scope)))


def test_a_search_is_the_same_every_time() -> None:
    scope = by_name("one-voter-resigns")
    assert explore(scope) == explore(scope)


def test_an_unknown_scope_is_told_off_with_the_known_ones() -> None:
    with pytest.raises(KeyError, match="one-voter-crashes"):
        by_name("no-such-scope")
