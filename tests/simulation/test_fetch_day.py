"""Fetch sessions for hours and a day of virtual time: no wrong record, and nothing piles up."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import MAX_FETCH_SESSION_BYTES
from metaquorum.base.offsets import LeaderAndEpoch
from tests.simulation.fetch_day import Day, ManyClients, Wrong

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS


def lived(seed: int, for_ms: int, *, fetchers: int, slots: int) -> tuple[Day, ManyClients]:
    day = Day(seed, slots, pace=max(1, fetchers // 60))
    many_clients = ManyClients(day, fetchers)
    many_clients.begin(liars=4, replicas=3)
    day.run(for_ms)
    return day, many_clients


def assert_well(day: Day, many_clients: ManyClients) -> None:
    cache = day.services.sessions
    cache.check()
    assert len(cache) <= day.slots
    assert cache.held_bytes <= MAX_FETCH_SESSION_BYTES
    assert cache.evictions == day.events["fetch-session-evicted"] > 0
    for name in ("opened", "closed", "refused"):
        assert day.events[f"fetch-session-{name}"] > 0
    assert day.records_seen > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_fetchers_get_no_wrong_record_and_evictions_follow_the_rules(seed: int):
    assert_well(*lived(seed, 20 * MINUTE_MS, fetchers=40, slots=25))


@pytest.mark.slow
def test_consumers_catch_up_once_false_requests_stop_and_log_rests():
    day, many_clients = lived(3, 5 * MINUTE_MS, fetchers=20, slots=10)
    day.services.leading = LeaderAndEpoch(1, 3)
    day.services.commit()
    day.resting = True
    day.run(20 * MINUTE_MS)
    ends = [one.position for one in many_clients.fetchers if one.replica_id < 0]
    assert ends == [day.services.log.high_watermark] * len(ends)


@pytest.mark.slow
def test_the_same_seed_is_the_same_day():
    first, _ = lived(5, 3 * MINUTE_MS, fetchers=20, slots=10)
    again, _ = lived(5, 3 * MINUTE_MS, fetchers=20, slots=10)
    other, _ = lived(6, 3 * MINUTE_MS, fetchers=20, slots=10)
    assert (first.events, first.heard_ids) == (again.events, again.heard_ids)
    assert first.heard_ids != other.heard_ids


@pytest.mark.slow
def test_a_session_that_told_another_ones_offsets_would_be_noticed(monkeypatch: pytest.MonkeyPatch):
    from metaquorum.fetch import context

    def confused(request, session, cache, now_ms):
        answer = whole(request, session, cache, now_ms)
        if session.epoch == 4 and answer.partitions:
            answer.partitions[0].wanted.fetch_offset += 3
        return answer

    whole = context._incremental
    monkeypatch.setattr(context, "_incremental", confused)
    with pytest.raises(Wrong):
        lived(1, 20 * MINUTE_MS, fetchers=40, slots=25)


@pytest.mark.soak
@pytest.mark.timeout(3_600)  # a few minutes for the largest, on a quiet machine
@pytest.mark.parametrize(("fetchers", "slots"), [(60, 40), (1_001, 1_000), (5_000, 1_000)])
def test_for_a_whole_day_nobody_gets_a_wrong_record(fetchers: int, slots: int):
    assert_well(*lived(7, DAY_MS, fetchers=fetchers, slots=slots))
