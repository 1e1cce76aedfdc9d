"""An epoll host over a fake node, and what is asked of it over pairs of sockets."""

from __future__ import annotations

import socket

import trio
import trio.testing
from attrs import evolve

from metaquorum.runtime.loop.poller import TaskPoller
from metaquorum.server.contract.last_request import LastFetch
from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_host import ServerContext
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.epoll_host import EpollHost
from metaquorum.server.sockets.fair_queue import FairQueue
from metaquorum.server.sockets.unsent import UnsentAnswers
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient, request_frame
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic


def framed(message, version, correlation=7) -> bytes:
    frame = request_frame(message, version, correlation=correlation)
    return len(frame).to_bytes(4, "big") + frame


def half_of(size: int, sent: int) -> bytes:
    """The beginning of an ApiVersions request of that size."""
    head = size.to_bytes(4, "big") + (18).to_bytes(2, "big") + (3).to_bytes(2, "big")
    return head + bytes(sent - len(head))


def hello(correlation=7) -> bytes:
    return framed(ApiVersionsRequest("a", "1"), 3, correlation)


def fetch(max_wait_ms: int = 60_000, offset: int = 8, session: tuple[int, int] = (0, -1)) -> bytes:
    one = FetchPartition(fetch_offset=offset, partition_max_bytes=1)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    asked = FetchRequest(max_wait_ms=max_wait_ms, min_bytes=1, topics=[topic])
    asked.session_id, asked.session_epoch = session
    return framed(asked, 12)


class Hosted:
    """An epoll host over a fake node, and what connections of it are closed with."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.client = PipelineClient(services_with_eight_records())
        self.services = self.client.services
        self.budget = ByteBudget()
        self.notes: list[str] = []
        self.somebody_waits = lambda: None
        clock = self.services.clock
        self.shared = ServerContext(
            *(self.client.pipeline, clock, nursery, self.notes.append),
            *(FairQueue(clock), UnsentAnswers(), self.waits),
        )
        self.host = EpollHost(self.shared, TaskPoller())

    def waits(self) -> None:
        """A connection waits for its budget."""
        self.somebody_waits()

    def connect(self):
        """One connection of the host's, and the other end of its socket."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        connection = Connection(ConnectionLimits(), self.budget, 0)
        origin = evolve(self.client.origin, last_fetch=LastFetch())
        return self.host.add(ours, connection, origin), theirs

    async def run(self, nursery: trio.Nursery) -> Hosted:
        """Serve from now on."""
        nursery.start_soon(self.host.run)
        nursery.start_soon(self.shared.fair_queue.run)
        await trio.testing.wait_all_tasks_blocked()
        return self


async def asked(theirs: socket.socket, *frames: bytes) -> bytes:
    """What is there once everybody has done all they can."""
    theirs.send(b"".join(frames))
    await trio.testing.wait_all_tasks_blocked()
    try:
        return theirs.recv(1 << 20)
    except BlockingIOError:
        return b""
