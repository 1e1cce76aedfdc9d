"""One run: weather first, then calm, in which everything must come right."""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from metaquorum.base.errors import InvariantViolated
from metaquorum.testing.simulator.invariants import RULES, Violation, liveness
from metaquorum.testing.simulator.replay import check_replay
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.weather import begin_weather, end_weather
from metaquorum.testing.simulator.world import World

STEP_US = 50_000
PATIENCE_TIMEOUTS = 12
"""How many of the longest time-outs the cluster has to come right in calm weather."""


@frozen
class Outcome:
    """What a run saw. ``trace`` is the fingerprint of everything that happened, in order."""

    scenario: Scenario
    trace: int
    simulated_us: int
    events: int
    committed: int
    acknowledged: int
    counts: dict[str, int] = field(factory=dict)
    violation: str | None = None
    rule: str | None = None
    at_us: int = 0

    @property
    def kind(self) -> str:
        """What sort of failure it is: crash, liveness or correctness; empty if there is none."""
        if self.rule is None:
            return ""
        return RULES[self.rule].kind if self.rule in RULES else "crash"


def run(
    scenario: Scenario, on_event: Callable[[World, int, str, str], None] | None = None
) -> Outcome:
    """Play a scenario to its end or to the first rule that breaks."""
    world = World(scenario)
    if on_event is not None:
        world.on_event = lambda node, what, detail: on_event(world, node, what, detail)
    violation: str | None = None
    rule: str | None = None
    try:
        _live(world)
    except Violation as found:
        violation, rule = str(found), found.rule
    except InvariantViolated as error:
        violation, rule = f"InvariantViolated: {error}", "invariant"
    return Outcome(
        scenario,
        world.trace.intdigest(),
        world.agenda.now_us,
        world.agenda.done,
        world.book.committed.end,
        sum(client.acknowledged for client in world.clients),
        dict(sorted(world.counts.items())),
        violation,
        rule,
        world.agenda.now_us,
    )


def _live(world: World) -> None:
    scenario = world.scenario
    for node in world.nodes.values():
        world.start(node)
    begin_weather(world)
    world.add_clients()
    world.look()
    world.agenda.run_until(scenario.seconds * 1_000_000)
    end_weather(world)
    _come_right(world)


def _come_right(world: World) -> None:
    """Calm: a leader, a fresh write, the same state everywhere, within a bound."""
    scenario = world.scenario
    longest_ms = max(2 * scenario.election_ms, scenario.fetch_ms, 1_000)
    if scenario.brokers:
        longest_ms = max(longest_ms, scenario.session_ms)
    patience_us = PATIENCE_TIMEOUTS * longest_ms * 1_000
    if scenario.quiet > 1:  # two writes are to be seen
        patience_us += 4 * scenario.pause_ms * scenario.quiet * 1_000
    since_us = world.agenda.now_us

    def wait(holds: Callable[[], bool]) -> bool:
        until_us = world.agenda.now_us + patience_us
        while not holds():
            if world.agenda.now_us >= until_us:
                return False
            world.agenda.run_until(world.agenda.now_us + STEP_US)
        return True

    def waited_ms() -> int:
        return (world.agenda.now_us - since_us) // 1_000

    if not wait(lambda: _leader(world) is not None):
        liveness.a_majority_elects_a_leader(world.lines(), waited_ms())
    before = sum(client.acknowledged for client in world.clients)
    if not wait(lambda: sum(client.acknowledged for client in world.clients) > before + 1):
        liveness.a_fresh_write_commits(world.lines(), waited_ms())
    if world.fleet is not None and not wait(lambda: _problem(world) is None):
        check, whom = _problem(world) or (None, [])
        if check is not None:
            check(whom, waited_ms())
    for client in world.clients:
        client.stop()
    target = world.book.acknowledged + 1
    if not wait(lambda: _caught_up(world, target)) and not _caught_up(world, target, away=True):
        liveness.everybody_catches_up(world.lines(), waited_ms())
    for node in world.nodes.values():
        if node.is_up:
            world.compare_state(node)
    up = {node.id: node.served for node in world.nodes.values() if node.is_up}
    check_replay(world.book.committed, world.book.payloads, up)


def _problem(world: World) -> tuple[Callable[[list[str], int], None], list[str]] | None:
    return None if world.fleet is None else world.fleet.problem()


def _leader(world: World) -> int | None:
    for node in world.nodes.values():
        if node.is_up:
            replica = node.running.driver.replica
            if replica.role.name == "Leader" and replica.shown_high_watermark >= 0:
                return node.id
    return None


def _caught_up(world: World, target: int, *, away: bool = False) -> bool:
    """Whether all nodes show everything below ``target``.

    With ``away``, those may be missing that are held back because of what their disks forgot: a
    voter that stays down, or an epoch that only a liar has named, can keep them away for good.
    """
    for node in world.nodes.values():
        if node.held and not away:
            return False
        if node.is_up and node.running.driver.controller.state.provenance.end_offset < target:
            return False
    return True
