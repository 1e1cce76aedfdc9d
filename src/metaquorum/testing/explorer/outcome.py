"""What a search of all states saw, whatever happens in its worlds."""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import frozen

A = TypeVar("A")


@frozen
class Found(Generic[A]):
    """A rule or property broke: which, and the shortest way there."""

    what: str
    story: tuple[A, ...]


@frozen
class Outcome(Generic[A]):
    """What a search saw. ``exhausted``: within its bounds there is no other state."""

    states: int
    transitions: int
    exhausted: bool
    found: Found[A] | None = None

    @property
    def line(self) -> str:
        """One line for people."""
        seen = f"{self.states} states, {self.transitions} transitions"
        if self.found is not None:
            return f"{seen}: {self.found.what} ({len(self.found.story)} steps)"
        return f"{seen}, " + ("exhausted" if self.exhausted else "stopped at the limit")
