"""Answers that wait in memory for peers that do not read: a bound over all connections."""

from __future__ import annotations

from typing import Protocol

from attrs import define, field

from metaquorum.base.limits import MAX_UNSENT_ANSWER_BYTES


class SlowReader(Protocol):
    """A connection that took only a part of its answer."""

    def close(self, complaint: str | None = None) -> None:
        """Drop it, and give back what it holds here."""


@define(eq=False)
class UnsentAnswers:
    """What is held for whom, in the order in which they got stuck.

    Beyond the limit those go first that have been stuck for longest: a client that is only slow
    was stuck a moment ago, one that never reads was stuck before. The last one may stay whatever
    it holds, as it has just begun.
    """

    limit_bytes: int = MAX_UNSENT_ANSWER_BYTES
    held_bytes: int = 0
    _held: dict[SlowReader, int] = field(factory=dict)

    def hold(self, reader: SlowReader, count: int) -> None:
        """``reader`` is stuck with so many bytes in memory."""
        self.release(reader)
        self._held[reader] = count
        self.held_bytes += count
        while self.held_bytes > self.limit_bytes and len(self._held) > 1:
            oldest = next(iter(self._held))
            oldest.close(f"took no answer while answers held all {self.limit_bytes} bytes they may")
            self.release(oldest)

    def release(self, reader: SlowReader) -> None:
        """Everything for it has left, or it has gone."""
        self.held_bytes -= self._held.pop(reader, 0)

    def statistics(self) -> dict[str, int]:
        """What is held and for how many, for the metrics."""
        return {
            "held_bytes": self.held_bytes,
            "limit_bytes": self.limit_bytes,
            "readers": len(self._held),
        }
