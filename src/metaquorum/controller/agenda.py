"""When an active controller has what to do, by the name of the work."""

from __future__ import annotations

from enum import Enum, auto

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis


class Work(Enum):
    """What is done when its time has come, and not because somebody asked."""

    NO_OP = auto()
    TURN = auto()
    PREFERRED_ELECTIONS = auto()
    UNCLEAN_ELECTIONS = auto()
    OFFLINE_ELECTIONS = auto()
    EXPIRED_TOKENS = auto()


@define
class Agenda:
    """The due time of each kind of work; a kind that is not planned is due NEVER.

    ``next_ms`` is when the first of all is due: it is asked for after every step.
    """

    next_ms: Millis = NEVER
    _due: dict[Work, Millis] = field(factory=dict)

    def plan(self, work: Work, at_ms: Millis) -> None:
        """That work is due at ``at_ms`` now, whenever it was due before."""
        self._due[work] = at_ms
        self.next_ms = min(self._due.values())

    def is_due(self, work: Work, now: Millis) -> bool:
        """Whether the time of that work has come."""
        return self._due.get(work, NEVER) <= now
