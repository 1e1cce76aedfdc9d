"""From surveys to a plan: which log, which voters, what is lost; and when there must be none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from attrs import evolve, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NodeId, Uuid, uuid_text
from metaquorum.base.limits import LAST_EPOCH, MAX_VOTERS
from metaquorum.base.offsets import Offset
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.quorum.voters import VoterSet
from metaquorum.recover.history import (
    History,
    best_history,
    parting,
    proven_committed,
    same_epoch_difference,
)
from metaquorum.recover.plan import Loss, NodePlan, Other, Plan, Source
from metaquorum.recover.survey import Change, DamageKind, Survey
from metaquorum.storage.quorum_state import ElectionStateData

EPOCH_STEP: Final = 1_000
"""How far the fresh epoch is above all that were seen: disks that are lost may have seen more."""
MAX_SURVEYS: Final = 100
A_MAJORITY_IS_THERE: Final = "a majority is there"
_HARMLESS: Final = (DamageKind.UNFINISHED, DamageKind.INDEX, DamageKind.SNAPSHOT)


@frozen
class NewVoter:
    """A voter as it was asked for; the endpoint is None for static voters."""

    node_id: NodeId
    endpoint: Endpoint | None


@frozen(kw_only=True)
class Wishes:
    """What the operator says beside the surveys.

    ``stale`` are the numbers of surveys whose disks may lack what they once had: restored from an
    older copy, or repaired. ``same_disks`` are nodes whose directory id is another one now, on the
    disk that they always had. With ``only_names`` nothing may be lost, and voters that were not
    surveyed keep their disks. ``although`` are the objections that were taken back in words.
    """

    voters: tuple[NewVoter, ...] | None = None
    stale: frozenset[int] = frozenset()
    same_disks: frozenset[NodeId] = frozenset()
    only_names: bool = False
    cluster_id: str | None = None
    although: frozenset[str] = field(factory=frozenset)


def make_plan(
    surveys: Sequence[Survey],
    wishes: Wishes,
    now_ms: Millis,
    plan_id: str,
    draw_uuid: Callable[[], Uuid],
) -> Plan:
    """The plan for these disks; OperatorError says why there is none."""
    if not surveys or len(surveys) > MAX_SURVEYS:
        raise OperatorError(f"{len(surveys)} surveys, 1 to {MAX_SURVEYS} are read")
    cluster_id = _cluster_id(surveys, wishes)
    stale = wishes.stale | _overtaken(surveys)
    _check_told_apart(surveys, stale)
    _check_one_history(surveys)
    history = best_history(surveys)
    last, kraft_version = last_voters(surveys, history)
    covering = {one.id: _surveys_of(one, surveys, wishes) for one in last}
    counted = tuple(
        one.id
        for one in last
        if any(at not in stale and surveys[at].shows_its_end for at in covering[one.id])
    )
    has_majority = len(counted) * 2 > len(last)
    if wishes.only_names:
        _check_nothing_is_lost(history, last, counted, has_majority=has_majority)
    elif has_majority and A_MAJORITY_IS_THERE not in wishes.although:
        _check_lost(surveys, last, covering, stale)
    voters = _new_voters(surveys, wishes, last, kraft_version, draw_uuid)
    epoch = max(one.highest_epoch for one in surveys) + EPOCH_STEP
    if epoch > LAST_EPOCH:
        raise OperatorError(f"epoch {epoch - EPOCH_STEP} was seen: no higher one can follow")
    leader_id = _leader(surveys, history, voters)
    nodes = tuple(
        _node_plan(one, leader_id, epoch, kraft_version, voters, surveys, stale, history)
        for one in voters
        if not wishes.only_names or any(one.id == there.node_id for there in surveys)
    )
    return Plan(
        plan_id=plan_id,
        created_ms=now_ms,
        cluster_id=cluster_id,
        kraft_version=kraft_version,
        epoch=epoch,
        leader_id=leader_id,
        last_voters=last,
        voters=voters,
        steps=voter_steps(last, voters) if kraft_version else (),
        sources=tuple(
            Source(one.name, one.directory, one.node_id, one.fingerprint, one.taken_ms)
            for one in surveys
        ),
        history=history,
        loss=_loss(surveys, history, len(last), counted, has_majority=has_majority),
        counted=counted,
        others=_others(surveys, history, covering),
        nodes=nodes,
        notes=_notes(surveys, stale, wishes.stale),
    )


# What must not be planned for.


def _cluster_id(surveys: Sequence[Survey], wishes: Wishes) -> str:
    known = wishes.cluster_id
    first = "--cluster-id"
    for one in surveys:
        if one.cluster_id is None:
            continue
        if known is not None and known != one.cluster_id:
            raise OperatorError(
                f"{one.name} is of cluster {one.cluster_id}, {first} says {known}: "
                "leave out the disk of the other cluster"
            )
        known, first = one.cluster_id, one.name
    if known is None:
        raise OperatorError(
            "no disk says which cluster it is of: give its id with --cluster-id ID; clients and "
            "brokers' meta.properties know it"
        )
    return known


def _check_told_apart(surveys: Sequence[Survey], stale: frozenset[int]) -> None:
    """OperatorError for two surveys of one disk, unless one of them is of an older copy."""
    seen: dict[tuple[NodeId, Uuid | None], str] = {}
    for at, one in enumerate(surveys):
        if one.node_id is None or at in stale:
            continue
        key = (one.node_id, one.directory_id)
        if key in seen:
            raise OperatorError(
                f"{one.name} and {seen[key]} are surveys of one replica: leave out the older one, "
                "or name it with --stale if it is of a copy"
            )
        seen[key] = one.name


def _check_one_history(surveys: Sequence[Survey]) -> None:
    found = same_epoch_difference(surveys)
    if found is not None:
        one, other, offset = found
        raise OperatorError(
            f"{surveys[one].name} and {surveys[other].name} have different records of one epoch "
            f"from offset {offset} on: they are of two clusters, or one of them was forced to lead "
            "before. Leave one of them out"
        )


def _check_lost(
    surveys: Sequence[Survey],
    last: Sequence[Voter],
    covering: dict[NodeId, tuple[int, ...]],
    stale: frozenset[int],
) -> None:
    """OperatorError where the disks of a majority could simply be started."""
    sound = [
        one.id
        for one in last
        if any(at not in stale and _can_start(surveys[at]) for at in covering[one.id])
    ]
    if len(sound) * 2 > len(last):
        raise OperatorError(
            f"the disks of voters {_listed(sound)} are there and whole, and they are a majority of "
            f"{_listed([one.id for one in last])}: start these nodes, and the quorum lives. Where "
            "only names, ports or directory ids changed, `metaquorum recover endpoints` is the "
            f'short way. To plan all the same, say --although "{A_MAJORITY_IS_THERE}"'
        )


def _check_nothing_is_lost(
    history: History, last: Sequence[Voter], counted: Sequence[NodeId], *, has_majority: bool
) -> None:
    """OperatorError where it is not names alone that changed."""
    if not has_majority:
        raise OperatorError(
            f"the disks of voters {_listed(counted) or 'none'} are there and show all that they "
            f"held, and a majority of {_listed([one.id for one in last])} is needed for names "
            "alone to have changed: survey more of them, or use `metaquorum recover plan`, which "
            "says what is lost"
        )
    if history.kept_from_damage is not None:
        raise OperatorError(
            f"from offset {history.kept_from_damage} on something is broken on every replica: use "
            "`metaquorum recover plan`, which says what is lost"
        )


def _can_start(survey: Survey) -> bool:
    return all(one.kind in _HARMLESS for one in survey.damages)


def _overtaken(surveys: Sequence[Survey]) -> frozenset[int]:
    """Surveys of disks that have forgotten a vote of theirs that another log tells of."""
    votes = {
        (node_id, leader.epoch)
        for one in surveys
        for leader in one.leaders
        for node_id in leader.granting
    }
    return frozenset(
        at
        for at, one in enumerate(surveys)
        if one.election is not None
        for node_id, epoch in votes
        if node_id == one.node_id and epoch > one.election.epoch
    )


# Voters.


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


def _surveys_of(voter: Voter, surveys: Sequence[Survey], wishes: Wishes) -> tuple[int, ...]:
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


def _new_voters(
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
        raise OperatorError(f"--voters names a node twice: {_listed(sorted(ids))}")
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


def _leader(surveys: Sequence[Survey], history: History, voters: Sequence[Voter]) -> NodeId:
    """The new voter whose own disk has the end of the history; any that was surveyed, or any."""
    ids = {one.id for one in voters}
    preferred = [surveys[one.survey].node_id for one in reversed(history.pieces)]
    preferred += [one.node_id for one in surveys]
    return next((one for one in preferred if one is not None and one in ids), voters[0].id)


def _node_plan(
    voter: Voter,
    leader_id: NodeId,
    epoch: int,
    kraft_version: int,
    voters: Sequence[Voter],
    surveys: Sequence[Survey],
    stale: frozenset[int],
    history: History,
) -> NodePlan:
    """The leader gets the whole history; others keep their own log where it can be read at all."""
    own = [at for at, one in enumerate(surveys) if one.node_id == voter.id]
    own.sort(key=lambda at: (at in stale, -surveys[at].taken_ms))
    source = own[0] if own else None
    leads = voter.id == leader_id
    leader = next(one for one in voters if one.id == leader_id)
    election = ElectionStateData(
        epoch=epoch,
        leader_id=leader_id if leads else None,
        voted_id=None if leads else leader_id,
        voted_directory_id=leader.key.directory_id if kraft_version and not leads else None,
        voters=() if kraft_version else tuple(one.id for one in voters),
        data_version=1 if kraft_version else 0,
    )
    kept = None if leads or source is None else _own_history(surveys[source], source)
    assert voter.key.directory_id is not None
    return NodePlan(
        voter.id,
        voter.key.directory_id,
        source,
        kept or history,
        kept is None,
        election,
    )


def _own_history(survey: Survey, number: int) -> History | None:
    """A replica's own log, if nothing is broken in it; else it gets that of the leader."""
    try:
        found = best_history([survey])
    except OperatorError:
        return None
    if found.kept_from_damage is not None:
        return None
    return evolve(
        found,
        base=None if found.base is None else evolve(found.base, survey=number),
        pieces=tuple(evolve(one, survey=number) for one in found.pieces),
    )


# What is lost, and what is dropped.


def _loss(
    surveys: Sequence[Survey],
    history: History,
    voters: int,
    counted: tuple[NodeId, ...],
    *,
    has_majority: bool,
) -> Loss:
    proof = proven_committed(history, surveys)
    broken = history.kept_from_damage
    if has_majority and broken is None:
        why = f"{len(counted)} of the {voters} last voters show all that they held, a majority"
        return Loss(None, why, proof)
    if has_majority and broken is not None:
        bound = min(max(broken, proof.end), history.end.offset)
        why = f"no replica has what is broken from offset {broken} on"
    else:
        bound = proof.end
        why = (
            f"{len(counted)} of the {voters} last voters show all that they held, which is no "
            f"majority; that all below {bound} was committed is known because {proof.why}"
        )
    beyond, listed_from = _changes_between(surveys, history, bound, history.end.offset)
    return Loss(bound, why, proof, beyond, listed_from)


def _changes_between(
    surveys: Sequence[Survey], history: History, start: Offset, end: Offset
) -> tuple[tuple[Change, ...], Offset]:
    """What the history's records change from ``start`` on, and from where on all are told."""
    told: dict[tuple[Offset, str], Change] = {}
    listed_from = end
    for survey in surveys:
        here = [
            one
            for one in survey.changes
            if start <= one.offset < end and history.holds(one.offset + 1, one.epoch)
        ]
        told |= {(one.offset, one.words): one for one in here}
        if parting(history, survey).at >= end:
            listed_from = min(listed_from, max(start, survey.changes_from))
    return tuple(sorted(told.values(), key=lambda one: one.offset)), listed_from


def _others(
    surveys: Sequence[Survey], history: History, covering: dict[NodeId, tuple[int, ...]]
) -> tuple[Other, ...]:
    voters = {at for numbers in covering.values() for at in numbers}
    found = []
    for at, survey in enumerate(surveys):
        parted = parting(history, survey)
        if parted.end <= parted.at and survey.end.offset == history.end.offset:
            continue
        dropped = tuple(one for one in survey.changes if one.offset >= parted.at)
        instead: tuple[Change, ...] = ()
        if parted.end > parted.at:
            instead, _ = _changes_between(surveys, history, parted.at, history.end.offset)
        else:
            dropped = ()
        found.append(
            Other(
                at,
                at in voters,
                parted.at,
                parted.end,
                dropped,
                max(parted.at, survey.changes_from),
                instead,
            )
        )
    return tuple(found)


def _notes(
    surveys: Sequence[Survey], stale: frozenset[int], said: frozenset[int]
) -> tuple[str, ...]:
    notes = []
    for at, one in enumerate(surveys):
        if one.is_running:
            notes.append(
                f"{one.name} was running when it was surveyed: stop it and survey it again, or "
                "apply will refuse it"
            )
        if at in stale and at not in said:
            notes.append(
                f"{one.name} does not know of a vote of its own that another log tells of: its "
                "disk is an older copy, and is not counted"
            )
        if not one.shows_its_end:
            places = [
                bad for bad in one.damages if bad.kind in (DamageKind.TAIL, DamageKind.BEHIND)
            ]
            notes.append(
                f"{one.name} may have held more than can be seen, and is not counted: "
                f"{places[0].file}: {places[0].why}"
            )
        if one.directory_id is not None and one.key is not None:
            continue
        if one.node_id is not None:
            notes.append(f"{one.name} has no identity of its own; it was said to be that node")
    return tuple(notes)


def _listed(ids: Sequence[NodeId]) -> str:
    return ", ".join(map(str, ids))


def directory_text(voter: Voter) -> str:
    """The directory id of a voter for people; a dash without one."""
    return "-" if voter.key.directory_id is None else uuid_text(voter.key.directory_id)
