"""What each role sends on its own account, looked at after every step.

One request in flight to each peer; a follower has one fetch in flight over all peers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import NO_OFFSET
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.election.lifecycle import finish_shutdown, hand_over
from metaquorum.quorum.handlers.snapshot.download import download_under_way, is_installing
from metaquorum.quorum.handlers.voters.update_voter import update_request
from metaquorum.quorum.messages import (
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    VoteRequest,
)
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.roles.prospective import Prospective
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Endpoint, Peer, Ticket, Voter, endpoint_named
from metaquorum.quorum.voters import VoterSet


def send_due(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """Send what the present role has to say to every peer that is ready for it."""
    if replica.shutdown_deadline is not None:
        hand_over(replica, now, out)
    role = replica.role
    _OF_ROLES[type(role)](replica, role, now, out)
    if replica.shutdown_deadline is not None:
        finish_shutdown(replica, now, out)


def _ask_for_votes(
    replica: ReplicaState, role: Prospective | Candidate, now: Millis, out: list[Effect]
) -> None:
    pre_vote = isinstance(role, Prospective)
    if role.ballot.is_lost:
        return
    for voter in _ready(replica, role.ballot.unanswered, role.ballot.voters, now):
        request = VoteRequest(
            replica.election.epoch,
            replica.config.key,
            replica.log.end_id,
            pre_vote,
            voter.key,
        )
        replica.send(_peer(replica, voter), request, now, out)


def _announce(replica: ReplicaState, role: Leader, now: Millis, out: list[Effect]) -> None:
    if not role.to_tell:
        return  # as after most steps of a leader
    for voter in _ready(replica, role.to_tell, replica.voters.latest, now):
        request = BeginEpochRequest(
            replica.election.epoch,
            replica.config.node_id,
            replica.config.endpoints,
            voter.key,
        )
        replica.send(_peer(replica, voter), request, now, out)


def _end_epoch(replica: ReplicaState, role: Resigned, now: Millis, out: list[Effect]) -> None:
    for voter in _ready(replica, role.to_tell, replica.voters.latest, now):
        request = EndEpochRequest(
            replica.election.epoch,
            replica.config.node_id,
            role.candidates,
            replica.config.endpoints,
        )
        replica.send(_peer(replica, voter), request, now, out)


def _copy(replica: ReplicaState, role: Follower, now: Millis, out: list[Effect]) -> None:
    """Fetch from the leader; from a bootstrap server while the leader does not answer."""
    if replica.peers.any_in_flight() or is_installing(replica):
        return
    of_leader = replica.peers.of(role.leader_id)
    silent, is_ready = of_leader.timed_out, of_leader.ready_at <= now  # nothing is in flight
    if (silent or not is_ready) and replica.config.bootstrap:
        if silent:
            replica.peers = replica.peers.answered(role.leader_id)
        _ask_bootstrap(replica, role, now, out)
        return
    if not is_ready:
        return
    leader = Peer(role.leader_id, _endpoint(replica, role.endpoints))
    if role.update_due:
        replica.send(leader, update_request(replica), now, out, after=promised(replica))
        return
    download = download_under_way(replica)
    if download is None:
        replica.send(leader, _fetch(replica), now, out, after=promised(replica))
        return
    request = FetchSnapshotRequest(
        replica.config.key,
        replica.election.epoch,
        download.id,
        download.position,
        replica.config.snapshot_max_bytes,
    )
    replica.send(leader, request, now, out)


def _look_for_leader(
    replica: ReplicaState, role: Unattached, now: Millis, out: list[Effect]
) -> None:
    """The only voter asks nobody: there is no leader but itself."""
    alone = replica.voters.latest.is_only_voter(replica.config.key)
    if not alone and not replica.peers.any_in_flight():
        _ask_bootstrap(replica, role, now, out)


_OF_ROLES: dict[type, Callable[[ReplicaState, Any, Millis, list[Effect]], None]] = {
    Prospective: _ask_for_votes,
    Candidate: _ask_for_votes,
    Leader: _announce,
    Resigned: _end_epoch,
    Follower: _copy,
    Unattached: _look_for_leader,
}


def _ask_bootstrap(
    replica: ReplicaState, role: Unattached | Follower, now: Millis, out: list[Effect]
) -> None:
    """Ask the next bootstrap server that is ready and not this node itself."""
    servers, is_ready = replica.config.bootstrap_peers, replica.peers.is_ready
    count = len(servers)
    for step in range(count):
        at = (role.next_bootstrap + step) % count
        peer = servers[at]
        if peer is None or not is_ready(peer.id, now):
            continue
        replica.role = role.asking((at + 1) % count)
        replica.send(peer, _fetch(replica), now, out, after=promised(replica))
        return


def _fetch(replica: ReplicaState) -> FetchRequest:
    known = replica.log.high_watermark
    return FetchRequest(
        replica=replica.config.key,
        epoch=replica.election.epoch,
        offset=replica.log.end,
        last_epoch=replica.log.last_epoch,
        max_wait_ms=replica.config.news_wait_ms,
        max_bytes=replica.config.fetch_max_bytes,
        high_watermark=NO_OFFSET if known is None else known,
    )


def promised(replica: ReplicaState) -> Ticket:
    """What a fetch at our log end waits for: the leader counts it as durable (KAFKA-10533)."""
    return replica.log_ticket


def _ready(
    replica: ReplicaState, ids: Iterable[NodeId], voters: VoterSet, now: Millis
) -> Iterator[Voter]:
    """The voters of these ids that a request may be sent to now."""
    for voter_id in ids:
        voter = voters.by_id(voter_id)
        is_other = voter_id != replica.config.node_id
        if voter is not None and is_other and replica.peers.is_ready(voter_id, now):
            yield voter


def _peer(replica: ReplicaState, voter: Voter) -> Peer:
    return Peer(voter.id, _endpoint(replica, voter.endpoints))


def _endpoint(replica: ReplicaState, endpoints: tuple[Endpoint, ...]) -> Endpoint | None:
    return endpoint_named(endpoints, replica.config.controller_listener)
