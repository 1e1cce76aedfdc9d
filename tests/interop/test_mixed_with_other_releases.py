"""Quorums of our nodes with the controllers of every other release of Kafka 4, led by either side.

In ``make soak``: each release is fetched for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.mixed.test_either_side_leads import fail_over
from tools.kafka import JavaHelper
from tools.mixed.node import OURS
from tools.mixed.quorum import MixedQuorum

RELEASES = ("4.0.0", "4.1.1", "4.2.0", "4.4.0")

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("ours", [1, 2])
@pytest.mark.parametrize("release", RELEASES)
def test_a_leader_of_either_side_is_killed(
    tmp_path: Path, java: JavaHelper, release: str, ours: int
) -> None:
    kinds = (*[OURS] * ours, *[release] * (3 - ours))
    with MixedQuorum(tmp_path, kinds, java.tool) as quorum:
        for kind in (OURS, release, OURS):
            fail_over(quorum, quorum.lead_by(quorum.of(kind)), pause=False)
        assert quorum.end() == []
