"""Whole nodes, tasks and sockets and files and all, in virtual time and in bad weather."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.testing.nodes.run import Outcome, Stage, play, simulate
from metaquorum.testing.nodes.weather import KINDS

QUICK_SEEDS, QUICK_S = 2, 3.0
LONG_SEEDS, LONG_S = 400, 20.0


def assert_well(outcome: Outcome) -> None:
    """Nothing was broken; else the seed, and what to type to see it again."""
    again = f"python -m metaquorum.testing.nodes --trace --seed {outcome.seed}"
    assert not outcome.faults, "\n".join([again, *outcome.faults])
    assert outcome.acknowledged > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, QUICK_SEEDS + 1))
def test_nothing_acknowledged_is_lost_and_the_quorum_recovers(seed: int, tmp_path: Path):
    assert_well(simulate(seed, tmp_path, seconds=QUICK_S))


@pytest.mark.slow
def test_five_nodes_do_as_well(tmp_path: Path):
    assert_well(simulate(9, tmp_path, count=5, seconds=2.0))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_trace_byte_for_byte(tmp_path: Path):
    first = simulate(21, tmp_path / "first", seconds=QUICK_S)
    again = simulate(21, tmp_path / "again", seconds=QUICK_S)
    other = simulate(22, tmp_path / "other", seconds=0.5)
    assert first.trace == again.trace and len(first.trace.splitlines()) > 1_000
    assert not other.trace.startswith(first.trace[:5_000])
    assert first.fired == again.fired


@pytest.mark.slow
def test_nodes_that_write_snapshots_all_the_time_lose_nothing(tmp_path: Path):
    outcome = simulate(5, tmp_path, seconds=QUICK_S, snapshot_bytes=300)
    assert_well(outcome)
    assert outcome.fired["snapshot-written"] > 5


async def all_machines_crash(stage: Stage) -> None:
    """Some writes are acknowledged, then the power fails for everybody."""
    client = stage.client(1)
    leader = await stage.cluster.led()
    for _ in range(10):
        await client.write("ada", leader)
    await client.hang_up()
    for node in stage.cluster.nodes.values():
        await stage.cluster.crashed(node, machine=True)
    await stage.cluster.revive()


@pytest.mark.slow
@pytest.mark.parametrize("lying", [False, True], ids=["honest", "lying"])
def test_if_all_machines_crash_only_disks_that_fake_syncs_lose_writes(lying: bool, tmp_path: Path):
    """So the judge is not blind, and it is the syncs that keep what was acknowledged."""
    lost = 0
    for seed in range(2):
        outcome = play(seed, tmp_path / str(seed), all_machines_crash, lying_disks=lying)
        assert outcome.acknowledged >= 10
        lost += bool(outcome.faults)
    assert lost == (2 if lying else 0)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_many_seeds_of_whole_nodes(tmp_path: Path):
    fired: dict[str, int] = {}
    for seed in range(1_000, 1_000 + LONG_SEEDS):
        outcome = simulate(
            seed,
            tmp_path / str(seed),
            count=5 if seed % 4 == 0 else 3,
            seconds=LONG_S,
            snapshot_bytes=300 if seed % 3 == 0 else 0,
        )
        assert_well(outcome)
        for name, count in outcome.fired.items():
            fired[name] = fired.get(name, 0) + count
    assert set(fired) >= set(KINDS), "every kind of fault was met"
