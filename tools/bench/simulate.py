"""How fast the simulator is: simulated cluster-seconds for each second of the wall clock.

  calm     three voters that nothing happens to, one client that writes: one process
  swarm    the seeds of ``make simulate`` that have three voters, every rule held against every
           step: one process for each core, as ``make simulate`` runs them

Beside the wall clock stands the processor's time: on a busy machine the first says more about the
neighbours than about us.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import asdict, frozen

from metaquorum.testing.simulator.hunt import collected_by_hand
from metaquorum.testing.simulator.run import run
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.swarm import draw_scenario

VOTERS = 3
SECONDS = 30
CALM_SECONDS = 120
GOAL = 300.0


@frozen
class Rate:
    """What one workload took: simulated, wall and processor seconds, events, processes."""

    name: str
    processes: int
    simulated_s: float
    wall_s: float
    cpu_s: float
    events: int

    @property
    def line(self) -> str:
        """One line of the table."""
        return (
            f"{self.name:6}{self.processes:>10}{self.simulated_s / self.wall_s:>12.0f}"
            f"{self.simulated_s / self.cpu_s:>12.0f}{self.events / self.simulated_s:>12.0f}"
            f"{self.cpu_s / self.events * 1e6:>14.1f}"
        )


def play(scenario: Scenario) -> tuple[float, float, int]:
    """Run one; its simulated seconds, processor seconds and events."""
    began = time.process_time()
    outcome = run(scenario)
    if outcome.violation is not None:
        raise SystemExit(f"seed {scenario.seed} breaks a rule: {outcome.violation}")
    gc.collect()
    return outcome.simulated_us / 1e6, time.process_time() - began, outcome.events


def measure(name: str, scenarios: list[Scenario], processes: int) -> Rate:
    """Run all of them, with so many processes."""
    began = time.monotonic()
    if processes == 1:
        played = [play(one) for one in scenarios]
    else:
        with get_context("fork").Pool(processes) as pool:
            played = pool.map(play, scenarios, chunksize=1)
    wall_s = time.monotonic() - began
    simulated_s, cpu_s = sum(one[0] for one in played), sum(one[1] for one in played)
    return Rate(name, processes, simulated_s, wall_s, cpu_s, sum(one[2] for one in played))


def main() -> None:
    """Measure and print; exit code 1 when a workload misses the goal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=100, help="of the swarm")
    parser.add_argument("--processes", type=int, default=2, help="for the swarm")
    parser.add_argument("--json", action="store_true", help="one JSON line for each workload")
    asked = parser.parse_args()
    play(Scenario(seconds=2))  # what is imported at first use
    calm = [Scenario(seed=seed, seconds=CALM_SECONDS, voters=VOTERS) for seed in range(8)]
    drawn = (draw_scenario(seed, SECONDS) for seed in range(asked.seeds))
    swarm = [one for one in drawn if one.voters == VOTERS]
    with collected_by_hand():
        rates = [measure("calm", calm, 1), measure("swarm", swarm, asked.processes)]
    if asked.json:
        for rate in rates:
            print(json.dumps({**asdict(rate), "goal": GOAL}))
    else:
        print("simulated seconds     a wall s     a CPU s   events a s   us an event")
        for rate in rates:
            print(rate.line)
        print(f"goal: {GOAL:.0f} a wall second with {VOTERS} voters")
    sys.exit(any(rate.simulated_s / rate.wall_s < GOAL for rate in rates))


if __name__ == "__main__":
    main()
