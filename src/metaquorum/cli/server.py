"""``metaquorum server start CONFIG``: read the configuration, say what is odd, run the node."""

from __future__ import annotations

import time
from contextlib import suppress

import click

from metaquorum.cli.command import Group
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.properties import parse_override

EXAMPLES = """\b
Examples:
  metaquorum server start server.properties
  metaquorum server start server.properties --override node.id=2 --override log.dirs=/var/lib/two
"""


@click.group(cls=Group, epilog=EXAMPLES)
def server() -> None:
    """Run a node."""


@server.command(epilog=EXAMPLES)
@click.argument("config", type=click.Path(dir_okay=False))
@click.option(
    "--override",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a key in place of the file's value; may be given several times.",
)
def start(config: str, overrides: tuple[str, ...]) -> int:
    """Run the node that CONFIG, a server.properties, describes, until SIGTERM or SIGINT."""
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

    wall_ms = time.time_ns() // 1_000_000
    level = Level.WARN if is_warning else Level.INFO
    return FORMS[log_format](wall_ms, level, event, {"why": text})
