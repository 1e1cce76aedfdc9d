"""Quorums that lose disks in every way, and recoveries that keep all that can be kept."""

from __future__ import annotations

from collections import Counter

import pytest

from metaquorum.testing.disasters.judge import Broken, judge
from metaquorum.testing.disasters.mutants import MUTANTS, planted

QUICK_SEEDS = range(200)
SEEDS_FOR_MUTANTS = range(400)


@pytest.mark.slow
def test_nothing_that_could_be_kept_is_lost() -> None:
    seen: Counter[str] = Counter()
    for seed in QUICK_SEEDS:
        found = judge(seed)
        seen["planned"] += found.planned
        seen["kept all"] += found.kept_all
        seen["repaired"] += found.repaired
    assert seen["planned"] > len(QUICK_SEEDS) // 2
    assert seen["kept all"] > 10
    assert seen["repaired"] > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_recovery_that_is_broken_on_purpose_is_noticed(name: str) -> None:
    with planted(name):
        for seed in SEEDS_FOR_MUTANTS:
            try:
                judge(seed)
            except Broken:
                return
    pytest.fail(f"{len(SEEDS_FOR_MUTANTS)} disasters did not show it")


@pytest.mark.soak
def test_two_thousand_disasters_lose_nothing_they_could_keep() -> None:
    for seed in range(2_000):
        judge(seed)
