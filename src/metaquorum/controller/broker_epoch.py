"""Whether a broker that asks for something still has the registration that it believes to have."""

from __future__ import annotations

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.controller.context import PlanContext
from metaquorum.wire.generated import error_codes


def check_broker_epoch(context: PlanContext, broker_id: NodeId, epoch: Offset) -> None:
    """RequestError STALE_BROKER_EPOCH for a broker that is not registered, or was since."""
    broker = context.view.brokers.get(broker_id)
    if broker is None:
        raise RequestError(error_codes.STALE_BROKER_EPOCH, f"broker {broker_id} is not registered")
    if broker.epoch != epoch:
        raise RequestError(
            error_codes.STALE_BROKER_EPOCH,
            f"broker {broker_id} asks with epoch {epoch}, it is registered with {broker.epoch}",
        )
