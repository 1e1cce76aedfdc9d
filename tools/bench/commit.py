"""Durable replicated commits: ours beside Kafka's controllers, ZooKeeper and etcd, in turns.

Three nodes each on loopback, every one syncing as shipped, the load on the leader. Ours and Kafka's
controllers get the same bytes: AlterClientQuotas with one entry, another value each time. ZooKeeper
is written to by setData over its own wire, etcd by Put over gRPC, 100 bytes each. All clusters are
up at once, the order changes from round to round, and what compiles while it runs, Java and PyPy,
has been warmed. The client is the same small program for all (``commit_load.py``).

A load is so many clients with one write under way each, or CLIENTSxDEPTH for more of them. One more
system, left out unless named, is ``skeleton``: the messages, writes and syncs of a commit in three
Python processes that do nothing else (``commit_skeleton.py``).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import asdict, frozen

from tools.bench.commit_floors import Check, checks
from tools.bench.commit_systems import DEFAULT, SYSTEMS, NotHere, System
from tools.bench.processor_time import processor_seconds

LOADS = "1,16,256,16x16"
ROUNDS = 3
SECONDS = 3.0
LEAD_S = 1.0
WARM_S = 60.0  # Kafka's compilers are far from done after a quarter of them
WARM_LOADS = ((256, 1), (16, 1), (1, 1))
IDLE_S = 8.0
LOAD = Path(__file__).with_name("commit_load.py")


@frozen
class Run:
    """One load on one system."""

    system: str
    load: str
    commits_a_second: float
    p50_ms: float
    p99_ms: float
    leader_cpu_us: float


@frozen
class Row:
    """Medians over the rounds."""

    system: str
    load: str
    commits_a_second: int
    least: int
    most: int
    p50_ms: float
    p99_ms: float
    leader_cpu_us: float


def main(arguments: list[str]) -> int:
    chosen = parsed(arguments)
    loads = [(clients, depth) for clients, depth in map(load_of, chosen.clients.split(","))]
    runs: list[Run] = []
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # the clusters end too
    with contextlib.ExitStack() as stack:
        scratch = stack.enter_context(scratch_directory(chosen.keep))
        systems = list(started(chosen.systems.split(","), scratch, stack))
        for system in systems:
            warm(system, chosen.warm_seconds)
        idle = idle_cpu(systems, chosen.idle_seconds)
        for number in range(chosen.rounds):
            turn = number % len(systems)
            for load in loads:
                for system in (*systems[turn:], *systems[:turn]):
                    runs.append(measured(system, load, chosen.seconds))
                    print(runs[-1], file=sys.stderr, flush=True)
    rows = medians(runs)
    rates = {(row.system, row.load): float(row.commits_a_second) for row in rows}
    middles = {(row.system, row.load): row.p50_ms for row in rows}
    held = checks(rates, middles, idle)
    if chosen.output == "json":
        found = {
            "rows": [asdict(row) for row in rows],
            "idle_cpu_percent": idle,
            "checks": [asdict(check) for check in held],
            "runs": [asdict(run) for run in runs],
        }
        print(json.dumps(found, indent=2))
    else:
        show(rows, idle, held)
    return 1 if chosen.gate and not all(check.holds for check in held) else 0


def parsed(arguments: list[str]) -> argparse.Namespace:
    """What the command line says."""
    about = (__doc__ or "").split("\n\n")
    parser = argparse.ArgumentParser(
        description=about[0],
        epilog="\n\n".join(about[1:]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    every = ",".join(SYSTEMS)
    about_systems = f"of {every}; default %(default)s"
    parser.add_argument("--systems", default=",".join(DEFAULT), help=about_systems)
    parser.add_argument("--clients", default=LOADS, help="the loads; default %(default)s")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="each load in a round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--warm-seconds", type=float, default=WARM_S, help="for each that compiles")
    parser.add_argument("--idle-seconds", type=float, default=IDLE_S, help="idle CPU; 0: not")
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--gate", action="store_true", help="exit 1 where a floor is missed")
    parser.add_argument("--keep", metavar="DIR", help="work in this directory and keep the logs")
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.systems.split(",") if name not in SYSTEMS]:
        parser.error(f"no such system: {', '.join(unknown)}")
    return chosen


def load_of(text: str) -> tuple[int, int]:
    """``16`` is sixteen clients, ``16x8`` sixteen with eight writes under way each."""
    clients, _, depth = text.partition("x")
    return int(clients), int(depth or 1)


def load_name(load: tuple[int, int]) -> str:
    """The same as text."""
    return str(load[0]) if load[1] == 1 else f"{load[0]}x{load[1]}"


def started(names: list[str], scratch: Path, stack: contextlib.ExitStack) -> Iterator[System]:
    """Start what can be had here, and say what cannot."""
    for name in names:
        for number, start in enumerate(SYSTEMS[name]):
            try:
                yield stack.enter_context(start(scratch / f"{name}-{number}"))
            except NotHere as error:
                print(f"{name} is not measured: {error}", file=sys.stderr)


def idle_cpu(systems: list[System], for_s: float) -> dict[str, float]:
    """Percent of a core that the three nodes of each use while nobody asks them anything."""
    if for_s <= 0:
        return {}
    before = {system.name: sum(map(processor_seconds, system.pids())) for system in systems}
    time.sleep(for_s)
    return {
        system.name: round(
            (sum(map(processor_seconds, system.pids())) - before[system.name]) / for_s * 100, 2
        )
        for system in systems
    }


def warm(system: System, for_s: float) -> None:
    """Let a compiler see the load; the systems that have none get a second of it."""
    each_s = (for_s if system.compiles else 1.0) / len(WARM_LOADS)
    for load in WARM_LOADS:
        if each_s > 0:
            loaded(system, load, 0.0, each_s)


def measured(system: System, load: tuple[int, int], seconds: float) -> Run:
    """One load on one system, and what its leader used for each commit."""
    index, _ = system.leader()
    pid = system.pids()[index]
    before = processor_seconds(pid)
    found = loaded(system, load, LEAD_S, seconds)
    used_s = (processor_seconds(pid) - before) * seconds / (seconds + LEAD_S)
    commits = found["commits_a_second"] * seconds
    return Run(
        system.name,
        load_name(load),
        round(found["commits_a_second"], 1),
        round(found["p50_ms"], 3),
        round(found["p99_ms"], 3),
        round(used_s / commits * 1e6, 1) if commits else 0.0,
    )


def loaded(
    system: System, load: tuple[int, int], lead_s: float, seconds: float
) -> dict[str, float]:
    """What the load's process tells."""
    _, port = system.leader()
    options = {
        "--wire": system.wire,
        "--port": port,
        "--clients": load[0],
        "--depth": load[1],
        "--lead-seconds": lead_s,
        "--seconds": seconds,
    }
    words = [str(word) for option in options.items() for word in option]
    done = subprocess.run(
        [sys.executable, str(LOAD), *words], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"the load on {system.name} failed:\n{done.stderr}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def medians(runs: list[Run]) -> list[Row]:
    """A row for each load and system, in the order they were measured."""
    rows = []
    for load, system in dict.fromkeys((run.load, run.system) for run in runs):
        some = [run for run in runs if (run.load, run.system) == (load, system)]
        rates = [run.commits_a_second for run in some]
        rows.append(
            Row(
                system,
                load,
                round(statistics.median(rates)),
                round(min(rates)),
                round(max(rates)),
                round(statistics.median(run.p50_ms for run in some), 3),
                round(statistics.median(run.p99_ms for run in some), 3),
                round(statistics.median(run.leader_cpu_us for run in some), 1),
            )
        )
    return rows


@contextlib.contextmanager
def scratch_directory(keep: str | None) -> Iterator[Path]:
    """A directory for logs and data: the one that was named, or one that goes afterwards."""
    if keep is not None:
        yield Path(keep).resolve()
        return
    with tempfile.TemporaryDirectory(prefix="metaquorum-commit-") as made:
        yield Path(made)


def show(rows: list[Row], idle: dict[str, float], held: list[Check]) -> None:
    """All of it as tables."""
    print(f"{'clients':8}{'system':20}{'commits/s':>10}{'[least-most]':>16}", end="")
    print(f"{'p50 ms':>9}{'p99 ms':>9}{'leader us':>11}")
    for row in rows:
        spread = f"[{row.least}-{row.most}]"
        print(f"{row.load:8}{row.system:20}{row.commits_a_second:>10}{spread:>16}", end="")
        print(f"{row.p50_ms:>9.2f}{row.p99_ms:>9.2f}{row.leader_cpu_us:>11.1f}")
    print()
    for name, percent in idle.items():
        print(f"idle, three nodes of {name}: {percent} % of a core")
    for check in held:
        aim = f", aim {check.aim}" if check.aim is not None else ""
        verdict = "holds" if check.holds else "MISSED"
        print(f"{verdict:7} {check.what}: {check.measured} (floor {check.floor}{aim})")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
