"""One moment of a small cluster as a value, from which a controller can be made again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, field, frozen

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.controller.contacts import BrokerContacts
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.metadata.tables.topics import Partition, PartitionKey
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.explorer.partitions.scope import PartitionScope

LEVEL = 30
TOPIC = "t"
TOPIC_ID = uuid(TOPIC)
EARLIER, NOW, FIRST_RANK = 0, 1, 2
"""Offsets: of any life before the one that is registered, of that one, and of what came after."""

ALIVE, STOPPED, KILLED = "alive", "stopped", "killed"
STALE = -1
"""The epoch of anything that is older than what is there: how much older never matters."""


def directory(broker_id: NodeId, number: int = 0) -> Uuid:
    """A log directory of a broker."""
    return bytes([broker_id, number + 1]) * 8


@frozen
class Process:
    """What a broker's process is doing. ``epoch`` is the one it was told.

    ``offline`` are the numbers of the log directories that it lost.
    """

    state: str
    epoch: Offset
    offline: tuple[int, ...] = ()


@frozen
class InFlight:
    """A leader's request on its way: what it knew when it asked, and whom it wants in sync."""

    sender: NodeId
    sender_epoch: Offset
    number: int
    leader_epoch: int
    partition_epoch: int
    isr: tuple[tuple[NodeId, Offset], ...]


@frozen
class World:
    """What is committed and nothing else, while the controller has nothing under way.

    ``applied`` and ``left`` are what the active
    controller knows of brokers (``BrokerContacts``).
    """

    end: Offset
    brokers: Mapping[NodeId, Broker] = field(hash=False)
    partitions: Mapping[PartitionKey, Partition] = field(hash=False)
    complete: Mapping[PartitionKey, frozenset[NodeId]] = field(hash=False)
    applied: Mapping[NodeId, Offset] = field(hash=False)
    left: Mapping[NodeId, Offset] = field(hash=False)
    processes: Mapping[NodeId, Process] = field(hash=False)
    in_flight: InFlight | None = None
    budget: tuple[tuple[str, int], ...] = ()

    def key(self) -> tuple[object, ...]:
        """Equal keys have equal futures."""
        return (
            self.end,
            tuple(
                (
                    *(one.broker_id, one.epoch, one.registered_offset, one.origin.offset),
                    *(one.fenced, one.in_controlled_shutdown, one.log_dirs),
                )
                for one in self.brokers.values()
            ),
            tuple(
                (
                    *(key, one.replicas, one.isr, one.elr, one.last_known_elr, one.leader),
                    *(one.leader_recovery_state, one.leader_epoch, one.partition_epoch),
                    *(one.directories, self.complete[key]),
                )
                for key, one in self.partitions.items()
            ),
            tuple(sorted(self.applied.items())),
            tuple(sorted(self.left.items())),
            tuple(sorted(self.processes.items())),
            self.in_flight,
            self.budget,
        )


def first_world(scope: PartitionScope) -> World:
    """All brokers are unfenced, and everything is in sync."""
    brokers, count = {}, len(scope.brokers)
    for at, one in enumerate(scope.brokers):
        dirs = tuple(directory(one, number) for number in range(scope.directories))
        brokers[one] = Broker(
            *(one, at, incarnation(one), (), (), None, False, False, False, dirs, None),
            registered_offset=at,
            origin=_origin(count),
        )
    partitions = {
        (TOPIC_ID, number): Partition(
            replicas, tuple(directory(one) for one in replicas), replicas, leader=replicas[0]
        )
        for number, replicas in enumerate(scope.partitions)
    }
    world = World(
        count + 1,
        brokers,
        partitions,
        {key: frozenset(one.isr) for key, one in partitions.items()},
        dict.fromkeys(scope.brokers, count),
        {},
        {one: Process(ALIVE, at) for at, one in enumerate(scope.brokers)},
        None,
        tuple(sorted(scope.budget.items())),
    )
    return normal(world)


def incarnation(broker_id: NodeId) -> Uuid:
    """The process that is registered."""
    return bytes([broker_id]) * 16


def settings(scope: PartitionScope) -> Iterable[MetadataRecord]:
    """What stays the same all the time."""
    yield made("FeatureLevel", name="metadata.version", feature_level=LEVEL)
    if scope.has_elr:
        name = "eligible.leader.replicas.version"
        yield made("FeatureLevel", name=name, feature_level=1)
    yield made("Topic", name=TOPIC, topic_id=TOPIC_ID)
    given = {"min.insync.replicas": str(scope.min_insync_replicas)}
    if scope.may_be_unclean:
        given["unclean.leader.election.enable"] = "true"
    for name, value in given.items():
        yield made("Config", resource_type=2, resource_name=TOPIC, name=name, value=value)


def state_of(world: World, fixed: Iterable[MetadataRecord]) -> MetadataState:
    """The controller's state at this moment."""
    filling = MetadataState.filling(Provenance(world.end, 1, 0))
    count = 0
    for count, record in enumerate(fixed, 1):  # noqa: B007
        filling.fill(record)
    tables = filling.tables
    for broker_id, broker in world.brokers.items():
        tables.brokers.put(broker_id, broker)
    for key, partition in world.partitions.items():
        tables.put_partition(key, partition)
    return filling.filled(count + len(world.brokers) + len(world.partitions))


def contacts_of(world: World, contacts: BrokerContacts) -> None:
    """Tell the controller what it knew of brokers; all were heard of just now.

    Any broker may have been taken out of service earlier in the epoch, which is nothing to it while
    it is in service again, so all have been.
    """
    for broker_id, applied in world.applied.items():
        contacts.heard_from(broker_id, world.brokers[broker_id].epoch, 0, applied)
    earlier = (key for key, one in world.brokers.items() if not one.in_controlled_shutdown)
    for broker_id, offset in {**dict.fromkeys(earlier, 0), **world.left}.items():
        contacts.began_to_leave(broker_id)
        contacts.has_left(broker_id, offset, is_whole=True)


def normal(world: World) -> World:
    """The same with small numbers, and without what makes no difference any more.

    Of a life only whether it is the one that is registered matters, of epochs of partitions whether
    they are the present ones, and of offsets their order while a broker is in controlled shutdown.
    """
    leaving = [key for key, one in world.brokers.items() if one.in_controlled_shutdown]
    offsets = {world.brokers[key].origin.offset for key in leaving}
    offsets |= {at for key, at in world.left.items() if key in leaving}
    if leaving:
        offsets |= set(world.applied.values())
    offsets.discard(NO_OFFSET)
    rank = {one: at for at, one in enumerate(sorted(offsets), FIRST_RANK)}
    rank[NO_OFFSET] = NO_OFFSET

    def life(broker_id: NodeId, epoch: Offset) -> Offset:
        known = world.brokers.get(broker_id)
        return NOW if known is not None and known.epoch == epoch else EARLIER

    def known(key: NodeId, one: Broker) -> Broker:
        at = rank[one.origin.offset] if key in leaving else NOW
        return evolve(
            one,
            epoch=NOW,
            registered_offset=NOW,
            incarnation_id=incarnation(key),
            origin=_origin(at),
        )

    def process(key: NodeId, one: Process) -> Process:
        return evolve(one, epoch=EARLIER if one.state == KILLED else life(key, one.epoch))

    flight = world.in_flight
    if flight is not None:
        one = world.partitions[TOPIC_ID, flight.number]
        flight = evolve(
            flight,
            sender_epoch=life(flight.sender, flight.sender_epoch),
            leader_epoch=max(flight.leader_epoch - one.leader_epoch, STALE),
            partition_epoch=max(flight.partition_epoch - one.partition_epoch, STALE),
            isr=tuple((other, life(other, epoch)) for other, epoch in flight.isr),
        )
    return evolve(
        world,
        end=FIRST_RANK + len(offsets),
        brokers={key: known(key, one) for key, one in world.brokers.items()},
        partitions={
            key: evolve(one, leader_epoch=0, partition_epoch=0)
            for key, one in world.partitions.items()
        },
        applied={
            key: rank[at] if leaving else NO_OFFSET
            for key, at in world.applied.items()
            if not world.brokers[key].fenced
        },
        left={key: rank[at] for key, at in world.left.items() if key in leaving},
        processes={key: process(key, one) for key, one in world.processes.items()},
        in_flight=flight,
    )


def _origin(offset: Offset) -> Origin:
    return Origin(offset, 1, 0)
