"""The states of a log lane, and the table of its legal transitions. ``LogLane`` asserts it."""

from __future__ import annotations

from enum import Enum

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.value import value


class LaneState(Enum):
    """What a log lane is at; one thing at a time."""

    NEW = "not running yet: effects are queued only"
    IDLE = "nothing queued is begun"
    BUSY = "one batch, check or give-back is at the disk"
    REPORTING = "the last batch is durable, and on_durable is called"
    CLOSING = "as BUSY, and the lane ends when the queue is empty"
    ENDED = "closed, failed or cancelled: nothing is written any more"


@value
class Transition:
    """One legal change of state."""

    before: LaneState
    after: LaneState
    why: str


TRANSITIONS: tuple[Transition, ...] = (
    Transition(LaneState.NEW, LaneState.IDLE, "it runs"),
    Transition(LaneState.NEW, LaneState.CLOSING, "it was closed before it ran"),
    Transition(LaneState.IDLE, LaneState.BUSY, "a batch, a check or a give-back begins"),
    Transition(LaneState.IDLE, LaneState.CLOSING, "it is closed"),
    Transition(LaneState.IDLE, LaneState.ENDED, "its task was cancelled"),
    Transition(LaneState.BUSY, LaneState.REPORTING, "the disk is done"),
    Transition(LaneState.BUSY, LaneState.CLOSING, "it is closed while the disk works"),
    Transition(LaneState.BUSY, LaneState.ENDED, "the disk failed, or its task was cancelled"),
    Transition(LaneState.REPORTING, LaneState.IDLE, "nothing was queued meanwhile"),
    Transition(LaneState.REPORTING, LaneState.BUSY, "more was queued meanwhile"),
    Transition(LaneState.REPORTING, LaneState.ENDED, "the report raised an error"),
    Transition(LaneState.CLOSING, LaneState.ENDED, "all is written, or the disk failed"),
)

_LEGAL = frozenset((one.before, one.after) for one in TRANSITIONS)


def check_transition(before: LaneState, after: LaneState) -> None:
    """InvariantViolated unless the table has it."""
    if (before, after) not in _LEGAL:
        raise InvariantViolated(f"a log lane cannot go from {before.name} to {after.name}")
