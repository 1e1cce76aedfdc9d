"""TCP connections put together again from their segments, and the frames that they carried.

By sequence numbers: what was sent twice counts once, what came in the wrong order waits for what
is missing. A hole that is never filled ends its direction with a word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.cli.capture_packets import Place, Segment
from metaquorum.wire.frames import SIZE_BYTES

MAX_WAITING_SEGMENTS = 4_096
_WRAP = 1 << 32


@frozen
class CapturedFrame:
    """One frame without its size, and when the packet that ended it was taken."""

    time_us: int
    data: bytes


@define
class Direction:
    """What one end of a connection sent."""

    source: Place
    destination: Place
    opened: bool = False
    data: bytearray = field(factory=bytearray)
    next_sequence: int | None = None
    _waiting: dict[int, Segment] = field(factory=dict)
    _ends: list[int] = field(factory=list)  # positions where packets ended, and when they came
    _times_us: list[int] = field(factory=list)

    def take(self, segment: Segment) -> None:
        """Add a segment, and those that waited for it."""
        if segment.opens:
            self.opened = True
            self.next_sequence = (segment.sequence + 1) % _WRAP
            return
        if not segment.data:
            return
        if self.next_sequence is None:  # the capture began later than the connection
            self.next_sequence = segment.sequence
        if len(self._waiting) >= MAX_WAITING_SEGMENTS:
            return  # the hole before them is there to stay
        self._waiting[segment.sequence] = _longer(segment, self._waiting.get(segment.sequence))
        while (ready := self._ready()) is not None:
            self._append(ready)

    def _ready(self) -> Segment | None:
        assert self.next_sequence is not None
        for sequence in list(self._waiting):
            ahead = (sequence - self.next_sequence) % _WRAP
            if ahead == 0 or ahead >= _WRAP // 2:
                return self._waiting.pop(sequence)
        return None

    def _append(self, segment: Segment) -> None:
        assert self.next_sequence is not None
        seen = (self.next_sequence - segment.sequence) % _WRAP
        fresh = segment.data[seen:]
        if not fresh:
            return
        self.data += fresh
        self.next_sequence = (self.next_sequence + len(fresh)) % _WRAP
        self._ends.append(len(self.data))
        self._times_us.append(segment.time_us)

    def frames(self) -> Iterator[CapturedFrame]:
        """The whole frames, up to a size that no frame has."""
        at = 0
        while len(self.data) - at >= SIZE_BYTES:
            size = int.from_bytes(self.data[at : at + SIZE_BYTES], "big", signed=True)
            end = at + SIZE_BYTES + size
            if not 0 <= size <= MAX_FRAME_BYTES or end > len(self.data):
                return
            packet = bisect_right(self._ends, end - 1)
            yield CapturedFrame(self._times_us[packet], bytes(self.data[at + SIZE_BYTES : end]))
            at = end

    def rest(self) -> str | None:
        """Why the frames end before the data does; None if they do not."""
        used = sum(SIZE_BYTES + len(one.data) for one in self.frames())
        missing = f", and {len(self._waiting)} packets behind a gap" if self._waiting else ""
        if used == len(self.data) and not missing:
            return None
        return f"{len(self.data) - used} bytes after the last whole frame{missing}"


@define
class Connection:
    """Both directions, the client's first."""

    client: Direction
    server: Direction

    def __str__(self) -> str:
        return f"{self.client.source} > {self.client.destination}"


def connections(segments: Iterable[Segment]) -> list[Connection]:
    """The connections in the order in which they were first seen.

    The client is who opened it; where that was not taken, who has the higher port.
    """
    found: list[Connection] = []
    open_ones: dict[tuple[Place, Place], Connection] = {}
    for segment in segments:
        key = (segment.source, segment.destination)
        one = open_ones.get(key)
        if one is None or (segment.opens and _is_new(one, segment)):
            one = _begun(segment)
            found.append(one)
            for side in (one.client, one.server):
                open_ones[side.source, side.destination] = one
        side = one.client if one.client.source == segment.source else one.server
        side.take(segment)
    return found


def _begun(segment: Segment) -> Connection:
    ends = (segment.source, segment.destination)
    is_server = segment.source.port < segment.destination.port
    if segment.accepts if segment.opens else is_server:
        ends = (segment.destination, segment.source)
    return Connection(Direction(*ends), Direction(ends[1], ends[0]))


def _is_new(one: Connection, segment: Segment) -> bool:
    """Whether this opens another connection between the same ports: data has been sent before."""
    side = one.client if one.client.source == segment.source else one.server
    return side.opened and len(side.data) > 0


def _longer(segment: Segment, other: Segment | None) -> Segment:
    return segment if other is None or len(other.data) < len(segment.data) else other
