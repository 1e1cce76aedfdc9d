"""The voters of a recovery: who the last ones were, who the new ones are, and the way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.limits import MAX_VOTERS
from metaquorum.base.offsets import Epoch
from metaquorum.quorum.types import ReplicaKey, Voter
from metaquorum.quorum.voters import VoterSet
from metaquorum.recover.history import History
from metaquorum.recover.survey import Survey
from metaquorum.recover.wishes import NewVoter, Wishes, ids_text
from metaquorum.storage.quorum_state import ElectionStateData


def last_voters(surveys: Sequence[Survey], history: History) -> tuple[tuple[Voter, ...], int]:
    """The last voters that the history names, and its kraft.version; OperatorError without any."""
    records = [
        seen
        for one in surveys
        for seen in one.voters
        if seen.offset < 0 or history.holds(seen.offset + 1, seen.epoch)
    ]
    if records:
        newest = max(records, key=lambda seen: seen.offset)
        return VoterSet(newest.voters).voters, 1
    leaders = [
        seen
        for one in surveys
        for seen in one.leaders
        if history.holds(seen.offset + 1, seen.epoch)
    ]
    if leaders:
        ids = max(leaders, key=lambda seen: seen.offset).voters
        return VoterSet(tuple(Voter(ReplicaKey(one)) for one in ids)).voters, 0
    for one in sorted(surveys, key=lambda one: one.end, reverse=True):
        if one.election is not None and one.election.voters:
            return VoterSet(tuple(Voter(ReplicaKey(v)) for v in one.election.voters)).voters, 0
    raise OperatorError("no disk says who the voters were: survey the disk of another controller")


def surveys_of(voter: Voter, surveys: Sequence[Survey], wishes: Wishes) -> tuple[int, ...]:
    """The surveys of a voter's disk. One that has lost its identity is who it was said to be."""
    same_disk = voter.id in wishes.same_disks
    return tuple(
        at
        for at, one in enumerate(surveys)
        if one.key is not None
        and (
            voter.key.covers(one.key)
            or (one.node_id == voter.id and (one.directory_id is None or same_disk))
        )
    )


def new_voters(
    surveys: Sequence[Survey],
    wishes: Wishes,
    last: Sequence[Voter],
    kraft_version: int,
    draw_uuid: Callable[[], Uuid],
) -> tuple[Voter, ...]:
    known = {one.id: one for one in last}
    asked = wishes.voters
    if asked is None:
        there = {one.node_id for one in surveys}
        asked = tuple(
            NewVoter(one.id, one.endpoints[0] if one.endpoints else None)
            for one in last
            if one.id in there
        )
    if not asked or len(asked) > MAX_VOTERS:
        raise OperatorError(
            f"{len(asked)} new voters, 1 to {MAX_VOTERS} there may be: name them with "
            "--voters ID@HOST:PORT,..."
        )
    ids = [one.node_id for one in asked]
    if len(set(ids)) < len(ids):
        raise OperatorError(f"--voters names a node twice: {ids_text(sorted(ids))}")
    return VoterSet(
        tuple(
            _new_voter(
                one, surveys, known.get(one.node_id), kraft_version, draw_uuid, wishes.only_names
            )
            for one in asked
        )
    ).voters


def _new_voter(
    wanted: NewVoter,
    surveys: Sequence[Survey],
    before: Voter | None,
    kraft_version: int,
    draw_uuid: Callable[[], Uuid],
    only_names: bool,
) -> Voter:
    if kraft_version and wanted.endpoint is None:
        raise OperatorError(
            f"where voter {wanted.node_id} listens is not known: say it with "
            "--voters ID@HOST:PORT,..."
        )
    own = [one for one in surveys if one.node_id == wanted.node_id]
    ids = [one.directory_id for one in own if one.directory_id is not None]
    known = None if before is None else before.key.directory_id
    if not ids and known is not None and (own or only_names):
        ids = [known]  # the disk is there, and has at most lost its name
    endpoints = () if wanted.endpoint is None else (wanted.endpoint,)
    key = ReplicaKey(wanted.node_id, ids[0] if ids else draw_uuid())
    return Voter(key, endpoints, 0, 1)


def voter_steps(last: tuple[Voter, ...], new: tuple[Voter, ...]) -> tuple[tuple[Voter, ...], ...]:
    """Voter sets from the last one to the new one; each adds at most one and removes at most one.

    Kafka's nodes, and ours, refuse a log in which two neighbouring sets differ by more.
    """
    wanted = VoterSet(new)
    now = VoterSet(last)
    steps: list[tuple[Voter, ...]] = []
    while now.keys != wanted.keys:
        gone = [one for one in now if one.key not in wanted.keys]
        come = [one for one in wanted if one.key not in now.keys]
        same_id = [one for one in gone if come and one.id == come[0].id]
        leaving = (same_id or gone)[:1]
        if come and not leaving and len(now) == 0:
            now = VoterSet((come[0],))
        else:
            left = [one for one in now if one not in leaving]
            free = [one for one in come if all(other.id != one.id for other in left)]
            now = VoterSet((*left, *free[:1]))
        steps.append(now.voters)
    if not steps or steps[-1] != wanted.voters:
        steps.append(wanted.voters)
    return tuple(steps)


def election_on_paper(
    voter: Voter, leader_id: NodeId, epoch: Epoch, kraft_version: int, voters: Sequence[Voter]
) -> ElectionStateData:
    """The quorum-state of a new voter: it led the fresh epoch, or voted for who did."""
    leads = voter.id == leader_id
    leader = next(one for one in voters if one.id == leader_id)
    return ElectionStateData(
        epoch=epoch,
        leader_id=leader_id if leads else None,
        voted_id=None if leads else leader_id,
        voted_directory_id=leader.key.directory_id if kraft_version and not leads else None,
        voters=() if kraft_version else tuple(one.id for one in voters),
        data_version=1 if kraft_version else 0,
    )


def leader_of(surveys: Sequence[Survey], history: History, voters: Sequence[Voter]) -> NodeId:
    """The new voter whose own disk has the end of the history; any that was surveyed, or any."""
    ids = {one.id for one in voters}
    preferred = [surveys[one.survey].node_id for one in reversed(history.pieces)]
    preferred += [one.node_id for one in surveys]
    return next((one for one in preferred if one is not None and one in ids), voters[0].id)
