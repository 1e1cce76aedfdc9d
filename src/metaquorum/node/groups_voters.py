"""How the voters of ``__consumer_offsets`` follow those of the metadata log, one change at a time.

The partition's leader asks its own core for each change, which is a record in its own log: the
rules of KIP-853 keep it at one quorum, whatever the metadata voters do meanwhile.
"""

from __future__ import annotations

from metaquorum.quorum.messages import (
    AddVoterRequest,
    RemoveVoterRequest,
    UpdateVoterRequest,
    UpgradeRequest,
)
from metaquorum.quorum.types import HIGHEST_KRAFT_VERSION
from metaquorum.quorum.voters import VoterHistory, VoterSet

Change = AddVoterRequest | RemoveVoterRequest | UpdateVoterRequest | UpgradeRequest


def next_change(
    wanted: VoterSet, wanted_kraft_version: int, present: VoterHistory, epoch: int
) -> Change | None:
    """What brings the partition's voters one step closer to ``wanted``; None if nothing does.

    A voter that lost its directory goes before it comes back with another; a new voter comes
    before others go, so that a majority of the old voters that is gone never decides alone.
    """
    if wanted_kraft_version < 1:
        return None
    if present.kraft_version < 1:
        return UpgradeRequest(HIGHEST_KRAFT_VERSION)
    voters = present.latest
    for voter in wanted:
        stored = voters.by_id(voter.id)
        if stored is not None and stored.key != voter.key:
            return RemoveVoterRequest(stored.key)
    for voter in wanted:
        if voters.by_id(voter.id) is None:
            return AddVoterRequest(voter.key, voter.endpoints, ack_when_committed=True)
    for voter in voters:
        if wanted.by_id(voter.id) is None:
            return RemoveVoterRequest(voter.key)
    for voter in wanted:
        stored = voters.by_id(voter.id)
        if stored is not None and stored.endpoints != voter.endpoints:
            lowest, highest = stored.lowest_kraft_version, stored.highest_kraft_version
            return UpdateVoterRequest(epoch, voter.key, voter.endpoints, lowest, highest)
    return None
