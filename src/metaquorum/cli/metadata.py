"""``metaquorum metadata``: the metadata state as a tree, and what changed in it.

A shell over the state of a quorum, ours or Kafka's: out of a checkpoint, a log directory or the
live quorum, as it is or as it was. The tree is the one of Kafka's ``kafka-metadata-shell.sh``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from attrs import evolve, frozen

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Group
from metaquorum.cli.shared_options import command_config_option, leader_timeout_option

if TYPE_CHECKING:
    from metaquorum.cli.metadata_load import LoadedState
    from metaquorum.cli.metadata_shell import Shell

EXIT_NOT_FOUND = 1
EXIT_DIFFERENT = 2

EXAMPLES = """\b
Examples:
  metaquorum metadata ls /image/topics/byName --bootstrap-controller localhost:9093
  metaquorum metadata cat '/image/topics/byName/orders/*' --log-dir /var/lib/kafka \\
      --at 2026-11-21T09:00:00Z --provenance
  metaquorum metadata tree /image/configs --bootstrap-controller c1:9093 --at 12000 -o json
  metaquorum metadata tree / --snapshot 00000000000000000446-0000000002.checkpoint
  metaquorum metadata diff 12000 end --bootstrap-controller c1:9093
  metaquorum metadata diff old.checkpoint new.checkpoint -o json
  metaquorum metadata --log-dir /var/lib/kafka
"""
EXIT_CODES = """\b
Exit codes:
  0  all that was asked for was found
  1  a path, a file, an offset or the quorum was not
  2  diff --exit-code: there are differences
"""
EPILOG = EXAMPLES + "\n" + EXIT_CODES

F = TypeVar("F", bound=Callable[..., Any])


@frozen
class Asked:
    """Where the state is, and how it is to be shown."""

    snapshot: str | None = None
    log_dir: str | None = None
    bootstrap: str | None = None
    at: str | None = None
    provenance: bool = False
    output: Literal["text", "json"] = "text"
    timeout_s: float = 30.0
    command_config: str | None = None
    quiet: bool = False

    def over(self, outer: Asked) -> Asked:
        """These options where they were given, else those that stood before the command."""
        default = Asked()
        given = {
            name: value
            for name in (
                "snapshot",
                "log_dir",
                "bootstrap",
                "at",
                "provenance",
                "output",
                "command_config",
            )
            if (value := getattr(self, name)) != getattr(default, name)
        }
        return evolve(
            outer,
            **given,
            timeout_s=self.timeout_s if self.timeout_s != default.timeout_s else outer.timeout_s,
            quiet=self.quiet or outer.quiet,
        )

    @property
    def sources(self) -> list[str]:
        """The sources that are named."""
        return [one for one in (self.snapshot, self.log_dir, self.bootstrap) if one is not None]

    def say(self, text: str) -> None:
        """A word on standard error about how things went, unless nobody wants it."""
        if not self.quiet:
            click.echo(f"# {text}", err=True)


_OPTIONS = (
    click.option("-s", "--snapshot", metavar="FILE", help="A checkpoint (or a first log segment)."),
    click.option(
        "--log-dir",
        metavar="DIR",
        help="A log directory of a node; the node may be running. Its log is shown to the end.",
    ),
    click.option(
        "--bootstrap-controller",
        "bootstrap",
        metavar="HOST:PORT[,...]",
        help="A live quorum, ours or Kafka's 3.7 and later; it does not notice.",
    ),
    click.option(
        "--at",
        metavar="OFFSET|TIME",
        help="The state after this offset, or at this time (ISO 8601, or @ and ms since 1970).",
    ),
    click.option("--provenance", is_flag=True, help="Show which record each entry comes from."),
    click.option(
        "-o",
        "--output",
        type=click.Choice(["text", "json"]),
        default="text",
        help="Text as Kafka's shell prints it, or JSON.",
    ),
    leader_timeout_option(),
    command_config_option(),
    click.option("-q", "--quiet", is_flag=True, help="No remarks on standard error."),
)


def _with_options(command: F) -> F:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.group(cls=Group, epilog=EPILOG, invoke_without_command=True)
@_with_options
@click.pass_context
def metadata(ctx: click.Context, /, **options: Any) -> int:
    """Look at the metadata of a quorum as a tree of files; without a command, at a prompt."""
    ctx.obj = Asked(**options)
    if ctx.invoked_subcommand is not None:
        return 0
    if not ctx.obj.sources:
        click.echo(ctx.get_help())
        return 0
    from metaquorum.cli.metadata_prompt import Prompt

    return Prompt(_shell(ctx.obj), sys.stdin).run()


@metadata.command(name="ls", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@_with_options
@click.pass_obj
def list_(outer: Asked, /, paths: tuple[str, ...], **options: Any) -> int:
    """List directories. Paths may hold *, ? and {a,b}; quote them."""
    return _code(_shell(Asked(**options).over(outer)).list_(paths))


@metadata.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@_with_options
@click.pass_obj
def cat(outer: Asked, /, paths: tuple[str, ...], **options: Any) -> int:
    """Print files."""
    return _code(_shell(Asked(**options).over(outer)).cat(paths))


@metadata.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@_with_options
@click.pass_obj
def find(outer: Asked, /, paths: tuple[str, ...], **options: Any) -> int:
    """Print the paths of everything below."""
    return _code(_shell(Asked(**options).over(outer)).find(paths))


@metadata.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@_with_options
@click.pass_obj
def tree(outer: Asked, /, paths: tuple[str, ...], **options: Any) -> int:
    """Print everything below, files with what is in them."""
    return _code(_shell(Asked(**options).over(outer)).tree(paths))


@metadata.command(epilog=EPILOG)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--exit-code", is_flag=True, help="Exit with 2 when there are differences.")
@_with_options
@click.pass_obj
def diff(outer: Asked, /, before: str, after: str, exit_code: bool, **options: Any) -> int:
    """Tell what changed from A to B.

    Each is an offset, a time or 'end' of the one source that the options name, or the path of a
    checkpoint or a log directory.
    """
    from metaquorum.cli.metadata_diff import changes

    asked = Asked(**options).over(outer)
    if asked.at is not None:
        raise OperatorError("diff takes its two points as arguments, not with --at")
    old, new = _loaded(_place(asked, before)), _loaded(_place(asked, after))
    found = list(changes(old.view, new.view))
    if asked.output == "json":
        row = {
            "from": _end_row(old),
            "to": _end_row(new),
            "changes": [change.row() for change in found],
        }
        click.echo(json.dumps(row, separators=(",", ":"), ensure_ascii=False))
    else:
        for change in found:
            click.echo(change.words(with_provenance=asked.provenance))
        if not found:
            asked.say("nothing changed")
    return EXIT_DIFFERENT if found and exit_code else 0


def _place(asked: Asked, text: str) -> Asked:
    """One side of a difference: a file or directory by its path, else a point of the source."""
    if os.path.isdir(text):
        return evolve(asked, snapshot=None, log_dir=text, bootstrap=None)
    if os.path.isfile(text):
        return evolve(asked, snapshot=text, log_dir=None, bootstrap=None)
    if not asked.sources and ("/" in text or "." in text):
        raise OperatorError(f"{text}: there is no such file or directory")
    return evolve(asked, at=text)


def _loaded(asked: Asked) -> LoadedState:
    from metaquorum.cli.metadata_point import END, parse_point

    if len(asked.sources) != 1:
        raise OperatorError(
            "name one source: --snapshot FILE, --log-dir DIR or --bootstrap-controller HOST:PORT"
        )
    point = END if asked.at is None else parse_point(asked.at)
    if asked.snapshot is not None:
        if point is not END:
            raise OperatorError("a checkpoint holds one state only: --at is for the other sources")
        from metaquorum.cli.metadata_files import from_file

        return from_file(asked.snapshot, asked.say)
    if asked.log_dir is not None:
        from metaquorum.cli.metadata_files import from_directory

        return from_directory(asked.log_dir, point, asked.say, from_start=asked.provenance)
    from metaquorum.cli.metadata_live import from_quorum
    from metaquorum.cli.target import security_of
    from metaquorum.client.metadata_log import MetadataLogReader

    assert asked.bootstrap is not None
    opened = partial(MetadataLogReader, security=security_of(asked.command_config))
    return from_quorum(asked.bootstrap, point, int(asked.timeout_s * 1000), asked.say, open=opened)


def _shell(asked: Asked) -> Shell:
    from importlib.metadata import version

    from metaquorum.cli.metadata_shell import Shell
    from metaquorum.cli.metadata_tree import root, unsupported_settings

    loaded = _loaded(asked)
    left_out = unsupported_settings(loaded.view)
    if left_out:
        asked.say(f"settings that Kafka's nodes pass over are not shown: {', '.join(left_out)}")
    return Shell(
        root(loaded.view, loaded.provenance, version("metaquorum"), "unknown", loaded.end),
        click.echo,
        lambda line: click.echo(line, err=True),
        asked.output == "json",
        asked.provenance,
        get_terminal_size().columns if sys.stdout.isatty() else None,
    )


def _end_row(loaded: LoadedState) -> dict[str, Any]:
    from metaquorum.cli.metadata_shell import origin_row

    return {"source": loaded.source, "provenance": origin_row(loaded.end)}


def _code(whole: bool) -> int:
    return 0 if whole else EXIT_NOT_FOUND
