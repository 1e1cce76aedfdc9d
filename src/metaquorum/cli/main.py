"""The command line: one program, a tree of small commands, each imported only when it is run.

Every failure that the user can do something about is one message on standard error and exit code
1, as with Kafka's tools; an answer goes to standard output, whole or not at all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from metaquorum.base.errors import OperatorError

# Command, module and attribute, and the line that --help shows, so that showing it imports nothing.
_COMMANDS: dict[str, tuple[str, str, str]] = {
    "server": ("server", "server", "Run a node."),
    "storage": ("storage", "storage", "Format log directories, and look at them."),
    "metadata-quorum": ("metadata_quorum", "metadata_quorum", "Ask a quorum how it does."),
    "metadata": ("metadata", "metadata", "Look at a quorum's metadata as a tree, and diff it."),
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
    "record": ("record", "record", "Turn metadata records into JSON."),
    "metrics": ("metrics", "metrics", "Print a node's metrics as a table."),
}
EXIT_FAILED = 1
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells have it

EXAMPLES = """\b
Examples:
  metaquorum storage format -t $(metaquorum storage random-uuid) -c server.properties --standalone
  metaquorum server start server.properties
  metaquorum metadata-quorum --bootstrap-controller localhost:9093 describe --status
  metaquorum tail --bootstrap-controller localhost:9093 --follow
"""


class LazyCommands(click.Group):
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
        from importlib.metadata import version

        click.echo(f"metaquorum {version('metaquorum')}")
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
        result = metaquorum.main(
            args=None if arguments is None else list(arguments),
            prog_name="metaquorum",
            standalone_mode=False,
        )
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:  # a wrong command line
        error.show()
    except OperatorError as error:
        click.echo(f"metaquorum: {error}", err=True)
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever reads our output, head for one, has seen enough. What is still buffered must go
        # nowhere, or Python complains about it when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if error.filename is None:  # no file that the user could look at: a fault of ours
            raise
        click.echo(f"metaquorum: {error.filename}: {error.strerror}", err=True)
    return EXIT_FAILED


def main() -> None:
    """The entry point of the ``metaquorum`` command."""
    sys.exit(run())
