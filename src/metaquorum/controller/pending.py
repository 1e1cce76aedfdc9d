"""Replies that wait for the committed state to reach an offset, or for their deadline.

They are filed with rising offsets, so those that are due stand at the front.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterator

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value
from metaquorum.controller.events import CommandId


@value
class PendingReply:
    """``reply`` may be given to ``id`` once the committed state ends at ``offset`` or later.

    ``is_repeated``: who asked may ask the next leader again (``commands.REPEATED``).
    """

    offset: Offset
    id: CommandId
    reply: object
    is_repeated: bool = False


@define
class Pending:
    """At most ``limit`` replies in the order of their offsets, and their deadlines, soonest first.

    A command mostly has as long as the one before it, so a deadline has its place at the end.
    """

    limit: int
    _waiting: dict[int, PendingReply] = field(factory=dict)
    _deadlines: deque[tuple[Millis, int]] = field(factory=deque)
    _next_number: int = 0
    _last_offset: Offset = -1

    def has_room(self, more: int = 1) -> bool:
        """Whether so many more may be filed."""
        return len(self._waiting) + more <= self.limit

    @property
    def deadline(self) -> Millis:
        """When the next waiting reply gives up."""
        deadlines, waiting = self._deadlines, self._waiting
        while deadlines and deadlines[0][1] not in waiting:
            deadlines.popleft()
        return deadlines[0][0] if deadlines else NEVER

    def file(self, pending: PendingReply, deadline: Millis) -> None:
        """Let ``pending`` wait; its offset may not be below an earlier one's."""
        if pending.offset < self._last_offset:
            raise InvariantViolated(
                f"a reply for offset {pending.offset} comes after one for {self._last_offset}"
            )
        if not self.has_room():
            raise InvariantViolated(
                f"{self.limit} replies wait already; the next was to be refused"
            )
        self._last_offset = pending.offset
        number = self._next_number
        self._next_number += 1
        self._waiting[number] = pending
        deadlines = self._deadlines
        if deadline >= NEVER:
            return
        if not deadlines or deadlines[-1][0] <= deadline:
            deadlines.append((deadline, number))
        else:
            insort(deadlines, (deadline, number))

    def reached(self, offset: Offset) -> Iterator[PendingReply]:
        """Take out those that ``offset`` satisfies, oldest first."""
        waiting = self._waiting
        while waiting:
            number = next(iter(waiting))
            if waiting[number].offset > offset:
                return
            yield waiting.pop(number)

    def expired(self, now: Millis) -> Iterator[PendingReply]:
        """Take out those whose deadline has come, earliest first."""
        while self.deadline <= now:
            _, number = self._deadlines.popleft()
            yield self._waiting.pop(number)

    def drained(self) -> Iterator[PendingReply]:
        """Take out all: no offset that they wait for means anything any more."""
        gone = list(self._waiting.values())
        self._waiting.clear()
        self._deadlines.clear()
        self._last_offset = -1
        yield from gone

    def statistics(self) -> dict[str, int]:
        """How many replies wait, and how many at most may."""
        return {"waiting": len(self._waiting), "limit": self.limit}
