"""A controller that joins the voters by itself (KIP-1186): what it asks the leader for, and when.

Once a period, an observer that follows a leader looks at the voters. If its own id votes with
another directory, whose disk is gone, that voter has to be removed; if its id does not vote, it
asks to be added. It never looks at what came of it: the voters in the log tell.

An operator who removes a controller must stop it first, or it asks to be added again.
"""

from __future__ import annotations

from attrs import define

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.quorum.messages import AddVoterRequest, RemoveVoterRequest
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.quorum.voters import VoterHistory


@define
class AutoJoin:
    """Decides for the replica ``key``; ``period_ms`` is Kafka's update-voter-set period.

    That period is the fetch time-out, and it begins anew with every leader.
    """

    key: ReplicaKey
    endpoints: tuple[Endpoint, ...]
    period_ms: Millis
    _leader: LeaderAndEpoch | None = None
    _due: Millis = NEVER

    def decide(
        self, voters: VoterHistory, leader: LeaderAndEpoch, now: Millis
    ) -> AddVoterRequest | RemoveVoterRequest | None:
        """What to ask ``leader`` for now, None for nothing."""
        if leader != self._leader:
            self._leader = leader
            self._due = now + self.period_ms
        if leader.leader_id in (None, self.key.id) or voters.kraft_version < 1:
            return None
        if voters.latest.is_voter(self.key) or now < self._due:
            return None
        self._due = now + self.period_ms
        stored = voters.latest.by_id(self.key.id)
        if stored is not None:
            return RemoveVoterRequest(stored.key)
        return AddVoterRequest(self.key, self.endpoints, ack_when_committed=False)
