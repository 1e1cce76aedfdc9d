"""``metaquorum metadata-quorum``: how a KRaft quorum does, and who votes, ours or Kafka's.

Flags and output are those of Kafka's ``kafka-metadata-quorum.sh``.
"""

from __future__ import annotations

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.clock import wall_ms
from metaquorum.cli.command import Group
from metaquorum.cli.explain import explain
from metaquorum.cli.target import parse_target
from metaquorum.cli.voter_commands import add_controller, remove_controller

EXAMPLES = """\b
Examples:
  metaquorum metadata-quorum --bootstrap-controller localhost:9093 describe --status
  metaquorum metadata-quorum --bootstrap-server localhost:9092 describe --replication \\
      --human-readable
  metaquorum metadata-quorum --bootstrap-controller a:9093,b:9093 describe --status -o json
  metaquorum metadata-quorum explain --metrics-listener localhost:9404
  metaquorum metadata-quorum --bootstrap-controller localhost:9093 \\
      --command-config server.properties add-controller
"""


@click.group(cls=Group, name="metadata-quorum", epilog=EXAMPLES)
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
    """Ask a quorum how it does, and change its voters."""
    ctx.obj = (bootstrap_server, bootstrap_controller, command_config)


metadata_quorum.add_command(add_controller)
metadata_quorum.add_command(remove_controller)
metadata_quorum.add_command(explain)


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

    from metaquorum.cli.quorum_text import replication_lines, status_lines, view_facts
    from metaquorum.client.quorum_question import QuorumQuestion
    from metaquorum.wire.json_form import json_text

    view = QuorumQuestion(
        target.places,
        target.endpoint_type,
        target.timeout_ms,
        target.client_id,
        target.request_timeout_ms,
        target.open,
    ).answer()
    if output == "json":
        lines = [json_text(view_facts(view))]
    elif status:
        lines = status_lines(view)
    else:
        lines = replication_lines(view, wall_ms() if human_readable else None)
    for line in lines:
        click.echo(line)
