"""The load of ``commit.py``: connections that each have so many writes under way, one epoll.

A process of its own, so that whatever it costs it costs every system the same. It prints one line
of JSON: what was committed in the time that counts, and how long the writes took.
"""

from __future__ import annotations

import argparse
import json
import select
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench.commit_wires import MOST_CLIENTS, WIRES, Wire

LOOPBACK = "127.0.0.1"
RECEIVE_BYTES = 65_536
PING_S = 10.0
"""A third of the time-out of the sessions that ``ZooKeeperWire`` asks for, as its client does."""
STALLED_PINGS = 3


class Stalled(Exception):
    """The server has answered nothing for a long time."""


class Client:
    """One connection and its writes under way."""

    def __init__(self, peer: socket.socket, wire: Wire) -> None:
        self.peer = peer
        self.wire = wire
        self.number = 0
        self.asked_at: dict[int, int] = {}

    @classmethod
    def greeted(cls, port: int, wire: Wire) -> Client:
        """Connected, and past what the protocol wants first."""
        peer = socket.create_connection((LOOPBACK, port))
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire.greet(peer)
        return cls(peer, wire)

    def ask(self, count: int) -> bytes:
        """So many more writes, as bytes."""
        asked = []
        now = time.perf_counter_ns()
        for _ in range(count):
            self.number += 1
            self.asked_at[self.number] = now
            asked.append(self.wire.request(self.number))
        return asked[0] if count == 1 else b"".join(asked)


def ready_of(
    poll: select.epoll, clients: list[Client], ping_s: float = PING_S
) -> list[tuple[int, int]]:
    """Wait for answers; where nothing comes, each client pings, as a real one would.

    ZooKeeper 3.8 may miss that a write is committed until the next request of any client comes:
    its CommitProcessor looks at the queue before it takes the lock under which it waits. Stalled
    when pings do not help.
    """
    for _ in range(STALLED_PINGS):
        ready = poll.poll(ping_s)
        if ready:
            return ready
        for client in clients:
            client.peer.sendall(client.wire.ping)
    raise Stalled(f"nothing was answered for {STALLED_PINGS * ping_s:.0f} s")


def run(clients: list[Client], depth: int, lead_s: float, for_s: float) -> dict[str, float]:
    """Keep ``depth`` writes of each client under way; what was committed after the lead-in."""
    poll = select.epoll()
    by_descriptor = {client.peer.fileno(): client for client in clients}
    for descriptor, client in by_descriptor.items():
        poll.register(descriptor, select.EPOLLIN)
        client.peer.sendall(client.ask(depth))
    clock = time.perf_counter_ns
    begins = clock() + int(lead_s * 1e9)
    ends = begins + int(for_s * 1e9)
    took_ns: list[int] = []
    now = clock()
    while now < ends:
        for descriptor, _ in ready_of(poll, clients):
            client = by_descriptor[descriptor]
            data = client.peer.recv(RECEIVE_BYTES)
            if not data:
                raise Stalled("the server hung up")
            done, back = client.wire.answers(data)
            now = clock()
            asked_at = client.asked_at
            if now >= begins:
                took_ns += [now - asked_at.pop(number) for number in done]
            else:
                for number in done:
                    del asked_at[number]
            if done:
                back += client.ask(len(done))
            if back:
                client.peer.sendall(back)
    took_ns.sort()
    return {
        "commits_a_second": len(took_ns) / for_s,
        "p50_ms": took_ns[len(took_ns) // 2] / 1e6 if took_ns else 0.0,
        "p99_ms": took_ns[len(took_ns) * 99 // 100] / 1e6 if took_ns else 0.0,
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--wire", choices=sorted(WIRES), required=True)
    parser.add_argument("--port", type=int, required=True, help="the leader's")
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--depth", type=int, default=1, help="writes under way on each")
    parser.add_argument("--lead-seconds", type=float, default=1.0, help="these do not count")
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = parser.parse_args(arguments)
    if not 0 < chosen.clients <= MOST_CLIENTS:
        parser.error(f"between 1 and {MOST_CLIENTS} clients")
    make = WIRES[chosen.wire]
    clients = [Client.greeted(chosen.port, make(number)) for number in range(chosen.clients)]
    print(json.dumps(run(clients, chosen.depth, chosen.lead_seconds, chosen.seconds)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
