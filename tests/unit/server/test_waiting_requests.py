"""No room, and nobody who could be closed for it: requests that came whole are served all the same.

The loop is so fast that unfinished requests hold the whole budget before any of them is old enough
to make way.
"""

from __future__ import annotations

import socket

import pytest
import trio
import trio.testing

from metaquorum.base.limits import LOOKS_AT_WAITING_MS, STALLED_LARGE_FRAME_MS
from metaquorum.server.sockets.accounts import RequestBudgets
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.connection_states import CLOSED
from metaquorum.server.sockets.task_host import TaskHost
from metaquorum.server.sockets.waiting_requests import WaitingRequests
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.fetch_request import FetchRequest, ForgottenTopic
from tests.unit.server.epoll_hosted import Hosted, framed, half_of
from tests.unit.server.tls_talk import TlsContexts, TlsTalk

LIMIT_BYTES = 2_000_000
QUESTION = framed(ApiVersionsRequest("p" * 28_000, "1"), 3)


class Crowded:
    """A server whose budget is held by unfinished requests of an address, all of this moment."""

    def __init__(self, hosted: Hosted, nursery: trio.Nursery, *, by_task: bool) -> None:
        self.hosted, self.nursery, self.by_task = hosted, nursery, by_task
        self.budgets = RequestBudgets.of(LIMIT_BYTES)
        self.waiting = WaitingRequests(self.budgets, hosted.services.clock)
        hosted.somebody_waits = self.waiting.wake
        self.clients = [self.connect() for _ in range(60)]

    def connect(self) -> tuple[object, socket.socket]:
        """The server's end and the client's."""
        holder = self.budgets.holder("10.0.0.1", is_authenticated=True)
        self.hosted.budget = holder.account
        host, theirs = self.hosted.connect()
        if self.by_task:
            ours = host._socket.dup()
            host.close()
            return self.connect_by_task(ours), theirs
        holder.connection = host.connection
        return host, theirs

    def connect_by_task(self, ours) -> TaskHost:
        """A task serves that socket."""
        holder = self.budgets.holder("10.0.0.1", is_authenticated=True)
        connection = holder.connection = Connection(ConnectionLimits(), holder.account, 0)
        host = TaskHost(ours, connection, self.hosted.client.origin, self.hosted.shared)
        self.nursery.start_soon(host.run)
        return host

    async def fill(self) -> None:
        for _, theirs in self.clients:
            theirs.send(half_of(60_000, 50_000))
        await trio.testing.wait_all_tasks_blocked()
        assert self.budgets.clients.taken_bytes >= LIMIT_BYTES // 4
        assert not any(host.connection.state is CLOSED for host, _ in self.clients)


@pytest.fixture(params=[False, True], ids=["epoll", "task"])
async def crowded(request, nursery):
    hosted = Hosted(nursery)
    one = Crowded(hosted, nursery, by_task=request.param)
    await hosted.run(nursery)
    await one.fill()
    return one


async def answer(theirs: socket.socket) -> bytes:
    await trio.testing.wait_all_tasks_blocked()
    try:
        return theirs.recv(1 << 20)
    except BlockingIOError:
        return b""


async def test_a_request_that_came_whole_is_served_at_once(crowded):
    for _ in range(3):
        _, theirs = crowded.connect()
        theirs.send(QUESTION)
        assert await answer(theirs)


@pytest.mark.parametrize("first", [2, 3, 4, 6, 2_048, 8_000, len(QUESTION) - 1])
async def test_a_request_in_two_parts_is_served_when_the_rest_came(crowded, first):
    host, theirs = crowded.connect()
    theirs.send(QUESTION[:first])
    assert not await answer(theirs)
    theirs.send(QUESTION[first:])
    await trio.testing.wait_all_tasks_blocked()
    crowded.budgets.resume_whole()
    served = await answer(theirs)
    if not served:  # so much more was known, as its size
        crowded.budgets.resume_whole()
        served = await answer(theirs)
    assert served
    assert host.connection.state is not CLOSED


@pytest.mark.parametrize("second", [1, 40, 2_048, 9_000, 11_000, 11_700])
async def test_the_rest_of_a_request_may_be_a_tls_record_in_part(crowded, second, tmp_path):
    talk = TlsTalk(TlsContexts.made_in(tmp_path))
    host = crowded.connect_by_task(talk.ours)
    sent = talk.enciphered(QUESTION)  # two records
    talk.theirs.send(sent[:-second])
    await trio.testing.wait_all_tasks_blocked()
    talk.theirs.send(sent[-second:])
    await trio.testing.wait_all_tasks_blocked()
    crowded.budgets.resume_whole()
    await trio.testing.wait_all_tasks_blocked()
    assert talk.deciphered()
    assert host.connection.state is not CLOSED


async def test_what_unfinished_requests_hold_beyond_the_budget_is_bounded(crowded):
    for _ in range(60):
        crowded.connect()[1].send(half_of(60_000, 50_000))
    await trio.testing.wait_all_tasks_blocked()
    beyond = crowded.budgets.clients.taken_bytes - LIMIT_BYTES // 4
    assert beyond <= 120 * 4_096  # a piece of each


async def test_who_sends_a_little_now_and_then_makes_way(crowded):
    host, theirs = crowded.connect()
    theirs.send(QUESTION[:4_096])
    await trio.testing.wait_all_tasks_blocked()
    theirs.send(QUESTION[4_096:4_097])
    assert host.connection.make_way("for others")
    assert host.connection.state is CLOSED


async def test_whose_rest_came_does_not_make_way(crowded):
    host, theirs = crowded.connect()
    theirs.send(QUESTION[:4_096])
    await trio.testing.wait_all_tasks_blocked()
    theirs.send(QUESTION[4_096:])
    assert not host.connection.make_way("for others")
    assert not host.connection.make_way("for others")


def question_of_100_kb() -> bytes:
    forgotten = [ForgottenTopic(f"{n:01000}", partitions=[0]) for n in range(100)]
    return framed(FetchRequest(forgotten_topics_data=forgotten), 12)


async def test_a_large_one_goes_on_before_all_that_are_unfinished(crowded):
    for _ in range(3):
        large = crowded.connect()[1]
        asked = question_of_100_kb()
        assert large.send(asked) == len(asked)
        assert await answer(large)


async def test_bytes_dripped_into_unfinished_ones_hold_up_nobody(crowded):
    large = crowded.connect()[1]
    asked = question_of_100_kb()
    assert large.send(asked[:70_000]) == 70_000
    await trio.testing.wait_all_tasks_blocked()
    for _, theirs in crowded.clients:
        theirs.send(b"\0")
    await trio.testing.wait_all_tasks_blocked()
    assert large.send(asked[70_000:])
    assert await answer(large)


async def test_unfinished_ones_make_way_for_a_large_one_in_seconds(crowded, mock_clock):
    crowded.nursery.start_soon(crowded.waiting.run)
    asked = question_of_100_kb()
    _, other = crowded.connect()
    assert other.send(asked[:-1])  # it goes on before all others, and stands still
    await trio.testing.wait_all_tasks_blocked()
    large = crowded.connect()[1]
    assert large.send(asked) == len(asked)
    assert not await answer(large)
    for _ in range(3):
        crowded.hosted.services.clock.now += STALLED_LARGE_FRAME_MS
        for _ in range(2):
            mock_clock.jump(LOOKS_AT_WAITING_MS / 1_000)
            await trio.testing.wait_all_tasks_blocked()
    assert await answer(large)
