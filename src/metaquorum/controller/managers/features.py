"""Feature levels are raised and lowered: all that is asked for, or nothing (KIP-584, KIP-778).

A level counts for every node, so every broker and every controller that is registered must be able
to work with it, and every voter must be registered, or nobody knows what it can do. kraft.version
is checked here as far as it is like the others; the quorum itself checks and writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_FEATURES_PER_NODE, MAX_RECORDS_PER_BATCH
from metaquorum.controller.commands import UpdateFeatures
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata import versions
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.configs import BROKER
from metaquorum.metadata.tables.features import (
    ELIGIBLE_LEADER_REPLICAS_VERSION,
    KRAFT_VERSION,
    METADATA_VERSION,
)
from metaquorum.metadata.tables.nodes import FeatureRange
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.update_features_request import FeatureUpdateKey
from metaquorum.wire.generated.update_features_response import (
    UpdatableFeatureResult,
    UpdateFeaturesResponse,
)

UPGRADE: Final = 1
SAFE_DOWNGRADE: Final = 2
UNSAFE_DOWNGRADE: Final = 3

MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"
_ROWS_UNTIL: Final = 1  # later versions have no row for each feature
_UPGRADE_TYPES_FROM: Final = 1
_CONFIG: Final = 4
_FEATURE_LEVEL: Final = 12


def plan_update(context: PlanContext, command: UpdateFeatures) -> Outcome:
    """The records of all updates, in the order of the request.

    RequestError INVALID_UPDATE_VERSION names the first feature that cannot be set as asked, and
    why; then nothing is. A level that is set already is written again, and of a feature that is
    named twice the last row counts, as with Kafka.
    """
    view = context.view
    request = command.request
    if len(request.feature_updates) > MAX_FEATURES_PER_NODE:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"{len(request.feature_updates)} updates, at most {MAX_FEATURES_PER_NODE} at once",
        )
    updates = {one.feature: one for one in request.feature_updates}
    proposed = dict(view.features.levels)
    proposed |= {name: one.max_version_level for name, one in updates.items()}
    for update in updates.values():
        if reason := _refusal(view, command, update, proposed):
            raise RequestError(
                error_codes.INVALID_UPDATE_VERSION,
                f"nothing was updated: {update.feature} cannot be set to "
                f"{_named(update.feature, update.max_version_level)}: {reason}",
            )
    reply = UpdateFeaturesResponse(error_message=None)
    if command.version <= _ROWS_UNTIL:
        reply.results = [
            UpdatableFeatureResult(one.feature, error_codes.NONE, "NONE")
            for one in updates.values()
        ]
    if request.validate_only:
        return Outcome((), reply)
    records = [
        MetadataRecord(_FEATURE_LEVEL, 0, FeatureLevelRecord(name, one.max_version_level))
        for name, one in updates.items()
        if name != KRAFT_VERSION
    ]
    of_elr = updates.get(ELIGIBLE_LEADER_REPLICAS_VERSION)
    if of_elr is not None and of_elr.max_version_level > 0:
        records = [*_one_min_insync_replicas(view, command.min_insync_replicas), *records]
    if len(records) > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"{len(records)} records, at most {MAX_RECORDS_PER_BATCH} at once: remove "
            f"{MIN_INSYNC_REPLICAS} of single brokers first",
        )
    return Outcome(tuple(records), reply)


def _one_min_insync_replicas(view: StateView, value: int) -> Iterator[MetadataRecord]:
    """Eligible leader replicas rest on one min.insync.replicas for all brokers (KIP-966).

    Single brokers lose theirs, forgotten brokers too.
    """
    settings = view.configs.get((BROKER, ""))
    if settings is None or MIN_INSYNC_REPLICAS not in dict(settings):
        yield MetadataRecord(_CONFIG, 0, ConfigRecord(BROKER, "", MIN_INSYNC_REPLICAS, str(value)))
    for (kind, name), own in view.configs.items():
        if kind == BROKER and name and MIN_INSYNC_REPLICAS in dict(own):
            yield MetadataRecord(_CONFIG, 0, ConfigRecord(kind, name, MIN_INSYNC_REPLICAS, None))


def _refusal(
    view: StateView, command: UpdateFeatures, update: FeatureUpdateKey, proposed: Mapping[str, int]
) -> str | None:
    """Why one update cannot be made, None if it can.

    ``proposed`` are the levels that there would be after all updates of the request.
    """
    name, level = update.feature, update.max_version_level
    kind = _kind(command.version, update)
    if kind not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        return f"the upgrade type {kind} is unknown"
    if name not in command.supported:
        return "no such feature is known here"
    lowest, highest = command.supported[name]
    if level < 0 or ((level > 0 or name == METADATA_VERSION) and not lowest <= level <= highest):
        return f"this controller supports {_named(name, lowest)} to {_named(name, highest)}"
    if name == KRAFT_VERSION:
        return _kraft_version_refusal(level, proposed)
    if level > 0 and (reason := _unsupported_by(view, command, name, level)):
        return reason
    current = view.features.level(name)
    if level < current and kind == UPGRADE:
        return f"it is {_named(name, current)} already, and only upgrades were allowed"
    if level > current and kind != UPGRADE:
        return f"it is {_named(name, current)} only, and a downgrade was asked for"
    if name == METADATA_VERSION:
        return _metadata_downgrade_refusal(level, current, kind) if level < current else None
    return _dependency_refusal(name, level, proposed)


def _kind(version: int, update: FeatureUpdateKey) -> int:
    """Version 0 allows no downgrade: Kafka's controllers do not look at ``allow_downgrade``."""
    return update.upgrade_type if version >= _UPGRADE_TYPES_FROM else UPGRADE


def _kraft_version_refusal(level: int, levels: Mapping[str, int]) -> str | None:
    if level > 0 and levels.get(METADATA_VERSION, 0) < versions.KRAFT_VERSION_1_FROM:
        return f"it needs metadata.version {versions.level_name(versions.KRAFT_VERSION_1_FROM)}"
    return None


def _unsupported_by(view: StateView, command: UpdateFeatures, name: str, level: int) -> str | None:
    for broker_id, broker in sorted(view.brokers.items()):
        if not _supports(broker.features, name, level):
            return f"broker {broker_id} does not support it"
    if view.features.metadata_version < versions.CONTROLLER_REGISTRATION_FROM:
        return None
    for controller_id, controller in sorted(view.controllers.items()):
        if not _supports(controller.features, name, level):
            return f"controller {controller_id} does not support it"
    for voter_id in command.voter_ids:
        if voter_id not in view.controllers:
            return f"controller {voter_id} has not registered, so what it supports is not known"
    return None


def _supports(features: Iterable[FeatureRange], name: str, level: int) -> bool:
    return any(one.name == name and one.lowest <= level <= one.highest for one in features)


def _metadata_downgrade_refusal(level: int, current: int, kind: int) -> str | None:
    changed = [one for one in versions.CHANGED_METADATA if level < one <= current]
    if not changed:
        return None
    since = versions.level_name(changed[-1])
    if kind == SAFE_DOWNGRADE:
        return f"{since} changed the metadata, so going back below it would lose some"
    return f"{since} changed the metadata, and losing some is not supported"


def _dependency_refusal(name: str, level: int, levels: Mapping[str, int]) -> str | None:
    for other, least in versions.DEPENDENCIES.get((name, level), ()):
        if levels.get(other, 0) < least:
            return f"{name} {level} needs {other} of at least {_named(other, least)}"
    return None


def _named(name: str, level: int) -> str:
    return versions.level_name(level) if name == METADATA_VERSION else str(level)
