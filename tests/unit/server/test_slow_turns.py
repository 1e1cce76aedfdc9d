"""A loop that takes long to come round, while unfinished requests hold the whole budget.

A peer is closed for what it has not sent, never for what lies in its socket and was not read yet.
"""

from __future__ import annotations

import pytest
import trio
import trio.testing

from metaquorum.base.limits import STALLED_FRAME_MS
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_host import ConnectionHost
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.connection_states import CLOSED
from metaquorum.server.sockets.task_host import TaskHost
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from tests.unit.server.epoll_hosted import Hosted, framed, half_of

STALLED, HELD_BYTES = 60, 50_000
LIMIT_BYTES = HELD_BYTES
LARGE_QUESTION = framed(ApiVersionsRequest("p" * 28_000, "1"), 3)


@pytest.fixture
async def slow(nursery, monkeypatch):
    """A host each of whose reads takes longer than a request may stall once there is no room."""
    hosted = Hosted(nursery)
    received = ConnectionHost._received

    def slowly(self) -> bytes | None:
        if hosted.budget.is_spent:
            hosted.services.clock.now += STALLED_FRAME_MS + 1
        return received(self)

    monkeypatch.setattr(ConnectionHost, "_received", slowly)
    return await hosted.run(nursery)


def connect_by_task(hosted: Hosted, nursery: trio.Nursery):
    """A connection with a task of its own, as where the system has no epoll."""
    member, theirs = hosted.connect()
    ours = member._socket.dup()
    member.close()
    connection = Connection(ConnectionLimits(), hosted.budget, 0)
    host = TaskHost(ours, connection, hosted.client.origin, hosted.shared)
    nursery.start_soon(host.run)
    return host, theirs


async def fill(hosted: Hosted, connect) -> list[tuple[ConnectionHost, object]]:
    """Connections that hold the whole budget with requests that they do not finish."""
    stalled = [connect() for _ in range(STALLED)]
    for _, theirs in stalled:
        theirs.send(half_of(60_000, HELD_BYTES))
    await trio.testing.wait_all_tasks_blocked()
    hosted.budget.limit_bytes = LIMIT_BYTES
    return stalled


@pytest.mark.parametrize("by_task", [False, True])
async def test_a_request_that_came_whole_is_served_however_slow_the_loop(slow, nursery, by_task):
    def connect():
        return connect_by_task(slow, nursery) if by_task else slow.connect()

    await fill(slow, connect)
    host, theirs = connect()
    theirs.send(LARGE_QUESTION)
    for _ in range(2 * STALLED):
        connect()[1].send(half_of(60_000, HELD_BYTES))
    await trio.testing.wait_all_tasks_blocked()
    assert host.connection.state is not CLOSED
    assert theirs.recv(1 << 20)


async def test_who_sent_nothing_more_makes_way_though_the_loop_is_slow(slow):
    stalled = await fill(slow, slow.connect)
    _, theirs = slow.connect()
    theirs.send(LARGE_QUESTION)
    await trio.testing.wait_all_tasks_blocked()
    assert theirs.recv(1 << 20)
    assert any(host.connection.state is CLOSED for host, _ in stalled)
    assert "makes way for another" in slow.notes[0]


async def test_who_hung_up_has_nothing_more_to_be_read(slow):
    stalled = await fill(slow, slow.connect)
    for _, theirs in stalled:
        theirs.close()
    slow.services.clock.now += STALLED_FRAME_MS
    await trio.testing.wait_all_tasks_blocked()
    assert not any(host.unread_bytes() for host, _ in stalled if not host._is_gone())
