"""The network: every request and its answer, and all that can become of them on its links.

As in TCP nothing is lost alone: what a cut swallows brings no answer, a closed connection brings
a failure at once. One exchange at a time between an asker and a peer, as ``runtime.peer_link``
has it; an exchange that is given up ends at the other side too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import define, evolve, field

from metaquorum.base.errors import RequestError
from metaquorum.quorum import effects, events
from metaquorum.quorum.adapt import read_batches
from metaquorum.quorum.messages import (
    CORRUPT_MESSAGE,
    NONE,
    SNAPSHOT_NOT_FOUND,
    ApiVersionsRequest,
    ApiVersionsResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    LogSlice,
    Request,
    SnapshotSlice,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import Endpoint
from metaquorum.runtime.loop.promise import Promise
from metaquorum.testing.sim.links import DUPLICATED, LOST, RESET, Links
from metaquorum.testing.simulator.book import Book
from metaquorum.testing.simulator.heap import Act, Agenda
from metaquorum.testing.simulator.invariants import commits, elections, logs, snapshots
from metaquorum.testing.simulator.node import SimNode
from metaquorum.testing.simulator.wire_path import Outdated, WirePath
from metaquorum.wire.slices import FileSlice

REFUSED_US = 150
"""How soon a closed port says so."""


@define(eq=False)
class Exchange:
    """One request under way. ``life`` and ``other_life`` are those of asker and asked."""

    asker: SimNode
    life: int
    request: effects.Send
    asked: SimNode | None = None
    other_life: int = 0
    promise: Promise[Any] | None = None
    is_over: bool = False


@define(eq=False)
class Network:
    """Carries messages between nodes; ``tell`` runs something at a node, when it can listen, and
    ``ask`` something that its server does.

    Between nodes there are ``links``. ``half_open`` are those whose end no peer notices.
    """

    nodes: dict[int, SimNode]
    links: Links
    agenda: Agenda
    tell: Act
    ask: Act
    fired: Callable[[str], None]
    book: Book
    wire: WirePath
    half_open: dict[int, bool] = field(factory=dict)
    places: dict[tuple[str, int], int] = field(factory=dict)
    _open: dict[tuple[int, int], Exchange] = field(factory=dict)

    # Requests.

    def send(self, asker: SimNode, request: effects.Send) -> None:
        """A request leaves its node: the disk has what it promises, or a rule is broken."""
        self._check_request(asker, request)
        way = (asker.id, request.peer.id)
        before = self._open.pop(way, None)
        if before is not None:
            self._give_up(before)
        exchange = self._open[way] = Exchange(asker, asker.memory.life, request)
        asked = self._node_at(request.peer.endpoint)
        if asked is None or asked.node is None:
            self._refuse(exchange, asked)
            return
        exchange.asked, exchange.other_life = asked, asked.memory.life
        fate = self.links.fate(asker.id, asked.id)
        if fate == LOST:
            return
        if fate == RESET:
            if self.wire.cut_request(request.message, asked.id, self.links.random):
                self.fired(RESET)
            self._fail(exchange, "the connection was reset")
            return
        message = request.message
        if self.wire.old:
            try:
                message = self.wire.carried(asker.id, asked.id, message)
            except Outdated as error:
                self._fail(exchange, str(error), unsupported=True)
                return
        self._carry(asker.id, asked.id, self.ask, asked, self._arrive, exchange, message)
        if fate == DUPLICATED:
            self.fired(DUPLICATED)
            copy = Exchange(asker, asker.memory.life, request, asked, exchange.other_life)
            self._carry(asker.id, asked.id, self.ask, asked, self._arrive, copy, message)

    def _arrive(self, exchange: Exchange, message: Request) -> None:
        asked = exchange.asked
        assert asked is not None
        running = asked.node
        if running is None or asked.memory.life != exchange.other_life or exchange.is_over:
            return
        if isinstance(message, ApiVersionsRequest):  # the server answers it, not the core
            config = running.driver.replica.config
            levels = (config.lowest_kraft_version, config.highest_kraft_version)
            promise: Promise[Any] = Promise()
            promise.complete(ApiVersionsResponse(NONE, levels))
        else:
            promise = running.driver.ask_quorum(message)
        exchange.promise = promise
        promise.then(partial(self._answered, exchange, message))

    # Answers.

    def _answered(self, exchange: Exchange, message: Request, done: Promise[Any]) -> None:
        asked, asker = exchange.asked, exchange.asker
        assert asked is not None
        try:
            answer = done.result()
        except RequestError:  # the inbox is full: the server would answer THROTTLING
            self._fail(exchange, "overloaded")
            return
        self._check_answer(asked, message, answer)
        read = None
        if self.wire.old:
            read = self.wire.carried_back(
                asker.id, asked.id, message, answer, lambda piece: self._bytes(asked, piece)
            )
        answer = self._resolved(asked, answer) if read is None else read
        fate = self.links.fate(asked.id, asker.id)
        if fate == LOST or exchange.is_over:
            return
        if fate == RESET:
            self.fired(RESET)
            self._fail(exchange, "the connection was reset in the middle of the answer")
            return
        event = events.ResponseArrived(
            exchange.request.peer.id, exchange.request.correlation, answer
        )
        self._carry(asked.id, asker.id, self.tell, asker, self._deliver, exchange, event)
        if fate == DUPLICATED:
            self.fired(DUPLICATED)
            self._carry(asked.id, asker.id, self.tell, asker, self._deliver, exchange, event)

    def _deliver(self, exchange: Exchange, event: events.Event) -> None:
        asker = exchange.asker
        running = asker.node
        if running is not None and asker.memory.life == exchange.life:
            key = (asker.id, exchange.request.peer.id)
            if self._open.get(key) is exchange:
                del self._open[key]
            running.driver.post(event)

    def _resolved(self, asked: SimNode, answer: Any) -> Any:
        """The bytes that a slice stands for, read as the asker's border reads them."""
        if isinstance(answer, FetchResponse):
            if not isinstance(answer.records, LogSlice):
                return answer
            data = self._bytes(asked, answer.records) or b""
            good, _ = read_batches(data)
            if data and not good:
                return evolve(answer, error=CORRUPT_MESSAGE, records=None)
            return FetchResponse(  # for every batch that is copied, so without ``evolve``
                answer.error,
                answer.hint,
                high_watermark=answer.high_watermark,
                log_start=answer.log_start,
                diverging=answer.diverging,
                snapshot=answer.snapshot,
                records=good or None,
            )
        if isinstance(answer, FetchSnapshotResponse) and isinstance(answer.data, SnapshotSlice):
            found = self._bytes(asked, answer.data)
            if found is None:
                return evolve(answer, error=SNAPSHOT_NOT_FOUND, data=b"")
            return evolve(answer, data=found)
        return answer

    def _bytes(self, asked: SimNode, piece: LogSlice | SnapshotSlice) -> bytes | None:
        value = asked.running.services.log.resolve(piece)
        if value is None:  # gone meanwhile, or no descriptor is left to open it with
            return None
        parts = value.parts if hasattr(value, "parts") else (value,)
        return b"".join(
            asked.disk.read_slice(part) if isinstance(part, FileSlice) else bytes(part)
            for part in parts
        )

    # What becomes of them.

    def _carry(
        self, sender: int, receiver: int, tell: Act, node: SimNode, act: Act, *arguments: Any
    ) -> None:
        due = self.links.arrival_us(self.agenda.now_us, sender, receiver)
        self.agenda.at(due, tell, node, node.memory.life, act, *arguments)

    def _refuse(self, exchange: Exchange, asked: SimNode | None) -> None:
        if asked is not None and self.half_open.get(asked.id):
            self.fired("half-open")
            return
        self._fail(exchange, "connection refused")

    def _fail(self, exchange: Exchange, why: str, *, unsupported: bool = False) -> None:
        """The asker learns, soon, that no answer will come."""
        asker, request = exchange.asker, exchange.request
        exchange.is_over = True
        event = events.RequestFailed(request.peer.id, request.correlation, why, unsupported)
        life = exchange.life
        self.agenda.after(REFUSED_US, self.tell, asker, life, self._deliver, exchange, event)

    def _give_up(self, exchange: Exchange) -> None:
        """The asker wants no answer any more: its old connection is closed."""
        promise, asked = exchange.promise, exchange.asked
        # Where links reorder a late answer may still come, and must not matter.
        exchange.is_over = not self.links.reorders
        if promise is None or asked is None or promise.done or self.links.reorders:
            return
        if (exchange.asker.id, asked.id) not in self.links.cuts:
            life = exchange.other_life
            self.agenda.after(self.links.latency_us, self.tell, asked, life, promise.cancel)

    def went_down(self, node: SimNode) -> None:
        """A process ended: its kernel resets the connections of its peers, if it still runs."""
        for key, exchange in list(self._open.items()):
            if exchange.asker is node:
                del self._open[key]
                self._give_up(exchange)
            elif exchange.asked is node and not exchange.is_over:
                if self.half_open.get(node.id):
                    self.fired("half-open")
                elif (node.id, exchange.asker.id) not in self.links.cuts:
                    self._fail(exchange, "the connection was reset")
                    self._refused_again(exchange, node)

    def _refused_again(self, exchange: Exchange, gone: SimNode) -> None:
        """A link whose connection was reset connects at once again, and is refused."""
        asker, life, peer_id = exchange.asker, exchange.life, exchange.request.peer.id

        def lost() -> None:
            if not gone.is_up:
                self.fired("leader-lost")
                asker.running.driver.post(events.LeaderLost(peer_id, "connection refused"))

        self.agenda.after(2 * REFUSED_US, self.tell, asker, life, lost)

    def _node_at(self, endpoint: Endpoint | None) -> SimNode | None:
        if endpoint is None:
            return None
        node_id = self.places.get((endpoint.host, endpoint.port))
        return None if node_id is None else self.nodes[node_id]

    # What may be said.

    def _check_request(self, asker: SimNode, request: effects.Send) -> None:
        memory, message = asker.memory, request.message
        epoch = getattr(message, "epoch", None)
        if epoch is not None:
            if epoch > memory.saved_epoch:
                elections.no_epoch_is_named_before_it_is_saved(asker.id, memory.saved_epoch, epoch)
            if epoch > memory.said_epoch:
                memory.said_epoch = epoch
        if isinstance(message, FetchRequest):
            logs.a_fetch_promises_what_is_below_it(asker.id, message.offset, memory.disk.end)
        elif isinstance(message, FetchSnapshotRequest):
            whose = (request.peer.id, message.epoch, message.snapshot)
            if message.position:
                self.fired("snapshot-part")
                snapshots.a_part_goes_on_with_its_leader(asker.id, memory.download, whose)
            elif memory.download is not None and memory.download != whose:
                self.fired("download-anew")
            memory.download = whose

    def _check_answer(self, asked: SimNode, message: Request, answer: Any) -> None:
        memory, hint = asked.memory, getattr(answer, "hint", None)
        if hint is not None:
            if hint.epoch > memory.saved_epoch:
                elections.no_epoch_is_named_before_it_is_saved(
                    asked.id, memory.saved_epoch, hint.epoch
                )
            if hint.epoch > memory.said_epoch:
                memory.said_epoch = hint.epoch
        if isinstance(answer, FetchResponse):
            if hint is None or answer.error:
                return
            epoch, before = memory.answered
            if epoch == hint.epoch:
                commits.answered_watermarks_never_fall(asked.id, before, answer.high_watermark)
            memory.answered = (hint.epoch, answer.high_watermark)
        elif isinstance(answer, VoteResponse):
            vote = message if isinstance(message, VoteRequest) else None
            if answer.granted and vote is not None and not vote.pre_vote:
                self.book.votes_for(memory, vote.epoch, vote.candidate.id)
