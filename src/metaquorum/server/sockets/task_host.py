"""One trio task per connection around a socket, with TLS or without: the portable host.

The task only waits until its socket can be read. A second task lives only while a peer does not
read as fast as we send. What happens in between is ``server.connection_host``.
"""

from __future__ import annotations

import trio

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MEDIUM_REQUEST_BYTES, READS_PER_TURN
from metaquorum.server.contract.request import Origin
from metaquorum.server.pipeline.sender import Flushed, PeerGone, Sender, StreamSocket
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_host import ConnectionHost, ServerContext
from metaquorum.server.sockets.connection_states import CLOSED
from metaquorum.server.sockets.tls_socket import TlsSender, TlsSocket


class TaskHost(ConnectionHost):
    """Moves bytes between one socket and one connection in a task of its own: ``run``."""

    __slots__ = ("_held_back", "_paused")

    def __init__(
        self, sock: StreamSocket, connection: Connection, origin: Origin, shared: ServerContext
    ) -> None:
        super().__init__(sock, connection, origin, shared)
        self._held_back = False
        self._paused: trio.lowlevel.Task | None = None

    async def run(self) -> None:
        """Read until the peer hangs up, breaks the protocol or grows too slow."""
        try:
            while self.connection.state is not CLOSED:
                if not self.connection.wants_bytes:
                    await self._pause()
                    self.advance()
                    continue
                await trio.lowlevel.wait_readable(self._socket)
                if self.connection.next_size_bytes > MEDIUM_REQUEST_BYTES:
                    await self._turn_to_read()
                    most = READS_PER_TURN
                else:
                    most = 1
                if self._read(most):
                    await self._turn_to_leave()
                    break
                self.advance()
        except PeerError as error:
            self._end(error)
        except trio.ClosedResourceError:
            pass
        finally:
            self.close()

    def is_held_back(self) -> bool:
        """Whether its task waits for room, or for the connection to be cleared away."""
        return self._held_back

    def unread_bytes(self) -> int:
        """Of a TLS record that came in part, all of it."""
        sock = self._socket
        inside = sock.undeciphered_bytes if isinstance(sock, TlsSocket) else 0
        return super().unread_bytes() + inside

    def _sender_for(self, sock: StreamSocket) -> Sender:
        return TlsSender(sock) if isinstance(sock, TlsSocket) else Sender(sock)

    def _wait_to_send(self, flushed: Flushed) -> None:
        self._context.nursery.start_soon(self._drain, flushed)

    def _turn_over(self) -> None:
        if self._paused is not None and self.connection.wants_bytes:
            self._resume()

    def _let_go(self) -> None:
        trio.lowlevel.notify_closing(self._socket)
        if self._paused is not None:
            self._resume()

    async def _drain(self, flushed: Flushed) -> None:
        """Wait for a slow peer or a cold page; meanwhile a slow peer is served nothing else."""
        try:
            while flushed is not Flushed.ALL and self.connection.state is not CLOSED:
                if flushed is Flushed.COLD:
                    await trio.to_thread.run_sync(self._sender.warm())
                else:
                    await trio.lowlevel.wait_writable(self._socket)
                if self.connection.state is not CLOSED:
                    flushed = self._flush()
        except PeerError as error:
            self.close(None if isinstance(error, PeerGone) else str(error))
        except trio.ClosedResourceError:
            self.close()
        self._draining = False
        self.advance()

    async def _turn_to_read(self) -> None:
        """Wait for a turn: who sends a great deal must not take all those of who sends little.

        Of one that has hung up there is no great deal any more.
        """
        if self.connection.state is not CLOSED and not self._is_hung_up():
            self._context.fair_queue.queue(self, self._resume, is_waited_for=False)
            await self._rescheduled()

    async def _turn_to_leave(self) -> None:
        """Wait for a turn: a thousand that hang up together are not all cleared away at once."""
        if self.connection.state is not CLOSED:
            self._held_back = True
            self._context.leaving.queue(self._resume)
            await self._rescheduled()

    async def _pause(self) -> None:
        """Leave the peer's bytes in the socket until there is room for them again."""
        self._wait_for_budget()
        self._held_back = True
        await self._rescheduled()
        self._held_back = False
        self.connection.reading_resumed(self._context.clock.now_ms())

    async def _rescheduled(self) -> None:
        self._paused = trio.lowlevel.current_task()

        def abort(_: object) -> trio.lowlevel.Abort:
            self._paused = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def _resume(self) -> None:
        task, self._paused = self._paused, None
        if task is not None:
            trio.lowlevel.reschedule(task)
