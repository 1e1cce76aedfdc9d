"""Quotas written at a fixed rate, whether or not those before are committed already: an open loop.

A writer that waits for each commit slows down with the server, and the slower the server is the
less it is asked to do. This one has more connections than it needs: a write is sent when it is due,
on one of those that wait for nothing, and late only while all of them wait.
"""

from __future__ import annotations

import select
import socket
import time
from collections import deque
from typing import Protocol

from metaquorum.wire.frames import frame
from metaquorum.wire.generated import alter_client_quotas_request as asked
from metaquorum.wire.generated import alter_client_quotas_response as given
from metaquorum.wire.generated import error_codes
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.slices import FileSlice, Parts
from tools.kafka.ports import LOOPBACK

ALTER_CLIENT_QUOTAS, VERSION = 49, 1
CONNECTIONS = 32
USERS = 50
RECEIVE_BYTES = 65_536


class Count(Protocol):
    """A number that another process reads."""

    value: int


def write_steadily(port: int, rate: int, for_s: float, done: Count) -> None:
    """``rate`` quotas a second; ``done`` counts those that were committed."""
    poll, idle = select.epoll(), deque[socket.socket]()
    peers: dict[int, tuple[socket.socket, bytearray]] = {}
    for _ in range(CONNECTIONS):
        peer = socket.create_connection((LOOPBACK, port))
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        poll.register(peer.fileno(), select.EPOLLIN)
        peers[peer.fileno()] = peer, bytearray()
        idle.append(peer)
    number, due = 0, time.monotonic()
    ends = due + for_s
    while (now := time.monotonic()) < ends:
        while idle and due <= now:
            idle.popleft().sendall(quota_frame(number))
            number += 1
            due += 1 / rate
        for descriptor, _ in poll.poll(max(0.0, due - now) if idle else ends - now):
            peer, received = peers[descriptor]
            received += peer.recv(RECEIVE_BYTES)
            size = int.from_bytes(received[:4], "big") + 4
            if len(received) >= size:
                check(bytes(received[4:size]))
                received.clear()
                idle.append(peer)
                done.value += 1


def quota_frame(number: int) -> bytes:
    """The request of one write."""
    operation = asked.OpData(key="producer_byte_rate", value=1_000.0 + number)
    entity = asked.EntityData(entity_type="user", entity_name=f"user-{number % USERS}")
    entry = asked.EntryData(entity=[entity], ops=[operation])
    parts: Parts = []
    put_request_header(parts, RequestHeader(ALTER_CLIENT_QUOTAS, VERSION, number, "writer"))
    asked.put(parts, asked.AlterClientQuotasRequest(entries=[entry]), VERSION)
    return b"".join(part for part in frame(parts) if not isinstance(part, FileSlice))


def check(answer: bytes) -> None:
    """ConnectionError if it says anything but that the write is committed."""
    _, at = read_response_header(answer, ALTER_CLIENT_QUOTAS, VERSION)
    for row in given.decode(answer, VERSION, at).entries:
        if row.error_code != error_codes.NONE:
            raise ConnectionError(f"a write was answered {error_codes.NAMES[row.error_code]}")
