"""The quorum on one page: votes, logs, voters, commits; and the steps that may change them.

An abstract state forgets roles, messages, tickets, timers and leaders' counters. What is left
changes by five steps only. After each action of the explorer the abstract states before and after
have to be joined by such steps, or be equal: the core refines this page. The page does not say
when a step is taken, so time-outs, pre-votes and prompt fail-over are invisible here.

    Enter(n, e)      n saves a higher epoch e, with no vote or one; within an epoch a vote is never
                     exchanged for another, and is forgotten only where n leads e
    Write(n, e, x)   the leader n of epoch e appends an entry x of epoch e to its log
    Copy(n, x)       n appends an entry x of an epoch it knows, where it stands in another log
    Cut(n, k)        n drops its entries from k on, none of them committed
    Commit(k)        the entries below k are in the disks of a majority of the voters that the
                     leader's log names, and the last of them is of the leader's own epoch
"""

from __future__ import annotations

from attrs import frozen

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch
from metaquorum.quorum.messages import FetchResponse
from metaquorum.quorum.roles.leader import Leader
from metaquorum.testing.explorer.properties import Violation, holds_prefix, identity
from metaquorum.testing.explorer.world import Node, World

Entry = tuple[object, ...]


@frozen
class Abstract:
    """One node as this page sees it."""

    epoch: Epoch
    voted: NodeId | None
    leads: Epoch | None
    log: tuple[Entry, ...]


def abstract(node: Node) -> Abstract:
    """What its disk has of the election, and its log as it has accepted it."""
    election, replica = node.disk.election, node.replica
    leads = replica.epoch if replica is not None and isinstance(replica.role, Leader) else None
    voted = None if election.voted is None else election.voted.id
    return Abstract(election.epoch, voted, leads, tuple(identity(one) for one in node.accepted))


def check_refines(before: World, after: World) -> None:
    """Violation unless the steps of this page lead from one world to the other."""
    for old, new in zip(before.nodes, after.nodes):
        if old is not new:
            _check_enter(old, new)
            _check_log(before, old, new)
    if after.history.committed is not before.history.committed:
        _check_commit(before, after)


def _check_enter(old: Node, new: Node) -> None:
    was, now = abstract(old), abstract(new)
    if now.epoch < was.epoch:
        raise Violation(f"node {new.id}: epoch {was.epoch} to {now.epoch}, no Enter does that")
    forgets = now.voted is None and new.disk.election.leader_id == new.id
    if now.epoch == was.epoch and was.voted not in (None, now.voted) and not forgets:
        raise Violation(f"node {new.id}: vote {was.voted} to {now.voted}, no Enter does that")


def _check_log(before: World, old: Node, new: Node) -> None:
    was, now = abstract(old).log, abstract(new).log
    same = 0
    while same < min(len(was), len(now)) and was[same] == now[same]:
        same += 1
    dropped = old.accepted[same:]
    if dropped and old.replica is not None and new.replica is not None:
        committed = {identity(one) for one in before.history.committed}
        if any(identity(one) in committed for one in dropped):
            raise Violation(f"node {new.id} drops committed entries, no Cut does that")
    for at, batch in enumerate(new.accepted[same:], same):
        leads = (batch.epoch, new.id, new.incarnation) in before.history.leaders
        writes = abstract(new).leads == batch.epoch or leads
        if not writes and now[at] not in _entries(before):
            raise Violation(
                f"node {new.id}: a batch of epoch {batch.epoch} out of nowhere, no Copy"
            )


def _entries(world: World) -> set[Entry]:
    """Every entry in a log, on a disk that a crash may fall back to, or on its way."""
    found = {entry for node in world.nodes for entry in abstract(node).log}
    found |= {identity(one) for node in world.nodes for one in node.disk.log}
    for packet in world.packets:
        records = packet.message.records if isinstance(packet.message, FetchResponse) else None
        if isinstance(records, tuple):
            found |= {identity(one) for one in records}
    return found


def _check_commit(before: World, after: World) -> None:
    old, new = before.history.committed, after.history.committed
    if not holds_prefix(new, old):
        raise Violation("the committed entries changed: no Commit of the spec does that")
    last = new[-1].epoch
    if last not in [abstract(node).leads for node in (*before.nodes, *after.nodes)]:
        raise Violation(
            f"the last entry committed is of epoch {last}, which nobody leads: no Commit does that"
        )
