"""Connections in the part of the descriptors that is kept for voters, and which of them goes next.

Once clients hold all that they may, the controller listener still takes connections: a client that
comes there may be a voter, and nobody knows before it speaks. Who does not speak as one soon makes
way for the next. See docs/decisions/195.
"""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import UNPROVEN_VOTER_MS
from metaquorum.server.sockets.connection_host import ConnectionHost


@define(eq=False)
class VoterConnections:
    """Oldest first; those that have not spoken as voters go before those that have.

    Of the former those at addresses where voters are go last: from there come forwarded requests.
    """

    _strangers: dict[ConnectionHost, Millis] = field(factory=dict)
    _beside_voters: dict[ConnectionHost, Millis] = field(factory=dict)
    _voters: dict[ConnectionHost, Millis] = field(factory=dict)
    _addresses: Counter[str] = field(factory=Counter)

    def __len__(self) -> int:
        return len(self._strangers) + len(self._beside_voters) + len(self._voters)

    def __contains__(self, host: object) -> bool:
        return host in self._strangers or host in self._beside_voters or host in self._voters

    def add(self, host: ConnectionHost, place: str, now: Millis) -> None:
        """A connection came to the part that is kept for voters."""
        among = self._beside_voters if place in self._addresses else self._strangers
        among[host] = now

    def spoke_as_voter(self, host: ConnectionHost, place: str) -> None:
        """A connection, of this part or not, is one of a voter."""
        self._addresses[place] += 1
        for among in (self._strangers, self._beside_voters):
            came = among.pop(host, None)
            if came is not None:
                self._voters[host] = came

    def left(self, host: ConnectionHost, place: str, *, is_voter: bool) -> None:
        """It is closed."""
        for among in (self._strangers, self._beside_voters, self._voters):
            among.pop(host, None)
        if is_voter:
            self._addresses[place] -= 1
            if not self._addresses[place]:
                del self._addresses[place]

    def keep_all(self) -> None:
        """There is room for everybody again: who is in this part now stays."""
        self._strangers.clear()
        self._beside_voters.clear()
        self._voters.clear()

    def next_to_go(self) -> tuple[ConnectionHost, Millis] | None:
        """Who makes way for one more, and since when it has been of no use; None if nobody does."""
        for among in (self._strangers, self._beside_voters):
            if among:
                return next(iter(among.items()))
        if self._voters:
            host = min(self._voters, key=lambda one: one.connection.last_active)
            return host, host.connection.last_active
        return None

    def pause(self, now: Millis) -> Millis:
        """For how long the next one has to wait, so that who came last can say who it is."""
        going = self.next_to_go()
        return 0 if going is None else max(0, going[1] + UNPROVEN_VOTER_MS - now)
