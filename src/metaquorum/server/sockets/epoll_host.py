"""One trio task for all plaintext connections on Linux, around an epoll descriptor of its own.

It is called when the descriptor can be read, which is when any of its sockets is ready, and then
serves all that are, one after the other, until none is or its turn is over. So a request costs no
scheduling at all: a wake-up is shared by whatever was ready together, and is none of trio's where
the node has the process to itself (``runtime.one_wait``).

Those who tail the log have a descriptor of their own within that one, because there may be hundreds
of them: the others, whose requests make the log grow, are looked after before every few of them.

A small request that comes whole, as nearly all do, to a connection where nothing else is going on
takes a short way: frame, pipeline, one send. Everything else goes the way of
``server.connection_host``.

Rules of this file: the descriptor is level-triggered, so a socket that is not to be read must not
be watched for it, or the loop would come by for nothing; a socket that hung up and waits to be
cleared away is not watched at all.
"""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import trio

from metaquorum.base.clock import Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import (
    EMPTY_POLLS,
    EVENTS_AT_ONCE,
    LONG_TURN_MS,
    MEDIUM_REQUEST_BYTES,
    POLLS_BEFORE_REST,
    READS_PER_TURN,
    TAILERS_AT_ONCE,
    TURN_MS,
)
from metaquorum.runtime.loop.poller import Poller
from metaquorum.server.contract.api import FETCH
from metaquorum.server.contract.last_request import LastFetch
from metaquorum.server.contract.request import Origin
from metaquorum.server.pipeline.sender import Flushed, PeerGone
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_host import ConnectionHost, ServerContext
from metaquorum.server.sockets.connection_states import CLOSED
from metaquorum.server.sockets.fair_queue import SLOW_IN_A_ROW
from metaquorum.server.sockets.readiness_poller import EVENT_IN, ReadinessPoller
from metaquorum.wire.frames import SIZE_BYTES
from metaquorum.wire.headers import RequestHeader

if TYPE_CHECKING:
    from metaquorum.wire.generated.fetch_request import FetchRequest

_ASKS_FETCH: Final = FETCH.to_bytes(2, "big")  # where a whole frame has its API key

HAS_EPOLL: Final = sys.platform == "linux"

_IN: Final = EVENT_IN
_OUT: Final = getattr(select, "EPOLLOUT", 4)
_GONE: Final = getattr(select, "EPOLLHUP", 16) | getattr(select, "EPOLLERR", 8)


class EpollHost:
    """The descriptors, the task that waits for them, and what it counts."""

    __slots__ = (
        "_context",
        "_poller",
        "fetched_last",
        "passes",
        "sent_much",
        "watched",
    )

    def __init__(self, shared: ServerContext, poller: Poller) -> None:
        self._context = shared
        self._poller = poller
        self.watched: ReadinessPoller[EpollConnection] = ReadinessPoller(
            shared.pipeline.services.voter_ids
        )
        self.passes = 0
        self.fetched_last: EpollConnection | None = None  # of those whose fetch came again
        self.sent_much = False  # to one of those that were served last

    def add(self, sock: socket.socket, connection: Connection, origin: Origin) -> EpollConnection:
        """Watch one more connection."""
        member = EpollConnection(sock, connection, origin, self._context, self)
        self.watched.add(member)
        return member

    async def run(self) -> None:
        """Serve the connections that are ready, until cancelled; then the descriptor is closed."""
        try:
            await self._poller.watch_fd(self.watched.poll.fileno(), self._pass)
        finally:
            trio.lowlevel.notify_closing(self.watched.poll.fileno())
            self.watched.close()

    def _pass(self) -> bool:
        """Look after all sockets that are ready, until none is or others are to have their turn.

        True, as there may be more of them at any time.
        """
        self.passes += 1
        members, poll, tailers = self.watched.members, self.watched.poll.poll, self.watched.tailers
        services = self._context.pipeline.services
        self.watched.drop_new_voters()
        now = self._context.clock.now_ms()
        ends = now + TURN_MS
        spins = 0  # none before a request was served
        while now < ends:
            events = poll(0, EVENTS_AT_ONCE)
            if not events:
                spins -= 1
                if spins < 0:
                    break
                continue
            spins = POLLS_BEFORE_REST
            self.sent_much = False
            services.begin_batch()
            now, tailers_are_ready = self._serve(events)
            if services.expects_more:
                now = self._poll_for_answered_clients(now, ends)
            if services.flush_batch():  # which the disk is to have now
                spins = 0
            if tailers_are_ready:
                for descriptor, flags in tailers.poll(0, TAILERS_AT_ONCE):
                    member = members.get(descriptor)
                    if member is not None:
                        now = member.on_ready(flags, now)
            if self.sent_much:  # who was sent a great deal reads it for longer than one would poll
                spins = 0
            if self.fetched_last is not None:
                self._context.fair_queue.served(self.fetched_last, FETCH, now, now)
                self.fetched_last = None
        return True

    def _serve(self, events: list[tuple[int, int]]) -> tuple[Millis, bool]:
        """Look after these sockets; the time after that, and whether the tailing readers is among
        them.

        Replicas come first: what their fetches commit is answered, and they are sent nothing
        new before the others were served, all of whose commands can then go along.
        """
        members, tailers_fd = self.watched.members, self.watched.tailers.fileno()
        now = self._context.clock.now_ms()
        others: list[tuple[int, int]] = []
        tailers_are_ready = False
        for descriptor, flags in events:
            member = members.get(descriptor)
            if member is None:  # it is one that another of them closed, or the tailing readers
                tailers_are_ready = tailers_are_ready or descriptor == tailers_fd
            elif member.copies_log:
                now = member.on_ready(flags, now)
            else:
                others.append((descriptor, flags))
        for descriptor, flags in others:
            member = members.get(descriptor)
            if member is not None:
                now = member.on_ready(flags, now)
        return now, tailers_are_ready

    def _poll_for_answered_clients(self, now: Millis, ends: Millis) -> Millis:
        """Who was answered a moment ago has the next command ready in another: what was gathered
        takes it along, and saves it a round to the disks. Nobody waits here for a clock: it ends
        when nobody comes. The time after that.
        """
        in_vain = 0
        while in_vain < EMPTY_POLLS and now < ends and self._context.pipeline.services.expects_more:
            events = self.watched.poll.poll(0, EVENTS_AT_ONCE)
            came, tailers_are_ready = self._serve(events)
            if len(events) > tailers_are_ready:
                in_vain, now = 0, came
            else:
                in_vain += 1
                os.sched_yield()  # to them, where there are not processors enough
        return now


class EpollConnection(ConnectionHost):
    """One connection whose socket is watched by an ``EpollHost``."""

    __slots__ = (
        "_host",
        "_last_fetch",
        "_queued_to_read",
        "_warming",
        "_watched",
        "_woken",
        "descriptor",
        "is_tailer",
    )

    def __init__(
        self,
        sock: socket.socket,
        connection: Connection,
        origin: Origin,
        shared: ServerContext,
        host: EpollHost,
    ) -> None:
        super().__init__(sock, connection, origin, shared)
        self._host = host
        self.descriptor = sock.fileno()
        # An authentication may have expired, so it is checked at each request.
        self._last_fetch = LastFetch() if origin.sasl is not None else origin.last_fetch
        self._watched = _IN
        self._queued_to_read = False
        self._warming = False
        self._woken = False
        self.is_tailer = False

    @property
    def watched(self) -> int:
        """The events of its socket that are waited for."""
        return self._watched

    def on_ready(self, flags: int, now: Millis) -> Millis:
        """The socket can be read, written, or has nobody behind it; returns the time after that."""
        if flags == _IN == self._watched:
            if self.connection.is_at_rest and self._sender.is_empty:
                return self._read_at_rest(now)
            if self.connection.next_size_bytes > MEDIUM_REQUEST_BYTES and not self._is_hung_up():
                self._queue_to_read()
                return now
            return self._read_one(now)
        if flags & _OUT:
            self._on_writable()
        if flags & ~_OUT and self.connection.state is not CLOSED:
            if self._watched & _IN:
                return self._read_one(self._context.clock.now_ms())
            if flags & _GONE:  # nobody reads here, and nobody is there any more
                self._leave()
        return self._context.clock.now_ms()

    def _read_one(self, now: Millis) -> Millis:
        """Take one piece and serve what is in it."""
        data = self._received()
        if data is None:
            return now
        if not data:
            self._leave()
            return now
        return self._take(data, now)

    def _read_at_rest(self, now: Millis) -> Millis:
        """The same of a connection where nothing else goes on: the piece is most often one small
        request, which is served without being buffered.
        """
        data = self._received()
        if data is None:
            return now
        if data[4:6] == _ASKS_FETCH:
            again = self._last_fetch.again_whole(data)
            if again is not None and not self._context.fair_queue.is_slow(FETCH):
                return self._serve_again(data, *again, now)
        if self.is_tailer:
            self._host.watched.remove_tailer(self)
        if self._long_turns < SLOW_IN_A_ROW:
            frame = self.connection.small_request(data, now)
            if frame is not None:
                return self._serve_small(frame, now)
        if data:
            return self._take(data, now)
        self._leave()
        return now

    def _serve_again(
        self, data: bytes, header: RequestHeader, message: FetchRequest, now: Millis
    ) -> Millis:
        """The fetch that was served before: where many tail the log nearly every one is."""
        shared, connection = self._context, self.connection
        self._serving = header.correlation_id
        connection.begin(self._serving, now)
        self._host.fetched_last = self
        self._advancing = True
        try:
            outcome = shared.pipeline.serve_again(header, message, self.origin, now, self._deliver)
            if isinstance(outcome, bytes):
                if self._sender.send_bytes(outcome):
                    connection.answered_at_rest(now)
                    return now
                connection.reply(self._serving, [])
                self._send_small(now)
                return now
            if outcome is not None and outcome.done:
                now = shared.clock.now_ms()
                if connection.state is not CLOSED:
                    self._send_small(now)
                return now
            if outcome is None:
                connection.put_back(data[SIZE_BYTES:])
        except PeerError as error:
            self._end(error)
            return now
        finally:
            self._advancing = False
        if outcome is None:
            self.advance()
            return shared.clock.now_ms()
        self._parked = outcome
        if not self.is_tailer:
            replica_id = max(message.replica_id, message.replica_state.replica_id)
            self._host.watched.tails(self, replica_id)
        return now

    def _take(self, data: bytes, now: Millis) -> Millis:
        """Serve what is in one piece."""
        try:
            self.connection.bytes_received(data, now)
        except PeerError as error:
            self._end(error)
            return now
        self.advance()
        return self._context.clock.now_ms()

    def _serve_small(self, frame: bytes, now: Millis) -> Millis:
        """The whole turn of a connection that has one small request and nothing else."""
        shared, connection = self._context, self.connection
        api_key = frame[0] << 8 | frame[1]
        if shared.fair_queue.is_slow(api_key):
            connection.put_back(frame)
            self.advance()
            return shared.clock.now_ms()
        self._serving = connection.serving
        self._advancing = True
        try:
            self._parked = shared.pipeline.serve(
                frame, self.origin, now, self._deliver, self._is_gone
            )
            after = shared.clock.now_ms()
            own_ms = self._served(api_key, now, after)
            self._long_turns = self._long_turns + 1 if own_ms >= LONG_TURN_MS else 0
            if self._parked is None and connection.state is not CLOSED:
                self._send_small(after)
        except PeerError as error:
            self._end(error)
            return shared.clock.now_ms()
        finally:
            self._advancing = False
        return after

    def _send_small(self, now: Millis) -> None:
        parts = self.connection.bytes_to_send()
        if not parts and self._sender.is_empty:
            return
        if self._sender.is_empty and self._sender.send_at_once(parts):
            self.connection.all_sent(now)
            return
        if self._send_some():
            self._follow()
        if self.connection.state is not CLOSED:
            self._turn_over()

    # ---- what is watched

    def is_held_back(self) -> bool:
        """Whether its socket is not watched for more."""
        if self._host.watched.members.get(self.descriptor) is not self:
            return True  # it hung up, and is to be cleared away
        return not (self._queued_to_read or self._watched & _IN)

    def _turn_over(self) -> None:
        self._watch()

    def _watch(self) -> None:
        """Watch for what the connection waits for now."""
        reads = not self._queued_to_read and self.connection.wants_bytes
        writes = (self._draining and not self._warming) or (self._woken and not self._draining)
        wanted = (_IN if reads else 0) | (_OUT if writes else 0)
        if wanted == self._watched:
            return
        if wanted & ~self._watched & _IN:
            self.connection.reading_resumed(self._context.clock.now_ms())
        self._watched = wanted
        self._host.watched.watch(self, wanted)

    def _resume(self) -> None:
        """A socket with room is ready at once to be written to: the loop comes by in its turn."""
        if self.connection.state is not CLOSED:
            self._woken = True
            self._watch()

    def _on_writable(self) -> None:
        if self._draining:
            self._drain()
        else:
            self._woken = False
            self.advance()
            if self.connection.state is not CLOSED:
                self._watch()

    def _follow_late(self) -> None:
        """Its turn comes with the next sockets that are ready, unless it is one of the slow."""
        if self._must_queue():
            self._follow()
        elif self.connection.has_request:
            self._resume()

    def _queue_to_read(self) -> None:
        """Who sends a great deal must not take all the turns of who sends little."""
        self._queued_to_read = True
        self._watch()
        self._context.fair_queue.queue(self, self._take_turn_to_read, is_waited_for=False)

    def _take_turn_to_read(self) -> None:
        self._queued_to_read = False
        try:
            gone = self._read(READS_PER_TURN)
        except PeerError as error:
            self._end(error)
            return
        if gone:
            self._leave()
        else:
            self.advance()
            if self.connection.state is not CLOSED:
                self._watch()

    def _leave(self) -> None:
        """A thousand that hang up together are not all cleared away at once."""
        self._host.watched.drop(self)
        self._context.leaving.queue(self.close)

    def _let_go(self) -> None:
        self._host.watched.drop(self)

    # ---- peers that take their time

    def _flush(self) -> Flushed:
        if self._draining or self._sender.has_file:
            self._host.sent_much = True
        return super()._flush()

    def _wait_to_send(self, flushed: Flushed) -> None:
        if flushed is Flushed.COLD:
            self._warm_up()
        else:
            self._watch()

    def _drain(self) -> None:
        """Send on; meanwhile a slow peer is served nothing else."""
        try:
            flushed = self._flush()
        except PeerError as error:
            self.close(None if isinstance(error, PeerGone) else str(error))
            return
        if flushed is Flushed.COLD:
            self._warm_up()
            return
        if flushed is Flushed.ALL:
            self._draining = False
            self.advance()
        if self.connection.state is not CLOSED:
            self._watch()

    def _warm_up(self) -> None:
        """Have a thread read the pages that are missing; a rare thing, and worth a task."""
        self._warming = True
        self._watch()
        self._context.nursery.start_soon(self._warm, self._sender.warm())

    async def _warm(self, read: Callable[[], None]) -> None:
        await trio.to_thread.run_sync(read)
        self._warming = False
        if self.connection.state is not CLOSED:
            self._drain()
