"""Settings of topics that are in force, and where they come from.

A topic's own value counts first, then the record of the broker with this controller's id, then the
record of all brokers, then this controller's file, then Kafka's default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

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


def of_file(context: PlanContext) -> Iterator[tuple[str, str]]:
    """Name and text of each setting that this controller's file gives topics."""
    place = (FROM_FILE, context.config.file)
    for name in TOPIC_KEYS:
        for text, _ in _inheritance(name, (place,)):
            yield name, text
            break


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
