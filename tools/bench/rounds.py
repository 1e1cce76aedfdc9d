"""Rounds of one bench on several systems in turns: figures, goals, verdicts and their tables.

Figures are medians of the rounds; ratios are medians of each round's ratio, so that a machine that
is slow for a while is slow for all.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from attrs import frozen

Round = dict[str, dict[str, float]]
"""Figures by system and measure."""

WIDTH = 15


@frozen
class Goal:
    """A measure whose name begins so: at most ``most`` of that system's, or at most so much."""

    begins: str
    most: float
    beside: str | None = None


Verdict = tuple[str, str, float, float]
"""Measure, beside what, what was found, and how much it may be at most."""


def figures_of(rounds: Sequence[Round], system: str, measure: str) -> list[float]:
    """One figure of each round; none if the system or the measure was not there."""
    return [one[system][measure] for one in rounds if system in one and measure in one[system]]


def measures_of(rounds: Sequence[Round]) -> list[str]:
    """Every measure that some round has, in the order of the first that has it."""
    return list(dict.fromkeys(name for one in rounds for some in one.values() for name in some))


def verdicts(rounds: Sequence[Round], ours: str, goals: Sequence[Goal]) -> list[Verdict]:
    """What was found of each goal whose measure was taken, and of the systems that it names."""
    found = []
    for measure in measures_of(rounds):
        for goal in goals:
            if not measure.startswith(goal.begins):
                continue
            mine = figures_of(rounds, ours, measure)
            if not mine:
                continue
            if goal.beside is None:
                found.append((measure, "", statistics.median(mine), goal.most))
            elif theirs := figures_of(rounds, goal.beside, measure):
                ratios = [one / other for one, other in zip(mine, theirs, strict=True)]
                found.append((measure, goal.beside, statistics.median(ratios), goal.most))
    return found


def show(rounds: Sequence[Round], systems: Sequence[str], ours: str, goals: Sequence[Goal]) -> None:
    """Two tables: the figures, and what they are held against."""
    measures = measures_of(rounds)
    width = max(map(len, measures))
    titles = [f"{one:>{WIDTH}}" for one in systems]
    print(f"{'median of ' + str(len(rounds)):<{width}}", *titles)
    for measure in measures:
        print(f"{measure:<{width}}", *(_cell(figures_of(rounds, one, measure)) for one in systems))
    print()
    print(f"{'goal':<{width}} {'beside':>{WIDTH}} {'found':>8} {'at most':>8}")
    for measure, beside, value, most in verdicts(rounds, ours, goals):
        missed = "" if value <= most else "  missed"
        print(f"{measure:<{width}} {beside:>{WIDTH}} {value:>8.2f} {most:>8.2f}{missed}")


def _cell(values: list[float]) -> str:
    return f"{statistics.median(values):>{WIDTH}.2f}" if values else f"{'-':>{WIDTH}}"
