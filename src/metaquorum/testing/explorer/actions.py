"""What can happen next in a world, and how it happens. The order of the list is fixed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from metaquorum.base.ids import NodeId
from metaquorum.quorum.events import (
    AppendAsked,
    Event,
    LeaderLost,
    RequestArrived,
    ResignAsked,
    ResponseArrived,
    TimePassed,
)
from metaquorum.quorum.handlers.time import timers
from metaquorum.quorum.messages import ApiVersionsRequest
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.testing.explorer.changes import change_id, change_request
from metaquorum.testing.explorer.disk import Disk
from metaquorum.testing.explorer.moment import Moment
from metaquorum.testing.explorer.request_ids import request_id
from metaquorum.testing.explorer.scope import Budget, Scope
from metaquorum.testing.explorer.world import Node, Packet, World
from metaquorum.testing.fakes import data_batch, voter

CLIENT_REQUEST = 999
"""The request id of appends; they are answered in the same step."""


@frozen
class Action:
    """One thing that happens: its words, and what it needs to happen again."""

    kind: str
    node: NodeId
    packet: Packet | None = None
    timer: str = ""
    crash_state: int = 0
    note: str = ""

    def words(self) -> str:
        """The action as one line of a story."""
        if self.packet is not None:
            what = type(self.packet.message).__name__
            way = f"{self.packet.sender} -> {self.packet.receiver}"
            return f"{self.kind} {what} {way}"
        tail = " ".join(part for part in (self.timer, self.note) if part)
        return f"{self.kind} {self.node}" + (f": {tail}" if tail else "")


def first_world(scope: Scope) -> World:
    """Every node of the scope on an empty disk; if there are several, all were just started."""
    ids = scope.nodes + scope.observers
    world = World(tuple(Node(one, Disk()) for one in sorted(ids)), budget=scope.budget)
    if scope.settled:
        return _settled_world(scope, world)
    if len(ids) > 1:
        for one in sorted(ids):
            world = apply(scope, world, Action("start", one))
    return _scripted(scope, world)


def _scripted(scope: Scope, world: World) -> World:
    """The world after the first steps that the scope lays down; StopIteration if one cannot be."""
    steps = len(scope.script)
    world = evolve(world, budget=evolve(scope.budget, timers=steps, snapshots=steps))
    for words in scope.script:
        world = apply(scope, world, next(_worded(scope, world, words)))
    return evolve(world, budget=scope.budget)


def _worded(scope: Scope, world: World, words: str) -> Iterator[Action]:
    return (one for one in possible(scope, world) if one.words() == words)


def _settled_world(scope: Scope, world: World) -> World:
    """Node 1 leads, its epoch is committed, and everybody waits for news from it."""
    for one in scope.nodes:
        world = apply(scope, world, Action("start", one))
    world = apply(scope, world, Action("timer", 1, timer="election"))
    world = _quiet(scope, world)
    for one in sorted(set(scope.observers) - set(scope.late)):
        world = _quiet(scope, apply(scope, world, Action("start", one)))
    return _scripted(scope, world)


def _quiet(scope: Scope, world: World) -> World:
    """The world when every message has arrived and every disk has synced."""
    while True:
        due = (one for one in possible(scope, world) if one.kind in ("deliver", "sync"))
        action = next(due, None)
        if action is None:
            return world
        world = apply(scope, world, action)


def possible(scope: Scope, world: World) -> Iterator[Action]:
    """Everything that may happen in this world."""
    for node in world.nodes:
        if node.replica is None:
            yield Action("start", node.id)
            continue
        if node.unsynced:
            yield Action("sync", node.id, note=type(node.unsynced[0]).__name__)
        yield from _of_running(scope, world.budget, node)
    for packet in sorted(world.packets, key=Packet.order):
        if world.node(packet.receiver).replica is not None:
            yield Action("deliver", packet.receiver, packet)
            if world.budget.duplicates:
                yield Action("duplicate", packet.receiver, packet)
        if world.budget.drops:
            yield Action("drop", packet.receiver, packet)


def _of_running(scope: Scope, budget: Budget, node: Node) -> Iterator[Action]:
    replica = node.replica
    assert replica is not None
    if budget.timers and node.id in scope.may_time_out:
        for name, _ in timers(replica):
            if name.partition(":")[0] in scope.timers:
                yield Action("timer", node.id, timer=name)
    leads = isinstance(replica.role, Leader)
    if budget.appends and leads and node.id in scope.may_append:
        yield Action("append", node.id)
    if budget.resignations and leads:
        yield Action("resign", node.id)
    if budget.changes and leads:
        for words in scope.changes:
            yield Action("change", node.id, note=words)
    if budget.snapshots and node.id in scope.may_append and _may_write_snapshot(replica):
        yield Action("snapshot", node.id)
    if budget.losses and node.id in scope.may_lose and isinstance(replica.role, Follower):
        yield Action("lose", node.id, note=str(replica.role.leader_id))
    if budget.crashes and node.id in scope.may_crash:
        for at, (note, _) in enumerate(node.disk.crash_states(node.unsynced)):
            yield Action("crash", node.id, crash_state=at, note=note)


def _may_write_snapshot(replica: ReplicaState) -> bool:
    """Whether more is committed, as far as it knows, than its newest snapshot holds."""
    newest = replica.log.newest_snapshot
    return (replica.log.high_watermark or 0) > (0 if newest is None else newest.offset)


def apply(scope: Scope, world: World, action: Action) -> World:
    """The world after the action; raises ``Violation`` when a property breaks on the way."""
    moment = Moment(world, scope)
    budget, appended = world.budget, world.appended
    if action.kind == "start":
        changes: dict[str, object] = {"retry_backoff_ms": 1}
        if scope.retention is not None:
            changes |= {"retention": scope.retention, "snapshot_max_bytes": 1}
        if scope.bootstrap:
            changes["bootstrap"] = tuple(voter(one).endpoints[0] for one in scope.nodes)
        moment.start(action.node, changes)
    elif action.kind == "sync":
        moment.sync(action.node)
    elif action.kind == "timer":
        budget = evolve(budget, timers=budget.timers - 1)
        moment.tell(action.node, TimePassed(only=action.timer))
    elif action.kind == "append":
        budget, appended = evolve(budget, appends=budget.appends - 1), appended + 1
        node = world.node(action.node)
        assert node.replica is not None
        batch = data_batch(f"record {appended}")
        moment.tell(action.node, AppendAsked(CLIENT_REQUEST, (batch,), node.replica.epoch))
    elif action.kind == "resign":
        budget = evolve(budget, resignations=budget.resignations - 1)
        node = world.node(action.node)
        assert node.replica is not None
        moment.tell(action.node, ResignAsked(node.replica.epoch))
    elif action.kind == "change":
        budget = evolve(budget, changes=budget.changes - 1)
        node = world.node(action.node)
        assert node.replica is not None
        request = change_request(node.replica, action.note)
        moment.tell(action.node, RequestArrived(change_id(action.note), request))
    elif action.kind == "snapshot":
        budget = evolve(budget, snapshots=budget.snapshots - 1)
        moment.write_snapshot(action.node)
    elif action.kind == "lose":
        budget = evolve(budget, losses=budget.losses - 1)
        moment.tell(action.node, LeaderLost(int(action.note), "refused"))
    elif action.kind == "crash":
        budget = evolve(budget, crashes=budget.crashes - 1)
        node = world.node(action.node)
        states = list(node.disk.crash_states(node.unsynced))
        moment.crash(action.node, states[action.crash_state][1])
    else:
        budget = _handle_packet(moment, action, budget)
    return evolve(moment.done(), budget=budget, appended=appended)


def _handle_packet(moment: Moment, action: Action, budget: Budget) -> Budget:
    packet = action.packet
    assert packet is not None
    if action.kind == "duplicate":
        budget = evolve(budget, duplicates=budget.duplicates - 1)
    else:
        moment.packets.discard(packet)
    if action.kind == "drop":
        return evolve(budget, drops=budget.drops - 1)
    message: Any = packet.message
    if isinstance(message, ApiVersionsRequest):
        moment.answer_versions(packet)
        return budget
    if packet.is_answer:
        event: Event = ResponseArrived(packet.peer, packet.correlation, message)
    else:
        event = RequestArrived(request_id(packet), message)
    moment.tell(packet.receiver, event)
    return budget
