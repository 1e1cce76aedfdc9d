"""A relay that hangs up in the middle of an answer to FetchSnapshot, and notes what was asked.

The server's advertised address must be the relay's. What was asked after the cut tells where the
asker goes on.
"""

from __future__ import annotations

import struct
from contextlib import ExitStack

from attrs import define, field, frozen

from metaquorum.testing.proxy import ProxyThread, Tap, whole_frames
from metaquorum.wire.generated import fetch_snapshot_request
from metaquorum.wire.headers import read_request_header

FETCH_SNAPSHOT = 59
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
    answered: int = field(default=0, init=False)
    _running: ExitStack = field(factory=ExitStack, init=False)

    def __enter__(self) -> CuttingProxy:
        proxy = ProxyThread(open_tap=lambda _, number: _Parts(self, number))
        self._running.enter_context(proxy.running()).open_listener("", self.port, self.target_port)
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()


@define(eq=False)
class _Parts(Tap):
    """The FetchSnapshot requests of one connection, and their answers."""

    proxy: CuttingProxy
    number: int
    _waiting: set[int] = field(factory=set)
    _asking: bytearray = field(factory=bytearray)
    _answering: bytearray = field(factory=bytearray)

    def there(self, piece: bytes) -> bytes:
        for frame in whole_frames(self._asking, piece):
            key, version, correlation_id = _HEAD.unpack_from(frame)
            if key == FETCH_SNAPSHOT:
                self._waiting.add(correlation_id)
                self._note(frame, version)
        return piece

    def back(self, piece: bytes) -> bytes:
        """Whole frames only, so that it is known what to cut before any of it has left."""
        passed = b""
        for frame in whole_frames(self._answering, piece):
            (correlation_id,) = _SIZE.unpack_from(frame)
            if correlation_id in self._waiting:
                self.proxy.answered += 1
                if self.proxy.answered == self.proxy.cut_at:
                    self.proxy.cuts += 1
                    self.is_cut = True
                    return passed + _SIZE.pack(len(frame)) + frame[: len(frame) // 2]
            passed += _SIZE.pack(len(frame)) + frame
        return passed

    def _note(self, frame: bytes, version: int) -> None:
        _, at = read_request_header(frame)
        (part,) = fetch_snapshot_request.decode(frame, version, at).topics[0].partitions
        wanted = part.snapshot_id
        self.proxy.asked.append(
            AskedPart(
                self.number,
                wanted.end_offset,
                wanted.epoch,
                part.current_leader_epoch,
                part.position,
            )
        )
