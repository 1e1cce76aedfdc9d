"""What a role needs before it may become another, beyond the table of moves."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.role_changes import become_leader, become_prospective
from metaquorum.quorum.types import ElectionState, ReplicaKey
from metaquorum.testing.fakes import directory
from tests.unit.quorum.rpc_age import RpcAge, granted, in_both_ages

OWN = ReplicaKey(1, directory(1))


@in_both_ages
def test_nobody_leads_without_a_majority_of_votes(age: RpcAge) -> None:
    out: list[Effect] = []
    node = age.host(ElectionState(5, None, OWN), 1, 2, 3, 4, 5)
    granted(node, 2)
    for host in (node, age.host(ElectionState(5)), age.host(ElectionState(5, 3))):
        with pytest.raises(InvariantViolated, match="cannot lead without a majority"):
            become_leader(host.replica, 0, out)
    assert out == []


@in_both_ages
@pytest.mark.parametrize("election", [ElectionState(5), ElectionState(5, 3)])
def test_an_observer_does_not_campaign(age: RpcAge, election: ElectionState) -> None:
    out: list[Effect] = []
    node = age.host(election, node_id=9)
    with pytest.raises(InvariantViolated, match="only a voter may campaign"):
        become_prospective(node.replica, 0, "a mistake", out)
    assert out == []


@in_both_ages
def test_a_replica_with_voter_id_but_another_directory_is_an_observer(age: RpcAge) -> None:
    """Under kraft.version 0 no directory is stored, so that any is the voter's (KAFKA-17426)."""
    node = age.host(ElectionState(5), key=ReplicaKey(1, directory(9)))
    assert node.replica.may_campaign == (age.kraft_version == 0)
