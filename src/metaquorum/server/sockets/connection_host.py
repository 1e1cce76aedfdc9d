"""What both hosts of a ``Connection`` have in common: whose turn it is, what is served and sent.

A host moves bytes between one socket and one connection, and requests to the pipeline. Everything
happens on the turn of the task with the event: a request is served on the reader's turn, a parked
answer leaves on the turn of the code that completed it. So a request costs no task, no event and no
cancel scope of its own. Only those whose requests hold the loop for long have to queue for their
turns (``server.fair_queue``). How a host learns that its socket can be read or written is its own
business: ``task_host`` has a task for each, ``epoll_host`` one for all.
"""

from __future__ import annotations

import fcntl
import select
import termios
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable
from contextlib import suppress

import trio
from attrs import Factory, field, frozen

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import (
    FIRST_READ_CHUNK_BYTES,
    LONG_TURN_MS,
    MEDIUM_REQUEST_BYTES,
    QUEUED_TURN_MS,
    READ_CHUNK_BYTES,
    REQUESTS_PER_TURN,
    SCANT_READ_CHUNK_BYTES,
    SMALL_REQUEST_BYTES,
    TURN_MS,
)
from metaquorum.base.offsets import Offset
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.api import FETCH
from metaquorum.server.contract.delays import delayed
from metaquorum.server.contract.request import Origin
from metaquorum.server.pipeline.envelopes import Deliver
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.pipeline.sender import Flushed, PeerGone, Sender, StreamSocket, is_gone
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_states import CLOSED, IllegalEvent
from metaquorum.server.sockets.fair_queue import SLOW_IN_A_ROW, FairQueue, Leaving
from metaquorum.server.sockets.pipelined_commands import PipelinedCommands
from metaquorum.server.sockets.unsent import UnsentAnswers
from metaquorum.wire.primitives import Parts

Note = Callable[[str], None]


def _nothing() -> None:
    """Nobody wants to know."""


_HUNG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)  # Linux alone has the first


@frozen
class ServerContext:
    """What all connections of a server have in common."""

    pipeline: Pipeline
    clock: Clock
    nursery: trio.Nursery
    note: Note
    fair_queue: FairQueue
    unsent: UnsentAnswers
    somebody_waits: Callable[[], None] = _nothing
    leaving: Leaving = field(
        init=False, default=Factory(lambda self: Leaving(self.fair_queue), takes_self=True)
    )


class ConnectionHost(ABC):
    """Serves one connection, in turns; who waits for its socket is a subclass.

    ``on_closed`` is called once, when the connection is closed, by either side.
    """

    __slots__ = (
        "__weakref__",
        "_advancing",
        "_context",
        "_draining",
        "_long_turns",
        "_parked",
        "_quota_pause",
        "_sender",
        "_sends_much",
        "_serving",
        "_socket",
        "connection",
        "copies_log",
        "on_closed",
        "origin",
    )

    def __init__(
        self, sock: StreamSocket, connection: Connection, origin: Origin, shared: ServerContext
    ) -> None:
        self.connection = connection
        connection.host = self
        self.origin = origin
        self.copies_log = False  # whether its last request was that of a replica for the log
        self.on_closed: Callable[[], None] = _nothing
        self._context = shared
        self._socket = sock
        self._sender = self._sender_for(sock)
        self._sends_much = False
        self._parked: Promise[object] | None = None
        self._serving = 0
        self._long_turns = 0
        self._advancing = False
        self._draining = False
        self._quota_pause: Promise[None] | None = None

    def _sender_for(self, sock: StreamSocket) -> Sender:
        return Sender(sock)

    @abstractmethod
    def _wait_to_send(self, flushed: Flushed) -> None:
        """Go on sending once the peer takes more, or the page that is missing is in memory."""

    @abstractmethod
    def _resume(self) -> None:
        """There may be room again for what was held back: read, and serve."""

    @abstractmethod
    def is_held_back(self) -> bool:
        """Whether its bytes are left in the socket until there is room for them."""

    @abstractmethod
    def _turn_over(self) -> None:
        """A turn has ended: see whether to read."""

    @abstractmethod
    def _let_go(self) -> None:
        """Nobody waits for the socket from now on; it is closed next."""

    def advance(self) -> None:
        """Serve one turn of what may be served and send what may be sent, without waiting."""
        if self._advancing or self.connection.state is CLOSED:
            return
        self._turn(None if self._must_queue() else TURN_MS)

    def _must_queue(self) -> bool:
        """Whether its next turn is one that the others should not have to wait for."""
        connection = self.connection
        takes_long = (
            self._long_turns >= SLOW_IN_A_ROW
            or connection.next_size_bytes > MEDIUM_REQUEST_BYTES
            or self._context.fair_queue.is_slow(connection.next_api_key)
        )
        return takes_long and connection.has_request

    def _take_queued_turn(self) -> None:
        """Its turn has come, unless its peer went while it waited; nobody read its hang-up."""
        if not self._is_gone():
            self._turn(QUEUED_TURN_MS)

    def _is_gone(self) -> bool:
        """Whether the peer has hung up; closes the connection if so."""
        if self.connection.state is not CLOSED and self._is_hung_up():
            self.close()
        return self.connection.state is CLOSED

    def _is_hung_up(self) -> bool:
        asked = select.poll()
        asked.register(self._socket, _HUNG_UP)
        return bool(asked.poll(0))

    def unread_bytes(self) -> int:
        """How many bytes its peer has sent that were not read yet."""
        count = array("i", (0,))
        fcntl.ioctl(self._socket.fileno(), termios.FIONREAD, count)
        return count[0]

    def _turn(self, most_ms: Millis | None) -> None:
        """Serve for so long, or nothing; send; then see how it goes on."""
        self._advancing = True
        try:
            if most_ms is not None:
                self._serve_some(most_ms)
            if self._send_some():
                if most_ms is None:
                    self._follow_late()
                else:
                    self._follow()
        except PeerError as error:
            self._end(error)
        finally:
            self._advancing = False
        if self.connection.state is CLOSED:
            return
        self.connection.settle(self._context.clock.now_ms())
        self._wait_for_budget()
        self._turn_over()

    def _wait_for_budget(self) -> None:
        if self.connection.when_budget_allows(self._resume):
            self._context.somebody_waits()

    def _follow(self) -> None:
        """A connection that pipelines a great deal has another turn after all others had theirs."""
        if self.connection.has_request:
            self._context.fair_queue.queue(self, self._take_queued_turn)

    def _follow_late(self) -> None:
        """The same behind an answer that came late, for a reader that took no time for it now."""
        self._follow()

    @property
    def is_busy(self) -> bool:
        """Whether a request is being served or an answer is on its way."""
        return self.connection.is_serving or not self._sender.is_empty

    def cut(self, to: Offset) -> None:
        """The log is about to be cut: an answer must not end in what will stand there then."""
        if self._sender.sends_beyond(to):
            self.close(f"the log is cut at {to} while more of it is on its way")

    def close(self, complaint: str | None = None) -> None:
        """Drop the connection and what is parked for it; further calls change nothing."""
        if self.connection.state is CLOSED:
            return
        if complaint is not None:
            place = f"{self.origin.peer} on {self.origin.listener.name}"
            self._context.note(f"connection {place}: {complaint}")
        self.connection.close()
        self._sender.clear()
        self._context.fair_queue.leave(self)
        self._context.unsent.release(self)
        parked, self._parked = self._parked, None
        if parked is not None:
            parked.cancel()
        if self._quota_pause is not None:
            self._quota_pause.cancel()
        self._let_go()
        self._socket.close()
        # It knows this connection: kept, it would leave both to the collector, and the loop would
        # pause for thousands of them at once.
        on_closed, self.on_closed = self.on_closed, _nothing
        on_closed()

    def _read(self, most: int) -> bool:
        """Take what the peer sent, in so many pieces at most; whether it hung up."""
        for _ in range(most):
            data = self._received()
            if data is None:
                return False
            if not data:
                return True
            self.connection.bytes_received(data, self._context.clock.now_ms())
            if not self.connection.wants_bytes:
                break
        return False

    def _received(self) -> bytes | None:
        """What the peer sent; empty when it hung up, None when there was nothing after all.

        Room is made for all that is asked for before anybody knows how much there is; most send a
        small request at a time, and for those it is most of what a request allocates.
        """
        if self.connection.state is CLOSED:  # by another task that was woken by the same event
            return b""
        most = FIRST_READ_CHUNK_BYTES
        if self._sends_much:
            most = self._piece_bytes()
        try:
            data = self._socket.recv(most)
        except BlockingIOError:
            self._sends_much = True  # TLS deciphers whole records, and of a long one a part came
            return None
        except OSError as error:
            if is_gone(error):
                return b""
            raise
        self._sends_much = len(data) >= FIRST_READ_CHUNK_BYTES
        return data

    def _piece_bytes(self) -> int:
        """How much of a request that is not small is read in one go: little while there is no room,
        but all of one that is whole then, so that it is served before others are read.
        """
        connection = self.connection
        if not connection.budget_is_spent:
            return READ_CHUNK_BYTES
        least = SCANT_READ_CHUNK_BYTES
        return max(least, connection.missing_bytes) if connection.rest_has_come() else least

    def _end(self, error: PeerError) -> None:
        """Close on a peer that broke the protocol; what was answered before that leaves first.

        After a fault of ours nothing leaves: it might not be the answer that the peer waits for.
        """
        if isinstance(error, PeerGone):
            self.close()
            return
        if isinstance(error, IllegalEvent):
            self._context.pipeline.failures.add_connection(error, self.origin)
            self.close(str(error))
            return
        with suppress(PeerError):
            self._sender.push(self.connection.bytes_to_send())
            if not self._draining:
                self._sender.flush()
        self.close(str(error))

    def _serve_some(self, most_ms: Millis) -> None:
        """Hand requests to the pipeline until one is parked or the turn is over."""
        clock, pipeline = self._context.clock, self._context.pipeline
        began = now = clock.now_ms()
        own_ms = 0
        for _ in range(REQUESTS_PER_TURN):
            request = self.connection.next_request()
            if request is None:
                break
            self._serving, frame = request
            before = now
            api_key = int.from_bytes(frame[:2], "big")
            if self.connection.next_size_bytes and pipeline.takes_together(api_key, self.origin):
                self._parked = self._serve_together(frame, api_key, now)
            else:
                self._parked = pipeline.serve(frame, self.origin, now, self._deliver, self._is_gone)
                if self._parked is not None and len(frame) > SMALL_REQUEST_BYTES:
                    self.connection.parked(pipeline.kept_bytes)
            del frame  # what is parked keeps no more than it is charged with
            now = clock.now_ms()
            own_ms += self._served(api_key, before, now)
            if now - began >= most_ms:
                break
        self._long_turns = self._long_turns + 1 if own_ms >= LONG_TURN_MS else 0

    def _serve_together(self, frame: bytes, api_key: int, now: Millis) -> Promise[object] | None:
        """The same of a request behind which others of its kind may wait."""
        pipeline, origin = self._context.pipeline, self.origin

        def serve(one: bytes, deliver: Deliver) -> Promise[object] | None:
            return pipeline.serve(one, origin, now, deliver, self._is_gone)

        return PipelinedCommands(self.connection, serve, self._deliver).run(frame, api_key)

    def _served(self, api_key: int, began: Millis, ended: Millis) -> Millis:
        """Note what a request took of the loop, and return what of it was its own.

        A follower's fetch may commit what hundreds wait for, and their answers leave before its
        own does. If that counted as its time, the quorum would queue behind its own success.
        """
        self.copies_log = api_key == FETCH and not self.origin.listener.is_for_clients
        if self.copies_log:
            began = ended
        self._context.fair_queue.served(self, api_key, began, ended)
        return ended - began

    def _deliver(self, parts: Parts | PeerError, pause_ms: Millis = 0) -> None:
        """The answer to the request being served is there, or why there will be none.

        Where it comes later, the caller may have hundreds of them: what waits behind it has a
        turn of its own.
        """
        if self.connection.state is CLOSED:
            return
        self._parked = None
        if isinstance(parts, PeerError):
            self._end(parts)
            return
        if not pause_ms and not self._advancing and self._sent_alone(parts):
            return
        try:
            self.connection.reply(self._serving, parts)
            if pause_ms:
                self._pause_for_quota(pause_ms)
        except IllegalEvent as error:
            self._end(error)
            return
        if not self._advancing:
            self._turn(None)

    def _sent_alone(self, parts: Parts) -> bool:
        """The short way of an answer beside which nothing goes on, as most that come late are."""
        if self._draining or not self._sender.is_empty:
            return False
        if not self.connection.only_serves(self._serving):
            return False
        try:
            if self._sender.send_at_once(parts):
                self.connection.answered_at_rest(self._context.clock.now_ms())
                return True
            self.connection.reply(self._serving, [])
        except PeerError as error:
            self._end(error)
            return True
        self._turn(None)
        return True

    def _pause_for_quota(self, pause_ms: Millis) -> None:
        """The client has taken more than its quota: it is served nothing for so long (KIP-219)."""
        place = f"{self.origin.peer} on {self.origin.listener.name}"
        self._context.note(f"connection {place}: exceeds a quota and is paused for {pause_ms} ms")
        self.connection.pause()
        self._quota_pause = delayed(self._context.pipeline.services, None, pause_ms)
        self._quota_pause.then(lambda _: self._go_on())

    def _go_on(self) -> None:
        self._quota_pause = None
        try:
            self.connection.go_on(self._context.clock.now_ms())
        except IllegalEvent as error:
            self._end(error)
            return
        if not self._advancing:
            self._turn(None)

    def _send_some(self) -> bool:
        """Send what is ready; False when that has to wait, and something waits for it."""
        self._sender.push(self.connection.bytes_to_send())
        if self._draining:
            return False
        flushed = self._flush()
        if flushed is Flushed.ALL:
            return True
        self._draining = True
        self._context.unsent.hold(self, self._sender.memory_bytes)
        self._wait_to_send(flushed)
        return False

    def _flush(self) -> Flushed:
        flushed = self._sender.flush()
        now = self._context.clock.now_ms()
        if flushed is Flushed.ALL:
            self._context.unsent.release(self)
            self.connection.all_sent(now)
        elif flushed is not Flushed.COLD:
            self.connection.send_blocked(now, progress=flushed is Flushed.SOME)
        return flushed
