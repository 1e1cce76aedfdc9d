"""Small requests, one after the other on each of many connections: our server beside a bare echo.

The echo is a uvloop Protocol that writes back what came, without a look at it: what the machine
can do under Python at best. Both servers are up at once on one core, the client has the other,
and they take turns.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from attrs import frozen

from metaquorum.wire.frames import frame
from metaquorum.wire.generated import find_coordinator_request
from metaquorum.wire.headers import RequestHeader, put_request_header
from metaquorum.wire.slices import FileSlice, Parts
from tools.bench.processor_time import processor_seconds
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode

FIND_COORDINATOR, VERSION = 10, 4
WARM_S = 0.5
ROUND_S = 1.5
ROUNDS = 5
RECEIVE_BYTES = 65_536


@frozen
class Small:
    """What was served at so many connections, and at what price."""

    connections: int
    ours_a_second: float
    echo_a_second: float
    ratio: float
    ours_cpu_us: float
    echo_cpu_us: float
    ours_p50_us: float
    ours_p99_us: float


def small_requests(scratch: Path, counts: list[int], rounds: int = ROUNDS) -> list[Small]:
    """FindCoordinator against an echo of the same frame."""
    node = OwnNode(scratch / "node", {"metadata.max.idle.interval.ms": "0"})
    node.format()
    node.start()
    try:
        node.wait_ready()
        assert node.pid is not None
        with echo_server() as (echo_pid, echo_port), one_core_each(node.pid, echo_pid):
            return [
                compared(count, (node.pid, node.port), (echo_pid, echo_port), rounds)
                for count in counts
            ]
    finally:
        node.stop()


def compared(count: int, ours: tuple[int, int], echo: tuple[int, int], rounds: int) -> Small:
    """Both servers in turns at one number of connections."""
    question = find_coordinator_frame()
    with (
        ManyClients.of(count, ours[1], question) as asking,
        ManyClients.of(count, echo[1], question) as echoed,
    ):
        for many_clients in (asking, echoed):
            many_clients.run(WARM_S)
        runs: dict[str, list[tuple[float, float]]] = {"ours": [], "echo": []}
        latencies: list[float] = []
        for _ in range(rounds):
            for name, many_clients, pid in (("ours", asking, ours[0]), ("echo", echoed, echo[0])):
                used, began = processor_seconds(pid), time.perf_counter()
                answered = many_clients.run(ROUND_S)
                rate = answered / (time.perf_counter() - began)
                runs[name].append((rate, (processor_seconds(pid) - used) / answered * 1e6))
            latencies += asking.latencies_us
    latencies.sort()
    rates = {name: statistics.median(rate for rate, _ in of) for name, of in runs.items()}
    prices = {name: statistics.median(price for _, price in of) for name, of in runs.items()}
    ratio = statistics.median(
        mine / bare for (mine, _), (bare, _) in zip(runs["ours"], runs["echo"], strict=True)
    )
    return Small(
        count,
        round(rates["ours"]),
        round(rates["echo"]),
        round(ratio, 2),
        round(prices["ours"], 1),
        round(prices["echo"], 1),
        round(latencies[len(latencies) // 2]),
        round(latencies[len(latencies) * 99 // 100]),
    )


def find_coordinator_frame() -> bytes:
    """A small request of clients that is decoded, handled and encoded each time."""
    parts: Parts = []
    put_request_header(parts, RequestHeader(FIND_COORDINATOR, VERSION, 1, "bench"))
    asked = find_coordinator_request.FindCoordinatorRequest(coordinator_keys=["bench"])
    find_coordinator_request.put(parts, asked, VERSION)
    return b"".join(part for part in frame(parts) if not isinstance(part, FileSlice))


class ManyClients:
    """Connections that each ask anew when they are answered, driven by one epoll."""

    def __init__(self, peers: list[socket.socket], question: bytes) -> None:
        self.latencies_us: list[float] = []
        self._question = question
        self._peers = {peer.fileno(): peer for peer in peers}
        self._asked_at = dict.fromkeys(self._peers, 0.0)
        self._missing: dict[int, int] = {}
        self._poll = select.epoll()
        for peer in peers:
            self._poll.register(peer.fileno(), select.EPOLLIN)

    @classmethod
    @contextmanager
    def of(cls, count: int, port: int, question: bytes) -> Iterator[ManyClients]:
        """So many of them, connected."""
        peers = []
        try:
            for _ in range(count):
                peers.append(socket.create_connection((LOOPBACK, port)))
                peers[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield cls(peers, question)
        finally:
            for peer in peers:
                peer.close()

    def run(self, for_s: float) -> int:
        """How many were answered in that time; all are answered at its end."""
        self.latencies_us = []
        answered, clock, ends = 0, time.perf_counter, time.perf_counter() + for_s
        for descriptor, peer in self._peers.items():
            self._asked_at[descriptor] = clock()
            peer.send(self._question)
        open_count = len(self._peers)
        while open_count:
            for descriptor, _ in self._poll.poll():
                peer = self._peers[descriptor]
                if not self._is_whole(descriptor, peer.recv(RECEIVE_BYTES)):
                    continue
                now = clock()
                answered += 1
                self.latencies_us.append((now - self._asked_at[descriptor]) * 1e6)
                if now < ends:
                    self._asked_at[descriptor] = now
                    peer.send(self._question)
                else:
                    open_count -= 1
        return answered

    def _is_whole(self, descriptor: int, data: bytes) -> bool:
        if not data:
            raise ConnectionError("the server hung up")
        missing = self._missing.pop(descriptor, 0) or int.from_bytes(data[:4], "big") + 4
        if missing > len(data):
            self._missing[descriptor] = missing - len(data)
            return False
        return True


@contextmanager
def one_core_each(*servers: int) -> Iterator[None]:
    """The servers on one core and this process on another, where there are two."""
    before = os.sched_getaffinity(0)
    cores = sorted(before)
    try:
        for pid in servers:
            for thread in Path(f"/proc/{pid}/task").iterdir():
                os.sched_setaffinity(int(thread.name), {cores[0]})
        os.sched_setaffinity(0, {cores[-1]})
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def echo_server() -> Iterator[tuple[int, int]]:
    """A uvloop echo in a process of its own: its id and its port."""
    command = [sys.executable, "-m", "tools.bench.serve_small"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.kill()


class Echo(asyncio.Protocol):
    """Writes back what came."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)


async def echo() -> None:
    """Serve until killed."""
    server = await asyncio.get_running_loop().create_server(Echo, LOOPBACK, 0, backlog=1_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    uvloop.run(echo())
