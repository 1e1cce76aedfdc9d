"""``metaquorum top``: a quorum and its cluster on a live screen, as a page, or as JSON."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Command
from metaquorum.cli.shared_options import (
    bootstrap_controller_option,
    command_config_option,
    leader_timeout_option,
    min_insync_replicas_option,
)

if TYPE_CHECKING:
    from metaquorum.cli.top.watch import Watch

EXIT_NOT_KNOWN = 2
LEAST_COLUMNS, MOST_COLUMNS = 40, 500

EXAMPLES = """\b
Examples:
  metaquorum top --bootstrap-controller c1:9093,c2:9093,c3:9093
  metaquorum top --bootstrap-controller c1:9093 --command-config client.properties
  metaquorum top --bootstrap-controller c1:9093 --once
  metaquorum top --bootstrap-controller c1:9093 --once -o json | jq .leaderId
  metaquorum top --bootstrap-controller c1:9093 -o json --interval-ms 5000

\b
Exit codes:
  0  the screen was left; or, with --once, the log was read and the leader answered
  1  the command line or a file cannot be used
  2  with --once: not all is known within --timeout; what is known was printed
"""


@click.command(cls=Command, epilog=EXAMPLES)
@bootstrap_controller_option()
@command_config_option()
@click.option("--once", is_flag=True, help="Print one page as plain text, and end.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["screen", "json"]),
    default="screen",
    show_default=True,
    help="One JSON object for each interval, a line each, in place of the screen.",
)
@click.option(
    "--interval-ms",
    type=click.IntRange(100, 3_600_000),
    default=1_000,
    show_default=True,
    metavar="MS",
    help="How often the leader is asked how the quorum is. The log is followed as it grows.",
)
@click.option(
    "--window",
    "window_s",
    type=click.IntRange(10, 86_400),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="How far back the band of epochs goes.",
)
@click.option(
    "--rows",
    type=click.IntRange(1, 1_000),
    default=10,
    show_default=True,
    metavar="N",
    help="With --once: how many rows of each table.",
)
@leader_timeout_option(
    "With --once: how long the log may take to be read, and the leader to answer."
)
@min_insync_replicas_option()
@click.pass_context
def top(
    ctx: click.Context,
    bootstrap: str,
    command_config: str | None,
    once: bool,
    output: str,
    interval_ms: int,
    window_s: int,
    rows: int,
    timeout_s: float,
    min_insync_replicas: int,
) -> None:
    """Show a quorum and the cluster behind it, Apache Kafka's or ours, as they are now.

    Voters and their lag, who led when, brokers, partitions in trouble, the last changes in words.
    The leader is asked how the quorum is, and the metadata log is read as `tail` reads it. The
    quorum does not notice: no observer appears in `describe --replication`, and nothing is written.
    The screen needs the extra `top`; --once and -o json do not.
    """
    from metaquorum.cli.target import parse_bootstrap, renewed_security

    places = parse_bootstrap(bootstrap)
    security = renewed_security(command_config)
    needs_screen = not once and output == "screen"
    if needs_screen:
        _check_terminal()

    from metaquorum.cli.top.watch import watch_of

    watch = watch_of(places, security, interval_ms, min_insync_replicas)
    watch.start()
    try:
        if needs_screen:
            _show(watch, window_s * 1_000)
        elif once:
            ctx.exit(_print_once(watch, output, timeout_s, rows, window_s * 1_000))
        else:
            _print_json(watch, interval_ms)
    finally:
        watch.stop()


def _check_terminal() -> None:
    """OperatorError where there is no terminal, or nothing to draw on it with."""
    from importlib.util import find_spec

    if find_spec("textual") is None:
        raise OperatorError(
            "the screen needs textual: pip install 'metaquorum[top]'; --once and -o json do not"
        )
    screen = sys.__stderr__  # textual draws there, so that output may go elsewhere
    if not sys.stdin.isatty() or screen is None or not screen.isatty():
        raise OperatorError("there is no terminal for the screen; --once prints one page")


def _show(watch: Watch, window_ms: int) -> None:
    from metaquorum.cli.top.terminal.app import TopApp

    TopApp(watch, window_ms).run()
    if watch.fault is not None:
        raise watch.fault


def _print_once(watch: Watch, output: str, timeout_s: float, rows: int, window_ms: int) -> int:
    from metaquorum.cli.top.layout import page_lines
    from metaquorum.cli.top.sight_json import as_json

    seen = watch.first_sight(timeout_s)
    if output == "json":
        click.echo(json.dumps(as_json(seen)))
    else:
        for one in page_lines(seen, _columns(), rows, window_ms):
            click.echo(one)
    return 0 if seen.is_whole else EXIT_NOT_KNOWN


def _print_json(watch: Watch, interval_ms: int) -> None:
    """Until Ctrl-C, or until the reader has gone."""
    from metaquorum.cli.top.sight_json import as_json

    try:
        watch.first_sight(interval_ms / 1_000)
        while True:
            click.echo(json.dumps(as_json(watch.sight())))
            sys.stdout.flush()
            watch.readers.stopping.wait(interval_ms / 1_000)
    except KeyboardInterrupt:
        return  # there is no other way to end it


def _columns() -> int:
    """As wide as the terminal, 80 where there is none and COLUMNS does not say."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return 80
    return max(LEAST_COLUMNS, min(MOST_COLUMNS, shutil.get_terminal_size((80, 24)).columns))
