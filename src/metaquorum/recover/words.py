"""What a metadata record changes, in words for an operator: topics, configs, ACLs and the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from metaquorum.base.ids import Uuid, uuid_text
from metaquorum.metadata.acl_codes import Operation, PatternType, Permission, ResourceType
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.index import record_codec

MAX_WORDS_CHARS: Final = 300
_CONFIG_RESOURCES: Final = {
    2: "topic",
    4: "broker",
    8: "broker logger",
    16: "client metrics",
    32: "group",
}
_MECHANISMS: Final = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
_PASSED_OVER: Final = frozenset((20, 21, 23, 24))  # NoOp, ZkMigrationState, transactions
_NO_CHANGE: Final = -2

Topics = Mapping[Uuid, str]


def words_of(record: MetadataRecord, topics: Topics) -> str | None:
    """What the record changes; None for one that changes nothing to speak of.

    ``topics`` are the names of topics by their ids; one that is not there is called by its id.
    """
    if record.type in _PASSED_OVER:
        return None
    say = _WORDS.get(record.type)
    if say is None:
        return record_codec(record.type).NAME
    text = say(record.message, topics)
    return text if len(text) <= MAX_WORDS_CHARS else text[: MAX_WORDS_CHARS - 3] + "..."


def _topic(topics: Topics, topic_id: Uuid) -> str:
    return topics.get(topic_id) or f"with id {uuid_text(topic_id)}"


def _partition(one: Any, topics: Topics) -> str:
    replicas = ", ".join(map(str, one.replicas))
    place = f"partition {one.partition_id} of topic {_topic(topics, one.topic_id)}"
    return f"{place} created on brokers {replicas}"


def _partition_change(one: Any, topics: Topics) -> str:
    said = []
    if one.leader != _NO_CHANGE:
        said.append(f"leader {one.leader}")
    for name, brokers in (("ISR", one.isr), ("replicas", one.replicas)):
        if brokers is not None:
            said.append(f"{name} {', '.join(map(str, brokers)) or 'empty'}")
    what = "; ".join(said) or "its state"
    return f"partition {one.partition_id} of topic {_topic(topics, one.topic_id)}: {what}"


def _config(one: Any, topics: Topics) -> str:
    kind = _CONFIG_RESOURCES.get(one.resource_type, f"resource {one.resource_type}")
    who = f"{kind} {one.resource_name}" if one.resource_name else f"every {kind}"
    done = "removed" if one.value is None else "set"  # the value may be secret
    return f"config {one.name} of {who} {done}"


def _quota(one: Any, topics: Topics) -> str:
    entity = ", ".join(
        f"{part.entity_type} {'(default)' if part.entity_name is None else part.entity_name}"
        for part in one.entity
    )
    done = "removed" if one.remove else f"set to {one.value:g}"
    return f"quota {one.key} of {entity} {done}"


def _acl(one: Any, topics: Topics) -> str:
    names = (
        _name(Permission, one.permission_type),
        _name(Operation, one.operation),
        _name(ResourceType, one.resource_type),
        _name(PatternType, one.pattern_type),
    )
    allowed, operation, kind, pattern = names
    return (
        f"ACL added: {one.principal} from {one.host}, {allowed} {operation} "
        f"on {kind} {pattern} {one.resource_name} (id {uuid_text(one.id)})"
    )


def _name(codes: Any, code: int) -> str:
    try:
        return str(codes(code).name)
    except ValueError:
        return str(code)


def _mechanism(one: Any) -> str:
    return _MECHANISMS.get(one.mechanism, str(one.mechanism))


_WORDS: Final[dict[int, Callable[[Any, Topics], str]]] = {
    0: lambda one, topics: f"broker {one.broker_id} registered",
    1: lambda one, topics: f"broker {one.broker_id} unregistered",
    2: lambda one, topics: f"topic {one.name} created",
    3: _partition,
    4: _config,
    5: _partition_change,
    7: lambda one, topics: f"broker {one.id} fenced",
    8: lambda one, topics: f"broker {one.id} unfenced",
    9: lambda one, topics: f"topic {_topic(topics, one.topic_id)} deleted",
    10: lambda one, topics: f"delegation token {one.token_id} of {one.owner} set",
    11: lambda one, topics: f"SCRAM credential of {one.name} set ({_mechanism(one)})",
    12: lambda one, topics: f"feature {one.name} at level {one.feature_level}",
    14: _quota,
    15: lambda one, topics: f"producer ids up to {one.next_producer_id} given out",
    17: lambda one, topics: f"registration of broker {one.broker_id} changed",
    18: _acl,
    19: lambda one, topics: f"ACL {uuid_text(one.id)} removed",
    22: lambda one, topics: f"SCRAM credential of {one.name} removed ({_mechanism(one)})",
    25: lambda one, topics: "a metadata transaction aborted",
    26: lambda one, topics: f"delegation token {one.token_id} removed",
    27: lambda one, topics: f"controller {one.controller_id} registered",
    28: lambda one, topics: f"eligible leader replicas of {one.topic_name or 'all topics'} cleared",
    29: lambda one, topics: f"controller {one.controller_id} unregistered",
}
