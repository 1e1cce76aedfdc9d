"""Brokers make themselves known, and are forgotten (KIP-631)."""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import is_reserved, uuid_text
from metaquorum.base.offsets import Offset
from metaquorum.controller.commands import RegisterBroker, UnregisterBroker
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.of_brokers import leaves_isrs
from metaquorum.metadata import versions
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.features import KRAFT_VERSION, METADATA_VERSION
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.broker_registration_request import (
    BrokerRegistrationRequest,
    Feature,
)
from metaquorum.wire.generated.broker_registration_response import BrokerRegistrationResponse
from metaquorum.wire.generated.records import register_broker_record as record_form
from metaquorum.wire.generated.records.unregister_broker_record import UnregisterBrokerRecord
from metaquorum.wire.generated.unregister_broker_response import UnregisterBrokerResponse

_REGISTER: Final = 0
_UNREGISTER: Final = 1


def plan_register(context: PlanContext, command: RegisterBroker) -> Outcome | InTurns:
    """The record of a registration, and before it what an unclean restart makes of partitions.

    The checks are Kafka's, in its order. RequestError: INCONSISTENT_CLUSTER_ID,
    DUPLICATE_BROKER_REGISTRATION while another process of that id has a session,
    BROKER_ID_NOT_REGISTERED for a broker of ZooKeeper, INVALID_REGISTRATION,
    UNSUPPORTED_VERSION for one that cannot work with the finalized features.
    """
    request, view = command.request, context.view
    broker_id = request.broker_id
    if request.cluster_id != command.cluster_id:
        raise RequestError(
            error_codes.INCONSISTENT_CLUSTER_ID,
            f"broker {broker_id} belongs to cluster {request.cluster_id}, "
            f"this is {command.cluster_id}",
        )
    known = view.brokers.get(broker_id)
    is_restart = known is None or known.incarnation_id != bytes(request.incarnation_id)
    is_clean = known is not None and request.previous_broker_epoch == known.epoch
    if is_restart and known is not None:
        _check_duplicate(context, known, is_clean=is_clean)
    if request.is_migrating_zk_broker:
        raise RequestError(
            error_codes.BROKER_ID_NOT_REGISTERED,
            f"broker {broker_id} is one of ZooKeeper, which this cluster does not have",
        )
    _check_fields(request)
    if view.features.metadata_version >= versions.DIRECTORIES_FROM:
        _check_directories(view, request)
    _check_features(view, request, command.kraft_version)
    epoch = context.next_offset if known is None or is_restart else known.epoch
    record = _registration(view, request, epoch, None if is_restart else known)
    reply = BrokerRegistrationResponse(broker_epoch=epoch)
    if is_restart and _has_partitions_to_leave(view, known, is_clean=is_clean):
        turns = _leaves_and_registers(context, broker_id, record, reply, is_unclean=not is_clean)
        return InTurns(turns, leaving=frozenset((broker_id,)))
    return Outcome((record,), reply)


def plan_unregister(context: PlanContext, command: UnregisterBroker) -> InTurns:
    """The broker leaves its partitions, and is forgotten.

    RequestError BROKER_ID_NOT_REGISTERED for one that nobody knows. Whether it is alive is not
    asked, as in Kafka: a live one is answered STALE_BROKER_EPOCH from then on.
    """
    broker_id = command.request.broker_id
    _registered(context, broker_id)
    return InTurns(_is_forgotten(context, broker_id), leaving=frozenset((broker_id,)))


def _is_forgotten(context: PlanContext, broker_id: int) -> Turns:
    yield from leaves_isrs(context, broker_id, is_forgotten=True)
    epoch = _registered(context, broker_id).epoch
    yield (MetadataRecord(_UNREGISTER, 0, UnregisterBrokerRecord(broker_id, epoch)),)
    return UnregisterBrokerResponse(error_message=None)


def _registered(context: PlanContext, broker_id: int) -> Broker:
    known = context.view.brokers.get(broker_id)
    if known is None:
        raise RequestError(
            error_codes.BROKER_ID_NOT_REGISTERED, f"no broker {broker_id} is registered"
        )
    return known


def _has_partitions_to_leave(view: StateView, known: Broker | None, *, is_clean: bool) -> bool:
    """Whether there may be partitions that must not count with a broker that restarts.

    It may have lost records of them unnoticed. Or it was not fenced yet: its session expired a
    moment ago, or it stopped although nobody had told it to. Its registration is fenced, and a
    fenced broker leads nothing: nobody would ever look for another leader should it not come back.
    """
    if not view.partition_counts.all:
        return False
    if known is not None and not known.fenced:
        return True
    return not is_clean and view.features.metadata_version >= versions.ELR_FROM


def _leaves_and_registers(
    context: PlanContext,
    broker_id: int,
    record: MetadataRecord,
    reply: object,
    *,
    is_unclean: bool,
) -> Turns:
    yield from leaves_isrs(context, broker_id, is_unclean=is_unclean)
    yield (record,)
    return reply


def _check_duplicate(context: PlanContext, known: Broker, *, is_clean: bool) -> None:
    """Refuse a second process while the first may be alive.

    One that was stopped in order is not: it was fenced, and the new one names its epoch. Kafka
    lets it wait until the session has expired all the same, and so does ours where quick restarts
    are turned off.
    """
    has_stopped = is_clean and known.fenced and context.config.broker_quick_restart
    is_alive = context.contacts.has_session(known.broker_id, known.epoch, context.now)
    if context.contacts.is_leaving(known.broker_id) or (is_alive and not has_stopped):
        raise RequestError(
            error_codes.DUPLICATE_BROKER_REGISTRATION,
            f"broker {known.broker_id} is registered with epoch {known.epoch}, and was heard of "
            f"less than {context.config.broker_session_timeout_ms} ms ago",
        )


def _check_fields(request: BrokerRegistrationRequest) -> None:
    broker_id = request.broker_id
    if broker_id < 0:
        raise _invalid(f"{broker_id} is no id of a broker, which is 0 or more")
    for what, names in (
        ("listener", [one.name for one in request.listeners]),
        ("feature", [one.name for one in request.features]),
    ):
        if len(set(names)) < len(names):
            raise _invalid(f"broker {broker_id} names a {what} twice: {', '.join(names)}")


def _check_directories(view: StateView, request: BrokerRegistrationRequest) -> None:
    broker_id = request.broker_id
    directories = [bytes(one) for one in request.log_dirs]
    if not directories:
        raise _invalid(f"broker {broker_id} names no log directory")
    if len(set(directories)) < len(directories):
        raise _invalid(f"broker {broker_id} names a log directory twice")
    for one in directories:
        if is_reserved(one):
            raise _invalid(f"broker {broker_id} names the reserved directory {uuid_text(one)}")
    wanted = set(directories)
    for other_id, other in view.brokers.items():
        if other_id != broker_id and not wanted.isdisjoint(other.log_dirs):
            shared = uuid_text(min(wanted.intersection(other.log_dirs)))
            raise _invalid(f"log directory {shared} of broker {broker_id} is broker {other_id}'s")


def _check_features(
    view: StateView, request: BrokerRegistrationRequest, kraft_version: int
) -> None:
    """The broker must be able to work at every finalized level."""
    finalized = dict(view.features)
    if kraft_version:
        finalized[KRAFT_VERSION] = kraft_version
    told = {one.name: one for one in request.features}
    for one in request.features:
        _check_range(request.broker_id, one, finalized.get(one.name, 0))
    if METADATA_VERSION not in told:
        raise _invalid(f"broker {request.broker_id} names no levels of {METADATA_VERSION}")
    for name, level in finalized.items():
        if name not in told:
            _check_range(request.broker_id, Feature(name, 0, 0), level)


def _check_range(broker_id: int, told: Feature, level: int) -> None:
    lowest, highest = told.min_supported_version, told.max_supported_version
    if not lowest <= level <= highest:
        raise RequestError(
            error_codes.UNSUPPORTED_VERSION,
            f"broker {broker_id} works with {told.name} {lowest} to {highest}, "
            f"the cluster is at {level}",
        )


def _registration(
    view: StateView, request: BrokerRegistrationRequest, epoch: Offset, same: Broker | None
) -> MetadataRecord:
    """The record; ``same`` is the broker's registration in the same life, whose state it keeps."""
    level = view.features.metadata_version
    version = versions.register_broker_version(level)
    record = record_form.RegisterBrokerRecord(
        broker_id=request.broker_id,
        incarnation_id=bytes(request.incarnation_id),
        broker_epoch=epoch,
        end_points=[
            record_form.BrokerEndpoint(one.name, one.host, one.port, one.security_protocol)
            for one in request.listeners
        ],
        features=[
            record_form.BrokerFeature(
                one.name, one.min_supported_version, one.max_supported_version
            )
            for one in request.features
        ],
        rack=request.rack,
        fenced=True if same is None else same.fenced,
        in_controlled_shutdown=same is not None and same.in_controlled_shutdown,
        log_dirs=(
            [bytes(one) for one in request.log_dirs] if level >= versions.DIRECTORIES_FROM else []
        ),
        cordoned_log_dirs=None,  # a heartbeat tells them
    )
    return MetadataRecord(_REGISTER, version, record)


def _invalid(why: str) -> RequestError:
    return RequestError(error_codes.INVALID_REGISTRATION, why)
