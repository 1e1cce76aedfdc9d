"""Places in the log: an offset, the epoch it was written in, and the pair of them."""

from __future__ import annotations

from metaquorum.base.value import value

Offset = int
Epoch = int

NO_OFFSET: Offset = -1
NO_EPOCH: Epoch = -1
UNREACHABLE_OFFSET: Offset = 1 << 62
"""No log gets there: waiting for it is waiting for a deadline."""


@value(order=True)
class OffsetAndEpoch:
    """A log end, a snapshot id or an end of an epoch.

    Sorted epoch first: of two logs the one with the later last epoch is ahead (KIP-595, Vote).
    """

    epoch: Epoch
    offset: Offset


@value
class LeaderAndEpoch:
    """Who leads in which epoch; ``leader_id`` is None while nobody is known to."""

    leader_id: int | None
    epoch: Epoch
