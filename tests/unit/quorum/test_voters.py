"""Voter sets and their history in the log."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.types import (
    ZERO_SNAPSHOT,
    Control,
    KRaftVersionControl,
    ReplicaKey,
    SnapshotId,
    VotersControl,
)
from metaquorum.quorum.voters import FROM_ZERO_CHECKPOINT, VoterHistory, VoterSet
from metaquorum.testing.fakes import directory, voter, voters


def test_voters_are_ascending_and_unique() -> None:
    assert [one.id for one in VoterSet((voter(3), voter(1)))] == [1, 3]
    with pytest.raises(InvariantViolated):
        VoterSet((voter(1), voter(1)))


@pytest.mark.parametrize(("count", "majority"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3)])
def test_a_majority_is_more_than_half(count: int, majority: int) -> None:
    assert voters(*range(count)).majority == majority


def test_a_directory_counts_only_where_one_is_stored() -> None:
    with_directories, without = voters(1, 2), voters(1, 2, with_directory=False)
    assert with_directories.is_voter(ReplicaKey(1, directory(1)))
    assert not with_directories.is_voter(ReplicaKey(1, directory(9)))
    assert not with_directories.is_voter(ReplicaKey(1))
    assert without.is_voter(ReplicaKey(1, directory(9)))
    assert without.is_voter(ReplicaKey(1))


def test_the_last_voter_cannot_be_removed() -> None:
    assert voters(1, 2).without(voter(2).key) == voters(1)
    with pytest.raises(InvariantViolated):
        voters(1).without(voter(1).key)
    with pytest.raises(InvariantViolated):
        voters(1, 2).without(voter(3).key)


def test_static_voters_answer_until_a_record_speaks() -> None:
    history = VoterHistory.build(voters(1, 2, 3), None, (), ())
    assert (history.latest, history.latest_offset) == (voters(1, 2, 3), None)
    spoken = history.with_control(Control(4, VotersControl(voters(1).voters)))
    assert (spoken.latest, spoken.latest_offset) == (voters(1), 4)
    assert spoken.truncated(4).latest == voters(1, 2, 3)


def test_the_zero_checkpoint_stands_before_every_record() -> None:
    controls = [
        Control(1, KRaftVersionControl(1)),
        Control(2, VotersControl(voters(1).voters)),
    ]
    history = VoterHistory.build(None, ZERO_SNAPSHOT, controls, ())
    assert (history.latest_offset, history.kraft_version) == (FROM_ZERO_CHECKPOINT, 1)
    assert history.truncated(0) == history


def test_a_snapshot_hides_the_controls_that_it_covers() -> None:
    history = VoterHistory.build(
        None,
        SnapshotId(3, 100),
        [Control(0, VotersControl(voters(1, 2).voters))],
        [
            Control(50, VotersControl(voters(1).voters)),
            Control(120, VotersControl(voters(1, 2, 3).voters)),
        ],
    )
    assert history.sets == ((99, voters(1, 2)), (120, voters(1, 2, 3)))


def test_two_voters_cannot_change_at_once() -> None:
    history = VoterHistory.build(None, None, (), [Control(0, VotersControl(voters(1).voters))])
    with pytest.raises(InvariantViolated, match="more than one voter"):
        history.with_control(Control(5, VotersControl(voters(1, 2, 3).voters)))


def test_a_voter_may_come_back_with_another_directory() -> None:
    moved = evolve(voter(2), key=ReplicaKey(2, directory(9)))
    history = VoterHistory.build(None, None, (), [Control(0, VotersControl(voters(1, 2).voters))])
    changed = history.with_control(Control(3, VotersControl((voter(1), moved))))
    assert changed.latest.by_id(2) == moved


def test_a_replica_may_campaign_until_its_removal_is_committed() -> None:
    removed = VoterHistory(sets=((2, voters(1, 2, 3)), (9, voters(1, 2))))
    third = ReplicaKey(3, directory(3))
    assert removed.may_campaign(third, None)
    assert removed.may_campaign(third, 9)
    assert not removed.may_campaign(third, 10)
    assert removed.may_campaign(ReplicaKey(1, directory(1)), 10)
    assert not removed.may_campaign(ReplicaKey(4, directory(4)), None)
    assert not VoterHistory(sets=((2, voters(1, 2)),)).may_campaign(third, None)
