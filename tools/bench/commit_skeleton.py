"""A node of the skeleton of ``commit.py``: the messages, writes and syncs of a commit, no more.

What is left of a replicated commit when nobody decodes, checks, numbers, keeps or recovers
anything: three Python processes, plain sockets, one thread each. The leader takes whatever came
together from its clients, appends it to a file with reserved room, hands it to the two followers,
syncs, and answers once two of three have it on disk. A follower is handed something new when it has
said that it has the last. So it shows about how far a server in Python could go on a machine (the
leader syncs where it stands, so it is no strict bound), and it is no server: it loses everything.
"""

from __future__ import annotations

import argparse
import os
import select
import socket
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from struct import Struct

LOOPBACK = "127.0.0.1"
RECEIVE_BYTES = 262_144
RESERVED_BYTES = 64 << 20  # what is beyond is written over from the beginning
PATIENCE_S, POLL_S = 20.0, 0.05
FOLLOWERS = 2
MAJORITY = 2  # of the three, the leader counting itself

_NUMBER = slice(8, 12)  # behind size, API key and version
_SIZE = Struct(">i")
_OFFSET = Struct(">q")
_ANSWER = bytes(5) + b"\x02" + bytes(3) + b"\x01" + bytes(2)  # one entry of no entity, not refused
_ANSWER_SIZE = _SIZE.pack(4 + len(_ANSWER))


def answer_to(command: bytes | bytearray) -> bytes:
    """Of a frame that begins with AlterClientQuotas of one entry: that it was not refused."""
    return _ANSWER_SIZE + command[_NUMBER] + _ANSWER


class Log:
    """A file with room."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.posix_fallocate(self._file, 0, RESERVED_BYTES)
        self._at = 0

    def append(self, data: bytes) -> None:
        """Write, and do not sync."""
        if self._at + len(data) > RESERVED_BYTES:
            self._at = 0
        self._at += os.pwrite(self._file, data, self._at)

    def sync(self) -> None:
        os.fdatasync(self._file)


def follow(leader: socket.socket, log: Log) -> None:
    """Write and sync what comes, and say so, until the leader is gone.

    A message is a size, the offset that it ends at, and data; what is said is the offset.
    """
    kept = b""
    while data := leader.recv(RECEIVE_BYTES):
        kept += data
        while len(kept) >= _SIZE.size:
            end = _SIZE.size + _SIZE.unpack_from(kept)[0]
            if len(kept) < end:
                break
            log.append(kept[_SIZE.size + _OFFSET.size : end])
            log.sync()
            leader.sendall(kept[_SIZE.size : _SIZE.size + _OFFSET.size])
            kept = kept[end:]


class Leader:
    """Serves the clients; everything is counted in commands."""

    def __init__(self, clients: socket.socket, followers: list[socket.socket], log: Log) -> None:
        self._poll = select.epoll()
        self._listening = clients
        self._log = log
        self._followers = {one.fileno(): one for one in followers}
        self._acked = dict.fromkeys(self._followers, 0)
        self._sent_to = dict.fromkeys(self._followers, 0)
        self._clients: dict[int, tuple[socket.socket, bytearray]] = {}
        self._recent: deque[tuple[int, bytes]] = deque()  # ends and bytes of what was appended
        self._waiting: deque[tuple[int, socket.socket, bytes]] = deque()
        self._end = self._synced = 0
        for descriptor in (clients.fileno(), *self._followers):
            self._poll.register(descriptor, select.EPOLLIN)

    def run(self) -> None:
        """Serve until a follower is gone."""
        while True:
            taken: list[bytes] = []
            for descriptor, _ in self._poll.poll():
                if descriptor in self._clients:
                    taken += self._commands(descriptor)
                elif descriptor in self._followers:
                    if not self._heard(descriptor):
                        return
                else:
                    client, _ = self._listening.accept()
                    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._clients[client.fileno()] = client, bytearray()
                    self._poll.register(client.fileno(), select.EPOLLIN)
            if taken:
                data = b"".join(taken)
                self._log.append(data)
                self._recent.append((self._end, data))
            self._tell()
            if taken:
                self._log.sync()
                self._synced = self._end
            self._answer()

    def _commands(self, descriptor: int) -> Iterator[bytes]:
        client, kept = self._clients[descriptor]
        data = b""
        with suppress(ConnectionError):
            data = client.recv(RECEIVE_BYTES)
        if not data:
            self._poll.unregister(descriptor)
            self._clients.pop(descriptor)[0].close()
            return
        kept += data
        while len(kept) >= _SIZE.size:
            end = _SIZE.size + _SIZE.unpack_from(kept)[0]
            if len(kept) < end:
                return
            self._end += 1
            self._waiting.append((self._end, client, answer_to(kept)))
            yield bytes(kept[:end])
            del kept[:end]

    def _heard(self, descriptor: int) -> bool:
        said = self._followers[descriptor].recv(_OFFSET.size)
        if said:
            self._acked[descriptor] = _OFFSET.unpack(said)[0]
        return bool(said)

    def _tell(self) -> None:
        for descriptor, follower in self._followers.items():
            sent_to = self._sent_to[descriptor]
            if sent_to == self._acked[descriptor] < self._end:
                news = b"".join(data for end, data in self._recent if end > sent_to)
                head = _SIZE.pack(_OFFSET.size + len(news)) + _OFFSET.pack(self._end)
                follower.sendall(head + news)
                self._sent_to[descriptor] = self._end
        least = min(self._sent_to.values())
        while self._recent and self._recent[0][0] <= least:
            self._recent.popleft()

    def _answer(self) -> None:
        durable = sorted((self._synced, *self._acked.values()), reverse=True)
        committed = durable[MAJORITY - 1]
        answers: dict[socket.socket, list[bytes]] = {}
        while self._waiting and self._waiting[0][0] <= committed:
            _, client, answer = self._waiting.popleft()
            answers.setdefault(client, []).append(answer)
        for client, sent_to in answers.items():
            if client.fileno() in self._clients:
                with suppress(ConnectionError):  # whose end comes next
                    client.sendall(b"".join(sent_to))


def connected(port: int) -> socket.socket:
    """A connection to the leader, which may be starting."""
    ends = time.monotonic() + PATIENCE_S
    while True:
        try:
            leader = socket.create_connection((LOOPBACK, port))
        except ConnectionRefusedError:
            if time.monotonic() > ends:
                raise
            time.sleep(POLL_S)
        else:
            leader.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return leader


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--clients", type=int, help="the leader's port for them")
    parser.add_argument("--followers", type=int, required=True, help="the leader's port for them")
    chosen = parser.parse_args(arguments)
    log = Log(chosen.log)
    if chosen.clients is None:
        follow(connected(chosen.followers), log)
        return 0
    with socket.create_server((LOOPBACK, chosen.followers)) as waits:
        followers = [waits.accept()[0] for _ in range(FOLLOWERS)]
    for one in followers:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    Leader(socket.create_server((LOOPBACK, chosen.clients), backlog=1_024), followers, log).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
