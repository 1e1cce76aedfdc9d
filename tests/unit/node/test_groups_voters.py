"""The partition's voters follow the metadata's, one change at a time."""

from __future__ import annotations

import pytest

from metaquorum.node.groups_voters import next_change
from metaquorum.quorum.messages import (
    AddVoterRequest,
    RemoveVoterRequest,
    UpdateVoterRequest,
    UpgradeRequest,
)
from metaquorum.quorum.types import (
    Control,
    Endpoint,
    KRaftVersionControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.quorum.voters import VoterHistory, VoterSet


def voter(node_id: int, disk: int = 0, port: int = 9093) -> Voter:
    key = ReplicaKey(node_id, bytes([node_id, disk + 1]) * 8)
    return Voter(key, (Endpoint("CONTROLLER", "a", port),), 0, 1)


def keeps(*voters: Voter) -> VoterHistory:
    history = VoterHistory().with_control(Control(1, KRaftVersionControl(1)))
    return history.with_control(Control(2, VotersControl(voters)))


def test_the_same_voters_need_no_change() -> None:
    present = keeps(voter(1), voter(2))
    assert next_change(VoterSet((voter(2), voter(1))), 1, present, 4) is None


def test_who_is_new_comes_before_who_is_gone_leaves() -> None:
    wanted = VoterSet((voter(1), voter(3)))
    first = next_change(wanted, 1, keeps(voter(1), voter(2)), 4)
    assert isinstance(first, AddVoterRequest)
    assert (first.key, first.endpoints) == (voter(3).key, voter(3).endpoints)
    then = next_change(wanted, 1, keeps(voter(1), voter(2), voter(3)), 4)
    assert then == RemoveVoterRequest(voter(2).key)


def test_a_voter_with_another_directory_goes_before_it_comes_back() -> None:
    wanted = VoterSet((voter(1), voter(2, disk=1)))
    gone = next_change(wanted, 1, keeps(voter(1), voter(2)), 4)
    assert gone == RemoveVoterRequest(voter(2).key)
    back = next_change(wanted, 1, keeps(voter(1)), 4)
    assert isinstance(back, AddVoterRequest) and back.key == voter(2, disk=1).key


def test_a_voter_that_listens_elsewhere_is_updated() -> None:
    moved = next_change(VoterSet((voter(1, port=9999),)), 1, keeps(voter(1)), 4)
    assert isinstance(moved, UpdateVoterRequest)
    assert (moved.epoch, moved.endpoints[0].port) == (4, 9999)


def test_configured_voters_enter_the_log_when_the_metadata_voters_do() -> None:
    static = VoterHistory(VoterSet((Voter(ReplicaKey(1)),)))
    assert next_change(VoterSet((voter(1),)), 0, static, 4) is None
    assert next_change(VoterSet((voter(1),)), 1, static, 4) == UpgradeRequest(1)


@pytest.mark.parametrize("seed", range(20))
def test_voter_set_changes_keep_a_common_majority_until_the_goal(
    seed: int,
) -> None:
    """KIP-853: sets that follow each other differ by one voter, whatever the goal is."""
    from random import Random

    random = Random(seed)

    def drawn() -> tuple[Voter, ...]:
        ids = random.sample(range(1, 8), random.randint(1, 5))
        return tuple(voter(one, disk=random.randint(0, 1)) for one in ids)

    present, wanted = VoterSet(drawn()), VoterSet(drawn())
    if not set(present.keys) & set(wanted.keys) and len(present) == 1:
        present = present.with_voter(voter(9))
    for _ in range(40):
        change = next_change(wanted, 1, keeps(*present), 1)
        if change is None:
            break
        before = present
        if isinstance(change, AddVoterRequest):
            present = present.with_voter(Voter(change.key, change.endpoints, 0, 1))
        else:
            assert isinstance(change, RemoveVoterRequest)
            present = present.without(change.key)
        assert before.overlaps(present) and abs(len(before) - len(present)) == 1
    assert set(present.keys) == set(wanted.keys)
