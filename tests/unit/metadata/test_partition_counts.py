"""Counts of partitions are what a walk over them would find, at any point and in any view."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import (
    ELR_ELECTIONS,
    UNCLEAN_ELECTIONS,
    PartitionCounts,
    StateView,
)
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.every_record import made, uuid

TOPICS = ("a", "b")


def _walked(view: StateView) -> PartitionCounts:
    found = [partition for _, partition in view.partitions.items()]
    return PartitionCounts(
        len(found),
        sum(one.leader == -1 for one in found),
        sum(one.leader != (*one.replicas, -1)[0] for one in found),
    )


def _partition(topic: str, number: int, leader: int, **more: object) -> MetadataRecord:
    replicas = more.pop("replicas", [1, 2])
    return made(
        "Partition",
        2,
        partition_id=number,
        topic_id=uuid(topic),
        replicas=replicas,
        isr=more.pop("isr", replicas),
        leader=leader,
        directories=[],
        **more,
    )


def _change(topic: str, number: int, leader: int) -> MetadataRecord:
    return made("PartitionChange", topic_id=uuid(topic), partition_id=number, leader=leader)


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["partition", "change", "reassign"]),
            st.sampled_from(TOPICS),
            st.integers(0, 2),
            st.sampled_from([-1, 1, 2]),
        ),
        st.tuples(
            st.sampled_from(["remove", "commit", "revert", "begin", "end", "abort"]),
            st.sampled_from(TOPICS),
            st.just(0),
            st.just(0),
        ),
    ),
    max_size=40,
)


class _Driven:
    """A state, fed with whatever is possible at the time."""

    def __init__(self) -> None:
        self.state = MetadataState()

    def feed(self, *records: MetadataRecord) -> None:
        for record in records:
            self.state.replay(record, self.state.end_offset, 1, 0)
        self.state.close_batch()

    def step(self, verb: str, topic: str, number: int, leader: int) -> None:
        state, view = self.state, self.state.live()
        is_there = (uuid(topic), number) in view.partitions
        if verb in ("commit", "revert"):
            state.commit(state.end_offset) if verb == "commit" else state.revert_to_stable()
        elif verb in ("begin", "end", "abort"):
            if (state.transaction is None) == (verb == "begin"):
                self.feed(made(f"{verb.title()}Transaction"))
        elif verb == "remove":
            if topic in view.topic_ids:
                self.feed(made("RemoveTopic", topic_id=uuid(topic)))
        elif verb == "partition":
            before = (
                ()
                if topic in view.topic_ids
                else (made("Topic", name=topic, topic_id=uuid(topic)),)
            )
            self.feed(*before, _partition(topic, number, leader))
        elif is_there and verb == "change":
            self.feed(_change(topic, number, leader))
        elif is_there:
            changed = made(
                "PartitionChange", topic_id=uuid(topic), partition_id=number, replicas=[2, 1]
            )
            self.feed(changed)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(STEPS)
def test_the_counts_agree_with_a_walk_over_all_partitions(
    steps: list[tuple[str, str, int, int]],
) -> None:
    driven = _Driven()
    for step in steps:
        driven.step(*step)
        for view in (driven.state.live(), driven.state.committed()):
            assert view.partition_counts == _walked(view)
            leaders = [one.leader for _, one in view.partitions.items()]
            assert [view.led_by(one) for one in (1, 2)] == [leaders.count(1), leaders.count(2)]


def test_a_view_that_is_held_keeps_its_counts_while_the_log_moves_on() -> None:
    driven = _Driven()
    driven.feed(made("Topic", name="a", topic_id=uuid("a")), _partition("a", 0, -1))
    driven.state.commit(driven.state.end_offset)
    held = driven.state.hold()
    driven.feed(_change("a", 0, 1), _partition("a", 1, 2))
    driven.state.commit(driven.state.end_offset)
    assert held.view.partition_counts == PartitionCounts(all=1, offline=1, not_preferred=1)
    assert driven.state.committed().partition_counts == PartitionCounts(2, 0, 1)
    driven.state.let_go(held)


def test_eligible_leaders_that_are_cleared_change_no_count() -> None:
    driven = _Driven()
    driven.feed(
        made("Topic", name="a", topic_id=uuid("a")),
        _partition("a", 0, -1, eligible_leader_replicas=[1], last_known_elr=[2]),
        made("ClearElr", topic_name="a"),
    )
    assert driven.state.live().partition_counts == PartitionCounts(1, 1, 1)


def test_a_partition_without_replicas_has_no_leader_to_prefer() -> None:
    driven = _Driven()
    driven.feed(made("Topic", name="a", topic_id=uuid("a")), _partition("a", 0, -1, replicas=[]))
    assert driven.state.live().partition_counts == PartitionCounts(1, 1, 0)


def test_elections_of_leaders_not_in_sync_and_of_elrs_are_counted() -> None:
    state = MetadataState()
    state.replay(made("Topic", name="a", topic_id=uuid("a")), 0, 1, 0)
    state.replay(_partition("a", 0, -1, isr=[], eligible_leader_replicas=[2]), 1, 1, 0)
    of_elr = made(
        "PartitionChange", 2, topic_id=uuid("a"), partition_id=0, leader=2, isr=[2],
        eligible_leader_replicas=[],
    )  # fmt: skip
    unclean = made(
        "PartitionChange", topic_id=uuid("a"), partition_id=0, leader=1, isr=[1],
        leader_recovery_state=1,
    )  # fmt: skip
    again = made("PartitionChange", topic_id=uuid("a"), partition_id=0, leader=2, isr=[1, 2])
    for offset, record in enumerate((of_elr, unclean, again, unclean), 2):
        state.replay(record, offset, 1, 0)
    assert state.live().number(ELR_ELECTIONS).value == 1
    assert state.live().number(UNCLEAN_ELECTIONS).value == 2
    state.revert_to_stable()
    assert state.live().number(UNCLEAN_ELECTIONS).value == 0
