"""A story as text: one line an action, and below it what the node that acted is now."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.testing.explorer.actions import Action, apply, first_world
from metaquorum.testing.explorer.properties import Violation
from metaquorum.testing.explorer.scope import Scope
from metaquorum.testing.explorer.world import Node


def tell(scope: Scope, story: Sequence[Action]) -> str:
    """Play the story again from the start and write down what each action led to."""
    lines = [f"scope {scope.name}: {scope.hazard}"]
    world = first_world(scope)
    for at, action in enumerate(story, 1):
        lines.append(f"{at:3} {action.words()}")
        try:
            world = apply(scope, world, action)
        except Violation as violation:
            lines.append(f"    VIOLATION {violation}")
            break
        lines.append(f"      {describe(world.node(action.node))}")
    return "\n".join(lines)


def describe(node: Node) -> str:
    """One node in one line: role, ends, and what its disk does not have yet."""
    disk = f"disk: epoch {node.disk.election.epoch}, end {node.disk.end}"
    if node.replica is None:
        return f"{node.id} is down; {disk}"
    waiting = ", ".join(type(effect).__name__ for effect in node.unsynced)
    line = f"{node.id} {node.replica.summary().line()}; {disk}"
    return line + (f"; unsynced: {waiting}" if waiting else "")
