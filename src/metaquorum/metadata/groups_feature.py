"""Who keeps ``__consumer_offsets``, as the registrations in the metadata log tell it.

Every node of ours names a feature in its registration (KIP-919): level 1 says that it can keep the
partition, level 2 that it does. A Kafka controller names none. The first voters of the partition
stand beside it, one feature each with the voter's id and directory in its name: a node that finds
them in the committed metadata knows them, and the first registration that was committed with them
decides. So two sets of first voters can no more exist than two metadata logs (decision 186).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve

from metaquorum.base.ids import NodeId, Uuid, parse_uuid, uuid_text
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.nodes import Controller, FeatureRange

FEATURE: Final = "metaquorum.groups"
ABLE: Final = 1
KEEPS: Final = 2
_VOTER: Final = f"{FEATURE}.voter."

FirstVoters = tuple[tuple[NodeId, Uuid], ...]
"""Ids and directory ids, ascending by id."""


def level_of(controller: Controller | None) -> int:
    """What a registered controller says of itself; 0 for one that knows nothing of groups."""
    features = controller.features if controller is not None else ()
    return next((one.highest for one in features if one.name == FEATURE), 0)


def levels(view: StateView) -> Mapping[NodeId, int]:
    """The same of every registered controller."""
    return {node_id: level_of(one) for node_id, one in view.controllers.items()}


def all_are_ours(view: StateView, voters: Iterable[NodeId], least: int = ABLE) -> bool:
    """Whether each of these is registered as a node of ours."""
    known = levels(view)
    return all(known.get(node_id, 0) >= least for node_id in voters)


def first_voters(view: StateView) -> FirstVoters:
    """The first voters of the partition; none where nobody has named them."""
    for _, controller in sorted(view.controllers.items()):
        if found := named_voters(controller.features):
            return found
    return ()


def named_voters(features: Iterable[FeatureRange]) -> FirstVoters:
    """The voters in one registration; names of another form are nobody's and count for nothing."""
    found: list[tuple[NodeId, Uuid]] = []
    for one in features:
        if one.name.startswith(_VOTER):
            number, _, directory = one.name.removeprefix(_VOTER).partition(".")
            try:
                found.append((int(number), parse_uuid(directory)))
            except ValueError:
                return ()
    return tuple(sorted(found))


def may_found(view: StateView, registered_id: NodeId, voters: FirstVoters) -> bool:
    """Whether the active controller, about to be registered, may name these the first voters.

    ``view`` is all that is in its log, uncommitted records too; ``voters`` are the metadata's, and
    committed.
    """
    if any(level >= KEEPS for level in levels(view).values()) or first_voters(view):
        return False
    others = [node_id for node_id, _ in voters if node_id != registered_id]
    return len(others) < len(voters) and all_are_ours(view, others)


def registered_with(controller: Controller, level: int, voters: FirstVoters) -> Controller:
    """This registration with what it says of the partition."""
    rows = [FeatureRange(FEATURE, 0, level)]
    for node_id, directory in voters:
        rows.append(FeatureRange(f"{_VOTER}{node_id}.{uuid_text(directory)}", 0, 1))
    features = sorted((*controller.features, *rows), key=lambda feature: feature.name)
    return evolve(controller, features=tuple(features))


def keeping_first_voters(before: Controller | None, now: Controller) -> Controller:
    """A new registration of a node of ours that does not say what the old one of it said.

    It may have been sent by a node that has not read as far as that. The first voters stay.
    """
    if before is None or not level_of(now) or named_voters(now.features):
        return now
    rows = [one for one in before.features if one.name.startswith(_VOTER)]
    features = sorted((*now.features, *rows), key=lambda feature: feature.name)
    return evolve(now, features=tuple(features))
