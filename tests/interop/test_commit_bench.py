"""The bench of KIP-595: three nodes under many changes of metadata, ours and ZooKeeper's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tools.bench.commit import measured, medians
from tools.bench.commit_systems import System, ours, zookeeper

LOADS = ((1, 1), (16, 1), (16, 16))
SECONDS = 0.5


@pytest.mark.parametrize("start", [ours, zookeeper])
def test_three_nodes_are_measured_while_their_metadata_changes(
    start: Callable[[Path], AbstractContextManager[System]], tmp_path: Path
) -> None:
    with start(tmp_path) as system:
        runs = [measured(system, load, SECONDS) for load in LOADS]
        assert len(set(system.pids())) == 3
    rows = medians(runs)
    assert [row.load for row in rows] == ["1", "16", "16x16"]
    for row in rows:
        assert row.commits_a_second > 0
        assert 0 < row.p50_ms <= row.p99_ms
        assert row.leader_cpu_us > 0
