"""What a broker's heartbeat, or the lack of it, does to the broker's state (KIP-631).

A broker is fenced, unfenced, or in controlled shutdown. Its partitions are moved in turns, and the
change of its registration comes where a fail-over in the middle does no harm: a broker is fenced
after the last turn, so the next controller sees it unfenced and goes on, and is unfenced or marked
for shutdown before the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value
from metaquorum.controller.broker_epoch import check_broker_epoch
from metaquorum.controller.commands import BrokerHeartbeat
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.of_brokers import (
    leads_any,
    leaves_isrs,
    loses_directories,
    takes_up,
)
from metaquorum.metadata import versions
from metaquorum.metadata.tables.nodes import (
    ENTER_CONTROLLED_SHUTDOWN,
    FENCE,
    UNFENCE,
    Broker,
    BrokerState,
    state_of,
)
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.broker_heartbeat_response import BrokerHeartbeatResponse
from metaquorum.wire.generated.records.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)

_CHANGE: Final = 17
_WITH_SHUTDOWN, _WITH_DIRECTORIES, _WITH_CORDONED = 1, 2, 3
"""Versions of BrokerRegistrationChange: the lowest that has the field is written."""


@value
class _Step:
    """What one heartbeat leads to. ``offline`` directories are new ones, ``cordoned`` a new set."""

    broker_id: NodeId
    epoch: Offset
    state: BrokerState
    moves: bool
    offline: frozenset[Uuid]
    cordoned: tuple[Uuid, ...] | None

    @property
    def leaves(self) -> bool:
        """Whether the broker is taken out of service."""
        return self.moves and self.state is not BrokerState.UNFENCED


def plan_heartbeat(context: PlanContext, command: BrokerHeartbeat) -> Outcome | InTurns:
    """The reply to a heartbeat, and what it changes.

    RequestError STALE_BROKER_EPOCH for a broker that is not registered with that epoch.
    """
    request = command.request
    check_broker_epoch(context, request.broker_id, request.broker_epoch)
    broker = context.view.brokers.get(request.broker_id)
    assert broker is not None
    state = next_state(context, broker, request)
    reply = BrokerHeartbeatResponse(
        is_caught_up=request.current_metadata_offset >= broker.registered_offset,
        is_fenced=state in (BrokerState.FENCED, BrokerState.SHUTDOWN_NOW),
        should_shut_down=state is BrokerState.SHUTDOWN_NOW,
    )
    step = _Step(
        broker.broker_id,
        broker.epoch,
        state,
        _moves(context, broker, state),
        _newly_offline(context, broker, request.offline_log_dirs),
        _newly_cordoned(context, broker, request.cordoned_log_dirs),
    )
    if not (step.moves or step.offline or step.cordoned is not None):
        return Outcome((), reply, rests_on=broker.origin.offset + 1)
    leaving = frozenset((broker.broker_id,)) if step.leaves else frozenset[NodeId]()
    return InTurns(_turns(context, step, reply), leaving)


def fence_in_turns(context: PlanContext, broker: Broker) -> InTurns:
    """The broker's session has expired: it leads nothing from now on, and serves nobody."""
    step = _Step(broker.broker_id, broker.epoch, BrokerState.FENCED, True, frozenset(), None)
    return InTurns(_turns(context, step, None), frozenset((broker.broker_id,)))


def next_state(
    context: PlanContext, broker: Broker, request: BrokerHeartbeatRequest
) -> BrokerState:
    """The state that a heartbeat leads to.

    A broker that a change in turns takes out of service stays as it is until the last turn.
    """
    now = state_of(broker)
    if context.contacts.is_leaving(broker.broker_id):
        return now
    if now is BrokerState.FENCED:
        if request.want_shut_down:
            return BrokerState.SHUTDOWN_NOW
        is_caught_up = request.current_metadata_offset >= broker.registered_offset
        return now if request.want_fence or not is_caught_up else BrokerState.UNFENCED
    if now is BrokerState.CONTROLLED_SHUTDOWN and (
        request.want_shut_down or _is_stopping(context, broker)
    ):
        return BrokerState.SHUTDOWN_NOW if _may_go(context, broker) else now
    if request.want_fence:
        return BrokerState.SHUTDOWN_NOW if request.want_shut_down else BrokerState.FENCED
    if not request.want_shut_down:
        return now
    if leads_any(context, broker.broker_id):
        return BrokerState.CONTROLLED_SHUTDOWN
    return BrokerState.SHUTDOWN_NOW


def _is_stopping(context: PlanContext, broker: Broker) -> bool:
    """Whether a broker that is marked for shutdown asked for it in this epoch, and is not unfenced
    since, as by a heartbeat that it sent before it asked (docs/decisions/231).
    """
    left_at = context.contacts.left_at(broker.broker_id)
    return left_at is not None and left_at >= broker.origin.offset


def _may_go(context: PlanContext, broker: Broker) -> bool:
    """Whether nobody needs the broker any more: all active ones know who leads instead."""
    if leads_any(context, broker.broker_id):
        return False
    active = (one for one, _ in context.view.brokers.items() if context.is_active(one))
    lowest = context.contacts.lowest_offset(active)
    left_at = context.contacts.left_at(broker.broker_id)
    if left_at is None:  # it was taken out of service in an earlier epoch
        left_at = broker.origin.offset
    return lowest is None or left_at <= lowest


def _moves(context: PlanContext, broker: Broker, state: BrokerState) -> bool:
    """Whether something is to be written to come to that state."""
    before = state_of(broker)
    if before is BrokerState.FENCED:
        return state is BrokerState.UNFENCED
    if before is state is BrokerState.CONTROLLED_SHUTDOWN:
        # An earlier controller may not have come to the end of it.
        is_leaving = context.contacts.is_leaving(broker.broker_id)
        return not is_leaving and leads_any(context, broker.broker_id)
    return before is not state


def _newly_offline(
    context: PlanContext, broker: Broker, offline: Iterable[bytes]
) -> frozenset[Uuid]:
    if context.view.features.metadata_version < versions.DIRECTORIES_FROM:
        return frozenset()
    return frozenset(map(bytes, offline)).intersection(broker.log_dirs)


def _newly_cordoned(
    context: PlanContext, broker: Broker, cordoned: Iterable[bytes] | None
) -> tuple[Uuid, ...] | None:
    if (
        cordoned is None
        or context.view.features.metadata_version < versions.CORDONED_DIRECTORIES_FROM
    ):
        return None
    told = tuple(map(bytes, cordoned))
    return None if told == broker.cordoned_log_dirs else told


def _turns(context: PlanContext, step: _Step, reply: object) -> Turns:
    broker_id = step.broker_id
    if not step.moves:
        pass
    elif step.state is BrokerState.UNFENCED:
        yield _change(context, step, fenced=UNFENCE)
        yield from _while_active(context, broker_id, takes_up(context, broker_id))
    elif step.state is BrokerState.CONTROLLED_SHUTDOWN:
        yield _change(context, step, in_controlled_shutdown=ENTER_CONTROLLED_SHUTDOWN)
        yield from leaves_isrs(context, broker_id)
    else:
        if not _has_shut_down(context, broker_id):
            yield from leaves_isrs(context, broker_id)
        yield _change(context, step, fenced=FENCE)
    if step.offline:
        yield from loses_directories(context, broker_id, step.offline)
        yield _without_directories(context, step)
    if step.cordoned is not None:
        yield _change(context, step, cordoned_log_dirs=step.cordoned)
    return reply


def _has_shut_down(context: PlanContext, broker_id: NodeId) -> bool:
    """Whether a broker that is about to be fenced is known to be in sync nowhere.

    Its controlled shutdown came to its end: the broker's last change in turns before this one, as
    none begins during it. That took it out of every ISR but those where nobody else can lead, which
    have no leader, and nothing adds it to one before it is unfenced.
    """
    broker = context.view.brokers.get(broker_id)
    return (
        broker is not None
        and broker.in_controlled_shutdown
        and context.contacts.left_whole(broker_id)
        and not context.view.partition_counts.offline
    )


def _while_active(
    context: PlanContext, broker_id: NodeId, turns: Iterator[Sequence[MetadataRecord]]
) -> Iterator[Sequence[MetadataRecord]]:
    """These turns, as long as nothing else takes the broker out of service again."""
    while context.is_active(broker_id):
        records = next(turns, None)
        if records is None:
            return
        yield records


def _without_directories(context: PlanContext, step: _Step) -> Sequence[MetadataRecord]:
    """The directories that are left; that none is left cannot be written, as in Kafka."""
    broker = context.view.brokers.get(step.broker_id)
    if broker is None:
        return ()
    left = tuple(one for one in broker.log_dirs if one not in step.offline)
    return _change(context, step, log_dirs=left) if left and left != broker.log_dirs else ()


def _change(
    context: PlanContext,
    step: _Step,
    *,
    fenced: int = 0,
    in_controlled_shutdown: int = 0,
    log_dirs: tuple[Uuid, ...] = (),
    cordoned_log_dirs: tuple[Uuid, ...] | None = None,
) -> Sequence[MetadataRecord]:
    """The change of the registration; none if the broker has another one since, or none.

    Another turn may have come between this one and the plan.
    """
    broker = context.view.brokers.get(step.broker_id)
    if broker is None or broker.epoch != step.epoch:
        return ()
    if in_controlled_shutdown and broker.in_controlled_shutdown:
        return ()
    if fenced and broker.fenced == (fenced == FENCE):
        return ()
    version = 0
    if in_controlled_shutdown:
        version = _WITH_SHUTDOWN
    if log_dirs:
        version = _WITH_DIRECTORIES
    if cordoned_log_dirs is not None:
        version = _WITH_CORDONED
    record = BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id,
        broker_epoch=broker.epoch,
        fenced=fenced,
        in_controlled_shutdown=in_controlled_shutdown,
        log_dirs=log_dirs,
        cordoned_log_dirs=cordoned_log_dirs,
    )
    return (MetadataRecord(_CHANGE, version, record),)
