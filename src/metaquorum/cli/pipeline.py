"""``metaquorum pipeline``: the metadata log as tables, and as a page with pictures.

The work is in ``pyspark_metaquorum.pipeline``, which needs the extra ``spark``; it is imported
when a command runs.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Group
from metaquorum.cli.output import without_credentials, written
from metaquorum.cli.shared_options import (
    command_config_option,
    leader_timeout_option,
    output_option,
)

if TYPE_CHECKING:
    from pyspark_metaquorum.pipeline.running import Pipeline

EXIT_WITH_ERRORS = 2  # all that could be read is landed, and errors/ says what could not
INTERRUPTED = 130  # what a shell expects after SIGINT
LANDING_ROWS = 1_000_000

EXAMPLES = """\b
Examples:
  metaquorum pipeline run --from c1:9093,c2:9093 --to /var/lake/kraft
  metaquorum pipeline run --from c1:9093 --to /var/lake/kraft --follow
  metaquorum pipeline run --from /var/lib/kafka/__cluster_metadata-0 --to /var/lake/kraft
  metaquorum pipeline run --from abfss://backup@account/node-1 --to hdfs://lake/kraft --master yarn
  metaquorum pipeline report /var/lake/kraft --out report.html
  metaquorum pipeline init kraft --from c1:9093,c2:9093
"""


_SOURCE = click.option(
    "--from",
    "source",
    required=True,
    metavar="SOURCE",
    help="HOST:PORT[,...] of controllers, or a log directory, segment or checkpoint (path or URI).",
)


@click.group(cls=Group, epilog=EXAMPLES)
def pipeline() -> None:
    """Land a quorum's metadata log as tables, and draw a report of it (needs Spark)."""


@pipeline.command(epilog=EXAMPLES)
@_SOURCE
@click.option(
    "--to", "directory", required=True, metavar="DIR", help="Where the tables are: path or URI."
)
@click.option("-f", "--follow", is_flag=True, help="Go on as the quorum's log grows, until Ctrl-C.")
@click.option(
    "--master", metavar="URL", help="A Spark cluster, as spark-submit takes it; default: local[*]."
)
@click.option(
    "--conf",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of Spark's; may be given several times.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["auto", "parquet", "delta", "iceberg"]),
    default="auto",
    show_default=True,
    help="How tables are stored. auto: what --conf extends Spark with, else Parquet.",
)
@click.option(
    "--rows-per-landing",
    "most",
    type=click.IntRange(1),
    default=LANDING_ROWS,
    show_default=True,
    help="The most that one landing takes from a quorum.",
)
@click.option(
    "--every",
    "every_s",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="With --follow: how often what is new is landed.",
)
@click.option(
    "--refresh",
    "refresh_s",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="With --follow: how often history and report are made anew.",
)
@leader_timeout_option()
@command_config_option()
@output_option(
    "On standard output: a closing line, or one JSON object a landing and a making of tables."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
def run(
    source: str,
    directory: str,
    follow: bool,
    master: str | None,
    settings: tuple[str, ...],
    format_name: str,
    most: int,
    every_s: float,
    refresh_s: float,
    timeout_s: float,
    command_config: str | None,
    output: Literal["line", "json"],
    quiet: bool,
) -> int:
    """Land SOURCE's log in DIR: bronze (each record), history, report and errors.

    Run again it goes on where it ended, also after a crash: no record is lost and none is there
    twice. Exit code 0: all has landed; 2: landed, but something could not be read, see DIR/errors;
    1: nothing more could be landed.
    """
    _need("spark", "pyspark", "pyarrow", "pandas")
    from pyspark_metaquorum.pipeline.opening import open_pipeline

    say = (lambda text: None) if quiet else _say
    tell = _tell if output == "json" else (lambda value: None)
    chosen = _settings(settings)
    with _terminated_as_interrupted():
        try:
            with open_pipeline(
                source,
                directory,
                master=master,
                settings=chosen,
                format_name=format_name,
                most=most,
                timeout_ms=int(timeout_s * 1000),
                command_config=command_config,
                say=say,
                tell=tell,
            ) as opened:
                if follow:
                    return _follow(opened, every_s, refresh_s)
                return _once(opened, output)
        except KeyboardInterrupt:
            return 0 if follow else INTERRUPTED


@pipeline.command(epilog=EXAMPLES)
@click.argument("directory", metavar="DIR")
@click.option("--out", "page", required=True, metavar="FILE.html", help="Where the page goes.")
@click.option(
    "--conf",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the Spark that reads Delta and Iceberg; may be given several times.",
)
@output_option("How standard output says what was written.")
def report(
    directory: str, page: str, settings: tuple[str, ...], output: Literal["line", "json"]
) -> None:
    """Draw the tables in DIR, a directory that `pipeline run` has filled, as one page of HTML.

    Quorum epochs, ISR and leader churn, growth, top movers, config changes, brokers, record mix.
    The page needs nothing but itself: no network, no script. Parquet is read without Spark.
    """
    _need("report", "matplotlib", "pyarrow")
    from pyspark_metaquorum.report.opening import open_tables
    from pyspark_metaquorum.report.page import make_page

    with open_tables(directory, _settings(settings)) as tables:
        text = make_page(tables).encode()
    _write_page(page, text)
    if output == "json":
        _tell({"page": page, "bytes": len(text), "end": tables.about["end"]})
    else:
        click.echo(f"{page}: {len(text):,} bytes, up to offset {tables.about['end']}")


@pipeline.command(epilog=EXAMPLES)
@click.argument("directory", metavar="DIR")
@_SOURCE
@click.option("--name", metavar="NAME", help="What the pipeline is called.  [default: DIR's name]")
@click.option(
    "--growth-every",
    default="1 hour",
    show_default=True,
    metavar="INTERVAL",
    help="How long a row of the growth table is, in Spark's words.",
)
def init(directory: str, source: str, name: str | None, growth_every: str) -> None:
    """Write a project for Spark Declarative Pipelines that keeps the tables of SOURCE's log.

    It is a spec and a file of definitions, to which others may be added; `spark-pipelines run`
    in DIR makes the tables, and goes on with them when it is run again.
    """
    from pyspark_metaquorum.pipeline.project import LASTING_CATALOG, write_project
    from pyspark_metaquorum.pipeline.source_name import from_anywhere

    called = name or os.path.basename(os.path.abspath(directory))
    with written(directory):
        paths = write_project(directory, from_anywhere(source), called, growth_every)
    for path in paths:
        click.echo(path)
    click.echo(f"# cd {directory} && spark-pipelines --conf {LASTING_CATALOG} run", err=True)


def _write_page(page: str, text: bytes) -> None:
    """Put a page in its place, whole or not at all; OSError names the file."""
    staged = f"{page}.part"
    with written(staged):
        try:
            with open(staged, "wb") as file:
                file.write(text)
            os.replace(staged, page)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(staged)
            raise


def _once(opened: Pipeline, output: str) -> int:
    made = opened.once()
    if output == "line":
        click.echo(
            f"{without_credentials(opened.target.uri)}: {made.records} records up to offset "
            f"{made.landed_end}, {len(made.tables)} tables, {made.problems} errors"
        )
    return EXIT_WITH_ERRORS if made.problems else 0


def _follow(opened: Pipeline, every_s: float, refresh_s: float) -> int:
    from pyspark_metaquorum.pipeline.running import Pace

    if not opened.origin.grows:
        raise OperatorError("--follow needs a quorum: files do not say what is committed")
    opened.follow(Pace(every_s, refresh_s))
    return 0


def _need(extra: str, *names: str) -> None:
    for name in names:
        if find_spec(name) is None:
            raise OperatorError(f"{name} is not installed: pip install 'metaquorum[{extra}]'")


def _settings(given: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise OperatorError("--conf needs NAME=VALUE")  # it may be a password
        found[name] = value
    return found


def _say(text: str) -> None:
    click.echo(f"# {without_credentials(text)}", err=True)


def _tell(value: dict[str, Any]) -> None:
    click.echo(json.dumps(value))


@contextlib.contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
