"""Whom a command asks: the bootstrap flags and the properties of the client."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.client.security import Security
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import HostPort, parse_bootstrap_servers

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


def read_command_config(path: str | None) -> dict[str, str]:
    """A client's properties; OperatorError for a file that cannot be read."""
    if path is None:
        return {}
    from metaquorum.config.properties import read_properties

    return read_properties(path)


def security_of(command_config: str | None) -> Security:
    """How connections are secured, by the file of ``--command-config``."""
    return Security.read(read_command_config(command_config))


def parse_target(server: str | None, controller: str | None, command_config: str | None) -> Target:
    """The target of a command line; exactly one of ``server`` and ``controller`` is given."""
    if (server is None) == (controller is None):
        raise OperatorError("give one of --bootstrap-server and --bootstrap-controller")
    properties = read_command_config(command_config)
    return Target(
        parse_bootstrap(server if server is not None else controller or ""),
        _BROKERS if server is not None else _CONTROLLERS,
        _millis(properties, "default.api.timeout.ms", DEFAULT_TIMEOUT_MS),
        _millis(properties, "request.timeout.ms", DEFAULT_REQUEST_TIMEOUT_MS),
        properties.get("client.id", "metaquorum-admin").strip(),
        Security.read(properties),
    )


def _millis(properties: dict[str, str], name: str, default: int) -> int:
    text = properties.get(name, str(default)).strip()
    if not (text.isascii() and text.isdigit()):
        raise OperatorError(f"{name}: {text!r} is not a number of milliseconds")
    return int(text)
