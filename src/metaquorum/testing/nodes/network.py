"""A network in one process: who reaches whom, how late, and how that goes wrong.

A connection is a ``SimStream`` at the end that connected and a local socket pair at the end that
accepted, because servers work on descriptors. Two tasks carry its bytes piece by piece; what
becomes of each piece is for ``Links`` to say.
"""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

import trio
from attrs import define, field

from metaquorum.config.listeners import Listener
from metaquorum.testing.nodes.listener import Address, SimListener
from metaquorum.testing.nodes.stream import SimStream
from metaquorum.testing.nodes.trace import Trace, digest
from metaquorum.testing.sim.links import HELD, LOST, RESET, Links

PIECE_BYTES = 65_536
LATENCY_US = 800
_GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)


@define(eq=False)
class Wire:
    """One connection: ``caller`` holds ``near``, ``host`` accepted the other end of ``far``."""

    number: int
    caller: str
    host: str
    near: SimStream
    far: trio.SocketStream
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    news: trio.Event = field(factory=trio.Event)
    lost: dict[bool, bool] = field(factory=dict)
    cut_next: bool = False

    @property
    def name(self) -> str:
        """For the trace."""
        return f"wire {self.number} {self.caller}>{self.host}"


@define(eq=False)
class SimNetwork:
    """All listeners and wires. ``run`` is the parent of the wires' tasks.

    Between the hosts, by name, there are ``links``.
    """

    chance: Random
    trace: Trace
    fired: Counter[str] = field(factory=Counter)
    wires: dict[Wire, None] = field(factory=dict)
    _listeners: dict[Address, SimListener] = field(factory=dict)
    links: Links = field(init=False)
    _changed: trio.Event = field(factory=trio.Event)
    _nursery: trio.Nursery | None = None
    _numbers: int = 0

    def __attrs_post_init__(self) -> None:
        self.links = Links(self.chance, self._count, LATENCY_US, self._news)

    def _count(self, name: str) -> None:
        self.fired[name] += 1

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Carry until cancelled."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    def listen(self, listener: Listener, backlog: int) -> SimListener:
        """What a server gets for a listener; OSError when the address is taken."""
        address = (listener.host, listener.port)
        if address in self._listeners:
            raise OSError("address in use")
        made = SimListener(address, self._stop_listening)
        self._listeners[address] = made
        return made

    def _stop_listening(self, listener: SimListener) -> None:
        del self._listeners[listener.address]

    def opener(self, caller: str) -> Callable[[str, int], Awaitable[trio.abc.Stream]]:
        """What connects in the name of a host, as ``trio.open_tcp_stream`` does."""

        async def open_stream(host: str, port: int) -> trio.abc.Stream:
            return await self._connect(caller, host, port)

        return open_stream

    async def _connect(self, caller: str, host: str, port: int) -> trio.abc.Stream:
        await self._pass_syn(caller, host)
        await self._pass_syn(host, caller)
        listener = self._listeners.get((host, port))
        if listener is None:
            self.fired["refused"] += 1
            raise ConnectionRefusedError(f"{host}:{port} refuses")
        self._numbers += 1
        far = trio.SocketStream(
            trio.socket.from_stdlib_socket(_non_blocking(listener.knock((caller, self._numbers))))
        )
        wire = Wire(self._numbers, caller, host, SimStream(lambda: self._near_news(wire)), far)
        self.wires[wire] = None
        self.trace.note(caller, f"{wire.name} opened to port {port}")
        assert self._nursery is not None
        self._nursery.start_soon(self._carry, wire)
        return wire.near

    async def _pass_syn(self, source: str, target: str) -> None:
        """A packet that sets up a connection is sent again and again until it arrives."""
        while self.links.fate(source, target) in (LOST, HELD):
            self.fired["unanswered"] += 1
            await self._changed.wait()
        await self._delay(source, target)

    async def _delay(self, source: str, target: str) -> None:
        await trio.sleep(self.links.delay_us(source, target) / 1_000_000)

    def _near_news(self, wire: Wire) -> None:
        wire.news.set()
        wire.news = trio.Event()

    # --- weather ---------------------------------------------------------------------------

    def break_wires(self, one: str, other: str, *, how: str) -> int:
        """End the connections between two hosts: ``reset``, ``mid-frame`` or ``half-open``."""
        hit = [wire for wire in self.wires if {wire.caller, wire.host} == {one, other}]
        for wire in hit:
            if how == "mid-frame":
                wire.cut_next = True
            elif how == "half-open":
                wire.lost = {True: True, False: True}
            else:
                self._reset(wire)
            self.fired[how] += 1
        return len(hit)

    def _reset(self, wire: Wire) -> None:
        self.trace.note("network", f"{wire.name} reset")
        wire.near.break_()
        wire.scope.cancel()

    def _news(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    # --- carrying --------------------------------------------------------------------------

    async def _carry(self, wire: Wire) -> None:
        try:
            with wire.scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._there, wire)
                    nursery.start_soon(self._back, wire)
        finally:
            del self.wires[wire]
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(wire.far)
            if not wire.near.closed:
                wire.near.break_()

    async def _there(self, wire: Wire) -> None:
        """What the caller sends, and its hanging up."""
        with suppress(*_GONE):
            while True:
                while not wire.near.sent and not wire.near.closed:
                    await wire.news.wait()
                data = wire.near.sent.popleft() if wire.near.sent else b""
                await self._arrive(wire, True)
                if not data:
                    break
                await self._hand_over(wire, data, wire.far.send_all)
        self.trace.note(wire.host, f"{wire.name} hung up there")
        wire.scope.cancel()

    async def _back(self, wire: Wire) -> None:
        """What the server sends, and its hanging up."""

        async def deliver(data: bytes) -> None:
            wire.near.deliver(data)

        data = b""
        while True:
            try:
                data = await wire.far.receive_some(PIECE_BYTES)
            except _GONE:
                data = b""
            await self._arrive(wire, False)
            if not data:
                break
            await self._hand_over(wire, bytes(data), deliver)
        self.trace.note(wire.caller, f"{wire.name} hung up here")
        wire.near.end()
        while not wire.near.closed:
            await wire.news.wait()
        wire.scope.cancel()

    async def _arrive(self, wire: Wire, there: bool) -> None:
        """Wait as long as a piece takes; for ever where it is lost."""
        source, target = (wire.caller, wire.host) if there else (wire.host, wire.caller)
        while (fate := self.links.fate(source, target)) == HELD and not wire.lost.get(there):
            await self._changed.wait()
        if fate == LOST:
            wire.lost[there] = True
        if wire.lost.get(there):
            await trio.sleep_forever()
        if fate == RESET:
            wire.cut_next = True
        await self._delay(source, target)

    async def _hand_over(
        self, wire: Wire, data: bytes, put: Callable[[bytes], Awaitable[None]]
    ) -> None:
        if wire.cut_next:
            self.trace.note("network", f"{wire.name} cut within {digest(data)}")
            await put(data[: len(data) // 2])
            self._reset(wire)
            await trio.sleep_forever()
        self.trace.note("network", f"{wire.name} {digest(data)}")
        await put(data)


def _non_blocking(sock: socket.socket) -> socket.socket:
    sock.setblocking(False)
    return sock
