"""Every order of what happens to a few partitions: no rule breaks, and planted bugs are found."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from metaquorum.testing.explorer.__main__ import main
from metaquorum.testing.explorer.partitions.actions import KINDS, possible
from metaquorum.testing.explorer.partitions.cluster import Cluster
from metaquorum.testing.explorer.partitions.mutants import PARTITIONS_MUTANTS, PartitionsPlanted
from metaquorum.testing.explorer.partitions.scope import ALL, DEEP, QUICK, PartitionScope
from metaquorum.testing.explorer.partitions.search import explore_partitions, tell_partitions
from metaquorum.testing.explorer.partitions.world import first_world, normal


def by_name(name: str) -> PartitionScope:
    return next(one for one in ALL if one.name == name)


@pytest.mark.parametrize("scope", QUICK, ids=lambda scope: scope.name)
def test_no_order_of_actions_breaks_a_rule(scope: PartitionScope) -> None:
    outcome = explore_partitions(scope)
    assert outcome.found is None, tell_partitions(scope, outcome.found.story)
    assert outcome.exhausted
    assert outcome.states > 300, "a scope in which hardly anything happens shows nothing"


@pytest.mark.parametrize("scope", DEEP, ids=lambda scope: scope.name)
def test_a_deep_scope_of_partitions_has_a_beginning(scope: PartitionScope) -> None:
    assert list(possible(Cluster.of(scope, first_world(scope))))


@pytest.mark.parametrize("planted", PARTITIONS_MUTANTS, ids=lambda planted: planted.name)
def test_a_planted_bug_of_the_controller_is_found(planted: PartitionsPlanted) -> None:
    scope = by_name(planted.scope)
    with planted.mutant():
        outcome = explore_partitions(scope)
        assert outcome.found is not None, f"{planted.name} was not found: {outcome.line}"
        story = tell_partitions(scope, outcome.found.story)
    assert planted.breaks in outcome.found.what, story
    assert f"VIOLATION {outcome.found.what}" in story
    assert len(outcome.found.story) <= planted.steps, story


def test_a_search_of_partitions_is_the_same_every_time() -> None:
    scope = by_name("unclean-elections")
    assert explore_partitions(scope) == explore_partitions(scope)


def test_a_cluster_can_be_made_again_from_its_world() -> None:
    for scope in ALL:
        world = first_world(scope)
        assert normal(Cluster.of(scope, world).world()).key() == world.key()


def test_every_kind_of_action_is_in_a_quick_scope() -> None:
    assert {kind for scope in QUICK for kind in scope.budget} == set(KINDS)


def test_the_command_line_exhausts_a_scope_of_partitions() -> None:
    told = CliRunner().invoke(main, ["unclean-elections"])
    assert told.exit_code == 0
    assert "unclean-elections: " in told.output and "exhausted" in told.output
