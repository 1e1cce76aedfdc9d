"""Fake brokers in virtual time: who lives, dies, stops, comes back, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.controller.partitions.facts import is_online
from metaquorum.metadata.tables.topics import NO_LEADER, Partition
from metaquorum.testing.simulator.asking import Asker, fresh_uuid
from metaquorum.testing.simulator.broker_life import Life
from metaquorum.testing.simulator.broker_settings import BEATS
from metaquorum.testing.simulator.cluster_log import UNCLEAN, ClusterLog
from metaquorum.testing.simulator.heap import Act, Agenda
from metaquorum.testing.simulator.invariants import brokers as rules
from metaquorum.testing.simulator.node import SimNode
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.wire.generated import error_codes

FIRST_ID = 101
SLOWEST = 20
ZOMBIE_US = 3_000_000
"""How long a process goes on after another one of the same broker has come."""


@define(eq=False)
class Machine:
    """A broker's machine: what outlives its processes.

    ``clean_epoch`` is in the file that a process leaves behind that ended well.
    """

    id: NodeId
    random: Random
    directories: tuple[Uuid, ...]
    clean_epoch: Offset = NO_OFFSET
    process: Life | None = None
    stays_away: bool = False


@define(eq=False)
class Fleet:
    """All brokers of a run. ``refusals`` counts error codes by name."""

    scenario: Scenario
    nodes: dict[int, SimNode]
    log: ClusterLog
    ask: Act
    agenda: Agenda
    fired: Callable[[str], None]
    stream: Callable[[str], Random]
    machines: dict[NodeId, Machine] = field(factory=dict)
    calm: bool = False

    @property
    def kraft_version(self) -> int:
        """That of the quorum."""
        return self.scenario.dynamic

    @property
    def slowness(self) -> int:
        """How many times more seldom than else a broker follows the log and looks what it leads.

        At most SLOWEST: a broker is in service only when it has read its registration.
        """
        return min(self.scenario.quiet, SLOWEST)

    @property
    def beat_us(self) -> int:
        """The pause between two heartbeats."""
        return self.scenario.session_ms * 1_000 // BEATS

    def begin(self) -> None:
        """Every broker starts, one after the other, and its fate with it."""
        for broker_id in range(FIRST_ID, FIRST_ID + self.scenario.brokers):
            random = self.stream(f"broker {broker_id}")
            count = random.choice((1, 1, 2, 3))
            directories = tuple(fresh_uuid(random) for _ in range(count))
            machine = self.machines[broker_id] = Machine(broker_id, random, directories)
            self.agenda.after(random.randrange(500_000), self._start, machine)
            self._plan_fate(machine)

    def current(self, broker_id: NodeId) -> Life | None:
        """The newest process of a broker, None while none lives."""
        machine = self.machines.get(broker_id)
        process = None if machine is None else machine.process
        return process if process is not None and process.is_alive else None

    def refused(self, error: RequestError) -> None:
        """Somebody was refused."""
        self.fired(f"refused-{error_codes.NAMES.get(error.code, error.code)}")

    def row_told(self, what: str, code: int) -> None:
        """A row of an answer."""
        self.fired(f"{what}-{error_codes.NAMES.get(code, code)}")

    # Processes.

    def _start(self, machine: Machine) -> None:
        if machine.stays_away or self.current(machine.id) is not None:
            return
        self._new_process(machine)

    def _new_process(self, machine: Machine) -> None:
        random, scenario = machine.random, self.scenario
        before, machine.clean_epoch = machine.clean_epoch, NO_OFFSET
        asker = Asker(
            self.nodes,
            random,
            self.ask,
            self.agenda,
            scenario.session_ms // 2,
            lost=0 if self.calm else random.choice((0, 0, 20, 100)),
            late=0 if self.calm else random.choice((0, 0, 20, 100)),
            leader=random.choice(sorted(self.nodes)),
        )
        machine.process = Life(
            self, machine.id, fresh_uuid(random), machine.directories, before, asker
        )
        machine.process.begin()

    def ended(self, process: Life, *, is_clean: bool) -> None:
        """A process ends by itself; the next one comes after a while."""
        process.die()
        machine = self.machines[process.id]
        if machine.process is not process:
            return
        if is_clean and process.epoch is not None:
            machine.clean_epoch = process.epoch
        self._back_later(machine)

    def _back_later(self, machine: Machine) -> None:
        session_us = self.scenario.session_ms * 1_000
        longest_us = 100_000 if self.calm else machine.random.choice((100_000, 2 * session_us))
        self.agenda.after(machine.random.randrange(longest_us), self._start, machine)

    # Fates.

    def _plan_fate(self, machine: Machine) -> None:
        mean_us = 4 * self.scenario.session_ms * 1_000 * self._fate_times()
        after_us = int(machine.random.expovariate(1 / mean_us)) + 200_000
        self.agenda.after(after_us, self._fate, machine)

    def _fate_times(self) -> int:
        """A long run has as many fates as a short one of sessions that are shorter as well."""
        return 1 if self.scenario.quiet == 1 else max(1, self.scenario.quiet // 6)

    def _fate(self, machine: Machine) -> None:
        if self.calm:
            return
        process = self.current(machine.id)
        if process is not None:
            _FATES[machine.random.randrange(len(_FATES))](self, machine, process)
        self._plan_fate(machine)

    def _killed(self, machine: Machine, process: Life) -> None:
        self.fired("broker-killed")
        process.die()
        self._back_later(machine)

    def _stops(self, machine: Machine, process: Life) -> None:
        if process.epoch is not None and not process.stopping:
            process.stopping = 1

    def _paused(self, machine: Machine, process: Life) -> None:
        self.fired("broker-paused")
        session_us = self.scenario.session_ms * 1_000
        for_us = session_us * machine.random.randint(2, 25) // 10
        process.paused_until_us = self.agenda.now_us + for_us

    def _slow(self, machine: Machine, process: Life) -> None:
        self.fired("broker-slow")
        process.slow_until_us = self.agenda.now_us + machine.random.randrange(4_000_000)

    def _loses_directory(self, machine: Machine, process: Life) -> None:
        online = [one for one in process.directories if one not in process.offline]
        if len(online) > 1:
            self.fired("broker-directory-lost")
            process.offline.add(machine.random.choice(online))

    def _doubled(self, machine: Machine, process: Life) -> None:
        """Another process comes, while the old one hangs and then goes on."""
        self.fired("broker-doubled")
        session_us = self.scenario.session_ms * 1_000
        process.paused_until_us = (
            self.agenda.now_us + session_us * machine.random.randint(8, 20) // 10
        )
        self._new_process(machine)
        self.agenda.at(process.paused_until_us + ZOMBIE_US, process.die)

    # The end.

    def become_calm(self) -> None:
        """Everybody who may comes back and stays; one may stay dead."""
        self.calm = True
        for machine in self.machines.values():
            process = self.current(machine.id)
            if process is not None:
                process.asker.lost = process.asker.late = 0
                process.slow_until_us = 0
                process.paused_until_us = min(process.paused_until_us, self.agenda.now_us)
        machine = next(iter(self.machines.values()))
        if len(self.machines) > 1 and machine.random.randrange(3) == 0:
            machine.stays_away = True
            process = self.current(machine.id)
            if process is not None:
                process.die()
        for machine in self.machines.values():
            self._start(machine)

    def problem(self) -> tuple[Callable[[list[str], int], Any], list[str]] | None:
        """The rule that does not hold yet in calm weather, and for whom."""
        view = self.log.view
        live, dead = [], []
        for machine in self.machines.values():
            process, known = self.current(machine.id), view.brokers.get(machine.id)
            if process is None and known is not None and not known.fenced:
                dead.append(f"{machine.id} with epoch {known.epoch}")
            if process is not None and (
                known is None
                or known.fenced
                or known.epoch != process.epoch
                or known.in_controlled_shutdown
            ):
                live.append(f"{machine.id} with epoch {process.epoch}, in the log {known}")
            if process is None and not machine.stays_away:
                live.append(f"{machine.id} is not there")
        if live:
            return rules.live_brokers_are_unfenced, live
        if dead:
            return rules.dead_brokers_are_fenced, dead
        leaderless = [
            f"{key[1]} of {key[0].hex()}: {one}"
            for key, one in view.partitions.items()
            if self._should_be_led(self.log.created[key[0]], one)
        ]
        if leaderless:
            return rules.partitions_with_a_candidate_have_a_leader, leaderless
        return None

    def _should_be_led(self, topic: str, one: Partition) -> bool:
        """Whether nobody live leads a partition that somebody could lead."""
        if one.leader != NO_LEADER and self._can_lead(one, one.leader):
            return False
        candidates = one.isr or one.elr or one.last_known_elr
        if self.log.setting(topic, UNCLEAN) == "true":
            candidates = one.replicas
        return any(self._can_lead(one, replica) for replica in candidates)

    def _can_lead(self, one: Partition, replica: NodeId) -> bool:
        broker = self.log.view.brokers.get(replica)
        if broker is None or broker.fenced or broker.in_controlled_shutdown:
            return False
        return is_online(broker, one.directories[one.replicas.index(replica)])


_FATES: tuple[Callable[[Fleet, Machine, Life], None], ...] = (
    Fleet._killed,
    Fleet._killed,
    Fleet._stops,
    Fleet._stops,
    Fleet._paused,
    Fleet._slow,
    Fleet._loses_directory,
    Fleet._doubled,
)
