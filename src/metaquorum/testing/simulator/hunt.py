"""Many seeds, in several processes if asked: progress, rate, counts, the first failure."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from time import monotonic

from attrs import define, field

from metaquorum.runtime.loop import collector
from metaquorum.testing.simulator.run import Outcome, run
from metaquorum.testing.simulator.swarm import draw_day, draw_run

COLLECT_EVERY = 10

TELL_EVERY_S = 60.0
"""How often a run that nobody watches at a terminal says how far it is."""


@define
class Tally:
    """What all runs together saw."""

    runs: int = 0
    simulated_s: float = 0.0
    events: int = 0
    committed: int = 0
    acknowledged: int = 0
    counts: dict[str, int] = field(factory=dict)
    began: float = field(factory=monotonic)
    failures: list[str] = field(factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one more run."""
        self.runs += 1
        self.simulated_s += outcome.simulated_us / 1e6
        self.events += outcome.events
        self.committed += outcome.committed
        self.acknowledged += outcome.acknowledged
        for name, count in outcome.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count
        if outcome.violation is not None:
            self.failures.append(f"seed {outcome.scenario.seed}: {outcome.violation}")

    @property
    def line(self) -> str:
        """One line of progress."""
        took = max(monotonic() - self.began, 1e-9)
        return (
            f"{self.runs} runs, {self.simulated_s:.0f} simulated s in {took:.0f} s "
            f"({self.simulated_s / took:.0f} a second), {self.acknowledged} writes acknowledged"
        )

    @property
    def rate(self) -> str:
        """How fast it went."""
        took = max(monotonic() - self.began, 1e-9)
        return f"{self.simulated_s / took:.0f} simulated seconds a wall second"

    def text(self) -> str:
        """The whole of it, faults by how often they really happened."""
        rows = sorted(self.counts.items())
        faults = "\n".join(f"  {name:24}{count:>10}" for name, count in rows)
        bad = "".join(f"\n{line}" for line in self.failures)
        return f"{self.line}\n{faults}{bad}\n{self.rate}"


@contextmanager
def collected_by_hand() -> Iterator[None]:
    """Leave the collector to the process that plays: it would look at every module again and again.

    What was imported stays for good, so it is not looked at any more at all; processes that are
    forked meanwhile have it so from their beginning.
    """
    was_on = gc.isenabled()
    gc.disable()
    gc.collect()
    collector.freeze()
    try:
        yield
    finally:
        collector.unfreeze()
        if was_on:
            gc.enable()


def play(task: tuple[int, int, int | None, int]) -> Outcome:
    """One seed, its seconds, its brokers if it has any, and its hours; for a worker process."""
    seed, seconds, brokers, hours = task
    try:
        drawn = draw_day(seed, hours, brokers) if hours else draw_run(seed, seconds, brokers)
        outcome = run(drawn)
    except Exception as error:
        error.add_note(f"the simulator itself failed in seed {seed}")
        raise
    if seed % COLLECT_EVERY == 0:
        gc.collect()
    return outcome


def hunt(
    seeds: range,
    seconds: int,
    jobs: int,
    tally: Tally,
    brokers: int | None = 0,
    hours: int = 0,
) -> Outcome | None:
    """Run all seeds; the failure with the lowest seed, None if nothing broke.

    ``brokers`` is how many there are in each; None leaves it to the seeds. ``hours``, if any, take
    the place of ``seconds``: long runs in which little happens.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    found: Outcome | None = None
    console = Console(stderr=True)
    told = monotonic()
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
        bar = progress.add_task("", total=len(seeds))
        for outcome in _outcomes(seeds, seconds, jobs, brokers, hours):
            tally.add(outcome)
            progress.update(bar, advance=1, description=tally.line)
            if progress.disable and monotonic() - told >= TELL_EVERY_S:
                told = monotonic()
                print(tally.line, *tally.failures[:1], sep="; ", file=sys.stderr, flush=True)
            if outcome.violation is not None and found is None:
                found = outcome
    return found


def _outcomes(
    seeds: range, seconds: int, jobs: int, brokers: int | None, hours: int
) -> Iterator[Outcome]:
    tasks = [(seed, seconds, brokers, hours) for seed in seeds]
    # A day leaves 300 MB of garbage: there the collector works meanwhile.
    with nullcontext() if hours else collected_by_hand():
        if jobs <= 1:
            yield from map(play, tasks)
            return
        with get_context("fork").Pool(jobs) as pool:
            yield from pool.imap(play, tasks, chunksize=2)
