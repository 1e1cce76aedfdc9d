"""Who may still decide: every voter set that some replica may count with, and what it can spare.

While the voters change there is not one set but several: the one that was committed last, those in
logs above it, and the older one that a replica which lags behind still believes. A replica that
has forgotten something may only come back when it can do no harm in any of them, and no set may
lose so many for good that nobody could elect a leader any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import ReplicaKey
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.testing.simulator.log_mirror import Entry
from metaquorum.testing.simulator.node import SimNode, directory_id


def key_of(node: SimNode) -> ReplicaKey:
    """What this node is now: another directory is another replica."""
    return ReplicaKey(node.id, directory_id(node.id, node.memory.body))


def electorates(nodes: Iterable[SimNode], committed_end: int) -> list[VoterSet]:
    """Every voter set that some node's log has as its latest, or above what is committed.

    A node that is held back may have lost any part of its log: all sets count that it ever had.
    """
    found: list[VoterSet] = []
    for node in nodes:
        history = node.memory.voters
        if history is None:
            continue
        for voters in _alive(history, -1 if node.held else committed_end):
            if voters not in found:
                found.append(voters)
    return found


def _alive(history: VoterHistory, committed_end: int) -> list[VoterSet]:
    """The latest set, those above the committed end, and the one before each of them."""
    alive = [history.latest]
    for (_, before), (at, after) in pairwise(history.sets):
        if at >= committed_end:
            alive += [before, after]
    return alive


def living(voters: VoterSet, nodes: dict[int, SimNode]) -> list[SimNode]:
    """The voters whose directory is still there; the others are lost for good."""
    return [
        nodes[voter.id]
        for voter in voters
        if voter.id in nodes and voters.is_voter(key_of(nodes[voter.id]))
    ]


def can_spare(node: SimNode, sets: list[VoterSet], nodes: dict[int, SimNode], away: int) -> bool:
    """Whether every set keeps a majority should this replica never come back.

    ``away`` is how many more stay down for good.
    """
    for voters in sets:
        left = living(voters, nodes)
        if node in left and len(left) - 1 - away < voters.majority:
            return False
    return True


def is_harmless(
    node: SimNode,
    sets: list[VoterSet],
    nodes: dict[int, SimNode],
    wanted: list[Entry],
    said_epoch: int,
) -> bool:
    """Whether nothing depends any more on what this replica has forgotten.

    In each set that counts it, every majority that can still come together must meet a holder of
    what is ``wanted``; and in no epoch that it may have voted in can another candidate still ask.
    """
    for voters in sets:
        left = living(voters, nodes)
        if node not in left:
            continue
        others = [one for one in left if one is not node]
        holders = [
            one
            for one in others
            if not one.held and all(one.memory.disk.holds(entry) for entry in wanted)
        ]
        if len(left) - len(holders) >= voters.majority:
            return False
        if not all(_is_past(one, said_epoch) for one in others):
            return False
    return True


def _is_past(node: SimNode, epoch: int) -> bool:
    """Whether this replica can no longer campaign in an epoch: it is beyond, or knows a leader."""
    memory = node.memory
    if memory.saved_epoch == epoch:
        return memory.saved_leader is not None
    return memory.saved_epoch > epoch


def is_being_added(node: SimNode, leader: SimNode) -> bool:
    """Whether ``leader`` asks this node just now what it can do, to make it a voter."""
    role = leader.watched.role if leader.watched is not None else None
    change = role.change if isinstance(role, Leader) else None
    return change is not None and change.voter is not None and change.voter.id == node.id


def may_lose(result: VoterSet, nodes: dict[int, SimNode]) -> bool:
    """Whether an operator in his right mind would leave the cluster with these voters.

    Most of them have to be there: neither lost nor held back.
    """
    there = [one for one in living(result, nodes) if not one.held]
    return len(there) >= result.majority
