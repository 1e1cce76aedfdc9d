"""From a long story of a failure to a short one: happenings, nodes and seconds are taken away.

A smaller scenario is kept when it breaks the same rule. Chance is drawn anew in every attempt
(what is taken away changes what follows), so a happening that seems needed may not be; the result
is small, not smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, evolve

from metaquorum.testing.simulator.run import Outcome, run
from metaquorum.testing.simulator.scenario import Scenario

ATTEMPTS = 300
"""Runs that a shrink may cost."""


@define(eq=False)
class Shrink:
    """Keeps the smallest failure so far; ``told`` is called after each step."""

    best: Outcome
    told: Callable[[Scenario], None] = lambda scenario: None
    attempts: int = 0

    def run(self) -> Outcome:
        """Try until nothing more can be taken away, or the attempts are used up."""
        progress = True
        while progress and self.attempts < ATTEMPTS:
            progress = False
            for smaller in _smaller(self.best):
                if self.attempts >= ATTEMPTS:
                    break
                if self._fails_alike(smaller):
                    progress = True
                    break
        return self.best

    def _fails_alike(self, scenario: Scenario) -> bool:
        self.attempts += 1
        outcome = run(scenario)
        if outcome.rule != self.best.rule:
            return False
        self.best = outcome
        self.told(scenario)
        return True


def shrunk(outcome: Outcome, told: Callable[[Scenario], None] = lambda scenario: None) -> Outcome:
    """A smaller scenario that breaks the same rule, and what came of it."""
    return Shrink(outcome, told).run()


def _smaller(outcome: Outcome) -> Iterator[Scenario]:
    """Smaller scenarios, the boldest first."""
    scenario, end_ms = outcome.scenario, outcome.at_us // 1_000
    happenings = scenario.happenings
    before = tuple(one for one in happenings if one.at_ms <= end_ms)
    if len(before) < len(happenings):
        yield evolve(scenario, happenings=before)
    seconds = max(1, -(-end_ms // 1_000))
    if seconds < scenario.seconds and outcome.kind != "liveness":
        yield evolve(scenario, seconds=seconds)
    for kind in scenario.kinds:
        yield scenario.without(kind)
    size = len(happenings) // 2
    while size >= 1:
        for at in range(0, len(happenings), size):
            yield evolve(scenario, happenings=happenings[:at] + happenings[at + size :])
        size //= 2
    if scenario.observers:
        yield evolve(scenario, observers=0)
    if scenario.minority_down:
        yield evolve(scenario, minority_down=0)
    if scenario.voters > 3:
        yield evolve(scenario, voters=3)
    if scenario.writes > 1:
        yield evolve(scenario, writes=1)
