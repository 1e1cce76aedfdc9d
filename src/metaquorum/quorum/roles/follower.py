"""Follower: copies the log of the leader it knows (KIP-595); the same for an observer."""

from __future__ import annotations

from typing import ClassVar

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.value import value
from metaquorum.quorum.types import Endpoint


@value
class Follower:
    """Whom it follows and where that one listens.

    At ``update_deadline`` a voter looks whether the leader knows it as it is; ``update_due`` says
    that it was found out of date, ``reported`` that this leader has answered it (kraft.version 0).
    ``has_fetched``: a fetch succeeded in this epoch, so the leader is alive and no pre-vote is
    granted (KIP-996). ``next_bootstrap`` is asked while the leader does not answer. ``ended``: the
    leader said that its epoch is over, so an answer of its that comes late revives nothing.
    """

    name: ClassVar[str] = "Follower"
    leader_id: NodeId
    endpoints: tuple[Endpoint, ...]
    fetch_deadline: Millis
    has_fetched: bool = False
    next_bootstrap: int = 0
    update_deadline: Millis = NEVER
    update_due: bool = False
    reported: bool = False
    ended: bool = False

    def asking(self, next_bootstrap: int) -> Follower:
        """With another bootstrap server to ask next."""
        return Follower(
            self.leader_id,
            self.endpoints,
            self.fetch_deadline,
            self.has_fetched,
            next_bootstrap,
            self.update_deadline,
            self.update_due,
            self.reported,
            self.ended,
        )

    def alive_until(self, fetch_deadline: Millis) -> Follower:
        """After the leader was heard: what every answer does, so without ``evolve``."""
        return Follower(
            self.leader_id,
            self.endpoints,
            fetch_deadline,
            True,
            self.next_bootstrap,
            self.update_deadline,
            self.update_due,
            self.reported,
            self.ended,
        )
