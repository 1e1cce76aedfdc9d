"""Long random walks where a scope is too wide to exhaust: one seed, one story.

The draw is biased: messages and disks move often, clocks sometimes, crashes rarely, or nothing
would ever be committed for a crash to endanger.
"""

from __future__ import annotations

from random import Random

from attrs import frozen

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.testing.explorer.actions import Action, apply, first_world, possible
from metaquorum.testing.explorer.outcome import Found
from metaquorum.testing.explorer.properties import Violation
from metaquorum.testing.explorer.scope import Scope

WEIGHTS: dict[str, float] = {
    "start": 20,
    "deliver": 100,
    "sync": 60,
    "append": 8,
    "timer": 1.5,
    "drop": 3,
    "duplicate": 3,
    "crash": 1,
    "resign": 1,
    "change": 0.5,
    "lose": 0.5,
    "snapshot": 0.2,
}
RARE_TIMERS = ("election", "fetch", "check-quorum")


@frozen
class Walked:
    """Where a walk led: what broke, if anything, and how much happened on the way."""

    seed: int
    steps: int
    committed_end: Offset
    epochs: Epoch
    found: Found[Action] | None = None


def walk(scope: Scope, seed: int, steps: int) -> Walked:
    """One random walk; the same seed goes the same way."""
    random = Random(seed)
    world = first_world(scope)
    story: list[Action] = []
    for _ in range(steps):
        actions = list(possible(scope, world))
        if not actions:
            break
        action = random.choices(actions, [_weight(one) for one in actions])[0]
        story.append(action)
        try:
            world = apply(scope, world, action)
        except Violation as violation:
            found = Found(str(violation), tuple(story))
            return _walked(seed, world.history.committed_end, world.history.leaders, story, found)
    return _walked(seed, world.history.committed_end, world.history.leaders, story, None)


def _weight(action: Action) -> float:
    weight = WEIGHTS[action.kind]
    if action.kind == "timer" and not action.timer.startswith(RARE_TIMERS):
        return weight * 10
    return weight


def _walked(
    seed: int,
    committed_end: Offset,
    leaders: tuple[tuple[Epoch, int, int], ...],
    story: list[Action],
    found: Found[Action] | None,
) -> Walked:
    epochs = len({epoch for epoch, _, _ in leaders})
    return Walked(seed, len(story), committed_end, epochs, found)
