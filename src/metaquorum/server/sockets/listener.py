"""Listening sockets, the connections that come in through them, and the orderly end of both."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Sequence
from functools import partial

import trio
from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import (
    ACCEPT_PAUSE_MS,
    ACCEPTS_PER_TURN,
    CLOSES_PER_TURN,
    MAX_PRODUCE_FRAME_BYTES,
    MAX_REQUEST_BYTES_IN_FLIGHT,
    MAX_REQUEST_FRAME_BYTES,
    SHUTDOWN_GRACE_MS,
    UNSENT_IN_KERNEL_BYTES,
)
from metaquorum.base.offsets import Offset
from metaquorum.config.listeners import Listener, bracketed
from metaquorum.config.node_config import NodeConfig
from metaquorum.runtime.loop.poller import Poller, TaskPoller
from metaquorum.server.access.authorise import authoriser_of, host_text
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.contract.api import COMMANDS, served_listener
from metaquorum.server.contract.request import Origin, ServedListener
from metaquorum.server.contract.rights import Refusals
from metaquorum.server.contract.services import Services
from metaquorum.server.pipeline.failures import Failures
from metaquorum.server.pipeline.held_back import HeldBack
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.sockets.accounts import Holder, RequestBudgets
from metaquorum.server.sockets.admission import Admission, plain_address
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_host import ConnectionHost, Note, ServerContext
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.descriptors import Descriptors
from metaquorum.server.sockets.epoll_host import HAS_EPOLL, EpollHost
from metaquorum.server.sockets.fair_queue import FairQueue
from metaquorum.server.sockets.sasl_listeners import SaslListeners
from metaquorum.server.sockets.statistics import ServerStatistics
from metaquorum.server.sockets.task_host import TaskHost
from metaquorum.server.sockets.tls_listeners import TlsListeners
from metaquorum.server.sockets.unsent import UnsentAnswers
from metaquorum.server.sockets.voter_connections import VoterConnections
from metaquorum.server.sockets.waiting_requests import WaitingRequests

Listen = Callable[[Listener, int], socket.socket]
"""Makes the socket of a listener, with its backlog."""

_NOTSENT_LOWAT: int | None = getattr(socket, "TCP_NOTSENT_LOWAT", None)
_SWEEP_S = 1.0
_STOP_POLL_S = 0.01
_NO_DESCRIPTOR_LEFT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_PEER_GONE_ALREADY = frozenset({errno.ECONNABORTED, errno.EPROTO})


def silent(line: str) -> None:
    """Say nothing of what happens to single connections."""


def listening_socket(listener: Listener, backlog: int) -> socket.socket:
    """A listening socket; a wildcard host listens on IPv4 and IPv6 where the system has both."""
    host = listener.host
    if host in ("", "::") and socket.has_dualstack_ipv6():
        sock = socket.create_server(
            ("::", listener.port),
            family=socket.AF_INET6,
            backlog=backlog,
            dualstack_ipv6=True,
        )
    else:
        family, _, _, _, place = socket.getaddrinfo(
            host or "0.0.0.0", listener.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        sock = socket.create_server(place[:2], family=family, backlog=backlog)
    sock.setblocking(False)
    return sock


@define(eq=False)
class Server:
    """All listeners of a node and their connections; made by ``serve``."""

    services: Services
    pipeline: Pipeline
    note: NoteGate
    budgets: RequestBudgets
    waiting: WaitingRequests
    limits: ConnectionLimits
    fair_queue: FairQueue
    unsent: UnsentAnswers
    admission: Admission
    sasl_listeners: SaslListeners
    tls_listeners: TlsListeners
    held_back: HeldBack
    connections_by_epoll: bool = True
    listen: Listen = listening_socket
    poller: Poller = field(factory=TaskPoller)
    voters: VoterConnections = field(factory=VoterConnections)
    ports: dict[str, int] = field(factory=dict)
    accepted: int = 0
    refused: int = 0
    _sockets: list[socket.socket] = field(factory=list)
    _bound: list[tuple[ServedListener, socket.socket]] = field(factory=list)
    _hosts: dict[ConnectionHost, None] = field(factory=dict)
    _nursery: trio.Nursery | None = None
    _context: ServerContext | None = None
    _epoll: EpollHost | None = None

    @classmethod
    def of(
        cls,
        services: Services,
        note: Note = silent,
        listen: Listen = listening_socket,
        refused: Note = silent,
        certificates: Note = silent,
        failed: Note = silent,
        *,
        descriptors: Descriptors | None = None,
        poller: Poller | None = None,
    ) -> Server:
        """A server that does not run yet, with the limits of the node's configuration.

        ``descriptors`` says how many connections may be open at a time.

        OperatorError where its keys and certificates cannot be used.
        """
        config, fair_queue = services.config, FairQueue(services.clock)
        refusals = Refusals(NoteGate(refused, services.clock))
        held_back = HeldBack(services)
        budgets = RequestBudgets.of(_request_bytes(config))
        return cls(
            services=services,
            pipeline=Pipeline(
                services,
                authoriser_of(config, services.committed, services.is_caught_up),
                work=fair_queue.work,
                refusals=refusals,
                failures=Failures(NoteGate(failed, services.clock)),
            ),
            note=NoteGate(note, services.clock),
            budgets=budgets,
            waiting=WaitingRequests(budgets, services.clock),
            limits=ConnectionLimits(
                frame_bytes=min(config.socket_request_max_bytes, MAX_REQUEST_FRAME_BYTES),
                produce_frame_bytes=min(config.socket_request_max_bytes, MAX_PRODUCE_FRAME_BYTES),
                idle_ms=config.connections_max_idle_ms
                if config.connections_max_idle_ms >= 0
                else NEVER,
                commands=COMMANDS,
            ),
            fair_queue=fair_queue,
            unsent=UnsentAnswers(),
            admission=Admission.of(config, descriptors, held_back.__len__),
            sasl_listeners=SaslListeners.of(services, refusals.note),
            tls_listeners=TlsListeners.of(services, certificates),
            held_back=held_back,
            connections_by_epoll=HAS_EPOLL and config.connection_host == "epoll",
            listen=listen,
            poller=TaskPoller() if poller is None else poller,
        )

    async def stop(self, grace_ms: Millis = SHUTDOWN_GRACE_MS) -> None:
        """Stop in order: no new connections, no new work, then what is parked ends or expires.

        Requests that come meanwhile are refused with a code that sends clients elsewhere.
        Returns when every connection is closed, at the latest when the grace is over.
        """
        self.close_sockets()
        self.pipeline.stopping = True
        with trio.move_on_after(grace_ms / 1_000):
            while any(host.is_busy for host in self._hosts):
                await trio.sleep(_STOP_POLL_S)
        for host in list(self._hosts):
            host.close()
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()

    def statistics(self) -> ServerStatistics:
        """Connections, refusals, requests by API, and the byte budget, for the metrics."""
        return {
            "connections": len(self._hosts),
            "connections_by_listener": self.admission.by_listener(),
            "accepted": self.accepted,
            "refused": self.refused,
            "requests": self.pipeline.statistics(),
            "budget": self.budgets.clients.statistics(),
            "unsent": self.unsent.statistics(),
        }

    def bind(self, listeners: Sequence[Listener]) -> None:
        """Take the address of every listener; connections from now on wait until ``run``.

        Raises OperatorError when one cannot be had, and holds none of them then.
        """
        try:
            for listener in listeners:
                self._bind(listener)
        except BaseException:
            self.close_sockets()
            raise

    async def run(self, task_status: trio.TaskStatus[Server] = trio.TASK_STATUS_IGNORED) -> None:
        """Report this server as started, and serve what ``bind`` took until stopped."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                self._context = ServerContext(
                    self.pipeline,
                    self.services.clock,
                    nursery,
                    self.note,
                    self.fair_queue,
                    self.unsent,
                    self.waiting.wake,
                )
                if self.connections_by_epoll:
                    self._epoll = EpollHost(self._context, self.poller)
                    nursery.start_soon(self._epoll.run)
                nursery.start_soon(self.fair_queue.run)
                for served, sock in self._bound:
                    nursery.start_soon(self._accept_all, served, sock)
                nursery.start_soon(self._sweep)
                nursery.start_soon(self.waiting.run)
                task_status.started(self)
        finally:
            self.close_sockets()
            self.held_back.close_all()
            for host in list(self._hosts):
                host.close()
            self._log_suppressed()

    def _bind(self, listener: Listener) -> None:
        backlog = self.services.config.socket_listen_backlog
        try:
            sock = self.listen(listener, backlog)
        except OSError as error:
            place = f"{bracketed(listener.host)}:{listener.port}"
            raise OperatorError(
                f"listener {listener.name} cannot listen on {place}: {error.strerror or error}"
            ) from None
        self._sockets.append(sock)
        self.ports[listener.name] = sock.getsockname()[1]
        services = self.services
        served = served_listener(listener, services.config, services.quorum_api_keys)
        self._bound.append((served, sock))

    def close_sockets(self) -> None:
        """Give the addresses back; connections that are open stay so."""
        for sock in self._sockets:
            trio.lowlevel.notify_closing(sock)
            sock.close()
        self._sockets.clear()

    async def _accept_all(self, listener: ServedListener, sock: socket.socket) -> None:
        while True:
            try:
                await trio.lowlevel.wait_readable(sock)
            except (OSError, ValueError, trio.ClosedResourceError):
                return
            if sock not in self._sockets:  # closed by a stop, after a peer had connected
                return
            if not self._accept_some(listener, sock):
                await trio.sleep(ACCEPT_PAUSE_MS / 1_000)
            if wait_ms := self._wait_for_voters(listener):
                await trio.sleep(wait_ms / 1_000)
            pause_ms, why = self._pause(listener)
            if pause_ms:
                self.note(f"listener {listener.name} takes no connection for {pause_ms} ms: {why}")
                self.admission.paused_ms += pause_ms
                await trio.sleep(pause_ms / 1_000)

    def _pause(self, listener: ServedListener) -> tuple[Millis, str]:
        now = self.services.clock.now_ms()
        return self.admission.pause(listener, now, is_alone=len(self.ports) == 1)

    def _accept_some(self, listener: ServedListener, sock: socket.socket) -> bool:
        """Take connections from the backlog; False when the process can hold no more."""
        assert self._context is not None
        for _ in range(ACCEPTS_PER_TURN):
            self._context.leaving.make_room()
            if self._pause(listener)[0] or self._wait_for_voters(listener):
                return True
            try:
                client, address = sock.accept()
            except BlockingIOError:
                return True
            except OSError as error:
                if error.errno in _NO_DESCRIPTOR_LEFT:
                    self.note(f"listener {listener.name} takes no connection: {error.strerror}")
                    return False
                if error.errno in _PEER_GONE_ALREADY:
                    continue
                raise
            self._take(listener, client, address)
        return True

    def _take(
        self, listener: ServedListener, client: socket.socket, address: tuple[str, int]
    ) -> None:
        place = plain_address(address[0])
        now = self.services.clock.now_ms()
        self.admission.knocked(listener.name, now)
        if self._comes_too_often(listener, client, place, now):
            return
        full = self.admission.refusal(listener, place, is_alone=len(self.ports) == 1)
        if full is None and self.admission.excess:
            self._make_way_for_files()
            full = self._make_way(self.admission.excess)
        if full is not None:
            self.refused += 1
            self.note(f"connection {place} on {listener.name}: too many connections, {full}")
            client.close()
            return
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if _NOTSENT_LOWAT is not None:
            client.setsockopt(socket.IPPROTO_TCP, _NOTSENT_LOWAT, UNSENT_IN_KERNEL_BYTES)
        self.accepted += 1
        assert self._nursery is not None and self._context is not None
        peer = f"{bracketed(place)}:{address[1]}"
        session = self.sasl_listeners.session(listener.name, peer, now)
        tls = self.tls_listeners.session(listener.name, session, now)
        gate = session if tls is None else tls
        holder = self.budgets.holder(place, is_authenticated=gate is None)
        connection = Connection(self.limits, holder.account, now, gate)
        holder.connection = connection
        if gate is not None:
            gate.on_proven = holder.is_client
        origin = Origin(listener, peer, host_text(place), session, tls)
        host: ConnectionHost
        if tls is not None:
            wrapped = self.tls_listeners.wrapped(listener.name, client, tls)
            host = TaskHost(wrapped, connection, origin, self._context)
            tls.close = host.close
            self._nursery.start_soon(host.run)
        elif self._epoll is not None:
            host = self._epoll.add(client, connection, origin)
        else:
            host = TaskHost(client, connection, origin, self._context)
            self._nursery.start_soon(host.run)
        host.on_closed = partial(self._forget, host, listener.name, place, holder)
        self._hosts[host] = None
        if self.admission.clients_hold_all:
            self.voters.add(host, place, now)
        elif len(self.voters):
            self.voters.keep_all()
        self.admission.came(listener.name, place)
        origin.standing.on_voter = partial(self._spoke_as_voter, host, place, holder)

    def _comes_too_often(
        self, listener: ServedListener, client: socket.socket, place: str, now: Millis
    ) -> bool:
        """Whether an address has exceeded its quota: the connection is then closed in a while.

        Not on a controller's listener beside others, so that clients cannot keep voters out.
        """
        if listener.is_controller and len(self.ports) > 1:
            return False
        pause_ms = self.services.client_quotas.take_connection(place, now)
        if not pause_ms:
            return False
        self.refused += 1
        self.note(
            f"connection {place} on {listener.name}: comes too often, it is closed in {pause_ms} "
            "ms; connection_creation_rate of its address"
        )
        has_room = not self.admission.clients_hold_all
        self.held_back.hold(client, pause_ms, has_room=has_room)
        return True

    def _wait_for_voters(self, listener: ServedListener) -> Millis:
        """For how long nobody is taken, as all descriptors are held by those who just came."""
        if not listener.is_controller or not self.admission.excess:
            return 0
        return self.voters.pause(self.services.clock.now_ms())

    def _make_way(self, for_how_many: int) -> str | None:
        """Close connections that make way for others; the reason for one that is refused."""
        most = self.admission.descriptors.connections
        why = self.admission.why_no_descriptor(most)
        for _ in range(for_how_many):
            going = self.voters.next_to_go()
            if going is None:
                return why
            going[0].close(f"makes way for one more on the controller listener: {why}")
        return None

    def _make_way_for_files(self) -> bool:
        """Close some connections, idle ones first, if logs have so many files; whether it must go
        on.
        """
        admission = self.admission
        held = admission.open_sockets - len(self.voters)
        beyond = held - admission.descriptors.client_connections
        if beyond <= 0:
            return False
        strangers = [
            one
            for one in self._hosts
            if not one.origin.standing.is_voter and one not in self.voters
        ]
        strangers.sort(key=lambda one: one.connection.last_active)
        why = admission.why_no_descriptor(admission.descriptors.connections)
        for host in strangers[: min(beyond, CLOSES_PER_TURN)]:
            host.close(f"makes way for files of logs: {why}")
        return beyond > CLOSES_PER_TURN < len(strangers)

    def _spoke_as_voter(self, host: ConnectionHost, place: str, holder: Holder) -> None:
        self.voters.spoke_as_voter(host, place)
        holder.is_voter()

    def _forget(self, host: ConnectionHost, listener: str, place: str, holder: Holder) -> None:
        del self._hosts[host]
        holder.closed()
        host.origin.standing.closed()
        self.admission.left(listener, place)
        self.voters.left(host, place, is_voter=host.origin.standing.is_voter)

    def connections_on(self, listener: str) -> int:
        """How many connections are open on a listener."""
        return self.admission.on(listener)

    def close_overdue(self, most: int | None = None) -> int:
        """Close connections whose deadline has passed, with a line for each; how many it closed.

        All of them, or ``most`` of them: closing a thousand takes longer than anybody may have to
        wait.
        """
        now = self.services.clock.now_ms()
        closed = 0
        for host in list(self._hosts):
            if closed == most:
                break
            if host.connection.deadline <= now:
                host.close(host.connection.complaint)
                closed += 1
        return closed

    def cut(self, to: Offset) -> None:
        """The log is about to be cut at ``to``: end the connections that are being sent more of it.

        What is below the high watermark is never cut, so these are replicas, and rare.
        """
        self.pipeline.forget_answers()
        for host in list(self._hosts):
            host.cut(to)

    async def _sweep(self) -> None:
        while True:
            await trio.sleep(_SWEEP_S)
            while self.close_overdue(CLOSES_PER_TURN) == CLOSES_PER_TURN:
                await trio.lowlevel.checkpoint()
            while self._make_way_for_files():
                await trio.lowlevel.checkpoint()
            self._log_suppressed()

    def _log_suppressed(self) -> None:
        self.note.log_suppressed()
        self.pipeline.refusals.note.log_suppressed()
        self.pipeline.failures.note.log_suppressed()


def _request_bytes(config: NodeConfig) -> int:
    """What all requests may hold in memory: the operator's limit, within ours."""
    asked = config.queued_max_request_bytes
    return min(asked, MAX_REQUEST_BYTES_IN_FLIGHT) if asked > 0 else MAX_REQUEST_BYTES_IN_FLIGHT


async def serve(
    listeners: Sequence[Listener],
    services: Services,
    *,
    note: Note = silent,
    listen: Listen = listening_socket,
    refused: Note = silent,
    task_status: trio.TaskStatus[Server] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve Kafka's protocol on the listeners until ``Server.stop`` or a cancel.

    Start it with ``await nursery.start(...)``: that returns the ``Server``, bound and accepting,
    with the ports in ``Server.ports``. ``note`` gets a line for every connection that was closed
    for a reason, ``refused`` one for every right that was missing, a few a second and a count of
    the others. Raises
    OperatorError when an address cannot be had.
    """
    server = Server.of(services, note, listen, refused)
    server.bind(listeners)
    await server.run(task_status)
