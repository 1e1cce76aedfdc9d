"""Invariants of one replica, cheap enough to look at after every step, in production too."""

from __future__ import annotations

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState


def check(replica: ReplicaState, epoch_before: Epoch, high_watermark_before: Offset | None) -> None:
    """InvariantViolated if the step just taken broke an invariant; the message names it."""
    log, election, role = replica.log, replica.election, replica.role
    epoch, end, mark = election.epoch, log.end, log.high_watermark
    last_epoch = log.last_epoch
    if epoch < epoch_before:
        raise _broken("the epoch never falls (KIP-595)")
    if last_epoch > epoch:
        raise _broken("no record of an epoch that was not entered")
    if log.start > end:
        raise _broken("the log start is not above its end")
    if log.durable_end > end:
        raise _broken("nothing is durable that was not accepted")
    if high_watermark_before is not None and (mark is None or mark < high_watermark_before):
        raise _broken("the high watermark never falls (KIP-595)")
    if mark is not None and mark > end:
        raise _broken("the high watermark is not above the log end")
    if replica.durable_ticket > replica.last_ticket:
        raise _broken("no ticket is durable before it was given")
    own = replica.config.key.id
    if isinstance(role, Follower):
        if not election.leader_id == role.leader_id != own:
            raise _broken("a follower follows the saved leader")
    elif isinstance(role, Leader):
        if election.leader_id != own:
            raise _broken("a leader names itself leader of its epoch")
        if last_epoch != epoch:
            raise _broken("a leader has opened its epoch")
    elif isinstance(role, Candidate):
        voted = election.voted
        if election.leader_id is not None:
            raise _broken("a candidate knows no leader of its epoch")
        if voted is None or voted.id != own:
            raise _broken("a candidate voted for itself")


def _broken(what: str) -> InvariantViolated:
    return InvariantViolated(f"broken invariant: {what}")
