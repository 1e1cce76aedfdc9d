"""Entries of the metadata state as Kafka's metadata shell prints them, to the letter."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from math import isinf, isnan
from struct import unpack
from typing import Any, Final

from metaquorum.base.ids import Uuid, uuid_text
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.tables.nodes import Broker, Controller, FeatureRange, NodeEndpoint
from metaquorum.metadata.tables.quotas import QuotaEntity
from metaquorum.metadata.tables.security import AccessRule, DelegationToken, ScramCredential
from metaquorum.metadata.tables.topics import Partition

SECURITY_PROTOCOLS: Final = {0: "PLAINTEXT", 1: "SSL", 2: "SASL_PLAINTEXT", 3: "SASL_SSL"}
RESOURCE_TYPES: Final = dict(
    enumerate(
        ("ANY", "TOPIC", "GROUP", "CLUSTER", "TRANSACTIONAL_ID", "DELEGATION_TOKEN", "USER"),
        start=1,
    )
)
PATTERN_TYPES: Final = {1: "ANY", 2: "MATCH", 3: "LITERAL", 4: "PREFIXED"}
OPERATIONS: Final = dict(
    enumerate(
        (
            *("ANY", "ALL", "READ", "WRITE", "CREATE", "DELETE", "ALTER", "DESCRIBE"),
            *("CLUSTER_ACTION", "DESCRIBE_CONFIGS", "ALTER_CONFIGS", "IDEMPOTENT_WRITE"),
            *("CREATE_TOKENS", "DESCRIBE_TOKENS", "TWO_PHASE_COMMIT"),
        ),
        start=1,
    )
)
PERMISSIONS: Final = {1: "ANY", 2: "DENY", 3: "ALLOW"}
RECOVERY_STATES: Final = {0: "RECOVERED", 1: "RECOVERING"}
QUOTA_PARTS: Final = (("client-id", "clientId"), ("ip", "ip"), ("user", "user"))
UNKNOWN: Final = "UNKNOWN"


def signed(uuid: Uuid) -> tuple[int, int]:
    """What Kafka compares of an id: two signed halves."""
    high, low = unpack(">qq", uuid)
    return high, low


def names_in_order(names: Iterable[str]) -> list[str]:
    """Names sorted as Java sorts texts: by 16-bit units."""
    return sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))


def number_text(value: float) -> str:
    """A double as Java prints it: 1.0E7, 0.001, -0.0, Infinity."""
    if isnan(value):
        return "NaN"
    sign = "-" if str(value).startswith("-") else ""
    if isinf(value):
        return f"{sign}Infinity"
    shown = Decimal(repr(abs(value))).as_tuple()
    if len("".join(map(str, shown.digits)).strip("0")) == 1:  # Java looks for the nearest of two
        shown = Decimal(f"{abs(value):.1e}").as_tuple()
    if not any(shown.digits):
        return f"{sign}0.0"
    digits = "".join(map(str, shown.digits))
    power = len(digits) + int(shown.exponent) - 1
    digits = digits.rstrip("0")
    if not -3 <= power < 7:
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{power}"
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    whole = digits[: power + 1].ljust(power + 1, "0")
    return f"{sign}{whole}.{digits[power + 1 :] or '0'}"


def zoned_time(timestamp_ms: int) -> str:
    """A time as Kafka's shell has it: ISO 8601, no zeros at the end, the zone's name behind it."""
    try:
        moment = datetime.fromtimestamp(timestamp_ms // 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return str(timestamp_ms)
    fraction = f".{timestamp_ms % 1000:03}".rstrip("0").rstrip(".")
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z[UTC]"


def provenance_text(origin: Origin) -> str:
    """Offset, epoch and time of a record, or of the last one in a state."""
    return f"offset {origin.offset}, epoch {origin.epoch}, time {zoned_time(origin.timestamp_ms)}"


def broker_text(broker: Broker) -> str:
    """A broker's registration."""
    cordoned = broker.cordoned_log_dirs
    return (
        f"BrokerRegistration(id={broker.broker_id}, epoch={broker.epoch}, "
        f"incarnationId={uuid_text(broker.incarnation_id)}, "
        f"listeners={_endpoints(broker.endpoints)}, "
        f"supportedFeatures={_features(broker.features)}, rack={_optional(broker.rack)}, "
        f"fenced={_flag(broker.fenced)}, "
        f"inControlledShutdown={_flag(broker.in_controlled_shutdown)}, "
        f"isMigratingZkBroker={_flag(broker.is_migrating_zk_broker)}, "
        f"directories={_sorted_uuids(broker.log_dirs)}, "
        f"cordonedDirectories={'null' if cordoned is None else _sorted_uuids(cordoned)})"
    )


def controller_text(controller: Controller) -> str:
    """A controller's registration."""
    return (
        f"ControllerRegistration(id={controller.controller_id}, "
        f"incarnationId={uuid_text(controller.incarnation_id)}, "
        f"zkMigrationReady={_flag(controller.zk_migration_ready)}, "
        f"listeners={_endpoints(controller.endpoints)}, "
        f"supportedFeatures={_features(controller.features)})"
    )


def partition_text(partition: Partition) -> str:
    """A partition's registration."""
    directories = ", ".join(map(uuid_text, partition.directories))
    state = RECOVERY_STATES.get(partition.leader_recovery_state, UNKNOWN)
    return (
        f"PartitionRegistration(replicas={list(partition.replicas)}, directories=[{directories}], "
        f"isr={list(partition.isr)}, removingReplicas={list(partition.removing_replicas)}, "
        f"addingReplicas={list(partition.adding_replicas)}, elr={list(partition.elr)}, "
        f"lastKnownElr={list(partition.last_known_elr)}, leader={partition.leader}, "
        f"leaderRecoveryState={state}, leaderEpoch={partition.leader_epoch}, "
        f"partitionEpoch={partition.partition_epoch})"
    )


def access_rule_text(rule: AccessRule) -> str:
    """An access control entry."""
    return (
        f"StandardAcl[resourceType={RESOURCE_TYPES.get(rule.resource_type, UNKNOWN)}, "
        f"resourceName={rule.resource_name}, "
        f"patternType={PATTERN_TYPES.get(rule.pattern_type, UNKNOWN)}, "
        f"principal={rule.principal}, host={rule.host}, "
        f"operation={OPERATIONS.get(rule.operation, UNKNOWN)}, "
        f"permissionType={PERMISSIONS.get(rule.permission_type, UNKNOWN)}]"
    )


def scram_text(credential: ScramCredential) -> str:
    """A SCRAM credential, salt and keys included: Kafka's shell hides nothing."""
    return (
        f"ScramCredentialData(salt={credential.salt.hex()}, "
        f"storedKey={credential.stored_key.hex()}, serverKey={credential.server_key.hex()}, "
        f"iterations={credential.iterations})"
    )


def token_text(token: DelegationToken) -> str:
    """A delegation token, its parentheses where Kafka has them."""
    return (
        f"DelegationTokenDatatokenId={token.token_id}(owner={token.owner}"
        f"(tokenRequester={token.requester}(renewers={' '.join(token.renewers)}, "
        f"issueTimestamp={token.issue_timestamp_ms}, maxTimestamp={token.max_timestamp_ms}), "
        f"expiryTimestamp={token.expiration_timestamp_ms}"
    )


def quota_entity_text(entity: QuotaEntity, *, default: str | None = None) -> str:
    """``clientId(c)_user(u)``; parts that mean the default entity are left out, or ``default``."""
    names = dict(entity)
    return "_".join(
        f"{shown}({default if names[kind] is None else _escaped(names[kind] or '')})"
        for kind, shown in QUOTA_PARTS
        if kind in names and (names[kind] is not None or default is not None)
    )


def plain_value(value: Any) -> Any:
    """An entry's fields as JSON has them: ids as Kafka writes them, other bytes in hex."""
    if isinstance(value, bytes | memoryview):
        return uuid_text(bytes(value)) if len(value) == 16 else bytes(value).hex()
    if isinstance(value, tuple | list):
        return [plain_value(one) for one in value]
    if isinstance(value, float) and (isinf(value) or isnan(value)):
        return number_text(value)
    fields = getattr(value, "__attrs_attrs__", None)
    if fields is None:
        return value
    secret = isinstance(value, ScramCredential)
    return {
        camel(one.name): (
            getattr(value, one.name).hex()
            if secret and isinstance(getattr(value, one.name), bytes)
            else plain_value(getattr(value, one.name))
        )
        for one in fields
        if one.eq  # not where a record is in the log
    }


def camel(name: str) -> str:
    """``leader_epoch`` as ``leaderEpoch``; units at the end go, as in Kafka's own names."""
    first, *others = name.removesuffix("_ms").split("_")
    return first + "".join(word.capitalize() for word in others)


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _optional(value: str | None) -> str:
    return "Optional.empty" if value is None else f"Optional[{value}]"


def _endpoints(endpoints: tuple[NodeEndpoint, ...]) -> str:
    ordered = {one.listener: one for one in endpoints}
    return (
        "["
        + ", ".join(
            f"Endpoint(listenerName='{name}', "
            f"securityProtocol={SECURITY_PROTOCOLS.get(ordered[name].security_protocol, UNKNOWN)}, "
            f"host='{ordered[name].host}', port={ordered[name].port})"
            for name in names_in_order(ordered)
        )
        + "]"
    )


def _features(features: tuple[FeatureRange, ...]) -> str:
    ordered = {one.name: one for one in features}
    return "{" + ", ".join(_range(ordered[name]) for name in names_in_order(ordered)) + "}"


def _range(feature: FeatureRange) -> str:
    if feature.lowest == feature.highest:
        return f"{feature.name}: {feature.lowest}"
    return f"{feature.name}: {feature.lowest}-{feature.highest}"


def _sorted_uuids(uuids: tuple[Uuid, ...]) -> str:
    return "[" + ", ".join(uuid_text(one) for one in sorted(uuids, key=signed)) + "]"
