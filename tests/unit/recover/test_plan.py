"""Plans: which log is gone on with, what is lost at most, and when there is no plan."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from attrs import evolve

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.quorum.voters import VoterSet
from metaquorum.recover.plan import Plan
from metaquorum.recover.plan_json import plan_of, plan_to_json
from metaquorum.recover.planning import EPOCH_STEP, make_plan
from metaquorum.recover.survey import Survey
from metaquorum.recover.voter_plan import voter_steps
from metaquorum.recover.wishes import A_MAJORITY_IS_THERE, NewVoter, Wishes
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.testing.disasters.quorum import directory_of
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.recover.lost_disks import (
    NOW_MS,
    epoch_start,
    surveys_of,
    topics,
    voter,
    write_node,
)

V = (1, 2, 3)
START = (epoch_start(0, 1, 1, V, (1, 2), named=True), topics(3, 1, "a"))
MORE = (*START, topics(4, 1, "b"))
LATER = (*START, epoch_start(4, 2, 2, V, (2, 3)), topics(5, 2, "c"))
AND_SO_ON = Wishes(although=frozenset((A_MAJORITY_IS_THERE,)))


def new_ids() -> Callable[[], Uuid]:
    ids = iter(range(50, 99))
    return lambda: directory_of(next(ids))


def plan(surveys: Sequence[Survey], wishes: Wishes = AND_SO_ON) -> Plan:
    found = make_plan(surveys, wishes, NOW_MS, "abc", new_ids())
    assert plan_of(json.dumps(plan_to_json(found)), "p.json") == found
    return found


def on_disk(logs: dict[int, Sequence[bytes]], **more: int) -> tuple[SimDisk, list[str]]:
    disk = SimDisk()
    return disk, [write_node(disk, node, log, epoch=3) for node, log in logs.items()]


def of_nodes(logs: dict[int, Sequence[bytes]]) -> list[Survey]:
    disk, roots = on_disk(logs)
    return surveys_of(disk, *roots)


def test_a_majority_of_the_last_voters_loses_nothing() -> None:
    found = plan(of_nodes({1: START, 2: MORE}))
    assert found.loss.from_offset is None
    assert found.counted == (1, 2)
    assert found.leader_id == 2
    assert found.history.end.offset == 5


def test_one_of_three_may_have_lost_what_is_behind_the_proof() -> None:
    found = plan(of_nodes({1: MORE}))
    assert found.loss.from_offset == 3
    assert [one.words for one in found.loss.beyond] == ["topic a created", "topic b created"]
    assert found.voters == (voter(1),)


def test_a_later_epoch_wins_against_a_longer_log() -> None:
    longer = (*MORE, topics(5, 1, "x", "y", "z"))
    found = plan(of_nodes({1: longer, 2: LATER}))
    assert found.leader_id == 2
    other = found.others[0]
    assert (other.parts_at, other.end) == (4, 8)
    assert [one.words for one in other.dropped] == [f"topic {t} created" for t in "bxyz"]
    assert [one.words for one in other.instead] == ["topic c created"]


def test_a_brokers_longer_log_is_the_source_and_is_not_counted() -> None:
    found = plan(of_nodes({1: START, 101: MORE}))
    assert found.history.end.offset == 5
    assert found.counted == (1,)
    assert found.leader_id == 1
    (node,) = found.nodes
    assert node.needs == (1,)


def test_a_rotten_batch_comes_from_another_replica() -> None:
    disk, roots = on_disk({1: LATER, 2: MORE})
    path = f"/n1/{METADATA_DIRECTORY}/00000000000000000000.log"
    files = disk.files()
    rotten = bytearray(files[path])
    rotten[len(START[0]) - 5] ^= 1  # within the first batch: only the other replica has it
    disk = SimDisk.holding(files | {path: bytes(rotten)})
    found = plan(surveys_of(disk, *roots))
    assert found.loss.from_offset is None
    assert [(one.survey, one.start, one.end) for one in found.history.pieces] == [
        (1, 0, 3),
        (0, 3, 6),
    ]


def test_what_nobody_can_read_is_the_bound() -> None:
    disk, roots = on_disk({1: LATER})
    path = f"/n1/{METADATA_DIRECTORY}/00000000000000000000.log"
    files = disk.files()
    rotten = bytearray(files[path])
    rotten[len(START[0]) + 70] ^= 1
    disk = SimDisk.holding(files | {path: bytes(rotten)})
    found = plan(surveys_of(disk, *roots))
    assert found.history.end.offset == 3
    assert found.loss.from_offset == 3


def test_a_disk_that_forgot_its_vote_is_an_older_copy() -> None:
    surveys = of_nodes({1: LATER, 3: START})
    surveys[1] = evolve(surveys[1], election=evolve(surveys[1].election, epoch=1))
    found = plan(surveys)
    assert found.counted == (1,)
    assert "older copy" in found.notes[0]


def test_a_replaced_disk_is_not_that_of_the_voter() -> None:
    disk = SimDisk()
    one = write_node(disk, 1, MORE, epoch=3)
    two = write_node(disk, 2, START, epoch=3, directory_id=directory_of(77))
    surveys = surveys_of(disk, one, two)
    assert plan(surveys).counted == (1,)
    same = evolve(AND_SO_ON, same_disks=frozenset((2,)))
    assert plan(surveys, same).counted == (1, 2)


def test_the_fresh_epoch_is_above_all_that_was_seen() -> None:
    found = plan(of_nodes({1: MORE}))
    assert found.epoch == 3 + EPOCH_STEP
    assert found.nodes[0].election.epoch == found.epoch
    assert found.nodes[0].election.leader_id == 1


def test_followers_keep_their_log_and_have_voted_for_the_leader() -> None:
    found = plan(of_nodes({1: START, 2: MORE}))
    follower = found.node(1)
    assert follower is not None
    assert not follower.appends
    assert follower.history.end.offset == 4
    assert (follower.election.voted_id, follower.election.leader_id) == (2, None)


def test_a_voter_without_a_disk_gets_the_leaders_log() -> None:
    wanted = tuple(NewVoter(one, Endpoint("CONTROLLER", f"n{one}", 1)) for one in (1, 7))
    found = plan(of_nodes({1: MORE}), evolve(AND_SO_ON, voters=wanted))
    node = found.node(7)
    assert node is not None
    assert node.appends
    assert node.source is None
    assert node.directory_id == directory_of(50)
    assert node.needs == (0,)


def test_static_voters_are_in_quorum_state_alone() -> None:
    disk = SimDisk()
    log = (epoch_start(0, 1, 1, V), topics(1, 1, "a"))
    root = write_node(disk, 1, log, epoch=1, data_version=0, voters=V)
    found = plan(surveys_of(disk, root))
    assert found.kraft_version == 0
    assert found.steps == ()
    assert [one.id for one in found.last_voters] == [1, 2, 3]
    assert found.nodes[0].election.voters == (1,)


@pytest.mark.parametrize(
    ("last", "new"),
    [((1, 2, 3), (1,)), ((1,), (1, 2, 3)), ((1, 2, 3), (4, 5, 6)), ((1, 2), (1, 2))],
)
def test_neighbouring_voter_sets_differ_by_one_voter(
    last: tuple[int, ...], new: tuple[int, ...]
) -> None:
    sets = [VoterSet(tuple(map(voter, last)))]
    wanted = tuple(voter(one, "new") for one in new)
    sets += [VoterSet(one) for one in voter_steps(sets[0].voters, wanted)]
    assert sets[-1] == VoterSet(wanted)
    assert all(one.overlaps(other) for one, other in pairwise(sets))


def test_a_new_directory_of_the_same_node_takes_one_step() -> None:
    before = (voter(1), voter(2))
    after = (voter(1), Voter(ReplicaKey(2, directory_of(9)), voter(2).endpoints, 0, 1))
    assert voter_steps(before, after) == (after,)


def test_a_majority_that_could_start_is_refused_unless_said() -> None:
    surveys = of_nodes({1: START, 2: MORE})
    with pytest.raises(OperatorError, match="start these nodes, and the quorum lives"):
        plan(surveys, Wishes())


def test_a_disk_of_another_cluster_is_refused() -> None:
    surveys = of_nodes({1: START, 2: MORE})
    surveys[1] = evolve(surveys[1], cluster_id="other")
    with pytest.raises(OperatorError, match="leave out the disk of the other cluster"):
        plan(surveys)


def test_two_surveys_of_one_disk_are_refused() -> None:
    surveys = of_nodes({1: START})
    with pytest.raises(OperatorError, match="are surveys of one replica"):
        plan([*surveys, *surveys])


def test_an_older_copy_beside_the_disk_is_read_and_not_counted() -> None:
    disk = SimDisk()
    root = write_node(disk, 1, MORE, epoch=3)
    copy = write_node(disk, 1, START, epoch=2, root="/copy")
    found = plan(surveys_of(disk, root, copy), evolve(AND_SO_ON, stale=frozenset((1,))))
    assert found.history.end.offset == 5
    assert found.counted == (1,)


def test_different_records_of_one_epoch_are_refused() -> None:
    surveys = of_nodes({1: MORE, 2: (*START, topics(4, 1, "Z"))})
    with pytest.raises(OperatorError, match="different records of one epoch"):
        plan(surveys)


def test_names_alone_need_a_majority_that_is_there() -> None:
    with pytest.raises(OperatorError, match="a majority of 1, 2, 3 is needed"):
        plan(of_nodes({1: MORE}), Wishes(only_names=True))


def test_names_alone_leave_the_other_voters_disks_as_they_are() -> None:
    wanted = tuple(NewVoter(one, Endpoint("CONTROLLER", f"new{one}", 9093)) for one in V)
    found = plan(of_nodes({1: START, 2: MORE}), Wishes(voters=wanted, only_names=True))
    assert [one.key for one in found.voters] == [voter(one).key for one in V]
    assert [one.node_id for one in found.nodes] == [1, 2]
    assert len(found.steps) == 1


def test_nothing_at_all_is_refused() -> None:
    with pytest.raises(OperatorError, match="single record"):
        plan(of_nodes({1: ()}))


def test_a_follower_keeps_only_what_is_in_the_history() -> None:
    longer = (*MORE, topics(5, 1, "x", "y", "z"))
    found = plan(of_nodes({1: longer, 2: LATER}))
    follower = found.node(1)
    assert follower is not None
    assert not follower.appends
    assert follower.history.end == OffsetAndEpoch(1, 4)
    assert [(one.survey, one.start, one.end) for one in follower.history.pieces] == [(0, 0, 4)]


def test_a_follower_with_nothing_in_common_gets_the_leaders_log() -> None:
    other = (epoch_start(0, 1, 3, V, (1, 3), named=True),)
    begun = (epoch_start(0, 2, 2, V, (2, 3), named=True), topics(3, 2, "c"))
    found = plan(of_nodes({1: other, 2: begun}))
    follower = found.node(1)
    assert follower is not None
    assert follower.appends
    assert follower.needs == (1,)


def test_names_alone_note_a_voter_that_was_not_surveyed() -> None:
    wanted = tuple(NewVoter(one, Endpoint("CONTROLLER", f"new{one}", 9093)) for one in V)
    found = plan(of_nodes({1: START, 2: MORE}), Wishes(voters=wanted, only_names=True))
    assert [one for one in found.notes if "voter 3 was not surveyed" in one]
