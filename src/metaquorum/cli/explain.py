"""``metaquorum metadata-quorum explain``: every change of role of some nodes, and why it came.

A node keeps its last 1,000 in memory and serves them beside its metrics, at ``/explain``; with
several nodes their changes are printed as one list, in the order of their clocks.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Command
from metaquorum.cli.metrics import fetch, listener_url

EXAMPLES = """\b
Examples:
  metaquorum metadata-quorum explain --metrics-listener localhost:9404
  metaquorum metadata-quorum explain --metrics-listener a:9404 --metrics-listener b:9404 --last 20
  metaquorum metadata-quorum explain --metrics-listener localhost:9404 -o json
"""
_FIELDS = ("wall_ms", "before", "after", "epoch", "leader", "log_end_offset", "why")


def story(listeners: tuple[str, ...], last: int | None) -> list[dict[str, Any]]:
    """All changes of these nodes, each with its node, by time; OperatorError without an answer."""
    rows: list[dict[str, Any]] = []
    for listener in listeners:
        url = listener_url(listener).removesuffix("/metrics") + "/explain"
        facts = _facts(url, fetch(url)[1])
        rows += [{"node": facts["node"], **change} for change in facts["changes"]]
    rows.sort(key=lambda change: change["wall_ms"])  # stable: a node's own order is kept
    return rows if last is None else rows[-last:]


def _facts(url: str, text: str) -> dict[str, Any]:
    try:
        facts = json.loads(text)
        changes = facts["changes"]
        if not isinstance(facts["node"], int) or not all(
            isinstance(change["wall_ms"], int) and set(_FIELDS) <= set(change) for change in changes
        ):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise OperatorError(f"{url} answers something else than changes of role") from None
    assert isinstance(facts, dict)
    return facts


@click.command(cls=Command, epilog=EXAMPLES)
@click.option(
    "--metrics-listener",
    "listeners",
    metavar="HOST:PORT",
    multiple=True,
    help="A node's metrics.listener; several times for several nodes.",
)
@click.option("--last", type=click.IntRange(min=1), help="Only so many, the newest.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json"]),
    default="table",
    help="A table, or one JSON object a change.",
)
def explain(listeners: tuple[str, ...], last: int | None, output: str) -> None:
    """Tell the last changes of role, and why each came.

    Every node keeps its last 1,000 in memory, since its start.
    """
    if not listeners:
        raise OperatorError("give --metrics-listener HOST:PORT of one node or of several")
    changes = story(listeners, last)
    if output == "json":
        from metaquorum.wire.json_form import json_text

        for change in changes:
            click.echo(json_text(change))
        return
    _print_table(changes)


def _print_table(changes: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("TIME", no_wrap=True)
    table.add_column("NODE", justify="right", no_wrap=True)
    table.add_column("ROLE", no_wrap=True)
    for title in ("EPOCH", "LEADER", "LOG END"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("WHY")
    for one in changes:
        leader = "none" if one["leader"] is None else str(one["leader"])
        table.add_row(
            _moment(one["wall_ms"]),
            str(one["node"]),
            one["after"] if one["before"] == one["after"] else f"{one['before']} > {one['after']}",
            str(one["epoch"]),
            leader,
            str(one["log_end_offset"]),
            one["why"],
        )
    console = Console()
    if not console.is_terminal:
        console = Console(width=10_000)  # nobody to wrap for: a line a change
    console.print(table, highlight=False)


def _moment(wall_ms: int) -> str:
    seconds, millis = divmod(wall_ms, 1_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{millis:03d}Z"
