"""What changed between two states of the metadata: entry by entry, as facts and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import field, frozen

from metaquorum.base.ids import uuid_text
from metaquorum.cli.metadata_extract import Extract
from metaquorum.cli.metadata_shell import origin_row, origin_text
from metaquorum.cli.metadata_text import (
    access_rule_text,
    plain_value,
    quota_entity_text,
)
from metaquorum.cli.metadata_tree import (
    DEFAULT_ENTITY,
    SCRAM_MECHANISMS,
    config_resource_text,
)
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.tables.catalog import NEXT_PRODUCER_ID, ZK_MIGRATION_STATE, StateView
from metaquorum.metadata.tables.topics import Partition
from metaquorum.metadata.timeline import Reader

ADDED: Final = "added"
REMOVED: Final = "removed"
CHANGED: Final = "changed"
VALUE: Final = "value"  # of an entry that has only one; words leave the name out
MECHANISM_NAMES: Final = {number: name for name, number in SCRAM_MECHANISMS.items()}

Facts = Mapping[str, Any]
Comparable = StateView | Extract


@frozen
class Change:
    """One entry that is not the same in both states.

    ``before`` and ``after`` hold the fields that differ; all of them, on the side where the entry
    is, when it is only in one. ``origin`` is the record that made it what it is after.
    """

    kind: str
    name: str
    change: str
    before: Facts = field(factory=dict)
    after: Facts = field(factory=dict)
    origin: Origin | None = None

    def row(self) -> dict[str, Any]:
        """The change for JSON."""
        return {
            "kind": self.kind,
            "name": self.name,
            "change": self.change,
            "before": dict(self.before) or None,
            "after": dict(self.after) or None,
            "provenance": origin_row(self.origin),
        }

    def words(self, *, with_provenance: bool = False) -> str:
        """The change as a line."""
        if self.change == CHANGED:
            details = "; ".join(
                f"{_named(name)}{_shown(self.before[name])} -> {_shown(value)}"
                for name, value in self.after.items()
            )
        else:
            facts = self.after if self.change == ADDED else self.before
            details = ", ".join(f"{_named(name)}{_shown(value)}" for name, value in facts.items())
        line = f"{self.kind} {self.name} {self._verb()}" + (f": {details}" if details else "")
        if with_provenance and self.origin is not None and self.origin.offset >= 0:
            line += f"  # {origin_text(self.origin)}"
        return line

    def _verb(self) -> str:
        verbs = _VERBS.get(self.kind, {})
        if self.kind == "broker" and self.change == CHANGED:
            if "epoch" in self.after:
                return "registered again"
            if "fenced" in self.after:
                return "fenced" if self.after["fenced"] else "unfenced"
        return verbs.get(self.change, self.change)


_VERBS: Final[dict[str, dict[str, str]]] = {
    "topic": {ADDED: "created", REMOVED: "deleted"},
    "broker": {ADDED: "registered", REMOVED: "unregistered"},
    "controller": {ADDED: "registered", REMOVED: "unregistered"},
    "feature": {ADDED: "finalized"},
    "config": {ADDED: "set"},
    "quota": {ADDED: "set"},
}


def changes(before: Comparable, after: Comparable) -> Iterator[Change]:
    """Every difference, by kind and within a kind by name."""
    yield from _compared("feature", _features(before), _features(after))
    yield from _table("broker", before.brokers, after.brokers, str, _record_facts)
    yield from _table("controller", before.controllers, after.controllers, str, _record_facts)
    yield from _topics(before, after)
    yield from _partitions(before, after)
    yield from _compared("config", _settings(before), _settings(after))
    yield from _compared("quota", _quotas(before), _quotas(after))
    yield from _compared("counter", _numbers(before), _numbers(after))
    yield from _table(
        "acl",
        before.access_rules,
        after.access_rules,
        uuid_text,
        lambda rule: {"rule": access_rule_text(rule)},
    )
    yield from _table("scram credential", before.scram, after.scram, _user, _scram_facts)
    yield from _table("delegation token", before.tokens, after.tokens, str, _record_facts)


Entries = dict[str, tuple[Facts, Origin | None]]


def _compared(kind: str, before: Entries, after: Entries) -> Iterator[Change]:
    for name in sorted({**before, **after}):
        old, new = before.get(name), after.get(name)
        if old is None and new is not None:
            yield Change(kind, name, ADDED, after=new[0], origin=new[1])
        elif new is None and old is not None:
            yield Change(kind, name, REMOVED, before=old[0])
        elif old is not None and new is not None and old[0] != new[0]:
            yield _changed(kind, name, old[0], new[0], new[1])


def _changed(kind: str, name: str, old: Facts, new: Facts, origin: Origin | None) -> Change:
    differ = [key for key in new if old.get(key) != new[key]]
    return Change(
        kind,
        name,
        CHANGED,
        {key: old.get(key) for key in differ},
        {key: new[key] for key in differ},
        origin,
    )


def _table(
    kind: str,
    before: Reader[Any, Any],
    after: Reader[Any, Any],
    named: Callable[[Any], str],
    facts: Callable[[Any], Facts],
) -> Iterator[Change]:
    """The differences of one table, whose values know their origin."""
    keys = sorted({**dict.fromkeys(before.keys()), **dict.fromkeys(after.keys())})
    for key in keys:
        old, new = before.get(key), after.get(key)
        if new is None:
            yield Change(kind, named(key), REMOVED, before=facts(old))
        elif old is None:
            yield Change(kind, named(key), ADDED, after=facts(new), origin=new.origin)
        elif old != new:
            yield _changed(kind, named(key), facts(old), facts(new), new.origin)


def _topics(before: Comparable, after: Comparable) -> Iterator[Change]:
    def entries(view: Comparable) -> Entries:
        return {
            topic.name: ({"id": uuid_text(key), "partitions": topic.partition_count}, topic.origin)
            for key, topic in view.topics.items()
        }

    old, new = entries(before), entries(after)
    for name in sorted({**old, **new}):
        was, now = old.get(name), new.get(name)
        if was is not None and (now is None or now[0]["id"] != was[0]["id"]):
            yield Change("topic", name, REMOVED, before=was[0])
            was = None
        if now is not None and was is None:
            yield Change("topic", name, ADDED, after=now[0], origin=now[1])


def _partitions(before: Comparable, after: Comparable) -> Iterator[Change]:
    """Partitions of the topics that are in both states."""
    found = []
    old_partitions = before.partitions
    for key, new in after.partitions.items():
        old = old_partitions.get(key)
        if old == new:
            continue
        topic = after.topics.get(key[0])
        if topic is None or before.topics.get(key[0]) is None:
            continue
        found.append(((topic.name, key[1]), old, new))
    for (topic_name, number), old, new in sorted(found, key=lambda row: row[0]):
        name = f"{topic_name}-{number}"
        if old is None:
            facts = {"replicas": list(new.replicas), "leader": new.leader}
            yield Change("partition", name, ADDED, after=facts, origin=new.origin)
        else:
            yield _changed(
                "partition", name, _partition_facts(old), _partition_facts(new), new.origin
            )


def _partition_facts(partition: Partition) -> Facts:
    facts = plain_value(partition)
    assert isinstance(facts, dict)
    first = ("leader", "isr", "leaderEpoch", "partitionEpoch")  # what is looked for comes first
    return {**{name: facts[name] for name in first}, **facts}


def _record_facts(value: Any) -> Facts:
    facts = plain_value(value)
    assert isinstance(facts, dict)
    return {name: fact for name, fact in facts.items() if name not in _NAMES}


_NAMES: Final = ("brokerId", "controllerId", "tokenId")


def _scram_facts(credential: Any) -> Facts:
    """Salt and keys stay out of it: a difference is made to be passed on."""
    return {"iterations": credential.iterations}


def _features(view: Comparable) -> Entries:
    features = view.features
    return {name: ({VALUE: level}, features.origin(name)) for name, level in features}


def _settings(view: Comparable) -> Entries:
    return {
        f"{config_resource_text(resource)} {key}": ({VALUE: value}, settings.origin(key))
        for resource, settings in view.configs.items()
        for key, value in settings.items()
    }


def _quotas(view: Comparable) -> Entries:
    return {
        f"{quota_entity_text(entity, default=DEFAULT_ENTITY)} {key}": (
            {VALUE: plain_value(value)},
            quotas.origin(key),
        )
        for entity, quotas in view.quotas.items()
        for key, value in quotas.items()
    }


def _numbers(view: Comparable) -> Entries:
    return {
        name: ({VALUE: number.value}, number.origin)
        for name in (NEXT_PRODUCER_ID, ZK_MIGRATION_STATE)
        if (number := view.number(name)).value
    }


def _user(key: tuple[str, int]) -> str:
    return f"{key[0]} ({MECHANISM_NAMES.get(key[1], key[1])})"


def _named(name: str) -> str:
    return "" if name == VALUE else f"{name} "


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}={_shown(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value == "":
        return '""'
    return "null" if value is None else str(value)
