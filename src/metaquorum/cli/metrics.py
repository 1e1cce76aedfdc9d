"""``metaquorum metrics``: what a node shows at its metrics listener, as a table.

Works on any endpoint that speaks the text of Prometheus or OpenMetrics, an exporter beside
Apache Kafka included.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import click
from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Command
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import HostPort, parse_host_port

EXAMPLES = """\b
Examples:
  metaquorum metrics --metrics-listener localhost:9404
  metaquorum metrics --metrics-listener localhost:9404 --match raft_metrics
  metaquorum metrics --url http://localhost:9404/metrics -o json
"""
ACCEPT = "application/openmetrics-text; version=1.0.0, text/plain; version=0.0.4; q=0.5"
TIMEOUT_S = 10
MAX_BODY_BYTES = 33_554_432  # thousands of times what a node shows


@frozen
class Series:
    """One line of a scrape."""

    name: str
    labels: dict[str, str]
    value: float
    kind: str
    about: str


def listener_url(listener: str) -> str:
    """Where a node with this ``metrics.listener`` is scraped; without a host, on this machine."""
    try:
        place = parse_host_port(listener, empty_host=True)
    except BadValue as error:
        raise OperatorError(f"--metrics-listener: {error}") from None
    return f"http://{HostPort(place.host or 'localhost', place.port)}/metrics"


def fetch(url: str) -> tuple[str, str]:
    """Content type and text at ``url``; OperatorError says why there is none."""
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname:
        raise OperatorError(f"{url!r} is not http://HOST:PORT/PATH")
    path = (parts.path or "/metrics") + (f"?{parts.query}" if parts.query else "")
    try:
        connection = HTTPConnection(parts.hostname, parts.port or 80, timeout=TIMEOUT_S)
        try:
            connection.request("GET", path, headers={"Accept": ACCEPT})
            return _read(url, connection.getresponse())
        finally:
            connection.close()
    except (OSError, HTTPException, ValueError) as error:
        raise OperatorError(f"{url}: {error or type(error).__name__}") from None


def series_of(content_type: str, text: str, source: str) -> Iterator[Series]:
    """The series in a scrape; OperatorError when the text is not one."""
    if content_type.startswith("application/openmetrics-text"):
        from prometheus_client.openmetrics import parser as openmetrics

        parse: Any = openmetrics.text_string_to_metric_families
    else:
        from prometheus_client import parser as plain

        parse = plain.text_string_to_metric_families
    try:
        for family in parse(text):
            for sample in family.samples:
                yield Series(
                    sample.name,
                    dict(sample.labels),
                    float(sample.value),
                    family.type,
                    family.documentation,
                )
    except (ValueError, KeyError, IndexError) as error:
        raise OperatorError(f"{source} does not speak Prometheus' text: {error}") from None


def number_text(value: float) -> str:
    """A number as short as it can be: whole numbers without a decimal point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


@click.command(cls=Command, epilog=EXAMPLES)
@click.option("--url", metavar="URL", help="Where the metrics are, http://HOST:PORT/metrics.")
@click.option(
    "--metrics-listener", "listener", metavar="HOST:PORT", help="A node's metrics.listener."
)
@click.option("--match", metavar="TEXT", default="", help="Only series whose names contain TEXT.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json"]),
    default="table",
    help="A table, or one JSON object a series.",
)
def metrics(url: str | None, listener: str | None, match: str, output: str) -> None:
    """Print a node's metrics."""
    if (url is None) == (listener is None):
        raise OperatorError("give one of --url and --metrics-listener")
    source = url if url is not None else listener_url(listener or "")
    content_type, text = fetch(source)
    found = [one for one in series_of(content_type, text, source) if match in one.name]
    if output == "json":
        _print_json(found)
    else:
        _print_table(found)


def _read(url: str, response: HTTPResponse) -> tuple[str, str]:
    body = response.read(MAX_BODY_BYTES + 1)
    if response.status != 200:
        first = body.decode("utf-8", "replace").strip().partition("\n")[0]
        raise OperatorError(f"{url} answers {response.status}: {first}")
    if len(body) > MAX_BODY_BYTES:
        raise OperatorError(f"{url} answers more than {MAX_BODY_BYTES} bytes")
    return response.headers.get("Content-Type", ""), body.decode("utf-8", "replace")


def _print_json(found: list[Series]) -> None:
    from metaquorum.wire.json_form import json_text

    for one in found:
        facts = {"name": one.name, "labels": one.labels, "value": one.value, "type": one.kind}
        click.echo(json_text(facts))


def _print_table(found: list[Series]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("METRIC", no_wrap=True)
    table.add_column("LABELS")
    table.add_column("VALUE", justify="right", no_wrap=True)
    table.add_column("MEANING", style="dim")
    for one in found:
        labels = ", ".join(f"{name}={value}" for name, value in one.labels.items())
        table.add_row(one.name, labels, number_text(one.value), one.about)
    console = Console()
    if not console.is_terminal:
        console = Console(width=10_000)  # nobody to wrap for: a line a series
    console.print(table, highlight=False)
