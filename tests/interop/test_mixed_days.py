"""Random days of quorums of our nodes and Kafka's controllers, in ``make soak``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.kafka import JavaHelper
from tools.mixed.day import FEWEST_STEPS, lived

SEEDS = 20

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nothing_acknowledged_is_lost_and_all_nodes_agree(
    tmp_path: Path, java: JavaHelper, seed: int
) -> None:
    outcome = lived(tmp_path, seed, java, print)
    assert outcome.faults == ()
    assert len(outcome.done) >= FEWEST_STEPS
