"""Connections to a host name and port: every address that the name has, one after the other.

The name is looked up anew each time, as a peer may have moved. Each connection to a name begins
with the address after the one that was tried last, so that a name for a whole quorum leads to
each of its nodes in turn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio
from attrs import define, field

from metaquorum.base.errors import short_reason

OpenStream = Callable[[str, int], Awaitable[trio.abc.Stream]]
"""Connects to a host and port; ConnectionRefusedError where a machine is there and nobody
listens, another OSError where nothing can be said."""

ADDRESS_LIMIT_S: Final = 1.0
"""How long one of several addresses is waited for before the next is tried."""
MAX_NAMES: Final = 1_000  # remembered for the turn of their addresses; more begin anew


SocketAddress: TypeAlias = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]
"""What ``getaddrinfo`` gives: for IPv4, for IPv6, and for IPv6 in a Python without it."""


@define(eq=False)
class Dial:
    """An ``OpenStream`` that goes through all addresses of a name."""

    _turns: dict[tuple[str, int], int] = field(factory=dict)

    async def __call__(self, host: str, port: int) -> trio.SocketStream:
        """A connection to the first address that takes one; ConnectionRefusedError when all refuse.

        Another OSError names each address and what came of it, or says that it is no name.
        """
        try:
            found = await trio.socket.getaddrinfo(host, port, type=trio.socket.SOCK_STREAM)
        except ValueError:  # peers tell where others listen, and may tell anything
            raise OSError(f"{short_reason(host)!r} is no name of a host") from None
        places: list[tuple[int, SocketAddress]] = list(
            dict.fromkeys((int(row[0]), row[4]) for row in found)
        )
        why: list[str] = []
        refusals = 0
        for _ in places:
            family, address = places[self._turn(host, port) % len(places)]
            limit_s = ADDRESS_LIMIT_S if len(places) > 1 else float("inf")
            try:
                with trio.move_on_after(limit_s):
                    return await _connected(family, address)
                why.append(f"{address[0]!s}:{address[1]!s} does not answer")
            except ConnectionRefusedError:
                refusals += 1
                why.append(f"{address[0]!s}:{address[1]!s} refuses")
            except OSError as error:
                why.append(f"{address[0]!s}:{address[1]!s}: {error.strerror or error}")
        if refusals == len(places):
            raise ConnectionRefusedError(", ".join(why))
        raise OSError(", ".join(why))

    def _turn(self, host: str, port: int) -> int:
        turn = self._turns.pop((host, port), 0)
        if len(self._turns) >= MAX_NAMES:
            self._turns.clear()
        self._turns[host, port] = turn + 1
        return turn


async def _connected(family: int, address: SocketAddress) -> trio.SocketStream:
    connecting = trio.socket.socket(family, trio.socket.SOCK_STREAM)
    try:
        await connecting.connect(address)
        if connecting.getsockname() == connecting.getpeername():
            # Nobody listens there, and the port that the system lent us was that very one: TCP
            # then connects a socket to itself.
            raise ConnectionRefusedError("connected to itself")
        return trio.SocketStream(connecting)
    except BaseException:
        connecting.close()
        raise
