"""However leaders come and go, the metadata log never names two sets of first voters.

A small world: one log, of which every leader has a prefix that is committed and maybe more; a new
leader begins with all that is committed and a part of what is not, and drops the rest. Leaders
register themselves and others, as nodes of ours or as Kafka's; every leader names the voters of
its own day. Each command is planned by the code that plans it on a node.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from metaquorum.controller.commands import RegisterController
from metaquorum.controller.managers.controllers import plan_register
from metaquorum.controller.registration import Registrar
from metaquorum.metadata.groups_feature import (
    ABLE,
    KEEPS,
    FirstVoters,
    first_voters,
    may_found,
    registered_with,
)
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.nodes import Controller, FeatureRange, NodeEndpoint
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.plan_context import plan_context
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

NODES = (1, 2, 3, 4)
SEEDS = 12
LEVEL = MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", 30))


def live(log: list[MetadataRecord]) -> Any:
    """All that is in a log."""
    state = MetadataState()
    for offset, record in enumerate(log):
        state.replay(record, offset, 1, 0)
    state.close_batch()
    return state.live()


def wanted(node_id: int, life: int) -> Controller:
    features = (FeatureRange("metadata.version", 7, 30),)
    place = (NodeEndpoint("CONTROLLER", "a", 9093, 0),)
    return Controller(node_id, bytes([node_id, life % 256]) * 8, False, place, features)


def drawn_voters(random: Random) -> FirstVoters:
    """The metadata's voters of one day: some nodes, each with one of two disks."""
    chosen = sorted(random.sample(NODES, random.randint(1, 3)))
    return tuple((one, bytes([one, random.randint(1, 2)]) * 8) for one in chosen)


def completed(view: Any, node: Controller, leads: int, voters: FirstVoters) -> Controller:
    """As ``GroupsPartitionSupervisor.completed`` has it, of a node that leads or not."""
    named = first_voters(view)
    if not named and node.controller_id == leads and may_found(view, leads, voters):
        return registered_with(node, KEEPS, voters)
    return registered_with(node, ABLE, named)


def test_no_two_sets_of_first_voters_are_ever_committed() -> None:
    found = [ever_named(seed) for seed in range(SEEDS)]
    assert max(len(one) for one in found) == 1, found
    assert sum(len(one) for one in found) > SEEDS // 2


def ever_named(seed: int) -> set[FirstVoters]:
    """All first voters that were ever to be read in what was committed."""
    random = Random(seed)
    log, committed, voters, leads = [LEVEL], 1, drawn_voters(random), 1
    found: set[FirstVoters] = set()
    for life in range(80):
        draw = random.random()
        if draw < 0.15:  # another leader, which may not have what is not committed
            log = log[: random.randint(committed, len(log))]
            leads = random.choice(NODES)
        elif draw < 0.25:
            voters = drawn_voters(random)
        elif draw < 0.5:
            committed = random.randint(committed, len(log))
        else:
            node = wanted(random.choice((leads, *NODES)), life)
            seen = log if node.controller_id == leads else log[: random.randint(1, committed)]
            ours = partial(completed, leads=leads, voters=voters)
            registrar = Registrar(node, ours if random.random() < 0.9 else as_kafka)
            command = RegisterController(registrar.request(live(seen)))
            outcome = plan_register(plan_context(live(log)), command)
            log = with_some_that_know(log, [*log, *outcome.records])
        found |= {first_voters(live(log[:committed]))} - {()}
    return found


def as_kafka(view: Any, node: Controller) -> Controller:
    """What Kafka's controller says of groups: nothing."""
    return node


def with_some_that_know(
    before: list[MetadataRecord], after: list[MetadataRecord]
) -> list[MetadataRecord]:
    """The log after a registration, unless it took the place of the last that named the voters."""
    return before if first_voters(live(before)) and not first_voters(live(after)) else after
