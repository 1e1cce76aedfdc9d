"""Whether a node was reached around an event: what the recorder's questions to it amount to."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.flight.evidence import Outcome, Probed
from metaquorum.flight.explanation import Fact, seconds

_BROKEN = (Outcome.CLOSED, Outcome.REFUSED)
_STANDING = (Outcome.SILENT, Outcome.HANGS)
BLINK_MS = 1_000
"""A connection that ended and was made anew within so long: a process that was started anew at
once, or an idle limit. It is not told which."""


class Reached(Enum):
    """What the questions say of a node."""

    NOT_ASKED = auto()
    ALL_THE_TIME = auto()
    DOWN = auto()
    """Its process did not run: connections ended, and new ones were refused."""
    STANDING = auto()
    """It took connections, or held them, and did not answer."""
    AWAY = auto()
    """No connection to its machine came about."""
    UNCLEAR = auto()


@frozen
class Contact:
    """Questions to one node within a time.

    ``since_ms`` is when it was first not reached, ``answered_ms`` when it last was before that, and
    ``again_ms`` when it was again. ``took_connections`` says of one that stands still that it took
    a new connection meanwhile, so its machine was reached.
    """

    reached: Reached
    since_ms: Millis | None = None
    answered_ms: Millis | None = None
    again_ms: Millis | None = None
    took_connections: bool = False
    is_prompt: bool = False

    @property
    def was_asked(self) -> bool:
        """Whether there is anything to go by."""
        return self.reached not in (Reached.NOT_ASKED, Reached.UNCLEAR)


def contact(probes: Sequence[Probed], from_ms: Millis, until_ms: Millis) -> Contact:
    """What ``probes``, in order of time, say about the time between these two.

    A spell in which the node was not reached counts if it began between them, or was not over.
    Answers that came before and after go into it as well.
    """
    if not any(one.time_ms <= until_ms for one in probes):
        return Contact(Reached.NOT_ASKED)
    is_prompt = any(one.is_prompt for one in probes)
    spell: list[Probed] = []
    answered_ms: Millis | None = None
    blinked = False
    for one in probes:
        if one.outcome is Outcome.ANSWERED:
            blinked |= bool(spell) and one.time_ms >= from_ms
            if _counts(spell, one.time_ms, from_ms):
                return _spell(spell, answered_ms, one, is_prompt=is_prompt)
            spell, answered_ms = [], one.time_ms + one.took_ms
            if one.time_ms > until_ms:
                break
        elif spell or one.time_ms <= until_ms:
            spell.append(one)
        else:
            break
    if spell:
        return _spell(spell, answered_ms, None, is_prompt=is_prompt)
    if answered_ms is None or answered_ms < from_ms:
        return Contact(Reached.NOT_ASKED)
    if blinked:
        return Contact(Reached.UNCLEAR, is_prompt=is_prompt)
    return Contact(Reached.ALL_THE_TIME, answered_ms=answered_ms, is_prompt=is_prompt)


def _counts(spell: Sequence[Probed], again_ms: Millis, from_ms: Millis) -> bool:
    """Whether it is one, and was not over before the time that is asked about."""
    if not spell or again_ms < from_ms:
        return False
    is_blink = all(one.outcome is Outcome.CLOSED for one in spell)
    return not (is_blink and again_ms - spell[0].time_ms < BLINK_MS)


def _spell(
    spell: Sequence[Probed], answered_ms: Millis | None, again: Probed | None, *, is_prompt: bool
) -> Contact:
    outcomes = [one.outcome for one in spell]
    first = next((one for one in outcomes if one is not Outcome.HANGS), Outcome.HANGS)
    if first in _BROKEN and outcomes[0] is Outcome.HANGS:
        reached = Reached.STANDING  # a process that ends closes what it has: it stood still before
    elif first in _BROKEN:
        reached = Reached.DOWN if Outcome.REFUSED in outcomes else Reached.UNCLEAR
        if reached is Reached.UNCLEAR and Outcome.UNREACHABLE in outcomes:
            reached = Reached.AWAY
    elif first in _STANDING:
        reached = Reached.STANDING
    elif first is Outcome.UNREACHABLE:
        reached = Reached.AWAY
    else:
        reached = Reached.UNCLEAR
    return Contact(
        reached,
        spell[0].time_ms,
        answered_ms,
        None if again is None else again.time_ms,
        Outcome.SILENT in outcomes,
        is_prompt,
    )


_WORDS = {
    Outcome.CLOSED: "ended its connection",
    Outcome.REFUSED: "refused a connection",
    Outcome.SILENT: "took a connection and did not answer within {}",
    Outcome.HANGS: "did not answer within {} over a connection that stood",
    Outcome.UNREACHABLE: "was not reached within {}",
    Outcome.OTHER: "could not be asked",
}


def contact_facts(probes: Sequence[Probed], from_ms: Millis, until_ms: Millis) -> list[Fact]:
    """The questions to a node between two times in words: the last answer before a failure, the
    first failure of each kind, and the first answer after.
    """
    facts: list[Fact] = []
    before: Probed | None = None
    for one in probes:
        if one.time_ms > until_ms:
            break
        changed = before is not None and before.outcome is not one.outcome
        name = f"{one.role} {one.node_id}"
        if one.outcome is not Outcome.ANSWERED and (changed or before is None):
            if before is not None and before.outcome is Outcome.ANSWERED:
                text = f"{name} answered, the last time, within {seconds(before.took_ms)}"
                facts.append(Fact(before.time_ms, text))
            words = _WORDS[one.outcome].format(seconds(one.took_ms))
            facts.append(Fact(one.time_ms, f"{name} {words}"))
        elif one.outcome is Outcome.ANSWERED and changed:
            facts.append(Fact(one.time_ms, f"{name} answered again"))
        before = one
    facts = [one for one in facts if one.time_ms >= from_ms]
    if not facts and before is not None and before.outcome is Outcome.ANSWERED:
        answered = [one for one in probes if from_ms <= one.time_ms <= until_ms]
        text = f"{before.role} {before.node_id} answered whenever it was asked around then"
        facts.append(Fact((answered or [before])[-1].time_ms, text))
    return facts
