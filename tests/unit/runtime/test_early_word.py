"""A request that waits for the disk leaves from the disk's thread, and no answer comes too soon."""

from __future__ import annotations

import select
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import trio
import trio.testing
from attrs import define

from metaquorum.quorum.effects import Committed, Effect, Send
from metaquorum.quorum.events import ResponseArrived
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.types import Endpoint
from metaquorum.runtime.disk.log_lane import LogLane
from metaquorum.runtime.peers.early_word import Say, early_words
from metaquorum.runtime.peers.peer_connection import PeerConnection, Said
from metaquorum.runtime.peers.peer_link import PeerLink
from tests.unit.runtime.test_log_lane import BrokenJournal
from tests.unit.runtime.test_log_lane import Effect as DiskEffect
from tests.unit.runtime.test_peer_link import Leaves, ScriptedPeer, Told, linked, vote

AtRest = tuple[PeerLink, Told, Endpoint]


@asynccontextmanager
async def at_rest(peer: ScriptedPeer) -> AsyncIterator[AtRest]:
    """A link whose connection is open and has nothing to say."""
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
        await trio.testing.wait_all_tasks_blocked()
        yield link, told, endpoint


def in_a_thread(say: Say) -> None:
    """Call it elsewhere than on the loop, and wait for that."""
    thread = threading.Thread(target=say)
    thread.start()
    thread.join()


def has_news(link: PeerLink) -> None:
    """Return when the answer is there, read or not."""
    assert link._connection is not None
    asked = select.poll()
    asked.register(link._connection.descriptor, select.POLLIN)
    assert asked.poll(10_000)


@define
class Forgiving(ScriptedPeer):
    """A peer that is content when nobody hears its answer."""

    async def serve(self, stream: trio.abc.Stream) -> None:
        with suppress(trio.BrokenResourceError):
            await super().serve(stream)


async def test_what_was_said_early_is_not_said_again():
    peer = ScriptedPeer()
    async with at_rest(peer) as (link, told, endpoint):
        for correlation in (2, 3):
            request = vote(endpoint, correlation)
            say = link.early(request)
            assert say is not None
            in_a_thread(say)
            link.send(request)
            answer = await told.next()
            assert isinstance(answer, ResponseArrived)
            assert answer.correlation == correlation
        link.send(vote(endpoint, 4))
        assert (await told.next()).correlation == 4
    assert len(peer.seen) == 1 + 4  # the handshake and four votes
    assert peer.connections == 1


async def test_an_answer_waits_until_the_request_is_released():
    async with at_rest(ScriptedPeer()) as (link, told, endpoint):
        request = vote(endpoint, 2)
        say = link.early(request)
        assert say is not None
        in_a_thread(say)
        await trio.to_thread.run_sync(has_news, link)
        await trio.testing.wait_all_tasks_blocked()
        assert told.events == []
        link.send(request)
        assert (await told.next()).correlation == 2


async def test_what_was_not_said_after_all_is_said_when_it_is_released():
    peer = ScriptedPeer()
    async with at_rest(peer) as (link, told, endpoint):
        request = vote(endpoint, 2)
        assert link.early(request) is not None
        link.send(request)
        assert (await told.next()).correlation == 2
    assert peer.connections == 1


async def test_a_connection_that_was_closed_is_not_written_to():
    ours, theirs = trio.socket.socketpair()
    connection = PeerConnection(trio.SocketStream(ours), "raft-client-1")
    assert connection.say_encoded(b"before") is Said.WHOLE
    await connection.close()
    assert connection.say_encoded(b"for somebody else by now") is Said.NOT
    assert await theirs.recv(100) == b"before"
    theirs.close()


async def test_a_request_of_which_a_part_left_takes_another_connection(
    monkeypatch: pytest.MonkeyPatch,
):
    peer = ScriptedPeer()
    async with at_rest(peer) as (link, told, endpoint):
        request = vote(endpoint, 2)
        say = link.early(request)
        assert say is not None
        with monkeypatch.context() as patched:
            patched.setattr(PeerConnection, "say_encoded", lambda *ignored: Said.IN_PART)
            say()
        link.send(request)
        assert (await told.next()).correlation == 2
    assert peer.connections == 2


async def test_another_request_gives_up_the_one_that_was_said():
    peer = Forgiving()
    async with at_rest(peer) as (link, told, endpoint):
        say = link.early(vote(endpoint, 2))
        assert say is not None
        in_a_thread(say)
        link.send(vote(endpoint, 3))
        assert (await told.next()).correlation == 3
    assert peer.connections == 2


async def test_only_a_link_at_rest_is_spoken_for():
    peer = ScriptedPeer(on_vote=lambda: "say nothing")
    async with linked(peer) as (link, _, endpoint):
        assert link.early(vote(endpoint, 1)) is None  # there is no connection
    async with at_rest(ScriptedPeer()) as (link, _, endpoint):
        assert link.early(vote(Endpoint("CONTROLLER", "elsewhere", 9093), 2)) is None
        assert link.early(vote(endpoint, 2)) is not None
        assert link.early(vote(endpoint, 3)) is None  # one waits already


async def test_a_peer_that_hangs_up_before_the_word_is_met_by_the_word():
    peer = Leaves()
    async with at_rest(peer) as (link, told, endpoint):
        request = vote(endpoint, 2)
        say = link.early(request)
        assert say is not None
        peer.closing.set()
        await trio.testing.wait_all_tasks_blocked()
        in_a_thread(say)
        link.send(request)
        assert (await told.next()).correlation == 2
    assert peer.connections == 2


class Links:
    """Says everything early, and remembers what."""

    def __init__(self) -> None:
        self.asked: list[Send] = []

    def early(self, request: Send) -> Say | None:
        self.asked.append(request)
        return lambda: None


HERE = Endpoint("CONTROLLER", "localhost", 9093)


def waiting(*effects: Effect) -> tuple[Links, Callable[[int], Say | None]]:
    gate, links = DurabilityGate(), Links()
    gate.hold(effects)
    return links, early_words(gate, links)


def sent_after(ticket: int) -> Send:
    request = vote(HERE, 1)
    return Send(ticket, request.peer, request.correlation, request.message)


def test_the_word_that_waits_for_the_ticket_is_the_one():
    request = sent_after(3)
    links, word_after = waiting(request)
    assert word_after(2) is None
    assert word_after(3) is not None
    assert links.asked == [request]


def test_no_word_overtakes_another():
    links, word_after = waiting(Committed(3, 7), sent_after(3))
    assert word_after(3) is None
    links, word_after = waiting()
    assert word_after(3) is None
    assert links.asked == []


async def test_the_word_leaves_behind_the_sync_and_before_the_loop_hears_of_it():
    told: list[Any] = []

    class Journal:
        def execute(self, effects: Any) -> int:
            told.append("synced")
            return int(effects[-1].ticket)

    lane = LogLane(
        Journal(),
        told.append,
        lambda ticket, why: None,
        own_thread=True,
        word_after=lambda ticket: lambda: told.append(f"said after {ticket}"),
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        await trio.testing.wait_all_tasks_blocked()
        lane.submit(DiskEffect(1))
        lane.begin()
        await lane.close()
    assert told == ["synced", "said after 1", 1]


async def test_nothing_is_said_that_the_disk_does_not_have():
    said: list[str] = []
    failed: list[int] = []
    lane = LogLane(
        BrokenJournal(),
        lambda ticket: None,
        lambda ticket, why: failed.append(ticket),
        own_thread=True,
        word_after=lambda ticket: lambda: said.append("word"),
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        await trio.testing.wait_all_tasks_blocked()
        lane.submit(DiskEffect(1))
        lane.begin()
    assert failed == [1]
    assert said == []
