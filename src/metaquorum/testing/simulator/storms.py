"""Weather drawn for one hazard, where the swarm would need many seeds to meet it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from xxhash import xxh3_64_intdigest

from metaquorum.testing.sim.happening import Happening
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.swarm import draw_scenario, with_brokers

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


def laggards(seed: int, seconds: int) -> Scenario:
    """Snapshots and tight retention; nodes are cut off, crash in the middle, lose their disks.

    Voters change now and then where they stand in the log.
    """
    random = Random(xxh3_64_intdigest(f"laggards {seed}".encode()))
    dynamic = random.randrange(2)
    happenings = []
    for at_ms in range(400, seconds * 1_000, 400):
        draw, node = random.randrange(10), random.randrange(5)
        if draw < 4:
            happenings.append(Happening.of(at_ms, "cut", node=node, other=0, **{"for": 900}))
        elif draw < 7:
            when, leader = random.randrange(6, 10), random.randrange(2)
            delay_us = random.choice((0, 0, 500, 5_000))
            args = {"when": when, "leader": leader, "delay_us": delay_us, "down": 300}
            happenings.append(Happening.of(at_ms, "crash", **args))
        elif draw < 8 and dynamic:
            happenings.append(Happening.of(at_ms, "voter-change", node=0, draw=node, times=1))
        else:
            kind = random.choice(("wiped", "stale-disk", "torn-snapshot"))
            happenings.append(Happening.of(at_ms, kind, node=node, **{"for": 2_000}))
    return Scenario(
        seed=seed,
        seconds=seconds,
        voters=3,
        observers=1,
        dynamic=dynamic,
        election_ms=150,
        fetch_ms=300,
        segment_bytes=random.choice((400, 4_096)),
        fsync_us=random.choice((500, 500, 8_000)),
        pause_ms=60,
        snapshot_bytes=random.choice((150, 400)),
        part_bytes=random.choice((0, 100, 250)),
        retention_bytes=random.choice((1, 3_000)),
        start_lag_ms=random.choice((0, 0, 200)),
        happenings=tuple(happenings),
    )


def fleets(seed: int, seconds: int) -> Scenario:
    """Brokers with short sessions under controllers that crash, or fail over for no good reason."""
    random = Random(xxh3_64_intdigest(f"fleets {seed}".encode()))
    happenings = []
    for at_ms in range(1_500, seconds * 1_000, 1_500):
        kind = random.choice(("crash", "pause", "one-way-cut", "none", "none"))
        args = {"crash": {"when": 0, "down": 400}, "pause": {"for": 700}}.get(kind, {"for": 900})
        if kind != "none":
            happenings.append(Happening.of(at_ms, kind, node=0, **args))
    base = Scenario(
        seed=seed,
        seconds=seconds,
        voters=3,
        dynamic=random.randrange(2),
        election_ms=150,
        fetch_ms=300,
        happenings=tuple(happenings),
    )
    return with_brokers(base, random.randint(3, 5), random)


STORMS: dict[str, Draw] = {
    "swarm": draw_scenario,
    "duels": duels,
    "reshuffles": reshuffles,
    "laggards": laggards,
    "fleets": fleets,
}
"""Where scenarios come from, by name."""
