"""Checks that several requests share; each gives a Kafka error code, 0 when nothing is wrong."""

from __future__ import annotations

from metaquorum.base.limits import LAST_EPOCH, MAX_EPOCH, MAX_EPOCH_STEP
from metaquorum.base.offsets import Epoch
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    INVALID_VOTER_KEY,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    UNKNOWN_LEADER_EPOCH,
)
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ReplicaKey


def leader_only(replica: ReplicaState, epoch: Epoch) -> int:
    """For requests that only the leader of exactly this epoch answers."""
    if epoch < replica.election.epoch:
        return FENCED_LEADER_EPOCH
    if epoch > replica.election.epoch:
        return UNKNOWN_LEADER_EPOCH
    if not isinstance(replica.role, Leader):
        return NOT_LEADER_OR_FOLLOWER
    if replica.shutdown_deadline is not None:
        return BROKER_NOT_AVAILABLE
    return NONE


def voter_only(replica: ReplicaState, epoch: Epoch, remote_id: int) -> int:
    """For requests of a candidate or leader: its epoch is not over, and it has an id.

    An epoch that ``is_credible`` does not take is refused.
    """
    if epoch < replica.election.epoch:
        return FENCED_LEADER_EPOCH
    if remote_id < 0 or not is_credible(replica, epoch):
        return INVALID_REQUEST
    return NONE


def is_credible(replica: ReplicaState, epoch: Epoch) -> bool:
    """Whether so high an epoch can have come about by elections.

    Two billion of them are not held in a lifetime, so a peer that names a higher epoch is broken.
    Above that only small steps are believed: one message cannot use up what is left.
    """
    if epoch <= MAX_EPOCH:
        return True
    return epoch <= LAST_EPOCH and epoch - replica.election.epoch <= MAX_EPOCH_STEP


def my_key(replica: ReplicaState, receiver: ReplicaKey | None) -> int:
    """Whether the sender meant this replica: the directory counts where it is given."""
    if receiver is None or receiver.id < 0:
        return NONE
    own = replica.config.key
    if receiver.id != own.id:
        return INVALID_VOTER_KEY
    if receiver.directory_id is not None and receiver.directory_id != own.directory_id:
        return INVALID_VOTER_KEY
    return NONE
