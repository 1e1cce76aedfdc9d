"""Relays before the nodes of a quorum, which write down every frame that goes by."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterator, Mapping

from attrs import define, field

from tools.kafka.ports import LOOPBACK
from tools.recorder.recording import REQUEST, RESPONSE, RecordingFile

RECEIVE_BYTES = 65_536
_SIZE_BYTES = 4


@define(eq=False)
class Relay:
    """For each node a port at which the others reach it, and the port at which it listens.

    The nodes' advertised listeners must be those of the relay. A context manager, on loopback.
    Requests reach a node in the order in which they are written down.
    """

    file: RecordingFile
    doors: Mapping[int, tuple[int, int]]
    _numbers: Iterator[int] = field(factory=itertools.count, init=False)
    _order: dict[int, threading.Lock] = field(factory=dict, init=False)
    _open: list[socket.socket] = field(factory=list, init=False)

    def __enter__(self) -> Relay:
        for node, (port, target) in self.doors.items():
            listener = socket.create_server((LOOPBACK, port), backlog=64)
            self._open.append(listener)
            self._order[node] = threading.Lock()
            _start(self._accept, listener, node, target)
        return self

    def __exit__(self, *_: object) -> None:
        _hang_up(*self._open)

    def _accept(self, listener: socket.socket, node: int, target: int) -> None:
        with contextlib.suppress(OSError):  # the listener was closed
            while True:
                client, _ = listener.accept()
                try:
                    server = socket.create_connection((LOOPBACK, target))
                except OSError:  # it is not up
                    client.close()
                    continue
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open += [client, server]
                number = next(self._numbers)
                self.file.write("opened", connection=number, to=node)
                _start(self._carry, number, client, server, REQUEST, self._order[node])
                _start(self._carry, number, server, client, RESPONSE, threading.Lock())

    def _carry(
        self,
        number: int,
        source: socket.socket,
        target: socket.socket,
        way: str,
        order: threading.Lock,
    ) -> None:
        pending = bytearray()
        with contextlib.suppress(OSError):
            while piece := source.recv(RECEIVE_BYTES):
                with order:
                    pending += piece
                    for frame in whole_frames(pending):
                        self.file.write("frame", connection=number, way=way, frame=frame.hex())
                    target.sendall(piece)
        if way == REQUEST:
            self.file.write("closed", connection=number)
        _hang_up(source, target)


def whole_frames(pending: bytearray) -> Iterator[bytes]:
    """Take the frames that are whole now, without their sizes."""
    while len(pending) >= _SIZE_BYTES:
        ends = _SIZE_BYTES + int.from_bytes(pending[:_SIZE_BYTES], "big")
        if len(pending) < ends:
            return
        frame = bytes(pending[_SIZE_BYTES:ends])
        del pending[:ends]
        yield frame


def _start(work: object, *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()  # type: ignore[arg-type]


def _hang_up(*ends: socket.socket) -> None:
    for one in ends:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
