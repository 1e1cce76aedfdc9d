"""Who gets a slot, and who gives way (KIP-227): by virtual time, with as many sessions as come."""

from __future__ import annotations

import tracemalloc

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import (
    FETCH_SESSION_EVICTION_MS,
    MAX_FETCH_SESSION_BYTES,
    MAX_FETCH_SESSION_PARTITIONS,
)
from metaquorum.fetch.session import CachedPartition, FetchSession
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.runtime.loop.chance import SeededChance, SystemChance
from metaquorum.wire.generated.fetch_request import FetchPartition, ForgottenTopic

LONG = FETCH_SESSION_EVICTION_MS + 1


def partitions(count: int, topic: str = "t") -> list[CachedPartition]:
    return [CachedPartition(topic, bytes(16), FetchPartition(index)) for index in range(count)]


class Slots:
    """A cache, and the events that it told."""

    def __init__(self, slots: int, **more: int) -> None:
        self.events: list[tuple[str, int, int]] = []
        self.cache = SessionCache(
            slots,
            SeededChance(1),
            tell=lambda event: self.events.append((event.name, event.session_id, event.epoch)),
            **more,
        )

    def open(self, now: int, count: int = 1, *, replica: bool = False) -> FetchSession | None:
        opened = self.cache.open(
            partitions(count), is_privileged=replica, uses_topic_ids=True, now_ms=now
        )
        self.cache.check()
        return opened

    def must_open(self, now: int, count: int = 1, *, replica: bool = False) -> FetchSession:
        opened = self.open(now, count, replica=replica)
        assert opened is not None
        return opened

    def has(self, session: FetchSession) -> bool:
        return self.cache.find(session.id) is session


def test_a_session_begins_in_epoch_one_and_is_found_by_its_id():
    slots = Slots(3)
    session = slots.must_open(5, count=2)
    assert (session.epoch, session.created_at_ms, session.used_at_ms) == (1, 5, 5)
    assert slots.has(session)
    assert slots.events == [("fetch-session-opened", session.id, 1)]


@pytest.mark.parametrize("chance", [SeededChance(3), SystemChance()])
def test_ids_are_positive_differ_and_are_drawn(chance):
    cache = SessionCache(2_000, chance)
    ids = [
        cache.open((), is_privileged=False, uses_topic_ids=True, now_ms=0).id for _ in range(2_000)
    ]
    assert len(dict.fromkeys(ids)) == 2_000
    assert all(0 < one < 1 << 31 for one in ids)
    assert sum(one > 1 << 30 for one in ids) > 800


def test_an_id_that_is_taken_is_drawn_again():
    class Stuck:
        drawn = iter([9, 9, 9, 4])

        def jitter(self, low: int, high: int) -> int:
            return next(self.drawn)

    cache = SessionCache(2, Stuck())
    opened = [cache.open((), is_privileged=False, uses_topic_ids=True, now_ms=0) for _ in "ab"]
    assert [one.id for one in opened] == [9, 4]


@pytest.mark.parametrize("session_id", [0, -1, -(1 << 31), (1 << 31) - 1, 0x7FFFFFF8, 17])
def test_an_unknown_session_id_is_not_found_and_its_close_is_a_no_op(session_id):
    cache = Slots(8).cache
    assert cache.find(session_id) is None
    assert not cache.close(session_id, "asked for")


def test_without_slots_there_are_no_sessions():
    assert Slots(0).open(0) is None


@pytest.mark.parametrize("would_be", [1_001, 5_000])
def test_beyond_a_thousand_sessions_in_use_no_session_is_opened(
    would_be,
):
    slots = Slots(1_000)
    opened = [
        slots.cache.open(partitions(1), is_privileged=False, uses_topic_ids=True, now_ms=now)
        for now in range(would_be)
    ]
    slots.cache.check()
    assert [one is not None for one in opened] == [True] * 1_000 + [False] * (would_be - 1_000)
    assert slots.cache.evictions == 0


@pytest.mark.parametrize("would_be", [1_001, 5_000])
def test_after_two_minutes_new_sessions_evict_the_longest_idle(would_be):
    slots = Slots(1_000)
    first = [
        slots.cache.open(partitions(1), is_privileged=False, uses_topic_ids=True, now_ms=now)
        for now in range(1_000)
    ]
    for session in first[::2]:
        slots.cache.use(session, 50_000)
    for newcomer in range(would_be - 1_000):
        now = 999 + LONG
        assert (
            slots.cache.open(partitions(1), is_privileged=False, uses_topic_ids=True, now_ms=now)
            is None
        ) == (newcomer >= 500)
    slots.cache.check()
    gone = [session.id for session in first if not slots.has(session)]
    assert gone == [session.id for session in first[1::2]][: would_be - 1_000]


def test_at_two_minutes_to_the_millisecond_nobody_is_idle_yet():
    slots = Slots(1)
    session = slots.must_open(0)
    assert slots.open(FETCH_SESSION_EVICTION_MS) is None
    assert slots.open(FETCH_SESSION_EVICTION_MS + 1) is not None
    assert not slots.has(session)


def test_a_replica_evicts_the_smallest_consumer_session_at_any_age():
    slots = Slots(3)
    large, small, middle = (slots.must_open(0, count) for count in (3, 1, 2))
    assert slots.open(1, 1, replica=True) is not None
    assert [slots.has(one) for one in (large, small, middle)] == [True, False, True]
    assert slots.open(1, 1, replica=True) is not None
    assert [slots.has(one) for one in (large, small, middle)] == [True, False, False]


def test_a_consumer_never_takes_the_slot_of_a_replica_that_is_in_use():
    slots = Slots(1)
    replica = slots.must_open(0, 1, replica=True)
    slots.cache.use(replica, LONG)
    assert slots.open(LONG + 1, 500) is None
    assert slots.open(2 * LONG + 1, 1) is not None, "nobody heard of it for two minutes"


def test_a_replica_evicts_a_smaller_replica_only_after_two_minutes():
    slots = Slots(1)
    old = slots.must_open(0, 2, replica=True)
    slots.cache.use(old, 100_000)
    assert slots.open(FETCH_SESSION_EVICTION_MS, 3, replica=True) is None
    assert slots.open(LONG, 2, replica=True) is None
    assert slots.open(LONG, 3, replica=True) is not None


@pytest.mark.parametrize(("count", "gets"), [(1, False), (2, False), (3, True)])
def test_after_two_minutes_a_consumer_is_evicted_only_by_a_larger_one(count, gets):
    slots = Slots(1)
    old = slots.must_open(0, 2)
    slots.cache.use(old, 100_000)
    assert slots.open(FETCH_SESSION_EVICTION_MS, 9) is None
    assert (slots.open(LONG, count) is not None) == gets


def test_of_those_that_are_old_enough_the_smallest_gives_way():
    slots = Slots(3)
    sessions = [slots.must_open(0, count) for count in (5, 2, 4)]
    for session in sessions:
        slots.cache.use(session, 100_000)
    assert slots.open(LONG, 9) is not None
    assert [slots.has(one) for one in sessions] == [True, False, True]


def test_a_session_that_shrank_counts_as_what_it_is_now():
    slots = Slots(2)
    first, second = slots.must_open(0, 5), slots.must_open(0, 4)
    for session in (first, second):
        slots.cache.use(session, 100_000)
    drop = [ForgottenTopic("t", bytes(16), [0, 1, 2])]
    assert slots.cache.change(first, lambda session: session.forget(drop), 100_000)
    assert slots.open(LONG, 3) is not None
    assert [slots.has(first), slots.has(second)] == [False, True]


def test_a_close_is_no_eviction_and_an_eviction_logs_id_and_epoch():
    slots = Slots(1)
    first = slots.must_open(0)
    slots.cache.close(first.id, "asked for")
    second = slots.must_open(0)
    second.epoch = 12
    third = slots.must_open(LONG)
    assert slots.cache.evictions == 1
    assert slots.events[1:] == [
        ("fetch-session-closed", first.id, 1),
        ("fetch-session-opened", second.id, 1),
        ("fetch-session-evicted", second.id, 12),
        ("fetch-session-opened", third.id, 1),
    ]


def test_statistics_count_sessions_partitions_and_bytes():
    slots = Slots(5)
    session = slots.must_open(0, 3)
    slots.must_open(0, 2)
    told = slots.cache.statistics()
    assert (told["sessions"], told["partitions"], told["evictions"]) == (2, 5, 0)
    slots.cache.close(session.id, "asked for")
    told = slots.cache.statistics()
    assert (told["sessions"], told["partitions"]) == (1, 2)


def test_a_session_with_more_partitions_than_a_request_is_not_opened():
    slots = Slots(5)
    assert slots.open(0, MAX_FETCH_SESSION_PARTITIONS) is not None
    assert slots.open(0, MAX_FETCH_SESSION_PARTITIONS + 1) is None


def grow(session: FetchSession, count: int) -> None:
    for one in partitions(count, "more"):
        session.add(one)


def test_a_session_that_grows_beyond_that_is_closed():
    slots = Slots(5)
    session = slots.must_open(0, 10)
    room = MAX_FETCH_SESSION_PARTITIONS - 10
    assert slots.cache.change(session, lambda one: grow(one, room), 0)
    assert not slots.cache.change(session, lambda one: grow(one, room + 1), 0)
    assert not slots.has(session)
    assert slots.events[-1][0] == "fetch-session-closed"
    slots.cache.check()


def test_sessions_stay_within_the_byte_budget_and_only_idle_ones_go():
    slots = Slots(100, max_bytes=50_000)
    first = slots.must_open(0, 20)
    second = slots.must_open(1_000, 20)
    assert slots.open(2_000, 50) is None, "nobody is idle"
    assert slots.open(LONG, 50) is None, "it would not fit beside the second"
    assert [slots.has(first), slots.has(second)] == [False, True]
    assert slots.open(LONG, 20) is not None
    assert slots.open(LONG, 1_000) is None, "nor ever"
    assert slots.has(second)


def test_a_session_over_the_byte_budget_is_closed_unless_idle_ones_go():
    slots = Slots(100, max_bytes=50_000)
    first, second = slots.must_open(0, 20), slots.must_open(LONG, 20)
    assert slots.cache.change(second, lambda one: grow(one, 25), LONG)
    assert not slots.has(first)
    assert not slots.cache.change(second, lambda one: grow(one, 100), LONG)
    assert not slots.has(second)
    slots.cache.check()


def test_sessions_weigh_no_more_than_they_are_charged_for():
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        cache = SessionCache(1_000, SeededChance(1))
        for number in range(250):
            named = [
                CachedPartition(
                    f"topic-{number}",
                    number.to_bytes(16, "big"),
                    FetchPartition(
                        index,
                        3_000,
                        10**12 + index,
                        3_000,
                        10**12 + index,
                        1 << 20,
                        bytes(bytearray(16)),
                        10**12 + index,
                    ),
                )
                for index in range(1_000, 1_000 + number % 40)
            ]
            cache.open(named, is_privileged=False, uses_topic_ids=True, now_ms=number)
        weight = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert len(cache) == 250
    assert weight <= cache.held_bytes <= MAX_FETCH_SESSION_BYTES


def test_books_that_do_not_agree_are_found():
    slots = Slots(5)
    session = slots.must_open(0, 3)
    session.add(partitions(1, "behind the back")[0])
    with pytest.raises(InvariantViolated):
        slots.cache.check()
