"""The tables of the metadata state: their columns, and how an entry becomes a row.

The state itself is the server's (``metaquorum.metadata``): what a record does to it is written
once. A shape says which records a table depends on, which entries a record may have changed, and
what an entry looks like as a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pyarrow as pa
from attrs import frozen

from metaquorum.base.ids import uuid_text
from metaquorum.metadata.origin import NO_ORIGIN, Origin
from metaquorum.metadata.tables.catalog import NEXT_PRODUCER_ID, StateView

TRANSACTIONS: Final = (23, 24, 25)
_TEXT, _INT, _LONG, _BOOL = pa.string(), pa.int32(), pa.int64(), pa.bool_()
_INTS, _TEXTS = pa.list_(pa.int32()), pa.list_(pa.string())
_ENDPOINTS = pa.list_(
    pa.struct([("listener", _TEXT), ("host", _TEXT), ("port", _INT), ("security_protocol", _INT)])
)

Row = tuple[Any, ...]


@frozen
class TableShape:
    """One table. The first ``keys`` columns tell its rows from each other.

    ``rows`` gives all rows of a view with the record that each comes from; ``keys_of`` the keys
    that a record may change, seen before it is replayed; ``row`` the row of one key.
    """

    name: str
    columns: tuple[tuple[str, Any], ...]
    keys: int
    records: tuple[int, ...]
    all_keys: Callable[[StateView], Iterable[Any]]
    keys_of: Callable[[StateView, int, Any], Iterable[Any]]
    row: Callable[[StateView, Any], tuple[Row, Origin] | None]

    @property
    def schema(self) -> Any:
        """The Arrow schema of its rows, without what a job adds."""
        return pa.schema(list(self.columns))

    def rows(self, view: StateView) -> Iterator[tuple[Row, Origin]]:
        """Every row of the table."""
        for key in self.all_keys(view):
            found = self.row(view, key)
            if found is not None:
                yield found


def _topic(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    topic = view.topics.get(key)
    return None if topic is None else ((uuid_text(key), topic.name), topic.origin)


def _topic_keys(view: StateView, number: int, message: Any) -> Iterable[Any]:
    return (bytes(message.topic_id),)


def _partition(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    one = view.partitions.get(key)
    if one is None:
        return None
    topic = view.topics.get(key[0])
    row = (
        uuid_text(key[0]),
        key[1],
        None if topic is None else topic.name,
        one.leader,
        one.leader_epoch,
        one.partition_epoch,
        one.replicas,
        one.isr,
        one.adding_replicas,
        one.removing_replicas,
        one.elr,
        one.last_known_elr,
        one.leader_recovery_state,
        [uuid_text(directory) for directory in one.directories],
    )
    return row, one.origin


def _partition_keys(view: StateView, number: int, message: Any) -> Iterable[Any]:
    if number == _REMOVE_TOPIC:
        topic_id = bytes(message.topic_id)
        topic = view.topics.get(topic_id)
        count = 0 if topic is None else topic.partition_count
        return [(topic_id, partition) for partition in range(count)]
    if number == _CLEAR_ELR:
        wanted = message.topic_name
        return [
            key
            for key, _ in view.partitions.items()
            if not wanted or ((topic := view.topics.get(key[0])) and topic.name == wanted)
        ]
    if number in (_PARTITION, _PARTITION_CHANGE):
        return ((bytes(message.topic_id), message.partition_id),)
    return ()


def _broker(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    one = view.brokers.get(key)
    if one is None:
        return None
    row = (
        key,
        one.epoch,
        uuid_text(one.incarnation_id),
        one.fenced,
        one.in_controlled_shutdown,
        one.rack,
        [_endpoint(each) for each in one.endpoints],
        [uuid_text(each) for each in one.log_dirs],
    )
    return row, one.origin


def _endpoint(one: Any) -> dict[str, Any]:
    return {
        "listener": one.listener,
        "host": one.host,
        "port": one.port,
        "security_protocol": one.security_protocol,
    }


def _broker_keys(view: StateView, number: int, message: Any) -> Iterable[Any]:
    return (message.id if number in (_FENCE, _UNFENCE) else message.broker_id,)


def _controller(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    one = view.controllers.get(key)
    if one is None:
        return None
    endpoints = [_endpoint(each) for each in one.endpoints]
    return (key, uuid_text(one.incarnation_id), one.zk_migration_ready, endpoints), one.origin


def _config(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    (kind, resource), name = key
    settings = view.configs.get((kind, resource))
    if settings is None or name not in settings:
        return None
    return (_RESOURCES.get(kind, str(kind)), resource, name, settings[name]), settings.origin(name)


def _config_keys(view: StateView, number: int, message: Any) -> Iterable[Any]:
    if number == _REMOVE_TOPIC:
        topic = view.topics.get(bytes(message.topic_id))
        resource = (_TOPIC_RESOURCE, "" if topic is None else topic.name)
        return [(resource, name) for name in view.configs.get(resource) or ()]
    if number == _CONFIG:
        return (((message.resource_type, message.resource_name), message.name),)
    return ()


def _feature(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    level = view.features.level(key)
    return ((key, level), view.features.origin(key)) if level else None


def _quota(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    entity, name = key
    quotas = view.quotas.get(entity)
    if quotas is None or name not in quotas:
        return None
    shown = [{"type": kind, "name": part} for kind, part in entity]
    return (shown, name, quotas[name]), quotas.origin(name)


def _quota_keys(view: StateView, number: int, message: Any) -> Iterable[Any]:
    from metaquorum.metadata.tables.quotas import quota_entity

    parts = ((part.entity_type, part.entity_name) for part in message.entity)
    return ((quota_entity(parts), message.key),)


def _acl(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    rule = view.access_rules.get(key)
    if rule is None:
        return None
    row = (
        uuid_text(key),
        _ACL_RESOURCES.get(rule.resource_type, str(rule.resource_type)),
        rule.resource_name,
        _PATTERNS.get(rule.pattern_type, str(rule.pattern_type)),
        rule.principal,
        rule.host,
        _OPERATIONS.get(rule.operation, str(rule.operation)),
        _PERMISSIONS.get(rule.permission_type, str(rule.permission_type)),
    )
    return row, rule.origin


def _scram(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    one = view.scram.get(key)
    if one is None:
        return None
    return (key[0], _MECHANISMS.get(key[1], str(key[1])), one.iterations), one.origin


def _token(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    one = view.tokens.get(key)
    if one is None:
        return None
    times = (one.issue_timestamp_ms, one.max_timestamp_ms, one.expiration_timestamp_ms)
    return (key, one.owner, one.requester, one.renewers, *times), one.origin


def _producer_ids(view: StateView, key: Any) -> tuple[Row, Origin] | None:
    found = view.number(NEXT_PRODUCER_ID)
    return None if found.origin == NO_ORIGIN else ((found.value,), found.origin)


_PARTITION, _CONFIG, _PARTITION_CHANGE, _FENCE, _UNFENCE, _REMOVE_TOPIC = 3, 4, 5, 7, 8, 9
_CLEAR_ELR = 28
_TOPIC_RESOURCE = 2
_RESOURCES = {2: "topic", 4: "broker", 8: "broker_logger", 16: "client_metrics", 32: "group"}
_MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
_ACL_RESOURCES = {
    2: "topic",
    3: "group",
    4: "cluster",
    5: "transactional_id",
    6: "delegation_token",
    7: "user",
}
_PATTERNS = {3: "literal", 4: "prefixed"}
_PERMISSIONS = {2: "deny", 3: "allow"}
_OPERATIONS = {
    2: "all",
    3: "read",
    4: "write",
    5: "create",
    6: "delete",
    7: "alter",
    8: "describe",
    9: "cluster_action",
    10: "describe_configs",
    11: "alter_configs",
    12: "idempotent_write",
    13: "create_tokens",
    14: "describe_tokens",
    15: "two_phase_commit",
}

TABLES: Final[dict[str, TableShape]] = {
    one.name: one
    for one in (
        TableShape(
            "topics",
            (("topic_id", _TEXT), ("name", _TEXT)),
            1,
            (2, 9),
            lambda view: view.topics.keys(),
            _topic_keys,
            _topic,
        ),
        TableShape(
            "partitions",
            (
                ("topic_id", _TEXT),
                ("partition", _INT),
                ("topic", _TEXT),
                ("leader", _INT),
                ("leader_epoch", _INT),
                ("partition_epoch", _INT),
                ("replicas", _INTS),
                ("isr", _INTS),
                ("adding_replicas", _INTS),
                ("removing_replicas", _INTS),
                ("elr", _INTS),
                ("last_known_elr", _INTS),
                ("leader_recovery_state", _INT),
                ("directories", _TEXTS),
            ),
            2,
            (2, 3, 5, 9, 28),
            lambda view: view.partitions.keys(),
            _partition_keys,
            _partition,
        ),
        TableShape(
            "brokers",
            (
                ("broker_id", _INT),
                ("broker_epoch", _LONG),
                ("incarnation_id", _TEXT),
                ("fenced", _BOOL),
                ("in_controlled_shutdown", _BOOL),
                ("rack", _TEXT),
                ("endpoints", _ENDPOINTS),
                ("log_dirs", _TEXTS),
            ),
            1,
            (0, 1, 7, 8, 17),
            lambda view: view.brokers.keys(),
            _broker_keys,
            _broker,
        ),
        TableShape(
            "controllers",
            (
                ("controller_id", _INT),
                ("incarnation_id", _TEXT),
                ("zk_migration_ready", _BOOL),
                ("endpoints", _ENDPOINTS),
            ),
            1,
            (27, 29),
            lambda view: view.controllers.keys(),
            lambda view, number, message: (message.controller_id,),
            _controller,
        ),
        TableShape(
            "configs",
            (("resource_type", _TEXT), ("resource", _TEXT), ("name", _TEXT), ("value", _TEXT)),
            3,
            (2, 4, 9),
            lambda view: [
                (resource, name) for resource, settings in view.configs.items() for name in settings
            ],
            _config_keys,
            _config,
        ),
        TableShape(
            "features",
            (("feature", _TEXT), ("level", _INT)),
            1,
            (12,),
            lambda view: [name for name, _ in view.features],
            lambda view, number, message: (message.name,),
            _feature,
        ),
        TableShape(
            "quotas",
            (
                ("entity", pa.list_(pa.struct([("type", _TEXT), ("name", _TEXT)]))),
                ("quota", _TEXT),
                ("value", pa.float64()),
            ),
            2,
            (14,),
            lambda view: [
                (entity, name) for entity, quotas in view.quotas.items() for name in quotas
            ],
            _quota_keys,
            _quota,
        ),
        TableShape(
            "acls",
            (
                ("id", _TEXT),
                ("resource_type", _TEXT),
                ("resource", _TEXT),
                ("pattern", _TEXT),
                ("principal", _TEXT),
                ("host", _TEXT),
                ("operation", _TEXT),
                ("permission", _TEXT),
            ),
            1,
            (18, 19),
            lambda view: view.access_rules.keys(),
            lambda view, number, message: (bytes(message.id),),
            _acl,
        ),
        TableShape(
            "scram_users",
            (("user", _TEXT), ("mechanism", _TEXT), ("iterations", _INT)),
            2,
            (11, 22),
            lambda view: view.scram.keys(),
            lambda view, number, message: ((message.name, message.mechanism),),
            _scram,
        ),
        TableShape(
            "tokens",
            (
                ("token_id", _TEXT),
                ("owner", _TEXT),
                ("requester", _TEXT),
                ("renewers", _TEXTS),
                ("issue_timestamp_ms", _LONG),
                ("max_timestamp_ms", _LONG),
                ("expiration_timestamp_ms", _LONG),
            ),
            1,
            (10, 26),
            lambda view: view.tokens.keys(),
            lambda view, number, message: (message.token_id,),
            _token,
        ),
        TableShape(
            "producer_ids",
            (("next_producer_id", _LONG),),
            0,
            (15,),
            lambda view: (NEXT_PRODUCER_ID,),
            lambda view, number, message: (NEXT_PRODUCER_ID,),
            _producer_ids,
        ),
    )
}
