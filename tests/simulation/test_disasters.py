"""Quorums that lose disks in every way, and recoveries that keep all that can be kept."""

from __future__ import annotations

from collections import Counter

import pytest

from metaquorum.testing.disasters.judge import Broken, judge
from metaquorum.testing.disasters.mutants import MUTANTS, planted

QUICK_SEEDS = range(200)
SHOWN_BY = {
    "longest_wins": 14,
    "stale_disks_count": 50,
    "brokers_count": 1,
    "torn_ends_do_not_matter": 55,
    "fillers_are_not_compared": 228,
    "all_that_is_there_was_committed": 61,
    "gaps_cost_nothing": 117,
    "snapshots_alone": 3,
    "rot_ends_the_log": 22,
    "undo_forgets_the_identity": 1,
    "the_old_directory_is_written_over": 0,
    "half_built_is_whole": 1,
}
"""The first disaster that shows each of the recoveries that are broken on purpose."""


@pytest.mark.slow
def test_nothing_that_could_be_kept_is_lost() -> None:
    seen: Counter[str] = Counter()
    for seed in QUICK_SEEDS:
        found = judge(seed, crash=seed % 2 == 0)
        seen["planned"] += found.planned
        seen["kept all"] += found.kept_all
        seen["repaired"] += found.repaired
    assert seen["planned"] > len(QUICK_SEEDS) // 2
    assert seen["kept all"] > 10
    assert seen["repaired"] > 5


@pytest.mark.parametrize("name", MUTANTS)
def test_a_recovery_that_is_broken_on_purpose_is_noticed(name: str) -> None:
    judge(SHOWN_BY[name])
    with planted(name), pytest.raises(Broken):
        judge(SHOWN_BY[name])


@pytest.mark.soak
def test_two_thousand_disasters_lose_nothing_they_could_keep() -> None:
    for seed in range(2_000):
        judge(seed)
