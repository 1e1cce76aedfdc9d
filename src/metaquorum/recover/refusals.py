"""When there must be no plan: disks that do not belong together, or a quorum that is not lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.quorum.types import Voter
from metaquorum.recover.history import History, same_epoch_difference
from metaquorum.recover.survey import DamageKind, Survey
from metaquorum.recover.wishes import A_MAJORITY_IS_THERE, Wishes, ids_text

_HARMLESS: Final = (DamageKind.UNFINISHED, DamageKind.SNAPSHOT)


def cluster_id_of(surveys: Sequence[Survey], wishes: Wishes) -> str:
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


def check_told_apart(surveys: Sequence[Survey], stale: frozenset[int]) -> None:
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


def check_one_history(surveys: Sequence[Survey]) -> None:
    found = same_epoch_difference(surveys)
    if found is not None:
        one, other, offset = found
        raise OperatorError(
            f"{surveys[one].name} and {surveys[other].name} have different records of one epoch "
            f"from offset {offset} on: they are of two clusters, or one of them was forced to lead "
            "before. Leave one of them out"
        )


def check_lost(
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
            f"the disks of voters {ids_text(sound)} are there and whole, and they are a majority "
            f"of {ids_text([one.id for one in last])}: start these nodes, and the quorum lives. "
            "Where only names, ports or directory ids changed, `metaquorum recover endpoints` is "
            f'the short way. To plan all the same, say --although "{A_MAJORITY_IS_THERE}"'
        )


def check_nothing_is_lost(
    history: History, last: Sequence[Voter], counted: Sequence[NodeId], *, has_majority: bool
) -> None:
    """OperatorError where it is not names alone that changed."""
    if not has_majority:
        raise OperatorError(
            f"the disks of voters {ids_text(counted) or 'none'} are there and show all that they "
            f"held, and a majority of {ids_text([one.id for one in last])} is needed for names "
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


def overtaken(surveys: Sequence[Survey]) -> frozenset[int]:
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
