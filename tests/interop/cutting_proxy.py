"""A relay that hangs up in the middle of an answer to FetchSnapshot, and notes what was asked.

The server's advertised address must be the relay's. What was asked after the cut tells where the
asker goes on.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading

from attrs import define, field, frozen

from metaquorum.wire.generated import fetch_snapshot_request
from metaquorum.wire.headers import read_request_header
from tests.interop.asking_proxy import frames_of
from tools.kafka.ports import LOOPBACK

FETCH_SNAPSHOT = 59
RECEIVE_BYTES = 65_536
_HEAD = struct.Struct(">hhi")  # the API's key and version, the correlation id
_SIZE = struct.Struct(">i")


@frozen
class AskedPart:
    """One FetchSnapshot as it went by; ``connection`` counts from 0."""

    connection: int
    end_offset: int
    epoch: int
    leader_epoch: int
    position: int


@define(eq=False)
class CuttingProxy:
    """Listens on ``port``, relays to ``target_port``; the answer number ``cut_at`` is cut short."""

    port: int
    target_port: int
    cut_at: int
    asked: list[AskedPart] = field(factory=list, init=False)
    cuts: int = field(default=0, init=False)
    _answered: int = field(default=0, init=False)
    _listener: socket.socket | None = field(default=None, init=False)
    _open: list[socket.socket] = field(factory=list, init=False)

    def __enter__(self) -> CuttingProxy:
        self._listener = socket.create_server((LOOPBACK, self.port), backlog=64)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._listener is not None
        _hang_up(self._listener, *self._open)

    def _accept(self, listener: socket.socket) -> None:
        number = 0
        with contextlib.suppress(OSError):  # the listener was closed
            while True:
                client, _ = listener.accept()
                try:
                    server = socket.create_connection((LOOPBACK, self.target_port))
                except OSError:  # it is not up
                    client.close()
                    continue
                self._open += [client, server]
                parts: set[int] = set()
                for work in (self._asks, self._answers):
                    arguments = (number, client, server, parts)
                    threading.Thread(target=work, args=arguments, daemon=True).start()
                number += 1

    def _asks(
        self, number: int, client: socket.socket, server: socket.socket, parts: set[int]
    ) -> None:
        pending = bytearray()
        with contextlib.suppress(OSError):
            while piece := client.recv(RECEIVE_BYTES):
                for frame in frames_of(pending, piece):
                    key, version, correlation_id = _HEAD.unpack_from(frame)
                    if key == FETCH_SNAPSHOT:
                        parts.add(correlation_id)
                        self._note(number, frame, version)
                server.sendall(piece)
        _hang_up(client, server)

    def _note(self, number: int, frame: bytes, version: int) -> None:
        _, at = read_request_header(frame)
        (part,) = fetch_snapshot_request.decode(frame, version, at).topics[0].partitions
        wanted = part.snapshot_id
        self.asked.append(
            AskedPart(
                number, wanted.end_offset, wanted.epoch, part.current_leader_epoch, part.position
            )
        )

    def _answers(
        self, number: int, client: socket.socket, server: socket.socket, parts: set[int]
    ) -> None:
        pending = bytearray()
        with contextlib.suppress(OSError):
            while piece := server.recv(RECEIVE_BYTES):
                for frame in frames_of(pending, piece):
                    (correlation_id,) = _SIZE.unpack_from(frame)
                    if correlation_id in parts:
                        self._answered += 1
                        if self._answered == self.cut_at:
                            self.cuts += 1
                            client.sendall(_SIZE.pack(len(frame)) + frame[: len(frame) // 2])
                            _hang_up(client, server)
                            return
                    client.sendall(_SIZE.pack(len(frame)) + frame)
        _hang_up(client, server)


def _hang_up(*ends: socket.socket) -> None:
    for one in ends:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
