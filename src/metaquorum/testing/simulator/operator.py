"""The operator of a simulated cluster: sensible, but learns late what happened."""

from __future__ import annotations

from typing import Any

from metaquorum.quorum.messages import NONE, AddVoterRequest, RemoveVoterRequest, Request
from metaquorum.quorum.types import Endpoint
from metaquorum.runtime.loop.promise import Promise
from metaquorum.testing.simulator.electorate import key_of, living, may_lose
from metaquorum.testing.simulator.node import SimNode
from metaquorum.testing.simulator.world import World


def change_voters(world: World, node: SimNode, draw: int, times: int) -> None:
    """Ask a running node to add a replica to the voters, or to take one out; ``times`` at once."""
    for again in range(times):
        message = _change(world, node, draw + again) if node.node is not None else None
        if message is None:  # or the one before ended the node: its disk was full, say
            return

        def ask(message: Request = message) -> None:
            if _is_outdated(world, message):
                return
            promise = node.running.driver.ask_quorum(message)
            promise.then(lambda done: _changed(world, node, message, done))

        world.tell(node, node.memory.life, ask)


def _change(world: World, node: SimNode, draw: int) -> Request | None:
    voters = node.running.driver.replica.voters.latest
    strangers = [each for each in world.nodes.values() if voters.by_id(each.id) is None]
    if strangers and (draw % 2 or len(voters) < 2):
        new = strangers[draw // 2 % len(strangers)]
        return AddVoterRequest(key_of(new), (Endpoint("CONTROLLER", f"n{new.id}", new.port),))
    if len(voters) < 2:
        return None
    alive = [key_of(each) for each in living(voters, world.nodes)]
    lost = [key for key in voters.keys if key not in alive]
    gone = lost[0] if lost else voters.keys[draw // 2 % len(voters)]
    return RemoveVoterRequest(gone) if may_lose(voters.without(gone), world.nodes) else None


def _is_outdated(world: World, message: Request) -> bool:
    """Whether the replica lost its directory while the request waited for a node that was paused.

    The operator would see it and not ask: with the dead directory a lone leader has no majority.
    """
    if not isinstance(message, AddVoterRequest):
        return False
    return message.key != key_of(world.nodes[message.key.id])


def _changed(world: World, node: SimNode, message: Request, done: Promise[Any]) -> None:
    answer = done.result()
    world.note(node.id, type(message).__name__, f"error {answer.error}")
    world.count("voter-change-asked")
    if answer.error == NONE:
        world.fired("voter-change")
