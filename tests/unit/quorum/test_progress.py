"""What replicas have fetched, and what a majority of them holds."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base import limits
from metaquorum.quorum.progress import Progress, ReplicaProgress, majority_offset
from metaquorum.quorum.types import ReplicaKey
from metaquorum.testing.fakes import directory, voter, voters

QUICK = settings(derandomize=True, deadline=None, max_examples=100)
TWO, THREE = voter(2).key, voter(3).key


@QUICK
@given(st.lists(st.integers(-1, 50), min_size=1, max_size=9))
def test_the_majority_offset_is_the_highest_that_enough_have_reached(ends: list[int]) -> None:
    majority = len(ends) // 2 + 1
    offset = majority_offset(ends, majority)
    reached = Counter(end >= offset for end in ends)[True]
    beyond = Counter(end > offset for end in ends)[True]
    assert reached >= majority > beyond


def test_the_leader_counts_only_if_it_votes_and_only_with_its_disk() -> None:
    progress = Progress()
    progress.record_fetch(TWO, 9, 10, 0)
    assert progress.high_watermark(voters(1, 2, 3), voter(1).key, 7) == 7
    assert progress.high_watermark(voters(1, 2, 3), voter(1).key, 10) == 9
    assert progress.high_watermark(voters(2, 3), voter(1).key, 10) == -1
    progress.record_fetch(THREE, 4, 10, 0)
    assert progress.high_watermark(voters(2, 3), voter(1).key, 10) == 4
    assert progress.high_watermark(voters(), voter(1).key, 10) == -1


def test_a_voter_with_another_directory_is_not_counted() -> None:
    progress = Progress()
    progress.record_fetch(ReplicaKey(2, directory(9)), 9, 10, 0)
    progress.record_fetch(ReplicaKey(2), 9, 10, 0)
    assert progress.of_voter(TWO) is None
    assert progress.high_watermark(voters(1, 2, 3), voter(1).key, 10) == -1


def test_without_a_stored_directory_the_latest_fetch_of_an_id_counts() -> None:
    progress = Progress()
    progress.record_fetch(ReplicaKey(2, directory(9)), 9, 10, 5)
    progress.record_fetch(ReplicaKey(2, directory(8)), 3, 10, 6)
    found = progress.of_voter(ReplicaKey(2))
    assert found is not None
    assert found.end == 3


def test_a_replica_is_caught_up_as_of_the_fetch_whose_log_end_it_has() -> None:
    first = ReplicaProgress(TWO).fetched(5, 10, 100)
    assert first.last_caught_up_ms == -1
    second = first.fetched(10, 12, 200)
    assert second.last_caught_up_ms == 100
    third = second.fetched(12, 12, 300)
    assert (third.last_caught_up_ms, third.last_fetch_ms) == (300, 300)
    backwards = third.fetched(4, 13, 400)
    assert (backwards.end, backwards.last_caught_up_ms) == (4, 300)


def test_the_same_fetch_again_changes_nothing_but_when_it_was() -> None:
    progress = Progress()
    for now in (10, 20):
        progress.record_fetch(TWO, 9, 10, now)
        assert progress.high_watermark(voters(1, 2, 3), voter(1).key, 10) == 9
        assert progress.replicas[TWO] == ReplicaProgress(TWO).fetched(9, 10, now)
    assert list(progress.replicas) == [TWO]


def test_the_budget_counts_what_is_not_committed() -> None:
    progress = Progress()
    progress.note_append(5, 100)
    progress.note_append(9, 50)
    assert progress.uncommitted_bytes == 150
    progress.note_committed(8)
    assert progress.uncommitted_bytes == 50
    twin = progress.fork()
    twin.note_committed(9)
    assert (twin.uncommitted_bytes, progress.uncommitted_bytes) == (0, 50)


def test_silent_observers_are_forgotten_and_voters_never() -> None:
    progress = Progress()
    progress.record_fetch(TWO, 1, 1, 0)
    progress.record_fetch(ReplicaKey(100), 1, 1, 0)
    progress.record_fetch(ReplicaKey(101), 1, 1, 50)
    progress.forget_silent_observers(voters(1, 2), 100, 100)
    assert sorted(key.id for key in progress.replicas) == [2, 101]


def test_the_list_of_replicas_has_a_limit() -> None:
    progress = Progress()
    for node_id in range(limits.MAX_TRACKED_REPLICAS + 5):
        progress.record_fetch(ReplicaKey(node_id), 1, 1, 0)
    assert len(progress.replicas) == limits.MAX_TRACKED_REPLICAS
    progress.record_fetch(ReplicaKey(0), 7, 7, 1)
    assert progress.replicas[ReplicaKey(0)].end == 7


def test_needed_voters_make_a_majority_with_the_leader_if_it_votes() -> None:
    progress = Progress()
    for one in (2, 3, 4):
        progress.record_fetch(voter(one).key, 9, 10, 0)
    progress.note_holders(9, voters(1, 2, 3), voter(1).key)
    assert progress.thrift.needed == (2,)
    progress.note_holders(9, voters(2, 3, 4), voter(1).key)
    assert progress.thrift.needed == (2, 3)


def test_where_all_others_are_needed_there_are_no_spares() -> None:
    progress = Progress()
    progress.record_fetch(TWO, 9, 10, 0)
    progress.note_holders(9, voters(1, 2, 3), voter(1).key)
    progress.note_holders(9, voters(1, 2), voter(1).key)
    assert progress.thrift.needed == ()


def test_a_fork_knows_on_its_own_which_voters_are_needed() -> None:
    progress = Progress()
    progress.record_fetch(TWO, 9, 10, 0)
    progress.note_holders(9, voters(1, 2, 3), voter(1).key)
    assert progress.fork().value() == progress.value()
    progress.fork().thrift.reset()
    assert progress.thrift.needed == (2,)
