"""One client connection without any I/O: bytes in, requests out; answers in, bytes out.

Rules of this file: it knows frames, order, budgets and deadlines; it knows no socket, no task, no
clock and no Kafka message. A host (the task host, the tests) reads and writes for it.

One request at a time leaves through ``next_request``; the next one waits until ``reply`` was
called, so that answers leave in the order of the requests, which clients insist upon. What a
client pipelines beyond that is kept up to a limit, and then the host stops reading: the socket's
own buffer is the queue.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from attrs import frozen

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import HouseError, PeerError
from metaquorum.base.limits import (
    CONNECTION_IDLE_MS,
    FRAME_ARRIVAL_MS,
    MAX_PRODUCE_FRAME_BYTES,
    MAX_READ_AHEAD_BYTES,
    MAX_REQUEST_FRAME_BYTES,
    READ_AHEAD_OVERHEAD_BYTES,
    READ_CHUNK_BYTES,
    SLOW_READER_MS,
)
from metaquorum.server.budget import ByteBudget
from metaquorum.wire.frames import HEAD_BYTES, SIZE_BYTES, FrameError, FrameReader
from metaquorum.wire.primitives import Parts, whole

_SHORTEST_REQUEST_BYTES = 8  # api key, version, correlation id
_PRODUCE = b"\x00\x00"  # its API key; no other request carries data of any size
_TLS_HANDSHAKE = b"\x16\x03"  # read as a size, it is one of more than 360 MB


@frozen
class ConnectionLimits:
    """What one connection may cost."""

    frame_bytes: int = MAX_REQUEST_FRAME_BYTES
    produce_frame_bytes: int = MAX_PRODUCE_FRAME_BYTES
    read_ahead_bytes: int = MAX_READ_AHEAD_BYTES
    idle_ms: Millis = CONNECTION_IDLE_MS
    frame_arrival_ms: Millis = FRAME_ARRIVAL_MS
    slow_reader_ms: Millis = SLOW_READER_MS


class Connection:
    """The state of one connection between its bytes and its requests."""

    __slots__ = (
        "_blocked_since",
        "_budget",
        "_frame_units",
        "_frames",
        "_last_active",
        "_limits",
        "_out",
        "_out_units",
        "_partial_since",
        "_queue",
        "_queued_bytes",
        "_serving",
        "_serving_units",
        "closed",
    )

    def __init__(self, limits: ConnectionLimits, budget: ByteBudget, now: Millis) -> None:
        self._limits = limits
        self._budget = budget
        self._frames = FrameReader(limits.produce_frame_bytes)
        self._queue: deque[tuple[bytes, int]] = deque()  # a view takes 300 bytes more
        self._queued_bytes = 0
        self._frame_units = 0
        self._serving: int | None = None
        self._serving_units = 0
        self._out: Parts = []
        self._out_units = 0
        self._last_active = now
        self._partial_since = NEVER
        self._blocked_since = NEVER
        self.closed = False

    # ---- in

    def bytes_received(self, data: bytes, now: Millis) -> None:
        """Take what the peer sent; PeerError when its frames are no frames."""
        self._last_active = now
        try:
            frames = self._frames.feed(data)
        except FrameError:
            if data.startswith(_TLS_HANDSHAKE):
                raise PeerError("speaks TLS, and this listener does not") from None
            raise
        for frame in frames:
            if len(frame) < _SHORTEST_REQUEST_BYTES:
                raise PeerError(f"a request of {len(frame)} bytes; its header alone has 8")
            self._check_size(len(frame), frame[:2])
            self._queue.append((whole(frame), self._frame_units))
            self._queued_bytes += len(frame) + READ_AHEAD_OVERHEAD_BYTES
            self._frame_units = 0
        pending = self._frames.pending_bytes
        if not pending:
            self._partial_since = NEVER
            return
        head = self._frames.pending_head
        if len(head) == HEAD_BYTES:
            self._check_size(int.from_bytes(head[:SIZE_BYTES], "big"), head[SIZE_BYTES:])
        if frames or self._partial_since == NEVER:
            self._partial_since = now
        if pending > READ_CHUNK_BYTES:
            self._budget.take(pending - self._frame_units)
            self._frame_units = pending

    def _check_size(self, size: int, key: bytes | memoryview) -> None:
        """Small rows decode to many times their bytes, so only Produce may be really large."""
        limit = self._limits.frame_bytes
        if size > limit and key != _PRODUCE:
            number = int.from_bytes(key, "big", signed=True)
            raise PeerError(f"a request of {size} bytes with api key {number}; {limit} are allowed")

    def next_request(self) -> tuple[int, memoryview] | None:
        """The next request's correlation id and frame, or None while none may be served.

        None as long as the last one is unanswered, and while the peer does not read its answers.
        """
        if not self.has_request:
            return None
        frame, self._serving_units = self._queue.popleft()
        self._queued_bytes -= len(frame) + READ_AHEAD_OVERHEAD_BYTES
        self._serving = int.from_bytes(frame[4:8], "big", signed=True)
        return self._serving, memoryview(frame)

    @property
    def has_request(self) -> bool:
        """Whether ``next_request`` has one to give."""
        return bool(self._queue) and self._serving is None and self._blocked_since == NEVER

    @property
    def wants_bytes(self) -> bool:
        """Whether the host should read; False holds the peer back through TCP."""
        if self._queued_bytes >= self._limits.read_ahead_bytes:
            return False
        return self._frame_units == 0 or self._budget.may_read(self)

    def when_budget_allows(self, resume: Callable[[], None]) -> None:
        """Call ``resume`` once ``wants_bytes`` may have become true through the budget."""
        if self._frame_units:
            self._budget.wait(self, resume)

    def reading_resumed(self, now: Millis) -> None:
        """The host reads again after it held the peer back; that time was not the peer's."""
        if self._partial_since != NEVER:
            self._partial_since = now

    # ---- out

    def reply(self, correlation: int, parts: Parts) -> None:
        """The answer to the request being served; no parts mean that it has none."""
        if self._serving != correlation:
            raise HouseError(
                f"an answer to request {correlation} while {self._serving} is being served"
            )
        self._serving = None
        self._out_units += self._serving_units
        self._serving_units = 0
        self._out += parts
        if not self._out:
            self._give_sent_units()

    def bytes_to_send(self) -> Parts:
        """What is ready to leave, in order, handed over once."""
        ready, self._out = self._out, []
        return ready

    def all_sent(self, now: Millis) -> None:
        """The host has sent everything that it was handed."""
        self._last_active = now
        self._blocked_since = NEVER
        self._give_sent_units()

    def send_blocked(self, now: Millis, *, progress: bool) -> None:
        """The peer does not read; ``progress`` says whether it took anything since last time."""
        if progress or self._blocked_since == NEVER:
            self._blocked_since = now

    # ---- time and end

    @property
    def is_serving(self) -> bool:
        """Whether a request is with its handler."""
        return self._serving is not None

    @property
    def deadline(self) -> Millis:
        """When the connection grows impatient with its peer and is to be closed."""
        if self._blocked_since != NEVER:
            return self._blocked_since + self._limits.slow_reader_ms
        if self._partial_since != NEVER and self.wants_bytes:
            return self._partial_since + self._limits.frame_arrival_ms
        if self._serving is not None or self._queue or self._partial_since != NEVER:
            return NEVER
        return self._last_active + self._limits.idle_ms

    @property
    def complaint(self) -> str:
        """Why the deadline would close it, for the event line."""
        if self._blocked_since != NEVER:
            return f"took no answer for {self._limits.slow_reader_ms} ms"
        if self._partial_since != NEVER:
            return f"left a request unfinished for {self._limits.frame_arrival_ms} ms"
        return f"was idle for {self._limits.idle_ms} ms"

    def close(self) -> None:
        """Forget everything and give all units back; further calls change nothing."""
        if self.closed:
            return
        self.closed = True
        self._out = []
        held = self._frame_units + self._serving_units + self._out_units
        held += sum(units for _, units in self._queue)
        self._queue.clear()
        self._queued_bytes = self._frame_units = self._serving_units = self._out_units = 0
        self._budget.leave(self)
        if held:
            self._budget.give(self, held)

    def _give_sent_units(self) -> None:
        units, self._out_units = self._out_units, 0
        if units:
            self._budget.give(self, units)
