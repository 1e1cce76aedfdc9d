"""``python -m metaquorum.testing.simulator``: many seeds, one seed, or a scenario file.

Exit codes: 0 nothing broke, 1 correctness, 2 wrong usage, 3 liveness, 4 a node stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic

import click

from metaquorum.testing.simulator.hunt import Tally, hunt
from metaquorum.testing.simulator.picture import Picture
from metaquorum.testing.simulator.run import Outcome, run
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.shrink import shrunk
from metaquorum.testing.simulator.swarm import draw_day, draw_run

EXIT = {"": 0, "correctness": 1, "liveness": 3, "crash": 4}
LAST_LINES = 60


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--seeds", default=100, show_default=True, help="How many seeds to run.")
@click.option("--first", default=0, show_default=True, help="The first of them.")
@click.option("--seconds", default=30, show_default=True, help="Seconds of weather in each.")
@click.option("--hours", default=0, help="Long runs of so many hours, in which little happens.")
@click.option("--seed", type=int, help="One seed alone.")
@click.option("--brokers", type=int, help="Brokers in each; as the seed says if left out.")
@click.option("--picture", is_flag=True, help="Draw the nodes over time.")
@click.option("--jobs", default=1, show_default=True, help="Processes.")
@click.option("--shrink/--no-shrink", default=True, help="Make a failure small.")
@click.option("--save", type=click.Path(file_okay=False), help="Where failures are written.")
def main(
    file: str | None,
    seeds: int,
    first: int,
    seconds: int,
    hours: int,
    seed: int | None,
    brokers: int | None,
    picture: bool,
    jobs: int,
    shrink: bool,
    save: str | None,
) -> None:
    """Play a scenario FILE, or as many seeds as are asked for."""
    if file is not None:
        outcome = _one(Scenario.read(Path(file).read_text(encoding="utf-8")), picture)
    elif seed is not None:
        drawn = draw_day(seed, hours, brokers) if hours else draw_run(seed, seconds, brokers)
        outcome = _one(drawn, picture)
    else:
        found = _many(range(first, first + seeds), seconds, jobs, brokers, hours)
        if found is None:
            return
        outcome = found
    if outcome.violation is not None:
        _tell(outcome, shrink=shrink, save=save)
    sys.exit(EXIT[outcome.kind])


def _one(scenario: Scenario, picture: bool) -> Outcome:
    drawn = Picture()
    began = monotonic()
    outcome = run(scenario, drawn.see if picture else None)
    took = monotonic() - began
    if picture:
        click.echo(drawn.text())
    counts = ", ".join(f"{name} {count}" for name, count in outcome.counts.items())
    click.echo(
        f"seed {scenario.seed}: {outcome.simulated_us / 1e6:.1f} simulated s in {took:.2f} s, "
        f"{outcome.events} events, {outcome.committed} records committed, "
        f"{outcome.acknowledged} writes acknowledged, trace {outcome.trace:016x}\n{counts}"
    )
    return outcome


def _many(seeds: range, seconds: int, jobs: int, brokers: int | None, hours: int) -> Outcome | None:
    tally = Tally()
    found = hunt(seeds, seconds, jobs, tally, brokers, hours)
    click.echo(tally.text())
    return found


def _tell(outcome: Outcome, *, shrink: bool, save: str | None) -> None:
    """The failure, made small, as a scenario file and as a picture."""
    click.echo(f"seed {outcome.scenario.seed} breaks a rule: {outcome.violation}")
    if shrink:
        small = shrunk(outcome)
        before, after = len(outcome.scenario.happenings), len(small.scenario.happenings)
        click.echo(f"shrunk from {before} happenings to {after}: {small.violation}")
        outcome = small
    text = outcome.scenario.text()
    if save is not None:
        Path(save).mkdir(parents=True, exist_ok=True)
        name = f"{(outcome.rule or 'services').replace(' ', '-')}-{outcome.scenario.seed}.scenario"
        (Path(save) / name).write_text(text, encoding="utf-8")
        click.echo(f"written to {Path(save) / name}")
    click.echo(text)
    drawn = Picture()
    run(outcome.scenario, drawn.see)
    click.echo(drawn.text(LAST_LINES))


if __name__ == "__main__":
    main()
