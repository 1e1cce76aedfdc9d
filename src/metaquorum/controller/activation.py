"""What a controller writes first in its epoch (KIP-1170; metadata transactions: KIP-868).

On a log without effect it writes the bootstrap records of the zero checkpoint: in a metadata
transaction from metadata.version 13 on, below it as one atomic batch. A transaction that an
earlier leader left open is aborted first; if it was the bootstrap, the log is without effect
still, and the records are written anew. On any other log nothing is written.

4.x writes no ZkMigrationState record any more (3.x wrote one from metadata.version 8 on), and
neither do we; such records are replayed where they are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata import versions
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.configs import BROKER
from metaquorum.metadata.tables.features import (
    ELIGIBLE_LEADER_REPLICAS_VERSION,
    METADATA_VERSION,
)
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records.begin_transaction_record import BeginTransactionRecord
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.end_transaction_record import EndTransactionRecord
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

BOOTSTRAP_TRANSACTION: Final = "Bootstrap records"  # read by people in dumps: Kafka's name
FAILOVER: Final = "Controller failover"  # Kafka's reason in the AbortTransaction record
MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"

_FEATURE_LEVEL: Final = 12


def plan_activation(
    state: MetadataState, bootstrap: Sequence[MetadataRecord], config: ControllerConfig
) -> Outcome:
    """The first records of this epoch, none on a log that has what it needs.

    InvariantViolated: the log has records but no metadata.version, or the bootstrap records cannot
    be written as they must be.
    """
    abort: tuple[MetadataRecord, ...] = ()
    if state.transaction is not None:  # rare, so the record is loaded only here
        from metaquorum.wire.generated.records import abort_transaction_record

        abort = (_record(25, abort_transaction_record.AbortTransactionRecord(reason=FAILOVER)),)
    before = state.before_transaction()
    if not before.is_empty:
        if before.features.metadata_version == 0:
            raise InvariantViolated(
                "the metadata log holds records but no metadata.version; "
                "it was written by a release before 3.3 and cannot be led"
            )
        return Outcome(abort)
    records = _bootstrap_records(bootstrap)
    levels = _feature_levels(records)
    if levels.get(ELIGIBLE_LEADER_REPLICAS_VERSION, 0) > 0:
        records = (*records, _cluster_min_insync_replicas(config))
    if levels[METADATA_VERSION] >= versions.TRANSACTIONS_FROM:
        begin = _record(23, BeginTransactionRecord(name=BOOTSTRAP_TRANSACTION))
        end = _record(24, EndTransactionRecord())
        return Outcome((*abort, begin, *records, end), atomic=False)
    if len(abort) + len(records) > MAX_RECORDS_PER_BATCH:
        raise InvariantViolated(
            f"{len(records)} bootstrap records do not fit one batch of {MAX_RECORDS_PER_BATCH}, "
            f"and metadata.version {levels[METADATA_VERSION]} knows no transactions"
        )
    return Outcome((*abort, *records))


def _bootstrap_records(given: Sequence[MetadataRecord]) -> tuple[MetadataRecord, ...]:
    """The given records, at least the level that 4.x can start from; the default if none."""
    if not given:
        return (_feature_level(METADATA_VERSION, versions.DEFAULT),)
    levels = _feature_levels(given)
    if METADATA_VERSION not in levels:
        raise InvariantViolated(
            f"the {len(given)} bootstrap records set no metadata.version; format the node again"
        )
    if levels[METADATA_VERSION] >= versions.MINIMUM:
        return tuple(given)
    return tuple(
        _feature_level(METADATA_VERSION, versions.MINIMUM)
        if record.type == _FEATURE_LEVEL and record.message.name == METADATA_VERSION
        else record
        for record in given
    )


def _feature_levels(records: Sequence[MetadataRecord]) -> dict[str, int]:
    return {
        record.message.name: record.message.feature_level
        for record in records
        if record.type == _FEATURE_LEVEL
    }


def _cluster_min_insync_replicas(config: ControllerConfig) -> MetadataRecord:
    """With eligible leader replicas on, the cluster must have a value of its own (KIP-966)."""
    return _record(
        4, ConfigRecord(BROKER, "", MIN_INSYNC_REPLICAS, str(config.min_insync_replicas))
    )


def _feature_level(name: str, level: int) -> MetadataRecord:
    return _record(_FEATURE_LEVEL, FeatureLevelRecord(name, level))


def _record(record_type: int, message: object) -> MetadataRecord:
    return MetadataRecord(record_type, 0, message)
