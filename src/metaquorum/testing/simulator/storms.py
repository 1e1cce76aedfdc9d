"""Weather drawn for one hazard, where the swarm would need many seeds to meet it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from xxhash import xxh3_64_intdigest

from metaquorum.testing.simulator.scenario import Happening, Scenario
from metaquorum.testing.simulator.swarm import draw_scenario

Draw = Callable[[int, int], Scenario]


def duels(seed: int, seconds: int) -> Scenario:
    """Five voters that campaign all the time, while votes of long ago still arrive."""
    happenings = []
    for at_ms in range(0, seconds * 1_000, 2_000):
        happenings.append(Happening.of(at_ms, "reorder", most_ms=900, **{"for": 1_990}))
        happenings.append(Happening.of(at_ms, "duplicate", odds=400, **{"for": 1_990}))
    for at_ms in range(500, seconds * 1_000, 700):
        happenings.append(Happening.of(at_ms, "one-way-cut", node=0, other=0, **{"for": 350}))
    happenings.sort(key=lambda one: (one.at_ms, one.kind))
    return Scenario(
        seed=seed,
        seconds=seconds,
        voters=5,
        election_ms=150,
        fetch_ms=300,
        happenings=tuple(happenings),
    )


def reshuffles(seed: int, seconds: int) -> Scenario:
    """Voters that change all the time, under leaders that are cut off in the middle of it."""
    random = Random(xxh3_64_intdigest(f"reshuffles {seed}".encode()))
    happenings = []
    for at_ms in range(600, seconds * 1_000, 600):
        draw = random.randrange(20)
        if random.randrange(2):
            cut = random.choice(("cut", "one-way-cut"))
            happenings.append(Happening.of(at_ms - 1, cut, node=0, other=0, **{"for": 900}))
        happenings.append(Happening.of(at_ms, "voter-change", node=0, draw=draw, times=2))
        if not random.randrange(3):
            happenings.append(Happening.of(at_ms, "crash", when=3, delay_us=2_000, down=400))
    return Scenario(
        seed=seed,
        seconds=seconds,
        voters=3,
        observers=2,
        dynamic=1,
        election_ms=150,
        fetch_ms=300,
        pause_ms=100,
        happenings=tuple(happenings),
    )


STORMS: dict[str, Draw] = {"swarm": draw_scenario, "duels": duels, "reshuffles": reshuffles}
"""Where scenarios come from, by name."""
