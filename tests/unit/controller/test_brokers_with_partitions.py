"""Brokers that come and go under partitions, through the controller's core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.controller.commands import ElectLeaders
from metaquorum.controller.events import TimePassed
from metaquorum.controller.outcome import Outcome
from metaquorum.controller.partitions import of_brokers
from metaquorum.controller.plans import PLANS
from metaquorum.testing.every_record import made, uuid
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from tests.unit.controller.brokers_of_host import (
    NEXT_LIFE,
    answer,
    bootstrap,
    broker,
    code_of,
    directory,
    heartbeat,
    registered,
    registration,
    settle,
    unfenced,
    unregistration,
)

SESSION_MS = 9_000
UNCLEAN = 1
TOPIC = uuid("topic")
BROKERS = (1, 2, 3)
Epochs = dict[int, int]


class Write:
    """A command that writes records as they are."""

    def __init__(self, *records: Any) -> None:
        self.records = records


def make_topic(host: Any, *partitions: tuple[int, ...], **fields: Any) -> None:
    """A topic with these replicas, all in sync under the first."""
    records = [made("Topic", name="topic", topic_id=TOPIC)]
    for number, replicas in enumerate(partitions):
        given = {
            "replicas": list(replicas),
            "isr": list(replicas),
            "leader": replicas[0],
            "directories": [directory(one) for one in replicas],
        }
        own = {"partition_id": number, "topic_id": TOPIC}
        records.append(made("Partition", 2, **(own | given | fields)))
    answer(host, Write(*records))


def state(host: Any, number: int = 0) -> tuple[Any, ...]:
    """Leader, ISR and eligible leader replicas of a partition."""
    found = host.core.state.live().partitions.get((TOPIC, number))
    return found.leader, found.isr, found.elr


def last_types(host: Any, count: int) -> list[int]:
    """The types of the last records."""
    return [one.type for _, _, records in host.log for one in records][-count:]


@pytest.fixture
def make(make_host: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A controller with eligible leader replicas, and three unfenced brokers."""
    monkeypatch.setitem(PLANS, Write, lambda context, asked: Outcome(asked.records))

    def cluster(**settings: Any) -> tuple[Any, Epochs]:
        elr = made("FeatureLevel", name="eligible.leader.replicas.version", feature_level=1)
        host = make_host([*bootstrap(30), elr], max_idle_interval_ms=0, **settings)
        host.lead()
        host.commit()
        return host, {one: unfenced(host, one) for one in BROKERS}

    return cluster


@pytest.fixture
def cluster(make: Callable[..., Any]) -> tuple[Any, Epochs]:
    made_here: tuple[Any, Epochs] = make()
    return made_here


def beat_all(host: Any, epochs: Epochs, *but: int) -> None:
    """Every other broker is alive, and has applied all there is."""
    for one, epoch in epochs.items():
        if one not in but:
            answer(host, heartbeat(epoch, one))


def test_silent_broker_leads_nothing_before_it_is_fenced(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2), (1,))
    host.wait(SESSION_MS)
    beat_all(host, epochs, 1)
    host.wait(1)
    settle(host)
    assert state(host, 0) == (2, (2,), ())
    assert state(host, 1) == (-1, (), (1,))
    assert broker(host, 1).fenced
    assert last_types(host, 3) == [5, 5, 17], "the registration changes last"


def test_unfenced_broker_leads_again_what_it_may(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    make_topic(host, (1,))
    answer(host, heartbeat(epochs[1], 1, want_fence=True))
    assert state(host) == (-1, (), (1,))
    answer(host, heartbeat(epochs[1], 1))
    assert state(host) == (1, (1,), ())
    assert last_types(host, 2) == [17, 5], "it is unfenced first"


def test_broker_may_go_when_others_know_who_leads_instead(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2))
    beat_all(host, epochs)
    behind = host.end - 1
    for one in (2, 3):
        answer(host, heartbeat(epochs[one], one, current_metadata_offset=behind))
    first = answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    assert (first.is_fenced, first.should_shut_down) == (False, False)
    assert broker(host, 1).in_controlled_shutdown
    assert state(host) == (2, (2,), ())
    moved = host.end - 1
    answer(host, heartbeat(epochs[2], 2, current_metadata_offset=moved))
    assert not answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down
    answer(host, heartbeat(epochs[3], 3, current_metadata_offset=moved))
    last = answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    assert (last.is_fenced, last.should_shut_down) == (True, True)
    assert broker(host, 1).fenced


def test_heartbeat_of_before_a_shutdown_unfences_without_a_lead(
    cluster: tuple[Any, Epochs],
) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2), (1,))
    beat_all(host, epochs)
    answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    beat_all(host, epochs, 1)
    last = host.ask(heartbeat(epochs[1], 1, want_shut_down=True))
    while host.core.deadline <= host.now:
        host.step(TimePassed())
    older = host.ask(heartbeat(epochs[1], 1))
    settle(host)
    assert host.replies[last].should_shut_down
    assert not host.replies[older].is_fenced, "Kafka's controllers unfence it, too"
    assert not broker(host, 1).fenced and broker(host, 1).in_controlled_shutdown
    assert [state(host, number)[0] for number in (0, 1)] == [2, -1]
    for _ in range(2):
        plain = answer(host, heartbeat(epochs[1], 1))
        assert (plain.is_fenced, plain.should_shut_down) == (False, False), "it did not ask"
    beat_all(host, epochs, 1)
    again = answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    assert (again.is_fenced, again.should_shut_down) == (True, True)
    answer(host, heartbeat(epochs[1], 1))
    fenced = answer(host, heartbeat(epochs[1], 1, want_fence=True))
    assert (fenced.is_fenced, fenced.should_shut_down) == (True, False)


def test_any_heartbeat_of_a_broker_that_stops_lets_it_go(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2))
    beat_all(host, epochs)
    answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    beat_all(host, epochs, 1)
    plain = answer(host, heartbeat(epochs[1], 1))
    assert (plain.is_fenced, plain.should_shut_down) == (True, True), "as with Kafka's controllers"


def test_plain_heartbeat_ends_no_shutdown_of_an_earlier_epoch(
    cluster: tuple[Any, Epochs],
) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2))
    beat_all(host, epochs)
    answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    host.follow()
    host.lead()
    host.commit()
    beat_all(host, epochs, 1)
    plain = answer(host, heartbeat(epochs[1], 1))
    assert (plain.is_fenced, plain.should_shut_down) == (False, False)
    assert answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down


def test_controlled_shutdown_goes_on_after_a_fail_over(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2), (1, 3))
    host.ask(heartbeat(epochs[1], 1, want_shut_down=True))
    host.commit()  # the first turn marks it; its partitions are not moved yet
    assert broker(host, 1).in_controlled_shutdown
    host.follow()
    host.lead()
    host.commit()
    assert not answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down
    assert state(host, 0)[0] == 2 and state(host, 1)[0] == 3
    assert not answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down
    beat_all(host, epochs, 1)
    assert answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down


@pytest.mark.parametrize("how", ["fail-over", "a turn is refused"])
def test_shutdown_that_was_cut_short_is_made_good_by_fencing(
    cluster: tuple[Any, Epochs], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(of_brokers, "RECORDS_PER_TURN", 1)
    host, epochs = cluster
    make_topic(host, (1, 2), (2, 1), (3, 1))
    host.ask(heartbeat(epochs[1], 1, want_shut_down=True))
    host.step(TimePassed())
    host.commit()
    assert (state(host, 0), state(host, 1)) == ((2, (2,), ()), (2, (2, 1), ())), "one turn is taken"
    if how == "fail-over":
        host.follow()
        host.lead()
    else:
        host.refuse_with = error_codes.THROTTLING_QUOTA_EXCEEDED
        host.step(TimePassed())
        host.refuse_with = None
    host.commit()
    beat_all(host, epochs, 1)
    assert answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down
    assert [state(host, one) for one in range(3)] == [(2, (2,), ()), (2, (2,), ()), (3, (3,), ())]


def test_shutdown_moves_what_a_broker_leads_again_since_it_was_fenced(
    cluster: tuple[Any, Epochs],
) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2))
    answer(host, heartbeat(epochs[1], 1, want_fence=True))
    answer(host, heartbeat(epochs[1], 1))
    answer(
        host,
        Write(made("PartitionChange", 2, partition_id=0, topic_id=TOPIC, isr=[1, 2], leader=1)),
    )
    beat_all(host, epochs)
    answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    assert state(host) == (2, (2,), ())
    beat_all(host, epochs, 1)
    assert answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down
    assert (state(host), broker(host, 1).fenced) == ((2, (2,), ()), True)


def test_last_one_in_sync_is_looked_for_again_when_it_is_fenced(make: Callable[..., Any]) -> None:
    host, epochs = make()
    answer(host, Write(made("FeatureLevel", name="eligible.leader.replicas.version")))
    make_topic(host, (1, 2), (1, 2), isr=[1])
    beat_all(host, epochs)
    answer(host, heartbeat(epochs[1], 1, want_shut_down=True))
    assert state(host) == (-1, (1,), ())
    unclean = {"name": "unclean.leader.election.enable", "value": "true"}
    answer(host, Write(made("Config", resource_type=2, resource_name="topic", **unclean)))
    beat_all(host, epochs)
    assert answer(host, heartbeat(epochs[1], 1, want_shut_down=True)).should_shut_down
    assert state(host) == (2, (2,), ()), "fencing elects whom it may"


def test_heartbeat_between_two_turns_of_a_shutdown_starts_nothing(
    cluster: tuple[Any, Epochs],
) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2))
    leaving = host.ask(heartbeat(epochs[1], 1, want_shut_down=True))
    end = host.end
    again = host.ask(heartbeat(epochs[1], 1, want_shut_down=True))
    assert host.end == end
    settle(host)
    assert not host.replies[leaving].should_shut_down
    assert not host.replies[again].should_shut_down


def test_fail_over_in_the_middle_of_fencing_is_made_good(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2))
    host.wait(SESSION_MS)
    beat_all(host, epochs, 1)
    host.now += 1
    host.step(TimePassed())  # the first turn moves the partition
    assert state(host)[0] == 2
    host.commit()
    host.follow()
    assert not broker(host, 1).fenced
    host.lead()
    host.commit()
    host.wait(SESSION_MS)
    beat_all(host, epochs, 1)
    host.wait(1)
    settle(host)
    assert broker(host, 1).fenced


def test_new_controller_elects_where_the_one_before_left_off(
    cluster: tuple[Any, Epochs],
) -> None:
    host, epochs = cluster
    make_topic(host, (1,), (1, 2))
    host.wait(SESSION_MS)
    beat_all(host, epochs, 1)
    host.now += 1
    host.step(TimePassed())  # the first turn of the fencing, and the last of this controller
    host.commit()
    assert state(host, 0) == (-1, (), (1,))
    host.follow()
    host.lead()
    beat_all(host, epochs)
    settle(host)
    assert not broker(host, 1).fenced, "it was heard of in time"
    assert state(host, 0) == (1, (1,), ())


def test_no_other_process_registers_while_a_broker_is_fenced_in_turns(
    cluster: tuple[Any, Epochs],
) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2))
    host.wait(SESSION_MS)
    beat_all(host, epochs, 1)
    host.now += 1
    host.step(TimePassed())
    asked = host.ask(registration(1, incarnation_id=NEXT_LIFE))
    assert code_of(host.replies[asked]) == error_codes.DUPLICATE_BROKER_REGISTRATION
    settle(host)
    registered(host, 1, incarnation_id=NEXT_LIFE)


def test_unclean_restart_is_stripped_before_it_registers(
    cluster: tuple[Any, Epochs],
) -> None:
    host, epochs = cluster
    make_topic(host, (1,))
    host.wait(SESSION_MS)
    beat_all(host, epochs, 1)
    host.wait(1)
    settle(host)
    assert state(host) == (-1, (), (1,))
    before = host.end
    assert registered(host, 1, incarnation_id=NEXT_LIFE) == before
    assert state(host) == (-1, (), ())
    assert last_types(host, 2) == [5, 0]


def test_clean_restart_stays_eligible_to_lead(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    make_topic(host, (1,))
    answer(host, heartbeat(epochs[1], 1, want_fence=True, want_shut_down=True))
    registered(host, 1, incarnation_id=NEXT_LIFE, previous_broker_epoch=epochs[1])
    assert state(host) == (-1, (), (1,))


@pytest.mark.parametrize("says_it_stopped_in_order", [False, True])
def test_restart_of_a_broker_not_fenced_yet_leads_nothing(
    cluster: tuple[Any, Epochs], says_it_stopped_in_order: bool
) -> None:
    host, epochs = cluster
    make_topic(host, (1, 2), (1,))
    host.wait(SESSION_MS)
    beat_all(host, epochs, 1)
    host.now += 1  # the session has expired, and the controller has not looked yet
    before = epochs[1] if says_it_stopped_in_order else -1
    registered(host, 1, incarnation_id=NEXT_LIFE, previous_broker_epoch=before)
    assert broker(host, 1).fenced
    assert state(host, 0) == (2, (2,), ())
    assert state(host, 1) == (-1, (), (1,) if says_it_stopped_in_order else ())
    assert last_types(host, 3) == [5, 5, 0]


def test_offline_directory_takes_its_replicas_out_of_the_isr(cluster: tuple[Any, Epochs]) -> None:
    host, epochs = cluster
    two = [directory(1), directory(9)]
    again = registered(host, 1, log_dirs=two)
    assert again == epochs[1]
    make_topic(host, (1, 2))
    answer(host, heartbeat(epochs[1], 1, offline_log_dirs=[directory(1)]))
    assert state(host)[:2] == (2, (2,))
    assert broker(host, 1).log_dirs == (directory(9),)


def test_nobody_is_elected_in_a_directory_that_is_being_given_up(
    cluster: tuple[Any, Epochs],
) -> None:
    host, _ = cluster
    two = [directory(1), directory(9)]
    epoch = registered(host, 1, log_dirs=two)
    make_topic(host, (1,))
    host.ask(heartbeat(epoch, 1, offline_log_dirs=[directory(1)]))
    host.commit()
    assert state(host) == (-1, (), (1,))
    assert broker(host, 1).log_dirs == tuple(two), "the registration changes last"
    request = ElectLeadersRequest(UNCLEAN, [TopicPartitions("topic", [0])])
    answer(host, ElectLeaders(request, 2))
    settle(host)
    assert state(host) == (-1, (), (1,))
    assert broker(host, 1).log_dirs == (directory(9),)


def test_unregistered_broker_leads_nothing(cluster: tuple[Any, Epochs]) -> None:
    host, _ = cluster
    make_topic(host, (1, 2))
    answer(host, unregistration(1))
    assert state(host)[:2] == (2, (2,))
    assert last_types(host, 2) == [5, 1]


def test_partitions_go_back_to_preferred_leaders_by_themselves(make: Callable[..., Any]) -> None:
    host, epochs = make(leader_rebalance_enable=True, leader_imbalance_check_interval_ms=5_000)
    make_topic(host, (1, 2), leader=2)
    host.wait(4_999)
    assert state(host)[0] == 2
    host.wait(1)
    settle(host)
    assert state(host)[0] == 1
    beat_all(host, epochs)
    make_change = made("PartitionChange", partition_id=0, topic_id=TOPIC, leader=2)
    answer(host, Write(make_change))
    host.wait(5_001)
    settle(host)
    assert state(host)[0] == 1, "and again, an interval later"


def test_unclean_leaders_are_elected_where_a_topic_allows_it(make: Callable[..., Any]) -> None:
    host, epochs = make(unclean_leader_election_interval_ms=5_000)
    make_topic(host, (1, 2), leader=-1, isr=[], eligible_leader_replicas=[])
    host.wait(5_001)
    settle(host)
    assert state(host)[0] == -1
    beat_all(host, epochs)
    allow = made(
        *("Config",),
        resource_type=2,
        resource_name="topic",
        name="unclean.leader.election.enable",
        value="true",
    )
    answer(host, Write(allow))
    host.wait(5_001)
    settle(host)
    assert state(host)[0] == 1


def test_where_a_forgotten_broker_was_eligible_another_is_elected(
    cluster: tuple[Any, Epochs],
) -> None:
    """Uncleanly, where the topic allows that; as with Kafka it stays eligible elsewhere."""
    host, epochs = cluster
    fields = {"isr": [], "leader": -1, "eligible_leader_replicas": [1]}
    make_topic(host, (1, 2), **fields)
    answer(host, heartbeat(epochs[1], 1, want_fence=True))
    unclean = made(
        *("Config",),
        resource_type=2,
        resource_name="topic",
        name="unclean.leader.election.enable",
        value="true",
    )
    answer(host, Write(unclean))
    assert state(host) == (-1, (), (1,))
    assert code_of(answer(host, unregistration(1))) == 0
    assert state(host) == (2, (2,), ())
