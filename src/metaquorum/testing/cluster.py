"""Several replicas on fake hosts with a network between them, under one virtual clock.

Messages arrive in the order in which they were sent, disks sync at once; what is cut off is
lost. Tests drive it by ``run`` (nothing but messages) and ``run_for`` (time passes too).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, evolve, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.quorum.effects import Answer, Appended, Effect, Send
from metaquorum.quorum.events import (
    AppendAsked,
    RequestArrived,
    RequestFailed,
    ResponseArrived,
    Started,
    TimePassed,
)
from metaquorum.quorum.messages import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    FetchResponse,
    LogSlice,
    Request,
    Response,
)
from metaquorum.quorum.types import Batch, Peer
from metaquorum.testing.fakes import FakeHost, data_batch, voter, voters

MESSAGES_MAX = 20_000
"""More than any test sends: beyond it two replicas are talking in circles."""


@frozen
class InTransit:
    """One request or answer under way. ``peer`` is how the asker calls the other."""

    sender: NodeId
    receiver: NodeId
    correlation: int
    peer: NodeId
    message: Request | Response
    is_answer: bool


@define(eq=False)
class Cluster:
    """Nodes by id; ``down`` are stopped, between the pairs in ``cut`` nothing arrives.

    ``kraft_versions`` are the ranges that nodes name in ApiVersions, where they are not 0 to 1.
    """

    nodes: dict[NodeId, FakeHost]
    now: Millis = 0
    down: set[NodeId] = field(factory=set)
    cut: set[frozenset[NodeId]] = field(factory=set)
    seen: list[InTransit] = field(factory=list)
    kraft_versions: dict[NodeId, tuple[int, int] | None] = field(factory=dict)
    _network: deque[InTransit] = field(factory=deque)
    _asked: dict[tuple[NodeId, int], InTransit] = field(factory=dict)
    _clients: dict[int, Response | None] = field(factory=dict)
    _ids: int = 0

    @classmethod
    def of(
        cls,
        voter_ids: Iterable[NodeId],
        observer_ids: Iterable[NodeId] = (),
        *,
        with_bootstrap: bool = True,
        kraft_version: int = 0,
        with_directory: bool = True,
        **changes: object,
    ) -> Cluster:
        """Nodes that were just started, on empty disks; their time-outs grow with their ids.

        With kraft.version 1 only the voters know each other from the start. Under kraft.version 0
        Kafka's static voters are those ``with_directory`` False.
        """
        ids = tuple(voter_ids)
        if with_bootstrap:
            changes["bootstrap"] = tuple(voter(one).endpoints[0] for one in ids)
        cluster = cls({})
        for node_id in (*ids, *observer_ids):
            changes_of_one = {"election_timeout_ms": 1_000 + 100 * node_id, **changes}
            is_named = node_id in ids or not kraft_version
            known = voters(*ids, with_directory=with_directory) if is_named else voters()
            cluster.nodes[node_id] = FakeHost.of(
                node_id,
                known,
                kraft_version=kraft_version,
                **changes_of_one,  # type: ignore[arg-type]
            )
        for node_id in cluster.nodes:
            cluster.tell(node_id, Started())
        return cluster

    # What tests do.

    def tell(self, node_id: NodeId, event: object) -> list[Effect]:
        """Step a node, sync its disk, and put what it says on the network."""
        host = self.nodes[node_id]
        host.now = self.now
        said = host.tell(event)  # type: ignore[arg-type]
        while host.unsynced:
            said += host.sync()
        for word in said:
            self._say(node_id, word)
        return said

    def run(self) -> Cluster:
        """Deliver messages until none is under way."""
        delivered = 0
        while self._network:
            self._deliver(self._network.popleft())
            delivered += 1
            if delivered > MESSAGES_MAX:
                raise AssertionError("the replicas are talking in circles")
        return self

    def deliver_one(self) -> None:
        """Deliver the oldest message under way."""
        self._deliver(self._network.popleft())

    def run_for(self, millis: Millis) -> Cluster:
        """Let time pass, deadline by deadline, delivering everything in between."""
        until = self.now + millis
        self.run()
        while True:
            running = [one for one in self.nodes if one not in self.down]
            due = min((self.nodes[one].replica.deadline, one) for one in running)
            if due[0] > until:
                break
            self.now = max(self.now, due[0])
            self.tell(due[1], TimePassed())
            self.run()
        self.now = until
        return self

    def run_until(self, holds: Callable[[], bool], limit_ms: Millis = 60_000) -> Cluster:
        """Let time pass until something holds; AssertionError when it does not in time."""
        until = self.now + limit_ms
        while not holds():
            if self.now >= until:
                raise AssertionError(f"not reached in {limit_ms} ms: {self.lines()}")
            self.run_for(10)
        return self

    def elected(self) -> NodeId:
        """Wait for a leader that has committed its epoch; its id."""
        self.run_until(lambda: self._leader() is not None)
        leader = self._leader()
        assert leader is not None
        return leader

    def append(self, node_id: NodeId, payload: object) -> Offset:
        """Append one record at a leader; its offset."""
        replica = self.nodes[node_id].replica
        for effect in self.tell(node_id, AppendAsked(0, (data_batch(payload),), replica.epoch)):
            if isinstance(effect, Appended):
                return effect.base_offset
        raise AssertionError(f"node {node_id} took no append: {self.lines()}")

    def ask(self, node_id: NodeId, message: Request) -> int:
        """A client's request; the number by which its answer is found."""
        self._ids += 1
        self._clients[number := self._ids] = None
        self.tell(node_id, RequestArrived(number, message))
        return number

    def answer(self, number: int) -> Any:
        """The answer to a client's request, None while there is none."""
        return self._clients[number]

    def asked(self, node_id: NodeId, message: Request) -> Any:
        """The answer to a client's request once all messages are delivered."""
        number = self.ask(node_id, message)
        self.run()
        return self.answer(number)

    def isolate(self, node_id: NodeId) -> None:
        """Nothing arrives from or at this node any more."""
        self.cut |= {frozenset((node_id, other)) for other in self.nodes if other != node_id}

    def heal(self) -> None:
        """Everything arrives again."""
        self.cut.clear()

    def crash(self, node_id: NodeId) -> None:
        """Stop a node; its disk keeps what was synced."""
        self.down.add(node_id)

    def restart(self, node_id: NodeId) -> None:
        """Start a node from its disk."""
        self.down.discard(node_id)
        self.nodes[node_id].now = self.now
        self.nodes[node_id] = self.nodes[node_id].restarted()
        self._asked = {key: one for key, one in self._asked.items() if key[0] != node_id}
        self.tell(node_id, Started())

    def payloads(self, node_id: NodeId) -> list[object]:
        """The data on a node's disk."""
        return [batch.payload for batch in self.nodes[node_id].disk_log if not batch.controls]

    def lines(self) -> list[str]:
        """Every node in a line."""
        return [f"{one} {host.replica.summary().line()}" for one, host in self.nodes.items()]

    def sent(self, kind: type, sender: NodeId | None = None) -> list[InTransit]:
        """Everything of one kind that was sent so far."""
        return [
            one
            for one in self.seen
            if isinstance(one.message, kind) and sender in (None, one.sender)
        ]

    # How it works.

    def _leader(self) -> NodeId | None:
        for node_id, host in self.nodes.items():
            leads = node_id not in self.down and host.replica.summary().is_leader
            if leads and host.replica.shown_high_watermark >= 0:
                return node_id
        return None

    def _say(self, node_id: NodeId, word: Effect) -> None:
        if isinstance(word, Send):
            receiver = _node_of(word.peer)
            self._put(
                InTransit(node_id, receiver, word.correlation, word.peer.id, word.message, False)
            )
        elif isinstance(word, Answer):
            asked = self._asked.pop((node_id, word.id), None)
            if word.id in self._clients:
                self._clients[word.id] = word.message
            if asked is not None:
                message = self._resolved(node_id, word.message)
                self._put(
                    InTransit(node_id, asked.sender, asked.correlation, asked.peer, message, True)
                )

    def _put(self, packet: InTransit) -> None:
        self.seen.append(packet)
        self._network.append(packet)

    def _deliver(self, packet: InTransit) -> None:
        unreachable = packet.receiver in self.down or packet.receiver not in self.nodes
        lost = frozenset((packet.sender, packet.receiver)) in self.cut or packet.sender in self.down
        message: Any = packet.message
        if packet.is_answer:
            if not (unreachable or lost):
                event = ResponseArrived(packet.peer, packet.correlation, message)
                self.tell(packet.receiver, event)
        elif lost:
            return
        elif unreachable:
            failed = RequestFailed(packet.peer, packet.correlation, "no connection")
            self.tell(packet.sender, failed)
        elif isinstance(message, ApiVersionsRequest):
            self._put(self._versions_of(packet))
        else:
            self._ids += 1
            self._asked[(packet.receiver, self._ids)] = packet
            self.tell(packet.receiver, RequestArrived(self._ids, message))

    def _versions_of(self, packet: InTransit) -> InTransit:
        """What a node's server says without its replica."""
        message = ApiVersionsResponse(0, self.kraft_versions.get(packet.receiver, (0, 1)))
        return InTransit(
            packet.receiver, packet.sender, packet.correlation, packet.peer, message, True
        )

    def _resolved(self, node_id: NodeId, message: Response) -> Response:
        if not isinstance(message, FetchResponse) or not isinstance(message.records, LogSlice):
            return message
        part = message.records
        batches: tuple[Batch, ...] = tuple(
            batch
            for batch in self.nodes[node_id].disk_log
            if part.first < batch.next_offset <= part.below
        )
        return evolve(message, records=batches)


def _node_of(peer: Peer) -> NodeId:
    if peer.id >= 0 or peer.endpoint is None:
        return peer.id
    return int(peer.endpoint.host.removeprefix("host"))
