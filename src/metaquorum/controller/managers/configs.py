"""AlterConfigs and IncrementalAlterConfigs: what the settings of resources become (KIP-133, 339).

Every resource of a request stands alone: one that is wrong gets its code, the others are changed.
All records of a request are one atomic batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_CLIENT_PATTERN_CHARS, MAX_RECORDS_PER_BATCH
from metaquorum.base.quoting import quoted
from metaquorum.config.client_metrics_keys import MATCH
from metaquorum.config.group_keys import GROUP_KEYS
from metaquorum.config.key import Key, Type
from metaquorum.config.keys import known_keys
from metaquorum.config.topic_keys import TOPIC_KEYS
from metaquorum.controller.commands import AlterConfigs, ConfigChange
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import Outcome
from metaquorum.controller.resource_configs import check_client_metrics, check_group
from metaquorum.controller.topic_configs import MIN_INSYNC_REPLICAS
from metaquorum.controller.topic_names import check_name
from metaquorum.controller.topic_rules import TopicRules
from metaquorum.metadata import versions
from metaquorum.metadata.tables.configs import (
    BROKER,
    CLIENT_METRICS,
    GROUP,
    TOPIC,
    node_id_of,
)
from metaquorum.metadata.tables.features import ELIGIBLE_LEADER_REPLICAS_VERSION
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.clear_elr_record import ClearElrRecord
from metaquorum.wire.generated.records.config_record import ConfigRecord

SET: Final = 0
DELETE: Final = 1
APPEND: Final = 2
SUBTRACT: Final = 3

EVERY_BROKER: Final = ""
CORDONED_LOG_DIRS: Final = "cordoned.log.dirs"
_CONFIG: Final = 4
_CLEAR_ELR: Final = 28

Row = tuple[int, str | None]
"""Of the reply: the error code of a resource, and why."""


def plan_alter(context: PlanContext, command: AlterConfigs) -> Outcome:
    """The records of all resources that can be changed, and a row for each in the given order."""
    _check_patterns(command)
    made: list[MetadataRecord] = []
    clears: list[MetadataRecord] = []
    rows: list[Row] = []
    rules = TopicRules(context)
    for change in command.changes:
        try:
            records = _records(context, change, command, rules)
        except RequestError as error:
            rows.append((error.code, error.reason))
            continue
        rows.append((error_codes.NONE, None))
        made += records
        clears += _clears(context, change, records)
    made += clears
    if len(made) > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"the request needs {len(made)} records, at most {MAX_RECORDS_PER_BATCH} at once",
        )
    return Outcome(() if command.validate_only else tuple(made), tuple(rows))


def _check_patterns(command: AlterConfigs) -> None:
    """RequestError for more patterns of client metrics than can be looked at in one step."""
    chars = sum(
        len(value or "")
        for change in command.changes
        if change.kind == CLIENT_METRICS
        for key, _, value in change.operations
        if key == MATCH
    )
    if chars > MAX_CLIENT_PATTERN_CHARS:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"{chars} characters of patterns of clients, at most {MAX_CLIENT_PATTERN_CHARS} in one "
            "request",
        )


def _records(
    context: PlanContext, change: ConfigChange, command: AlterConfigs, rules: TopicRules
) -> list[MetadataRecord]:
    """Of one resource, in Kafka's order of checks; RequestError if it cannot be so changed."""
    kind, name = change.kind, change.name
    old = dict(context.view.configs.get((kind, name)) or {})
    wanted: dict[str, str | None] = {}
    for key, (operation, value) in {one[0]: one[1:] for one in change.operations}.items():
        wanted[key] = _wanted(kind, key, operation, value, old.get(key))
    if change.replaces:
        wanted |= dict.fromkeys(key for key in old if key not in wanted)
    # Brokers load key stores anew at such a record, so theirs are written in any case.
    changed = {key: one for key, one in wanted.items() if kind == BROKER or one != old.get(key)}
    _check_eligible_leaders(context, change, changed)
    if kind == BROKER and CORDONED_LOG_DIRS in changed:
        before, after = old.get(CORDONED_LOG_DIRS), changed[CORDONED_LOG_DIRS]
        _check_cordoned(context, before, after, command.is_forwarded)
    new = {key: one for key, one in {**old, **changed}.items() if one is not None}
    _check(context, change, old, new, rules)
    _check_is_there(context, kind, name, command.voter_ids)
    return [
        MetadataRecord(_CONFIG, 0, ConfigRecord(kind, name, key, one))
        for key, one in changed.items()
    ]


def _wanted(kind: int, key: str, operation: int, value: str | None, old: str | None) -> str | None:
    """The value after one operation; None for no value."""
    if operation == DELETE:
        return None
    if operation == SET:
        return value
    if operation not in (APPEND, SUBTRACT):
        raise RequestError(
            error_codes.INVALID_REQUEST, f"operation {operation} on {quoted(key)}; there are 0 to 3"
        )
    verb = "APPEND" if operation == APPEND else "SUBTRACT"
    known = _key(kind, key)
    if known is None or known.type is not Type.LIST:
        raise RequestError(
            error_codes.INVALID_CONFIG, f"{verb} on {quoted(key)}, which is not a list"
        )
    if value is None:  # Kafka's active controller steps down at such a request
        raise RequestError(error_codes.INVALID_REQUEST, f"{verb} on {key} without a value")
    text = (known.default or "") if old is None else old
    parts = text.split(",") if text.strip() else []
    if operation == APPEND:
        there = set(parts)
        parts += [one for one in dict.fromkeys(value.split(",")) if one not in there]
        return ",".join(parts)
    away = Counter(value.split(","))
    kept = []
    for one in parts:
        if away[one] > 0:
            away[one] -= 1
        else:
            kept.append(one)
    return ",".join(kept)


def _key(kind: int, name: str) -> Key | None:
    if kind == TOPIC:
        return TOPIC_KEYS.get(name)
    if kind == BROKER:
        return known_keys().get(name)
    if kind == CLIENT_METRICS:
        return None  # as with Kafka, which does not take its lists for lists here
    group = GROUP_KEYS.get(name)
    return None if group is None else group.key


def _check_eligible_leaders(
    context: PlanContext, change: ConfigChange, changed: Mapping[str, str | None]
) -> None:
    """With eligible leader replicas there is one min.insync.replicas for all brokers (KIP-966)."""
    if change.kind != BROKER or MIN_INSYNC_REPLICAS not in changed or not _has_elr(context):
        return
    if change.name != EVERY_BROKER:
        problem = "cannot be set for one broker"
    elif changed[MIN_INSYNC_REPLICAS] is None:
        problem = "cannot be removed for all brokers"
    else:
        return
    raise RequestError(
        error_codes.INVALID_CONFIG,
        f"{MIN_INSYNC_REPLICAS} {problem} while {ELIGIBLE_LEADER_REPLICAS_VERSION} is on",
    )


def _check_cordoned(
    context: PlanContext, old: str | None, new: str | None, is_forwarded: bool
) -> None:
    """Directories are cordoned by a field of registrations that older levels do not have.

    Which directories there are only a broker knows: past it none can be added.
    """
    if context.view.features.metadata_version < versions.CORDONED_DIRECTORIES_FROM:
        raise RequestError(
            error_codes.INVALID_CONFIG,
            f"The {CORDONED_LOG_DIRS} configuration value cannot be set because it requires "
            f"metadata.version >= {versions.level_name(versions.CORDONED_DIRECTORIES_FROM)}",
        )
    if not is_forwarded and not _elements(new) <= _elements(old):
        raise RequestError(
            error_codes.INVALID_CONFIG,
            f"When updating {CORDONED_LOG_DIRS} via controllers, the new value must be a subset "
            "of the current configuration value.",
        )


def _elements(text: str | None) -> set[str]:
    return {one.strip() for one in (text or "").split(",")} - {""}


def _has_elr(context: PlanContext) -> bool:
    return context.view.features.level(ELIGIBLE_LEADER_REPLICAS_VERSION) > 0


def _check(
    context: PlanContext,
    change: ConfigChange,
    old: Mapping[str, str],
    new: Mapping[str, str],
    rules: TopicRules,
) -> None:
    """RequestError unless a resource with this name can have all these settings."""
    kind, name = change.kind, change.name
    if kind == BROKER:
        if name != EVERY_BROKER and node_id_of(name) is None:
            raise RequestError(error_codes.INVALID_REQUEST, f"{quoted(name)} is no node id")
        return
    if not name:
        raise RequestError(error_codes.INVALID_REQUEST, "the resource has no name")
    if kind == TOPIC:
        check_name(name)
        problem = rules.problem_of(new, before=old)
        if problem is not None:
            raise RequestError(error_codes.INVALID_CONFIG, problem)
    elif kind == GROUP:
        check_group(new, context.config.file)
    else:
        check_client_metrics(new, before=old)


def _check_is_there(context: PlanContext, kind: int, name: str, voter_ids: Iterable[int]) -> None:
    if kind == TOPIC and name not in context.view.topic_ids:
        raise RequestError(
            error_codes.UNKNOWN_TOPIC_OR_PARTITION, f"The topic {quoted(name)} does not exist."
        )
    if kind == BROKER and name != EVERY_BROKER:
        node_id = node_id_of(name)
        if node_id is None or (
            context.view.brokers.get(node_id) is None and node_id not in voter_ids
        ):
            raise RequestError(
                error_codes.BROKER_ID_NOT_REGISTERED, f"{name} is no broker and no voter"
            )


def _clears(
    context: PlanContext, change: ConfigChange, records: Iterable[MetadataRecord]
) -> list[MetadataRecord]:
    """What a changed min.insync.replicas does to the eligible leader replicas (KIP-966)."""
    if change.kind not in (TOPIC, BROKER) or not _has_elr(context):
        return []
    return [
        MetadataRecord(_CLEAR_ELR, 0, ClearElrRecord(topic_name=change.name))
        for one in records
        if isinstance(one.message, ConfigRecord) and one.message.name == MIN_INSYNC_REPLICAS
    ]
