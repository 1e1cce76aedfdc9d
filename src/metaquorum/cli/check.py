"""``metaquorum check``: what a node depends on, before it is started or when it is slow.

The machine, the directories of the metadata log, one by one and against each other, and a quorum
that runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Group
from metaquorum.cli.shared_options import (
    bootstrap_controller_option,
    command_config_option,
    leader_timeout_option,
)
from metaquorum.config.node_config import NodeConfig

if TYPE_CHECKING:
    from metaquorum.cli.host_checks import Checked

EXAMPLES = """\b
Examples:
  metaquorum check host -c server.properties
  metaquorum check host -c server.properties -o json | jq 'select(.grade != "fine")'
  metaquorum check host    # what needs no configuration
  metaquorum check directory /var/lib/kafka
  metaquorum check directory node1 node2 node3 -o json    # and one against the other
  metaquorum check quorum --bootstrap-controller c1:9093,c2:9093,c3:9093
  metaquorum check quorum --bootstrap-controller c1:9093 -o json | jq .findings
"""
EXIT_BAD = 2
HOST_HELP = """Check the machine that this runs on, as a node of CONFIG would find it.

Run it as the node's user, where the node will run: limits and directories are those of this
process. Nothing is changed; a file without a name is written to each log directory for up to two
seconds.

Exit codes: 0 all is fine, 1 there is advice, 2 something is bad or cannot be checked.
"""

DIRECTORY_HELP = """Read every file of a metadata log's directory, and check it.

DIR is a log directory of a controller or broker, running or not, or its __cluster_metadata-0.
Several are compared: their logs record by record, and every snapshot with the state that the logs
have at its offset; the first difference is named. Nothing is written.

Exit codes: 0 all is well, 2 something is not, 1 it could not be looked at.
"""

QUORUM_HELP = """Say what would hurt a quorum that runs, Apache Kafka's or ours, and what to do.

Voters that do not resolve, do not answer, share a host, are behind or are even in number; snapshots
that are too old; partitions with one replica in sync left, or none; features that a voter or a
registered broker cannot do; static voters that could be dynamic. The quorum does not notice.

Exit codes: 0 all is well, or there is advice alone; 2 something would hurt, or hurts; 1 it could
not be looked at.
"""


@click.group(cls=Group, epilog=EXAMPLES)
def check() -> None:
    """Look at what a node depends on."""


@check.command("host", epilog=EXAMPLES, help=HOST_HELP)
@click.option("-c", "--config", "path", metavar="FILE", help="The server.properties of the node.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="A table, or one JSON object a check.",
)
def host(path: str | None, output: str) -> int:
    from metaquorum.cli.host_checks import host_checks
    from metaquorum.cli.host_facts import HostFacts

    try:
        config = None if path is None else NodeConfig.load(path)[0]
    except OperatorError as error:
        click.echo(f"metaquorum: {error}", err=True)
        return EXIT_BAD
    checked = list(host_checks(config, HostFacts()))
    if output == "json":
        _print_json(checked)
    else:
        _print_table(checked)
    return max(one.grade for one in checked)


@check.command("directory", epilog=EXAMPLES, help=DIRECTORY_HELP)
@click.argument("directories", nargs=-1, required=True, metavar="DIR...")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="Tables, or one JSON object.",
)
def directory(directories: tuple[str, ...], output: str) -> int:
    from metaquorum.cli.check_directory import check_directories
    from metaquorum.cli.clock import wall_ms
    from metaquorum.cli.recover_text import table
    from metaquorum.storage.posix import PosixDisk
    from metaquorum.wire.json_form import json_text

    surveys, findings = check_directories(PosixDisk(), directories, wall_ms())
    if output == "json":
        rows = [{"place": one.place, "why": one.why, "offset": one.offset} for one in findings]
        logs = [
            {"directory": one.directory, "logStart": one.log_start, "logEnd": one.end.offset}
            for one in surveys
        ]
        click.echo(json_text({"directories": logs, "findings": rows}))
        return EXIT_BAD if findings else 0
    head = ("DIRECTORY", "NODE", "LOG START", "LOG END", "EPOCH")
    lines = [
        (
            one.directory,
            "-" if one.node_id is None else str(one.node_id),
            str(one.log_start),
            str(one.end.offset),
            str(one.end.epoch),
        )
        for one in surveys
    ]
    for line in table([head, *lines]):
        click.echo(line)
    for one in findings:
        click.echo(f"{one.place}: {one.why}")
    click.echo(f"{len(findings)} findings" if findings else "all is well")
    return EXIT_BAD if findings else 0


@check.command("quorum", epilog=EXAMPLES, help=QUORUM_HELP)
@bootstrap_controller_option()
@command_config_option()
@click.option(
    "--max-lag",
    "max_lag_s",
    type=click.FloatRange(min=0.001),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="A replica that was caught up within this time counts as caught up.",
)
@click.option(
    "--max-snapshot-age",
    "max_age_s",
    type=click.FloatRange(min=0.001),
    default=7_200.0,
    show_default=True,
    metavar="SECONDS",
    help="How much older than the log's last record the latest snapshot may be.",
)
@leader_timeout_option()
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="Tables, or one JSON object.",
)
def quorum(
    bootstrap: str,
    command_config: str | None,
    max_lag_s: float,
    max_age_s: float,
    timeout_s: float,
    output: str,
) -> int:
    from metaquorum.cli.check_quorum import QuorumCheck
    from metaquorum.cli.check_quorum_rules import Severity, findings
    from metaquorum.cli.check_quorum_text import json_of, lines_of
    from metaquorum.cli.target import parse_bootstrap, security_of
    from metaquorum.wire.json_form import json_text

    look = QuorumCheck(
        parse_bootstrap(bootstrap),
        int(timeout_s * 1_000),
        int(max_lag_s * 1_000),
        security_of(command_config),
    )
    facts = look.facts()
    found = findings(facts, int(max_age_s * 1_000))
    if output == "json":
        click.echo(json_text(json_of(facts, found)))
    else:
        for line in lines_of(facts, found):
            click.echo(line)
    return EXIT_BAD if any(one.severity is not Severity.ADVICE for one in found) else 0


def _print_json(checked: list[Checked]) -> None:
    from metaquorum.wire.json_form import json_text

    for one in checked:
        facts = {"check": one.name, "grade": one.grade.name.lower(), "found": one.found}
        click.echo(json_text({**facts, "wanted": one.wanted, "why": one.why}))


def _print_table(checked: list[Checked]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("CHECK", "GRADE", "FOUND", "WANTED"):
        table.add_column(heading, no_wrap=heading == "GRADE", overflow="fold")
    table.add_column("WHY", style="dim", overflow="fold")
    for one in checked:
        table.add_row(one.name, one.grade.name.lower(), one.found, one.wanted, one.why)
    console = Console()
    if not console.is_terminal:
        console = Console(width=10_000)  # nobody to wrap for: a line a check
    console.print(table, highlight=False)
