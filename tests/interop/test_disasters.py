"""Twelve disasters of clusters of Apache Kafka under load, recovered and gone on with.

Every release, led by its own controllers and by ours afterwards, in ``make soak``; two of them in
``make interop``.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from tests.interop.disasters import BY_NAME
from tests.interop.lost_cluster import kafkas, ours
from tests.interop.stricken_cluster import Lead, under_load
from tools.kafka import JavaHelper

RELEASES = ("3.9.1", "4.3.1", "4.4.0")
LEADERS: Final[dict[str, Lead]] = {"kafka": kafkas, "ours": ours}
QUICK = {
    ("majority-lost", "4.3.1", "kafka"),
    ("older-copies", "4.4.0", "ours"),
}
CELLS = [
    pytest.param(
        *cell, id="-".join(cell), marks=() if cell in QUICK else (pytest.mark.soak,)
    )
    for cell in product(BY_NAME, RELEASES, LEADERS)
]  # fmt: skip


@pytest.mark.parametrize(("name", "release", "leaders"), CELLS)
def test_a_cluster_under_load_is_recovered_from(
    tmp_path: Path, java: JavaHelper, name: str, release: str, leaders: str
) -> None:
    disaster = BY_NAME[name]
    with under_load(
        tmp_path,
        java,
        release,
        static_voters=disaster.static_voters,
        controllers_own=disaster.controllers_own,
    ) as hit:
        disaster.strike(hit)
        hit.judge(LEADERS[leaders])
