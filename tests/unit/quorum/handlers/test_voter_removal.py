"""RemoveRaftVoter: every check in its order, and what a removal does (KIP-853)."""

from __future__ import annotations

import pytest

from metaquorum.quorum.effects import RoleChanged
from metaquorum.quorum.events import (
    AppendAsked,
    RequestGone,
)
from metaquorum.quorum.messages import (
    DUPLICATE_VOTER,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    REQUEST_TIMED_OUT,
    VOTER_NOT_FOUND,
    EndEpochRequest,
    RemoveVoterRequest,
)
from metaquorum.quorum.types import ReplicaKey, VotersControl
from metaquorum.testing.fakes import data_batch, directory, voter
from metaquorum.testing.voter_changes import add, ids_at, quorum, remove, without_followers


def test_a_voter_is_removed_and_goes_on_as_an_observer() -> None:
    cluster = quorum(1, 2, 3)
    assert cluster.asked(1, remove(3)).error == NONE
    cluster.run_for(1_000)
    assert [ids_at(cluster, one) for one in (1, 2, 3)] == [[1, 2]] * 3
    assert not cluster.nodes[3].replica.is_voter
    cluster.append(1, "afterwards")
    cluster.run_for(100)
    assert "afterwards" in cluster.payloads(3)


def test_a_leader_removing_itself_leads_until_commit_and_hands_over() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(2)
    cluster.isolate(3)
    number = cluster.ask(1, remove(1))
    leader = cluster.nodes[1].replica
    assert not leader.is_voter
    assert leader.summary().is_leader, "until the commit"
    assert leader.shown_high_watermark <= (leader.voters.latest_offset or 0)
    cluster.heal()
    cluster.run_for(600)
    assert cluster.answer(number).error == NONE
    reasons = [one.why for one in cluster.nodes[1].notices if isinstance(one, RoleChanged)]
    assert any("no voter any more" in why for why in reasons)
    told = cluster.sent(EndEpochRequest, 1)
    assert {one.receiver for one in told} == {2, 3}
    last = told[-1].message
    assert isinstance(last, EndEpochRequest)
    assert {key.id for key in last.candidates} == {2, 3}
    assert cluster.elected() in (2, 3)
    cluster.run_for(3_000)
    assert cluster.nodes[1].replica.role.name == "Follower"
    assert not cluster.nodes[1].replica.is_voter


def test_a_removed_leader_does_not_count_itself() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(3)
    number = cluster.ask(1, remove(1))
    cluster.run_for(1_000)
    assert cluster.answer(number) is None, "one of two remaining voters is no majority"
    cluster.heal()
    cluster.run_for(1_000)
    assert cluster.answer(number).error == NONE


def test_check_quorum_of_a_removed_leader_needs_a_majority_of_others() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(3)
    cluster.ask(1, remove(1))
    cluster.run_for(3_200)
    assert not cluster.nodes[1].replica.summary().is_leader


def test_remove_is_for_the_leader_alone() -> None:
    cluster = quorum(1, 2, 3)
    refused = cluster.asked(3, remove(2))
    assert (refused.error, refused.hint.leader_id) == (NOT_LEADER_OR_FOLLOWER, 1)


@pytest.mark.parametrize("key", [ReplicaKey(2), ReplicaKey(-1, directory(2))])
def test_a_removal_names_id_and_directory(key: ReplicaKey) -> None:
    assert quorum(1, 2).asked(1, RemoveVoterRequest(key)).error == INVALID_REQUEST


@pytest.mark.parametrize(
    "key",
    [ReplicaKey(2, directory(9)), ReplicaKey(9, directory(9))],
    ids=["another directory", "another id"],
)
def test_only_a_voter_can_be_removed(key: ReplicaKey) -> None:
    cluster = quorum(1, 2)
    assert cluster.asked(1, RemoveVoterRequest(key)).error == VOTER_NOT_FOUND
    assert ids_at(cluster, 1) == [1, 2]


def test_the_last_voter_stays() -> None:
    cluster = quorum(1)
    assert cluster.asked(1, remove(1)).error == VOTER_NOT_FOUND


def test_a_removal_that_is_not_committed_in_time_times_out() -> None:
    cluster = without_followers(1, 2, 3)
    number = cluster.ask(1, remove(3))
    cluster.run_for(1_900)
    assert cluster.answer(number) is None
    cluster.run_for(200)
    assert cluster.answer(number).error == REQUEST_TIMED_OUT


def test_a_second_change_while_a_removal_is_under_way_has_to_wait() -> None:
    cluster = quorum(1, 2, 3, observers=(4,))
    first = cluster.ask(1, remove(3))
    for second in (add(4), remove(2), remove(3)):
        answer = cluster.answer(cluster.ask(1, second))
        assert answer.error == REQUEST_TIMED_OUT
        assert "another change" in answer.text
    cluster.run()
    assert cluster.answer(first).error == NONE
    assert ids_at(cluster, 1) == [1, 2]


def test_a_wiped_voter_is_removed_by_its_old_key_and_added_by_the_new() -> None:
    cluster = quorum(1, 2, 3, observers=(4,))
    old, new = voter(3).key, ReplicaKey(3, directory(8))
    cluster.crash(3)
    assert cluster.asked(1, add(3, key=new)).error == DUPLICATE_VOTER, "the wrong order"
    assert cluster.asked(1, RemoveVoterRequest(old)).error == NONE
    assert ids_at(cluster, 1) == [1, 2]
    assert cluster.asked(1, add(4)).error == NONE


def test_voters_that_were_only_appended_are_taken_back_with_the_log() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(1)
    cluster.ask(1, remove(3))
    assert ids_at(cluster, 1) == [1, 2]
    cluster.run_until(lambda: any(cluster.nodes[one].replica.summary().is_leader for one in (2, 3)))
    cluster.heal()
    cluster.run_for(3_000)
    assert [ids_at(cluster, one) for one in (1, 2, 3)] == [[1, 2, 3]] * 3


def test_what_is_appended_after_a_change_counts_with_the_new_voters() -> None:
    cluster = quorum(1, 2, 3)
    assert cluster.asked(1, remove(3)).error == NONE
    cluster.crash(3)
    cluster.append(1, "two of two")
    cluster.run_for(100)
    assert cluster.nodes[1].replica.shown_high_watermark == cluster.nodes[1].replica.log.end


def test_a_removed_voter_that_does_not_know_it_disturbs_nobody() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(3)
    number = cluster.ask(1, remove(3))
    cluster.run_for(5_000)
    assert cluster.answer(number).error == NONE
    epoch = cluster.nodes[1].replica.epoch
    assert ids_at(cluster, 3) == [1, 2, 3], "nobody told it"
    cluster.cut = {frozenset((1, 3))}  # it reaches a voter, but not the leader
    cluster.run_for(20_000)
    assert cluster.nodes[1].replica.summary().is_leader
    assert cluster.nodes[1].replica.epoch == epoch


def test_the_record_of_a_change_is_a_batch_of_its_own() -> None:
    cluster = quorum(1, observers=(2,))
    cluster.append(1, "before")
    assert cluster.asked(1, add(2)).error == NONE
    batch = cluster.nodes[1].disk_log[-1]
    assert [type(one.value) for one in batch.controls] == [VotersControl]
    assert batch.record_count == 1


def test_a_client_that_hangs_up_does_not_stop_a_change() -> None:
    cluster = quorum(1, observers=(2,))
    number = cluster.ask(1, add(2))
    cluster.tell(1, RequestGone(number))
    cluster.run_for(600)
    assert ids_at(cluster, 2) == [1, 2]


def test_appends_go_on_during_a_change() -> None:
    cluster = quorum(1, 2, observers=(3,))
    cluster.ask(1, add(3))
    cluster.tell(1, AppendAsked(0, (data_batch("meanwhile"),), cluster.nodes[1].replica.epoch))
    cluster.run_for(600)
    assert "meanwhile" in cluster.payloads(3)
    assert ids_at(cluster, 3) == [1, 2, 3]
