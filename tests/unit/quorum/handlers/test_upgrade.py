"""kraft.version 0 to 1 on a running quorum: static voters become voters in the log (KIP-853)."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_UPDATE_VERSION,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    REQUEST_TIMED_OUT,
    UNKNOWN_LEADER_EPOCH,
    AddVoterRequest,
    UpgradeRequest,
)
from metaquorum.quorum.types import KRaftVersionControl, VotersControl
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import voter, voters


def static_quorum(*ids: int, observers: tuple[int, ...] = (), settle_ms: int = 3_000) -> Cluster:
    """Voters of ``controller.quorum.voters``, who know no directories, led by node 1."""
    cluster = Cluster.of(ids, observers)
    for host in cluster.nodes.values():
        known = voters(*ids, with_directory=False)
        host.replica.voters = evolve(host.replica.voters, static=known)
    assert cluster.elected() == 1
    return cluster.run_for(settle_ms)


def test_version_and_voters_are_written_in_one_batch() -> None:
    cluster = static_quorum(1, 2, 3)
    assert cluster.asked(1, UpgradeRequest(1)).error == NONE
    batch = cluster.nodes[1].disk_log[-1]
    assert [type(one.value) for one in batch.controls] == [KRaftVersionControl, VotersControl]
    cluster.run_for(600)
    for host in cluster.nodes.values():
        assert host.replica.voters.kraft_version == 1
        assert host.replica.voters.latest == voters(1, 2, 3)


def test_an_upgraded_quorum_goes_on_electing_and_changes_its_voters() -> None:
    cluster = static_quorum(1, 2, 3, observers=(4,))
    assert cluster.asked(1, UpgradeRequest(1)).error == NONE
    one = voter(4)
    assert cluster.asked(1, AddVoterRequest(one.key, one.endpoints)).error == NONE
    cluster.crash(1)
    leader = cluster.elected()
    cluster.append(leader, "afterwards")
    cluster.run_for(600)
    assert "afterwards" in cluster.payloads(4)


def test_a_sole_static_voter_needs_nobodys_report() -> None:
    cluster = static_quorum(1)
    assert cluster.asked(1, UpgradeRequest(1)).error == NONE
    assert cluster.nodes[1].replica.voters.latest == voters(1)


def test_every_voter_has_to_have_told_its_directory() -> None:
    cluster = static_quorum(1, 2, 3, settle_ms=100)
    refused = cluster.asked(1, UpgradeRequest(1))
    assert refused.error == INVALID_UPDATE_VERSION
    assert "[2, 3]" in refused.text
    cluster.run_for(3_000)
    assert cluster.asked(1, UpgradeRequest(1)).error == NONE


def test_every_voter_has_to_support_it() -> None:
    cluster = static_quorum(1, 2, 3, settle_ms=100)
    old = evolve(cluster.nodes[2].replica.config, highest_kraft_version=0)
    cluster.nodes[2].replica.config = old
    cluster.run_for(3_000)
    refused = cluster.asked(1, UpgradeRequest(1))
    assert refused.error == INVALID_UPDATE_VERSION
    assert "[2]" in refused.text


def test_a_question_alone_writes_nothing() -> None:
    cluster = static_quorum(1, 2, 3)
    end = cluster.nodes[1].replica.log.end
    assert cluster.asked(1, UpgradeRequest(1, validate_only=True)).error == NONE
    assert cluster.asked(1, UpgradeRequest(2, validate_only=True)).error == INVALID_UPDATE_VERSION
    assert cluster.nodes[1].replica.log.end == end
    assert cluster.nodes[1].replica.voters.kraft_version == 0


@pytest.mark.parametrize("level", [-1, 2, 32_767])
def test_an_unknown_level_is_refused(level: int) -> None:
    assert static_quorum(1, 2).asked(1, UpgradeRequest(level)).error == INVALID_UPDATE_VERSION


def test_there_is_no_way_back() -> None:
    cluster = static_quorum(1, 2)
    assert cluster.asked(1, UpgradeRequest(1)).error == NONE
    assert cluster.asked(1, UpgradeRequest(0)).error == INVALID_UPDATE_VERSION


@pytest.mark.parametrize("before", [0, 1])
def test_the_level_that_holds_already_is_no_change(before: int) -> None:
    cluster = static_quorum(1, 2)
    if before:
        cluster.asked(1, UpgradeRequest(1))
    end = cluster.nodes[1].replica.log.end
    assert cluster.asked(1, UpgradeRequest(before)).error == NONE
    assert cluster.nodes[1].replica.log.end == end


@pytest.mark.parametrize(("epoch", "error"), [(0, FENCED_LEADER_EPOCH), (99, UNKNOWN_LEADER_EPOCH)])
def test_the_epoch_that_the_asker_names_has_to_be_this_one(epoch: int, error: int) -> None:
    cluster = static_quorum(1, 2)
    assert cluster.asked(1, UpgradeRequest(1, epoch)).error == error
    right = cluster.nodes[1].replica.epoch
    assert cluster.asked(1, UpgradeRequest(1, right)).error == NONE


def test_an_upgrade_is_for_the_leader_alone() -> None:
    refused = static_quorum(1, 2).asked(2, UpgradeRequest(1))
    assert (refused.error, refused.hint.leader_id) == (NOT_LEADER_OR_FOLLOWER, 1)


def test_an_upgrade_that_is_not_committed_yet_is_asked_again_later() -> None:
    cluster = static_quorum(1, 2, 3)
    cluster.isolate(2)
    cluster.isolate(3)
    first = cluster.ask(1, UpgradeRequest(1))
    assert cluster.answer(first) is None
    assert cluster.answer(cluster.ask(1, UpgradeRequest(1))).error == REQUEST_TIMED_OUT
    cluster.run_for(2_100)
    assert cluster.answer(first).error == REQUEST_TIMED_OUT
    assert cluster.answer(cluster.ask(1, UpgradeRequest(1))).error == REQUEST_TIMED_OUT


def test_an_upgrade_that_was_only_appended_is_taken_back_with_the_log() -> None:
    cluster = static_quorum(1, 2, 3)
    cluster.isolate(1)
    cluster.ask(1, UpgradeRequest(1))
    assert cluster.nodes[1].replica.voters.kraft_version == 1
    cluster.run_until(lambda: any(cluster.nodes[one].replica.summary().is_leader for one in (2, 3)))
    cluster.heal()
    cluster.run_for(3_000)
    assert [host.replica.voters.kraft_version for host in cluster.nodes.values()] == [0, 0, 0]
    assert cluster.nodes[1].replica.voters.latest == voters(1, 2, 3, with_directory=False)
