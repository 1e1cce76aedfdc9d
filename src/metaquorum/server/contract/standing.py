"""Whether a connection has spoken as a voter of this quorum, which nobody knows when it comes.

A connection that has keeps its descriptor when there are few of them, and its requests have a
budget of their own. ``server.voter_requests`` tells.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field


def _nothing() -> None:
    """Nobody wants to know."""


@define(eq=False)
class Standing:
    """Of one connection; ``on_voter`` is called once, when it has spoken as a voter."""

    is_voter: bool = False
    on_voter: Callable[[], None] = field(default=_nothing, repr=False)

    def spoke_as_voter(self) -> None:
        """From now on it is a voter's."""
        self.is_voter = True
        self.on_voter()

    def closed(self) -> None:
        """The connection is: nobody is called any more, and nothing of it is kept."""
        self.on_voter = _nothing
