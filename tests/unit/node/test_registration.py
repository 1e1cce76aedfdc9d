"""Whom a node registers with: a leader that has committed something of its epoch, and no sooner."""

from __future__ import annotations

from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.node.registration import leader_at_work
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.types import Batch

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
