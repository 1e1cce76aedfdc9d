"""The task host where tasks meet: one closes what another was just woken for."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest
import trio
import trio.testing

from metaquorum.base.limits import (
    FIRST_READ_CHUNK_BYTES,
    READ_CHUNK_BYTES,
    READS_PER_TURN,
    TURN_MS,
)
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_host import ServerContext
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.connection_states import CLOSED
from metaquorum.server.sockets.fair_queue import FairQueue
from metaquorum.server.sockets.task_host import TaskHost
from metaquorum.server.sockets.unsent import UnsentAnswers
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient, request_frame
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest


@pytest.fixture
async def hosted(nursery):
    """A host over one end of a pair, and the other end."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    client = PipelineClient(services_with_eight_records())
    budget, clock = ByteBudget(), client.services.clock
    notes: list[str] = []
    shared = ServerContext(
        client.pipeline, clock, nursery, notes.append, FairQueue(clock), UnsentAnswers()
    )
    host = TaskHost(ours, Connection(ConnectionLimits(), budget, 0), client.origin, shared)
    nursery.start_soon(shared.fair_queue.run)
    with theirs:
        yield host, theirs
    assert notes == []


async def test_a_reader_that_is_woken_for_a_closed_socket_goes_home(hosted, monkeypatch):
    host, _ = hosted

    async def wake_after_a_close(sock) -> None:
        await trio.lowlevel.checkpoint()
        host.close()

    monkeypatch.setattr(trio.lowlevel, "wait_readable", wake_after_a_close)
    await host.run()
    assert host.connection.state is CLOSED


async def test_a_writer_that_is_woken_for_a_closed_socket_goes_home(hosted, monkeypatch):
    host, _ = hosted
    drained = trio.Event()

    async def wake_after_a_close(sock) -> None:
        await trio.lowlevel.checkpoint()
        host.close()
        drained.set()

    monkeypatch.setattr(trio.lowlevel, "wait_writable", wake_after_a_close)
    fill(host)
    frame = request_frame(ListGroupsRequest(), 0)
    host.connection.bytes_received(len(frame).to_bytes(4, "big") + frame, 1)
    host.advance()
    await drained.wait()
    await trio.testing.wait_all_tasks_blocked()
    assert host.connection.state is CLOSED


def fill(host: TaskHost) -> None:
    """Leave no room in the socket, so that an answer has to wait."""
    try:
        while True:
            host._socket.send(bytes(65_536))
    except BlockingIOError:
        pass


async def test_closing_twice_is_closing_once(hosted):
    host, theirs = hosted
    host.close()
    host.close()
    host.advance()
    assert theirs.recv(1) == b""


async def test_a_turn_ends_after_a_long_request_and_the_others_follow(hosted, monkeypatch):
    host, _ = hosted
    served_at = []
    serve = Pipeline.serve

    def slowly(self, frame, origin, now, *rest):
        served_at.append(now)
        host._context.clock.now += TURN_MS
        return serve(self, frame, origin, now, *rest)

    monkeypatch.setattr(Pipeline, "serve", slowly)
    frame = request_frame(ListGroupsRequest(), 0)
    host.connection.bytes_received((len(frame).to_bytes(4, "big") + frame) * 3, 1)
    host.advance()
    assert len(served_at) == 1
    await trio.testing.wait_all_tasks_blocked()
    assert len(served_at) == 3


async def test_a_large_request_is_read_a_few_pieces_a_turn(hosted, nursery):
    host, theirs = hosted
    theirs.setblocking(False)
    nursery.start_soon(host.run)
    size = 3 * READS_PER_TURN * READ_CHUNK_BYTES
    theirs.send(size.to_bytes(4, "big") + bytes(8))
    await trio.testing.wait_all_tasks_blocked()
    assert host._context.fair_queue.taken == 0
    sent = 0
    while sent < size // 2:
        with suppress(BlockingIOError):
            sent += theirs.send(bytes(READ_CHUNK_BYTES))
        await trio.testing.wait_all_tasks_blocked()
    assert host._context.fair_queue.taken >= sent / (READS_PER_TURN * READ_CHUNK_BYTES)
    host.close()


async def test_a_late_response_starts_the_next_request_in_a_turn_of_its_own(hosted, monkeypatch):
    host, _ = hosted
    delivers = []

    def park(self, frame, origin, now, deliver, is_gone):
        delivers.append(deliver)
        return Promise()

    monkeypatch.setattr(Pipeline, "serve", park)
    frame = request_frame(ListGroupsRequest(), 0)
    host.connection.bytes_received((len(frame).to_bytes(4, "big") + frame) * 2, 1)
    host.advance()
    delivers[0]([b"answer"])
    assert len(delivers) == 1
    await trio.testing.wait_all_tasks_blocked()
    assert len(delivers) == 2
    assert host._context.fair_queue.taken == 1


async def test_room_for_a_long_read_is_made_only_for_who_fills_a_short_one(hosted):
    host, theirs = hosted
    asked = []

    class Counted:
        def recv(self, most: int) -> bytes:
            asked.append(most)
            return real.recv(most)

        def __getattr__(self, name: str):
            return getattr(real, name)

    real, host._socket = host._socket, Counted()
    for sent in (8, FIRST_READ_CHUNK_BYTES, READ_CHUNK_BYTES // 2, 8, 8):
        theirs.send(bytes(sent))
        assert len(host._received()) == sent
    assert asked == [
        FIRST_READ_CHUNK_BYTES,
        FIRST_READ_CHUNK_BYTES,
        READ_CHUNK_BYTES,
        READ_CHUNK_BYTES,
        FIRST_READ_CHUNK_BYTES,
    ]
    host.close()
