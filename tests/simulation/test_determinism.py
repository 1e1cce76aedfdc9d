"""Same seed, same trace: in one process, in another, whatever the salt of its hashes."""

from __future__ import annotations

import os
import subprocess
import sys

from attrs import evolve

from metaquorum.testing.sim.happening import Happening
from metaquorum.testing.simulator.run import run
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.swarm import draw_scenario

SECONDS = 8
PROGRAM = """
from metaquorum.testing.simulator.run import run
from metaquorum.testing.simulator.swarm import draw_scenario
print(run(draw_scenario({seed}, {seconds})).trace)
"""


def busiest_seed() -> int:
    """A seed with many kinds of weather, so that there is much that could differ."""
    return max(range(60), key=lambda seed: len(draw_scenario(seed, SECONDS).kinds))


def test_a_seed_goes_the_same_way_every_time():
    scenario = draw_scenario(busiest_seed(), SECONDS)
    assert len(scenario.kinds) >= 8
    assert run(scenario) == run(scenario)


def test_another_seed_goes_another_way():
    calm = Scenario(seconds=3)
    assert run(calm).trace != run(evolve(calm, seed=1)).trace


def test_the_salt_of_hashes_changes_nothing():
    seed = busiest_seed()
    program = PROGRAM.format(seed=seed, seconds=SECONDS)
    environment = {**os.environ, "PYTHONHASHSEED": "4242"}
    told = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert int(told.stdout) == run(draw_scenario(seed, SECONDS)).trace


def test_a_watched_run_goes_the_same_way():
    scenario = draw_scenario(busiest_seed(), 3)
    seen: list[str] = []
    outcome = run(scenario, lambda world, node, what, detail: seen.append(what))
    assert seen
    assert outcome == run(scenario)


def test_a_scenario_survives_its_text_form():
    scenario = draw_scenario(busiest_seed(), SECONDS)
    assert scenario.happenings
    assert Scenario.read(scenario.text()) == scenario


def test_happenings_keep_their_arguments():
    happening = Happening.of(1_200, "crash", node=2, down=300)
    assert happening.line == "at 1200 crash node=2 down=300"
    assert happening.get("down") == 300
    assert happening.get("none", 7) == 7
