"""What an explanation is: an event, its cause, how sure that is, and the evidence before it.

docs/reference/explanations.md has the rules, each by the name that stands in ``rule``.
"""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset


class EventKind(Enum):
    """What is explained."""

    LEADER_CHANGED = "leader-changed"
    BROKER_FENCED = "broker-fenced"
    BROKER_UNFENCED = "broker-unfenced"


class Cause(Enum):
    """Why it happened, by the name that JSON has."""

    FIRST_LEADER = "first-leader"
    RESIGNED = "resigned"
    ENDED = "ended"
    PAUSED = "paused"
    CUT_OFF = "cut-off"
    SLOW = "slow"
    LOST_MAJORITY = "lost-majority"
    UNRESPONSIVE = "unresponsive"
    """Its process lived: paused, cut off, slow, or without a majority; it is not told which."""
    GONE = "gone"
    """It fell silent: its process ended, or lived and was not reached; it is not told which."""
    STOPPED = "stopped"
    UNREGISTERED = "unregistered"
    STARTED = "started"
    RETURNED = "returned"
    UNKNOWN = "unknown"

    def covers(self, other: Cause) -> bool:
        """Whether ``other`` is this cause, or one of those that this one leaves open."""
        return other is self or other in _COVERED.get(self, ())


_ALIVE = (Cause.PAUSED, Cause.CUT_OFF, Cause.SLOW, Cause.LOST_MAJORITY)
_COVERED = {
    Cause.UNRESPONSIVE: _ALIVE,
    Cause.GONE: (Cause.ENDED, Cause.UNRESPONSIVE, *_ALIVE),
}


class Certainty(Enum):
    """How sure a cause is."""

    CERTAIN = "certain"
    """The evidence leaves no other cause."""
    LIKELY = "likely"
    """The evidence speaks for it; ``others`` are not excluded and would be less usual."""
    POSSIBLE = "possible"
    """It fits, and each of ``others`` fits as well."""


@frozen
class Fact:
    """One piece of the evidence in words; ``time_ms`` by the recorder's clock if there was one."""

    time_ms: Millis
    text: str


@frozen
class Verdict:
    """A cause, how sure it is, the rule that says so, and why in words."""

    cause: Cause
    certainty: Certainty
    rule: str
    words: str
    others: tuple[Cause, ...] = ()


@frozen
class Event:
    """One event with its explanation.

    ``before`` and ``node_id`` are the leaders of a change, ``node_id`` alone a broker.
    ``without_leader_ms`` is the time from the last record of the one leader to the LeaderChange of
    the next; None where that is not known.
    """

    kind: EventKind
    time_ms: Millis
    offset: Offset
    epoch: Epoch
    node_id: NodeId
    verdict: Verdict
    evidence: tuple[Fact, ...] = field(repr=False)
    before: NodeId | None = None
    epoch_before: Epoch | None = None
    without_leader_ms: Millis | None = None


@frozen
class Timeouts:
    """What the nodes are configured with; Kafka's defaults.

    ``controller.quorum.fetch.timeout.ms`` and ``broker.session.timeout.ms``.
    """

    fetch_ms: Millis = 2_000
    session_ms: Millis = 9_000

    @property
    def told_ms(self) -> Millis:
        """A change that took less was not found out by the followers' fetch time-out.

        That runs from their last answer, which may be half a second before the leader's last
        record that is seen.
        """
        return self.fetch_ms * 3 // 4


def counted(count: int, name: str) -> str:
    """So many of something, in words."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def seconds(duration_ms: Millis) -> str:
    """A time in words."""
    if abs(duration_ms) < 1_000:
        return f"{duration_ms} ms"
    return f"{duration_ms / 1_000:.1f} s"
