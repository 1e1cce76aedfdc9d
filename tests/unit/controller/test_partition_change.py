"""Changes of one partition: elections, eligible leader replicas, reassignments, epochs."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.controller.partitions.change import (
    Conditions,
    Election,
    Reassigned,
    TopicSettings,
    change_of,
)
from metaquorum.metadata.origin import NO_ORIGIN
from metaquorum.metadata.sharing import Sharing
from metaquorum.metadata.tables.topics import (
    MIGRATING_DIRECTORY,
    RECOVERED,
    RECOVERING,
    Partition,
    partition_after,
)

KEY = (bytes(15) + b"\x77", 3)
ALL = (1, 2, 3, 4)
ONLINE, PREFERRED, UNCLEAN = Election.ONLINE, Election.PREFERRED, Election.UNCLEAN
NEW_DIRECTORY = b"n" * 16


def directory(broker_id: int) -> bytes:
    return bytes([broker_id]) * 16


def partition(isr: tuple[int, ...] = (1, 2, 3), leader: int = 1, **more: Any) -> Partition:
    replicas = more.pop("replicas", (1, 2, 3))
    more.setdefault("directories", tuple(directory(one) for one in replicas))
    return Partition(
        replicas=replicas, isr=isr, leader=leader, leader_epoch=5, partition_epoch=9, **more
    )


def conditions(
    active: tuple[int, ...] = ALL, *, elr: bool = True, least: int = 2, **more: Any
) -> Conditions:
    offline, level = more.pop("offline", ()), more.pop("level", 30)
    settings = TopicSettings(least, **more)
    return Conditions(
        can_lead=lambda one, where: one in active and where not in offline,
        default_directory=lambda one: NEW_DIRECTORY,
        settings_of={KEY[0]: settings}.__getitem__,
        metadata_version=level,
        has_elr=elr,
    )


def changed(old: Partition, given: Conditions, **asked: Any) -> dict[str, Any]:
    """The fields that the record sets."""
    record = change_of(KEY, old, given, **asked)
    if record is None:
        return {}
    message, unset = record.message, type(record.message)()
    assert (message.topic_id, message.partition_id) == KEY
    return {
        name: getattr(message, name)
        for name in type(message).__slots__
        if name not in ("topic_id", "partition_id", "unknown_tags")
        and getattr(message, name) != getattr(unset, name)
    }


def after(old: Partition, given: Conditions, **asked: Any) -> Partition:
    record = change_of(KEY, old, given, **asked)
    return old if record is None else partition_after(old, record.message, NO_ORIGIN, Sharing())


@pytest.mark.parametrize(
    ("active", "election", "leader"),
    [
        ((1, 2, 3), ONLINE, 2),
        ((1, 2, 3), UNCLEAN, 2),
        ((1, 2, 3), PREFERRED, 1),
        ((1, 3), ONLINE, 1),
        ((2, 3), PREFERRED, 2),
        ((3,), PREFERRED, 3),
        ((3,), ONLINE, 3),
        ((), ONLINE, -1),
        ((), UNCLEAN, -1),
    ],
)
def test_who_is_elected_among_replicas_in_sync(
    active: tuple[int, ...], election: Election, leader: int
) -> None:
    old = partition(leader=2)
    expected: dict[str, Any] = {} if leader == 2 else {"leader": leader}
    if leader == -1:
        expected["last_known_elr"] = (2,)
    assert changed(old, conditions(active), election=election) == expected


def test_a_replica_out_of_sync_leads_only_by_an_unclean_election() -> None:
    old = partition(isr=(1,))
    for election in (ONLINE, PREFERRED):
        assert changed(old, conditions((2, 3), least=1), election=election) == {
            "leader": -1,
            "last_known_elr": (1,),
        }
    assert changed(old, conditions((2, 3), least=1), election=UNCLEAN) == {
        "leader": 2,
        "isr": (2,),
        "leader_recovery_state": RECOVERING,
    }


def test_one_that_recovers_keeps_what_its_leader_says_of_it() -> None:
    """Another is elected uncleanly in the same change; so it is with Kafka."""
    given = conditions(active=(2, 3), elr=False, election=UNCLEAN)
    old = partition(isr=(1,), leader_recovery_state=RECOVERING)
    done = after(old, given, isr=(1,), recovery_state=RECOVERED)
    assert (done.leader, done.isr, done.leader_recovery_state) == (2, (2,), RECOVERED)
    done = after(old, given, isr=(1,))
    assert (done.leader, done.isr, done.leader_recovery_state) == (2, (2,), RECOVERING)


def test_the_setting_of_the_topic_allows_an_unclean_election() -> None:
    given = conditions((3,), least=1, election=UNCLEAN)
    assert changed(partition(isr=(1,)), given)["leader"] == 3


def test_replica_whose_log_directory_is_offline_does_not_lead() -> None:
    assert changed(partition(), conditions(offline=(directory(1),))) == {"leader": 2}


def test_replica_that_moves_as_others_go_is_judged_by_where_it_was() -> None:
    old = partition(removing_replicas=(3,))
    done = after(old, conditions(offline=(NEW_DIRECTORY,)), directories={1: NEW_DIRECTORY})
    assert (done.leader, done.replicas) == (1, (1, 2))
    assert done.directories == (NEW_DIRECTORY, directory(2))


def test_an_isr_that_becomes_whole_needs_no_settings_of_the_topic() -> None:
    """They are in two tables, and a roll of brokers changes most partitions so (decision 275)."""

    def settings_of(topic_id: bytes) -> TopicSettings:
        raise AssertionError("the topic's settings were read")

    given = evolve(conditions(), settings_of=settings_of)
    assert changed(partition(isr=(1, 2)), given, isr=(1, 2, 3)) == {"isr": (1, 2, 3)}


def test_an_isr_below_the_minimum_leaves_eligible_replicas() -> None:
    old = partition()
    assert changed(old, conditions(), isr=(1, 2)) == {"isr": (1, 2)}
    once = after(old, conditions(), isr=(1,))
    assert (once.isr, once.elr, once.leader) == ((1,), (2, 3), 1)
    twice = after(once, conditions(), isr=(1, 3))
    assert (twice.isr, twice.elr) == ((1, 3), ())


def test_min_insync_replicas_counts_up_to_the_replication_factor() -> None:
    old = partition(isr=(1,), replicas=(1,))
    gone = changed(old, conditions((), least=3), isr=())
    assert gone == {
        "isr": (),
        "leader": -1,
        "eligible_leader_replicas": (1,),
        "last_known_elr": (1,),
    }
    back = after(after(old, conditions((), least=3), isr=()), conditions((1,), least=3))
    assert (back.isr, back.elr, back.last_known_elr, back.leader) == ((1,), (), (), 1)
    assert back.leader_recovery_state == RECOVERED


def test_without_eligible_replicas_the_last_one_stays_in_sync() -> None:
    given = conditions((), elr=False)
    assert changed(partition(isr=(1,)), given, isr=()) == {"leader": -1}
    lost = after(partition(isr=(1,)), given, isr=())
    assert changed(lost, conditions((2, 3), elr=False)) == {}
    assert changed(lost, conditions((1,), elr=False)) == {"leader": 1}


def test_an_eligible_replica_leads_and_is_the_isr() -> None:
    old = partition(isr=(), leader=-1, elr=(2, 3), last_known_elr=(1,))
    assert changed(old, conditions((3,))) == {
        "leader": 3,
        "isr": (3,),
        "eligible_leader_replicas": (2,),
        "last_known_elr": (),
    }


@pytest.mark.parametrize("election", [ONLINE, UNCLEAN])
def test_an_eligible_replica_leads_while_who_is_in_sync_leaves(election: Election) -> None:
    old = partition(isr=(3,), leader=-1, elr=(2,), last_known_elr=(3,))
    new = after(old, conditions((1, 2)), election=election)
    assert (new.leader, new.isr, new.elr) == (2, (2,), (3,))
    assert new.leader_recovery_state == RECOVERED


def test_replica_that_was_taken_away_is_not_eligible_when_added_again() -> None:
    """Kafka 4.3.1 leaves it in the ELR; its log may be gone."""
    old = partition(isr=(), leader=-1, replicas=(1,), elr=(1, 2), last_known_elr=(1,))
    new = after(old, conditions((2,)), reassigned=Reassigned((2, 1), (2,), ()))
    assert (new.leader, new.isr, new.elr) == (-1, (), (1,))


def test_replica_after_an_unclean_shutdown_is_not_eligible() -> None:
    old = partition(isr=(1,), elr=(2, 3))
    new = after(old, conditions((2, 3)), isr=(), unclean=(1,))
    assert (new.leader, new.isr, new.elr) == (2, (2,), (3,))
    alone = after(partition(isr=(1,), replicas=(1,)), conditions(()), isr=(), unclean=(1,))
    assert (alone.leader, alone.isr, alone.elr, alone.last_known_elr) == (-1, (), (), (1,))


def test_the_last_known_leader_leads_again_and_recovers() -> None:
    old = partition(isr=(), leader=-1, last_known_elr=(2,))
    assert changed(old, conditions((1, 2, 3))) == {
        "leader": 2,
        "isr": (2,),
        "leader_recovery_state": RECOVERING,
        "last_known_elr": (),
    }


@pytest.mark.parametrize(
    ("old", "given"),
    [
        (partition(isr=(), leader=-1, last_known_elr=(2,)), conditions((1, 3))),
        (partition(isr=(), leader=-1, last_known_elr=(2, 3)), conditions()),
        (partition(isr=(), leader=-1, last_known_elr=(2,)), conditions(offline=(directory(2),))),
        (partition(isr=(), leader=-1, last_known_elr=(4,)), conditions()),
    ],
    ids=["is fenced (KAFKA-19522)", "is one of two", "lost its disk", "is no replica now"],
)
def test_no_last_known_leader_is_elected_that(old: Partition, given: Conditions) -> None:
    assert changed(old, given) == {}


def test_eligible_replicas_go_with_the_feature() -> None:
    old = partition(isr=(1,), elr=(2,), last_known_elr=(3,))
    assert changed(old, conditions(elr=False)) == {
        "eligible_leader_replicas": (),
        "last_known_elr": (),
    }


@pytest.mark.parametrize(
    ("replicas", "adding", "removing", "isr", "ends"),
    [
        ((3, 2, 4), (), (4,), (3,), False),
        ((3, 2, 4), (), (4,), (3, 2), True),
        ((2, 4, 1), (2,), (1,), (2,), True),
        ((2, 4, 1), (2,), (1,), (4,), False),
        ((4, 3), (3,), (), (3,), True),
        ((4, 3), (3,), (), (4,), False),
        ((3, 1, 2, 4), (1,), (2, 4), (1,), False),
        ((3, 1, 2, 4), (1,), (2, 4), (1, 3), True),
        ((1, 2), (), (2,), (1,), True),
        ((1, 2), (), (2,), (2,), False),
    ],
)
def test_when_a_reassignment_ends(
    replicas: tuple[int, ...],
    adding: tuple[int, ...],
    removing: tuple[int, ...],
    isr: tuple[int, ...],
    ends: bool,
) -> None:
    """As Kafka 4.3.1 was seen to decide (KAFKA-15665: the ISR that is left is not too small)."""
    moving = {"adding_replicas": adding, "removing_replicas": removing}
    old = partition(replicas=replicas, isr=isr, leader=isr[0], **moving)
    new = after(old, conditions(), isr=isr)
    assert (not new.adding_replicas and not new.removing_replicas) is ends
    assert set(new.replicas) == set(replicas) - set(removing if ends else ())


def test_a_reassignment_ends_when_all_are_in_sync() -> None:
    old = partition(
        isr=(2, 3), leader=3, replicas=(1, 2, 3), adding_replicas=(1,), removing_replicas=(3,)
    )
    assert changed(old, conditions(), isr=(2, 3, 1)) == {
        "replicas": (1, 2),
        "isr": (2, 1),
        "adding_replicas": (),
        "removing_replicas": (),
        "leader": 1,
        "directories": (directory(1), directory(2)),
    }


def test_the_leader_epoch_rises_when_a_replica_is_taken_away() -> None:
    old = partition(removing_replicas=(3,))
    assert changed(old, conditions(), isr=(1, 2))["leader"] == 1
    assert after(old, conditions(), isr=(1, 2)).leader_epoch == 6


@pytest.mark.parametrize(("level", "rises"), [(11, True), (12, False), (30, False)])
def test_the_leader_epoch_rises_with_a_smaller_isr_before_3_6(level: int, rises: bool) -> None:
    """KAFKA-15021: later followers are known by the partition epoch."""
    new = after(partition(), conditions(level=level, elr=False), isr=(1, 2))
    assert (new.leader, new.leader_epoch) == (1, 5 + rises)


@pytest.mark.parametrize(("level", "version"), [(7, 0), (16, 0), (17, 1), (22, 1), (23, 2)])
def test_records_have_the_version_of_the_level(level: int, version: int) -> None:
    record = change_of(KEY, partition(), conditions(level=level, elr=False), isr=(1, 2))
    assert record is not None and record.version == version


def test_new_replica_gets_the_default_directory() -> None:
    aim = Reassigned((4, 1, 2, 3), (4,), ())
    assert changed(partition(), conditions(), reassigned=aim) == {
        "replicas": (4, 1, 2, 3),
        "adding_replicas": (4,),
        "directories": (NEW_DIRECTORY, directory(1), directory(2), directory(3)),
    }


def test_before_3_7_directories_are_not_written() -> None:
    """KAFKA-16624: nor is a record that would say nothing else."""
    old = partition(directories=(MIGRATING_DIRECTORY,) * 3)
    given = conditions(level=16, elr=False)
    assert changed(old, given, directories={2: directory(2)}) == {}
    assert changed(old, conditions(), directories={2: directory(2)}) == {
        "directories": (MIGRATING_DIRECTORY, directory(2), MIGRATING_DIRECTORY)
    }


def test_nothing_is_written_when_nothing_changes() -> None:
    assert changed(partition(), conditions()) == {}
    assert changed(partition(), conditions(), isr=(1, 2, 3), recovery_state=RECOVERED) == {}
    recovering = partition(isr=(1,), leader_recovery_state=RECOVERING)
    assert changed(recovering, conditions(), recovery_state=RECOVERED) == {
        "leader_recovery_state": RECOVERED
    }


BROKERS = st.sets(st.sampled_from(ALL)).map(lambda ids: tuple(sorted(ids)))
STEP = st.fixed_dictionaries(
    {
        "active": BROKERS,
        "leaves": st.sampled_from((None, *ALL)),
        "joins": st.sampled_from((None, *ALL)),
        "is_unclean": st.booleans(),
        "election": st.sampled_from((None, *Election)),
        "target": st.one_of(st.none(), st.permutations(ALL).map(lambda ids: tuple(ids[:3]))),
    }
)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(elr=st.booleans(), least=st.integers(1, 3), steps=st.lists(STEP, max_size=12))
def test_any_changes_keep_the_rules_of_a_partition(
    elr: bool, least: int, steps: list[dict[str, Any]]
) -> None:
    now = partition()
    for step in steps:
        given = conditions(step["active"], elr=elr, least=least)
        isr = now.isr
        if step["joins"] in now.replicas and now.leader > 0 and step["joins"] not in isr:
            isr = (*isr, step["joins"])
        isr = tuple(one for one in isr if one != step["leaves"])
        asked: dict[str, Any] = {"isr": isr, "election": step["election"]}
        if step["is_unclean"] and step["leaves"] is not None:
            asked["unclean"] = (step["leaves"],)
        if step["target"] is not None:
            gone = tuple(sorted(set(now.replicas) - set(step["target"])))
            come = tuple(sorted(set(step["target"]) - set(now.replicas)))
            asked["reassigned"] = Reassigned((*step["target"], *gone), come, gone)
        new = after(now, given, **asked)

        assert new.leader in (-1, *new.isr), "a leader is in sync"
        assert set(new.isr) <= set(new.replicas) and set(new.elr).isdisjoint(new.isr)
        assert new.isr or elr, "the last replica in sync stays known"
        assert not new.elr or len(new.isr) < least
        assert len(new.directories) == len(new.replicas)
        assert new.leader == -1 or not new.last_known_elr
        if new != now:
            assert new.partition_epoch == now.partition_epoch + 1
        if new.leader != now.leader or not set(now.replicas) <= set(new.replicas):
            assert new.leader_epoch == now.leader_epoch + 1
        if new.leader != now.leader and new.leader > 0:
            assert new.leader in step["active"]
        now = new
