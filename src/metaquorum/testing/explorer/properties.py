"""What must hold in every state, each with the clause it comes from."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.effects import Answer, OutgoingEffect, Send
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import Batch
from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.explorer.world import History, Node

_NAMING = (Send, Answer)
"""The words that name an epoch."""


class Violation(Exception):
    """A state that must not be: the message names the property."""


def identity(batch: Batch) -> tuple[object, ...]:
    """What makes a batch the same on every node."""
    return (batch.base_offset, batch.last_offset, batch.epoch, batch.payload)


def upto(log: tuple[Batch, ...], end: Offset) -> tuple[Batch, ...]:
    """The batches of a log below ``end``."""
    return tuple(batch for batch in log if batch.next_offset <= end)


def holds_prefix(log: tuple[Batch, ...], prefix: tuple[Batch, ...]) -> bool:
    """Whether a log begins with these batches."""
    return len(log) >= len(prefix) and all(
        identity(one) == identity(other) for one, other in zip(log, prefix)
    )


def check_led(history: History, node: Node, epoch: Epoch) -> History:
    """One leader in an epoch, and never again after a crash (KIP-595; KAFKA-10527).

    Looked at when the leader shows itself: before its election is saved nobody can hear of it.
    """
    entry = (epoch, node.id, node.incarnation)
    for led, leader_id, incarnation in history.leaders:
        if led == epoch and (led, leader_id, incarnation) != entry:
            raise Violation(
                f"epoch {epoch} was led by node {leader_id} (start {incarnation}) and now by "
                f"node {node.id} (start {node.incarnation}): one leader in an epoch"
            )
    if entry in history.leaders:
        return history
    return evolve(history, leaders=tuple(sorted((*history.leaders, entry))))


def check_complete(history: History, node: Node) -> None:
    """A leader holds everything that was committed before (leader completeness, Raft 5.4)."""
    replica = node.replica
    if replica is None or not isinstance(replica.role, Leader):
        return
    start = replica.role.epoch_start
    before = tuple(one for one in history.committed if one.epoch < replica.epoch)
    if before and (before[-1].next_offset > start or not holds_prefix(node.accepted, before)):
        raise Violation(
            f"node {node.id} leads epoch {replica.epoch} from {start} without everything that was "
            f"committed before, below {before[-1].next_offset}: leader completeness"
        )


def check_committed(history: History, node: Node, end: Offset, nodes: tuple[Node, ...]) -> History:
    """What is committed is on the disks of a majority, and is never another thing (KIP-595)."""
    prefix = upto(node.accepted, end)
    shorter, longer = sorted((prefix, history.committed), key=len)
    if not holds_prefix(longer, shorter):
        raise Violation(
            f"node {node.id} committed below {end} something else than was committed before: "
            "the committed prefix is immutable"
        )
    if longer is prefix and prefix is not history.committed:
        check_on_majority(prefix, end, nodes, counted_voters(node))
        return evolve(history, committed=prefix)
    return history


def counted_voters(node: Node) -> VoterSet:
    """The voters of the last record in a node's log, or those it started with."""
    assert node.replica is not None
    history = node.replica.voters
    if history.sets:
        return history.sets[-1][1]
    return history.static if history.static is not None else VoterSet()


def check_on_majority(
    prefix: tuple[Batch, ...], end: Offset, nodes: tuple[Node, ...], voter_set: VoterSet
) -> None:
    """A new watermark is backed by the disks of a majority of the voters (595-05, 595-62)."""
    holders = [
        node.id
        for node in nodes
        if voter_set.by_id(node.id) is not None and holds_prefix(node.disk.log, prefix)
    ]
    if len(holders) < voter_set.majority:
        raise Violation(
            f"offset {end} was announced as committed, but only the disks of {holders} hold "
            "what is below it: the watermark is backed by a majority of disks"
        )


def check_outgoing(node: Node, word: OutgoingEffect) -> None:
    """Nothing is said that a crash could make the node forget (architecture 3.4)."""
    if not isinstance(word, _NAMING):
        return
    epoch = named_epoch(word)
    if epoch is not None and epoch > node.disk.election.epoch:
        raise Violation(
            f"node {node.id} named epoch {epoch} while its disk knows {node.disk.election.epoch}: "
            "no epoch is named before it is saved"
        )
    message = word.message
    if isinstance(message, FetchRequest) and message.offset > node.disk.end:
        raise Violation(
            f"node {node.id} fetches at {message.offset} while its disk ends at {node.disk.end}: "
            "a fetch promises what is below it"
        )


def named_epoch(word: Send | Answer) -> int | None:
    """The epoch that a message names as the sender's own."""
    message = word.message
    if isinstance(word, Answer):
        hint = getattr(message, "hint", None)
        return None if hint is None else int(hint.epoch)
    epoch = getattr(message, "epoch", None)
    return None if epoch is None else int(epoch)


def check_vote(history: History, voter_id: NodeId, epoch: int, candidate: NodeId) -> History:
    """One vote in an epoch, crash or not (595-12)."""
    entry = (epoch, voter_id, candidate)
    if entry in history.votes:
        return history
    for voted_epoch, voter, before in history.votes:
        if voted_epoch == epoch and voter == voter_id:
            raise Violation(
                f"node {voter_id} voted for node {before} and for node {candidate} in "
                f"epoch {epoch}: one vote in an epoch"
            )
    return evolve(history, votes=tuple(sorted((*history.votes, entry))))


def check_log_matching(nodes: tuple[Node, ...]) -> None:
    """Two logs that hold a batch of one epoch at one offset are equal up to it (Raft 5.3)."""
    for at, one in enumerate(nodes):
        for other in nodes[at + 1 :]:
            _check_pair(one, other)


def _check_pair(one: Node, other: Node) -> None:
    theirs = {(batch.base_offset, batch.epoch): at for at, batch in enumerate(other.accepted)}
    for at in range(len(one.accepted) - 1, -1, -1):
        batch = one.accepted[at]
        found = theirs.get((batch.base_offset, batch.epoch))
        if found is None:
            continue
        mine, yours = one.accepted[: at + 1], other.accepted[: found + 1]
        if len(mine) != len(yours) or not holds_prefix(mine, yours):
            raise Violation(
                f"nodes {one.id} and {other.id} both hold a batch of epoch {batch.epoch} at "
                f"{batch.base_offset}, but differ at or before it: log matching"
            )
        return
