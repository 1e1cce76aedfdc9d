"""Unattached: no leader to follow in this epoch yet; looks for one, and may vote."""

from __future__ import annotations

from typing import ClassVar

from metaquorum.base.clock import Millis
from metaquorum.base.value import value


@value
class Unattached:
    """Knows its epoch and perhaps its vote (KIP-595).

    ``election_deadline``: when a voter campaigns; never for an observer. ``next_bootstrap`` is
    the bootstrap server to ask for the leader next.
    """

    name: ClassVar[str] = "Unattached"
    election_deadline: Millis
    next_bootstrap: int = 0

    def asking(self, next_bootstrap: int) -> Unattached:
        """With another server to ask next: so often while there is no leader, so no ``evolve``."""
        return Unattached(self.election_deadline, next_bootstrap)
