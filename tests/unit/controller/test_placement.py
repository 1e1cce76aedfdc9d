"""Where replicas of new partitions are placed: racks, fenced brokers, even leaders."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaquorum.base.errors import RequestError
from metaquorum.controller.placement import Placer
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.partitions import Cluster, directory
from metaquorum.wire.generated import error_codes


def racked(racks: dict[int, str | None], fenced: frozenset[int] = frozenset()) -> Cluster:
    """Brokers with their racks."""
    cluster = Cluster.of(())
    for broker_id, rack in racks.items():
        cluster.replay(
            made(
                *("RegisterBroker", 4),
                broker_id=broker_id,
                incarnation_id=uuid(f"life {broker_id}"),
                broker_epoch=1_000 + broker_id,
                fenced=broker_id in fenced,
                rack=rack,
                log_dirs=[directory(broker_id)],
            )
        )
    return cluster


BROKERS = st.dictionaries(
    st.integers(0, 30), st.sampled_from([None, "a", "b", "c"]), min_size=1, max_size=9
)


@given(BROKERS, st.integers(0, 1 << 32), st.data())
def test_replicas_are_distinct_and_an_unfenced_broker_leads(racks, seed, data) -> None:
    fenced = data.draw(st.frozensets(st.sampled_from(sorted(racks)), max_size=len(racks) - 1))
    factor = data.draw(st.integers(1, len(racks)))
    placer = Placer(racked(racks, fenced).context, seed)
    unfenced = len(racks) - len(fenced)
    for _ in range(3 * len(racks)):
        replicas = placer.place(factor)
        assert len(set(replicas)) == factor
        assert replicas[0] not in fenced
        if not any(racks.values()):
            assert sum(one in fenced for one in replicas) == max(0, factor - unfenced)


@given(BROKERS, st.integers(0, 1 << 32), st.data())
def test_replicas_are_on_as_many_racks_as_there_are(racks, seed, data) -> None:
    factor = data.draw(st.integers(1, len(racks)))
    placer = Placer(racked(racks).context, seed)
    most = len(set(racks.values()))
    for _ in range(3 * len(racks)):
        replicas = placer.place(factor)
        assert len({racks[one] for one in replicas}) == min(factor, most)


@given(st.integers(1, 9), st.integers(0, 1 << 32), st.integers(1, 5))
def test_leaders_are_spread_evenly(brokers, seed, rounds) -> None:
    placer = Placer(racked(dict.fromkeys(range(brokers))).context, seed)
    leaders = Counter(placer.place(1)[0] for _ in range(brokers * rounds))
    assert set(leaders.values()) == {rounds}


def test_the_same_seed_places_alike() -> None:
    context = racked({1: "a", 2: "b", 3: "c", 4: None}).context
    one, other = Placer(context, 7), Placer(context, 7)
    assert [one.place(3) for _ in range(20)] == [other.place(3) for _ in range(20)]


@pytest.mark.parametrize("factor", [0, -5, 4])
def test_a_factor_that_no_brokers_are_there_for_is_refused(factor: int) -> None:
    with pytest.raises(RequestError) as refused:
        Placer(racked(dict.fromkeys((1, 2, 3))).context, 0).check(factor)
    assert refused.value.code == error_codes.INVALID_REPLICATION_FACTOR


def test_fenced_brokers_alone_take_nothing() -> None:
    with pytest.raises(RequestError, match="all brokers are fenced"):
        Placer(racked({1: None}, frozenset({1})).context, 0).check(1)


def test_nothing_is_placed_on_a_broker_that_leaves() -> None:
    cluster = racked(dict.fromkeys((1, 2, 3)))
    cluster.contacts.began_to_leave(2)
    cluster.replay(
        made(
            "BrokerRegistrationChange",
            1,
            broker_id=3,
            broker_epoch=1_003,
            in_controlled_shutdown=1,
        )
    )
    placer = Placer(cluster.context, 3)
    assert {placer.place(1) for _ in range(9)} == {(1,)}


def test_nothing_is_placed_where_all_directories_are_cordoned() -> None:
    cluster = racked(dict.fromkeys((1, 2)))
    cluster.replay(
        made(
            *("BrokerRegistrationChange", 3),
            broker_id=2,
            broker_epoch=1_002,
            cordoned_log_dirs=[directory(2)],
        )
    )
    placer = Placer(cluster.context, 3)
    assert {placer.place(1) for _ in range(9)} == {(1,)}
