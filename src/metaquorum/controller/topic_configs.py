"""Settings of topics: which are right, and which are in force with where they come from.

A topic's own value counts first, then the record of the broker with this controller's id, then the
record of all brokers, then this controller's file, then Kafka's default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from metaquorum.config.key import BadValue, Key, Type, Value
from metaquorum.config.topic_keys import SYNONYMS, TOPIC_KEYS
from metaquorum.controller.context import PlanContext
from metaquorum.metadata.tables.configs import BROKER
from metaquorum.wire.generated.create_topics_response import CreatableTopicConfigs

FROM_TOPIC: Final = 1
FROM_BROKER_RECORD: Final = 2
FROM_ALL_BROKERS_RECORD: Final = 3
FROM_FILE: Final = 4
FROM_DEFAULT: Final = 5

_THROTTLED: Final = (
    "follower.replication.throttled.replicas",
    "leader.replication.throttled.replicas",
)


def problem_of(
    settings: Mapping[str, str | None], *, has_remote_storage: bool = False
) -> str | None:
    """Why a topic cannot have these settings; None if it can.

    ``has_remote_storage``: this controller's file enables tiered storage (KIP-405).
    """
    values: dict[str, Value] = {}
    for name, text in settings.items():
        key = TOPIC_KEYS.get(name)
        if key is None:
            return f"unknown topic configuration {name}"
        if text is None:
            return f"null is no value of {name}"
        try:
            values[name] = key.parse(text)
        except BadValue as error:
            return f"{name}: {error}"
        if name in _THROTTLED and not _are_throttled(text):
            return f"{name}: {text!r} is neither * nor a list of partition:broker"
    return _across(values, has_remote_storage)


def _are_throttled(text: str) -> bool:
    pairs = [one.strip() for one in text.split(",")] if text.strip() else []
    return pairs == ["*"] or all(
        len(parts) == 2 and all(part.isascii() and part.isdigit() for part in parts)
        for parts in (one.split(":") for one in pairs)
    )


def _across(values: Mapping[str, Value], has_remote_storage: bool) -> str | None:
    """What is wrong between settings, each of which is right by itself."""

    def of(name: str) -> Value:
        return values[name] if name in values else TOPIC_KEYS[name].default_value()

    def number(name: str) -> float:
        found = of(name)
        return found if isinstance(found, int | float) else 0

    policy = of("cleanup.policy")
    if isinstance(policy, tuple) and len(set(policy)) < len(policy):
        return "cleanup.policy names a policy twice"
    if number("min.compaction.lag.ms") > number("max.compaction.lag.ms"):
        return "min.compaction.lag.ms is above max.compaction.lag.ms"
    if of("remote.storage.enable") is not True:
        return None
    if not has_remote_storage:
        return "remote.storage.enable: this cluster has no remote.log.storage.system.enable"
    if isinstance(policy, tuple) and "compact" in policy:
        return "remote.storage.enable: a compacted topic has no tiered storage"
    for local, whole in (
        ("local.retention.ms", "retention.ms"),
        ("local.retention.bytes", "retention.bytes"),
    ):
        if number(local) == -1 and number(whole) != -1:
            return f"{local} has no limit, {whole} has one"
        if number(local) >= 0 and 0 <= number(whole) < number(local):
            return f"{local} is above {whole}"
    return None


def described(context: PlanContext, settings: Mapping[str, str]) -> list[CreatableTopicConfigs]:
    """All settings in force for a topic with these of its own, by name."""
    places = _places(context)
    rows = []
    for name, key in sorted(TOPIC_KEYS.items()):
        if key.internal:
            continue
        value, source = settings.get(name), FROM_TOPIC
        if value is None:
            value, source = _inherited(name, key, places)
        rows.append(CreatableTopicConfigs(name, _plain(key, value), False, source, False))
    return rows


Places = tuple[tuple[int, Mapping[str, str]], ...]


def _places(context: PlanContext) -> Places:
    """Where a topic's settings come from that it has not itself, first the one that counts."""
    configs, node_id = context.view.configs, context.config.node_id
    return (
        (FROM_BROKER_RECORD, configs.get((BROKER, str(node_id))) or {}),
        (FROM_ALL_BROKERS_RECORD, configs.get((BROKER, "")) or {}),
        (FROM_FILE, context.config.file),
    )


def _inherited(name: str, key: Key, places: Places) -> tuple[str | None, int]:
    for source, settings in places:
        for synonym in SYNONYMS[name]:
            text = settings.get(synonym.key)
            if text is not None:
                if synonym.unit_ms != 1:
                    text = _scaled(text, synonym.unit_ms)
                return text, source
    return key.default, FROM_DEFAULT


def _scaled(text: str, unit_ms: int) -> str:
    number = int(text)
    return text if number < 0 else str(number * unit_ms)


def _plain(key: Key, text: str | None) -> str | None:
    """The value as Kafka prints it once it has read it."""
    if text is None:
        return None
    try:
        value = key.parse(text)
    except BadValue:  # of a file that another release of Kafka's reads
        return text
    return _PRINTED.get(key.type, str)(value)


def _printed_boolean(value: object) -> str:
    return "true" if value else "false"


def _printed_list(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


_PRINTED: Final[dict[Type, Callable[[object], str]]] = {
    Type.BOOLEAN: _printed_boolean,
    Type.LIST: _printed_list,
}
