"""Nothing is promised before its ticket is durable: the one gate of all hosts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import (
    Answer,
    Committed,
    Effect,
    LeaderChanged,
    OutgoingEffect,
    Send,
    ShutdownDone,
)
from metaquorum.quorum.types import Ticket

_WORDS = (Send, Answer, Committed, LeaderChanged, ShutdownDone)


@define(eq=False)
class DurabilityGate:
    """Holds outgoing effects until the disk has what they promise.

    First in, first out: a later effect with a smaller ``after`` is at worst delayed, never early.
    Disk effects, and effects that wait for nothing by their nature, pass at once.
    """

    durable_ticket: Ticket = 0
    _held: deque[OutgoingEffect] = field(factory=deque)

    def hold(self, effects: Iterable[Effect]) -> list[Effect]:
        """What may happen now of these effects, in their order; the rest waits."""
        released: list[Effect] = []
        held, durable_ticket = self._held, self.durable_ticket
        for effect in effects:
            if isinstance(effect, _WORDS) and (held or effect.after > durable_ticket):
                held.append(effect)
            else:
                released.append(effect)
        return released

    def lets_pass(self, after: Ticket) -> bool:
        """Whether an effect that waits for this ticket would pass at once."""
        return not self._held and after <= self.durable_ticket

    def durable(self, ticket: Ticket) -> list[Effect]:
        """What may happen now that everything up to ``ticket`` is on the disk."""
        if ticket < self.durable_ticket:
            raise InvariantViolated(f"ticket {ticket} durable after {self.durable_ticket}")
        self.durable_ticket = ticket
        released: list[Effect] = []
        while self._held and self._held[0].after <= ticket:
            released.append(self._held.popleft())
        return released

    def sends_at(self, ticket: Ticket) -> bool:
        """Whether a request to a peer is the first that is released once the ticket is durable."""
        return bool(self._held) and type(first := self._held[0]) is Send and first.after <= ticket

    @property
    def held(self) -> tuple[OutgoingEffect, ...]:
        """What waits, oldest first."""
        return tuple(self._held)

    def fork(self) -> DurabilityGate:
        """A gate that holds the same; for the explorer."""
        return DurabilityGate(self.durable_ticket, deque(self._held))

    def statistics(self) -> dict[str, int]:
        """How much waits, and how far the disk is."""
        return {"held": len(self._held), "durable_ticket": self.durable_ticket}
