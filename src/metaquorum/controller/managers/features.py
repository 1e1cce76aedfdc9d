"""Feature levels are raised and lowered: all that is asked for, or nothing (KIP-584, KIP-778).

A level counts for every node, so every broker and every controller that is registered must be able
to work with it, and every other voter must be registered, or nobody knows what it can do.
kraft.version is checked here as far as it is like the others; the quorum itself checks and writes
it. Refusals are told in Kafka's words, which its tools print and scripts look for.
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
_DEPENDENCIES: Final = {
    **versions.DEPENDENCIES,
    (KRAFT_VERSION, 1): ((METADATA_VERSION, versions.KRAFT_VERSION_1_FROM),),
}


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
    # What a level needs may be raised by the same request, in front of it or behind.
    proposed = dict(view.features.levels)
    proposed |= {name: one.max_version_level for name, one in updates.items()}
    for update in updates.values():
        if reason := _refusal(view, command, update, proposed):
            raise RequestError(
                error_codes.INVALID_UPDATE_VERSION,
                "The update failed for all features since the following feature had an error: "
                f"{reason}",
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
    view: StateView,
    command: UpdateFeatures,
    update: FeatureUpdateKey,
    proposed: Mapping[str, int],
) -> str | None:
    """Why one update cannot be made, None if it can.

    ``proposed`` are the levels that there would be after all updates of the request.
    """
    name, level = update.feature, update.max_version_level
    kind = _kind(command.version, update)
    current = command.kraft_version if name == KRAFT_VERSION else view.features.level(name)
    reason = _level_refusal(view, command, name, level, current, kind)
    if reason is None and name == METADATA_VERSION and level < current:
        lost = _metadata_downgrade_refusal(level, current, kind)
        if lost is not None:
            return f"Unsupported metadata.version downgrade from {current} to {level}. {lost}"
    if reason is None:
        reason = _dependency_refusal(proposed)
    return (
        None if reason is None else f"Invalid update version {level} for feature {name}. {reason}"
    )


def _level_refusal(
    view: StateView, command: UpdateFeatures, name: str, level: int, current: int, kind: int
) -> str | None:
    """Why a feature may not be set to a level with that type of upgrade, in Kafka's order."""
    if kind not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        return "The controller does not support the given upgrade type."
    if level < 0:
        return "A feature version cannot be less than 0."
    if reason := _unsupported_by(view, command, name, level):
        return reason
    if level < current and kind == UPGRADE:
        return (
            "Can't downgrade the version of this feature without setting the upgrade type to "
            "either safe or unsafe downgrade."
        )
    if level > current and kind != UPGRADE:
        return "Can't downgrade to a newer version."
    if level < current and name == KRAFT_VERSION:
        return "Can't downgrade the version of this feature."
    return None


def _kind(version: int, update: FeatureUpdateKey) -> int:
    """Version 0 allows no downgrade: Kafka's controllers do not look at ``allow_downgrade``."""
    return update.upgrade_type if version >= _UPGRADE_TYPES_FROM else UPGRADE


def _unsupported_by(view: StateView, command: UpdateFeatures, name: str, level: int) -> str | None:
    """Who cannot work with a level, and what it can do. Everybody can do without a feature."""
    own = command.supported.get(name)
    if reason := _not_in(own, f"Local controller {command.node_id}", name, level):
        return reason
    if name == KRAFT_VERSION:
        return None  # the quorum itself knows what its voters can do
    for broker_id, broker in sorted(view.brokers.items()):
        if reason := _not_in(_range(broker.features, name), f"Broker {broker_id}", name, level):
            return reason
    if view.features.metadata_version < versions.CONTROLLER_REGISTRATION_FROM:
        return None
    for controller_id, controller in sorted(view.controllers.items()):
        what = f"Controller {controller_id}"
        if reason := _not_in(_range(controller.features, name), what, name, level):
            return reason
    for voter_id in command.voter_ids:
        if voter_id not in view.controllers:
            return f"controller {voter_id} has not registered, and may not support this feature"
    return None


def _range(features: Iterable[FeatureRange], name: str) -> tuple[int, int] | None:
    return next(((one.lowest, one.highest) for one in features if one.name == name), None)


def _not_in(known: tuple[int, int] | None, what: str, name: str, level: int) -> str | None:
    """Why a level is beyond what somebody can work with."""
    if known is None:
        # A feature that a node does not know may be taken away, but for one that nobody knows.
        return (
            None
            if level == 0 and not what.startswith("Local")
            else (f"{what} does not support this feature.")
        )
    lowest, highest = known
    if lowest <= level <= highest or (level == 0 and name != METADATA_VERSION):
        return None
    shown = str(lowest) if lowest == highest else f"{lowest}-{highest}"
    return f"{what} only supports versions {shown}"


def _metadata_downgrade_refusal(level: int, current: int, kind: int) -> str | None:
    if not any(level < one <= current for one in versions.CHANGED_METADATA):
        return None
    if kind == SAFE_DOWNGRADE:
        return (
            "Refusing to perform the requested downgrade because it might delete metadata "
            "information."
        )
    return "Unsafe metadata downgrade is not supported in this version."


def _dependency_refusal(levels: Mapping[str, int]) -> str | None:
    for name, level in sorted(levels.items()):
        for other, least in _DEPENDENCIES.get((name, level), ()):
            if levels.get(other, 0) < least:
                named = f" ({versions.level_name(least)})" if other == METADATA_VERSION else ""
                return (
                    f"{name} could not be set to {level} because it depends on "
                    f"{other}={least}{named}"
                )
    return None
