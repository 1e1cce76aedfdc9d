"""``metaquorum recover``: bring back a quorum that has lost its majority, its names or a disk.

Offline, on directories of Apache Kafka as on ours; docs/how-to has a page for each disaster.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Group
from metaquorum.cli.shared_options import command_config_option

EXAMPLES = """\b
Examples:
  metaquorum recover survey /var/lib/kafka -o node1.json
  metaquorum recover plan node1.json --voters 1@c1.example:9093 -o plan.json
  metaquorum recover apply plan.json --dir /var/lib/kafka --dry-run
  metaquorum recover apply plan.json --dir /var/lib/kafka
  metaquorum recover undo --dir /var/lib/kafka
  metaquorum recover endpoints node1.json node2.json node3.json \\
      --voters 1@new1:9093,2@new2:9093,3@new3:9093 -o plan.json

\b
Exit codes:
  0  done
  1  refused, and nothing was changed; the message says why
"""
THE_QUORUM_LIVES = "the quorum lives"
F = TypeVar("F", bound=Callable[..., Any])


@click.group(cls=Group, epilog=EXAMPLES)
def recover() -> None:
    """Bring back a quorum that has lost its majority, its names or a disk."""


_OUTPUT = click.option(
    "-o",
    "--output",
    default="table",
    show_default=True,
    metavar="table|json|FILE",
    help="A table, JSON, or JSON in a file and the table beside it.",
)
_DIR = click.option("--dir", "directory", required=True, metavar="DIR", help="The log directory.")
_PLAN_OPTIONS = (
    click.option(
        "--voters", metavar="ID@HOST:PORT,...", help="The new voters, and where they will listen."
    ),
    click.option(
        "--listener",
        default="CONTROLLER",
        show_default=True,
        metavar="NAME",
        help="The name of the controllers' listener: the first of controller.listener.names.",
    ),
    click.option(
        "--stale",
        multiple=True,
        metavar="SURVEY",
        help="One of the surveys: its disk may lack what it once had (an older copy, a repair).",
    ),
    click.option(
        "--same-disk",
        "same_disks",
        multiple=True,
        type=click.IntRange(0),
        metavar="ID",
        help="A node whose directory id is another one now, on the disk that it always had.",
    ),
    click.option("--cluster-id", metavar="ID", help="Where no disk says it any more."),
    click.option(
        "--bootstrap-controller",
        "controllers",
        metavar="HOST:PORT[,...]",
        help="Ask these whether the quorum lives; else those that the last voters had.",
    ),
    click.option(
        "--ask-timeout",
        "ask_s",
        type=click.FloatRange(min=0.001),
        default=3.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for a quorum to answer.",
    ),
    command_config_option(),
    _OUTPUT,
)


def _plan_options(command: F) -> F:
    for option in reversed(_PLAN_OPTIONS):
        command = option(command)
    return command


@recover.command("survey", epilog=EXAMPLES)
@click.argument("directories", nargs=-1, required=True, metavar="DIR...")
@click.option(
    "--node", "node_id", type=click.IntRange(0), metavar="ID", help="If meta.properties is gone."
)
@_OUTPUT
def survey_command(directories: tuple[str, ...], node_id: int | None, output: str) -> int:
    """Read the metadata log of a node, running or dead, whole or damaged; write nothing there.

    DIR is a log directory of a controller or broker, or its __cluster_metadata-0.
    """
    from metaquorum.cli.clock import wall_ms
    from metaquorum.cli.recover_text import survey_lines
    from metaquorum.recover.reading import survey_directory
    from metaquorum.recover.survey_json import survey_to_json
    from metaquorum.storage.posix import PosixDisk

    if len(directories) > 1 and (node_id is not None or output not in ("table", "json")):
        raise OperatorError("--node and a file are for one directory: survey one at a time")
    for number, path in enumerate(directories):
        found = survey_directory(PosixDisk(), path, wall_ms(), node_id=node_id)
        if output == "table" and number:
            click.echo()
        _tell(output, survey_to_json(found), list(survey_lines(found)))
    return 0


@recover.command("plan", epilog=EXAMPLES)
@click.argument("surveys", nargs=-1, required=True, metavar="SURVEY...")
@click.option(
    "--although",
    multiple=True,
    metavar="WORDS",
    help="Take an objection back, in the words that it asks for.",
)
@_plan_options
def plan_command(surveys: tuple[str, ...], although: tuple[str, ...], **options: Any) -> int:
    """Say which log to go on with, who votes, and what is lost at most.

    SURVEY is a file of `recover survey`, or a directory of this machine. Nothing is written but
    the plan.
    """
    return _plan(surveys, frozenset(although), only_names=False, **options)


@recover.command("endpoints", epilog=EXAMPLES)
@click.argument("surveys", nargs=-1, required=True, metavar="SURVEY...")
@_plan_options
def endpoints_command(surveys: tuple[str, ...], **options: Any) -> int:
    """Plan for new names, ports or directory ids, where nothing else is lost.

    The disks of a majority must be there and whole. Apply the plan on each surveyed node.
    """
    if options["voters"] is None and not options["same_disks"]:
        raise OperatorError("say where the voters listen now: --voters ID@HOST:PORT,...")
    return _plan(surveys, frozenset(), only_names=True, **options)


def _plan(
    paths: Sequence[str],
    although: frozenset[str],
    *,
    only_names: bool,
    voters: str | None,
    listener: str,
    stale: tuple[str, ...],
    same_disks: tuple[int, ...],
    cluster_id: str | None,
    controllers: str | None,
    ask_s: float,
    command_config: str | None,
    output: str,
) -> int:
    from metaquorum.cli.clock import wall_ms
    from metaquorum.cli.recover_ask import check_quorum_is_dead
    from metaquorum.cli.recover_files import draw_plan_id, draw_uuid, parse_voters, surveyed
    from metaquorum.cli.recover_text import plan_lines
    from metaquorum.recover.plan_json import plan_to_json
    from metaquorum.recover.planning import make_plan
    from metaquorum.recover.wishes import A_MAJORITY_IS_THERE, Wishes

    unknown = although - {A_MAJORITY_IS_THERE, THE_QUORUM_LIVES}
    if unknown:
        raise OperatorError(
            f'--although takes "{A_MAJORITY_IS_THERE}" or "{THE_QUORUM_LIVES}", no other words'
        )
    missing = [one for one in stale if one not in paths]
    if missing:
        raise OperatorError(f"--stale {missing[0]}: it is none of the surveys")
    wishes = Wishes(
        voters=parse_voters(voters, listener),
        stale=frozenset(at for at, path in enumerate(paths) if path in stale),
        same_disks=frozenset(same_disks),
        only_names=only_names,
        cluster_id=cluster_id,
        although=although,
    )
    plan = make_plan(surveyed(paths), wishes, wall_ms(), draw_plan_id(), draw_uuid)
    if THE_QUORUM_LIVES not in although:
        check_quorum_is_dead(plan, controllers, int(ask_s * 1000), command_config)
    _tell(output, plan_to_json(plan), list(plan_lines(plan)))
    return 0


@recover.command("apply", epilog=EXAMPLES)
@click.argument("path", metavar="PLAN")
@_DIR
@click.option(
    "--from",
    "froms",
    multiple=True,
    metavar="ID=DIR",
    help="Where the directory of another node is, if the plan needs its log.",
)
@click.option(
    "--node", "node_id", type=click.IntRange(0), metavar="ID", help="If DIR does not say which."
)
@click.option("--dry-run", is_flag=True, help="Check everything, and change nothing.")
def apply_command(
    path: str, directory: str, froms: tuple[str, ...], node_id: int | None, dry_run: bool
) -> int:
    """Make the directory that the plan says for the node of DIR.

    The old one is moved and kept. Interrupted at any point, the same command goes on, and `undo`
    goes back.
    """
    from metaquorum.cli.recover_apply import applied
    from metaquorum.cli.recover_files import parse_froms, read_plan

    plan = read_plan(path)
    directory = os.path.abspath(directory)
    for line in applied(plan, directory, parse_froms(froms), node_id, dry_run=dry_run):
        click.echo(line)
    return 0


@recover.command("undo", epilog=EXAMPLES)
@_DIR
def undo_command(directory: str) -> int:
    """Put back what was there before `apply`, byte for byte."""
    from metaquorum.cli.recover_apply import undone

    for line in undone(os.path.abspath(directory)):
        click.echo(line)
    return 0


def _tell(output: str, content: dict[str, Any], lines: list[str]) -> None:
    if output == "json":
        click.echo(json.dumps(content))
        return
    if output != "table":
        from metaquorum.cli.recover_files import write_json

        write_json(output, content)
    for line in lines:
        click.echo(line)
