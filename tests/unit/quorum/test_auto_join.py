"""A controller that joins by itself: asks once a period, for the removal of its old self first."""

from __future__ import annotations

from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.quorum.auto_join import AutoJoin
from metaquorum.quorum.messages import AddVoterRequest, RemoveVoterRequest
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.quorum.voters import VoterHistory, VoterSet

PLACE = (Endpoint("CONTROLLER", "d", 9093),)
OURS, OLD = ReplicaKey(4, b"d" * 16), ReplicaKey(4, b"o" * 16)
LED = LeaderAndEpoch(1, 7)
PERIOD = 2_000


def joining() -> AutoJoin:
    return AutoJoin(OURS, PLACE, PERIOD)


def voters(*keys: ReplicaKey, kraft_version: int = 1) -> VoterHistory:
    first = Voter(ReplicaKey(1, b"a" * 16), PLACE, 0, 1)
    voters = VoterSet((first, *(Voter(key, PLACE, 0, 1) for key in keys)))
    return VoterHistory(None, ((3, voters),), ((2, kraft_version),))


def test_after_a_period_with_a_leader_it_asks_to_be_added_without_waiting_for_the_commit() -> None:
    auto_join = joining()
    assert auto_join.decide(voters(), LED, 10_000) is None
    assert auto_join.decide(voters(), LED, 11_999) is None
    wanted = auto_join.decide(voters(), LED, 12_000)
    assert wanted == AddVoterRequest(OURS, PLACE, ack_when_committed=False)


def test_it_asks_once_a_period_until_it_votes() -> None:
    auto_join = joining()
    asked = [
        now for now in range(0, 10_000, 100) if auto_join.decide(voters(), LED, now) is not None
    ]
    assert asked == [2_000, 4_000, 6_000, 8_000]
    assert auto_join.decide(voters(OURS), LED, 20_000) is None
    assert auto_join.decide(voters(), LED, 20_001) is not None


def test_its_old_directory_is_removed_before_it_is_added() -> None:
    auto_join = joining()
    auto_join.decide(voters(OLD), LED, 0)
    assert auto_join.decide(voters(OLD), LED, 2_000) == RemoveVoterRequest(OLD)
    assert auto_join.decide(voters(), LED, 3_999) is None
    assert isinstance(auto_join.decide(voters(), LED, 4_000), AddVoterRequest)


def test_nobody_is_asked_while_nobody_leads_and_a_new_leader_is_given_a_period() -> None:
    auto_join = joining()
    assert auto_join.decide(voters(), LeaderAndEpoch(None, 7), 0) is None
    assert auto_join.decide(voters(), LeaderAndEpoch(None, 7), 60_000) is None
    assert auto_join.decide(voters(), LeaderAndEpoch(1, 8), 60_001) is None
    assert auto_join.decide(voters(), LeaderAndEpoch(1, 8), 62_001) is not None


def test_under_kraft_version_0_nobody_joins() -> None:
    auto_join = joining()
    auto_join.decide(voters(kraft_version=0), LED, 0)
    assert auto_join.decide(voters(kraft_version=0), LED, 2_000) is None


def test_a_leader_that_is_being_removed_does_not_ask_itself() -> None:
    auto_join = joining()
    itself = LeaderAndEpoch(4, 7)
    auto_join.decide(voters(), itself, 0)
    assert auto_join.decide(voters(), itself, 2_000) is None
