"""A controller that joins by itself: asks once a period, for the removal of its old self first."""

from __future__ import annotations

from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.quorum.auto_join import AutoJoin
from metaquorum.quorum.events import Started
from metaquorum.quorum.messages import AddVoterRequest, RemoveVoterRequest
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import FakeHost, directory, voter
from metaquorum.testing.voter_changes import ids_at, quorum

PLACE = (Endpoint("CONTROLLER", "d", 9093),)
OURS, OLD = ReplicaKey(4, b"d" * 16), ReplicaKey(4, b"o" * 16)
LED = LeaderAndEpoch(1, 7)
PERIOD = 2_000
BOOTSTRAP = tuple(voter(one).endpoints[0] for one in (1, 2))


def joining() -> AutoJoin:
    return AutoJoin(OURS, PLACE, PERIOD)


def voters(*keys: ReplicaKey, kraft_version: int = 1) -> VoterHistory:
    first = Voter(ReplicaKey(1, b"a" * 16), PLACE, 0, 1)
    voters = VoterSet((first, *(Voter(key, PLACE, 0, 1) for key in keys)))
    return VoterHistory(None, ((3, voters),), ((2, kraft_version),))


def test_an_observer_led_for_a_period_asks_to_join_without_commit_ack() -> None:
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


def test_no_join_request_without_a_leader_or_in_a_new_leaders_period() -> None:
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


# --- through a whole quorum ------------------------------------------------------------------


def let_join(cluster: Cluster, joining: dict[int, AutoJoin], millis: int) -> None:
    """Run; a node that wants to join asks the leader that it knows, as the node's task does."""
    for _ in range(0, millis, 100):
        cluster.run_for(100)
        for node_id, auto_join in joining.items():
            replica = cluster.nodes[node_id].replica
            led = LeaderAndEpoch(replica.leader_id, replica.epoch)
            wanted = auto_join.decide(replica.voters, led, cluster.now)
            if wanted is not None and led.leader_id is not None:
                cluster.ask(led.leader_id, wanted)


def joining_as(key: ReplicaKey) -> AutoJoin:
    return AutoJoin(key, voter(key.id).endpoints, PERIOD)


def test_observers_of_a_standalone_voter_become_voters_by_themselves() -> None:
    cluster = quorum(1, observers=(2, 3))
    let_join(cluster, {one: joining_as(voter(one).key) for one in (2, 3)}, 10_000)
    assert [ids_at(cluster, one) for one in (1, 2, 3)] == [[1, 2, 3]] * 3
    cluster.crash(1)
    assert cluster.elected() in (2, 3)


def test_a_wiped_voter_removes_its_old_key_and_joins_with_its_new_one() -> None:
    cluster = quorum(1, 2, 3, observers=(4,))
    new = ReplicaKey(3, directory(8))
    wiped = FakeHost.of(3, VoterSet(()), kraft_version=1, key=new, bootstrap=BOOTSTRAP)
    cluster.nodes[3] = wiped
    cluster.tell(3, Started())
    let_join(cluster, {3: joining_as(new)}, 1_900)
    assert cluster.nodes[1].replica.voters.latest.by_id(3) == voter(3), "a period first"
    let_join(cluster, {3: joining_as(new)}, 8_000)
    stored = cluster.nodes[1].replica.voters.latest.by_id(3)
    assert stored is not None
    assert stored.key == new
    assert cluster.nodes[3].replica.is_voter
    sets = [len(one) for _, one in cluster.nodes[1].replica.voters.sets]
    assert sets == [3, 3, 2, 3], "the zero checkpoint, the log, without it, with it"
