"""The two rules of what may go, without a replica around them."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from metaquorum.quorum.retention import (
    Measured,
    Retention,
    followers_start,
    kafkas_start,
    leaders_start,
)
from metaquorum.quorum.types import ZERO_SNAPSHOT, SnapshotId

A, B, C = SnapshotId(1, 10), SnapshotId(2, 20), SnapshotId(2, 30)
SNAPSHOTS = ((A, 100), (B, 100), (C, 100))
SEGMENTS = ((0, 50), (8, 50), (16, 50), (24, 50))  # up to offset 35
NO_LIMIT = Retention(-1, -1)
DISK = Measured(1_000, SEGMENTS, {A: 100, B: 400, C: 900})


@pytest.mark.parametrize(
    ("max_bytes", "start"),
    [(500, 0), (499, 20), (351, 20), (349, 20), (299, 30), (249, 30), (0, 30), (-1, 0)],
)
def test_an_oversized_log_drops_oldest_snapshots_with_their_segments(
    max_bytes: int, start: int
) -> None:
    # Without A, and starting at 20: two segments less. Without B, starting at 30: all but one.
    assert kafkas_start(evolve(NO_LIMIT, max_bytes=max_bytes), 0, SNAPSHOTS, DISK) == start


@pytest.mark.parametrize(
    ("max_ms", "start"), [(900, 0), (899, 20), (600, 20), (599, 30), (0, 30), (-1, 0)]
)
def test_what_only_holds_old_records_goes_but_the_newest_stays(max_ms: int, start: int) -> None:
    assert kafkas_start(evolve(NO_LIMIT, max_ms=max_ms), 0, SNAPSHOTS, DISK) == start


def test_one_snapshot_alone_lets_nothing_go() -> None:
    assert kafkas_start(Retention(0, 0), 0, SNAPSHOTS[:1], DISK) == 0


def test_the_zero_checkpoint_is_a_snapshot_like_any_other_here() -> None:
    assert kafkas_start(Retention(0, -1), 0, ((ZERO_SNAPSHOT, 9), (A, 100)), DISK) == 10


def test_a_snapshot_of_unknown_age_is_not_too_old() -> None:
    assert kafkas_start(Retention(-1, 0), 0, SNAPSHOTS, evolve(DISK, written_ms={})) == 0


@pytest.mark.parametrize(
    ("ends", "start"), [([35, 31], 30), ([35, 29], 20), ([9, 35], 0), ([10], 10), ([], 30)]
)
def test_a_leaders_log_starts_at_a_snapshot_all_live_replicas_passed(
    ends: list[int], start: int
) -> None:
    assert leaders_start(10_000, 0, SNAPSHOTS, ends, DISK) == start


@pytest.mark.parametrize(("lag_max_ms", "start"), [(901, 0), (900, 10), (600, 20), (100, 30)])
def test_or_where_the_snapshots_end_is_old_enough(lag_max_ms: int, start: int) -> None:
    assert leaders_start(lag_max_ms, 0, SNAPSHOTS, [0], DISK) == start


@pytest.mark.parametrize(
    ("ours", "leaders", "start"), [(0, 15, 15), (0, 31, 30), (20, 15, 20), (0, 0, 0), (0, -1, 0)]
)
def test_a_followers_log_start_follows_leader_up_to_its_own_snapshots(
    ours: int, leaders: int, start: int
) -> None:
    assert followers_start(ours, leaders, SNAPSHOTS) == start


ends = st.lists(st.integers(1, 1_000), min_size=1, max_size=6, unique=True).map(sorted)


@given(ends, ends, st.integers(-1, 2_000), st.integers(-1, 2_000), st.data())
def test_the_log_start_only_rises_and_only_to_the_end_of_a_snapshot(
    offsets: list[int], bases: list[int], max_bytes: int, max_ms: int, data: st.DataObject
) -> None:
    snapshots = [(SnapshotId(1, end), data.draw(st.integers(1, 500))) for end in offsets]
    segments = tuple((base, data.draw(st.integers(0, 500))) for base in bases)
    written = {one: data.draw(st.integers(0, 2_000)) for one, _ in snapshots}
    before = data.draw(st.integers(0, offsets[-1]))
    measured = Measured(2_000, segments, written)
    start = kafkas_start(Retention(max_bytes, max_ms), before, snapshots, measured)
    assert before <= start <= offsets[-1]
    assert start == before or start in offsets
    live = data.draw(st.lists(st.integers(0, 1_000), max_size=4))
    by_kip = leaders_start(max(0, max_ms), before, snapshots, live, measured)
    assert before <= by_kip <= offsets[-1]
