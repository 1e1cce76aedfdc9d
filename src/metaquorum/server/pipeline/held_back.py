"""Connections of addresses that connect too often: nobody serves them, and they are closed late.

A client that is closed at once comes again at once. So its socket is kept for as long as its
address has exceeded its quota, as Kafka does (KIP-612).
"""

from __future__ import annotations

import socket

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_HELD_BACK_CONNECTIONS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.delays import delayed
from metaquorum.server.contract.services import Services


@define(eq=False)
class HeldBack:
    """The sockets, each with the promise that its time is over."""

    services: Services
    _waiting: dict[socket.socket, Promise[None]] = field(factory=dict)

    def __len__(self) -> int:
        return len(self._waiting)

    def hold(self, sock: socket.socket, for_ms: Millis, *, has_room: bool = True) -> None:
        """Close it after so long; at once if too many wait already, or without ``has_room``."""
        if not has_room or len(self._waiting) >= MAX_HELD_BACK_CONNECTIONS:
            sock.close()
            return
        over: Promise[None] = delayed(self.services, None, for_ms)
        self._waiting[sock] = over
        over.then(lambda _: self._close(sock))

    def close_all(self) -> None:
        """Close them now: the server stops."""
        for sock, over in list(self._waiting.items()):
            over.cancel()
            self._close(sock)

    def _close(self, sock: socket.socket) -> None:
        self._waiting.pop(sock, None)
        sock.close()
