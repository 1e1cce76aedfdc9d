"""Blocks of producer ids for brokers (KIP-730)."""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.controller.broker_epoch import check_broker_epoch
from metaquorum.controller.commands import AllocateProducerIds
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import Outcome
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.allocate_producer_ids_response import AllocateProducerIdsResponse
from metaquorum.wire.generated.records.producer_ids_record import ProducerIdsRecord

BLOCK: Final = 1_000  # Kafka's

_PRODUCER_IDS: Final = 15
_LAST: Final = (1 << 63) - 1


def plan_allocate(context: PlanContext, command: AllocateProducerIds) -> Outcome:
    """The record that says how far ids were handed out, and the next block.

    RequestError STALE_BROKER_EPOCH for a broker that registered anew, or not at all;
    UNKNOWN_SERVER_ERROR when no ids are left.
    """
    request = command.request
    check_broker_epoch(context, request.broker_id, request.broker_epoch)
    first = context.view.next_producer_id
    if first > _LAST - BLOCK:
        raise RequestError(error_codes.UNKNOWN_SERVER_ERROR, "all producer ids were handed out")
    record = ProducerIdsRecord(request.broker_id, request.broker_epoch, first + BLOCK)
    reply = AllocateProducerIdsResponse(producer_id_start=first, producer_id_len=BLOCK)
    return Outcome((MetadataRecord(_PRODUCER_IDS, 0, record),), reply)
