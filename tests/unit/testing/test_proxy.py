"""A proxy that misbehaves as it is told to, and only between those it was told of."""

from __future__ import annotations

import select
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
import trio
from attrs import define

from metaquorum.testing.proxy import (
    LOOPBACK,
    Ending,
    OpenTap,
    Passage,
    Proxy,
    Tap,
    Weather,
    whole_frames,
)

PATIENCE_S = 20


def hello(client: str) -> bytes:
    """A request that names its client, with nothing in it."""
    head = struct.pack(">hhih", 18, 0, 1, len(client)) + client.encode()
    return struct.pack(">i", len(head)) + head


def nothing_came(stream: trio.SocketStream) -> bool:
    """Whether neither a byte nor an end waits to be read."""
    return not select.select([stream.socket.fileno()], [], [], 0)[0]


@define
class Stand:
    """A proxy before a server that echoes."""

    proxy: Proxy
    port: int
    heard: list[bytes]
    hung_up: list[int]

    async def connect(self, client: str) -> trio.SocketStream:
        stream = await trio.open_tcp_stream(LOOPBACK, self.port)
        await stream.send_all(hello(client))
        assert await self.exactly(stream, len(hello(client))) == hello(client)
        return stream

    @staticmethod
    async def exactly(stream: trio.SocketStream, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = await stream.receive_some(count - len(data))
            assert more
            data += more
        return data


@asynccontextmanager
async def standing(open_tap: OpenTap | None = None) -> AsyncIterator[Stand]:
    heard: list[bytes] = []
    hung_up: list[int] = []

    async def echo(stream: trio.SocketStream) -> None:
        try:
            async for data in stream:
                heard.append(bytes(data))
                await stream.send_all(data)
        except (OSError, trio.BrokenResourceError):
            pass
        hung_up.append(1)

    proxy = Proxy(Random(1), open_tap)
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            (listener,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
            nursery.start_soon(trio.serve_listeners, echo, [listener])
            await nursery.start(proxy.run)
            port = await proxy.open_listener("2", 0, listener.socket.getsockname()[1])
            yield Stand(proxy, port, heard, hung_up)
            nursery.cancel_scope.cancel()


async def test_without_faults_all_traffic_passes_and_clients_have_names():
    async with standing() as stand:
        stream = await stand.connect("node-1")
        await stream.send_all(b"abc")
        assert await stand.exactly(stream, 3) == b"abc"
        assert stand.proxy.carried_by == {("node-1", "2"): 1}


async def test_held_bytes_arrive_when_the_fault_clears_and_others_pass_by():
    async with standing() as stand:
        cut, fine = await stand.connect("node-1"), await stand.connect("node-3")
        stand.proxy.set_weather("node-1", "2", Weather(there=Passage.HELD))
        await cut.send_all(b"held")
        await fine.send_all(b"fine")
        assert await stand.exactly(fine, 4) == b"fine"
        assert b"held" not in stand.heard
        stand.proxy.clear_weather()
        assert await stand.exactly(cut, 4) == b"held"


async def test_one_direction_can_be_lost_and_stays_lost_for_its_connection():
    async with standing() as stand:
        stream = await stand.connect("node-1")
        stand.proxy.set_weather("node-1", "2", Weather(back=Passage.LOST))
        await stream.send_all(b"one")
        while not stand.proxy.fired["lost"]:
            await trio.lowlevel.checkpoint()
        stand.proxy.clear_weather()
        await stream.send_all(b"two")
        while stand.proxy.fired["lost"] < 2:
            await trio.lowlevel.checkpoint()
        assert stand.heard[-2:] == [b"one", b"two"]
        assert nothing_came(stream)
        await (await stand.connect("node-1")).aclose()


async def test_a_cut_within_a_piece_lets_half_of_it_through():
    async with standing() as stand:
        stream = await stand.connect("node-1")
        stand.proxy.end("node-1", "2", Ending.MID_FRAME)
        await stream.send_all(b"0123456789")
        assert await stream.receive_some(10) == b""
        while not stand.hung_up:
            await trio.lowlevel.checkpoint()
        assert stand.heard[-1] == b"01234"


async def test_a_reset_is_felt_on_both_sides():
    async with standing() as stand:
        stream = await stand.connect("node-1")
        assert stand.proxy.end("node-1", "2", Ending.RESET) == 1
        with pytest.raises(trio.BrokenResourceError):
            await stream.receive_some(1)
        while not stand.hung_up:
            await trio.lowlevel.checkpoint()


async def test_of_a_half_open_connection_one_side_knows_nothing():
    async with standing() as stand:
        stream = await stand.connect("node-1")
        stand.proxy.end("node-1", "2", Ending.HALF_OPEN)
        while not stand.hung_up:
            await trio.lowlevel.checkpoint()
        await stream.send_all(b"anybody?")
        while not stand.proxy.fired["lost"]:
            await trio.lowlevel.checkpoint()
        assert nothing_came(stream)
        assert b"anybody?" not in stand.heard


async def test_a_shut_door_refuses_and_an_opened_one_takes_again():
    async with standing() as stand:
        stream = await stand.connect("node-1")
        stand.proxy.close_listener("2")
        with pytest.raises(trio.BrokenResourceError):
            await stream.receive_some(1)
        while True:
            try:
                await (await trio.open_tcp_stream(LOOPBACK, stand.port)).aclose()
            except OSError:
                break
        await stand.proxy.reopen_listener("2")
        again = await stand.connect("node-1")
        await again.aclose()


@define(eq=False)
class Shouting(Tap):
    """Passes everything on in capitals, and cuts behind a full stop."""

    ended: list[int]

    def there(self, piece: bytes) -> bytes:
        self.is_cut = b"." in piece
        return bytes(piece).upper()

    def closed(self) -> None:
        self.ended.append(1)


async def test_a_tap_changes_what_is_passed_on_and_ends_the_connection():
    ended: list[int] = []
    async with standing(lambda target, number: Shouting(ended)) as stand:
        stream = await trio.open_tcp_stream(LOOPBACK, stand.port)
        await stream.send_all(b"a")
        assert await stand.exactly(stream, 1) == b"A"
        await stream.send_all(b"end.")
        while not ended:
            await trio.lowlevel.checkpoint()
        assert b"".join(stand.heard) == b"AEND."


async def test_a_default_fault_holds_only_clients_without_their_own_setting():
    async with standing() as stand:
        one, other = await stand.connect("node-1"), await stand.connect("node-3")
        stand.proxy.set_weather("node-3", "2", Weather())
        stand.proxy.set_weather(None, "2", Weather(there=Passage.HELD))
        await one.send_all(b"held")
        await other.send_all(b"fine")
        assert await stand.exactly(other, 4) == b"fine"
        assert b"held" not in stand.heard
        stand.proxy.clear_weather()
        assert await stand.exactly(one, 4) == b"held"


def test_frames_are_taken_when_they_are_whole():
    pending = bytearray()
    assert list(whole_frames(pending, b"\x00\x00\x00\x02a")) == []
    assert list(whole_frames(pending, b"b\x00\x00\x00\x00\x00")) == [b"ab", b""]
    assert pending == b"\x00"
