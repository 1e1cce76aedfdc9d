"""What a cluster whose voters change can survive, as the simulator reckons it."""

from __future__ import annotations

from metaquorum.quorum.types import Voter
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.testing.simulator.electorate import (
    can_spare,
    electorates,
    is_harmless,
    key_of,
    living,
    may_lose,
)
from metaquorum.testing.simulator.log_mirror import Entry
from metaquorum.testing.simulator.node import SimNode
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.world import World

ENTRY = Entry(0, 1, 1, 77)


def world(voters: int = 3, observers: int = 1) -> World:
    """A cluster with voters in the log, in which nobody has been started."""
    return World(Scenario(voters=voters, observers=observers, dynamic=1))


def voters_of(*nodes: SimNode) -> VoterSet:
    """These nodes, as they are now, as voters."""
    return VoterSet(tuple(Voter(key_of(node)) for node in nodes))


def knows(node: SimNode, *sets: tuple[int, VoterSet]) -> None:
    """Let a node's log hold these voter sets."""
    node.memory.voters = VoterHistory(None, sets)


def test_the_set_of_a_replica_that_lags_still_counts() -> None:
    one, two, three, four = world().nodes.values()
    old, new = voters_of(one, two, three), voters_of(one, two, three, four)
    knows(one, (-1, old), (5, new))
    knows(two, (-1, old), (5, new))
    knows(three, (-1, old))
    assert electorates((one, two), committed_end=9) == [new]
    assert electorates((one, two, three), committed_end=9) == [new, old]


def test_a_change_that_is_not_committed_counts_with_the_set_before_it() -> None:
    one, two, three, four = world().nodes.values()
    old, new = voters_of(one, two, three), voters_of(one, two, three, four)
    knows(one, (-1, old), (5, new))
    assert electorates((one,), committed_end=5) == [new, old]


def test_all_sets_count_that_a_replica_which_is_held_back_ever_had() -> None:
    one, two, three, four = world().nodes.values()
    sets = voters_of(one, two), voters_of(one, two, three), voters_of(one, two, three, four)
    knows(one, *((5 * at, each) for at, each in enumerate(sets)))
    assert electorates((one,), committed_end=99) == [sets[2]]
    one.held = True
    assert electorates((one,), committed_end=99) == [sets[2], *sets[:2]]


def test_a_wiped_voter_is_lost_and_the_set_can_spare_no_other() -> None:
    nodes = world().nodes
    one, two, three, _ = nodes.values()
    voters = voters_of(one, two, three)
    assert can_spare(two, [voters], nodes, away=0)
    assert not can_spare(two, [voters], nodes, away=1)
    three.memory.forget(is_new=True)
    assert living(voters, nodes) == [one, two]
    assert not can_spare(two, [voters], nodes, away=0)
    assert can_spare(three, [voters], nodes, away=0), "what it is now is in no set"


def test_one_set_that_cannot_spare_it_is_enough() -> None:
    nodes = world().nodes
    one, two, three, _ = nodes.values()
    sets = [voters_of(one, two, three), voters_of(one, two)]
    assert not can_spare(two, sets, nodes, away=0)
    assert can_spare(three, sets, nodes, away=0)


def test_a_replica_comes_back_when_every_majority_meets_a_holder() -> None:
    nodes = world().nodes
    one, two, three, _ = nodes.values()
    for node in (one, two):
        node.memory.saved_epoch, node.memory.saved_leader = 2, 1
    sets = [voters_of(one, two, three)]
    one.memory.disk.entries.append(ENTRY)
    assert not is_harmless(three, sets, nodes, [ENTRY], said_epoch=1), "two and three forgot it"
    two.memory.disk.entries.append(ENTRY)
    assert is_harmless(three, sets, nodes, [ENTRY], said_epoch=1)
    assert not is_harmless(three, sets, nodes, [ENTRY], said_epoch=3), "it may have voted in 3"
    two.held = True
    assert not is_harmless(three, sets, nodes, [ENTRY], said_epoch=1)


def test_a_candidate_of_its_own_epoch_can_ask_until_it_knows_a_leader() -> None:
    nodes = world().nodes
    one, two, three, _ = nodes.values()
    one.memory.saved_epoch = two.memory.saved_epoch = 2
    sets = [voters_of(one, two, three)]
    assert not is_harmless(three, sets, nodes, [], said_epoch=2)
    one.memory.saved_leader = two.memory.saved_leader = 1
    assert is_harmless(three, sets, nodes, [], said_epoch=2)


def test_an_operator_removes_nobody_who_is_needed() -> None:
    nodes = world().nodes
    one, two, three, _ = nodes.values()
    assert may_lose(voters_of(one, two), nodes)
    two.held = True
    assert not may_lose(voters_of(one, two), nodes)
    assert may_lose(voters_of(one, two, three), nodes)
