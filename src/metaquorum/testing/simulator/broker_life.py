"""One process of a fake broker, from its start to its end.

It follows the committed log of some node, a little late; it beats, leads what the state it has
followed says that it leads, and believes only that. Other brokers are asked for nothing but whether
they keep up: how records get from leader to follower is not played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.controller.partitions.facts import UNASSIGNED_DIRECTORY
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.metadata.tables.topics import RECOVERED, Partition, PartitionKey
from metaquorum.testing.simulator import broker_requests as requests
from metaquorum.testing.simulator.asking import Answer, Asker
from metaquorum.testing.simulator.cluster_log import AskedIsr, ClusterLog
from metaquorum.testing.simulator.heap import Agenda
from metaquorum.testing.simulator.node import SimNode
from metaquorum.wire.generated import error_codes

FOLLOW_US = 120_000
LEAD_US = 200_000
RETRY_US = 100_000
PATIENCE = 8
"""After so many beats a broker that wants to stop does so, told or not.

After so many that were refused because another process was registered, somebody ends this one.
"""


class Others(Protocol):
    """What a process knows of its surroundings: the cluster, time, and the other brokers."""

    nodes: dict[int, SimNode]
    log: ClusterLog
    agenda: Agenda

    @property
    def kraft_version(self) -> int:
        """That of the quorum."""

    @property
    def beat_us(self) -> int:
        """The pause between two heartbeats."""

    @property
    def slowness(self) -> int:
        """So many times more seldom than else it follows the log and looks what it leads."""

    @property
    def fired(self) -> Callable[[str], None]:
        """Counts what happened."""

    def current(self, broker_id: NodeId) -> Life | None:
        """The newest process of a broker, None while none lives."""

    def ended(self, process: Life, *, is_clean: bool) -> None:
        """A process has ended by itself."""

    def refused(self, error: RequestError) -> None:
        """Somebody was refused."""

    def row_told(self, what: str, code: int) -> None:
        """A row of an answer."""


@define(eq=False)
class Life:
    """``epoch`` is None until the registration was answered.

    ``before`` is the epoch of the process before, if that one ended well. ``end`` is where the
    followed log ends. ``stopping`` counts the beats since it wants to stop.
    """

    fleet: Others
    id: NodeId
    incarnation: Uuid
    directories: tuple[Uuid, ...]
    before: Offset
    asker: Asker
    epoch: Offset | None = None
    end: Offset = 0
    is_alive: bool = True
    is_unfenced: bool = False
    paused_until_us: int = 0
    slow_until_us: int = 0
    stopping: int = 0
    offline: set[Uuid] = field(factory=set)
    partitions: dict[PartitionKey, Partition] = field(factory=dict)
    brokers: dict[NodeId, Broker] = field(factory=dict)
    _stale: int = 0
    _epochs: dict[NodeId, Offset] = field(factory=dict)
    _busy: set[PartitionKey] = field(factory=set)
    _old: list[tuple[PartitionKey, int, int, dict[NodeId, Offset]]] = field(factory=list)

    @property
    def life(self) -> tuple[NodeId, Offset]:
        """Who it is, for controllers."""
        return (self.id, NO_OFFSET if self.epoch is None else self.epoch)

    def begin(self) -> None:
        """The process starts."""
        self._follow()
        self._beat()
        self._lead()

    def die(self) -> None:
        """The process is gone."""
        self.is_alive = False

    def _waits(self, act: Any, *told: Any) -> bool:
        """Whether nothing is to be done now: it is gone, or paused and does it later."""
        if not self.is_alive:
            return True
        agenda = self.fleet.agenda
        if self.paused_until_us > agenda.now_us:
            agenda.at(self.paused_until_us, act, *told)
            return True
        return False

    # The log.

    def _follow(self) -> None:
        """Take over what some node shows as committed."""
        if self._waits(self._follow):
            return
        fleet, random = self.fleet, self.asker.random
        node = fleet.nodes[random.choice((self.asker.leader, random.choice(sorted(fleet.nodes))))]
        if node.is_up and node.paused_until_us <= fleet.agenda.now_us:
            state = node.running.driver.controller.state
            end = state.provenance.end_offset
            if end > self.end:
                view, self.end = state.committed(), end
                self.partitions = {
                    key: one for key, one in view.partitions.items() if self.id in one.replicas
                }
                self.brokers = dict(view.brokers.items())
        late = 5 if random.randrange(12) == 0 else 1
        fleet.agenda.after(random.randrange(FOLLOW_US) * late * fleet.slowness, self._follow)

    # Sessions.

    def _beat(self) -> None:
        if self._waits(self._beat):
            return
        log = self.fleet.log
        if self.epoch is None:
            directories = [one for one in self.directories if one not in self.offline]
            command: Any = requests.registration(
                self.id, self.incarnation, directories, self.before, self.fleet.kraft_version
            )
            self.asker.send(
                command, self._registered, self._registration_left, self._registration_arrives
            )
            return
        life, applied = self.life, self.end - 1
        wants_stop = self.stopping > 0
        log.contacts.asked(life, applied, leaves=wants_stop, wants_fence=False)
        command = requests.heartbeat(
            life, applied, wants_fence=False, wants_stop=wants_stop, offline=tuple(self.offline)
        )
        self.asker.send(command, self._beaten, self._beat_left, self._beat_arrives)

    def _registration_arrives(self, node: SimNode) -> None:
        self.fleet.log.asks_to_register(self.id, self.incarnation, self.before)

    def _registration_left(self, reply: Any) -> None:
        self.fleet.log.registration_told(self.id, self.incarnation, reply.broker_epoch)

    def _registered(self, answer: Answer) -> None:
        if self._waits(self._registered, answer):
            return
        if answer is not None and not isinstance(answer, RequestError):
            reply: Any = answer
            self.epoch = reply.broker_epoch
            self.fleet.fired("broker-registered")
        elif isinstance(answer, RequestError):
            self.fleet.refused(answer)
        self.fleet.agenda.after(RETRY_US, self._beat)

    def _beat_arrives(self, node: SimNode) -> None:
        if node.running.driver.controller.is_active:
            self.fleet.log.contacts.heard(node.id, self.life, node.clock.now_ms())

    def _beat_left(self, reply: Any) -> None:
        if reply.should_shut_down:
            self.fleet.log.told_to_stop(*self.life)

    def _beaten(self, answer: Answer) -> None:
        if self._waits(self._beaten, answer):
            return
        if self.stopping:
            self.stopping += 1
        pause_us = self.fleet.beat_us
        if answer is None or isinstance(answer, RequestError):
            pause_us = RETRY_US
            if isinstance(answer, RequestError):
                self.fleet.refused(answer)
                self._stale += answer.code == error_codes.STALE_BROKER_EPOCH
            if self._stale > PATIENCE:
                self.fleet.ended(self, is_clean=False)
                return
        else:
            reply: Any = answer
            self.is_unfenced = not reply.is_fenced
            if reply.should_shut_down and self.stopping:
                self.fleet.fired("broker-stopped")
                self.fleet.ended(self, is_clean=True)
                return
        if self.stopping > PATIENCE:
            self.fleet.fired("broker-stopped-untold")
            self.fleet.ended(self, is_clean=True)
            return
        self.fleet.agenda.after(pause_us, self._beat)

    # Leading.

    def keeps_up(self, key: PartitionKey, leader_epoch: int) -> bool:
        """Whether it fetches from the leader of that epoch, for whom it must know of it."""
        one = self.partitions.get(key)
        if one is None or not self.is_alive or one.leader_epoch < leader_epoch:
            return False
        now_us = self.fleet.agenda.now_us
        if self.paused_until_us > now_us or self.slow_until_us > now_us:
            return False
        return one.directories[one.replicas.index(self.id)] not in self.offline

    def _lead(self) -> None:
        if self._waits(self._lead):
            return
        random = self.asker.random
        if self.epoch is not None:
            for key, one in list(self.partitions.items()):
                if one.leader == self.id and key not in self._busy and random.randrange(3):
                    self._look_after(key, one)
            self._now_and_then()
        pause_us = random.randrange(2 * LEAD_US) * self.fleet.slowness
        self.fleet.agenda.after(pause_us, self._lead)

    def _look_after(self, key: PartitionKey, one: Partition) -> None:
        """Who fell silent goes out of the ISR, and who keeps up comes in."""
        isr: dict[NodeId, Offset] = {}
        for replica in one.replicas:
            if replica == self.id:
                isr[replica] = self.life[1]
                continue
            process = self.fleet.current(replica)
            if process is None or not process.keeps_up(key, one.leader_epoch):
                continue
            if replica not in one.isr and not self._may_join(replica):
                continue
            epoch = self._fetched_with(replica, process)
            if epoch is not None:
                isr[replica] = epoch
        if set(isr) != set(one.isr) or one.leader_recovery_state != RECOVERED:
            self._alter(key, one.leader_epoch, one.partition_epoch, isr)

    def _fetched_with(self, replica: NodeId, process: Life) -> Offset | None:
        """The epoch in a follower's last fetch, which may be of before its restart (KIP-903)."""
        if process.epoch is not None and (
            replica not in self._epochs or self.asker.random.randrange(4)
        ):
            self._epochs[replica] = process.epoch
        return self._epochs.get(replica)

    def _may_join(self, replica: NodeId) -> bool:
        """As far as the followed log tells, which may be behind."""
        broker = self.brokers.get(replica)
        if broker is None or broker.fenced or broker.in_controlled_shutdown:
            return self.asker.random.randrange(10) == 0
        return True

    def _alter(
        self, key: PartitionKey, leader_epoch: int, partition_epoch: int, isr: dict[NodeId, Offset]
    ) -> None:
        asked = AskedIsr(*self.life, leader_epoch, partition_epoch, isr)
        self.fleet.log.asks_for_isr(key, asked)
        self._busy.add(key)
        self._old.append((key, leader_epoch, partition_epoch, isr))

        def left(reply: Any) -> None:
            for topic in reply.topics:
                for row in topic.partitions:
                    if row.error_code == error_codes.NONE:
                        told = (row.partition_epoch, row.leader_epoch, tuple(row.isr))
                        self.fleet.log.isr_told(key, *told)

        def came(answer: Answer) -> None:
            if self._waits(came, answer):
                return
            self._busy.discard(key)
            if isinstance(answer, RequestError):
                self.fleet.refused(answer)
            elif answer is not None:
                reply: Any = answer
                self._altered(key, reply.topics[0].partitions[0])

        command = requests.isr_change(self.life, key, leader_epoch, partition_epoch, isr)
        self.asker.send(command, came, left)

    def _altered(self, key: PartitionKey, row: Any) -> None:
        """The controller answered: this is known before it comes by the log."""
        self.fleet.row_told("isr", row.error_code)
        one = self.partitions.get(key)
        if row.error_code != error_codes.NONE or one is None:
            return
        if row.partition_epoch > one.partition_epoch:
            self.partitions[key] = Partition(
                one.replicas,
                one.directories,
                tuple(row.isr),
                one.removing_replicas,
                one.adding_replicas,
                leader=row.leader_id,
                leader_recovery_state=row.leader_recovery_state,
                leader_epoch=row.leader_epoch,
                partition_epoch=row.partition_epoch,
            )

    def _now_and_then(self) -> None:
        """What a broker asks for at times, and what arrives of it long after it was asked."""
        random, log = self.asker.random, self.fleet.log
        draw = random.randrange(60)
        if draw == 0:

            def told(reply: Any) -> None:
                log.producer_ids_told(reply.producer_id_start, reply.producer_id_len)

            self.asker.send(requests.producer_ids(self.life), self._whatever, told)
        elif draw < 4 and self._old:
            self._alter(*random.choice(self._old[-6:]))
        elif draw < 12:
            self._assign()

    def _assign(self) -> None:
        online = [one for one in self.directories if one not in self.offline]
        for key, one in self.partitions.items():
            place = one.directories[one.replicas.index(self.id)]
            if place == UNASSIGNED_DIRECTORY and online:
                directory = self.asker.random.choice(online)
                command = requests.assignment(self.life, key, directory)
                self.asker.send(command, self._whatever)
                return

    def _whatever(self, answer: Answer) -> None:
        if isinstance(answer, RequestError):
            self.fleet.refused(answer)
