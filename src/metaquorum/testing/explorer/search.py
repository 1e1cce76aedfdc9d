"""Breadth first through every state of a scope, so that a failure is the shortest story."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

from attrs import define, field

from metaquorum.base.ids import NodeId
from metaquorum.testing.explorer.actions import Action, apply, first_world, possible
from metaquorum.testing.explorer.outcome import Found, Outcome
from metaquorum.testing.explorer.properties import Violation
from metaquorum.testing.explorer.request_ids import asked_by
from metaquorum.testing.explorer.scope import Scope
from metaquorum.testing.explorer.world import Node, World


@define(eq=False)
class Interned:
    """Small numbers for large values: a state is a handful of them."""

    numbers: dict[Hashable, int] = field(factory=dict)

    def number(self, value: Hashable) -> int:
        """The number of this value, the same for equal values."""
        return self.numbers.setdefault(value, len(self.numbers))

    def of_world(self, world: World) -> tuple[object, ...]:
        """A world as a key: equal keys have equal futures."""
        nodes = tuple(self._of_node(node) for node in world.nodes)
        packets = frozenset(
            self.number(
                (
                    packet.sender,
                    packet.receiver,
                    packet.is_answer,
                    packet.peer,
                    packet.message,
                    world.awaits(packet),
                )
            )
            for packet in world.packets
        )
        awaited = tuple(
            self._awaited(world, request)
            for node in world.nodes
            for request in node.open_requests()
        )
        return (nodes, packets, awaited, self.number(world.history), self.number(world.budget))

    def _awaited(self, world: World, request: int) -> tuple[NodeId, NodeId, bool, bool]:
        asker, peer, real_vote, correlation = asked_by(request)
        return asker, peer, real_vote, world.node(asker).expects(peer, correlation)

    def _of_node(self, node: Node) -> int:
        if node.key is None:
            node.key = self.number(node.value())
        return node.key


def explore(scope: Scope) -> Outcome[Action]:
    """Visit every state of the scope, or as many as it allows."""
    interned = Interned()
    try:
        first = first_world(scope)
    except Violation as violation:  # on the way to a settled beginning
        return Outcome(0, 0, False, Found(str(violation), ()))
    first_key = interned.of_world(first)
    parents: dict[tuple[object, ...], tuple[tuple[object, ...], Action] | None]
    parents = {first_key: None}
    queue: deque[tuple[World, tuple[object, ...]]] = deque([(first, first_key)])
    transitions = 0
    while queue:
        world, key = queue.popleft()
        for action in possible(scope, world):
            transitions += 1
            try:
                after = apply(scope, world, action)
            except Violation as violation:
                story = (*_story(parents, key), action)
                found = Found(str(violation), story)
                return Outcome(len(parents), transitions, False, found)
            after_key = interned.of_world(after)
            if after_key not in parents:
                parents[after_key] = (key, action)
                if len(parents) >= scope.states_max:
                    return Outcome(len(parents), transitions, False)
                queue.append((after, after_key))
    return Outcome(len(parents), transitions, True)


def _story(
    parents: dict[tuple[object, ...], tuple[tuple[object, ...], Action] | None],
    key: tuple[object, ...],
) -> tuple[Action, ...]:
    story: list[Action] = []
    step = parents[key]
    while step is not None:
        key, action = step
        story.append(action)
        step = parents[key]
    return tuple(reversed(story))
