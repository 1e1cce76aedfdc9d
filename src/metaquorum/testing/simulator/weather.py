"""What the weather does: one small function for each kind of happening, and how it all ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.quorum.events import LeaderLost
from metaquorum.testing.sim import weather
from metaquorum.testing.sim.happening import Happening
from metaquorum.testing.sim.links import DUPLICATED, LOST, RESET
from metaquorum.testing.sim.weather import ends, leading, meant, mend
from metaquorum.testing.simulator import damage
from metaquorum.testing.simulator.electorate import is_harmless
from metaquorum.testing.simulator.heap import Act
from metaquorum.testing.simulator.hostile import hostile_request
from metaquorum.testing.simulator.log_mirror import LogMirror
from metaquorum.testing.simulator.node import SimNode
from metaquorum.testing.simulator.operator import change_voters
from metaquorum.testing.simulator.watched import (
    APPENDED,
    COMMITTED,
    DOWNLOADING,
    DROPPING,
    ELECTED,
    INSTALLING,
    SAVED,
    TRUNCATED,
    WRITING,
)
from metaquorum.testing.simulator.world import Trap, World

OF_LOGS = (0, COMMITTED, ELECTED, APPENDED, SAVED, TRUNCATED)
OF_SNAPSHOTS = (WRITING, DOWNLOADING, INSTALLING, DROPPING)
MOMENTS = OF_LOGS + OF_SNAPSHOTS
"""``when=`` of a crash: 0 is at once, the others wait for a node to do something."""

RETURN_US = 100_000


def begin_weather(world: World) -> None:
    """Put everything that will happen on the agenda."""
    for one in world.scenario.happenings:
        world.agenda.at(one.at_ms * 1_000, _act(world, one))


def _act(world: World, one: Happening) -> Act:
    def act() -> None:
        if not world.calm:
            HAPPENINGS[one.kind](world, one)

    return act


def end_weather(world: World) -> None:
    """Calm: everything arrives, every clock is right, everybody who may comes back."""
    world.calm = True
    mend(world)
    world.network.half_open.clear()
    world.armed.clear()
    if world.fleet is not None:
        world.fleet.become_calm()
    away = world.scenario.minority_down - sum(1 for node in world.nodes.values() if node.held)
    for node in reversed(list(world.nodes.values())):
        world.clock_changed(node)
        if away > 0 and node.id <= world.scenario.voters and not node.held:
            away -= 1
            world.crash(node, "stays away")
        else:
            world.restart(node)


# Processes.


def _half_open(world: World, one: Happening) -> None:
    """A node that goes down in this time resets no connection to its peers."""
    node = meant(world, one).id
    world.network.half_open[node] = True
    world.crash(world.nodes[node], "crash, half open")
    ends(world, one, lambda: _back(world, node))


def _back(world: World, node: int) -> None:
    world.network.half_open.pop(node, None)
    world.restart(world.nodes[node])


def _crash(world: World, one: Happening) -> None:
    when = MOMENTS[one.get("when") % len(MOMENTS)]
    down_us = one.get("down", 300) * 1_000

    def down(node: SimNode, life: int) -> None:
        if one.get("leader"):
            node = leading(world)
            life = node.memory.life
        if node.memory.life == life and node.is_up and not world.calm:
            world.crash(node)
            world.fired("crash")
            world.agenda.after(down_us, lambda: world.restart(node))

    if when:
        world.armed.append(Trap(when, one.get("delay_us"), down))
    else:
        node = meant(world, one)
        down(node, node.memory.life)


def _pause(world: World, one: Happening) -> None:
    node = meant(world, one)
    if node.is_up:
        until_us = world.agenda.now_us + one.get("for", 1_000) * 1_000
        # What came in waits for the end of the pause before, so this one cannot end sooner.
        node.paused_until_us = max(node.paused_until_us, until_us)
        node.awake_since_us = node.paused_until_us + 100_000
        world.note(node.id, "pause", f"{one.get('for', 1_000)} ms")
        world.fired("pause")


def _snapshot(world: World, one: Happening) -> None:
    node = meant(world, one)
    if node.is_up and node.paused_until_us <= world.agenda.now_us:
        world.tell(node, node.memory.life, node.write_snapshot)


# Damage.


def _damage(name: str, what: damage.Damage) -> Callable[[World, Happening], None]:
    def happen(world: World, one: Happening) -> None:
        _hurt(world, meant(world, one), name, what)

    return happen


def _hurt(world: World, node: SimNode, name: str, what: damage.Damage) -> None:
    """Crash a node, damage its disk, and hold it until nothing depends on what it forgot."""
    if node.held or world.forgetful >= 1 or not world.may_forget(node):
        return
    promised, said = node.memory.disk.copy(), node.memory.said_epoch
    world.crash(node, name)
    promised = node.memory.disk.copy() if node.memory.disk.end > promised.end else promised
    if not what(node, world.random):
        world.agenda.after(200_000, lambda: world.restart(node))
        return
    world.fired(name)
    if world.counts.get("voter-change") or len(world.electorates()) > 1:
        world.fired("damage-amid-changes")
    node.held, node.memory.lost = True, promised
    world.forgetful += 1
    if name == "wiped":
        node.replace(promised)
    else:
        node.memory.forget(False)
    _try_return(world, node, promised, said)


def _try_return(world: World, node: SimNode, promised: LogMirror, said: int) -> None:
    returned = False
    last, committed = promised.last, world.book.committed.last
    wanted = [entry for entry in (last, committed) if entry is not None]
    if last is not None and committed is not None and committed.epoch > last.epoch:
        wanted = [committed]  # whatever else it had can never be committed any more
    if is_harmless(node, world.electorates(), world.nodes, wanted, said):
        returned = world.start(node)
        if not returned:
            world.fired("refused-start")
            node.replace(promised)
    if returned:
        node.memory.lost = None
        world.forgetful -= 1
    else:
        world.agenda.after(RETURN_US, lambda: _try_return(world, node, promised, said))


def _stale_disk(world: World, one: Happening) -> None:
    node = meant(world, one)
    files = node.disk.files()

    def back(node: SimNode, random: object) -> bool:
        node.disk.restore(files)
        return True

    ends(world, one, lambda: None if world.calm else _hurt(world, node, "stale-disk", back))


# Peers and operators.


def _hostile(world: World, one: Happening) -> None:
    node = meant(world, one)
    if not node.is_up or not node.running.driver.replica.is_voter:
        return  # an observer that is pushed ahead of the quorum's epoch waits until it gets there
    replica = node.running.driver.replica
    for _ in range(one.get("frames", 5)):
        message = hostile_request(world.random, replica.epoch, replica.config.key.id, world.nodes)
        world.note(node.id, "hostile", type(message).__name__)
        world.fired("hostile")

        def ask(message: Any = message) -> None:
            node.running.driver.ask_quorum(message)

        world.tell(node, node.memory.life, ask)


def _false_alarm(world: World, one: Happening) -> None:
    """An accept queue ran over: a follower takes its leader, which is well, for gone."""
    node = meant(world, one)
    if node.is_up:
        leader = node.running.driver.replica.leader_id
        lost = LeaderLost(leader if leader is not None else 1, "connection refused")
        world.fired("false-alarm")
        world.tell(node, node.memory.life, lambda: node.running.driver.post(lost))


def _voter_change(world: World, one: Happening) -> None:
    node = meant(world, one)
    if node.is_up:
        change_voters(world, node, one.get("draw"), one.get("times", 1))


def _old(world: World, one: Happening) -> None:
    world.network.wire.old[meant(world, one).id] = True


def _move(world: World, one: Happening) -> None:
    """A node comes back at another address."""
    node = meant(world, one)
    places = world.network.places
    if not node.is_up or node.held:
        return
    world.crash(node, "moves")
    del places[(f"n{node.id}", node.port)]
    node.port += 1
    places[(f"n{node.id}", node.port)] = node.id
    world.fired("endpoint-change")
    world.agenda.after(300_000, lambda: world.restart(node))


def _little_memory(world: World, one: Happening) -> None:
    """A node is killed for its memory, and has to do with little for a while."""
    node = meant(world, one)
    node.budget_bytes = one.get("bytes", 400)
    world.crash(node, "little memory")
    world.fired("little-memory")
    world.agenda.after(200_000, lambda: world.restart(node))

    def end() -> None:
        node.budget_bytes = None
        node.take_budget()

    ends(world, one, end)


HAPPENINGS: dict[str, Callable[[World, Happening], None]] = {
    "loss": weather.odds(LOST),
    "duplicate": weather.odds(DUPLICATED),
    "mid-frame": weather.odds(RESET),
    "delay": weather.delay,
    "reorder": weather.reorder,
    "cut": weather.cut,
    "one-way-cut": weather.cut_one_way,
    "half-open": _half_open,
    "crash": _crash,
    "blackout": weather.blackout,
    "pause": _pause,
    "clock": weather.clock,
    "slow-disk": weather.slow_disk,
    "fsync-error": weather.fsync_error,
    "full-disk": weather.full_disk,
    "no-descriptors": weather.no_descriptors,
    "rot-read": weather.rot_read,
    "snapshot": _snapshot,
    "rot-at-rest": _damage("rot-at-rest", damage.rot_at_rest),
    "lost-write": _damage("lost-write", damage.lost_write),
    "misdirected-write": _damage("misdirected-write", damage.misdirected_write),
    "lost-rename": _damage("lost-rename", damage.lost_rename),
    "operator-error": _damage("operator-error", damage.removed_quorum_state),
    "wiped": _damage("wiped", damage.wiped),
    "stale-disk": _stale_disk,
    "torn-snapshot": _damage("torn-snapshot", damage.torn_snapshot),
    "hostile": _hostile,
    "false-alarm": _false_alarm,
    "voter-change": _voter_change,
    "old": _old,
    "move": _move,
    "little-memory": _little_memory,
}
