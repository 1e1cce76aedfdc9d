"""Who keeps ``__consumer_offsets``, as the registrations in the metadata log tell it.

Every node of ours names a feature in its registration (KIP-919): level 1 says that it can keep the
partition, level 2 that it does. A Kafka controller names none. The first voters of the partition
stand beside it, one feature each with the voter's id and directory in its name: whoever finds them
in the committed metadata knows them, and the first registration that was committed with them
decides. So two sets of first voters can no more exist than two metadata logs (decision 186).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve

from metaquorum.base.ids import NodeId, parse_uuid, uuid_text
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.nodes import Controller, FeatureRange
from metaquorum.quorum.types import ReplicaKey
from metaquorum.quorum.voters import VoterSet

FEATURE: Final = "metaquorum.groups"
ABLE: Final = 1
KEEPS: Final = 2
_VOTER: Final = f"{FEATURE}.voter."


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


def first_voters(view: StateView) -> tuple[ReplicaKey, ...]:
    """The first voters of the partition, ascending by id; none where nobody has named them."""
    for _, controller in sorted(view.controllers.items()):
        if found := named_voters(controller.features):
            return found
    return ()


def named_voters(features: Iterable[FeatureRange]) -> tuple[ReplicaKey, ...]:
    """The voters in one registration; names of another form are nobody's and count for nothing."""
    found: list[ReplicaKey] = []
    for one in features:
        if one.name.startswith(_VOTER):
            number, _, directory = one.name.removeprefix(_VOTER).partition(".")
            try:
                found.append(ReplicaKey(int(number), parse_uuid(directory)))
            except ValueError:
                return ()
    return tuple(sorted(found, key=lambda key: key.id))


def may_found(view: StateView, registered: Controller, voters: VoterSet) -> bool:
    """Whether the active controller, about to be ``registered``, may name the first voters.

    ``view`` is all that is in its log, uncommitted records too, and ``voters`` are committed.
    """
    if any(level >= KEEPS for level in levels(view).values()) or first_voters(view):
        return False
    if not len(voters) or any(key.directory_id is None for key in voters.keys):
        return False
    others = [voter.id for voter in voters if voter.id != registered.controller_id]
    return len(others) < len(voters) and all_are_ours(view, others)


def registered_with(controller: Controller, level: int, voters: Iterable[ReplicaKey]) -> Controller:
    """This registration with what it says of the partition."""
    rows = [FeatureRange(FEATURE, 0, level)]
    for key in voters:
        assert key.directory_id is not None
        rows.append(FeatureRange(f"{_VOTER}{key.id}.{uuid_text(key.directory_id)}", 0, 1))
    features = sorted((*controller.features, *rows), key=lambda feature: feature.name)
    return evolve(controller, features=tuple(features))
