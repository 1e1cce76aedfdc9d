"""The metadata state as a tree of directories and files, the one that Kafka's shell shows.

Nothing is made before it is looked at: a directory knows how to name its children and how to
make one of them. Names and contents are Kafka's, oddities included: a quota of a default entity
goes by what is left of its name, and cannot be entered by it (here ``user(<default>)`` opens it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from attrs import field, frozen

from metaquorum.base.ids import Uuid, parse_uuid, uuid_text
from metaquorum.cli import metadata_text as text
from metaquorum.config.resource_keys import is_supported
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.tables.catalog import NEXT_PRODUCER_ID, StateView
from metaquorum.metadata.tables.configs import ConfigResource
from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.metadata.tables.quotas import QuotaEntity
from metaquorum.metadata.versions import level_name

CONFIG_TYPES: Final = {
    2: "TOPIC",
    4: "BROKER",
    8: "BROKER_LOGGER",
    16: "CLIENT_METRICS",
    32: "GROUP",
}
SCRAM_MECHANISMS: Final = {"SCRAM-SHA-256": 1, "SCRAM-SHA-512": 2}
DEFAULT_ENTITY: Final = "<default>"
NO_PRODUCER_ID: Final = -1


@frozen
class Leaf:
    """A file: one text, the same as a value for JSON, and the record it comes from."""

    text: str
    value: Any
    origin: Origin | None = None


@frozen
class Directory:
    """A directory; ``names`` may name a child that ``child`` does not find, as Kafka's do."""

    listed: Callable[[], Iterable[str]] = field(repr=False)
    child: Callable[[str], Node | None] = field(repr=False)
    hidden: Callable[[], list[str]] = field(default=list, repr=False)  # open, but not listed

    def names(self) -> list[str]:
        """The children's names in order."""
        return text.names_in_order(self.listed())


Node = Leaf | Directory


def _fixed(children: dict[str, Callable[[], Node]]) -> Directory:
    def child(name: str) -> Node | None:
        make = children.get(name)
        return None if make is None else make()

    return Directory(lambda: children, child)


def _leaf(value: Any, origin: Origin | None = None) -> Callable[[], Leaf]:
    return lambda: Leaf(str(value), value, origin)


def root(
    view: StateView, provenance: Origin, version: str, commit: str, end: Origin | None = None
) -> Directory:
    """``/image``, the state; and ``/local``, the program that shows it.

    ``end`` is the last record's place in the log where ``provenance`` tells another.
    """
    local = _fixed({"version": _leaf(version), "commitId": _leaf(commit)})
    return _fixed(
        {"image": lambda: image(view, provenance, end or provenance), "local": lambda: local}
    )


def image(view: StateView, provenance: Origin, end: Origin) -> Directory:
    """The state; ``provenance`` is its last record as Kafka's shell has it, ``end`` its place."""
    shown = {
        "offset": provenance.offset,
        "epoch": provenance.epoch,
        "timestamp": provenance.timestamp_ms,
    }
    return _fixed(
        {
            "provenance": lambda: Leaf(text.provenance_text(provenance), shown, end),
            "features": lambda: _features(view),
            "cluster": lambda: _cluster(view),
            "topics": lambda: _topics(view),
            "configs": lambda: _configs(view),
            "clientQuotas": lambda: _quotas(view),
            "producerIds": lambda: _producer_ids(view),
            "acls": lambda: _fixed({"byId": lambda: _access_rules(view)}),
            "scram": lambda: _scram(view),
            "delegationToken": lambda: _tokens(view),
        }
    )


def _features(view: StateView) -> Directory:
    features = view.features
    level = features.metadata_version
    shown = f"Optional[{level_name(level)}]" if level else "Optional.empty"
    children: dict[str, Callable[[], Node]] = {
        "metadataVersion": lambda: Leaf(shown, level, features.origin(METADATA_VERSION))
    }
    for name, number in features:
        if name != METADATA_VERSION:
            children[f"finalized_{name}"] = _leaf(number, features.origin(name))
    return _fixed(children)


def _cluster(view: StateView) -> Directory:
    def broker(name: str) -> Node | None:
        found = view.brokers.get(int(name)) if _is_number(name) else None
        if found is None:
            return None
        return Leaf(text.broker_text(found), text.plain_value(found), found.origin)

    def controller(name: str) -> Node | None:
        found = view.controllers.get(int(name)) if _is_number(name) else None
        if found is None:
            return None
        return Leaf(text.controller_text(found), text.plain_value(found), found.origin)

    brokers = Directory(lambda: map(str, view.brokers.keys()), broker)
    controllers = Directory(lambda: map(str, view.controllers.keys()), controller)
    return _fixed({"brokers": lambda: brokers, "controllers": lambda: controllers})


def _topics(view: StateView) -> Directory:
    def by_name(name: str) -> Node | None:
        topic_id = view.topic_ids.get(name)
        return None if topic_id is None else _topic(view, topic_id)

    def by_id(name: str) -> Node | None:
        topic_id = _uuid(name)
        return None if topic_id is None else _topic(view, topic_id)

    names = Directory(view.topic_ids.keys, by_name)
    ids = Directory(lambda: map(uuid_text, view.topics.keys()), by_id)
    return _fixed({"byName": lambda: names, "byId": lambda: ids})


def _topic(view: StateView, topic_id: Uuid) -> Directory | None:
    topic = view.topics.get(topic_id)
    if topic is None:
        return None
    facts = {
        "name": _leaf(topic.name, topic.origin),
        "id": _leaf(uuid_text(topic_id), topic.origin),
    }

    def listed() -> Iterable[str]:
        partitions = view.partitions
        numbers = (n for n in range(topic.partition_count) if (topic_id, n) in partitions)
        return (*map(str, numbers), *facts)

    def child(name: str) -> Node | None:
        if name in facts:
            return facts[name]()
        found = view.partitions.get((topic_id, int(name))) if _is_number(name) else None
        if found is None:
            return None
        return Leaf(text.partition_text(found), text.plain_value(found), found.origin)

    return Directory(listed, child)


def config_resource_text(resource: ConfigResource) -> str:
    """``TOPIC:alpha``; ``BROKER`` alone for the default of all brokers."""
    kind = CONFIG_TYPES.get(resource[0], text.UNKNOWN)
    return f"{kind}:{resource[1]}" if resource[1] else kind


def unsupported_settings(view: StateView) -> list[str]:
    """Settings that Kafka's nodes pass over, and so does the tree: resource/key, in order."""
    return [
        f"{config_resource_text(resource)}/{key}"
        for resource, settings in sorted(view.configs.items(), key=lambda row: row[0])
        for key in sorted(settings)
        if not is_supported(resource[0], key)
    ]


def _configs(view: StateView) -> Directory:
    resources = {
        config_resource_text(resource): resource
        for resource, settings in view.configs.items()
        if any(is_supported(resource[0], key) for key in settings)
    }

    def child(name: str) -> Node | None:
        resource = resources.get(name)
        settings = view.configs.get(resource) if resource is not None else None
        if resource is None or settings is None:
            return None
        return _fixed(
            {
                key: _leaf(value, settings.origin(key))
                for key, value in settings.items()
                if is_supported(resource[0], key)
            }
        )

    return Directory(lambda: resources, child)


def _quotas(view: StateView) -> Directory:
    entities = view.quotas.keys()
    exact: dict[str, QuotaEntity] = {}
    hidden = []
    for entity in entities:
        name = text.quota_entity_text(entity, default=DEFAULT_ENTITY)
        exact[name] = entity
        if any(part is None for _, part in entity):
            hidden.append(name)

    def child(name: str) -> Node | None:
        entity = exact.get(name)
        quotas = view.quotas.get(entity) if entity is not None else None
        if quotas is None:
            return None
        return _fixed(
            {key: _number_leaf(value, quotas.origin(key)) for key, value in quotas.items()}
        )

    listed = [text.quota_entity_text(entity) for entity in entities]
    return Directory(lambda: listed, child, lambda: text.names_in_order(hidden))


def _number_leaf(value: float, origin: Origin) -> Callable[[], Leaf]:
    return lambda: Leaf(text.number_text(value), text.plain_value(value), origin)


def _producer_ids(view: StateView) -> Directory:
    number = view.number(NEXT_PRODUCER_ID)
    return _fixed({"nextProducerId": _leaf(number.value or NO_PRODUCER_ID, number.origin)})


def _access_rules(view: StateView) -> Directory:
    def child(name: str) -> Node | None:
        rule_id = _uuid(name)
        rule = None if rule_id is None else view.access_rules.get(rule_id)
        if rule is None:
            return None
        return Leaf(text.access_rule_text(rule), text.plain_value(rule), rule.origin)

    return Directory(lambda: map(uuid_text, view.access_rules.keys()), child)


def _scram(view: StateView) -> Directory:
    def mechanism(number: int) -> Callable[[], Directory]:
        def child(name: str) -> Node | None:
            found = view.scram.get((name, number))
            if found is None:
                return None
            return Leaf(text.scram_text(found), text.plain_value(found), found.origin)

        def listed() -> Iterable[str]:
            keys = view.scram.keys()
            return [user for user, kind in keys if kind == number]

        return lambda: Directory(listed, child)

    return _fixed({name: mechanism(number) for name, number in SCRAM_MECHANISMS.items()})


def _tokens(view: StateView) -> Directory:
    def child(name: str) -> Node | None:
        found = view.tokens.get(name)
        if found is None:
            return None
        return Leaf(text.token_text(found), text.plain_value(found), found.origin)

    return Directory(view.tokens.keys, child)


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal() and len(name) <= 10


def _uuid(name: str) -> Uuid | None:
    try:
        found = parse_uuid(name)
    except ValueError:
        return None
    return found if uuid_text(found) == name else None
