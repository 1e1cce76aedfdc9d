"""Whom a node registers with: a leader that has written something in its epoch, and no sooner."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.controller.registration import SILENCE_MS
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.versions import LATEST_PRODUCTION, MINIMUM
from metaquorum.node.registration import (
    has_written,
    leader_at_work,
    registration_of,
    registration_task,
)
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.types import Batch
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.peers.registration import LOOK_MS
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.records.no_op_record import NoOpRecord
from tests.unit.node.whole_node import config_of

LED = LeaderAndEpoch(2, 6)
NOBODY = LeaderAndEpoch(None, 6)


def test_a_leader_takes_no_commands_before_its_first_record_commits() -> None:
    log = LogView().appended(1, (Batch(0, 9, 5, 720, 10),)).durable(1).committed(10)
    assert leader_at_work(LED, log) == NOBODY
    log = log.appended(2, (Batch(10, 10, 6, 72, 1),)).durable(2)
    assert leader_at_work(LED, log) == NOBODY
    assert leader_at_work(LED, log.committed(11)) == LED


def test_a_leader_whose_epoch_is_not_the_committed_one_is_not_active() -> None:
    log = LogView().appended(1, (Batch(0, 9, 5, 720, 10),)).durable(1).committed(10)
    assert leader_at_work(LeaderAndEpoch(1, 5), log) == LeaderAndEpoch(1, 5)
    assert leader_at_work(LeaderAndEpoch(None, 5), log) == LeaderAndEpoch(None, 5)
    assert leader_at_work(LeaderAndEpoch(3, 7), LogView()) == LeaderAndEpoch(None, 7)


def write(state: MetadataState, message: Any, kind: int, offset: int, epoch: int) -> None:
    """One committed record more."""
    state.replay(MetadataRecord(kind, 0, message), offset, epoch, 0)
    state.close_batch()
    state.commit(offset + 1)


def test_a_leader_has_written_once_its_epochs_metadata_is_committed() -> None:
    state = MetadataState()
    write(state, NoOpRecord(), 20, 3, 5)
    assert has_written(LeaderAndEpoch(2, 5), state)
    assert not has_written(LED, state)
    state.replay(MetadataRecord(20, 0, NoOpRecord()), 5, 6, 0)  # 4 was the leader's own record
    state.close_batch()
    assert not has_written(LED, state)
    state.commit(6)
    assert has_written(LED, state)


@pytest.fixture
def autojump_clock() -> trio.testing.MockClock:
    return trio.testing.MockClock(autojump_threshold=0)


@pytest.mark.parametrize("writes", [True, False])
async def test_a_leader_with_only_its_own_record_committed_is_waited_for(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery, writes: bool
) -> None:
    state, asked = MetadataState(), []
    write(state, FeatureLevelRecord("metadata.version", 15), 12, 9, 5)

    def forward(*request: Any, **_: Any) -> Promise[Any]:
        asked.append(trio.current_time())
        return Promise()

    log = LogView().appended(1, (Batch(0, 9, 5, 720, 10), Batch(10, 10, 6, 72, 1))).durable(1)
    services = SimpleNamespace(
        node_id=1,
        is_active=False,
        clock=TrioClock(),
        leader=lambda: LED,
        committed=state.committed,
        forward=forward,
        driver=SimpleNamespace(
            replica=SimpleNamespace(log=log.committed(11)),
            controller=SimpleNamespace(state=state),
        ),
    )
    config = config_of(tmp_path)
    node: Any = SimpleNamespace(services=services, log=None, config=config, seed=1, groups=None)
    ports = {one.name: one.port or 9_093 for one in config.advertised_listeners}
    began = trio.current_time()
    nursery.start_soon(registration_task(node, ports).run)
    await trio.sleep(0.5)
    assert not asked
    if writes:
        write(state, NoOpRecord(), 20, 11, 6)
    await trio.sleep((SILENCE_MS + LOOK_MS) / 1_000)
    due_s = 0.5 if writes else SILENCE_MS / 1_000
    assert asked == [pytest.approx(began + due_s, abs=LOOK_MS / 1_000)]


def test_a_node_registers_no_level_above_its_bound(tmp_path: Path) -> None:
    def ranges(**properties: str) -> dict[str, tuple[int, int]]:
        config = config_of(tmp_path, **properties)
        ports = {one.name: 9_093 for one in config.advertised_listeners}
        told = registration_of(config, ports, seed=1).features
        return {one.name: (one.lowest, one.highest) for one in told}

    without = ranges()
    # The key's own bounds are written out: the configuration knows nothing of levels.
    assert without["metadata.version"] == (MINIMUM, LATEST_PRODUCTION)
    bound = ranges(**{"metaquorum.metadata.version.max": "30"})
    assert bound == {**without, "metadata.version": (7, 30)}


def test_a_static_voter_registers_where_the_voters_look_for_it(tmp_path: Path) -> None:
    config = config_of(
        tmp_path,
        **{
            "listeners": "CONTROLLER://0.0.0.0:0",
            "controller.quorum.voters": "1@me.example:7777,2@other.example:9093",
        },
    )
    (endpoint,) = registration_of(config, {"CONTROLLER": 40_000}, seed=1).endpoints
    assert (endpoint.listener, endpoint.host, endpoint.port) == ("CONTROLLER", "me.example", 7777)
