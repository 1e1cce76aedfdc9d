"""The near end of a connection in the simulated network: what a node that connected holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import trio
from attrs import define, field


@define(eq=False)
class SimStream(trio.abc.Stream):
    """Bytes out go to ``sent``; bytes in come by ``deliver``, the end by ``end`` or ``break_``."""

    on_news: Callable[[], None]
    sent: deque[bytes] = field(factory=deque)
    closed: bool = False
    broken: bool = False
    _received: deque[bytes] = field(factory=deque)
    _ended: bool = False
    _arrived: trio.Event = field(factory=trio.Event)

    def deliver(self, data: bytes) -> None:
        """Bytes from the other side."""
        self._received.append(data)
        self._wake()

    def end(self) -> None:
        """The other side hung up in order."""
        self._ended = True
        self._wake()

    def break_(self) -> None:
        """The connection was reset."""
        self.broken = True
        self._wake()

    def _wake(self) -> None:
        self._arrived.set()
        self._arrived = trio.Event()

    def _check(self) -> None:
        if self.closed:
            raise trio.ClosedResourceError("this connection is closed")
        if self.broken:
            raise trio.BrokenResourceError("reset by peer")

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint()
        self._check()
        if data:
            self.sent.append(bytes(data))
            self.on_news()

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()
        self._check()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        await trio.lowlevel.checkpoint()
        while True:
            self._check()
            if self._received:
                data = self._received.popleft()
                if max_bytes is not None and len(data) > max_bytes:
                    self._received.appendleft(data[max_bytes:])
                    data = data[:max_bytes]
                return data
            if self._ended:
                return b""
            await self._arrived.wait()

    async def aclose(self) -> None:
        if not self.closed:
            self.closed = True
            self._wake()
            self.on_news()
        await trio.lowlevel.checkpoint()
