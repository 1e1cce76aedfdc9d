"""A TCP proxy that misbehaves on command: holds, loses, delays, cuts and resets what it carries.

A listener stands before each target. The peer is read from the client id of the first request, so
that weather can be set for one pair of nodes and one direction alone. With taps it reads along
instead, from the first byte on. Everything runs in one trio task tree; ``ProxyThread`` runs it
beside a blocking program.
"""

from __future__ import annotations

import enum
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import trio
from attrs import define, field, frozen

LOOPBACK = "127.0.0.1"
CHUNK_BYTES = 65_536
MOST_HEAD_BYTES = 1_024
CONNECT_TIMEOUT_S = 5.0
_HEAD_BEFORE_CLIENT_ID = 14  # size, api key, version, correlation id, length of the client id
_GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)


class Passage(enum.Enum):
    """What becomes of bytes: HELD ones arrive once it is OPEN again, LOST ones never do.

    After a loss nothing more passes in that direction of a connection, as TCP passes nothing
    beyond a gap.
    """

    OPEN = "open"
    HELD = "held"
    LOST = "lost"


class Ending(enum.Enum):
    """How a connection is ended: in order, by a reset, within the next piece, or for one side."""

    CLOSE = "close"
    RESET = "reset"
    MID_FRAME = "mid-frame"
    HALF_OPEN = "half-open"


@frozen
class Weather:
    """How it is between one client and one target: ``there`` is towards the target."""

    there: Passage = Passage.OPEN
    back: Passage = Passage.OPEN
    delay_ms: float = 0.0
    jitter_ms: float = 0.0


FAIR = Weather()
_SIZE_BYTES = 4


class Tap:
    """Reads along on one connection, each piece before the other side has it.

    Its methods run on the proxy's loop. What they return is passed on in place of the piece; once
    ``is_cut`` is set the connection ends behind it.
    """

    is_cut: bool = False

    def there(self, piece: bytes) -> bytes:
        """Bytes on their way to the target."""
        return piece

    def back(self, piece: bytes) -> bytes:
        """Bytes on their way to the client."""
        return piece

    def closed(self) -> None:
        """The connection has ended."""


OpenTap = Callable[[str, int], Tap]
"""Makes the tap of a connection to this target; connections are counted from 0."""


def whole_frames(pending: bytearray, piece: bytes = b"") -> Iterator[bytes]:
    """Add a piece to what is pending and take the frames that are whole, without their sizes."""
    pending += piece
    while len(pending) >= _SIZE_BYTES:
        ends = _SIZE_BYTES + int.from_bytes(pending[:_SIZE_BYTES], "big")
        if len(pending) < ends:
            return
        frame = bytes(pending[_SIZE_BYTES:ends])
        del pending[:ends]
        yield frame


@define(eq=False)
class _Carried:
    """One connection on its way through."""

    client: str
    target: str
    near: trio.SocketStream
    far: trio.SocketStream | None = None
    lost: set[bool] = field(factory=set)
    cut_next: bool = False
    tap: Tap = field(factory=Tap)
    scope: trio.CancelScope = field(factory=trio.CancelScope)

    def abort(self) -> None:
        """Reset both sides."""
        for stream in (self.near, self.far):
            if stream is not None:
                with suppress(OSError):
                    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.scope.cancel()


@define(eq=False)
class _Listener:
    target: str
    port: int
    target_port: int
    scope: trio.CancelScope | None = None
    one_at_a_time: trio.Lock = field(factory=trio.Lock)


@define(eq=False)
class Proxy:
    """All listeners and what passes through them. Call its methods on the loop's thread.

    ``carried_by`` counts connections by client and target, ``fired`` what was done to them: pieces
    lost and held, and endings by name. With ``open_tap`` clients are not distinguished, and
    requests reach a target in the order in which their taps saw them.
    """

    chance: Random
    open_tap: OpenTap | None = None
    carried_by: Counter[tuple[str, str]] = field(factory=Counter)
    fired: Counter[str] = field(factory=Counter)
    _listeners: dict[str, _Listener] = field(factory=dict)
    _weather: dict[tuple[str | None, str], Weather] = field(factory=dict)
    _taps: int = 0
    _carried: dict[_Carried, None] = field(factory=dict)
    _changed: trio.Event = field(factory=trio.Event)
    _nursery: trio.Nursery | None = None

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    async def open_listener(self, target: str, port: int, target_port: int) -> int:
        """Listen on ``port`` (0: any) for the target that listens on ``target_port``; the port."""
        assert self._nursery is not None
        front = _Listener(target, port, target_port)
        self._listeners[target] = front
        await self._nursery.start(self._stand, front)
        return front.port

    def close_listener(self, target: str) -> None:
        """Refuse connections and reset those there are: what a process's end looks like."""
        front = self._listeners[target]
        if front.scope is not None:
            front.scope.cancel()
            front.scope = None
        for one in self._between(None, target):
            one.abort()

    async def reopen_listener(self, target: str) -> None:
        """Take connections again."""
        assert self._nursery is not None
        if self._listeners[target].scope is None:
            await self._nursery.start(self._stand, self._listeners[target])

    def set_weather(self, client: str | None, target: str, weather: Weather) -> None:
        """From now on, for open connections too; None: every client without weather of its own."""
        self._weather[client, target] = weather
        self._news()

    def clear_weather(self) -> None:
        """Fair everywhere; what was held passes now."""
        self._weather.clear()
        self._news()

    def end(self, client: str | None, target: str, how: Ending) -> int:
        """End the connections there are between these two; how many."""
        ended = self._between(client, target)
        self.fired[how.value] += len(ended)
        for one in ended:
            if how is Ending.CLOSE:
                one.scope.cancel()
            elif how is Ending.RESET:
                one.abort()
            elif how is Ending.MID_FRAME:
                one.cut_next = True
            else:
                one.lost |= {True, False}
                if one.far is not None:
                    self._hang_up(one.far)
        self._news()
        return len(ended)

    def _between(self, client: str | None, target: str) -> list[_Carried]:
        return [
            one
            for one in self._carried
            if one.target == target and (client is None or one.client == client)
        ]

    def _hang_up(self, stream: trio.SocketStream) -> None:
        with suppress(OSError):
            stream.socket.shutdown(socket.SHUT_RDWR)

    def _news(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _stand(
        self, front: _Listener, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        assert self._nursery is not None
        (listener,) = await trio.open_tcp_listeners(front.port, host=LOOPBACK)
        front.port = listener.socket.getsockname()[1]
        async with listener:
            with trio.CancelScope() as front.scope:
                task_status.started()
                while True:
                    stream = await listener.accept()
                    self._nursery.start_soon(self._carry, front, stream)

    async def _carry(self, front: _Listener, near: trio.SocketStream) -> None:
        one = _Carried("?", front.target, near)
        self._carried[one] = None
        try:
            with one.scope, suppress(*_GONE):
                head = b"" if self.open_tap is not None else await self._introduced(one)
                with trio.fail_after(CONNECT_TIMEOUT_S):
                    one.far = await trio.open_tcp_stream(LOOPBACK, front.target_port)
                if self.open_tap is not None:
                    one.tap = self.open_tap(front.target, self._taps)
                    self._taps += 1
                order = front.one_at_a_time
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._pump, one, head, near, one.far, True, order)
                    nursery.start_soon(self._pump, one, b"", one.far, near, False, trio.Lock())
        except trio.TooSlowError:
            one.abort()
        finally:
            del self._carried[one]
            one.tap.closed()
            for stream in (near, one.far):
                if stream is not None:
                    with trio.CancelScope(shield=True):
                        await trio.aclose_forcefully(stream)

    async def _introduced(self, one: _Carried) -> bytes:
        """Read until the client id is there; what was read."""
        head = b""
        wanted = _HEAD_BEFORE_CLIENT_ID
        while len(head) < wanted:
            data = await one.near.receive_some(MOST_HEAD_BYTES)
            if not data:
                raise trio.ClosedResourceError
            head += data
            if len(head) >= _HEAD_BEFORE_CLIENT_ID:
                (length,) = struct.unpack_from(">h", head, _HEAD_BEFORE_CLIENT_ID - 2)
                wanted = _HEAD_BEFORE_CLIENT_ID + max(length, 0)
        one.client = head[_HEAD_BEFORE_CLIENT_ID:wanted].decode(errors="replace")
        self.carried_by[one.client, one.target] += 1
        return head

    async def _pump(
        self,
        one: _Carried,
        data: bytes | bytearray,
        source: trio.SocketStream,
        sink: trio.SocketStream,
        there: bool,
        order: trio.Lock,
    ) -> None:
        try:
            while True:
                data = data or await source.receive_some(CHUNK_BYTES)
                if not await self._may_pass(one, there):
                    self.fired["lost"] += 1
                    if not data:
                        await trio.sleep_forever()  # the end is lost as well
                elif not data:
                    break
                elif one.cut_next:
                    await sink.send_all(data[: len(data) // 2])
                    break
                elif self.open_tap is None:
                    await sink.send_all(data)
                else:
                    async with order:
                        await sink.send_all((one.tap.there if there else one.tap.back)(bytes(data)))
                    if one.tap.is_cut:
                        break
                data = b""
        except _GONE:
            if not await self._may_pass(one, there):
                await trio.sleep_forever()
        one.scope.cancel()

    async def _may_pass(self, one: _Carried, there: bool) -> bool:
        """Wait until the next piece may go on; False when it is lost."""
        while there not in one.lost:
            weather = self._weather.get((one.client, one.target))
            weather = weather or self._weather.get((None, one.target), FAIR)
            passage = weather.there if there else weather.back
            if passage is Passage.LOST:
                one.lost.add(there)
            elif passage is Passage.HELD:
                self.fired["held"] += 1
                await self._changed.wait()
            else:
                if weather.delay_ms or weather.jitter_ms:
                    delay_ms = weather.delay_ms + self.chance.uniform(0.0, weather.jitter_ms)
                    await trio.sleep(delay_ms / 1_000)
                return True
        return False


class ProxyThread:
    """A proxy in a thread of its own, for programs that block."""

    def __init__(self, seed: int = 0, open_tap: OpenTap | None = None) -> None:
        self.proxy = Proxy(Random(seed), open_tap)
        self._ready = threading.Event()
        self._token: trio.lowlevel.TrioToken | None = None
        self._scope = trio.CancelScope()
        self._thread = threading.Thread(target=trio.run, args=(self._main,), daemon=True)

    async def _main(self) -> None:
        with self._scope:
            async with trio.open_nursery() as nursery:
                await nursery.start(self.proxy.run)
                self._token = trio.lowlevel.current_trio_token()
                self._ready.set()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a method of the proxy on its loop and return what it does."""
        return trio.from_thread.run_sync(function, *arguments, trio_token=self._token)

    def wait_for(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The same for one that is async."""
        return trio.from_thread.run(function, *arguments, trio_token=self._token)

    def open_listener(self, target: str, port: int, target_port: int) -> int:
        """Listen on ``port`` (0: any) for the target that listens on ``target_port``; the port."""
        opened: int = self.wait_for(self.proxy.open_listener, target, port, target_port)
        return opened

    @contextmanager
    def running(self) -> Iterator[ProxyThread]:
        """Start; end when the block does."""
        self._thread.start()
        self._ready.wait()
        try:
            yield self
        finally:
            self.call(self._scope.cancel)
            self._thread.join()
