"""The bench of large clusters, at ten thousand partitions: both systems load, fence and roll."""

from __future__ import annotations

import json

import pytest

from tools.bench.scale import main

SMALL = ("--topics", "1000", "--brokers", "10", "--rounds", "1", "--wide", "1200", "-o", "json")


def measured(
    capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[dict[str, dict[str, float]], list[str]]:
    """The figures of the one round, and the measures that have goals."""
    assert main([*SMALL, *words]) == 0
    told = json.loads(capsys.readouterr().out)
    [found] = told["rounds"]
    return found, [measure for measure, *_ in told["goals"]]


@pytest.mark.soak
def test_both_systems_load_fence_and_roll(capsys: pytest.CaptureFixture[str]) -> None:
    found, goals = measured(capsys, "--only", "ready", "--only", "serve", "--roll", "1")
    assert found["metaquorum"].keys() == found["kafka"].keys()
    for figures in found.values():
        assert figures["partitions of the fenced broker"] == 3_000
        assert figures["ready from the log, s"] > figures["first heartbeat from the log, s"] > 0
        assert figures["roll: rejoining, s"] > 0
        assert figures["peak memory, MiB"] >= figures["memory after the snapshot, MiB"] > 0
    assert {"fence, s", "roll, s", "ready from the log, s"} <= set(goals)


def test_many_brokers_beat_and_three_controllers_fail_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    small = ("--ours-only", "--many-brokers", "50", "--failover-partitions", "1000")
    found, goals = measured(
        capsys, *small, "--failovers", "1", "--only", "heartbeat", "--only", "fail-over"
    )
    assert found["metaquorum"]["a heartbeat of 50 brokers, p50 ms"] > 0
    assert found["metaquorum"]["fail-over with 1000 partitions, ms"] > 0
    assert goals == ["fail-over with 1000 partitions, ms"]


@pytest.mark.parametrize("words", [("--roll", "9"), ("--replication", "1"), ("--rounds", "0")])
def test_sizes_that_cannot_be_are_refused(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main([*SMALL, "--ours-only", *words])
    assert refused.value.code == 2
    assert "two replicas at least" in capsys.readouterr().err
