"""One trio task per connection around a raw socket: the portable host of a ``Connection``.

The task only waits until its socket can be read. Everything else happens on the turn of whoever
has news: a request is served on the reader's turn, a parked answer leaves on the turn of whoever
completed it. A second task lives only while a peer does not read as fast as we send. So a request
costs no task, no event and no cancel scope of its own.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import trio

from metaquorum.base.clock import Clock
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import READ_CHUNK_BYTES, REQUESTS_PER_TURN, TURN_MS
from metaquorum.runtime.later import Later
from metaquorum.server.connection import Connection
from metaquorum.server.pipeline import Pipeline
from metaquorum.server.request import Origin
from metaquorum.server.sender import Flushed, PeerGone, Sender, is_gone
from metaquorum.wire.primitives import Parts

Note = Callable[[str], None]


class TaskHost:
    """Moves bytes between one socket and one connection, and requests to the pipeline."""

    def __init__(
        self,
        sock: socket.socket,
        connection: Connection,
        origin: Origin,
        pipeline: Pipeline,
        clock: Clock,
        nursery: trio.Nursery,
        note: Note,
    ) -> None:
        self.connection = connection
        self.origin = origin
        self._socket = sock
        self._sender = Sender(sock)
        self._pipeline = pipeline
        self._clock = clock
        self._nursery = nursery
        self._note = note
        self._parked: Later[object] | None = None
        self._serving = 0
        self._advancing = False
        self._draining = False
        self._going_on = False
        self._paused: trio.lowlevel.Task | None = None

    async def run(self) -> None:
        """Read until the peer hangs up, breaks the protocol or grows too slow."""
        try:
            while not self.connection.closed:
                if not self.connection.wants_bytes:
                    await self._pause()
                    continue
                await trio.lowlevel.wait_readable(self._socket)
                data = self._received()
                if data is None:
                    continue
                if not data:
                    break
                self.connection.bytes_received(data, self._clock.now_ms())
                self.advance()
        except PeerError as error:
            self._end(error)
        except trio.ClosedResourceError:
            pass
        finally:
            self.close()

    def advance(self) -> None:
        """Serve one turn of what may be served and send what may be sent, without waiting."""
        if self._advancing or self.connection.closed:
            return
        self._advancing = True
        try:
            self._serve_some()
            if self._send_some() and self.connection.has_request and not self._going_on:
                self._going_on = True
                self._nursery.start_soon(self._go_on)
        except PeerError as error:
            self._end(error)
        finally:
            self._advancing = False
        if self._paused is not None and self.connection.wants_bytes:
            self._resume()

    @property
    def is_busy(self) -> bool:
        """Whether a request is being served or an answer is on its way."""
        return self.connection.is_serving or not self._sender.is_empty

    def close(self, complaint: str | None = None) -> None:
        """Drop the connection and what is parked for it; further calls change nothing."""
        if self.connection.closed:
            return
        if complaint is not None:
            self._note(f"connection {self.origin.peer} on {self.origin.listener.name}: {complaint}")
        self.connection.close()
        self._sender.clear()
        parked, self._parked = self._parked, None
        if parked is not None:
            parked.cancel()
        trio.lowlevel.notify_closing(self._socket)
        self._socket.close()
        if self._paused is not None:
            self._resume()

    def _received(self) -> bytes | None:
        """What the peer sent; empty when it hung up, None when there was nothing after all."""
        if self.connection.closed:  # by another task that was woken by the same event
            return b""
        try:
            return self._socket.recv(READ_CHUNK_BYTES)
        except BlockingIOError:
            return None
        except OSError as error:
            if is_gone(error):
                return b""
            raise

    def _end(self, error: PeerError) -> None:
        """Close on a peer that broke the protocol; what was answered before that leaves first."""
        if isinstance(error, PeerGone):
            self.close()
            return
        with suppress(PeerError):
            self._sender.push(self.connection.bytes_to_send())
            if not self._draining:
                self._sender.flush()
        self.close(str(error))

    async def _go_on(self) -> None:
        """The next turn of a peer that pipelines a great deal, after everybody else had theirs."""
        await trio.lowlevel.checkpoint()
        self._going_on = False
        self.advance()

    def _serve_some(self) -> None:
        """Hand requests to the pipeline until one is parked or the turn is over."""
        began = now = self._clock.now_ms()
        for _ in range(REQUESTS_PER_TURN):
            request = self.connection.next_request()
            if request is None:
                return
            self._serving, frame = request
            self._parked = self._pipeline.serve(frame, self.origin, now, self._deliver)
            now = self._clock.now_ms()
            if now - began >= TURN_MS:
                return

    def _deliver(self, parts: Parts) -> None:
        """The answer to the request being served is there."""
        if self.connection.closed:
            return
        self._parked = None
        self.connection.reply(self._serving, parts)
        self.advance()

    def _send_some(self) -> bool:
        """Send what is ready; False when that has to wait, and a task waits for it."""
        self._sender.push(self.connection.bytes_to_send())
        if self._draining:
            return False
        flushed = self._flush()
        if flushed is Flushed.ALL:
            return True
        self._draining = True
        self._nursery.start_soon(self._drain, flushed)
        return False

    def _flush(self) -> Flushed:
        flushed = self._sender.flush()
        if flushed is Flushed.ALL:
            self.connection.all_sent(self._clock.now_ms())
        elif flushed is not Flushed.COLD:
            progress = flushed is Flushed.SOME
            self.connection.send_blocked(self._clock.now_ms(), progress=progress)
        return flushed

    async def _drain(self, flushed: Flushed) -> None:
        """Wait for a slow peer or a cold page; meanwhile a slow peer is served nothing else."""
        try:
            while flushed is not Flushed.ALL and not self.connection.closed:
                if flushed is Flushed.COLD:
                    await trio.to_thread.run_sync(self._sender.warm())
                else:
                    await trio.lowlevel.wait_writable(self._socket)
                if not self.connection.closed:
                    flushed = self._flush()
        except PeerError as error:
            self.close(None if isinstance(error, PeerGone) else str(error))
        except trio.ClosedResourceError:
            self.close()
        self._draining = False
        self.advance()

    async def _pause(self) -> None:
        """Leave the peer's bytes in the socket until there is room for them again."""
        self.connection.when_budget_allows(self._resume)
        self._paused = trio.lowlevel.current_task()

        def abort(_: object) -> trio.lowlevel.Abort:
            self._paused = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)
        self.connection.reading_resumed(self._clock.now_ms())

    def _resume(self) -> None:
        task, self._paused = self._paused, None
        if task is not None:
            trio.lowlevel.reschedule(task)
