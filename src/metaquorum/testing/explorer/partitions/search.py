"""Breadth first through every state of a scope of partitions: a failure is the shortest story."""

from __future__ import annotations

from collections import deque

from attrs import frozen

from metaquorum.controller.partitions import of_brokers
from metaquorum.testing.explorer.outcome import Found, Outcome
from metaquorum.testing.explorer.partitions.actions import Action, apply, possible
from metaquorum.testing.explorer.partitions.cluster import Cluster
from metaquorum.testing.explorer.partitions.scope import PartitionScope
from metaquorum.testing.explorer.partitions.world import World, first_world, normal
from metaquorum.testing.explorer.properties import Violation
from metaquorum.testing.mutants import replaced

Story = tuple[Action, ...]


@frozen(eq=False)
class Place:
    """A state: a moment at which nothing was under way, and what has happened since.

    ``key`` tells it from others: what is committed, what is under way and how far that is.
    """

    world: World
    since: Story
    story: Story
    key: tuple[object, ...]


def explore_partitions(scope: PartitionScope) -> Outcome[Action]:
    """Visit every state of the scope; each record of a change in turns is a turn of its own."""
    with replaced(of_brokers, "RECORDS_PER_TURN", 1):
        return _explored(scope)


def _explored(scope: PartitionScope) -> Outcome[Action]:
    world = first_world(scope)
    first = Place(world, (), (), world.key())
    seen = {first.key}
    queue = deque([first])
    transitions = 0
    while queue:
        place = queue.popleft()
        if scope.steps and len(place.story) >= scope.steps:
            continue
        for action in list(possible(_at(scope, place))):
            transitions += 1
            story = (*place.story, action)
            try:
                after = _after(scope, place, action, story)
            except Violation as violation:
                found = Found(str(violation), story)
                return Outcome(len(seen), transitions, False, found)
            if after.key not in seen:
                seen.add(after.key)
                if len(seen) >= scope.states_max:
                    return Outcome(len(seen), transitions, False)
                queue.append(after)
    return Outcome(len(seen), transitions, True)


def _at(scope: PartitionScope, place: Place) -> Cluster:
    cluster = Cluster.of(scope, place.world)
    for action in place.since:
        apply(cluster, action)
    return cluster


def _after(scope: PartitionScope, place: Place, action: Action, story: Story) -> Place:
    cluster = _at(scope, place)
    apply(cluster, action)
    if cluster.is_busy:
        key = (*normal(cluster.world()).key(), cluster.under_way(), cluster.registering)
        return Place(place.world, (*place.since, action), story, key)
    cluster.registering = None
    cluster.check_rest()
    world = normal(cluster.world())
    return Place(world, (), story, world.key())


def tell_partitions(scope: PartitionScope, story: Story) -> str:
    """The story as text: what happened, and the partitions after it."""
    lines = [f"scope {scope.name}: {scope.hazard}"]
    with replaced(of_brokers, "RECORDS_PER_TURN", 1):
        place = Place(first_world(scope), (), (), ())
        for at, action in enumerate(story, 1):
            lines.append(f"{at:3} {action.words()}")
            try:
                place = _after(scope, place, action, ())
            except Violation as violation:
                lines.append(f"    VIOLATION {violation}")
                break
            lines += [f"      {one}" for one in _described(_at(scope, place))]
    return "\n".join(lines)


def _described(cluster: Cluster) -> list[str]:
    fenced = [one for one, known in cluster.brokers.items() if known.fenced]
    lines = [f"fenced {fenced}" + (", busy" if cluster.is_busy else "")]
    for key, one in cluster.partitions.items():
        lines.append(
            f"{key[1]}: {one.leader} leads, ISR {list(one.isr)}, ELR {list(one.elr)}, "
            f"all records on {sorted(cluster.complete[key])}"
        )
    return lines
