"""Whom a command asks: the bootstrap flags and the properties of the client."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.client.security import PLAIN, Security
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import HostPort, parse_bootstrap_servers
from metaquorum.config.providers import Resolved, resolve

if TYPE_CHECKING:
    from metaquorum.client.connection import Connection

DEFAULT_TIMEOUT_MS = 15_000  # an election takes seconds; default.api.timeout.ms gives more
DEFAULT_REQUEST_TIMEOUT_MS = 30_000
_BROKERS, _CONTROLLERS = 1, 2


@frozen
class Target:
    """Whom to ask, and how patiently."""

    places: tuple[HostPort, ...]
    endpoint_type: int
    timeout_ms: int
    request_timeout_ms: int
    client_id: str
    security: Security

    @property
    def open(self) -> Callable[..., Connection]:
        """Makes connections that are secured as the properties say."""
        return self.security.open


def parse_bootstrap(text: str) -> tuple[HostPort, ...]:
    """``host:port``, several of them separated by commas; OperatorError shows what is wrong."""
    try:
        return parse_bootstrap_servers(text)
    except BadValue as error:
        raise OperatorError(str(error)) from None


def read_command_config(path: str | None) -> Resolved:
    """A client's properties, their variables resolved, with its warnings printed.

    OperatorError for a file that cannot be read, or whose ``config.providers`` cannot.
    """
    if path is None:
        return Resolved({})
    import click

    from metaquorum.config.properties import read_properties
    from metaquorum.config.tls_settings import old_protocol_warnings

    try:
        resolved = resolve(read_properties(path))
    except BadValue as error:
        raise OperatorError(f"{path}: {error}") from None
    for warning in (*resolved.warnings, *old_protocol_warnings(resolved.values)):
        click.echo(f"metaquorum: warning: {path}: {resolved.hide(warning)}", err=True)
    return resolved


def security_of(command_config: str | None) -> Security:
    """How connections are secured, by the file of ``--command-config``."""
    return Security.of(read_command_config(command_config))


def renewed_security(command_config: str | None) -> Callable[[], Security]:
    """How connections are secured by what the file says whenever it is asked.

    Certificates are renewed in place, under those who run long. What is wrong now is told at once.
    """
    Security.of(read_command_config(command_config))  # says what is wrong, and warns, once
    if command_config is None:
        return lambda: PLAIN
    from metaquorum.config.properties import read_properties

    return lambda: Security.read(read_properties(command_config))


def parse_target(server: str | None, controller: str | None, command_config: str | None) -> Target:
    """The target of a command line; exactly one of ``server`` and ``controller`` is given."""
    if (server is None) == (controller is None):
        raise OperatorError("give one of --bootstrap-server and --bootstrap-controller")
    resolved = read_command_config(command_config)
    return Target(
        parse_bootstrap(server if server is not None else controller or ""),
        _BROKERS if server is not None else _CONTROLLERS,
        _millis(resolved, "default.api.timeout.ms", DEFAULT_TIMEOUT_MS),
        _millis(resolved, "request.timeout.ms", DEFAULT_REQUEST_TIMEOUT_MS),
        resolved.values.get("client.id", "metaquorum-admin").strip(),
        Security.of(resolved),
    )


def _millis(resolved: Resolved, name: str, default: int) -> int:
    text = resolved.values.get(name, str(default)).strip()
    if not (text.isascii() and text.isdigit()):
        raise OperatorError(resolved.hide(f"{name}: {text!r} is not a number of milliseconds"))
    return int(text)
