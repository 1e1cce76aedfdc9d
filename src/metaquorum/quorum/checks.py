"""Invariants of one replica, cheap enough to look at after every step, in production too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaquorum.base.errors import HouseError
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader

if TYPE_CHECKING:
    from metaquorum.quorum.replica import Replica


def check(replica: Replica, epoch_before: Epoch, high_watermark_before: Offset | None) -> None:
    """HouseError if the step just taken broke an invariant; the message names it."""
    log, election, role = replica.log, replica.election, replica.role
    _hold(epoch_before <= election.epoch, "the epoch never falls (KIP-595)")
    _hold(log.last_epoch <= election.epoch, "no record of an epoch that was not entered")
    _hold(log.start <= log.end, "the log start is not above its end")
    _hold(log.durable_end <= log.end, "nothing is durable that was not accepted")
    _hold(
        high_watermark_before is None
        or (log.high_watermark is not None and log.high_watermark >= high_watermark_before),
        "the high watermark never falls (KIP-595)",
    )
    _hold(
        log.high_watermark is None or log.high_watermark <= log.end,
        "the high watermark is not above the log end",
    )
    _hold(replica.durable_ticket <= replica.last_ticket, "no ticket is durable before it was given")
    own = replica.config.node_id
    if isinstance(role, Leader):
        _hold(election.leader_id == own, "a leader names itself leader of its epoch")
        _hold(log.last_epoch == election.epoch, "a leader has opened its epoch")
    elif isinstance(role, Follower):
        _hold(election.leader_id == role.leader_id != own, "a follower follows the saved leader")
    elif isinstance(role, Candidate):
        voted = election.voted
        _hold(election.leader_id is None, "a candidate knows no leader of its epoch")
        _hold(voted is not None and voted.id == own, "a candidate voted for itself")


def _hold(holds: bool, what: str) -> None:
    if not holds:
        raise HouseError(f"broken invariant: {what}")
