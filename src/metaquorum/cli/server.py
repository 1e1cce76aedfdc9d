"""``metaquorum server``: read the configuration, say what is odd, run the node.

``start`` runs the node that a file describes, ``dev`` one that needs none: a single voter on
loopback, for a look and for tests of clients.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import click

from metaquorum.cli.clock import wall_ms
from metaquorum.cli.command import Group
from metaquorum.cli.dev_directory import CLIENT_PORT, CONTROLLER_PORT, prepare
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.properties import parse_override

EXAMPLES = """\b
Examples:
  metaquorum server start server.properties
  metaquorum server start server.properties --override node.id=2 --override log.dirs=/var/lib/two
  metaquorum server dev
"""
DEV_EXAMPLES = """\b
Examples:
  metaquorum server dev                            # forgotten at its end
  metaquorum server dev ./quorum                   # formatted at the first start, then kept
  metaquorum server dev --port 19092 --controller-port 19093
  metaquorum server dev --override metrics.listener=localhost:9404
and in another terminal:
  metaquorum tail --bootstrap-controller localhost:9093 --follow
"""
PORT = click.IntRange(1, 65_535)
override_option = click.option(
    "--override",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a key in place of the file's value; may be given several times.",
)


@click.group(cls=Group, epilog=EXAMPLES)
def server() -> None:
    """Run a node."""


@server.command(epilog=EXAMPLES)
@click.argument("config", type=click.Path(dir_okay=False))
@override_option
def start(config: str, overrides: tuple[str, ...]) -> int:
    """Run the node that CONFIG, a server.properties, describes, until SIGTERM or SIGINT."""
    return _run(config, overrides)


@server.command(epilog=DEV_EXAMPLES)
@click.argument("directory", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--port",
    type=PORT,
    default=CLIENT_PORT,
    show_default=True,
    help="Where clients find it, when DIRECTORY has no server.properties yet.",
)
@click.option(
    "--controller-port",
    type=PORT,
    default=CONTROLLER_PORT,
    show_default=True,
    help="Where controllers and `metaquorum tail` find it, likewise.",
)
@override_option
def dev(directory: Path | None, port: int, controller_port: int, overrides: tuple[str, ...]) -> int:
    """Run a single voter on loopback that needs no configuration, until SIGTERM or SIGINT.

    DIRECTORY gets a server.properties and a formatted log directory at the first start; later
    starts take what is there, and `metaquorum server start DIRECTORY/server.properties` does as
    well. Without DIRECTORY everything is in a temporary one that is removed at the end. It has no
    TLS, no users and no replicas: not for what must last.
    """
    if directory is not None:
        return _run(str(prepare(directory, port, controller_port, overrides)), overrides)
    with tempfile.TemporaryDirectory(prefix="metaquorum-") as scratch:
        config = prepare(Path(scratch), port, controller_port, overrides)
        return _run(str(config), overrides)


def _run(config: str, overrides: tuple[str, ...]) -> int:
    changes = dict(parse_override(override) for override in overrides)
    node_config, warnings = NodeConfig.load(config, changes)
    for warning in warnings:
        with suppress(OSError):  # nobody reads it, or the disk is full: no reason not to start
            line = remark_line(node_config.log_format, "configuration-warning", warning)
            click.echo(line, err=True)
    node_config.check_servable()

    from metaquorum.node.lifecycle import run

    return run(node_config) or 0


def remark_line(log_format: str, event: str, text: str) -> str:
    """What is said before the node runs, as a line of that format.

    It is a warning if the name of the event ends so.
    """
    is_warning = event.endswith("warning")
    if log_format == "text":
        return f"metaquorum: {'warning: ' if is_warning else ''}{text}"
    from metaquorum.observe.events import FORMS, Level

    level = Level.WARN if is_warning else Level.INFO
    return FORMS[log_format](wall_ms(), level, event, {"why": text})
