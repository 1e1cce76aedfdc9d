"""Brokers and controllers as they registered themselves (KIP-631, KIP-919)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol

from attrs import evolve, field, frozen

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.metadata.origin import NO_ORIGIN, Origin

if TYPE_CHECKING:
    from metaquorum.wire.generated.records.broker_registration_change_record import (
        BrokerRegistrationChangeRecord,
    )
    from metaquorum.wire.generated.records.register_broker_record import RegisterBrokerRecord
    from metaquorum.wire.generated.records.register_controller_record import (
        RegisterControllerRecord,
    )

FENCE: Final = 1
UNFENCE: Final = -1
ENTER_CONTROLLED_SHUTDOWN: Final = 1


@frozen
class NodeEndpoint:
    """Where a node listens; ``security_protocol`` is Kafka's number of it."""

    listener: str
    host: str
    port: int
    security_protocol: int


@frozen
class FeatureRange:
    """The levels of one feature that a node can work with, both ends included."""

    name: str
    lowest: int
    highest: int


@frozen
class Broker:
    """A registered broker; ``epoch`` tells this life of it from earlier ones.

    ``registered_offset`` is where its RegisterBroker record is, which may be after ``epoch``; of a
    broker that is in a snapshot, where the snapshot ends.
    """

    broker_id: NodeId
    epoch: Offset
    incarnation_id: Uuid
    endpoints: tuple[NodeEndpoint, ...]
    features: tuple[FeatureRange, ...]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    is_migrating_zk_broker: bool
    log_dirs: tuple[Uuid, ...]
    cordoned_log_dirs: tuple[Uuid, ...] | None
    registered_offset: Offset = field(default=NO_OFFSET, eq=False, repr=False)
    origin: Origin = field(default=NO_ORIGIN, eq=False, repr=False)


class BrokerState(Enum):
    """Kafka's states of a broker, with its numbers of BrokerRegistrationState (KIP-1131).

    SHUTDOWN_NOW is only answered to a heartbeat: the broker is fenced. Kafka has no number of it.
    """

    FENCED = 10
    CONTROLLED_SHUTDOWN = 20
    UNFENCED = 30
    SHUTDOWN_NOW = -1


def state_of(broker: Broker) -> BrokerState:
    """As its registration says."""
    if broker.fenced:
        return BrokerState.FENCED
    if broker.in_controlled_shutdown:
        return BrokerState.CONTROLLED_SHUTDOWN
    return BrokerState.UNFENCED


@frozen
class Controller:
    """A registered controller."""

    controller_id: NodeId
    incarnation_id: Uuid
    zk_migration_ready: bool
    endpoints: tuple[NodeEndpoint, ...]
    features: tuple[FeatureRange, ...]
    origin: Origin = field(default=NO_ORIGIN, eq=False, repr=False)


class _WireEndpoint(Protocol):
    name: str
    host: str
    port: int
    security_protocol: int


class _WireFeature(Protocol):
    name: str
    min_supported_version: int
    max_supported_version: int


def _endpoints(entries: Iterable[_WireEndpoint]) -> tuple[NodeEndpoint, ...]:
    return tuple(NodeEndpoint(e.name, e.host, e.port, e.security_protocol) for e in entries)


def _features(entries: Iterable[_WireFeature]) -> tuple[FeatureRange, ...]:
    """Sorted by name: Kafka writes them in no particular order."""
    ranges = [
        FeatureRange(e.name, e.min_supported_version, e.max_supported_version) for e in entries
    ]
    return tuple(sorted(ranges, key=lambda feature: feature.name))


def _uuids(entries: Iterable[bytes | memoryview]) -> tuple[Uuid, ...]:
    return tuple(bytes(uuid) for uuid in entries)


def broker_of(record: RegisterBrokerRecord, origin: Origin = NO_ORIGIN) -> Broker:
    """The broker that a RegisterBroker record describes whole."""
    cordoned = record.cordoned_log_dirs
    return Broker(
        broker_id=record.broker_id,
        epoch=record.broker_epoch,
        incarnation_id=bytes(record.incarnation_id),
        endpoints=_endpoints(record.end_points),
        features=_features(record.features),
        rack=record.rack,
        fenced=record.fenced,
        in_controlled_shutdown=record.in_controlled_shutdown,
        is_migrating_zk_broker=record.is_migrating_zk_broker,
        log_dirs=_uuids(record.log_dirs),
        cordoned_log_dirs=None if cordoned is None else _uuids(cordoned),
        registered_offset=origin.offset,
        origin=origin,
    )


def broker_after(
    old: Broker, record: BrokerRegistrationChangeRecord, origin: Origin = NO_ORIGIN
) -> Broker:
    """``old`` after a BrokerRegistrationChange: zero, empty and null mean no change."""
    if record.fenced not in (UNFENCE, 0, FENCE):
        raise InvariantViolated(f"{record.fenced} is no change of fencing")
    if record.in_controlled_shutdown not in (0, ENTER_CONTROLLED_SHUTDOWN):
        raise InvariantViolated(
            f"{record.in_controlled_shutdown} is no change of controlled shutdown"
        )
    new = evolve(old, origin=origin)
    if record.fenced:
        new = evolve(new, fenced=record.fenced == FENCE)
    if record.in_controlled_shutdown:
        new = evolve(new, in_controlled_shutdown=True)
    if record.log_dirs:
        new = evolve(new, log_dirs=_uuids(record.log_dirs))
    if record.cordoned_log_dirs is not None:
        new = evolve(new, cordoned_log_dirs=_uuids(record.cordoned_log_dirs))
    return new


def fenced(old: Broker, is_fenced: bool, origin: Origin = NO_ORIGIN) -> Broker:
    """``old`` after a FenceBroker or UnfenceBroker record (below metadata.version 6)."""
    return evolve(old, fenced=is_fenced, origin=origin)


def controller_of(record: RegisterControllerRecord, origin: Origin = NO_ORIGIN) -> Controller:
    """The controller that a RegisterController record describes."""
    return Controller(
        controller_id=record.controller_id,
        incarnation_id=bytes(record.incarnation_id),
        zk_migration_ready=record.zk_migration_ready,
        endpoints=_endpoints(record.end_points),
        features=_features(record.features),
        origin=origin,
    )
