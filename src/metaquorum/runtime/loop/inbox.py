"""Events that wait for a step of the cores: bounded, first in first out, refusals counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_INBOX_DEPTH
from metaquorum.wire.generated import error_codes

E = TypeVar("E")

Step = Callable[[Any], None]
"""What takes an event. Each pair of (step, event) in a queue is of its own type of event, and
``put_fact`` and ``put_question`` check that the two fit.
"""


def overloaded() -> RequestError:
    """The error of a question that does not fit in the inbox."""
    return RequestError(error_codes.THROTTLING_QUOTA_EXCEEDED, "the inbox of the quorum is full")


@define(eq=False)
class Inbox:
    """Pairs of (step, event). Facts always fit; questions may be refused.

    A durable ticket, a deadline or an answer from a peer is a fact: it has happened, and dropping
    it would be a lie. A request is a question: beyond the limit it is refused. ``waiting`` is taken
    from at its left end.
    """

    limit: int = MAX_INBOX_DEPTH
    refused: int = 0
    deepest: int = 0
    waiting: deque[tuple[Step, object]] = field(factory=deque)

    def __len__(self) -> int:
        return len(self.waiting)

    def put_fact(self, step: Callable[[E], None], event: E) -> None:
        """Queue something that has happened."""
        self.waiting.append((step, event))
        if len(self.waiting) > self.deepest:
            self.deepest = len(self.waiting)

    def put_question(self, step: Callable[[E], None], event: E) -> bool:
        """Queue something that is asked; False when there is no room."""
        if len(self.waiting) >= self.limit:
            self.refused += 1
            return False
        self.put_fact(step, event)
        return True

    def statistics(self) -> dict[str, int]:
        """Depth now, deepest ever, refusals, for the metrics."""
        return {
            "depth": len(self.waiting),
            "deepest": self.deepest,
            "limit": self.limit,
            "refused": self.refused,
        }
