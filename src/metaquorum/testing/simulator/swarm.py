"""From a seed to a scenario: which faults exist at all in this run, how often, and when.

Every seed leaves out most kinds, so that each can do its worst alone, and draws rates that differ
by an order of magnitude. Crashes are aimed: most wait for a commit, an election, an append.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import evolve
from xxhash import xxh3_64_intdigest

from metaquorum.testing.sim.happening import Happening
from metaquorum.testing.simulator.scenario import Scenario

Draw = Callable[[Random, Scenario], dict[str, int]]

RETRIES_MS = (20, 100, 200)
"""Back-off between retries: Kafka's, and longer ones, with which seeds cost less."""


SNAPSHOT_SHARE = 3
"""In one seed of so many nodes write snapshots of their own accord, and let old parts go."""

BATCH_SHARE = 4
"""In one seed of so many nodes serve together what arrives together, from more clients."""

BROKERS_SHARE = 4
"""In one seed of so many there are brokers, where the run lets the seed say."""

SECONDS_PER_HOUR = 3_600
QUIET = 240
"""So many times as much time lies between two faults in a long run."""

KAFKAS_SESSION_MS = 9_000

SHARE = 4
"""One kind in so many is in a run, on average."""


def _period(low_ms: int, high_ms: int, **fixed: tuple[int, int]) -> Draw:
    def draw(random: Random, scenario: Scenario) -> dict[str, int]:
        args = {"node": _node(random, scenario)}
        args |= {name: random.randint(*bounds) for name, bounds in fixed.items()}
        return {**args, "for": random.randint(low_ms, high_ms)}

    return draw


def _args(**bounds: tuple[int, int]) -> Draw:
    def draw(random: Random, scenario: Scenario) -> dict[str, int]:
        args = {"node": _node(random, scenario)}
        return {**args, **{name: random.randint(*both) for name, both in bounds.items()}}

    return draw


def _node(random: Random, scenario: Scenario) -> int:
    """The leader, half of the time; else any node."""
    if random.randrange(2):
        return 0
    return random.randint(1, scenario.voters + scenario.observers)


def _crash(random: Random, scenario: Scenario) -> dict[str, int]:
    when = random.choice((0, 1, 1, 2, 3, 3, 4, 4, 5))
    delay_us = random.choice((0, 0, random.randrange(2_000), random.randrange(50_000)))
    args = {"when": when, "delay_us": delay_us, "down": random.choice((50, 300, 1_500, 4_000))}
    return {"node": _node(random, scenario), **args} if not when else args


KINDS: dict[str, tuple[Draw, int]] = {
    "loss": (_period(500, 6_000, odds=(5, 250)), 8),
    "duplicate": (_period(500, 8_000, odds=(20, 400)), 8),
    "mid-frame": (_period(500, 6_000, odds=(5, 200)), 8),
    "delay": (_period(500, 6_000, most_ms=(20, 1_500)), 8),
    "reorder": (_period(500, 8_000, most_ms=(5, 800)), 8),
    "cut": (_period(200, 6_000, other=(0, 3)), 5),
    "one-way-cut": (_period(200, 6_000, other=(0, 3)), 5),
    "half-open": (_period(200, 4_000), 8),
    "crash": (_crash, 2),
    "blackout": (_args(down=(10, 2_000)), 12),
    "pause": (_period(50, 5_000), 5),
    "clock": (_args(jump_ms=(-3_600_000, 3_600_000), rate=(900_000, 1_100_000)), 6),
    "slow-disk": (_period(500, 5_000, times=(10, 1_000)), 6),
    "fsync-error": (_args(after=(0, 6)), 8),
    "full-disk": (_args(room=(0, 2_000)), 10),
    "no-descriptors": (_period(500, 4_000), 10),
    "rot-read": (_args(reads=(1, 3)), 6),
    "snapshot": (_args(), 4),
    "rot-at-rest": (_args(), 10),
    "lost-write": (_args(), 10),
    "misdirected-write": (_args(), 10),
    "lost-rename": (_args(), 10),
    "operator-error": (_args(), 12),
    "wiped": (_args(), 8),
    "stale-disk": (_period(500, 6_000), 10),
    "hostile": (_args(frames=(1, 30)), 5),
    "false-alarm": (_args(), 3),
    "voter-change": (_args(draw=(0, 19), times=(1, 3)), 3),
    "old": (_args(), 30),
    "move": (_args(), 30),
    "little-memory": (_period(500, 3_000, bytes=(0, 1_000)), 15),
}
"""How each kind is drawn, and how many seconds lie between two of them in heavy weather."""


def _crash_about_a_snapshot(random: Random, scenario: Scenario) -> dict[str, int]:
    """While one is written, fetched, installed, or a prefix goes: that node, or the leader."""
    return {
        "when": random.randrange(6, 10),
        "leader": random.randrange(2),
        "delay_us": random.choice((0, random.randrange(2_000), random.randrange(20_000))),
        "down": random.choice((50, 300, 1_500, 4_000)),
    }


SNAPSHOT_KINDS: dict[str, tuple[Draw, int]] = {
    "crash": (_crash_about_a_snapshot, 2),
    "torn-snapshot": (_args(), 6),
}
"""What there is besides in the seeds in which nodes write snapshots of their own accord."""

DAMAGE = (
    "rot-at-rest",
    "lost-write",
    "misdirected-write",
    "lost-rename",
    "operator-error",
    "wiped",
    "stale-disk",
    "torn-snapshot",
)
"""After these a node is held back for a while."""

EARLY = ("old",)
"""These are so from the beginning."""


def draw_scenario(seed: int, seconds: int) -> Scenario:
    """The scenario of a seed; every seed of another number of seconds is another."""
    random = Random(xxh3_64_intdigest(f"swarm {seed} {seconds}".encode()))
    voters = random.choice((1, 3, 3, 3, 3, 3, 3, 5))
    fast = random.randrange(4) == 0
    base = Scenario(
        seed=seed,
        seconds=seconds,
        voters=voters,
        observers=random.choice((0, 0, 0, 1)),
        dynamic=random.randrange(2),
        election_ms=random.choice((150, 300)) if fast else 1_000,
        fetch_ms=random.choice((300, 600)) if fast else 2_000,
        latency_us=random.choice((300, 1_000, 3_000)),
        fsync_us=random.choice((100, 500, 5_000)),
        segment_bytes=random.choice((700, 4_096, 1_048_576)),
        writes=random.choice((1, 1, 1, 2)),
        pause_ms=random.choice((150, 400, 800)),
        minority_down=random.choice((0, 0, 0, (voters - 1) // 2)),
    )
    retry_ms = RETRIES_MS[xxh3_64_intdigest(f"retry {seed}".encode()) % len(RETRIES_MS)]
    base = evolve(base, retry_ms=retry_ms)
    return _with_batches(_with_snapshots(_with_weather(base, random)))


def draw_run(seed: int, seconds: int, brokers: int | None = None) -> Scenario:
    """The scenario of a seed with so many brokers; None: with some in a share of the seeds."""
    base = draw_scenario(seed, seconds)
    random = Random(xxh3_64_intdigest(f"brokers {seed}".encode()))
    has_brokers = random.randrange(BROKERS_SHARE) == 0
    if brokers is None:
        brokers = random.randint(2, 5) if has_brokers else 0
    return with_brokers(base, brokers, random)


def draw_day(seed: int, hours: int, brokers: int | None = None) -> Scenario:
    """So many hours, with as many faults as a seed has in a QUIET-th of that time.

    Sessions are as long as Kafka's.
    """
    seconds = hours * SECONDS_PER_HOUR
    base = draw_run(seed, seconds // QUIET, brokers)
    later = tuple(evolve(one, at_ms=one.at_ms * QUIET) for one in base.happenings)
    return evolve(
        base, seconds=seconds, quiet=QUIET, session_ms=KAFKAS_SESSION_MS, happenings=later
    )


def with_brokers(base: Scenario, brokers: int, random: Random) -> Scenario:
    """The same with so many brokers, whose settings are drawn."""
    if not brokers:
        return base
    session_ms = random.choice((1_500, 2_500))
    return evolve(base, brokers=brokers, session_ms=session_ms, elr=int(random.randrange(3) > 0))


def _with_batches(base: Scenario) -> Scenario:
    """Drawn apart: in one seed of so many nodes serve together what arrives together."""
    random = Random(xxh3_64_intdigest(f"batches {base.seed}".encode()))
    if random.randrange(BATCH_SHARE):
        return base
    writes = base.writes + random.choice((1, 3))
    return evolve(base, batch_us=random.choice((50, 400, 2_000)), writes=writes)


def _with_snapshots(base: Scenario) -> Scenario:
    """Drawn apart: a seed without snapshots is the one that it would be if there were none."""
    random = Random(xxh3_64_intdigest(f"snapshots {base.seed}".encode()))
    if random.randrange(SNAPSHOT_SHARE):
        return base
    base = evolve(
        base,
        snapshot_bytes=random.choice((300, 800, 3_000)),
        snapshot_ms=random.choice((0, 0, 2_000)),
        part_bytes=random.choice((0, 150, 400)),
        retention_bytes=random.choice((1, 2_500, 6_000)),
        start_lag_ms=random.choice((0, 0, 400, 3_000)),
    )
    happenings = list(base.happenings)
    for kind, (draw, every_s) in SNAPSHOT_KINDS.items():
        if random.randrange(SNAPSHOT_SHARE) or (kind in DAMAGE and "move" in base.kinds):
            continue
        at_ms = random.expovariate(1 / (every_s * 1_000))
        while at_ms < base.seconds * 1_000:
            happenings.append(Happening.of(int(at_ms), kind, **draw(random, base)))
            at_ms += random.expovariate(1 / (every_s * 1_000))
    happenings.sort(key=lambda one: (one.at_ms, one.kind))
    return evolve(base, happenings=tuple(happenings))


def _with_weather(base: Scenario, random: Random) -> Scenario:
    chosen = [kind for kind in KINDS if random.randrange(SHARE) == 0]
    if "crash" not in chosen and random.randrange(2):
        chosen.append("crash")
    settled = base.voters >= 3 and not base.minority_down and "voter-change" not in chosen
    if not settled or any(kind in DAMAGE for kind in chosen):
        # A node that nobody finds and one that may not come back are no majority of three.
        chosen = [kind for kind in chosen if kind != "move"]
    if not base.dynamic:
        chosen = [kind for kind in chosen if kind != "voter-change"]
    if "voter-change" in chosen:
        # A removed voter is an observer, and those wait where a stranger named a later epoch.
        chosen = [kind for kind in chosen if kind != "hostile"]
        base = evolve(base, minority_down=0, observers=base.observers + 1)
    happenings: list[Happening] = []
    for kind in chosen:
        draw, every_s = KINDS[kind]
        if kind in EARLY:
            happenings.append(Happening.of(0, kind, **draw(random, base)))
            continue
        mean_ms = every_s * 1_000 * random.choice((1, 1, 3))
        at_ms = random.expovariate(1 / mean_ms)
        while at_ms < base.seconds * 1_000:
            happenings.append(Happening.of(int(at_ms), kind, **draw(random, base)))
            if kind == "move":
                break
            at_ms += random.expovariate(1 / mean_ms)
    happenings.sort(key=lambda one: (one.at_ms, one.kind))
    return evolve(base, happenings=tuple(happenings))
