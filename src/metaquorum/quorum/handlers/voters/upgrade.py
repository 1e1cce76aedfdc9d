"""kraft.version: finalizing a higher level, from static voters to voters in the log (KIP-853)."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.guards import leader_only
from metaquorum.quorum.handlers.voters.voter_append import append_voters
from metaquorum.quorum.messages import (
    INVALID_UPDATE_VERSION,
    NONE,
    REQUEST_TIMED_OUT,
    UpgradeRequest,
    VoterChangeResponse,
)
from metaquorum.quorum.roles.leader import Leader, VoterChange
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import (
    HIGHEST_KRAFT_VERSION,
    KRaftVersionControl,
    RequestId,
    Voter,
    VotersControl,
)


def on_upgrade(
    replica: ReplicaState,
    request_id: RequestId,
    message: UpgradeRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Write version and voters in one batch: nobody may ever see one without the other."""
    error, text = _refusal(replica, message)
    done = error != NONE or message.validate_only
    if done or message.level == replica.voters.kraft_version:
        replica.answer(request_id, VoterChangeResponse(error, replica.hint, text), out)
        return
    voters, _ = _reported(replica)
    change = VoterChange("upgrade", now + replica.config.request_timeout_ms, request_id)
    values = (KRaftVersionControl(message.level), VotersControl(voters))
    append_voters(replica, values, change, now, out)


def _refusal(replica: ReplicaState, message: UpgradeRequest) -> tuple[int, str]:
    epoch = replica.election.epoch if message.epoch is None else message.epoch
    error = leader_only(replica, epoch)
    role = replica.role
    if error != NONE or not isinstance(role, Leader):
        return error, ""
    level, current = message.level, replica.voters.kraft_version
    if not 0 <= level <= HIGHEST_KRAFT_VERSION:
        text = f"kraft.version {level} is unknown here; the highest is {HIGHEST_KRAFT_VERSION}"
        return INVALID_UPDATE_VERSION, text
    if level < current:
        return INVALID_UPDATE_VERSION, f"kraft.version does not go from {current} back to {level}"
    if role.change is not None or replica.shown_high_watermark < 0:
        text = "another change is under way, or nothing of this epoch is committed yet"
        return REQUEST_TIMED_OUT, text
    written = replica.voters.version_offset
    if written is not None and written >= replica.shown_high_watermark:
        return REQUEST_TIMED_OUT, f"kraft.version {current} is written but not committed yet"
    if level == current:
        return NONE, ""
    _, missing = _reported(replica)
    return (INVALID_UPDATE_VERSION, missing) if missing else (NONE, "")


def _reported(replica: ReplicaState) -> tuple[tuple[Voter, ...], str]:
    """The static voters with directory and range as each has reported; who has not, or cannot."""
    role = replica.role
    reports = role.reported if isinstance(role, Leader) else ()
    known = {voter.id: voter for voter in (*reports, replica.config.as_voter)}
    found: list[Voter] = []
    silent: list[int] = []
    unable: list[int] = []
    for voter in replica.voters.latest:
        reported = known.get(voter.id)
        if reported is None or reported.key.directory_id is None or not reported.endpoints:
            silent.append(voter.id)
        elif not reported.lowest_kraft_version <= 1 <= reported.highest_kraft_version:
            unable.append(voter.id)
        else:
            found.append(reported)
    if unable:
        return (), f"not all voters support kraft.version 1: {unable} do not"
    if silent:
        return (), f"these voters have not told their directory yet: {silent}"
    return tuple(found), ""
