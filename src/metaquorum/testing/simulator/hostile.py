"""Requests of a peer that means no good, or has lost its mind: wild numbers, false claims.

It forges no promise of a voter (a fetch in a voter's name counts as that voter's disk, and no
protocol without signatures can tell): everything else is fair.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from metaquorum.base.limits import MAX_EPOCH
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.messages import (
    BeginEpochRequest,
    DescribeRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    Request,
    VoteRequest,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey

STRANGER = 99
LARGEST = 2**31 - 1


def hostile_request(random: Random, epoch: int, own: int, nodes: Iterable[int]) -> Request:
    """One request that no honest node would send to ``own``, which is in ``epoch``."""
    wild = random.choice(
        (-1, 0, max(0, epoch - 1), epoch, epoch + 1, epoch + 3, MAX_EPOCH, MAX_EPOCH + 1, LARGEST)
    )
    # A jump to the last epochs ends every election for good, so it is left to the end of time.
    wild = wild if wild > MAX_EPOCH or wild < epoch + 10 else epoch + 2
    who = random.choice((STRANGER, own, -1, *sorted(nodes)))
    offset = random.choice((-1, 0, 1, 7, 1_000_000, 2**62))
    key = ReplicaKey(who, random.choice((None, bytes(16), bytes([7]) * 16)))
    stranger = ReplicaKey(random.choice((STRANGER, -1, own)), bytes([9]) * 16)
    endpoints = random.choice(((), (Endpoint("CONTROLLER", "", 0),), (Endpoint("X", "no", 1),)))
    draw = random.randrange(6)
    if draw == 0:
        last = OffsetAndEpoch(random.choice((-1, 0, epoch, wild)), offset)
        return VoteRequest(wild, key, last, random.random() < 0.5, random.choice((None, key)))
    if draw == 1:
        return BeginEpochRequest(wild, who, endpoints, random.choice((None, key)))
    if draw == 2:
        return EndEpochRequest(wild, who, (key, stranger), endpoints)
    if draw == 3:
        return FetchRequest(
            stranger,
            wild,
            offset,
            random.choice((-1, 0, epoch, wild)),
            random.choice((-1, 0, 500, LARGEST)),
            random.choice((-1, 0, 1, LARGEST)),
            random.choice((None, -1, 0, 2**62)),
        )
    if draw == 4:
        snapshot = OffsetAndEpoch(wild, offset)
        return FetchSnapshotRequest(stranger, wild, snapshot, offset, random.choice((-1, 0, 9)))
    return DescribeRequest()
