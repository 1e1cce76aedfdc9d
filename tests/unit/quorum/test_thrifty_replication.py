"""Voters that a leader commits without get records in rounds, and lose nothing by it (189)."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import NodeId
from metaquorum.base.limits import SPARE_VOTER_LATEST_MS, SPARE_VOTER_MS
from metaquorum.quorum.events import ResignAsked
from metaquorum.quorum.messages import (
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    AddVoterRequest,
    FetchResponse,
)
from metaquorum.quorum.roles.leader import Leader
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import voter

ROUND, LATEST = SPARE_VOTER_MS, SPARE_VOTER_LATEST_MS


def led(*ids: NodeId, observers: tuple[NodeId, ...] = ()) -> Cluster:
    """A quorum under node 1 that has committed a record in a round that began just now."""
    cluster = Cluster.of(ids, observers, kraft_version=1)
    assert cluster.elected() == 1
    cluster.run_for(3_000)
    cluster.append(1, "first")
    cluster.run()
    return cluster


def needed(cluster: Cluster) -> tuple[NodeId, ...]:
    role = cluster.nodes[1].replica.role
    assert isinstance(role, Leader)
    return role.progress.thrift.needed


def not_needed(cluster: Cluster) -> list[NodeId]:
    others = {one.id for one in cluster.nodes[1].replica.voters.latest} - {1}
    return sorted(others - set(needed(cluster)))


def answers_with_records(cluster: Cluster, to: NodeId) -> int:
    return sum(
        one.receiver == to and isinstance(one.message, FetchResponse) and bool(one.message.records)
        for one in cluster.sent(FetchResponse, 1)
    )


@pytest.mark.parametrize("ids", [(1, 2, 3), (1, 2, 3, 4, 5)])
def test_a_voter_not_needed_gets_records_once_a_round(ids: tuple[NodeId, ...]) -> None:
    cluster = led(*ids)
    before = {one: answers_with_records(cluster, one) for one in ids}
    for number in range(5 * ROUND):
        cluster.run_for(1)
        offset = cluster.append(1, number)
        cluster.run()
        assert cluster.nodes[1].replica.shown_high_watermark == offset + 1
    told = sum(answers_with_records(cluster, one) - before[one] for one in ids)
    of_needed, of_others = len(needed(cluster)), len(not_needed(cluster))
    assert of_needed == len(ids) // 2
    assert told == of_needed * 5 * ROUND + of_others * 5
    cluster.run_for(LATEST)
    assert {len(cluster.payloads(one)) for one in ids} == {1 + 5 * ROUND}


def test_a_voter_not_needed_waits_a_bounded_time() -> None:
    cluster = led(1, 2, 3)
    (other,) = not_needed(cluster)
    cluster.run_for(1)
    cluster.append(1, "alone")
    cluster.run_for(LATEST - 2)
    assert "alone" not in cluster.payloads(other)
    cluster.run_for(1)
    assert "alone" in cluster.payloads(other)


def test_after_a_pause_all_voters_get_a_record_at_once() -> None:
    cluster = led(1, 2, 3)
    cluster.run_for(ROUND)
    cluster.append(1, "later")
    cluster.run()
    assert all("later" in cluster.payloads(one) for one in (1, 2, 3))


def test_a_voter_takes_the_place_of_a_needed_one_that_is_silent() -> None:
    cluster = led(1, 2, 3)
    (other,) = not_needed(cluster)
    cluster.crash(*needed(cluster))
    cluster.run_for(1)
    offset = cluster.append(1, "without it")
    cluster.run()
    assert cluster.nodes[1].replica.shown_high_watermark == offset
    cluster.run_for(LATEST)
    assert cluster.nodes[1].replica.shown_high_watermark == offset + 1
    assert needed(cluster) == (other,)
    offset = cluster.append(1, "and at once from then on")
    cluster.run()
    assert cluster.nodes[1].replica.shown_high_watermark == offset + 1


def test_of_two_voters_the_other_is_never_deferred() -> None:
    cluster = led(1, 2)
    for number in range(3):
        offset = cluster.append(1, number)
        cluster.run()
        assert cluster.nodes[1].replica.shown_high_watermark == offset + 1
    assert needed(cluster) == ()


def test_a_change_of_voters_is_committed_without_deferral() -> None:
    cluster = led(1, 2, 3, observers=(4,))
    one = voter(4)
    assert cluster.asked(1, AddVoterRequest(one.key, one.endpoints)).error == NONE
    assert cluster.nodes[1].replica.voters.latest.by_id(4) is not None


def test_a_deferred_voter_hears_at_once_that_its_leader_resigns() -> None:
    cluster = led(1, 2, 3)
    (other,) = not_needed(cluster)
    cluster.run_for(1)
    cluster.append(1, "the last")
    cluster.run()
    cluster.tell(1, ResignAsked(cluster.nodes[1].replica.epoch, "a test"))
    cluster.run()
    told = [one for one in cluster.sent(FetchResponse, 1) if one.receiver == other][-1].message
    assert isinstance(told, FetchResponse) and told.error == NOT_LEADER_OR_FOLLOWER
    assert cluster.nodes[1].replica.deadline > cluster.now


def test_what_was_deferred_comes_from_the_next_leader() -> None:
    cluster = led(1, 2, 3)
    (other,) = not_needed(cluster)
    (holder,) = needed(cluster)
    cluster.run_for(1)
    cluster.append(1, "the last")
    cluster.run()
    assert "the last" not in cluster.payloads(other)
    cluster.crash(1)
    assert cluster.elected() == holder
    cluster.run_for(1_000)
    assert "the last" in cluster.payloads(other)
