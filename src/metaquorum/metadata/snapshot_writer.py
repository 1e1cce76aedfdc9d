"""From a view of the state to the records of a snapshot, in Kafka's order and Kafka's form.

Kafka 4 writes its image so: features with metadata.version first, brokers, controllers, every
topic before its partitions, configs, client quotas, the next producer id, access rules, SCRAM
credentials, delegation tokens. Only what is there is written: no changes, no removals, no NoOp,
no transaction. kraft.version and the voters are control records (``records.snapshot``).

Everything here is lazy: one record is made at a time, so that the caller may pause in
between while the view's mark is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, TypeVar

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import SNAPSHOT_SLICE_RECORDS
from metaquorum.base.offsets import Epoch
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.metadata.tables.nodes import Broker, Controller
from metaquorum.metadata.tables.topics import MIGRATING_DIRECTORY, Partition
from metaquorum.metadata.timeline import Reader
from metaquorum.metadata.versions import partition_version, register_broker_version
from metaquorum.records.control import ControlType
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.wire.generated.index import record_codec

REGISTER_BROKER: Final = 0
TOPIC: Final = 2
PARTITION: Final = 3
CONFIG: Final = 4
DELEGATION_TOKEN: Final = 10
USER_SCRAM_CREDENTIAL: Final = 11
FEATURE_LEVEL: Final = 12
CLIENT_QUOTA: Final = 14
PRODUCER_IDS: Final = 15
ACCESS_CONTROL_ENTRY: Final = 18
ZK_MIGRATION_STATE: Final = 21
REGISTER_CONTROLLER: Final = 27

K = TypeVar("K")
V = TypeVar("V")

Numbered = tuple[int, Any, int]
"""A record's type, its message, and the version it is to be written as."""


def snapshot_of(
    view: StateView,
    *,
    epoch: Epoch,
    timestamp_ms: Millis,
    last_contained_ms: Millis,
    controls: Sequence[tuple[ControlType, Any]] = (),
) -> Iterator[bytes]:
    """A snapshot of ``view``, a batch at a time: header and controls, slices of records, footer.

    Every batch costs a few milliseconds; the view's mark must be held until the last one.
    ``controls`` are kraft.version and voters as of the snapshot's end, none below kraft.version 1.
    ``last_contained_ms`` is the time of the last batch of the log that the view covers. KIP-630.
    """
    return snapshot_batches(
        epoch=epoch,
        timestamp_ms=timestamp_ms,
        last_contained_ms=last_contained_ms,
        controls=controls,
        values=snapshot_values(view),
        records_per_batch=SNAPSHOT_SLICE_RECORDS,
    )


def load_codecs() -> None:
    """Import what snapshots are written with: milliseconds that the first one need not take.

    May be called in a thread; the loop thread has turns in between.
    """
    for type in _TYPES:
        record_codec(type)


def snapshot_values(view: StateView) -> Iterator[bytes]:
    """The framed values of all records that ``view`` consists of."""
    for type, message, version in snapshot_messages(view):
        yield encode_metadata_record(type, message, version)


def snapshot_messages(view: StateView) -> Iterator[Numbered]:
    """The same before they are encoded."""
    return chain.from_iterable(part(view) for part in _PARTS)


def _features(view: StateView) -> Iterator[Numbered]:
    message = _maker(FEATURE_LEVEL)
    levels = sorted(view.features, key=lambda pair: (pair[0] != METADATA_VERSION, pair[0]))
    for name, level in levels:
        yield FEATURE_LEVEL, message(name, level), 0


def _zk_migration(view: StateView) -> Iterator[Numbered]:
    """Kafka 3 writes it, Kafka 4 knows it no more; here it is kept as long as it says anything."""
    if state := view.zk_migration_state:
        yield ZK_MIGRATION_STATE, _maker(ZK_MIGRATION_STATE)(state), 0


def _brokers(view: StateView) -> Iterator[Numbered]:
    codec = record_codec(REGISTER_BROKER)
    version = register_broker_version(view.features.metadata_version)
    for _, broker in _entries(view.brokers):
        least = _least_broker_version(broker)
        yield REGISTER_BROKER, _broker(codec, broker), max(version, least)


def _broker(codec: Any, broker: Broker) -> Any:
    return codec.RegisterBrokerRecord(
        broker_id=broker.broker_id,
        is_migrating_zk_broker=broker.is_migrating_zk_broker,
        incarnation_id=broker.incarnation_id,
        broker_epoch=broker.epoch,
        **_reached_and_able(broker, codec.BrokerEndpoint, codec.BrokerFeature),
        rack=broker.rack,
        fenced=broker.fenced,
        in_controlled_shutdown=broker.in_controlled_shutdown,
        log_dirs=broker.log_dirs,
        cordoned_log_dirs=broker.cordoned_log_dirs,
    )


def _least_broker_version(broker: Broker) -> int:
    """The version below which something that is known of the broker would be lost."""
    if broker.cordoned_log_dirs is not None:
        return 4
    if broker.log_dirs:
        return 3
    if broker.is_migrating_zk_broker:
        return 2
    return int(broker.in_controlled_shutdown)


def _controllers(view: StateView) -> Iterator[Numbered]:
    codec = record_codec(REGISTER_CONTROLLER)
    for _, controller in _entries(view.controllers):
        yield REGISTER_CONTROLLER, _controller(codec, controller), 0


def _controller(codec: Any, controller: Controller) -> Any:
    return codec.RegisterControllerRecord(
        controller_id=controller.controller_id,
        incarnation_id=controller.incarnation_id,
        zk_migration_ready=controller.zk_migration_ready,
        **_reached_and_able(controller, codec.ControllerEndpoint, codec.ControllerFeature),
    )


def _reached_and_able(
    node: Broker | Controller, endpoint: Callable[..., Any], feature: Callable[..., Any]
) -> dict[str, list[Any]]:
    """Where a node listens and which features it knows: both records have the same two fields."""
    return {
        "end_points": [
            endpoint(one.listener, one.host, one.port, one.security_protocol)
            for one in node.endpoints
        ],
        "features": [feature(one.name, one.lowest, one.highest) for one in node.features],
    }


def _topics(view: StateView) -> Iterator[Numbered]:
    topic_message, partition_message = _maker(TOPIC), _maker(PARTITION)
    version = partition_version(view.features.metadata_version)
    partitions = view.partitions
    for topic_id, topic in _entries(view.topics):
        yield TOPIC, topic_message(topic.name, topic_id), 0
        for number in range(topic.partition_count):
            one = partitions.get((topic_id, number))
            if one is None:
                continue
            least = max(version, _least_partition_version(one)) if version < 2 else version
            message = partition_message(
                number,
                topic_id,
                one.replicas,
                one.isr,
                one.removing_replicas,
                one.adding_replicas,
                one.leader,
                one.leader_recovery_state,
                one.leader_epoch,
                one.partition_epoch,
                one.directories if least else (),
                one.elr or None,
                one.last_known_elr or None,
            )
            yield PARTITION, message, least


def _least_partition_version(one: Partition) -> int:
    """The version below which something that is known of the partition would be lost."""
    if one.elr or one.last_known_elr:
        return 2
    return int(any(directory != MIGRATING_DIRECTORY for directory in one.directories))


def _configs(view: StateView) -> Iterator[Numbered]:
    message = _maker(CONFIG)
    for resource, settings in _entries(view.configs):
        for name, value in settings.items():
            yield CONFIG, message(*resource, name, value), 0


def _quotas(view: StateView) -> Iterator[Numbered]:
    codec: Any = record_codec(CLIENT_QUOTA)
    for entity, quotas in _entries(view.quotas):
        parts = [codec.EntityData(kind, name) for kind, name in entity]
        for key, value in quotas.items():
            yield CLIENT_QUOTA, codec.ClientQuotaRecord(parts, key, value), 0


def _producer_ids(view: StateView) -> Iterator[Numbered]:
    if view.next_producer_id > 0:
        yield PRODUCER_IDS, _maker(PRODUCER_IDS)(-1, -1, view.next_producer_id), 0


def _access_rules(view: StateView) -> Iterator[Numbered]:
    message = _maker(ACCESS_CONTROL_ENTRY)
    for _, rule in _entries(view.access_rules):
        record = message(
            rule.rule_id,
            rule.resource_type,
            rule.resource_name,
            rule.pattern_type,
            rule.principal,
            rule.host,
            rule.operation,
            rule.permission_type,
        )
        yield ACCESS_CONTROL_ENTRY, record, 0


def _scram(view: StateView) -> Iterator[Numbered]:
    message = _maker(USER_SCRAM_CREDENTIAL)
    for key, one in _entries(view.scram):
        record = message(*key, one.salt, one.stored_key, one.server_key, one.iterations)
        yield USER_SCRAM_CREDENTIAL, record, 0


def _tokens(view: StateView) -> Iterator[Numbered]:
    message = _maker(DELEGATION_TOKEN)
    for _, token in _entries(view.tokens):
        record = message(
            token.owner,
            token.requester,
            token.renewers,
            token.issue_timestamp_ms,
            token.max_timestamp_ms,
            token.expiration_timestamp_ms,
            token.token_id,
        )
        yield DELEGATION_TOKEN, record, 0


def _entries(table: Reader[K, V]) -> Iterator[tuple[K, V]]:
    """All entries by a list of keys: the table may be written while this rests."""
    for key in table.keys():  # noqa: SIM118  # a list, taken once
        value = table.get(key)
        if value is None:
            raise InvariantViolated(
                f"{key!r} is listed, but not there: the view's mark was not held"
            )
        yield key, value


def _maker(type: int) -> Callable[..., Any]:
    """The class of a record type's message; its generated module is loaded on first use."""
    codec = record_codec(type)
    maker: Callable[..., Any] = getattr(codec, codec.NAME)
    return maker


_PARTS: Final[tuple[Callable[[StateView], Iterator[Numbered]], ...]] = (
    _features,
    _zk_migration,
    _brokers,
    _controllers,
    _topics,
    _configs,
    _quotas,
    _producer_ids,
    _access_rules,
    _scram,
    _tokens,
)

_TYPES: Final = (
    FEATURE_LEVEL,
    REGISTER_BROKER,
    REGISTER_CONTROLLER,
    TOPIC,
    PARTITION,
    CONFIG,
    CLIENT_QUOTA,
    PRODUCER_IDS,
    ACCESS_CONTROL_ENTRY,
    USER_SCRAM_CREDENTIAL,
    DELEGATION_TOKEN,
)
