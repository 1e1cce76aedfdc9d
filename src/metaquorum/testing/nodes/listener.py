"""A listening socket of the simulated network: readable when a connection has come."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable
from typing import Any

Address = tuple[str, int]


class SimSocket(socket.socket):
    """One end of a local pair in the place of a TCP socket: options of TCP mean nothing to it."""

    def setsockopt(self, *arguments: Any) -> None:
        """There is nothing to set."""


class SimListener:
    """What a server may do with a listening socket, over a queue of connections.

    ``on_close`` is called once, when the server closes it.
    """

    def __init__(self, address: Address, on_close: Callable[[SimListener], None]) -> None:
        self.address = address
        self._on_close = on_close
        self._waiting: deque[tuple[SimSocket, Address]] = deque()
        self._bell, self._button = socket.socketpair()
        self._bell.setblocking(False)
        self._button.setblocking(False)
        self.closed = False

    def fileno(self) -> int:
        """What to wait on until ``accept`` has something."""
        return self._bell.fileno()

    def getsockname(self) -> Address:
        """The address that was asked for."""
        return self.address

    def accept(self) -> tuple[SimSocket, Address]:
        """The next connection and where it came from; BlockingIOError when there is none."""
        if not self._waiting:
            raise BlockingIOError
        self._bell.recv(1)
        return self._waiting.popleft()

    def knock(self, caller: Address) -> socket.socket:
        """A new connection; the far end of what the server will accept."""
        ours, theirs = socket.socketpair()
        self._waiting.append((SimSocket(fileno=theirs.detach()), caller))
        self._button.send(b"!")
        return ours

    def close(self) -> None:
        """Refuse from now on, and drop the connections that wait."""
        if not self.closed:
            self.closed = True
            self._on_close(self)
            while self._waiting:
                self._waiting.popleft()[0].close()
            self._bell.close()
            self._button.close()
