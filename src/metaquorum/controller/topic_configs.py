"""Settings of topics: which are right, and which are in force with where they come from.

A topic's own value counts first, then the record of the broker with this controller's id, then the
record of all brokers, then this controller's file, then Kafka's default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from metaquorum.base.limits import MAX_QUOTED_CHARS
from metaquorum.base.quoting import printable, quoted
from metaquorum.config.key import BadValue, Key, Value
from metaquorum.config.topic_keys import SYNONYMS, TOPIC_KEYS
from metaquorum.controller.context import PlanContext
from metaquorum.metadata.tables.configs import BROKER, TOPIC
from metaquorum.wire.generated.create_topics_response import CreatableTopicConfigs

MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"
UNCLEAN_LEADER_ELECTION: Final = "unclean.leader.election.enable"

FROM_TOPIC: Final = 1
FROM_BROKER_RECORD: Final = 2
FROM_ALL_BROKERS_RECORD: Final = 3
FROM_FILE: Final = 4
FROM_DEFAULT: Final = 5
_FROM_RECORDS: Final = (FROM_BROKER_RECORD, FROM_ALL_BROKERS_RECORD)

_THROTTLED: Final = (
    "follower.replication.throttled.replicas",
    "leader.replication.throttled.replicas",
)


def problem_of(
    settings: Mapping[str, str | None],
    *,
    before: Mapping[str, str] | None = None,
    has_remote_storage: bool = False,
) -> str | None:
    """Why a topic cannot have these settings; None if it can.

    ``before`` is what it had until now. ``has_remote_storage``: this controller's file enables
    tiered storage (KIP-405).
    """
    values: dict[str, Value] = {}
    for name, text in settings.items():
        key = TOPIC_KEYS.get(name)
        if key is None:
            return f"Unknown topic config name: {printable(name[:MAX_QUOTED_CHARS])}"
        if text is None:
            return f"null is no value of {name}"
        try:
            values[name] = key.parse(text)
        except BadValue as error:
            return f"{name}: {error}"
        if name in _THROTTLED and not _are_throttled(text):
            return f"{name}: {quoted(text)} is neither * nor a list of partition:broker"
    if _ends_remote_storage(before or {}, values):
        return (
            "remote.storage.enable: it can be turned off only with remote.log.delete.on.disable; "
            "remote.log.copy.disable keeps what is stored and copies no more (KIP-950)"
        )
    return _across(values, has_remote_storage)


def _ends_remote_storage(before: Mapping[str, str], values: Mapping[str, Value]) -> bool:
    """Whether what is stored remotely would neither be kept nor deleted."""
    return (
        before.get("remote.storage.enable", "").strip().lower() == "true"
        and values.get("remote.storage.enable") is not True
        and values.get("remote.log.delete.on.disable") is not True
    )


def _are_throttled(text: str) -> bool:
    pairs = [one.strip() for one in text.split(",")]
    return pairs == ["*"] or all(
        len(parts) == 2 and all(part.isascii() and part.isdigit() for part in parts)
        for parts in (one.split(":") for one in pairs if one)
    )


def _across(values: Mapping[str, Value], has_remote_storage: bool) -> str | None:
    """What is wrong between settings, each of which is right by itself."""

    def of(name: str) -> Value:
        return values[name] if name in values else TOPIC_KEYS[name].default_value()

    def number(name: str) -> float:
        found = of(name)
        return found if isinstance(found, int | float) else 0

    policy = of("cleanup.policy")
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


def min_insync_replicas(context: PlanContext, topic: str) -> int:
    """How many replicas must be in sync for a write with acks=all."""
    found = _recorded(context, topic, MIN_INSYNC_REPLICAS)
    return found if isinstance(found, int) else context.config.min_insync_replicas


def elects_unclean(context: PlanContext, topic: str) -> bool:
    """Whether a replica that is not in sync may lead where nobody else can."""
    found = _recorded(context, topic, UNCLEAN_LEADER_ELECTION)
    return found if isinstance(found, bool) else context.config.unclean_leader_election_enable


def _recorded(context: PlanContext, topic: str, name: str) -> Value:
    """What the log's records set; those with an impossible value are passed over. None if none."""
    own: Mapping[str, str] = context.view.configs.get((TOPIC, topic)) or {}
    inherited = (text for text, _ in _inheritance(name, _records(context)))
    for text in (own.get(name), *inherited):
        try:
            if text is not None:
                return TOPIC_KEYS[name].parse(text)
        except BadValue:
            continue
    return None


class SettingsInForce:
    """What topics are described with, by name; good until records are replayed.

    As Kafka prints them: what a record says as it says it, anything else as it was read. Topics
    share the rows of what they inherit: nobody may change them.
    """

    def __init__(self, context: PlanContext) -> None:
        places = _places(context)
        self._inherited = []
        for name, key in sorted(TOPIC_KEYS.items()):
            if key.internal:
                continue  # shown only where a topic sets it itself
            value, source = _inherited(name, key, places)
            shown = value if source in _FROM_RECORDS else _plain(key, value)
            self._inherited.append(CreatableTopicConfigs(name, shown, False, source, False))

    def of(self, settings: Mapping[str, str]) -> list[CreatableTopicConfigs]:
        """All settings in force for a topic with these of its own."""
        if not settings:
            return self._inherited
        own = {
            name: CreatableTopicConfigs(name, value, False, FROM_TOPIC, False)
            for name, value in settings.items()
            if name in TOPIC_KEYS
        }
        shown = {**{one.name: one for one in self._inherited}, **own}
        return [shown[name] for name in sorted(shown)]


Places = tuple[tuple[int, Mapping[str, str]], ...]


def _records(context: PlanContext) -> Places:
    """The records of brokers that give topics their settings, first the one that counts."""
    configs, node_id = context.view.configs, context.config.node_id
    return (
        (FROM_BROKER_RECORD, configs.get((BROKER, str(node_id))) or {}),
        (FROM_ALL_BROKERS_RECORD, configs.get((BROKER, "")) or {}),
    )


def _places(context: PlanContext) -> Places:
    """Where a topic's settings come from that it has not itself, first the one that counts."""
    return (*_records(context), (FROM_FILE, context.config.file))


def _inherited(name: str, key: Key, places: Places) -> tuple[str | None, int]:
    return next(_inheritance(name, places), (key.default, FROM_DEFAULT))


def _inheritance(name: str, places: Places) -> Iterator[tuple[str, int]]:
    """Values for topics that have none, with where each is from; the first one counts."""
    for source, settings in places:
        for synonym in SYNONYMS[name]:
            text = settings.get(synonym.key)
            if text is not None:
                yield synonym.for_topic(text), source


def _plain(key: Key, text: str | None) -> str | None:
    """The value as Kafka prints it once it has read it."""
    if text is None:
        return None
    try:
        value = key.parse(text)
    except BadValue:  # of a file that another release of Kafka's reads
        return text
    if isinstance(value, tuple):
        # An element named twice counts once in lists whose elements Kafka checks.
        return ",".join(dict.fromkeys(value) if key.choices else value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
