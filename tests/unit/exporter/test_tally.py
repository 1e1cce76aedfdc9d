"""Counts that are kept by change are what a scan over the committed state would find."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.exporter.cells import Cell, cell_of, figures_of, led_by_broker
from metaquorum.exporter.tally import (
    BROKERS_FENCED,
    ELIGIBLE_ELECTIONS,
    ISR_EXPANDS,
    ISR_SHRINKS,
    LEADERS_CHANGED,
    UNCLEAN_ELECTIONS,
    Seat,
    Tally,
    default_min_in_sync,
    min_in_sync_of,
)
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.configs import TOPIC
from metaquorum.metadata.tables.topics import PartitionKey
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.every_record import every_record, made, uuid

TOPICS = ("a", "b")
MIN_IN_SYNC = "min.insync.replicas"


def scanned(view: StateView) -> Counter[Cell]:
    """The cells as a walk over all partitions finds them."""
    found: Counter[Cell] = Counter()
    for (topic_id, _), partition in view.partitions.items():
        topic = view.topics.get(topic_id)
        assert topic is not None
        found[cell_of(partition, min_in_sync_of(view, (TOPIC, topic.name)))] += 1
    return found


def named(view: StateView) -> dict[PartitionKey, Cell]:
    """The partitions that are not calm, by a walk."""
    found = {}
    for key, partition in view.partitions.items():
        topic = view.topics.get(key[0])
        assert topic is not None
        cell = cell_of(partition, min_in_sync_of(view, (TOPIC, topic.name)))
        if not cell.is_calm:
            found[key] = cell
    return found


def seats(view: StateView) -> Counter[Seat]:
    """Replicas by broker and directory, by a walk."""
    return Counter(
        seat
        for _, one in view.partitions.items()
        for seat in zip(one.replicas, one.directories, strict=False)
    )


class Driven:
    """A tally, fed with whatever is possible at the time, each record a committed batch."""

    def __init__(self) -> None:
        self.state = MetadataState()
        self.tally = Tally(self.state, by_topic=True, is_live=True, in_detail=True)

    def feed(self, *records: MetadataRecord) -> None:
        for record in records:
            self.tally.replay(record, self.state.end_offset, 1, 0)
        self.state.close_batch()
        self.state.commit(self.state.end_offset)

    def events(self, *names: str) -> list[int]:
        return [self.tally.total.events[name] for name in names]

    def topic(self, topic: str, *partitions: dict[str, Any]) -> None:
        self.feed(made("Topic", name=topic, topic_id=uuid(topic)))
        for number, fields in enumerate(partitions):
            self.feed(_partition(topic, number, **fields))

    def change(self, topic: str, number: int, version: int = 0, **fields: Any) -> None:
        record = made(
            "PartitionChange", version, topic_id=uuid(topic), partition_id=number, **fields
        )
        self.feed(record)

    def setting(self, topic: str, value: str | None) -> None:
        self.feed(
            made("Config", resource_type=2, resource_name=topic, name=MIN_IN_SYNC, value=value)
        )


def _partition(topic: str, number: int, **fields: Any) -> MetadataRecord:
    whole = {"replicas": [1, 2, 3], "isr": [1, 2, 3], "leader": 1, "directories": [], **fields}
    return made("Partition", 2, partition_id=number, topic_id=uuid(topic), **whole)


NODES = st.lists(st.integers(1, 4), unique=True, min_size=1, max_size=4)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *("partition", "isr", "lead", "reassign", "elr", "clear", "remove"),
                *("min", "default", "begin", "end", "abort"),
            ]
        ),
        st.sampled_from(TOPICS),
        st.integers(0, 2),
        NODES,
    ),
    max_size=40,
)


def _step(driven: Driven, verb: str, topic: str, number: int, nodes: list[int]) -> None:
    view = driven.state.live()
    is_topic, key = topic in view.topic_ids, (uuid(topic), number)
    if verb in ("begin", "end", "abort"):
        if (driven.state.transaction is None) == (verb == "begin"):
            driven.feed(made(f"{verb.title()}Transaction"))
    elif verb == "partition":
        if not is_topic:
            driven.feed(made("Topic", name=topic, topic_id=uuid(topic)))
        driven.feed(_partition(topic, number, replicas=nodes, isr=nodes[:2], leader=nodes[-1]))
    elif verb == "remove":
        if is_topic:
            driven.feed(made("RemoveTopic", topic_id=uuid(topic)))
    elif verb == "min":
        driven.setting(topic, None if number == 0 else str(nodes[0]))
    elif verb == "default":
        driven.feed(
            made("Config", resource_type=4, resource_name="", name=MIN_IN_SYNC, value=str(nodes[0]))
        )
    elif verb == "clear":
        if number == 0 or is_topic:
            driven.feed(made("ClearElr", topic_name="" if number == 0 else topic))
    elif key in view.partitions:
        driven.change(topic, number, 2, **_fields(verb, nodes))


def _fields(verb: str, nodes: list[int]) -> dict[str, Any]:
    return {
        "isr": {"isr": nodes},
        "lead": {"leader": nodes[0] if len(nodes) < 4 else -1},
        "reassign": {
            "replicas": nodes,
            "adding_replicas": nodes[:1],
            "removing_replicas": [],
            "directories": [bytes(16)] * len(nodes),
        },
        "elr": {"eligible_leader_replicas": nodes[:2], "last_known_elr": nodes[2:]},
    }[verb]


@settings(derandomize=True, deadline=None, max_examples=200)
@given(STEPS)
def test_counts_by_change_equal_counts_by_a_scan(
    steps: list[tuple[str, str, int, list[int]]],
) -> None:
    driven = Driven()
    for step in steps:
        _step(driven, *step)
        view, total = driven.state.committed(), driven.tally.total
        found = scanned(view)
        assert total.cells == found
        assert driven.tally.troubled == named(view)
        assert total.seats == seats(view)
        by_topic: Counter[Cell] = Counter()
        for cells in total.by_topic.values():
            by_topic.update(cells)
        assert by_topic == found
        figures = figures_of(total.cells, default_min_in_sync(view, 1))
        counts = view.partition_counts
        assert (figures.all, figures.offline) == (counts.all, counts.offline)
        assert figures.not_preferred == counts.not_preferred
        assert led_by_broker(total.cells) == {
            one: view.led_by(one) for one in (1, 2, 3, 4) if view.led_by(one)
        }
    loaded = Tally.of(driven.state, by_topic=True) if not driven.state.transaction else None
    assert loaded is None or loaded.total.cells == driven.tally.total.cells


def test_a_log_with_every_record_is_counted() -> None:
    driven = Driven()
    for record in every_record(level=29):
        driven.feed(record)
    assert driven.tally.total.cells == scanned(driven.state.committed())
    assert sum(driven.tally.total.cells.values()) > 0


def test_an_isr_that_shrinks_and_expands_is_an_event_each() -> None:
    driven = Driven()
    driven.topic("a", {})
    driven.change("a", 0, isr=[1, 2])
    driven.change("a", 0, isr=[1])
    driven.change("a", 0, isr=[1, 2, 3])
    driven.change("a", 0, leader=2)
    assert driven.events(ISR_SHRINKS, ISR_EXPANDS, LEADERS_CHANGED) == [2, 1, 1]


def test_what_an_aborted_transaction_did_is_no_event() -> None:
    driven = Driven()
    driven.topic("a", {})
    driven.feed(made("BeginTransaction"))
    driven.change("a", 0, isr=[1])
    assert driven.events(ISR_SHRINKS) == [0]
    driven.feed(made("AbortTransaction"))
    assert driven.events(ISR_SHRINKS) == [0]
    driven.feed(made("BeginTransaction"))
    driven.change("a", 0, isr=[1])
    driven.feed(made("EndTransaction"))
    assert driven.events(ISR_SHRINKS) == [1]


def test_a_leader_neither_in_sync_nor_eligible_is_unclean() -> None:
    driven = Driven()
    driven.topic("a", {"isr": [1]}, {"isr": [1], "eligible_leader_replicas": [2]})
    driven.change("a", 0, leader=-1)
    assert driven.events(UNCLEAN_ELECTIONS) == [0]
    driven.change("a", 0, leader=2, isr=[2])
    driven.change("a", 1, leader=2, isr=[2])
    assert driven.events(UNCLEAN_ELECTIONS, ELIGIBLE_ELECTIONS) == [1, 1]


def test_a_broker_that_is_fenced_is_an_event_once() -> None:
    driven = Driven()
    driven.feed(made("RegisterBroker", 0, broker_id=7, broker_epoch=5, fenced=True))
    driven.feed(made("BrokerRegistrationChange", broker_id=7, broker_epoch=5, fenced=-1))
    assert driven.events(BROKERS_FENCED) == [0]
    driven.feed(made("BrokerRegistrationChange", broker_id=7, broker_epoch=5, fenced=1))
    driven.feed(made("BrokerRegistrationChange", broker_id=7, broker_epoch=5, fenced=1))
    assert driven.events(BROKERS_FENCED) == [1]


def test_min_insync_replicas_of_topic_and_cluster_are_used() -> None:
    driven = Driven()
    driven.topic("a", {"isr": [1]})
    driven.topic("b", {"isr": [1, 2], "replicas": [1, 2]})

    def under() -> tuple[int, int]:
        view = driven.state.committed()
        found = figures_of(driven.tally.total.cells, default_min_in_sync(view, 1))
        return found.under_min_in_sync, found.at_min_in_sync

    assert under() == (0, 1)
    driven.setting("a", "2")
    assert under() == (1, 0)
    driven.setting("b", "3")  # more than it has replicas: all of them are enough
    assert under() == (1, 1)
    driven.setting("a", "none at all")
    assert under() == (0, 2)
    driven.feed(made("Config", resource_type=4, resource_name="", name=MIN_IN_SYNC, value="2"))
    assert under() == (1, 1)


def test_replicas_that_are_being_added_are_not_missed() -> None:
    driven = Driven()
    driven.topic("a", {"replicas": [1, 2, 3], "isr": [1, 2], "adding_replicas": [3]})
    found = figures_of(driven.tally.total.cells, 1)
    assert (found.under_replicated, found.reassigning) == (0, 1)
    driven.change("a", 0, adding_replicas=[])
    found = figures_of(driven.tally.total.cells, 1)
    assert (found.under_replicated, found.reassigning) == (1, 0)


def test_an_offline_partition_is_offline_and_nothing_else() -> None:
    driven = Driven()
    driven.topic("a", {"isr": [1], "leader": -1})
    found = figures_of(driven.tally.total.cells, 3)
    assert (found.offline, found.under_replicated, found.under_min_in_sync) == (1, 0, 0)


def test_a_state_that_was_loaded_is_named_in_detail() -> None:
    driven = Driven()
    driven.topic("a", {}, {"isr": [1]}, {"isr": [], "leader": -1})
    tally = Tally.of(driven.state, in_detail=True)
    assert tally.troubled == driven.tally.troubled == named(driven.state.committed())
    assert tally.total.seats == driven.tally.total.seats
    assert len(tally.troubled) == 2


def test_names_beyond_the_limit_are_found_when_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("metaquorum.exporter.tally.MAX_PARTITIONS_NAMED", 4)
    driven = Driven()
    driven.topic("a", *({"isr": [1]} for _ in range(6)))
    assert [key[1] for key in driven.tally.troubled] == [0, 1, 2, 3]
    assert not driven.tally.look_again()
    for number in range(3):
        driven.change("a", number, leader=-2, isr=[1, 2, 3])
    assert [key[1] for key in driven.tally.troubled] == [3]
    assert driven.tally.look_again()
    assert [key[1] for key in driven.tally.troubled] == [3, 4, 5]
    assert not driven.tally.look_again()
