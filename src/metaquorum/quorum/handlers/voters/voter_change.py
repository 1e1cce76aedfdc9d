"""AddRaftVoter, RemoveRaftVoter, UpdateRaftVoter: one change of the voters at a time (KIP-853).

The checks come in Kafka's order. A change counts from its append on, for votes, watermark and
check quorum alike; its answer waits for the commit. REQUEST_TIMED_OUT means "ask again": a record
that was appended is not taken back and may still be committed.
"""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.base.limits import (
    CAUGHT_UP_WITHIN_MS,
    MAX_ENDPOINTS_PER_VOTER,
    MAX_HOST_CHARS,
    MAX_VOTERS,
)
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.election.follower_contact import heard_from
from metaquorum.quorum.handlers.guards import leader_only
from metaquorum.quorum.handlers.voter_answer import finish_change
from metaquorum.quorum.handlers.voters.voter_append import append_voters
from metaquorum.quorum.messages import (
    DUPLICATE_VOTER,
    INVALID_REQUEST,
    NONE,
    REQUEST_TIMED_OUT,
    UNSUPPORTED_VERSION,
    VOTER_NOT_FOUND,
    AddVoterRequest,
    ApiVersionsRequest,
    ApiVersionsResponse,
    RemoveVoterRequest,
    UpdateVoterRequest,
    VoterChangeResponse,
)
from metaquorum.quorum.roles.leader import Leader, VoterChange
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import (
    Endpoint,
    Peer,
    ReplicaKey,
    RequestId,
    Voter,
    VotersControl,
    endpoint_named,
)

Refusal = tuple[int, str]

FINE: Refusal = (NONE, "")


def on_add_voter(
    replica: ReplicaState,
    request_id: RequestId,
    message: AddVoterRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Ask the new voter which versions it can do; all else follows from its answer."""
    error, text = _add_refusal(replica, message, now)
    role = replica.role
    if error != NONE or not isinstance(role, Leader):
        replica.answer(request_id, VoterChangeResponse(error, replica.hint, text), out)
        return
    change = VoterChange(
        "add",
        now + replica.config.request_timeout_ms,
        request_id,
        Voter(message.key, message.endpoints),
        ack_when_committed=message.ack_when_committed,
    )
    replica.role = evolve(role, change=change)
    endpoint = endpoint_named(message.endpoints, replica.config.controller_listener)
    replica.send(Peer(message.key.id, endpoint), ApiVersionsRequest(), now, out)


def _add_refusal(replica: ReplicaState, message: AddVoterRequest, now: Millis) -> Refusal:
    error = leader_only(replica, replica.election.epoch)
    role = replica.role
    if error != NONE or not isinstance(role, Leader):
        return error, ""
    refusal = _wrong_key(message.key)
    if refusal == FINE:
        refusal = _wrong_endpoints(replica, message.endpoints)
    if refusal == FINE:
        refusal = _not_now(replica, role)
    if refusal != FINE:
        return refusal
    voters = replica.voters.latest
    if voters.by_id(message.key.id) is not None:
        return DUPLICATE_VOTER, f"node {message.key.id} is a voter already; the voters: {voters}"
    if len(voters) >= MAX_VOTERS:
        return INVALID_REQUEST, f"there are {len(voters)} voters, which is as many as there may be"
    if message.key.id == replica.config.node_id or not replica.peers.is_ready(message.key.id, now):
        return REQUEST_TIMED_OUT, f"node {message.key.id} cannot be asked for its versions yet"
    return FINE


def _wrong_key(key: ReplicaKey) -> Refusal:
    if key.id < 0:
        return INVALID_REQUEST, f"{key.id} is no node id"
    if key.directory_id is None:
        return INVALID_REQUEST, f"no directory id was given for node {key.id}"
    return FINE


def _wrong_endpoints(replica: ReplicaState, endpoints: tuple[Endpoint, ...]) -> Refusal:
    listener = replica.config.controller_listener
    names = [one.listener.upper() for one in endpoints]
    if listener.upper() not in names:
        return INVALID_REQUEST, f"no endpoint was given for the listener {listener}"
    if len(set(names)) < len(names) or len(names) > MAX_ENDPOINTS_PER_VOTER:
        return INVALID_REQUEST, "a listener is named twice, or there are too many"
    if any(not one.host for one in endpoints):
        return INVALID_REQUEST, "an endpoint has no host"
    if any(max(len(one.host), len(one.listener)) > MAX_HOST_CHARS for one in endpoints):
        return INVALID_REQUEST, f"the names of endpoints have {MAX_HOST_CHARS} characters at most"
    return FINE


def _not_now(replica: ReplicaState, role: Leader) -> Refusal:
    """Whether another change has to come to its end first, or this epoch to its beginning."""
    if role.change is not None:
        return REQUEST_TIMED_OUT, "another change of the voters is under way"
    if replica.shown_high_watermark < 0:
        epoch = replica.election.epoch
        return REQUEST_TIMED_OUT, f"nothing of epoch {epoch} is committed yet"
    history = replica.voters
    if history.kraft_version < 1:
        return UNSUPPORTED_VERSION, "kraft.version 0 knows no voter changes; upgrade it to 1"
    if history.latest_offset is None or history.latest_offset >= replica.shown_high_watermark:
        at = history.latest_offset
        return REQUEST_TIMED_OUT, f"the voters at offset {at} are not committed yet"
    return FINE


def on_api_versions_answer(
    replica: ReplicaState,
    peer_id: int,
    request: ApiVersionsRequest,
    message: ApiVersionsResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """The new voter answered with its versions: append it, if it is close behind us too."""
    change = _asked(replica, peer_id)
    if change is None or change.voter is None:
        return
    error, text = _unfit(replica, change.voter, message, now)
    if error != NONE:
        finish_change(replica, error, out, text)
        return
    lowest, highest = message.kraft_versions or (0, 0)
    voter = evolve(change.voter, lowest_kraft_version=lowest, highest_kraft_version=highest)
    voters = replica.voters.latest.with_voter(voter)
    append_voters(replica, (VotersControl(voters.voters),), change, now, out)


def _unfit(
    replica: ReplicaState, voter: Voter, message: ApiVersionsResponse, now: Millis
) -> Refusal:
    if message.error != NONE:
        text = f"node {voter.id} answered ApiVersions with error {message.error}"
        return REQUEST_TIMED_OUT, text
    level = replica.voters.kraft_version
    if message.kraft_versions is None:
        return INVALID_REQUEST, f"node {voter.id} does not support kraft.version at all"
    lowest, highest = message.kraft_versions
    if not lowest <= level <= highest:
        text = f"node {voter.id} supports kraft.version {lowest} to {highest}, {level} is finalized"
        return INVALID_REQUEST, text
    if not _is_caught_up(replica, voter.key, now):
        return REQUEST_TIMED_OUT, f"node {voter.id} does not fetch or is still behind"
    return FINE


def _is_caught_up(replica: ReplicaState, key: ReplicaKey, now: Millis) -> bool:
    """Whether this very replica had our whole log once, and has fetched within the hour."""
    role = replica.role
    if not isinstance(role, Leader):
        return False
    progress = role.progress.replicas.get(key)
    if progress is None or progress.last_caught_up_ms < 0:
        return False
    return now - progress.last_fetch_ms < CAUGHT_UP_WITHIN_MS


def add_failed(replica: ReplicaState, peer_id: int, why: str, out: list[Effect]) -> None:
    """The new voter could not be asked."""
    if _asked(replica, peer_id) is not None:
        text = f"node {peer_id} cannot be asked for its versions: {why}"
        finish_change(replica, REQUEST_TIMED_OUT, out, text)


def _asked(replica: ReplicaState, peer_id: int) -> VoterChange | None:
    """The addition that waits for what this node can do."""
    role = replica.role
    change = role.change if isinstance(role, Leader) else None
    if change is None or change.offset is not None or change.voter is None:
        return None
    return change if change.voter.id == peer_id else None


def on_remove_voter(
    replica: ReplicaState,
    request_id: RequestId,
    message: RemoveVoterRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Append the voters without it. A leader that removes itself leads on until the commit."""
    error, text = _remove_refusal(replica, message)
    if error != NONE:
        replica.answer(request_id, VoterChangeResponse(error, replica.hint, text), out)
        return
    voters = replica.voters.latest.without(message.key)
    change = VoterChange("remove", now + replica.config.request_timeout_ms, request_id)
    append_voters(replica, (VotersControl(voters.voters),), change, now, out)


def _remove_refusal(replica: ReplicaState, message: RemoveVoterRequest) -> Refusal:
    error = leader_only(replica, replica.election.epoch)
    role = replica.role
    if error != NONE or not isinstance(role, Leader):
        return error, ""
    refusal = _wrong_key(message.key)
    if refusal == FINE:
        refusal = _not_now(replica, role)
    if refusal != FINE:
        return refusal
    voters, key = replica.voters.latest, message.key
    if key not in voters.keys:
        return VOTER_NOT_FOUND, f"node {key.id} with that directory is no voter of {voters}"
    if len(voters) == 1:
        return VOTER_NOT_FOUND, f"node {key.id} is the last voter and stays one"
    return FINE


def on_update_voter(
    replica: ReplicaState,
    request_id: RequestId,
    message: UpdateVoterRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """A voter listens elsewhere, or can do more than it could. Answered before the commit."""
    error, text = _update_refusal(replica, message)
    role = replica.role
    if error == NONE and isinstance(role, Leader):
        heard_from(replica, message.key, now)
        _take_update(replica, message, now, out)
    replica.answer(request_id, VoterChangeResponse(error, replica.hint, text), out)


def _take_update(
    replica: ReplicaState, message: UpdateVoterRequest, now: Millis, out: list[Effect]
) -> None:
    role, history = replica.role, replica.voters
    if not isinstance(role, Leader):
        return
    lowest, highest = message.lowest_kraft_version, message.highest_kraft_version
    voter = Voter(message.key, message.endpoints, lowest, highest)
    if history.kraft_version < 1:
        others = tuple(one for one in role.reported if one.id != voter.id)
        reported = tuple(sorted((*others, voter), key=lambda one: one.id))
        replica.role = evolve(role, reported=reported)
        return
    stored = history.latest.by_id(voter.id)
    if stored is not None and stored.says_the_same(voter):
        return  # nothing new: Kafka appends the same voters once more
    voters = history.latest.with_voter(voter)
    append_voters(replica, (VotersControl(voters.voters),), None, now, out)


def _update_refusal(replica: ReplicaState, message: UpdateVoterRequest) -> Refusal:
    error = leader_only(replica, message.epoch)
    role = replica.role
    if error != NONE or not isinstance(role, Leader):
        return error, ""
    lowest, highest = message.lowest_kraft_version, message.highest_kraft_version
    refusal = _wrong_key(message.key)
    if refusal == FINE:
        refusal = _wrong_endpoints(replica, message.endpoints)
    if refusal == FINE and not 0 <= lowest <= highest:
        refusal = INVALID_REQUEST, f"{lowest} to {highest} is no range of kraft.version"
    if refusal == FINE:
        refusal = _not_now(replica, role)
        if refusal[0] == UNSUPPORTED_VERSION:
            refusal = FINE  # kept in memory until an upgrade (KAFKA-16538)
    if refusal != FINE:
        return refusal
    level = replica.voters.kraft_version
    if level >= 1 and not lowest <= level <= highest:
        return INVALID_REQUEST, f"kraft.version {level} is finalized, not in {lowest} to {highest}"
    if not replica.voters.latest.is_voter(message.key):
        return VOTER_NOT_FOUND, f"node {message.key.id} with that directory is no voter"
    return FINE
