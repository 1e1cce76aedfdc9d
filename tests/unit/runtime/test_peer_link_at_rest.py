"""Over a plain socket at rest a request leaves at once, and its answer wakes one task once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import trio
import trio.testing
from attrs import define

from metaquorum.quorum.events import RequestFailed, ResponseArrived
from metaquorum.quorum.types import Endpoint
from metaquorum.runtime.loop.poller import OnReadable, TaskPoller
from metaquorum.runtime.peers import peer_connection
from metaquorum.runtime.peers.peer_connection import PeerConnection
from tests.unit.runtime.test_peer_link import Leaves, ScriptedPeer, linked, vote


@define(eq=False)
class Steps(trio.abc.Instrument):
    """Counts how often the task of a link runs."""

    count: int = 0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.count += task.name.endswith("PeerLink.run")


async def test_an_exchange_wakes_the_links_task_once():
    async with linked(ScriptedPeer()) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        await trio.testing.wait_all_tasks_blocked()
        steps = Steps()
        trio.lowlevel.add_instrument(steps)
        for correlation in (2, 3, 4):
            link.send(vote(endpoint, correlation))
            assert (await told.next()).correlation == correlation
        await trio.testing.wait_all_tasks_blocked()
        trio.lowlevel.remove_instrument(steps)
    assert steps.count == 3


async def test_a_request_that_follows_an_answer_in_one_step_is_said_at_once():
    peer = ScriptedPeer()
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        await trio.testing.wait_all_tasks_blocked()
        answers: list[int] = []

        def ask_on(event: Any) -> None:
            answers.append(event.correlation)
            if event.correlation < 5:
                link.send(vote(endpoint, event.correlation + 1))
            else:
                told(event)

        link.tell = ask_on
        link.send(vote(endpoint, 2))
        await told.next()
    assert answers == [2, 3, 4, 5]
    assert peer.connections == 1


async def test_a_connection_closed_while_idle_is_found_by_the_next_request():
    peer = Leaves()
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        assert isinstance(await told.next(), ResponseArrived)
        peer.closing.set()
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert not told.events
        link.send(vote(endpoint, 2))
        assert isinstance(await told.next(), ResponseArrived)
    assert peer.connections == 2 and not told.events


class ThenSays(TaskPoller):
    """Whose wait is over when something else of the same wait has a word for the peer."""

    def __init__(self) -> None:
        self.say: Callable[[], None] = lambda: None

    async def watch_fd(self, descriptor: int, hear: OnReadable) -> None:
        await super().watch_fd(descriptor, hear)
        self.say()


async def test_a_request_right_after_the_peer_closed_uses_a_new_connection():
    peer, poller = Leaves(), ThenSays()
    async with linked(peer) as (link, told, endpoint):
        link.poller = poller
        link.send(vote(endpoint, 1))
        assert isinstance(await told.next(), ResponseArrived)
        poller.say = lambda: link.send(vote(endpoint, 2))
        peer.closing.set()
        event = await told.next()
    assert isinstance(event, ResponseArrived) and event.correlation == 2
    assert peer.connections == 2 and not told.events


async def test_a_request_replaces_one_that_was_sent_and_got_no_response():
    actions = iter(["grant", "say nothing", "grant"])
    peer = ScriptedPeer(on_vote=lambda: next(actions))
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        link.send(vote(endpoint, 2))
        while len(peer.seen) < 3:
            await trio.lowlevel.checkpoint()
        link.send(vote(endpoint, 3))
        event = await told.next()
    assert isinstance(event, ResponseArrived) and event.correlation == 3
    assert peer.connections == 2 and not told.events


@define
class Halves(ScriptedPeer):
    """Sends a part of its second answer to a vote, and nothing more."""

    async def answer(self, stream: trio.abc.Stream, request: memoryview) -> bool:
        if len(self.seen) != 2:
            return await super().answer(stream, request)
        ours, theirs = trio.testing.memory_stream_pair()
        await super().answer(ours, request)
        await stream.send_all((await theirs.receive_some())[:9])
        return True


async def test_a_request_replaces_one_whose_response_came_in_part():
    peer = Halves()
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        link.send(vote(endpoint, 2))
        connection = link._connection
        assert connection is not None
        while not connection._frames.pending_bytes:
            await trio.lowlevel.checkpoint()
        link.send(vote(endpoint, 3))
        event = await told.next()
    assert isinstance(event, ResponseArrived) and event.correlation == 3
    assert peer.connections == 2 and not told.events


async def test_a_peer_that_moved_is_asked_where_it_is_now():
    here, there = ScriptedPeer(), ScriptedPeer()
    async with linked(here) as (link, told, endpoint), trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, there.serve, 0, host="127.0.0.1"))
        moved = Endpoint("CONTROLLER", "127.0.0.1", listeners[0].socket.getsockname()[1])
        for correlation, place in ((1, endpoint), (2, moved), (3, moved)):
            link.send(vote(place, correlation))
            assert (await told.next()).correlation == correlation
        nursery.cancel_scope.cancel()
    assert (here.connections, there.connections) == (1, 1)


async def test_what_cannot_be_said_is_told_of_as_ever():
    async with linked(ScriptedPeer(votes=(0, 1))) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        link.send(vote(endpoint, 2, pre_vote=True))
        event = await told.next()
        link.send(vote(None, 3))
        nowhere = await told.next()
    assert isinstance(event, RequestFailed) and event.unsupported
    assert isinstance(nowhere, RequestFailed) and "listens" in nowhere.why


async def test_a_request_that_the_system_takes_in_part_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch,
):
    peer = ScriptedPeer()
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        with monkeypatch.context() as patched:
            patched.setattr(peer_connection.os, "write", lambda descriptor, data: 3)
            link.send(vote(endpoint, 2))
        event = await told.next()
    assert isinstance(event, ResponseArrived) and event.correlation == 2
    assert peer.connections == 2


async def test_a_socket_without_room_is_left_to_the_task(monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int, data: bytes) -> int:
        raise BlockingIOError

    peer = ScriptedPeer()
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        with monkeypatch.context() as patched:
            patched.setattr(peer_connection.os, "write", full)
            link.send(vote(endpoint, 2))
        assert (await told.next()).correlation == 2
    assert peer.connections == 1


async def test_an_answer_in_pieces_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    async with linked(ScriptedPeer()) as (link, told, endpoint):
        monkeypatch.setattr(peer_connection, "HEARD_BYTES", 7)
        for correlation in (1, 2, 3):
            link.send(vote(endpoint, correlation))
            assert (await told.next()).correlation == correlation


async def test_streams_that_are_no_plain_sockets_have_no_short_way():
    ours, _ = trio.testing.memory_stream_pair()
    assert PeerConnection(ours, "raft-client-1").descriptor is None


async def test_a_closed_connection_writes_nothing():
    ours, theirs = trio.socket.socketpair()
    connection = PeerConnection(trio.SocketStream(ours), "raft-client-1")
    assert connection.write(b"before") == 6
    await connection.close()
    assert connection.write(b"for another connection by now") == 0
    assert await theirs.recv(100) == b"before"
    theirs.close()
