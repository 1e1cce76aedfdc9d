"""Requests by kind: which handler answers which message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.events import RequestArrived, RequestGone
from metaquorum.quorum.handlers.describe import on_describe
from metaquorum.quorum.handlers.election.begin_epoch import on_begin_epoch
from metaquorum.quorum.handlers.election.end_epoch import on_end_epoch
from metaquorum.quorum.handlers.election.vote import on_vote
from metaquorum.quorum.handlers.error_answers import report_refusal
from metaquorum.quorum.handlers.replication.fetch import on_fetch
from metaquorum.quorum.handlers.snapshot.fetch_snapshot import on_fetch_snapshot
from metaquorum.quorum.handlers.voters.upgrade import on_upgrade
from metaquorum.quorum.handlers.voters.voter_change import (
    on_add_voter,
    on_remove_voter,
    on_update_voter,
)
from metaquorum.quorum.messages import (
    AddVoterRequest,
    BeginEpochRequest,
    DescribeRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    RemoveVoterRequest,
    UpdateVoterRequest,
    UpgradeRequest,
    VoteRequest,
)
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import RequestId

RequestHandler = Callable[[ReplicaState, RequestId, Any, Millis, list[Effect]], None]

REQUESTS: dict[type, RequestHandler] = {
    VoteRequest: on_vote,
    BeginEpochRequest: on_begin_epoch,
    EndEpochRequest: on_end_epoch,
    FetchRequest: on_fetch,
    FetchSnapshotRequest: on_fetch_snapshot,
    DescribeRequest: on_describe,
    AddVoterRequest: on_add_voter,
    RemoveVoterRequest: on_remove_voter,
    UpdateVoterRequest: on_update_voter,
    UpgradeRequest: on_upgrade,
}


def on_request(
    replica: ReplicaState, event: RequestArrived, now: Millis, out: list[Effect]
) -> None:
    """Hand the request to its handler, which answers it now or parks it."""
    message, first = event.message, len(out)
    handler = REQUESTS.get(type(message))
    if handler is None:
        raise InvariantViolated(f"nobody answers {type(message).__name__}")
    if isinstance(message, FetchRequest):
        on_fetch(replica, event.id, message, now, out, more_follow=event.more_follow)
    else:
        handler(replica, event.id, message, now, out)
    report_refusal(replica, event, first, out)


def on_request_gone(
    replica: ReplicaState, event: RequestGone, now: Millis, out: list[Effect]
) -> None:
    """Nobody waits for this answer any more; a change of voters goes on all the same."""
    replica.parked.forget(event.id)
