"""The writes of the workload: one quota of one user, set to a number that no other write has."""

from __future__ import annotations

from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.wire.generated.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)

QUOTA = "producer_byte_rate"
USER = "user"
CLIENT_QUOTA_RECORD = 14


def command(user: str, value: int) -> AlterClientQuotas:
    """Set the quota of a user."""
    entry = EntryData([EntityData(USER, user)], [OpData(QUOTA, float(value))])
    return AlterClientQuotas(AlterClientQuotasRequest([entry]))


def value_of(record: bytes | None) -> tuple[str, int] | None:
    """User and number of an encoded record; None if it is another kind of record."""
    if record is None:
        return None
    decoded = decode_metadata_record(record)
    if decoded.type != CLIENT_QUOTA_RECORD:
        return None
    message = decoded.message
    return str(message.entity[0].entity_name), int(message.value)


def quotas_of(view: StateView) -> list[tuple[str, int]]:
    """Every user with its number, sorted."""
    found: list[tuple[str, int]] = []
    for entity, quotas in view.quotas.items():
        found += [(str(entity[0][1]), int(value)) for value in quotas.values()]
    return sorted(found)
