"""Whom a node registers with: a leader that has committed something of its epoch, and no sooner."""

from __future__ import annotations

from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.metadata.state import MetadataState
from metaquorum.node.registration import has_written, leader_at_work
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.types import Batch
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records.no_op_record import NoOpRecord

LED = LeaderAndEpoch(2, 6)
NOBODY = LeaderAndEpoch(None, 6)


def test_who_leads_takes_no_commands_before_the_first_record_of_its_epoch_is_committed() -> None:
    log = LogView().appended(1, (Batch(0, 9, 5, 720, 10),)).durable(1).committed(10)
    assert leader_at_work(LED, log) == NOBODY
    log = log.appended(2, (Batch(10, 10, 6, 72, 1),)).durable(2)
    assert leader_at_work(LED, log) == NOBODY
    assert leader_at_work(LED, log.committed(11)) == LED


def test_a_leader_of_another_epoch_than_the_committed_one_is_not_at_work() -> None:
    log = LogView().appended(1, (Batch(0, 9, 5, 720, 10),)).durable(1).committed(10)
    assert leader_at_work(LeaderAndEpoch(1, 5), log) == LeaderAndEpoch(1, 5)
    assert leader_at_work(LeaderAndEpoch(None, 5), log) == LeaderAndEpoch(None, 5)
    assert leader_at_work(LeaderAndEpoch(3, 7), LogView()) == LeaderAndEpoch(None, 7)


def test_a_leader_has_written_once_a_metadata_record_of_its_epoch_is_committed() -> None:
    state = MetadataState()
    state.replay(MetadataRecord(20, 0, NoOpRecord()), 3, 5, 0)
    state.close_batch()
    state.commit(4)
    assert has_written(LeaderAndEpoch(2, 5), state)
    assert not has_written(LED, state)
    state.replay(MetadataRecord(20, 0, NoOpRecord()), 5, 6, 0)  # 4 was the leader's own record
    state.close_batch()
    assert not has_written(LED, state)
    state.commit(6)
    assert has_written(LED, state)
