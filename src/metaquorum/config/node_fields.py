"""From keys and texts to the fields of ``NodeConfig``; all problems are collected and reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from metaquorum.base.errors import OperatorError
from metaquorum.config.key import REQUIRED, BadValue, Value
from metaquorum.config.keys import known_keys
from metaquorum.config.listeners import (
    HostPort,
    Listener,
    StaticVoter,
    as_voter,
    check_distinct,
    is_wildcard,
    parse_host_port,
    parse_listener,
    parse_protocol_map,
    parse_voter,
    reachable,
)
from metaquorum.config.tls_settings import old_protocol_warnings

T = TypeVar("T")

LISTENER_PREFIX = "listener.name."

# Fields that are the value of one key and nothing more.
_PLAIN_FIELDS = {
    "quorum_election_timeout_ms": "controller.quorum.election.timeout.ms",
    "quorum_fetch_timeout_ms": "controller.quorum.fetch.timeout.ms",
    "quorum_election_backoff_max_ms": "controller.quorum.election.backoff.max.ms",
    "quorum_append_linger_ms": "controller.quorum.append.linger.ms",
    "quorum_request_timeout_ms": "controller.quorum.request.timeout.ms",
    "quorum_retry_backoff_ms": "controller.quorum.retry.backoff.ms",
    "quorum_auto_join": "controller.quorum.auto.join.enable",
    "quorum_fetch_max_bytes": "controller.quorum.fetch.max.bytes",
    "quorum_fetch_snapshot_max_bytes": "controller.quorum.fetch.snapshot.max.bytes",
    "metadata_log_segment_ms": "metadata.log.segment.ms",
    "metadata_max_batch_bytes": "internal.metadata.max.batch.size.in.bytes",
    "metadata_max_retention_bytes": "metadata.max.retention.bytes",
    "metadata_max_retention_ms": "metadata.max.retention.ms",
    "metadata_start_lag_max_ms": "metadata.start.offset.lag.time.max.ms",
    "metadata_delete_delay_ms": "internal.metadata.delete.delay.millis",
    "metadata_max_record_bytes_between_snapshots": (
        "metadata.log.max.record.bytes.between.snapshots"
    ),
    "metadata_max_snapshot_interval_ms": "metadata.log.max.snapshot.interval.ms",
    "metadata_min_changed_ratio": "metadata.snapshot.min.changed_records.ratio",
    "metadata_max_idle_interval_ms": "metadata.max.idle.interval.ms",
    "socket_listen_backlog": "socket.listen.backlog.size",
    "socket_receive_buffer_bytes": "socket.receive.buffer.bytes",
    "socket_send_buffer_bytes": "socket.send.buffer.bytes",
    "socket_request_max_bytes": "socket.request.max.bytes",
    "connections_max_idle_ms": "connections.max.idle.ms",
    "max_connections": "max.connections",
    "max_connections_per_ip": "max.connections.per.ip",
    "max_connection_creation_rate": "max.connection.creation.rate",
    "queued_max_request_bytes": "queued.max.request.bytes",
    "connection_host": "metaquorum.connection.host",
    "fetch_max_bytes": "fetch.max.bytes",
    "fetch_session_slots": "max.incremental.fetch.session.cache.slots",
    "replica_fetch_response_max_bytes": "replica.fetch.response.max.bytes",
    "min_insync_replicas": "min.insync.replicas",
    "default_replication_factor": "default.replication.factor",
    "default_partitions": "num.partitions",
    "delete_topic_enable": "delete.topic.enable",
    "broker_session_timeout_ms": "broker.session.timeout.ms",
    "broker_heartbeat_interval_ms": "broker.heartbeat.interval.ms",
    "broker_quick_restart": "metaquorum.broker.quick.restart.enable",
    "unclean_leader_election_enable": "unclean.leader.election.enable",
    "unclean_leader_election_interval_ms": "unclean.leader.election.interval.ms",
    "leader_rebalance_enable": "auto.leader.rebalance.enable",
    "leader_imbalance_check_interval_s": "leader.imbalance.check.interval.seconds",
    "delegation_token_secret": "delegation.token.secret.key",
    "delegation_token_max_lifetime_ms": "delegation.token.max.lifetime.ms",
    "delegation_token_expiry_ms": "delegation.token.expiry.time.ms",
    "delegation_token_expiry_check_interval_ms": "delegation.token.expiry.check.interval.ms",
    "controllers_serve_clients": "metaquorum.controller.listeners.serve.clients",
    "groups_enabled": "metaquorum.groups.enable",
    "log_file": "metaquorum.log.file",
    "log_file_max_bytes": "metaquorum.log.file.max.bytes",
    "log_files_max": "metaquorum.log.files.max",
    "log_format": "metaquorum.log.format",
    "metadata_version_max": "metaquorum.metadata.version.max",
    "prompt_failover": "metaquorum.prompt.failover.enable",
}


class _Reader:
    """Values by key, and the problems and oddities met on the way."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        self.properties = properties
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.values: dict[str, Value] = {}
        for name, key in known_keys().items():
            if name not in properties:
                continue
            try:
                self.values[name] = key.parse(properties[name])
            except BadValue as error:
                self.problems.append(f"{name}: {error}")

    def get(self, name: str) -> Any:
        if name in self.values:
            return self.values[name]
        return known_keys()[name].default_value()

    def is_given(self, name: str) -> bool:
        return name in self.properties

    def require(self, name: str, why: str) -> None:
        if name not in self.properties and known_keys()[name].default == REQUIRED:
            self.problems.append(f"{name} is missing: {why}")

    def tried(self, name: str, make: Callable[[], T]) -> T | None:
        """What ``make`` returns; its BadValue becomes a problem of the key ``name``, and None."""
        try:
            return make()
        except BadValue as error:
            self.problems.append(f"{name}: {error}")
            return None


def read_fields(
    properties: Mapping[str, str], source: str, host_name: Callable[[], str]
) -> tuple[dict[str, Any], list[str]]:
    """All fields of a NodeConfig but ``given``, and warnings.

    OperatorError lists all that is wrong.
    """
    reader = _Reader(properties)
    fields: dict[str, Any] = {name: reader.get(key) for name, key in _PLAIN_FIELDS.items()}
    fields["metadata_log_segment_bytes"] = reader.get(
        "internal.metadata.log.segment.bytes"
    ) or reader.get("metadata.log.segment.bytes")
    fields |= _identity(reader)
    fields |= _directories(reader)
    fields |= _peers(reader, fields["process_roles"], fields["node_id"])
    own = next((one for one in fields["static_voters"] if one.id == fields["node_id"]), None)
    fields |= _listeners(reader, fields["process_roles"], own, host_name)
    fields |= _connections(reader)
    reader.warnings += old_protocol_warnings(properties)
    if len(reader.problems) == 1:
        raise OperatorError(f"{source}: {reader.problems[0]}")
    if reader.problems:
        listed = "".join(f"\n  {problem}" for problem in reader.problems)
        raise OperatorError(f"{source} has {len(reader.problems)} problems:{listed}")
    return fields, reader.warnings


def _connections(reader: _Reader) -> dict[str, Any]:
    name = "max.connections.per.ip.overrides"
    overrides = []
    for item in reader.get(name).split(","):
        host, _, count = item.strip().rpartition(":")
        if host and count.isdecimal():
            overrides.append((host.strip("[]"), int(count)))
        elif item.strip():
            reader.problems.append(f"{name}: {item.strip()} is not HOST:COUNT")
    if reader.get("max.connections.per.ip") == 0 and not overrides:
        reader.problems.append(f"max.connections.per.ip: 0 lets nobody in without {name}")
    held, largest = "queued.max.request.bytes", "socket.request.max.bytes"
    if 0 < reader.get(held) < reader.get(largest):
        reader.problems.append(
            f"{held}: {reader.get(held)} would never hold a request of {largest}, "
            f"{reader.get(largest)}; -1 sets no limit"
        )
    return {
        "max_connections_per_ip_overrides": tuple(overrides),
        "listener_max_connections": _of_listeners(reader, "max.connections"),
        "listener_connection_rates": _of_listeners(reader, "max.connection.creation.rate"),
    }


def _of_listeners(reader: _Reader, name: str) -> tuple[tuple[str, int], ...]:
    """What ``listener.name.X.NAME`` says, with the names of the listeners in capitals."""
    found: list[tuple[str, int]] = []
    for key, text in reader.properties.items():
        if not key.startswith(LISTENER_PREFIX) or not key.endswith(f".{name}"):
            continue
        listener = key[len(LISTENER_PREFIX) : -len(name) - 1]
        try:
            count: Any = known_keys()[name].parse(text)
        except BadValue as bad:
            reader.problems.append(f"{key}: {bad}")
            continue
        found.append((listener.upper(), count))
    return tuple(sorted(found))


def _identity(reader: _Reader) -> dict[str, Any]:
    node_id: int | None = reader.get("node.id")
    broker_id: int = reader.get("broker.id")
    if node_id is None and broker_id >= 0 and reader.is_given("broker.id"):
        node_id = broker_id
    elif reader.is_given("broker.id") and node_id is not None and node_id != broker_id:
        reader.problems.append(
            f"broker.id is {broker_id} and node.id is {node_id}; leave broker.id out, "
            "or give both the same number"
        )
    if node_id is None and not reader.is_given("node.id"):
        reader.problems.append(
            "node.id is missing: every node needs a number of its own, 0 or more"
        )
    reader.require("process.roles", "write process.roles=controller")
    roles: tuple[str, ...] = reader.get("process.roles") or ()
    if reader.is_given("process.roles") and "process.roles" in reader.values and not roles:
        reader.problems.append("process.roles is empty; write process.roles=controller")
    return {
        "node_id": -1 if node_id is None else node_id,
        "process_roles": tuple(dict.fromkeys(roles)),
    }


def _directories(reader: _Reader) -> dict[str, Any]:
    name = "log.dirs" if reader.is_given("log.dirs") else "log.dir"
    log_dirs: tuple[str, ...] = reader.get(name)
    if not log_dirs or "" in log_dirs:
        reader.problems.append(f"{name}: an empty path; name a directory")
    for directory in dict.fromkeys(log_dirs):
        if log_dirs.count(directory) > 1:
            reader.warnings.append(f"{name}: {directory} stands there twice and counts once")
    log_dirs = tuple(dict.fromkeys(log_dirs))
    metadata_log_dir: str = reader.get("metadata.log.dir") or (log_dirs[0] if log_dirs else "")
    return {"log_dirs": log_dirs, "metadata_log_dir": metadata_log_dir}


def _listeners(
    reader: _Reader,
    roles: tuple[str, ...],
    own_voter: StaticVoter | None,
    host_name: Callable[[], str],
) -> dict[str, Any]:
    reader.require("controller.listener.names", "name the listener of the quorum, e.g. CONTROLLER")
    names = tuple(name.upper() for name in reader.get("controller.listener.names") or ())
    if reader.is_given("controller.listener.names") and not all(names or ("",)):
        reader.problems.append("controller.listener.names: an empty name; e.g. CONTROLLER")
    protocols = _protocols(reader, names)
    listeners = _parsed_listeners(reader, "listeners", protocols)
    reader.tried("listeners", partial(check_distinct, listeners))
    bound = {listener.name for listener in listeners}
    if reader.is_given("listeners") and not reader.get("listeners"):
        reader.problems.append("listeners is empty; write e.g. CONTROLLER://localhost:9093")
    missing = [name for name in names if name and name not in bound]
    if "controller" in roles and listeners and missing:
        reader.problems.append(
            f"listeners: {', '.join(missing)} is not there; a controller listens on all of "
            "controller.listener.names"
        )
    listed = _advertised(reader, listeners, protocols)
    if own_voter is not None and names and names[0] not in listed:
        listed |= {one.name: as_voter(one, own_voter) for one in listeners if one.name == names[0]}
    return {
        "listeners": listeners,
        "advertised_listeners": tuple(
            reachable(listed.get(one.name, one), host_name) for one in listeners
        ),
        "controller_listener_names": names,
        "metrics_listener": _metrics_listener(reader, listeners),
    }


def _protocols(reader: _Reader, controller_names: tuple[str, ...]) -> dict[str, str] | None:
    """The protocol map in force, None when it cannot be read.

    Without one of the operator's own, controller listeners are PLAINTEXT unless a listener is
    named after a safer protocol: then leaving out the map was hardly meant to open a listener.
    """
    name = "listener.security.protocol.map"
    items = [item for item in reader.get(name).split(",") if item.strip()]
    protocols = reader.tried(name, partial(parse_protocol_map, items))
    if reader.is_given(name) or protocols is None:
        return protocols
    used = [text.partition(":")[0].strip().upper() for text in reader.get("listeners") or ()]
    if all(protocols.get(one, "PLAINTEXT") == "PLAINTEXT" for one in (*used, *controller_names)):
        return {**dict.fromkeys(controller_names, "PLAINTEXT"), **protocols}
    return protocols


def _parsed_listeners(
    reader: _Reader, name: str, protocols: Mapping[str, str] | None
) -> tuple[Listener, ...]:
    parsed: list[Listener] = []
    for text in reader.get(name) or ():
        listener = reader.tried(name, partial(parse_listener, text, protocols))
        if listener is not None:
            parsed.append(listener)
    return tuple(dict.fromkeys(parsed))


def _advertised(
    reader: _Reader, listeners: tuple[Listener, ...], protocols: Mapping[str, str] | None
) -> dict[str, Listener]:
    """What ``advertised.listeners`` says, by the names of the listeners."""
    name = "advertised.listeners"
    listed = _parsed_listeners(reader, name, protocols)
    reader.tried(name, partial(check_distinct, listed, ports=False))
    bound = [listener.name for listener in listeners]
    for listener in listed:
        if listener.host and listener.is_wildcard:
            reader.problems.append(f"{name}: no peer can dial {listener}; name a host that it can")
        if listener.name not in bound:
            reader.warnings.append(
                f"{name}: {listener.name} is not among listeners and has no effect"
            )
    if reader.is_given(name) and not reader.get(name):
        reader.problems.append(f"{name} is empty; leave it out, or name what others can reach")
    return {listener.name: listener for listener in listed}


def _metrics_listener(reader: _Reader, listeners: Sequence[Listener]) -> HostPort | None:
    text: str | None = reader.get("metrics.listener")
    if not text:
        return None
    place = reader.tried("metrics.listener", partial(parse_host_port, text, empty_host=True))
    for listener in listeners:
        if (
            place is not None
            and place.port == listener.port != 0
            and (place.host == listener.host or listener.is_wildcard or is_wildcard(place.host))
        ):
            reader.problems.append(
                f"metrics.listener: {place} is the place of {listener}; it needs a port of its own"
            )
    return place


def _peers(reader: _Reader, roles: tuple[str, ...], node_id: int) -> dict[str, Any]:
    bootstrap_key, voters_key = "controller.quorum.bootstrap.servers", "controller.quorum.voters"
    servers = _each(reader, bootstrap_key, parse_host_port)
    voters: tuple[StaticVoter, ...] = _each(reader, voters_key, parse_voter)
    ids = [voter.id for voter in voters]
    if len(set(ids)) < len(ids):
        reader.problems.append(f"{voters_key}: a node id stands there twice")
    if not reader.get(bootstrap_key) and not reader.get(voters_key):
        reader.problems.append(
            f"neither {bootstrap_key} nor {voters_key} is set; "
            f"write e.g. {bootstrap_key}=localhost:9093"
        )
    if "controller" in roles and voters and node_id not in ids:
        reader.problems.append(f"{voters_key}: node.id {node_id} is a controller but not a voter")
    if reader.get("controller.quorum.auto.join.enable") and "controller" not in roles:
        reader.problems.append("controller.quorum.auto.join.enable: only a controller can join")
    return {"bootstrap_servers": servers, "static_voters": voters}


def _each(reader: _Reader, name: str, parse: Callable[[str], T]) -> tuple[T, ...]:
    """What was read; the same twice counts once, as in Kafka."""
    made: list[T] = []
    for text in reader.get(name):
        one = reader.tried(name, partial(parse, text))
        if one is not None:
            made.append(one)
    return tuple(dict.fromkeys(made))
