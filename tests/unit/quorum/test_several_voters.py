"""Whole elections, hand-overs and returns of several voters, under a virtual clock."""

from __future__ import annotations

from metaquorum.quorum.effects import LeaderChanged, ShutdownDone
from metaquorum.quorum.events import (
    AppendAsked,
    RequestArrived,
    ResignAsked,
    ResponseArrived,
    ShutdownAsked,
)
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    FetchRequest,
    Hint,
    VoteRequest,
)
from metaquorum.quorum.types import ElectionState, ReplicaKey
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import data_batch, voter


def test_three_voters_elect_the_first_to_time_out() -> None:
    cluster = Cluster.of((1, 2, 3))
    assert cluster.elected() == 1
    cluster.run_for(100)
    leaders = [host.replica.leader_id for host in cluster.nodes.values()]
    assert leaders == [1, 1, 1]
    assert [host.replica.epoch for host in cluster.nodes.values()] == [1, 1, 1]


def test_a_pre_vote_comes_before_every_vote() -> None:
    cluster = Cluster.of((1, 2, 3))
    cluster.elected()
    votes = [(one.message.epoch, one.message.pre_vote) for one in cluster.sent(VoteRequest)]  # type: ignore[union-attr]
    assert votes == [(0, True), (0, True), (1, False), (1, False)]


def test_an_append_reaches_every_disk_and_every_watermark() -> None:
    cluster = Cluster.of((1, 2, 3))
    leader = cluster.elected()
    offset = cluster.append(leader, "a")
    cluster.run_for(20)
    assert [cluster.payloads(one) for one in (1, 2, 3)] == [["a"]] * 3
    ends = [host.replica.log.high_watermark for host in cluster.nodes.values()]
    assert ends == [offset + 1] * 3


def test_an_idle_quorum_stays_as_it_is() -> None:
    cluster = Cluster.of((1, 2, 3))
    cluster.elected()
    cluster.run_for(30_000)
    assert [host.replica.epoch for host in cluster.nodes.values()] == [1, 1, 1]
    announced = cluster.sent(BeginEpochRequest)
    assert len(announced) <= 2, "a voter that fetches is not sent it again"


def test_a_minority_can_be_lost() -> None:
    cluster = Cluster.of((1, 2, 3))
    leader = cluster.elected()
    cluster.crash(3)
    cluster.append(leader, "a")
    cluster.run_for(50)
    assert cluster.nodes[leader].replica.log.high_watermark == 2
    cluster.restart(3)
    cluster.run_until(lambda: cluster.payloads(3) == ["a"])


def test_a_killed_leader_is_replaced_and_nothing_committed_is_lost() -> None:
    cluster = Cluster.of((1, 2, 3))
    first = cluster.elected()
    cluster.append(first, "kept")
    cluster.run_for(50)
    cluster.crash(first)
    second = cluster.elected()
    assert second != first
    assert cluster.nodes[second].replica.epoch > 1
    assert cluster.payloads(second) == ["kept"]


def test_a_returning_leader_drops_what_only_it_had() -> None:
    cluster = Cluster.of((1, 2, 3))
    first = cluster.elected()
    cluster.append(first, "kept")
    cluster.run_for(50)
    cluster.isolate(first)
    cluster.append(first, "lost 1")
    cluster.append(first, "lost 2")
    cluster.crash(first)
    second = cluster.elected()
    cluster.append(second, "new")
    cluster.heal()
    cluster.restart(first)
    assert cluster.nodes[first].replica.role.name == "Resigned"
    cluster.run_until(lambda: cluster.payloads(first) == ["kept", "new"])
    cluster.run_for(1_000)
    logs = [
        [(one.base_offset, one.epoch) for one in host.disk_log] for host in cluster.nodes.values()
    ]
    assert logs[0] == logs[1] == logs[2]


def test_a_leader_cut_off_from_the_majority_resigns() -> None:
    cluster = Cluster.of((1, 2, 3))
    first = cluster.elected()
    cluster.isolate(first)
    cluster.run_until(lambda: not cluster.nodes[first].replica.summary().is_leader)
    assert cluster.now < 6_000, "one and a half fetch time-outs after the last fetch"
    second = cluster.elected()
    cluster.heal()
    cluster.run_for(5_000)
    assert cluster.nodes[first].replica.leader_id == second


def test_a_voter_that_was_cut_off_does_not_disturb_when_it_returns() -> None:
    cluster = Cluster.of((1, 2, 3))
    leader = cluster.elected()
    cluster.isolate(3)
    cluster.run_for(20_000)
    assert cluster.nodes[3].replica.epoch == 1, "pre-votes raise no epoch (KAFKA-17641)"
    cluster.heal()
    cluster.run_for(5_000)
    assert cluster.nodes[leader].replica.summary().is_leader
    assert [host.replica.epoch for host in cluster.nodes.values()] == [1, 1, 1]


def test_a_resigning_leader_hands_over_at_once() -> None:
    cluster = Cluster.of((1, 2, 3))
    first = cluster.elected()
    cluster.append(first, "a")
    cluster.run_for(100)
    began = cluster.now
    cluster.tell(first, ResignAsked(1, "asked to"))
    second = cluster.elected()
    assert second != first
    assert cluster.now - began < 600, "no fetch time-out has to pass"
    candidates = cluster.sent(EndEpochRequest)[0].message.candidates  # type: ignore[union-attr]
    assert [key.id for key in candidates] == [2, 3]


def test_a_leader_that_shuts_down_waits_for_its_successor() -> None:
    cluster = Cluster.of((1, 2, 3))
    first = cluster.elected()
    cluster.run_for(100)
    cluster.tell(first, ShutdownAsked(5_000))
    cluster.run_until(
        lambda: any(isinstance(word, ShutdownDone) for word in cluster.nodes[first].words)
    )
    assert cluster.nodes[first].replica.leader_id not in (None, first)


def test_an_isolated_leader_shuts_down_in_time_and_raises_no_epoch() -> None:
    cluster = Cluster.of((1, 2, 3))
    first = cluster.elected()
    cluster.isolate(first)
    cluster.tell(first, ShutdownAsked(5_000))
    cluster.run_for(4_900)
    host = cluster.nodes[first]
    assert (host.replica.role.name, host.replica.epoch) == ("Resigned", 1)
    assert not any(isinstance(word, ShutdownDone) for word in host.words)
    cluster.run_for(200)
    assert sum(isinstance(word, ShutdownDone) for word in host.words) == 1


def test_a_follower_that_shuts_down_waits_for_nobody() -> None:
    cluster = Cluster.of((1, 2, 3))
    cluster.elected()
    cluster.run_for(100)
    said = cluster.tell(3, ShutdownAsked(5_000))
    assert any(isinstance(word, ShutdownDone) for word in said)


def test_an_observer_finds_the_leader_and_copies_but_never_counts() -> None:
    cluster = Cluster.of((1, 2, 3), (4,))
    leader = cluster.elected()
    cluster.append(leader, "a")
    cluster.run_until(lambda: cluster.payloads(4) == ["a"])
    cluster.crash(2)
    cluster.crash(3)
    before = cluster.nodes[leader].replica.log.high_watermark
    cluster.append(leader, "b")
    cluster.run_for(1_000)
    assert cluster.payloads(4) == ["a", "b"], "an observer copies what is not committed yet"
    assert cluster.nodes[leader].replica.log.high_watermark == before
    assert not cluster.sent(VoteRequest, sender=4)
    assert not [one for one in cluster.sent(BeginEpochRequest) if one.receiver == 4]


def test_an_observer_follows_to_the_next_leader() -> None:
    cluster = Cluster.of((1, 2, 3), (4,))
    first = cluster.elected()
    cluster.run_for(1_000)
    cluster.crash(first)
    second = cluster.elected()
    cluster.append(second, "b")
    cluster.run_until(lambda: cluster.payloads(4) == ["b"])
    assert cluster.nodes[4].replica.leader_id == second


def test_all_voters_may_die_and_come_back() -> None:
    cluster = Cluster.of((1, 2, 3))
    leader = cluster.elected()
    cluster.append(leader, "a")
    cluster.run_for(100)
    for node in (1, 2, 3):
        cluster.crash(node)
    for node in (2, 3):
        cluster.restart(node)
    again = cluster.elected()
    cluster.append(again, "b")
    cluster.run_for(100)
    assert cluster.payloads(again) == ["a", "b"]


def test_without_bootstrap_servers_the_leader_announces_itself() -> None:
    cluster = Cluster.of((1, 2, 3), with_bootstrap=False)
    leader = cluster.elected()
    cluster.append(leader, "a")
    cluster.run_for(100)
    assert cluster.payloads(3) == ["a"]
    asked = {one.receiver for one in cluster.sent(FetchRequest)}
    assert asked == {leader}


def test_nobody_can_append_at_a_follower() -> None:
    cluster = Cluster.of((1, 2, 3))
    cluster.elected()
    cluster.run_for(100)
    said = cluster.tell(2, AppendAsked(7, (data_batch(),), 1))
    assert [type(word).__name__ for word in said] == ["AppendDropped"]


def test_each_change_of_leader_is_told_once_in_order() -> None:
    cluster = Cluster.of((1, 2, 3))
    first = cluster.elected()
    cluster.run_for(100)
    cluster.crash(first)
    second = cluster.elected()
    cluster.run_for(100)
    third = ({1, 2, 3} - {first, second}).pop()
    told = [word.leader for word in cluster.nodes[third].words if isinstance(word, LeaderChanged)]
    assert (told[0].epoch, told[-1].leader_id) == (1, second)
    assert [one.epoch for one in told] == sorted(one.epoch for one in told)
    assert len(told) == len(set(told))


def test_a_voter_asks_for_a_leader_before_it_stands_for_election() -> None:
    cluster = Cluster.of((1, 2, 3))
    cluster.run_for(500)
    assert cluster.sent(FetchRequest, sender=1)
    assert not cluster.sent(VoteRequest)


def test_a_follower_answers_a_fetch_with_the_leader_that_it_knows() -> None:
    cluster = Cluster.of((1, 2, 3))
    leader = cluster.elected()
    cluster.run_for(100)
    request = FetchRequest(ReplicaKey(-1), 1, 0, 0)
    (answer,) = cluster.tell(2, RequestArrived(50, request))
    message = answer.message  # type: ignore[union-attr]
    assert (message.error, message.hint.leader_id, message.hint.epoch) == (6, leader, 1)
    assert message.hint.endpoints == voter(leader).endpoints


def test_a_leader_that_hears_of_a_later_epoch_steps_down() -> None:
    cluster = Cluster.of((1, 2, 3), with_bootstrap=False)
    cluster.cut.add(frozenset((1, 3)))
    leader = cluster.elected()
    host = cluster.nodes[leader]
    in_flight = host.replica.peers.of(3).in_flight
    assert in_flight is not None
    told = EpochResponse(FENCED_LEADER_EPOCH, Hint(None, 9))
    cluster.tell(leader, ResponseArrived(3, in_flight.correlation, told))
    assert (host.replica.role.name, host.disk_election) == ("Unattached", ElectionState(9))
