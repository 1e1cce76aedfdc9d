"""The task host where tasks meet: one closes what another was just woken for."""

from __future__ import annotations

import socket

import pytest
import trio
import trio.testing

from metaquorum.base.limits import TURN_MS
from metaquorum.server.budget import ByteBudget
from metaquorum.server.connection import Connection, ConnectionLimits
from metaquorum.server.pipeline import Pipeline
from metaquorum.server.task_host import Shared, TaskHost
from metaquorum.server.turns import Turns
from metaquorum.server.unsent import UnsentAnswers
from metaquorum.testing.fake_house import house_of_eight
from metaquorum.testing.pipeline_client import PipelineClient, request_frame
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest


@pytest.fixture
async def hosted(nursery):
    """A host over one end of a pair, and the other end."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    client = PipelineClient(house_of_eight())
    budget, clock = ByteBudget(), client.house.clock
    notes: list[str] = []
    shared = Shared(
        client.pipeline, clock, nursery, notes.append, budget, Turns(clock), UnsentAnswers()
    )
    host = TaskHost(ours, Connection(ConnectionLimits(), budget, 0), client.origin, shared)
    nursery.start_soon(shared.turns.run)
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
    assert host.connection.closed


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
    assert host.connection.closed


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


async def test_a_turn_ends_when_its_requests_take_long_and_the_others_follow(hosted, monkeypatch):
    host, _ = hosted
    served_at = []
    serve = Pipeline.serve

    def slowly(self, frame, origin, now, deliver):
        served_at.append(now)
        host._shared.clock.now += TURN_MS
        return serve(self, frame, origin, now, deliver)

    monkeypatch.setattr(Pipeline, "serve", slowly)
    frame = request_frame(ListGroupsRequest(), 0)
    host.connection.bytes_received((len(frame).to_bytes(4, "big") + frame) * 3, 1)
    host.advance()
    assert len(served_at) == 1
    await trio.testing.wait_all_tasks_blocked()
    assert len(served_at) == 3
