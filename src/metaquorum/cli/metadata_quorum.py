"""``metaquorum metadata-quorum``: how a KRaft quorum does, ours or Apache Kafka's.

Flags and output are those of Kafka's ``kafka-metadata-quorum.sh``.
"""

from __future__ import annotations

import time

import click
from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import HostPort, parse_host_port, without_protocol

EXAMPLES = """\b
Examples:
  metaquorum metadata-quorum --bootstrap-controller localhost:9093 describe --status
  metaquorum metadata-quorum --bootstrap-server localhost:9092 describe --replication \\
      --human-readable
  metaquorum metadata-quorum --bootstrap-controller a:9093,b:9093 describe --status -o json
"""
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


def parse_bootstrap(text: str) -> tuple[HostPort, ...]:
    """``host:port``, several of them separated by commas; OperatorError shows what is wrong."""
    try:
        places = tuple(
            parse_host_port(without_protocol(one)) for one in text.split(",") if one.strip()
        )
    except BadValue as error:
        raise OperatorError(str(error)) from None
    if not places:
        raise OperatorError("no host is named; write HOST:PORT")
    return places


def read_command_config(path: str | None) -> dict[str, str]:
    """A client's properties; OperatorError for a protocol that is not spoken here."""
    if path is None:
        return {}
    from metaquorum.config.properties import read_properties

    properties = read_properties(path)
    protocol = properties.get("security.protocol", "PLAINTEXT").strip().upper()
    if protocol != "PLAINTEXT":
        raise OperatorError(
            f"{path}: security.protocol={protocol} is not spoken here yet, only PLAINTEXT"
        )
    return properties


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
    )


@click.group(name="metadata-quorum", epilog=EXAMPLES)
@click.option("--bootstrap-server", metavar="HOST:PORT[,...]", help="Brokers, or client listeners.")
@click.option("--bootstrap-controller", metavar="HOST:PORT[,...]", help="Controllers.")
@click.option("--command-config", metavar="FILE", help="Properties of the client.")
@click.pass_context
def metadata_quorum(
    ctx: click.Context,
    bootstrap_server: str | None,
    bootstrap_controller: str | None,
    command_config: str | None,
) -> None:
    """Ask a quorum how it does."""
    ctx.obj = (bootstrap_server, bootstrap_controller, command_config)


@metadata_quorum.command(epilog=EXAMPLES)
@click.option("--status", is_flag=True, help="A summary: leader, epoch, watermark, lag, members.")
@click.option("--replication", is_flag=True, help="A table with a row for each replica.")
@click.option("--human-readable", is_flag=True, help="Show times as how long ago they were.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Kafka's own text, or one JSON object.",
)
@click.pass_obj
def describe(
    whom: tuple[str | None, str | None, str | None],
    status: bool,
    replication: bool,
    human_readable: bool,
    output: str,
) -> None:
    """Describe the quorum, as its leader sees it."""
    if status == replication:
        raise OperatorError("describe needs one of --status and --replication")
    if status and human_readable:
        raise OperatorError("--human-readable is for --replication")
    target = parse_target(*whom)

    from metaquorum.cli.quorum_question import QuorumQuestion
    from metaquorum.cli.quorum_text import replication_lines, status_lines, view_facts
    from metaquorum.wire.json_form import json_text

    view = QuorumQuestion(
        target.places,
        target.endpoint_type,
        target.timeout_ms,
        target.client_id,
        target.request_timeout_ms,
    ).answer()
    if output == "json":
        lines = [json_text(view_facts(view))]
    elif status:
        lines = status_lines(view)
    else:
        lines = replication_lines(view, time.time_ns() // 1_000_000 if human_readable else None)
    for line in lines:
        click.echo(line)


def _millis(properties: dict[str, str], name: str, default: int) -> int:
    text = properties.get(name, str(default)).strip()
    if not (text.isascii() and text.isdigit()):
        raise OperatorError(f"{name}: {text!r} is not a number of milliseconds")
    return int(text)
