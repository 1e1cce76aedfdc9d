"""A relay between the nodes of a quorum that writes down every frame that they send each other."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack

from attrs import define, field

from metaquorum.testing.proxy import ProxyThread, Tap, whole_frames
from tools.recorder.recording import REQUEST, RESPONSE, RecordingFile


@define(eq=False)
class Relay:
    """For each node a port at which the others reach it, and the port at which it listens.

    The nodes' advertised listeners must be those of the relay. A context manager, on loopback.
    Requests reach a node in the order in which they are written down.
    """

    file: RecordingFile
    listeners: Mapping[int, tuple[int, int]]
    _running: ExitStack = field(factory=ExitStack, init=False)

    def __enter__(self) -> Relay:
        proxy = self._running.enter_context(ProxyThread(open_tap=self._tap).running())
        for node, (port, target) in self.listeners.items():
            proxy.open_listener(str(node), port, target)
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def _tap(self, target: str, number: int) -> _Written:
        self.file.write("opened", connection=number, to=int(target))
        return _Written(self.file, number)


@define(eq=False)
class _Written(Tap):
    """Writes down the frames of one connection."""

    file: RecordingFile
    number: int
    _asked: bytearray = field(factory=bytearray)
    _answered: bytearray = field(factory=bytearray)

    def there(self, piece: bytes) -> bytes:
        self._write(REQUEST, self._asked, piece)
        return piece

    def back(self, piece: bytes) -> bytes:
        self._write(RESPONSE, self._answered, piece)
        return piece

    def closed(self) -> None:
        self.file.write("closed", connection=self.number)

    def _write(self, way: str, pending: bytearray, piece: bytes) -> None:
        for frame in whole_frames(pending, piece):
            self.file.write("frame", connection=self.number, way=way, frame=frame.hex())
