"""One action in the making: nodes are forked when first touched, the rest is shared."""

from __future__ import annotations

from attrs import define, evolve, field

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import NodeId
from metaquorum.quorum.effects import (
    Answer,
    AppendBatches,
    Committed,
    Effect,
    Halt,
    InstallSnapshot,
    LeaderChanged,
    MeasureLog,
    OutgoingEffect,
    Send,
    TruncateLog,
)
from metaquorum.quorum.events import (
    Durable,
    Event,
    LogMeasured,
    SnapshotInstalled,
    SnapshotWritten,
    Started,
)
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.handlers.time import timers
from metaquorum.quorum.messages import (
    ApiVersionsResponse,
    FetchResponse,
    FetchSnapshotResponse,
    LogSlice,
    Response,
    SnapshotSlice,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.retention import Measured
from metaquorum.quorum.types import Batch, ControlValue, Peer, SnapshotId
from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.explorer.changes import CLIENT_CHANGE, EARLY_CHANGE
from metaquorum.testing.explorer.disk import (
    DISK_EFFECTS,
    Disk,
    DiskOp,
    Installation,
    snapshot_controls,
)
from metaquorum.testing.explorer.properties import (
    Violation,
    check_committed,
    check_complete,
    check_led,
    check_log_matching,
    check_outgoing,
    check_vote,
    upto,
)
from metaquorum.testing.explorer.request_ids import asked_by
from metaquorum.testing.explorer.scope import Scope
from metaquorum.testing.explorer.snapshot_properties import check_parts, check_snapshots
from metaquorum.testing.explorer.spec import check_refines
from metaquorum.testing.explorer.voter_properties import check_change_answered, check_voters
from metaquorum.testing.explorer.world import History, Node, Packet, World
from metaquorum.testing.fakes import (
    LeastChance,
    replica_config,
    voters,
    zero_checkpoint,
)


@define(eq=False)
class Moment:
    """A world being changed by one action; ``done()`` is the next state.

    The disks that the scope calls lazy wait for an action of their own; the others sync at once.
    """

    world: World
    scope: Scope
    history: History = field(init=False)
    nodes: dict[NodeId, Node] = field(init=False)
    packets: set[Packet] = field(init=False)
    touched: list[NodeId] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.history = self.world.history
        self.nodes = {node.id: node for node in self.world.nodes}
        self.packets = set(self.world.packets)

    # What an action does.

    def tell(self, node_id: NodeId, event: Event, *, look: bool = True) -> None:
        """Step one node and let everything happen that happens at once.

        ``look`` at its voters afterwards, unless what it stands on is just being exchanged.
        """
        node = self._own(node_id)
        assert node.replica is not None and node.gate is not None
        try:
            effects = node.replica.step(event, 0)
        except InvariantViolated as error:
            raise Violation(f"node {node_id} stopped: {error}") from error
        soonest = min((due for _, due in timers(node.replica)), default=NEVER)
        if node.replica.deadline != soonest:
            raise Violation(f"node {node_id} sleeps until {node.replica.deadline}, not {soonest}")
        for effect in node.gate.hold(effects):
            self._act(node_id, effect)
        if any(isinstance(one, MeasureLog) for one in effects):
            self.tell(node_id, LogMeasured(Measured(0)), look=False)
        check_snapshots(self.history, self.nodes[node_id])
        check_complete(self.history, self.nodes[node_id])
        if look:
            zero = self._zero(node_id) if not node.disk.snapshots else self._zero_of_cluster()
            check_voters(self.history, self.nodes[node_id], self._static(), zero)
        if node_id not in self.scope.lazy_disks and self.nodes[node_id].unsynced:
            self.sync(node_id, len(self.nodes[node_id].unsynced))

    def sync(self, node_id: NodeId, count: int = 1) -> None:
        """Put the oldest unsynced effects on the disk, and report the last of them."""
        node = self._own(node_id)
        assert node.gate is not None
        disk, ticket = node.disk, 0
        for effect in node.unsynced[:count]:
            if isinstance(effect, Installation):
                check_parts(node, disk)
            disk, ticket = disk.after(effect), effect.ticket
        self.nodes[node_id] = evolve(node, key=None, disk=disk, unsynced=node.unsynced[count:])
        installed = [one for one in node.unsynced[:count] if isinstance(one, Installation)]
        for released in node.gate.durable(ticket):
            self._act(node_id, released)
        self.tell(node_id, Durable(ticket), look=not installed)
        for one in installed:
            self._installed(node_id, one)

    def _installed(self, node_id: NodeId, done: Installation) -> None:
        node = self.nodes[node_id]
        self.nodes[node_id] = evolve(node, key=None, accepted=done.content)
        told = snapshot_controls(self._zero_of_cluster(), done.content, done.snapshot.offset)
        self.tell(node_id, SnapshotInstalled(done.snapshot, self.scope.snapshot_parts, told))

    def write_snapshot(self, node_id: NodeId) -> None:
        """A node writes a snapshot of everything that it knows to be committed."""
        node = self._own(node_id)
        assert node.replica is not None
        below = upto(node.accepted, node.replica.log.high_watermark or 0)
        made = SnapshotId(below[-1].epoch, below[-1].next_offset)
        disk = evolve(node.disk, snapshots=(*node.disk.snapshots, made))
        self.nodes[node_id] = evolve(node, key=None, disk=disk)
        self.tell(node_id, SnapshotWritten(made, self.scope.snapshot_parts))

    def crash(self, node_id: NodeId, disk: Disk) -> None:
        """Stop a node, leaving this on its disk; answers to its questions find nobody."""
        node, disk = self.nodes[node_id], evolve(disk, part=b"")
        self.nodes[node_id] = Node(node_id, disk, accepted=disk.log, incarnation=node.incarnation)

    def start(self, node_id: NodeId, config_changes: dict[str, object]) -> None:
        """Start a node from what its disk holds."""
        node = self.nodes[node_id]
        config = replica_config(node_id, **config_changes)
        zero = self._zero(node_id) if not node.disk.snapshots else self._zero_of_cluster()
        history = node.disk.voter_history(self._static(), zero)
        view = node.disk.log_view(self.scope.snapshot_parts)
        replica = Replica(config, node.disk.election, view, history, LeastChance(), 0)
        self.nodes[node_id] = Node(
            node_id,
            node.disk,
            replica,
            DurabilityGate(),
            (),
            node.disk.log,
            node.incarnation + 1,
        )
        self.touched.append(node_id)
        self.tell(node_id, Started())

    def _static(self) -> VoterSet | None:
        return None if self.scope.kraft_version else voters(*self.scope.nodes)

    def _zero(self, node_id: NodeId) -> tuple[ControlValue, ...]:
        return self._zero_of_cluster() if node_id in self.scope.nodes else ()

    def _zero_of_cluster(self) -> tuple[ControlValue, ...]:
        if not self.scope.kraft_version:
            return ()
        return zero_checkpoint(voters(*self.scope.nodes))

    def answer_versions(self, packet: Packet) -> None:
        """A node's server says which kraft.versions it can do; its replica is not asked."""
        message = ApiVersionsResponse(0, (0, 1))
        there, back = packet.receiver, packet.sender
        self.packets.add(Packet(there, back, packet.correlation, True, message, packet.peer))

    def done(self) -> World:
        """The next state, after the properties that concern several nodes were looked at."""
        nodes = tuple(self.nodes[node.id] for node in self.world.nodes)
        check_log_matching(nodes)
        # An answer that nobody expects any more changes nothing: it need not be delivered.
        packets = frozenset(packet for packet in self.packets if self._arrives(packet))
        after = evolve(self.world, nodes=nodes, packets=packets, history=self.history)
        check_refines(self.world, after)
        return after

    def _arrives(self, packet: Packet) -> bool:
        if (packet.sender, packet.receiver) in self.scope.cut:
            return False
        if (packet.receiver, packet.sender) in self.scope.cut:
            return False
        receiver = self.nodes[packet.receiver]
        return not packet.is_answer or receiver.expects(packet.peer, packet.correlation)

    # What effects do.

    def _own(self, node_id: NodeId) -> Node:
        node = self.nodes[node_id]
        if node_id not in self.touched:
            assert node.replica is not None and node.gate is not None
            self.touched.append(node_id)
            node = evolve(node, key=None, replica=node.replica.fork(), gate=node.gate.fork())
            self.nodes[node_id] = node
        return node

    def _act(self, node_id: NodeId, effect: Effect) -> None:
        node = self.nodes[node_id]
        if isinstance(effect, DISK_EFFECTS):
            accepted = node.accepted
            if isinstance(effect, AppendBatches):
                accepted += effect.batches
            elif isinstance(effect, TruncateLog):
                accepted = tuple(one for one in accepted if one.next_offset <= effect.to)
            done: DiskOp
            if isinstance(effect, InstallSnapshot):
                content = upto(self.history.committed, effect.snapshot.offset)
                done = Installation(effect.ticket, effect.snapshot, content)
            else:
                done = effect
            unsynced = (*node.unsynced, done)
            self.nodes[node_id] = evolve(node, key=None, unsynced=unsynced, accepted=accepted)
        elif isinstance(effect, OutgoingEffect):
            self._say(node, effect)
        elif isinstance(effect, Halt):
            raise Violation(f"node {node_id} halted: {effect.why}")

    def _say(self, node: Node, word: OutgoingEffect) -> None:
        check_outgoing(node, word)
        if isinstance(word, Committed):
            nodes = tuple(self.nodes.values())
            self.history = check_committed(self.history, node, word.high_watermark, nodes)
        elif isinstance(word, LeaderChanged):
            if word.leader.leader_id == node.id:
                self.history = check_led(self.history, node, word.leader.epoch)
        elif isinstance(word, Send):
            message = word.message
            if isinstance(message, VoteRequest) and not message.pre_vote:
                self.history = check_vote(self.history, node.id, message.epoch, node.id)
            receiver = _node_of(word.peer)
            self.packets.add(
                Packet(node.id, receiver, word.correlation, False, message, word.peer.id)
            )
        elif isinstance(word, Answer):
            self._answer(node, word)

    def _answer(self, node: Node, word: Answer) -> None:
        message: Response = word.message
        if word.id == EARLY_CHANGE:
            return
        if word.id == CLIENT_CHANGE:
            check_change_answered(self.history, node, message)
            return
        asker, peer, real_vote, correlation = asked_by(word.id)
        if isinstance(message, FetchResponse) and isinstance(message.records, LogSlice):
            message = evolve(message, records=_slice(node.accepted, message.records))
        if isinstance(message, FetchSnapshotResponse) and isinstance(message.data, SnapshotSlice):
            message = evolve(message, data=bytes([node.id]))
        if isinstance(message, VoteResponse) and message.granted and real_vote:
            self.history = check_vote(self.history, node.id, message.hint.epoch, asker)
        self.packets.add(Packet(node.id, asker, correlation, True, message, peer))


def _node_of(peer: Peer) -> NodeId:
    """The node behind a peer; a bootstrap server is known by its host's name alone."""
    if peer.id >= 0 or peer.endpoint is None:
        return peer.id
    return int(peer.endpoint.host.removeprefix("host"))


def _slice(log: tuple[Batch, ...], part: LogSlice) -> tuple[Batch, ...]:
    """The batches that a slice names; the first is given whole over any limit."""
    taken: list[Batch] = []
    size = 0
    for batch in log:
        if batch.next_offset <= part.first or batch.next_offset > part.below:
            continue
        if taken and size + batch.size_bytes > part.max_bytes:
            break
        taken.append(batch)
        size += batch.size_bytes
    return tuple(taken)
