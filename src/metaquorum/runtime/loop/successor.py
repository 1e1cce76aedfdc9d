"""Who takes over from a leader that stops: a voter that has everything it has."""

from __future__ import annotations

from typing import Final

import trio

from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState

SUCCESSOR_POLL_S: Final = 0.001
"""How often a leader that stops looks whether a follower has come up to it."""


async def successor_ready(replica: ReplicaState) -> None:
    """Return when another voter has the whole log, or this replica does not lead.

    A leader that hands over can then grant that voter's pre-vote itself.
    """
    while not _has_successor(replica):
        await trio.sleep(SUCCESSOR_POLL_S)


def _has_successor(replica: ReplicaState) -> bool:
    role, voters = replica.role, replica.voters.latest
    if not isinstance(role, Leader) or voters.is_only_voter(replica.config.key):
        return True
    found = (role.progress.of_voter(voter.key) for voter in voters)
    return any(one is not None and one.end >= replica.log.end for one in found)
