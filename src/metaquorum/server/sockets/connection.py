"""One client connection without any I/O: bytes in, requests out; answers in, bytes out.

Rules of this file: it knows frames, order, budgets and deadlines; it knows no socket, no task, no
clock and no Kafka message. A host (the task host, the tests) reads and writes for it.

One request at a time leaves through ``next_request``; the next one waits until ``reply`` was
called, so that answers leave in the order of the requests, which clients insist upon. Those that
are to be answered with it leave behind it, through ``next_together``. While a whole request waits
for its turn the host does not read: the socket's own buffer is the queue. Without one it reads,
even while a request is parked, because a hang-up takes that one back.

What it holds is charged to the byte budget: bytes that came and were not served, and requests that
are being served, at what they weigh decoded, until their answers have left.

What may happen next depends on ``state``, whose transitions are a table: ``connection_states``.
"""

from __future__ import annotations

from collections.abc import Callable

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import (
    DECODED_WEIGHT,
    LARGE_REQUEST_BYTES,
    MEDIUM_REQUEST_BYTES,
    SMALL_REQUEST_BYTES,
    STALLED_FRAME_MS,
)
from metaquorum.server.access.foreign import foreign_protocol
from metaquorum.server.sockets.budget import Budget
from metaquorum.server.sockets.connection_limits import (
    NO_SOCKET,
    ConnectionLimits,
    Gate,
    SocketSide,
)
from metaquorum.server.sockets.connection_states import (
    AFTER_ANSWER,
    AFTER_BEGIN,
    AFTER_BLOCK,
    AFTER_CLOSE,
    AFTER_PAUSE,
    AFTER_PUT_BACK,
    AFTER_RESUME,
    AFTER_SENT,
    CLOSED,
    IDLE,
    PAUSED,
    SERVING,
    IllegalEvent,
)
from metaquorum.wire.frames import HEAD_BYTES, SIZE_BYTES, FrameBuffer
from metaquorum.wire.primitives import Parts

_SHORTEST_REQUEST_BYTES = 8  # api key, version, correlation id
_PRODUCE = b"\x00\x00"  # its API key; no other request carries data of any size


class Connection:
    """The state of one connection between its bytes and its requests."""

    __slots__ = (
        "_blocked_since",
        "_budget",
        "_charged_bytes",
        "_frames",
        "_gate",
        "_is_stuck",
        "_last_active",
        "_limits",
        "_out",
        "_out_units",
        "_partial_since",
        "_serving",
        "_serving_units",
        "_small_bytes",
        "host",
        "state",
    )

    def __init__(
        self,
        limits: ConnectionLimits,
        budget: Budget,
        now: Millis,
        gate: Gate | None = None,
    ) -> None:
        self._limits = limits
        self._gate = gate
        self._small_bytes = min(SMALL_REQUEST_BYTES, limits.frame_bytes)
        self._budget = budget
        self._frames = FrameBuffer()
        self._charged_bytes = 0  # of what the buffer holds
        self._serving: int | None = None
        self._serving_units = 0
        self._out: Parts = []
        self._out_units = 0
        self._last_active = now
        self._partial_since = NEVER
        self._blocked_since = NEVER
        self._is_stuck = False
        self.host: SocketSide = NO_SOCKET
        self.state: str = IDLE

    # ---- in

    def bytes_received(self, data: bytes, now: Millis) -> None:
        """Take what the peer sent; PeerError when its next frame cannot be a request."""
        self._last_active = now
        began = self._frames.held_bytes == 0
        self._frames.feed(data)
        if self._whole_request() is not None:
            self._partial_since = NEVER
        elif began or self._partial_since == NEVER:
            self._partial_since = now

    def small_request(self, data: bytes, now: Millis) -> bytes | None:
        """``data`` without its size, if it is one small request; of a connection at rest.

        It is being served from then on. None leaves everything as it was.
        """
        size = len(data) - SIZE_BYTES
        if (
            not _SHORTEST_REQUEST_BYTES <= size <= self._small_bytes
            or int.from_bytes(data[:SIZE_BYTES], "big") != size
        ):
            return None
        self.state = AFTER_BEGIN[self.state]
        self._last_active = now
        self._serving = int.from_bytes(data[8:12], "big", signed=True)
        return data[SIZE_BYTES:]

    def begin(self, correlation: int, now: Millis) -> None:
        """A connection at rest is serving that request from now on, a small one."""
        self.state = AFTER_BEGIN[self.state]
        self._last_active = now
        self._serving = correlation

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing was begun, and whatever comes next may be served."""
        return (
            self.state is IDLE
            and not self._charged_bytes
            and not self._out
            and not self._frames.held_bytes
        )

    def only_serves(self, correlation: int) -> bool:
        """Whether that request, a small one, is all there is: its answer may leave at once."""
        return (
            self.state is SERVING
            and self._serving == correlation
            and not self._charged_bytes
            and not self._serving_units
            and not self._out
            and not self._out_units
            and not self._frames.held_bytes
        )

    def put_back(self, frame: bytes) -> None:
        """That small request is not to be served now: it waits for its turn as others do."""
        self.state = AFTER_PUT_BACK[self.state]
        self._serving = None
        self._frames.feed(len(frame).to_bytes(SIZE_BYTES, "big") + frame)

    def next_request(self) -> tuple[int, bytes] | None:
        """The next request's correlation id and frame, or None while none may be served.

        None as long as the last one is unanswered, while the peer does not read its answers, and
        for a large one while the budget is spent.
        PeerError when what comes next cannot be a request.
        """
        if self.state is not IDLE:
            return None
        size = self._whole_request()
        if size is None:
            return None
        if size > LARGE_REQUEST_BYTES and not self._may_begin(size):
            return None
        frame = self._frames.take(size)
        if size > SMALL_REQUEST_BYTES:
            self._serving_units = size * (1 if frame[:2] == _PRODUCE else DECODED_WEIGHT)
            self._budget.take(self._serving_units)
        self.state = AFTER_BEGIN[self.state]
        self._serving = int.from_bytes(frame[4:8], "big", signed=True)
        return self._serving, frame

    def next_together(self, api_key: int) -> bytes | None:
        """The next request if it is a small one of that API, to be served beside the one that is
        being served, and answered with it; None if it has to wait for its turn.
        """
        size = self.next_size_bytes
        if (
            not _SHORTEST_REQUEST_BYTES <= size <= self._small_bytes
            or not self.has_frame
            or self.next_api_key != api_key
            or self._budget.is_spent
        ):
            return None
        units = size * DECODED_WEIGHT
        self._budget.take(units)
        self._serving_units += units
        return self._frames.take(size)

    def not_together(self, frame: bytes) -> None:
        """That request, the last that was taken so, is to have its turn after all."""
        units = len(frame) * DECODED_WEIGHT
        self._serving_units -= units
        self._budget.give(self, units)
        self._frames.untake(len(frame))

    def settle(self, now: Millis) -> None:
        """The turn is over: charge what stays in the buffer, and time what is unfinished."""
        held = self._frames.compact()
        if held > self._charged_bytes:
            self._budget.take(held - self._charged_bytes)
        elif held < self._charged_bytes:
            self._budget.give(self, self._charged_bytes - held)
        self._charged_bytes = held
        if held and not self.has_frame:
            if self._partial_since == NEVER:
                self._partial_since = now
        else:
            self._partial_since = NEVER
        if held or self._is_stuck:
            self._settle_stuck(held, now)

    def _settle_stuck(self, held: int, now: Millis) -> None:
        """Say whether more has to come before anything can be served, and make room for that."""
        stuck = held > 0 and (not self.has_frame or self._serving is not None)
        if stuck:
            self._budget.stuck(self, self._last_active)
        elif self._is_stuck:
            self._budget.not_stuck(self)
        self._is_stuck = stuck
        if stuck and held <= MEDIUM_REQUEST_BYTES and self._budget.is_spent:
            self._budget.make_room(self, now, STALLED_FRAME_MS)

    def _whole_request(self) -> int | None:
        """The size of the next request if all of it is there; PeerError if it cannot be one."""
        held = self._frames.held_bytes
        if held < SIZE_BYTES:
            return None
        head = self._frames.head
        size = int.from_bytes(head[:SIZE_BYTES], "big", signed=True)
        self._check_size(size, head)
        return size if held - SIZE_BYTES >= size else None

    def _check_size(self, size: int, head: bytes) -> None:
        """Small rows decode to many times their bytes, so only Produce may be really large."""
        gate = self._gate
        if gate is not None and not gate.is_authenticated and size > gate.frame_bytes:
            most = gate.frame_bytes
            raise PeerError(f"a frame of {size} bytes before it had authenticated, {most} allowed")
        if _SHORTEST_REQUEST_BYTES <= size <= self._limits.frame_bytes:
            return
        if gate is not None and size >= 0 and gate.takes_token:
            return  # as short as one likes, and not too long for a frame before the proof
        most = self._limits.produce_frame_bytes
        if size < 0 or size > most:
            other = foreign_protocol(head)
            if other is not None:
                raise PeerError(f"speaks {other}, and this listener does not")
            raise PeerError(f"a frame of {size} bytes; 0 to {most} are allowed")
        if size < _SHORTEST_REQUEST_BYTES:
            raise PeerError(f"a request of {size} bytes; its header alone has 8")
        key = head[SIZE_BYTES:]
        if len(head) == HEAD_BYTES and key != _PRODUCE:
            number = int.from_bytes(key, "big", signed=True)
            limit = self._limits.frame_bytes
            raise PeerError(f"a request of {size} bytes with api key {number}; {limit} are allowed")

    @property
    def has_frame(self) -> bool:
        """Whether a whole frame waits, or the head of one that cannot be."""
        size = self._frames.size
        return size is not None and (size < 0 or self._frames.held_bytes - SIZE_BYTES >= size)

    @property
    def has_request(self) -> bool:
        """Whether ``next_request`` has one to give, or a fault to find."""
        if self.state is not IDLE or not self.has_frame:
            return False
        size = self.next_size_bytes
        return size <= LARGE_REQUEST_BYTES or self._may_begin(size)

    def _may_begin(self, size: int) -> bool:
        """Whether a large request may be served now: one that only asks, and not for much, always.

        It is alone while it is served, and keeps what there is room for if it waits (``parked``).
        """
        if size <= MEDIUM_REQUEST_BYTES and self.next_api_key not in self._limits.commands:
            return True
        return self._budget.may_go_on(self)

    @property
    def next_size_bytes(self) -> int:
        """How large the next request is, if its size is there already; else 0."""
        return self._frames.size or 0

    @property
    def next_api_key(self) -> int:
        """The API key of the next request, if it is there already; else -1."""
        head = self._frames.head
        return int.from_bytes(head[SIZE_BYTES:], "big") if len(head) == HEAD_BYTES else -1

    @property
    def wants_bytes(self) -> bool:
        """Whether the host should read; False holds the peer back through TCP."""
        if self.has_frame:
            return False
        if self._charged_bytes == 0 or self.rest_has_come():
            return True
        if self.next_size_bytes <= MEDIUM_REQUEST_BYTES and self._budget.is_spent:
            return False  # it is read whole, and only one at a time may overdraw: a larger one
        return self._budget.may_go_on(self)

    def rest_has_come(self) -> bool:
        """Whether there is no room, but the socket has the rest of a request that is not large."""
        missing = self.missing_bytes if self._budget.is_spent else 0
        return 0 < missing <= self.host.unread_bytes()

    @property
    def missing_bytes(self) -> int:
        """What has yet to be read of a request that is not large, or to know its size; else 0."""
        size = self.next_size_bytes
        if self.state is not IDLE or not 0 <= size <= MEDIUM_REQUEST_BYTES:
            return 0
        return max(0, SIZE_BYTES + size - self._frames.held_bytes)

    def when_budget_allows(self, resume: Callable[[], None]) -> bool:
        """Call ``resume`` once what it held back may be read or served; whether it waits for it."""
        waits = self.state in (IDLE, PAUSED) and self._charged_bytes > 0 and self._budget.is_spent
        if waits:
            self._budget.wait(self, resume)
        return waits

    def reading_resumed(self, now: Millis) -> None:
        """The host reads again after it held the peer back; that time was not the peer's."""
        if self._partial_since != NEVER:
            self._partial_since = now

    @property
    def budget_is_spent(self) -> bool:
        """Whether those that it is charged with hold all that they may."""
        return self._budget.is_spent

    def parked(self, kept_bytes: int | None) -> None:
        """The request being served waits for its answer, and keeps so much; None: all of it.

        PeerError if there is no room for that.
        """
        units = self._serving_units
        if kept_bytes is not None and kept_bytes < units:
            self._serving_units = kept_bytes
            self._budget.give(self, units - kept_bytes)
        if not self._budget.may_stay(self, self._serving_units):
            raise PeerError(
                f"asked for what it has to wait for while requests held all "
                f"{self._budget.limit_bytes} bytes that they may"
            )

    def charge_to(self, budget: Budget) -> None:
        """From now on it is charged to that budget, with all that it holds."""
        held = self._charged_bytes + self._serving_units + self._out_units
        before, self._budget = self._budget, budget
        before.leave(self)
        budget.take(held)
        if self._is_stuck:
            budget.stuck(self, self._last_active)
        if held:
            before.give(self, held)

    def make_way(self, why: str) -> bool:
        """Close it, for others; False if it is about to be read from, or the rest has come."""
        is_due = not self.host.is_held_back() and self.host.unread_bytes() > 0
        if is_due or self.rest_has_come():
            return False
        self.host.close(why)
        return True

    # ---- out

    def reply(self, correlation: int, parts: Parts) -> None:
        """The answer to the request being served; no parts mean that it has none."""
        if self._serving != correlation:
            raise IllegalEvent(
                f"an answer to request {correlation} while {self._serving} is being served"
            )
        self.state = AFTER_ANSWER[self.state]
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

    def answered_at_rest(self, now: Millis) -> None:
        """The small request being served was answered, and the answer has left."""
        self.state = AFTER_ANSWER[self.state]
        self._last_active = now
        self._serving = None

    def all_sent(self, now: Millis) -> None:
        """The host has sent everything that it was handed."""
        self.state = AFTER_SENT[self.state]
        self._last_active = now
        self._blocked_since = NEVER
        self._give_sent_units()

    def send_blocked(self, now: Millis, *, progress: bool) -> None:
        """The peer does not read; ``progress`` says whether it took anything since last time."""
        self.state = AFTER_BLOCK[self.state]
        if progress or self._blocked_since == NEVER:
            self._blocked_since = now

    # ---- time and end

    def pause(self) -> None:
        """Serve nothing from now on: the client has taken more than its quota."""
        self.state = AFTER_PAUSE[self.state]

    def go_on(self, now: Millis) -> None:
        """The pause is over."""
        self.state = AFTER_RESUME[self.state]
        self._last_active = now

    @property
    def last_active(self) -> Millis:
        """When its peer last sent or took something."""
        return self._last_active

    @property
    def serving(self) -> int:
        """The correlation id of the request that is with its handler; there has to be one."""
        assert self._serving is not None
        return self._serving

    @property
    def is_serving(self) -> bool:
        """Whether a request is with its handler."""
        return self._serving is not None

    @property
    def deadline(self) -> Millis:
        """When the connection grows impatient with its peer and is to be closed."""
        if self._gate is not None:
            return min(self._gate.deadline, self._patience_ends)
        return self._patience_ends

    @property
    def _patience_ends(self) -> Millis:
        if self._blocked_since != NEVER:
            return self._blocked_since + self._limits.slow_reader_ms
        if self._partial_since != NEVER:
            if self._budget.is_spent:
                return self._partial_since + self._limits.pressed_frame_arrival_ms
            return self._partial_since + self._limits.frame_arrival_ms
        if self._serving is not None or self._frames.held_bytes:
            return NEVER
        return self._last_active + self._limits.idle_ms

    @property
    def complaint(self) -> str:
        """Why the deadline would close it, for the event line."""
        limits, gate = self._limits, self._gate
        if gate is not None and gate.deadline <= self._patience_ends:
            return gate.complaint
        if self._blocked_since != NEVER:
            return f"took no answer for {limits.slow_reader_ms} ms"
        if self._partial_since == NEVER:
            return f"was idle for {limits.idle_ms} ms"
        return limits.unfinished(self._budget.limit_bytes if self._budget.is_spent else None)

    def close(self) -> None:
        """Forget everything and give all units back; further calls change nothing."""
        if self.state is CLOSED:
            return
        self.state, self.host, self._out = AFTER_CLOSE[self.state], NO_SOCKET, []
        held = self._charged_bytes + self._serving_units + self._out_units
        self._frames.clear()
        self._charged_bytes = self._serving_units = self._out_units = 0
        self._budget.leave(self)
        if held:
            self._budget.give(self, held)

    def _give_sent_units(self) -> None:
        units, self._out_units = self._out_units, 0
        if units:
            self._budget.give(self, units)
