"""Prompt fail-over: how soon to campaign when the leader's process is plainly gone.

Only delays come from here, and a delay decides nothing: who may lead is decided by votes. See
docs/decisions/055.
"""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.quorum.state import ReplicaState


def prompt_delay_ms(replica: ReplicaState) -> Millis | None:
    """How long to wait before the next campaign; None when the usual time-outs take over.

    At first a step for each voter of a lower id, so that those who lost the leader in the same
    moment do not stand against each other; after lost campaigns a random part of a window that
    doubles until it reaches the election time-out.
    """
    lost = replica.lost
    if lost is None:
        return None
    step = replica.config.prompt_step_ms
    window = step << lost.tries
    if window >= replica.config.election_timeout_ms:
        return None
    extra = replica.chance.jitter(0, window - step) if lost.tries else 0
    return turn_ms(replica, lost.leader_id) + extra


def turn_ms(replica: ReplicaState, leader_id: NodeId) -> Millis:
    """A step for each other voter of a lower id, the leader left out.

    Followers hear the same leader in the same moments, so without an order their time-outs would
    end together too, they would all stand, and split the votes.
    """
    voters = replica.voters.latest
    own = replica.config.node_id
    before = 0
    for voter in voters.voters:
        node_id = voter.key.id
        if node_id < own and node_id != leader_id:
            before += 1
    return replica.config.prompt_step_ms * before


def next_prompt_deadline(replica: ReplicaState, now: Millis) -> Millis | None:
    """When to campaign again after one more lost campaign; None ends the haste."""
    if replica.lost is None:
        return None
    replica.lost = evolve(replica.lost, tries=replica.lost.tries + 1)
    delay = prompt_delay_ms(replica)
    if delay is None:
        replica.lost = None
        return None
    return now + delay


def end_haste(replica: ReplicaState) -> None:
    """A campaign ran out of time: another voter is silent too, and the lost leader may be back.

    From now on it is asked like any other voter: its vote may be the one that is needed.
    """
    replica.lost = None
