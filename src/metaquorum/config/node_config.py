"""The configuration of one node, frozen: built from a ``server.properties``, checked as a whole.

Every bad value and every contradiction of the file is reported at once, each with its key, the
value and what would be right. Keys and defaults are Kafka's; ``metrics.listener`` and those that
begin with ``metaquorum.`` are our own.

A superset of Kafka's controller: with ``process.roles=controller`` the listeners may name more
than the controller listeners; those others serve clients (``--bootstrap-server`` of Kafka's
tools). The broker role itself is refused when a server starts, since there is no broker here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from attrs import field, frozen

from metaquorum.base.errors import OperatorError
from metaquorum.config import java_classes
from metaquorum.config.access_settings import AccessSettings
from metaquorum.config.key import REQUIRED, BadValue
from metaquorum.config.keys import known_keys, warnings_for
from metaquorum.config.link_settings import LinkSettings
from metaquorum.config.listeners import HostPort, Listener, StaticVoter
from metaquorum.config.properties import read_properties
from metaquorum.config.providers import Resolved, resolve
from metaquorum.config.sasl_settings import SaslSettings
from metaquorum.config.tls_settings import TlsSettings

CONTROLLER_ROLE = "controller"
BROKER_ROLE = "broker"


def local_host_name() -> str:
    """The name under which this machine knows itself, as Java's canonical host name."""
    import socket

    return socket.getfqdn()


@frozen(kw_only=True)
class NodeConfig:
    """The configuration of one node. Times are milliseconds, sizes bytes, as the names say."""

    node_id: int
    process_roles: tuple[str, ...]

    listeners: tuple[Listener, ...]
    advertised_listeners: tuple[Listener, ...]
    controller_listener_names: tuple[str, ...]
    metrics_listener: HostPort | None

    log_dirs: tuple[str, ...]
    metadata_log_dir: str

    bootstrap_servers: tuple[HostPort, ...]
    static_voters: tuple[StaticVoter, ...]
    quorum_election_timeout_ms: int
    quorum_fetch_timeout_ms: int
    quorum_election_backoff_max_ms: int
    quorum_append_linger_ms: int
    quorum_request_timeout_ms: int
    quorum_retry_backoff_ms: int
    quorum_auto_join: bool
    quorum_fetch_max_bytes: int
    quorum_fetch_snapshot_max_bytes: int
    prompt_failover: bool
    groups_enabled: bool
    controllers_serve_clients: bool
    metadata_version_max: int

    log_file: str | None
    log_file_max_bytes: int
    log_files_max: int
    log_format: str

    metadata_log_segment_bytes: int
    metadata_log_segment_ms: int
    metadata_max_batch_bytes: int
    metadata_max_retention_bytes: int
    metadata_max_retention_ms: int
    metadata_start_lag_max_ms: int | None
    metadata_delete_delay_ms: int
    metadata_max_record_bytes_between_snapshots: int
    metadata_max_snapshot_interval_ms: int
    metadata_min_changed_ratio: float | None
    metadata_max_idle_interval_ms: int

    socket_listen_backlog: int
    socket_receive_buffer_bytes: int
    socket_send_buffer_bytes: int
    socket_request_max_bytes: int
    connections_max_idle_ms: int
    max_connections: int
    max_connections_per_ip: int
    max_connections_per_ip_overrides: tuple[tuple[str, int], ...]
    max_connection_creation_rate: int
    listener_max_connections: tuple[tuple[str, int], ...]
    listener_connection_rates: tuple[tuple[str, int], ...]
    queued_max_request_bytes: int
    connection_host: str
    fetch_max_bytes: int
    fetch_session_slots: int
    replica_fetch_response_max_bytes: int

    min_insync_replicas: int
    default_replication_factor: int
    default_partitions: int
    delete_topic_enable: bool

    broker_session_timeout_ms: int
    broker_heartbeat_interval_ms: int
    broker_quick_restart: bool
    unclean_leader_election_enable: bool
    unclean_leader_election_interval_ms: int
    leader_rebalance_enable: bool
    leader_imbalance_check_interval_s: int

    delegation_token_secret: str | None = field(repr=False)
    delegation_token_max_lifetime_ms: int
    delegation_token_expiry_ms: int
    delegation_token_expiry_check_interval_ms: int

    given: Mapping[str, str] = field(factory=dict, repr=False)
    """Every key of the file and of the overrides, with its text, known or not.

    Variables have given way to what ``config.providers`` gave for them.
    """
    resolved: Resolved = field(factory=lambda: Resolved({}), repr=False, eq=False)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        overrides: Mapping[str, str] | None = None,
        *,
        host_name: Callable[[], str] = local_host_name,
        environ: Mapping[str, str] | None = None,
    ) -> tuple[NodeConfig, list[str]]:
        """The configuration in the file, changed by the overrides, and warnings to print.

        ``environ`` None stands for that of the process; only ``config.providers`` look there.
        OperatorError tells everything that is wrong with the file.
        """
        properties = {**read_properties(path), **(overrides or {})}
        return cls.of(properties, os.fspath(path), host_name=host_name, environ=environ)

    @classmethod
    def of(
        cls,
        properties: Mapping[str, str],
        source: str,
        *,
        host_name: Callable[[], str] = local_host_name,
        environ: Mapping[str, str] | None = None,
    ) -> tuple[NodeConfig, list[str]]:
        """As ``load``, from keys and values that were read elsewhere; ``source`` names where."""
        from metaquorum.config.node_fields import read_fields

        try:
            resolved = resolve(properties, environ)
        except BadValue as error:
            raise OperatorError(f"{source}: {error}") from None
        try:
            fields, warnings = read_fields(resolved.values, source, host_name)
        except OperatorError as error:
            raise OperatorError(resolved.hide(str(error))) from None
        config = cls(**fields, given=resolved.values, resolved=resolved)
        hidden = map(resolved.hide, warnings)
        return config, [*warnings_for(tuple(properties)), *resolved.warnings, *hidden]

    @property
    def is_controller(self) -> bool:
        """Whether this node takes part in the metadata quorum."""
        return CONTROLLER_ROLE in self.process_roles

    @property
    def controller_listeners(self) -> tuple[Listener, ...]:
        """The listeners that voters and brokers use, in the order of controller.listener.names."""
        by_name = {listener.name: listener for listener in self.listeners}
        return tuple(by_name[name] for name in self.controller_listener_names if name in by_name)

    @property
    def advertised_controller_listeners(self) -> tuple[Listener, ...]:
        """Where other voters reach this node, in the order of controller.listener.names."""
        by_name = {listener.name: listener for listener in self.advertised_listeners}
        return tuple(by_name[name] for name in self.controller_listener_names if name in by_name)

    def text_of(self, name: str) -> str | None:
        """The text in force for a known key: as given, else Kafka's default, None without one."""
        if name in self.given:
            return self.given[name].strip()
        default = known_keys()[name].default
        return None if default == REQUIRED else default

    @property
    def access(self) -> AccessSettings | None:
        """What holds for access, None if everybody may do everything; BadValue says why not."""
        return AccessSettings.read(self.text_of)

    def sasl_of(self, listener: Listener) -> SaslSettings | None:
        """What a listener offers to who authenticates, None without SASL; BadValue says why not."""
        if not listener.protocol.startswith("SASL_"):
            return None
        reauth_ms = self._whole("connections.max.reauth.ms")
        delay_ms = self._whole("connection.failed.authentication.delay.ms")
        return SaslSettings.read(self.given, listener.name, reauth_ms, delay_ms)

    def tls_of(self, listener: Listener) -> TlsSettings | None:
        """What a listener serves TLS with, None without TLS; BadValue says why it cannot."""
        if not listener.protocol.endswith("SSL"):
            return None
        return TlsSettings.of_listener(self.given, listener.name, listener.protocol)

    @property
    def links(self) -> LinkSettings:
        """How this node comes to other controllers; BadValue says what is missing for it."""
        own = self.controller_listeners
        return LinkSettings.read(self.given, own[0]) if own else LinkSettings()

    def _whole(self, name: str) -> int:
        text = self.text_of(name) or "0"
        try:
            return int(text)
        except ValueError:
            raise BadValue(f"{name}: {text!r} is not a whole number") from None

    def check_servable(self) -> None:
        """OperatorError when a server cannot be started with this, though tools can use it."""
        problems = []
        if BROKER_ROLE in self.process_roles:
            problems.append(
                f"process.roles: {','.join(self.process_roles)} asks for a broker, and this "
                "server has none; set process.roles=controller (listeners beyond those of "
                "controller.listener.names are allowed and serve clients)"
            )
        try:
            _ = self.access
        except BadValue as why:
            problems.append(str(why))
        problems += java_classes.problems(self.given)
        found = [self._unservable(one) for one in self.listeners]
        problems += [one for one in found if one is not None]
        if problems:
            raise OperatorError(self.resolved.hide("\n".join(problems)))

    def _unservable(self, listener: Listener) -> str | None:
        """Why nobody can be served on a listener."""
        if listener.protocol == "PLAINTEXT":
            return None
        try:
            self.sasl_of(listener)
            self.tls_of(listener)
            if listener in self.controller_listeners[:1]:
                _ = self.links
        except BadValue as why:
            return str(why)
        return None
