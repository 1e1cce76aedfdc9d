"""``metaquorum tail``: the metadata log of any KRaft controller as it grows, without a trace."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Command
from metaquorum.cli.shared_options import (
    bootstrap_controller_option,
    command_config_option,
    leader_timeout_option,
    output_option,
)

if TYPE_CHECKING:
    from metaquorum.client.log_record import LogRecord
    from metaquorum.client.metadata_log import MetadataLogReader

INTERRUPTED = 130  # what a shell expects after SIGINT

EXAMPLES = """\b
Examples:
  metaquorum tail --bootstrap-controller localhost:9093
  metaquorum tail --bootstrap-controller c1:9093,c2:9093 --follow --from-offset end
  metaquorum tail --bootstrap-controller c1:9093 --types TopicRecord,PartitionRecord
  metaquorum tail --bootstrap-controller c1:9093 --from-offset 1200 -o json | jq .type
"""


@click.command(cls=Command, epilog=EXAMPLES)
@bootstrap_controller_option()
@click.option(
    "--from-offset",
    "start",
    default="beginning",
    show_default=True,
    metavar="N|beginning|end",
    help="Where to begin. What is snapshotted away is read from the latest snapshot.",
)
@click.option(
    "--types",
    metavar="NAME,...",
    help="Only these record types, such as TopicRecord or LeaderChangeMessage.",
)
@output_option("One readable line a record, or one JSON object a line.")
@click.option("-f", "--follow", is_flag=True, help="Go on as the log grows, until Ctrl-C.")
@leader_timeout_option()
@command_config_option()
@click.option("-q", "--quiet", is_flag=True, help="No word about leaders and snapshots on stderr.")
def tail(
    bootstrap: str,
    start: str,
    types: str | None,
    output: Literal["line", "json"],
    follow: bool,
    timeout_s: float,
    command_config: str | None,
    quiet: bool,
) -> None:
    """Print the committed records of a quorum's metadata log.

    Works against any KRaft controller: ours, or Apache Kafka's 3.7 and later. The quorum does not
    notice: no observer appears in `describe --replication`, and nothing is written. Only what is
    committed is shown, across leader changes. Without --follow it ends at the high watermark that
    the leader had when it was first asked.
    """
    from metaquorum.cli.target import security_of
    from metaquorum.client.metadata_log import MetadataLogReader, parse_addresses

    reader = MetadataLogReader(
        parse_addresses(bootstrap),
        start=_start(start),
        follow=follow,
        timeout_ms=int(timeout_s * 1000),
        notice=(lambda text: None) if quiet else _say,
        security=security_of(command_config),
    )
    try:
        _print_records(reader, _types(types), output)
    except KeyboardInterrupt:
        # There is no other way to end --follow, so that is success.
        raise SystemExit(0 if follow else INTERRUPTED) from None
    finally:
        reader.close()


def _print_records(
    reader: MetadataLogReader, types: frozenset[str] | None, output: Literal["line", "json"]
) -> None:
    from metaquorum.client.record_text import as_json, as_line

    render = as_json if output == "json" else as_line

    def show(record: LogRecord) -> None:
        sys.stdout.write(render(record) + "\n")
        if reader.follow:
            sys.stdout.flush()

    for record in reader.records(types):
        show(record)
    sys.stdout.flush()


def _start(text: str) -> int | Literal["beginning", "end"]:
    if text == "beginning":
        return "beginning"
    if text == "end":
        return "end"
    if not text.isdecimal() or int(text) >= 2**63:
        raise OperatorError("--from-offset: an offset, 'beginning' or 'end' is needed")
    return int(text)


def _types(text: str | None) -> frozenset[str] | None:
    """The wanted names, ``TopicRecord`` or dump-log's ``TOPIC_RECORD``, in any case.

    A wrong one is reported with the right ones.
    """
    if text is None:
        return None
    from metaquorum.client.log_record import UNKNOWN, known_types

    known = {name.lower(): name for name in (*known_types(), UNKNOWN)}
    wanted = [name.strip() for name in text.split(",") if name.strip()]
    wrong = [name for name in wanted if _plain(name) not in known]
    if wrong or not wanted:
        names = ", ".join(sorted(known.values()))
        problem = f"{len(wrong)} of them are no record types" if wrong else "no record type given"
        raise OperatorError(f"--types: {problem}; known: {names}")
    return frozenset(known[_plain(name)] for name in wanted)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _say(text: str) -> None:
    click.echo(f"# {text}", err=True)
