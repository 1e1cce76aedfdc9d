"""``metaquorum record``: a recording of a quorum with ``--to``, single records with ``decode``.

Why both are one command is in decision 253.
"""

from __future__ import annotations

import re
import sys

import click

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.bytes_text import FORMS, numbered_lines, read_bytes
from metaquorum.cli.command import Group
from metaquorum.cli.shared_options import bootstrap_controller_option, command_config_option
from metaquorum.flight.limits import LEAST_RING_BYTES
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.wire.generated.index import record_codec
from metaquorum.wire.json_form import json_text, to_json

DECODE_EXAMPLES = """\b
Examples:
  echo 01020000... | metaquorum record decode
  metaquorum record decode --form base64 < values.txt
"""
EXAMPLES = """\b
Examples:
  metaquorum record --to /var/lib/flight --bootstrap-controller c1:9093,c2:9093,c3:9093
  metaquorum record --to flight --bootstrap-controller c1:9093 --retention-bytes 268435456
  metaquorum explain flight
  echo 01020000... | metaquorum record decode
"""
DAY_MS = 86_400_000
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def decoded_record(value: bytes) -> str:
    """The JSON of a record's value, as Kafka's dump-log prints it; BatchError or PeerError."""
    found = decode_metadata_record(value)
    codec = record_codec(found.type)
    name = _WORD_START.sub("_", codec.NAME).upper()
    data = to_json(codec, found.message, found.known_version)
    return json_text({"type": name, "version": found.version, "data": data})


@click.group(cls=Group, epilog=EXAMPLES, invoke_without_command=True, no_args_is_help=True)
@click.option("--to", "directory", metavar="DIR", help="Record into this directory, and go on.")
@bootstrap_controller_option(required=False)
@command_config_option()
@click.option(
    "--interval-ms",
    type=click.IntRange(100, 60_000),
    default=1_000,
    show_default=True,
    metavar="MS",
    help="How often the leader and each node are asked. The log is followed as it grows.",
)
@click.option(
    "--answer-timeout-ms",
    "timeout_ms",
    type=click.IntRange(100, 60_000),
    default=1_000,
    show_default=True,
    metavar="MS",
    help="A node that takes longer to answer counts as one that does not.",
)
@click.option(
    "--retention-bytes",
    type=click.IntRange(LEAST_RING_BYTES, 2**40),
    default=67_108_864,
    show_default=True,
    metavar="BYTES",
    help="The files take no more than this; the oldest go.",
)
@click.option(
    "--retention-ms",
    type=click.IntRange(60_000, 3_650 * DAY_MS),
    default=7 * DAY_MS,
    show_default=True,
    metavar="MS",
    help="What is older goes.",
)
@click.option("--without-brokers", is_flag=True, help="Do not ask brokers whether they answer.")
@click.pass_context
def record(
    ctx: click.Context,
    directory: str | None,
    bootstrap: str | None,
    command_config: str | None,
    interval_ms: int,
    timeout_ms: int,
    retention_bytes: int,
    retention_ms: int,
    without_brokers: bool,
) -> None:
    """Record what is seen of a quorum, Apache Kafka's or ours, until SIGTERM or SIGINT.

    The files are a ring: what the log says of leaders and brokers, the leader's answers, and
    whether each node answers. `metaquorum explain DIR` tells from them why leaders changed and
    brokers were fenced. The quorum does not notice: no observer appears in `describe
    --replication`, and nothing is written.
    """
    if ctx.invoked_subcommand is not None:
        if directory is not None or bootstrap is not None:
            raise OperatorError(f"--to records, and {ctx.invoked_subcommand} does not")
        return
    if directory is None or bootstrap is None:
        raise OperatorError("give --to DIR and --bootstrap-controller, or a command")
    from metaquorum.cli.recording import RecordingOptions, run_recorder

    run_recorder(
        RecordingOptions(
            directory,
            bootstrap,
            command_config,
            interval_ms,
            timeout_ms,
            retention_bytes,
            retention_ms,
            not without_brokers,
        )
    )


@record.command(epilog=DECODE_EXAMPLES)
@click.option("--form", type=click.Choice(FORMS), help="How bytes are spelled; guessed if absent.")
def decode(form: str | None) -> None:
    """Turn record values on standard input, one a line in hex or base64, into JSON."""
    for number, text in numbered_lines(sys.stdin.buffer):
        try:
            click.echo(decoded_record(read_bytes(text, number, form)))
        except (BatchError, PeerError) as why:
            raise OperatorError(f"line {number}: {why}") from None
