"""Frames: an int32 size, big endian, then so many bytes (facts of the protocol guide).

A ``FrameReader`` takes whatever the socket gave and hands out all that is whole: for who reads
answers that it asked for. A ``FrameBuffer`` hands them out one at a time, when they are asked for:
for who reads requests of strangers, and wants no object for a frame whose turn has not come.
Neither keeps anything for a size that no frame may have.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_RESPONSE_BYTES
from metaquorum.wire.errors import EncodeError
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


class FrameBuffer:
    """What a peer has sent and nobody has taken yet; the next frame is found when it is wanted."""

    __slots__ = ("_at", "_data")

    def __init__(self) -> None:
        self._data: bytes | bytearray = b""
        self._at = 0

    def feed(self, data: bytes) -> None:
        """More bytes, behind those that are there."""
        if self._at == len(self._data):
            self._data, self._at = data, 0
            return
        if isinstance(self._data, bytes):
            self._data, self._at = bytearray(memoryview(self._data)[self._at :]), 0
        self._data += data

    @property
    def held_bytes(self) -> int:
        """How much is there that was not taken."""
        return len(self._data) - self._at

    @property
    def head(self) -> bytes:
        """Size and API key of the next request, as far as they have come."""
        return bytes(self._data[self._at : self._at + HEAD_BYTES])

    @property
    def size(self) -> int | None:
        """What the next frame says its size is, whatever that be; None before it is there."""
        if len(self._data) - self._at < SIZE_BYTES:
            return None
        return int(_SIZE.unpack_from(self._data, self._at)[0])

    def take(self, size: int) -> bytes:
        """The next frame without its size; it is there whole, and it is ``size`` long."""
        start = self._at + SIZE_BYTES
        self._at = start + size
        return bytes(memoryview(self._data)[start : self._at])

    def untake(self, size: int) -> None:
        """The frame that was taken last, of that size, was not: before anything else is done."""
        self._at -= SIZE_BYTES + size

    def compact(self) -> int:
        """Let go of what was taken; how many bytes are held from now on."""
        if self._at:
            self._data, self._at = self._data[self._at :], 0
        return len(self._data)

    def clear(self) -> None:
        """Forget everything."""
        self._data, self._at = b"", 0


def frame(parts: Parts) -> Parts:
    """``parts`` with their size in front; nothing is copied or read.

    EncodeError above MAX_RESPONSE_BYTES.
    """
    size = sum(map(len, parts))
    if size > MAX_RESPONSE_BYTES:
        raise too_large(size)
    return [_SIZE.pack(size), *parts]


def too_large(size_bytes: int) -> EncodeError:
    """Of a frame that clients would not take."""
    return EncodeError("frame", f"{size_bytes} bytes, the most is {MAX_RESPONSE_BYTES}")
