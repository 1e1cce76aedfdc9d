"""The command line: one program, a tree of small commands, each imported only when it is run.

Every failure is one message on standard error and exit code 1, as with Kafka's tools; an answer
goes to standard output, whole or not at all. Messages repeat no argument that may be a secret
(decision 206).
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Group
from metaquorum.cli.output import OutputFailed, drop_output, prepare_output, without_credentials

# Command, module and attribute, and the line that --help shows, so that showing it imports nothing.
_COMMANDS: dict[str, tuple[str, str, str]] = {
    "server": ("server", "server", "Run a node."),
    "storage": ("storage", "storage", "Format log directories, and look at them."),
    "container": (
        "container",
        "container",
        "Run a node in a container, configured by KAFKA_* variables.",
    ),
    "check": ("check", "check", "Look at what a node depends on: machine, directories, quorum."),
    "metadata-quorum": ("metadata_quorum", "metadata_quorum", "Ask a quorum how it does."),
    "health": ("health", "health", "Say whether a quorum, or a node of it, is well."),
    "exporter": ("exporter", "exporter", "Serve metrics of a quorum and its cluster."),
    "top": ("top.command", "top", "Watch a quorum and its cluster on a live screen."),
    "metadata": ("metadata", "metadata", "Look at a quorum's metadata as a tree, and diff it."),
    "recover": (
        "recover",
        "recover",
        "Bring back a quorum that lost its majority, its names or a disk.",
    ),
    "backup": ("backup", "backup", "Keep a quorum's committed metadata elsewhere, and verify it."),
    "restore": ("restore", "restore", "Make a backup the directory of a first voter."),
    "tail": ("tail", "tail", "Read the metadata log of any KRaft controller."),
    "pipeline": ("pipeline", "pipeline", "The metadata log as tables and a report, on Spark."),
    "producer-snapshots": (
        "producer_snapshots",
        "producer_snapshots",
        "Find producer snapshots that are missing, and make them again.",
    ),
    "tier": ("tier", "tier", "Copy closed segments with all their parts to a store."),
    "dump-log": ("dump_log", "dump_log", "Print log, snapshot and index files."),
    "frame": ("frame", "frame", "Turn requests and responses into JSON and back."),
    "record": (
        "record",
        "record",
        "Record what is seen of a quorum; turn metadata records into JSON.",
    ),
    "explain": (
        "explain_history",
        "explain_history",
        "Say why leaders changed and brokers were fenced.",
    ),
    "metrics": ("metrics", "metrics", "Print a node's metrics as a table."),
}
EXIT_FAILED = 1
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells have it
EXIT_READER_LEFT = 141  # 128 + SIGPIPE
TRACEBACK: Final = "METAQUORUM_TRACEBACK"
"""The variable that has errors which nobody foresaw shown with their tracebacks."""
_MOST_PLACES: Final = 8

EXAMPLES = """\b
Examples:
  metaquorum storage format -t $(metaquorum storage random-uuid) -c server.properties --standalone
  metaquorum server start server.properties
  metaquorum metadata-quorum --bootstrap-controller localhost:9093 describe --status
  metaquorum tail --bootstrap-controller localhost:9093 --follow
"""


class LazyCommands(Group):
    """A group whose commands are modules beside this one, imported by name when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which a newcomer needs them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; None for a name that is none."""
        if cmd_name not in _COMMANDS:
            return None
        module, attribute, _ = _COMMANDS[cmd_name]
        command = getattr(import_module(f"metaquorum.cli.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in _COMMANDS.items()])


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from metaquorum.base.version import VERSION

        click.echo(f"metaquorum {VERSION}")
        ctx.exit()


@click.group(
    cls=LazyCommands,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def metaquorum() -> None:
    """A Kafka-wire-protocol compatible metadata quorum (KRaft), and the tools around it."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; messages have been printed."""
    try:
        code = _carried_out(sys.argv[1:] if arguments is None else list(arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except OutputFailed as error:
        drop_output()
        if error.reader_left:  # head, for one, has seen enough
            return EXIT_READER_LEFT
        _complain(f"cannot write to standard output: {error}")
    except click.ClickException as error:  # a wrong command line
        error.show()
    except OperatorError as error:
        _complain(str(error))
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        _complain(f"{name}{error.strerror or error}")
    except BaseExceptionGroup:  # of a node's tasks: its operator needs all that is known
        raise
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        _complain(_unexpected(error))
    return EXIT_FAILED


def _carried_out(arguments: list[str]) -> int:
    """The exit code of a command; what click does around one, but for its own way with errors."""
    try:
        with metaquorum.make_context("metaquorum", arguments) as context:
            result = metaquorum.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else EXIT_FAILED
    return result if isinstance(result, int) else 0


def _complain(message: str) -> None:
    click.echo(f"metaquorum: {without_credentials(message)}", err=True)


def _unexpected(error: Exception) -> str:
    """An error that nobody foresaw, by its places: its own words may repeat what is secret."""
    frames = traceback.extract_tb(error.__traceback__)[: -_MOST_PLACES - 1 : -1]
    places = " < ".join(f"{os.path.basename(one.filename)}:{one.lineno}" for one in frames)
    return (
        f"unexpected {type(error).__name__} at {places}. This is a fault of metaquorum; with "
        f"{TRACEBACK}=1 in the environment it is shown whole"
    )


def main() -> None:
    """The entry point of the ``metaquorum`` command."""
    prepare_output()
    sys.exit(run())
