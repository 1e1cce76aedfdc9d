"""From surveys to a plan: which log, which voters, what is lost; and when there must be none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.limits import LAST_EPOCH
from metaquorum.base.offsets import Offset
from metaquorum.quorum.types import Voter
from metaquorum.recover.history import (
    History,
    best_history,
    cut_at,
    parting,
    proven_committed,
)
from metaquorum.recover.plan import Loss, NodePlan, Other, Plan, Source
from metaquorum.recover.refusals import (
    check_lost,
    check_nothing_is_lost,
    check_one_history,
    check_told_apart,
    cluster_id_of,
    overtaken,
)
from metaquorum.recover.survey import Change, DamageKind, Survey
from metaquorum.recover.voter_plan import (
    election_on_paper,
    last_voters,
    leader_of,
    new_voters,
    surveys_of,
    voter_steps,
)
from metaquorum.recover.wishes import A_MAJORITY_IS_THERE, Wishes

EPOCH_STEP: Final = 1_000
"""How far the fresh epoch is above all that were seen: disks that are lost may have seen more."""
MAX_SURVEYS: Final = 100


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
    cluster_id = cluster_id_of(surveys, wishes)
    stale = wishes.stale | overtaken(surveys)
    check_told_apart(surveys, stale)
    check_one_history(surveys)
    history = best_history(surveys)
    last, kraft_version = last_voters(surveys, history)
    covering = {one.id: surveys_of(one, surveys, wishes) for one in last}
    counted = tuple(
        one.id
        for one in last
        if any(at not in stale and surveys[at].shows_its_end for at in covering[one.id])
    )
    has_majority = len(counted) * 2 > len(last)
    if wishes.only_names:
        check_nothing_is_lost(history, last, counted, has_majority=has_majority)
    elif has_majority and A_MAJORITY_IS_THERE not in wishes.although:
        check_lost(surveys, last, covering, stale)
    voters = new_voters(surveys, wishes, last, kraft_version, draw_uuid)
    epoch = max(one.highest_epoch for one in surveys) + EPOCH_STEP
    if epoch > LAST_EPOCH:
        raise OperatorError(f"epoch {epoch - EPOCH_STEP} was seen: no higher one can follow")
    leader_id = leader_of(surveys, history, voters)
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
        notes=(*_notes(surveys, stale, wishes.stale), *_left_as_they_are(voters, nodes)),
    )


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
    election = election_on_paper(voter, leader_id, epoch, kraft_version, voters)
    kept = None if leads or source is None else _own_history(surveys[source], source, history)
    assert voter.key.directory_id is not None
    return NodePlan(
        voter.id,
        voter.key.directory_id,
        source,
        kept or history,
        kept is None,
        election,
    )


def _own_history(survey: Survey, number: int, history: History) -> History | None:
    """A replica's own log up to where it leaves the history, if nothing is broken in it; else it
    gets that of the leader.

    Raft would cut the rest too, but a node of Kafka's that cuts its log passes over the Voters
    records that come in its place, and goes on with the last voters.
    """
    parted = parting(history, survey)
    if parted.end > parted.at:
        survey = cut_at(survey, parted.at)
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


def _left_as_they_are(voters: Sequence[Voter], nodes: Sequence[NodePlan]) -> tuple[str, ...]:
    planned = {one.node_id for one in nodes}
    return tuple(
        f"voter {one.id} was not surveyed, and its disk stays as it is: if its log is ahead, it "
        "has to be started twice to find the new addresses (Kafka's nodes)"
        for one in voters
        if one.id not in planned
    )


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
