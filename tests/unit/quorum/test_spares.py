"""Voters that a leader can commit without are told of records in rounds, and lose nothing by it."""

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
from metaquorum.quorum.spares import Spares
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import voter

ROUND, LATEST = SPARE_VOTER_MS, SPARE_VOTER_LATEST_MS


def one_needed(*needed: NodeId) -> Spares:
    """A leader needs these, and a round began at 100 ms, when the log ended at 50."""
    spares = Spares()
    spares.note_commit(needed, len(needed))
    spares.note_told(9, 50, 100)
    return spares


def test_while_nobody_is_known_to_be_needed_nobody_waits() -> None:
    spares = Spares()
    spares.note_told(2, 50, 100)
    assert not spares.can_wait(2, 50, 101)


def test_the_first_that_held_a_commit_are_needed_as_long_as_they_hold_the_next() -> None:
    spares = Spares()
    spares.note_commit((3, 5), 2)
    spares.note_commit((2, 3, 5), 2)
    assert spares.needed == (3, 5)
    spares.note_commit((2, 3), 2)
    assert spares.needed == (2, 3)
    spares.note_commit((2, 3), 1)
    assert spares.needed == (2,)
    spares.note_none()
    assert spares.needed == ()


def test_a_spare_waits_for_the_rest_of_a_round_and_who_is_needed_does_not() -> None:
    spares = one_needed(2)
    assert not spares.can_wait(2, 50, 101)
    assert spares.can_wait(3, 50, 100 + ROUND - 1)
    assert not spares.can_wait(3, 50, 100 + ROUND)
    assert spares.waits_to == 100 + LATEST


def test_a_spare_that_lacks_what_there_was_when_the_round_began_does_not_wait() -> None:
    spares = one_needed(2)
    assert not spares.can_wait(3, 49, 101)


def test_who_is_told_within_a_round_begins_none() -> None:
    spares = one_needed(2)
    spares.note_told(4, 60, 100 + ROUND - 1)
    assert spares.waits_to == 100 + LATEST
    assert spares.can_wait(3, 50, 101)
    spares.note_told(2, 60, 100 + ROUND)
    assert spares.waits_to == 100 + LATEST
    spares.note_told(4, 60, 100 + ROUND)
    assert spares.waits_to == 100 + ROUND + LATEST
    assert not spares.can_wait(3, 50, 100 + ROUND + 1)


def test_a_fork_has_its_own_round() -> None:
    spares = one_needed(2)
    fork = spares.fork()
    assert (fork.value(), fork.waits_to) == (spares.value(), spares.waits_to)
    fork.note_told(3, 60, 200)
    fork.note_none()
    assert (spares.needed, spares.waits_to) == ((2,), 100 + LATEST)


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
    return role.progress.spares.needed


def spares_of(cluster: Cluster) -> list[NodeId]:
    others = {one.id for one in cluster.nodes[1].replica.voters.latest} - {1}
    return sorted(others - set(needed(cluster)))


def answers_with_records(cluster: Cluster, to: NodeId) -> int:
    return sum(
        one.receiver == to and isinstance(one.message, FetchResponse) and bool(one.message.records)
        for one in cluster.sent(FetchResponse, 1)
    )


@pytest.mark.parametrize("ids", [(1, 2, 3), (1, 2, 3, 4, 5)])
def test_a_spare_is_told_once_a_round_of_what_came_in_it(ids: tuple[NodeId, ...]) -> None:
    cluster = led(*ids)
    before = {one: answers_with_records(cluster, one) for one in ids}
    for number in range(5 * ROUND):
        cluster.run_for(1)
        offset = cluster.append(1, number)
        cluster.run()
        assert cluster.nodes[1].replica.shown_high_watermark == offset + 1
    told = sum(answers_with_records(cluster, one) - before[one] for one in ids)
    of_needed, of_spares = len(needed(cluster)), len(spares_of(cluster))
    assert of_needed == len(ids) // 2
    assert told == of_needed * 5 * ROUND + of_spares * 5
    cluster.run_for(LATEST)
    assert {len(cluster.payloads(one)) for one in ids} == {1 + 5 * ROUND}


def test_a_spare_waits_no_longer_for_what_comes_alone() -> None:
    cluster = led(1, 2, 3)
    (spare,) = spares_of(cluster)
    cluster.run_for(1)
    cluster.append(1, "alone")
    cluster.run_for(LATEST - 2)
    assert "alone" not in cluster.payloads(spare)
    cluster.run_for(1)
    assert "alone" in cluster.payloads(spare)


def test_a_record_after_a_pause_is_told_to_all_at_once() -> None:
    cluster = led(1, 2, 3)
    cluster.run_for(ROUND)
    cluster.append(1, "later")
    cluster.run()
    assert all("later" in cluster.payloads(one) for one in (1, 2, 3))


def test_a_commit_waits_for_a_spare_when_the_needed_voter_is_silent_and_then_needs_it() -> None:
    cluster = led(1, 2, 3)
    (spare,) = spares_of(cluster)
    cluster.crash(*needed(cluster))
    cluster.run_for(1)
    offset = cluster.append(1, "without it")
    cluster.run()
    assert cluster.nodes[1].replica.shown_high_watermark == offset
    cluster.run_for(LATEST)
    assert cluster.nodes[1].replica.shown_high_watermark == offset + 1
    assert needed(cluster) == (spare,)
    offset = cluster.append(1, "and at once from then on")
    cluster.run()
    assert cluster.nodes[1].replica.shown_high_watermark == offset + 1


def test_of_two_voters_none_is_a_spare() -> None:
    cluster = led(1, 2)
    for number in range(3):
        offset = cluster.append(1, number)
        cluster.run()
        assert cluster.nodes[1].replica.shown_high_watermark == offset + 1
    assert needed(cluster) == ()


def test_a_change_of_the_voters_is_committed_without_a_wait_for_spares() -> None:
    cluster = led(1, 2, 3, observers=(4,))
    one = voter(4)
    assert cluster.asked(1, AddVoterRequest(one.key, one.endpoints)).error == NONE
    assert cluster.nodes[1].replica.voters.latest.by_id(4) is not None


def test_a_spare_that_waits_hears_at_once_of_a_leader_that_resigns() -> None:
    cluster = led(1, 2, 3)
    (spare,) = spares_of(cluster)
    cluster.run_for(1)
    cluster.append(1, "the last")
    cluster.run()
    cluster.tell(1, ResignAsked(cluster.nodes[1].replica.epoch, "a test"))
    cluster.run()
    told = [one for one in cluster.sent(FetchResponse, 1) if one.receiver == spare][-1].message
    assert isinstance(told, FetchResponse) and told.error == NOT_LEADER_OR_FOLLOWER
    assert cluster.nodes[1].replica.deadline > cluster.now


def test_what_a_spare_waited_for_comes_from_the_next_leader() -> None:
    cluster = led(1, 2, 3)
    (spare,) = spares_of(cluster)
    (holder,) = needed(cluster)
    cluster.run_for(1)
    cluster.append(1, "the last")
    cluster.run()
    assert "the last" not in cluster.payloads(spare)
    cluster.crash(1)
    assert cluster.elected() == holder
    cluster.run_for(1_000)
    assert "the last" in cluster.payloads(spare)
