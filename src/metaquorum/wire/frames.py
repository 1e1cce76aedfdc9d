"""Frames: an int32 size, big endian, then so many bytes (facts of the protocol guide).

A reader takes whatever the socket gave and hands out whole frames; it never holds more than one
unfinished frame, and refuses a size before anything is kept for it.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.wire.slices import Parts

_SIZE: Final = Struct(">i")
SIZE_BYTES: Final = 4
HEAD_BYTES: Final = 6  # a request's size and its API key


class FrameError(PeerError):
    """A frame whose size is negative or above the limit: the connection cannot go on."""


class FrameReader:
    """Bytes in, frames out. ``limit_bytes`` is the largest frame, its size prefix not counted."""

    __slots__ = ("_held", "_wanted", "limit_bytes")

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self._held = bytearray()  # one buffer: a peer may send a frame in a million pieces
        self._wanted = SIZE_BYTES  # how much must be there before it is worth looking

    @property
    def pending_bytes(self) -> int:
        """How much of an unfinished frame is held, its size prefix included."""
        return len(self._held)

    @property
    def pending_head(self) -> bytes:
        """Size and API key of the unfinished request, as far as they have come."""
        return bytes(self._held[:HEAD_BYTES])

    def feed(self, data: bytes) -> list[memoryview]:
        """The frames that are whole now, in order, without their sizes.

        Raises FrameError at a size that no frame may have; the frames before it are lost, as
        the connection is.
        """
        if self._held:
            self._held += data
            if len(self._held) < self._wanted:
                return []
            data = bytes(self._held)
            self._held.clear()
        frames = []
        at = 0
        end = len(data)
        self._wanted = SIZE_BYTES
        while end - at >= SIZE_BYTES:
            (size,) = _SIZE.unpack_from(data, at)
            if size < 0 or size > self.limit_bytes:
                raise FrameError(f"a frame of {size} bytes; 0 to {self.limit_bytes} are allowed")
            after = at + SIZE_BYTES + size
            if after > end:
                self._wanted = SIZE_BYTES + size
                break
            frames.append(memoryview(data[at + SIZE_BYTES : after]))
            at = after
        self._held += data[at:]
        return frames


def frame(parts: Parts) -> Parts:
    """``parts`` with their size in front; nothing is copied or read."""
    return [_SIZE.pack(sum(map(len, parts))), *parts]
