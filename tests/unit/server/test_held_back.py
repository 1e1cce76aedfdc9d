"""Connections of addresses that connect too often."""

from __future__ import annotations

import socket

import trio

from metaquorum.base.limits import MAX_HELD_BACK_CONNECTIONS
from metaquorum.server.pipeline.held_back import HeldBack
from metaquorum.server.sockets.listener import serve
from metaquorum.testing.fake_services import plain_config, services_with_eight_records


def a_pair() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    return ours, theirs


def is_open(theirs: socket.socket) -> bool:
    try:
        return theirs.recv(1) != b""
    except BlockingIOError:
        return True


def test_a_throttled_connection_is_closed_at_its_deadline_not_before():
    services = services_with_eight_records()
    held, (ours, theirs) = HeldBack(services), a_pair()
    held.hold(ours, 500)
    now = services.clock.now_ms()
    services.watermark.expire(now + 499)
    assert is_open(theirs) and len(held) == 1
    services.watermark.expire(now + 500)
    assert not is_open(theirs) and len(held) == 0
    theirs.close()


def test_beyond_the_limit_they_are_closed_at_once(monkeypatch):
    monkeypatch.setattr("metaquorum.server.pipeline.held_back.MAX_HELD_BACK_CONNECTIONS", 2)
    assert MAX_HELD_BACK_CONNECTIONS > 2
    held, pairs = HeldBack(services_with_eight_records()), [a_pair() for _ in range(3)]
    for ours, _ in pairs:
        held.hold(ours, 500)
    assert [is_open(theirs) for _, theirs in pairs] == [True, True, False]
    held.close_all()
    assert not any(is_open(theirs) for _, theirs in pairs) and len(held) == 0
    for _, theirs in pairs:
        theirs.close()


async def test_an_address_over_its_rate_is_not_served_and_closed_at_stop():
    config = plain_config("CONTROLLER://127.0.0.1:0")
    services, notes = services_with_eight_records(config=config), []
    services.quotas[(("ip", "127.0.0.1"),)] = {"connection_creation_rate": 0.1}
    async with trio.open_nursery() as nursery:
        server = await nursery.start(_serve, config, services, notes)
        streams = [
            await trio.open_tcp_stream("127.0.0.1", server.ports["CONTROLLER"]) for _ in range(3)
        ]
        with trio.fail_after(20):
            while server.accepted + server.refused < 3:
                await trio.lowlevel.checkpoint()
        assert (server.accepted, server.refused, len(server.held_back)) == (1, 2, 2)
        assert "comes too often, it is closed in" in notes[0]
        await server.stop(0)
        for stream in streams:
            assert await stream.receive_some() == b""
            await stream.aclose()


async def _serve(config, services, notes, task_status):
    await serve(config.listeners, services, note=notes.append, task_status=task_status)
