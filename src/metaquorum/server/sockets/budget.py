"""Bytes that requests may hold in memory at once: of all connections, and of each who sends them.

Charged is what stays behind when a connection's turn is over (half a frame, requests whose turn
has not come), and every request of more than a kilobyte while it is being served. A request that
comes whole and is answered at once costs one comparison. Charging is by bytes that really came,
never by a size that a peer merely announced: a lie costs it nothing to tell and must cost us
nothing to read.

When a budget is spent, connections that hold something stop reading, large requests are not
begun, and TCP holds their peers back; one that is large may go on all the same, so that the budget
can be overdrawn by one request but never locks up. A connection that holds nothing reads on, in
small pieces: the usual small request is served as ever. So is one that is not large, once all of it
is in the socket. And who has left a request unfinished for long makes way: its connection is
closed, the oldest first. See docs/decisions/196.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Protocol

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import (
    CLOSES_FOR_ROOM,
    CLOSES_PER_TURN,
    LOOKS_AT_SOCKETS,
    LOOKS_FOR_ROOM,
    MAX_REQUEST_BYTES_IN_FLIGHT,
    RESUMES_AT_ONCE,
    STALLED_LARGE_FRAME_MS,
)

Resume = Callable[[], None]


class Reader(Protocol):
    """Who is charged: a connection."""

    def make_way(self, why: str) -> bool:
        """Close it, for others; False if what it sent was not read yet, so that it may stay."""

    def rest_has_come(self) -> bool:
        """Whether the rest of its request is in the socket, so that it may be served at once."""

    @property
    def missing_bytes(self) -> int:
        """What has yet to be read of a request that is not large; else 0."""


class Budget(Protocol):
    """What a connection asks of its budget, or of all that it is charged to at once."""

    @property
    def is_spent(self) -> bool: ...

    @property
    def limit_bytes(self) -> int: ...

    def take(self, count: int) -> None: ...

    def give(self, reader: Reader, count: int) -> None: ...

    def may_go_on(self, reader: Reader) -> bool: ...

    def may_stay(self, reader: Reader, count: int) -> bool: ...

    def wait(self, reader: Reader, resume: Resume) -> None: ...

    def leave(self, reader: Reader) -> None: ...

    def stuck(self, reader: Reader, since: Millis) -> None: ...

    def not_stuck(self, reader: Reader) -> None: ...

    def make_room(self, reader: Reader, now: Millis, least_ms: Millis) -> None: ...


@define(eq=False)
class ByteBudget:
    """Units that ride with a request: taken as its bytes come, given when its answer has left."""

    limit_bytes: int = MAX_REQUEST_BYTES_IN_FLIGHT
    taken_bytes: int = 0
    of_whom: str = "requests"
    _waiting: dict[Reader, Resume] = field(factory=dict)
    _stuck: dict[Reader, Millis] = field(factory=dict)
    _overdrawing: Reader | None = None
    _due: int = 0
    _looked_at: int = 0
    _is_resuming: bool = False
    _is_clearing: bool = False

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left, so that a connection that holds something has to wait."""
        return self.taken_bytes >= self.limit_bytes

    def take(self, count: int) -> None:
        """Charge bytes that have arrived; never refuses, ``may_go_on`` holds back the next ones."""
        self.taken_bytes += count

    def give(self, reader: Reader, count: int) -> None:
        """Give units back and let those read on that waited for them."""
        self.taken_bytes -= count
        if self.taken_bytes < 0:
            raise InvariantViolated(
                f"{count} bytes were given back to the budget that nobody had taken"
            )
        if reader is self._overdrawing:
            self._overdrawing = None
        if self.taken_bytes < self.limit_bytes:
            self._overdrawing = None
            self._resume(RESUMES_AT_ONCE)
        elif self._overdrawing is None:
            self._resume(1)

    def may_go_on(self, reader: Reader) -> bool:
        """Whether ``reader`` may read more of its frame, or have a large one served, now."""
        if self.taken_bytes < self.limit_bytes:
            if self._waiting:  # who goes on takes the next one along, as long as there is room
                self._waiting.pop(reader, None)
                self._resume(1)
            return True
        if self._overdrawing is None:
            self._overdrawing = reader
        return self._overdrawing is reader

    def may_stay(self, reader: Reader, count: int) -> bool:
        """Whether ``reader`` may keep these units for as long as its request waits for an answer.

        It was begun without ``may_go_on``.
        """
        return self.taken_bytes - count < self.limit_bytes or self._overdrawing is reader

    def does_not_go_on(self, reader: Reader) -> None:
        """``reader`` may not go on for another reason: another that waits may overdraw."""
        if reader is self._overdrawing:
            self._overdrawing = None
            self._resume(1)

    def wait(self, reader: Reader, resume: Resume) -> None:
        """``resume`` is called once ``may_go_on`` is worth another question."""
        self._waiting[reader] = resume

    def leave(self, reader: Reader) -> None:
        """``reader`` has gone and waits no more."""
        self._waiting.pop(reader, None)
        self._stuck.pop(reader, None)
        if reader is self._overdrawing:
            self._overdrawing = None
            self._resume(1)

    def _resume(self, most: int) -> None:
        """Call so many that wait, the oldest first: a thousand at once would hold up the loop.

        One that is called may ask for the next one. That is called here, too, after it and not
        from within: the calls would be as deep as there are connections. None is called twice.
        """
        if self._is_clearing:
            return
        self._due += most
        if self._is_resuming:
            return
        self._is_resuming, left = True, len(self._waiting)
        try:
            while self._waiting and self._due and left:
                self._due -= 1
                left -= 1
                first = next(iter(self._waiting))
                self._waiting.pop(first)()
        finally:
            self._is_resuming, self._due = False, 0

    def resume_whole(self) -> bool:
        """Let those read on whose requests have come whole meanwhile; whether anybody still waits.

        Some of those that wait are looked at, and the next ones in the next call.
        """
        first, after = self._looked_at, self._looked_at + LOOKS_AT_SOCKETS
        for reader in list(islice(self._waiting, first, after)):
            if reader in self._waiting and reader.rest_has_come():
                self._waiting.pop(reader)()
        self._looked_at = after if after < len(self._waiting) else 0
        return bool(self._waiting)

    # --- who makes way

    def stuck(self, reader: Reader, since: Millis) -> None:
        """``reader`` holds bytes that nobody can serve before more come; the last came then."""
        if self._stuck.get(reader) != since:
            self._stuck.pop(reader, None)  # those that get on stand behind those that do not
            self._stuck[reader] = since

    def not_stuck(self, reader: Reader) -> None:
        """What it holds is whole now, or nothing."""
        self._stuck.pop(reader, None)

    def make_room(self, reader: Reader | None, now: Millis, least_ms: Millis) -> None:
        """Close those that have been stuck for longest, and ``least_ms`` at least, for another."""
        closed = 0
        for _ in range(LOOKS_FOR_ROOM):
            oldest = next((one for one in self._stuck if one is not reader), None)
            if not self.is_spent or oldest is None or now - self._stuck[oldest] < least_ms:
                return
            closed += self._close(oldest, now)
            if closed == CLOSES_FOR_ROOM:
                return

    def make_room_for_waiting(self, now: Millis) -> bool:
        """The same for a connection that waits with a large request; called now and then.

        Those that wait themselves are not read from, so it is no fault of theirs that nothing came;
        but the rest of a request that is not large has room in the socket. True if there are more
        to close.
        """
        if not self._waiting:
            self._is_clearing = False
            return False
        since = now - STALLED_LARGE_FRAME_MS
        stalled = [
            one
            for one, at in self._stuck.items()
            if at <= since and (one not in self._waiting or one.missing_bytes)
        ]
        self._is_clearing = True  # or those that are next would take the room, and a second more
        for reader in stalled[:CLOSES_PER_TURN]:
            self._close(reader, now)
        self._is_clearing = len(stalled) > CLOSES_PER_TURN
        if not self._is_clearing:
            self.make_room(None, now, STALLED_LARGE_FRAME_MS)
            if not self.is_spent:
                self._resume(RESUMES_AT_ONCE)
            elif self._overdrawing is None:
                self._resume(1)
        return self._is_clearing

    def _close(self, reader: Reader, now: Millis) -> bool:
        """False if it gets on: that the loop has yet to come to it is no fault of its peer's."""
        self._stuck.pop(reader, None)
        is_closed = reader.make_way(
            f"left a request unfinished while {self.of_whom} held all {self.limit_bytes} bytes "
            "that they may, and makes way for another"
        )
        if not is_closed:
            self._stuck[reader] = now
        return is_closed

    def statistics(self) -> dict[str, int]:
        """What is taken and who waits, for the metrics."""
        return {
            "taken_bytes": self.taken_bytes,
            "limit_bytes": self.limit_bytes,
            "waiting": len(self._waiting),
        }


class Account:
    """All the budgets that one connection is charged to: those of its parts before the whole.

    Each of them can hold it back. The whole is overdrawn only by one that its parts let go on, or
    two could wait for each other.
    """

    __slots__ = ("_budgets",)

    def __init__(self, *budgets: ByteBudget) -> None:
        self._budgets = budgets

    @property
    def is_spent(self) -> bool:
        """Whether one of them is."""
        return any(one.is_spent for one in self._budgets)

    @property
    def limit_bytes(self) -> int:
        """Of the one that is spent, or else of the whole."""
        spent = (one for one in self._budgets if one.is_spent)
        return next(spent, self._budgets[-1]).limit_bytes

    def take(self, count: int) -> None:
        """As ``ByteBudget.take``."""
        for one in self._budgets:
            one.take(count)

    def give(self, reader: Reader, count: int) -> None:
        """As ``ByteBudget.give``."""
        for one in self._budgets:
            one.give(reader, count)

    def may_go_on(self, reader: Reader) -> bool:
        """As ``ByteBudget.may_go_on``."""
        may = True
        for one in self._budgets:
            if not may:
                one.does_not_go_on(reader)
            elif not one.may_go_on(reader):
                may = False
        return may

    def may_stay(self, reader: Reader, count: int) -> bool:
        """As ``ByteBudget.may_stay``."""
        return all(one.may_stay(reader, count) for one in self._budgets)

    def wait(self, reader: Reader, resume: Resume) -> None:
        """As ``ByteBudget.wait``, for any of those that are spent."""
        for one in self._budgets:
            if one.is_spent:
                one.wait(reader, resume)

    def leave(self, reader: Reader) -> None:
        """As ``ByteBudget.leave``."""
        for one in self._budgets:
            one.leave(reader)

    def stuck(self, reader: Reader, since: Millis) -> None:
        """As ``ByteBudget.stuck``."""
        for one in self._budgets:
            one.stuck(reader, since)

    def not_stuck(self, reader: Reader) -> None:
        """As ``ByteBudget.not_stuck``."""
        for one in self._budgets:
            one.not_stuck(reader)

    def make_room(self, reader: Reader, now: Millis, least_ms: Millis) -> None:
        """As ``ByteBudget.make_room``, in those that are spent."""
        for one in self._budgets:
            if one.is_spent:
                one.make_room(reader, now, least_ms)
