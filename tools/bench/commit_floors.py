"""What ``commit.py`` holds its figures against: ratios of one run, never absolute figures."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

OURS = ("metaquorum, PyPy", "metaquorum, CPython")
"""The first of these that was measured is the one that is held against the floors."""
NO_LINGER, ZOOKEEPER, ETCD = "Kafka, linger 0", "ZooKeeper", "etcd"
# (peer, load, least ratio of commits a second, aim)
RATES: tuple[tuple[str, str, float, float | None], ...] = (
    (NO_LINGER, "1", 4.0, None),
    (NO_LINGER, "16", 4.0, None),
    (NO_LINGER, "256", 2.5, None),
    (ZOOKEEPER, "16", 0.7, 1.0),
    (ZOOKEEPER, "256", 1.2, 1.5),
    (ETCD, "16", 1.3, 2.0),
    (ETCD, "256", 1.3, 2.0),
)
MOST_P50_RATIO = 1.7


@frozen
class Check:
    """One floor (or ceiling), what was measured, and whether it holds."""

    what: str
    measured: float
    floor: float
    aim: float | None
    holds: bool


def checks(
    rates: Mapping[tuple[str, str], float],
    middles_ms: Mapping[tuple[str, str], float],
    idle_percent: Mapping[str, float],
) -> list[Check]:
    """Those whose figures were measured; the keys are (system, load)."""
    found = []
    measured = {system for system, _ in rates} | set(idle_percent)
    ours = next((name for name in OURS if name in measured), OURS[0])
    for peer, load, floor, aim in RATES:
        mine, theirs = rates.get((ours, load)), rates.get((peer, load))
        if mine and theirs:
            ratio = round(mine / theirs, 2)
            what = f"{ours}: commits a second to those of {peer} at {load}"
            found.append(Check(what, ratio, floor, aim, ratio >= floor))
    mine, theirs = middles_ms.get((ours, "1")), middles_ms.get((ZOOKEEPER, "1"))
    if mine and theirs:
        ratio = round(mine / theirs, 2)
        what = f"{ours}: p50 at 1 client to that of {ZOOKEEPER} (at most)"
        found.append(Check(what, ratio, MOST_P50_RATIO, None, ratio <= MOST_P50_RATIO))
    if ours in idle_percent and ETCD in idle_percent:
        mine, theirs = idle_percent[ours], idle_percent[ETCD]
        what = f"{ours}: idle CPU of three nodes, percent of a core, to that of {ETCD} (at most)"
        found.append(Check(what, mine, theirs, None, mine <= theirs))
    return found
