"""The state of a small world: nodes, packets in flight, what was promised, budgets left."""

from __future__ import annotations

from attrs import define, field, frozen

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.effects import Answer
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.messages import Request, Response
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.types import Batch
from metaquorum.testing.explorer.disk import Disk, DiskOp
from metaquorum.testing.explorer.scope import Budget


@frozen(order=False)
class Packet:
    """A request or its answer on the way; ``correlation`` belongs to the one that asked.

    ``peer`` is the id that the asker knows the other by: a bootstrap server's is negative.
    """

    sender: NodeId
    receiver: NodeId
    correlation: int
    is_answer: bool
    message: Request | Response
    peer: NodeId

    def order(self) -> tuple[object, ...]:
        """A fixed order of packets, so that every run looks at them alike."""
        return (
            self.receiver,
            self.sender,
            self.is_answer,
            self.correlation,
            repr(self.message),
        )


@define(eq=False)
class Node:
    """One node: what runs (None while it is down), what its disk holds and is about to hold.

    ``accepted`` is the log with what the disk does not have yet; ``incarnation`` counts starts.
    Never edited once it is part of a world, but for ``key``, the search's number for its value.
    """

    id: NodeId
    disk: Disk
    replica: Replica | None = None
    gate: DurabilityGate | None = None
    unsynced: tuple[DiskOp, ...] = ()
    accepted: tuple[Batch, ...] = ()
    incarnation: int = 0
    key: int | None = None

    def value(self) -> tuple[object, ...]:
        """This node as a hashable value, without numbers that only ever grow."""
        if self.replica is None or self.gate is None:
            return (self.id, self.disk)
        durable = self.replica.durable_ticket
        return (
            self.id,
            self.disk,
            self.replica.value(),
            tuple((effect.after - durable, _word(effect)) for effect in self.gate.held),
            tuple(_word(effect) for effect in self.unsynced),
        )

    def expects(self, peer: NodeId, correlation: int) -> bool:
        """Whether an answer with this number would still be taken."""
        return (
            self.replica is not None and self.replica.peers.expects(peer, correlation) is not None
        )

    def open_requests(self) -> tuple[int, ...]:
        """The ids of requests that this node has yet to answer, or whose answer it holds."""
        if self.replica is None or self.gate is None:
            return ()
        parked = tuple(fetch.id for fetch in self.replica.parked.value())
        return parked + tuple(one.id for one in self.gate.held if isinstance(one, Answer))


_GROWING = ("after", "ticket", "id", "correlation")


def _word(effect: object) -> tuple[object, ...]:
    """An effect without its ticket and other numbers that only grow."""
    names = [one.name for one in effect.__attrs_attrs__]  # type: ignore[attr-defined]
    return (
        type(effect).__name__,
        *(getattr(effect, name) for name in names if name not in _GROWING),
    )


@frozen
class History:
    """What was said or shown to anybody, which nothing may ever contradict.

    ``leaders``: (epoch, node, incarnation) of everyone that led. ``votes``: (epoch, voter,
    candidate) of every vote that was sent. ``committed``: the batches below the highest
    watermark that any node announced.
    """

    leaders: tuple[tuple[Epoch, NodeId, int], ...] = ()
    votes: tuple[tuple[Epoch, NodeId, NodeId], ...] = ()
    committed: tuple[Batch, ...] = ()

    @property
    def committed_end(self) -> Offset:
        """The highest watermark that any node announced."""
        return self.committed[-1].next_offset if self.committed else 0


@frozen(eq=False)
class World:
    """Everything at one moment. A new moment shares what did not change.

    Nodes are numbered from 1 on, without gaps.
    """

    nodes: tuple[Node, ...]
    packets: frozenset[Packet] = frozenset()
    history: History = field(factory=History)
    budget: Budget = field(factory=Budget)
    appended: int = 0

    def node(self, node_id: NodeId) -> Node:
        """The node with this id."""
        return self.nodes[node_id - 1]

    def awaits(self, packet: Packet) -> bool:
        """Whether the one that asked still waits for what this packet asks or answers."""
        asker = packet.receiver if packet.is_answer else packet.sender
        return self.node(asker).expects(packet.peer, packet.correlation)
