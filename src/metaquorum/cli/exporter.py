"""``metaquorum exporter``: OpenMetrics of any KRaft quorum and of the cluster behind it."""

from __future__ import annotations

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Command
from metaquorum.cli.shared_options import (
    bootstrap_controller_option,
    command_config_option,
    min_insync_replicas_option,
)

DEFAULT_LISTEN = "localhost:9404"
EXAMPLES = """\b
Examples:
  metaquorum exporter --bootstrap-controller c1:9093,c2:9093,c3:9093
  metaquorum exporter --bootstrap-controller c1:9093 --command-config client.properties
  metaquorum exporter --bootstrap-controller c1:9093 --listen :9404 --per-topic
and in another terminal:
  metaquorum metrics --url http://localhost:9404/metrics --match raft_metrics
"""


@click.command(cls=Command, epilog=EXAMPLES)
@bootstrap_controller_option()
@click.option(
    "--listen",
    default=DEFAULT_LISTEN,
    show_default=True,
    metavar="HOST:PORT",
    help="Where to serve /metrics, /livez and /readyz; without HOST on every interface.",
)
@command_config_option()
@click.option("--per-topic", is_flag=True, help="Five series for each topic as well.")
@click.option(
    "--interval-ms",
    type=click.IntRange(100, 3_600_000),
    default=5_000,
    show_default=True,
    metavar="MS",
    help="How often the leader is asked how the quorum is. The log is followed as it grows.",
)
@min_insync_replicas_option()
def exporter(
    bootstrap: str,
    listen: str,
    command_config: str | None,
    per_topic: bool,
    interval_ms: int,
    min_insync_replicas: int,
) -> None:
    """Serve metrics of a quorum, Apache Kafka's or ours, until SIGTERM or SIGINT.

    One process beside the cluster: the leader is asked how the quorum is, and the metadata log is
    read as `tail` reads it. The quorum does not notice: no observer appears in `describe
    --replication`, and nothing is written. A scrape never waits for the network.
    """
    from metaquorum.cli.target import parse_bootstrap, renewed_security
    from metaquorum.config.key import BadValue
    from metaquorum.config.listeners import parse_host_port

    try:
        where = parse_host_port(listen, empty_host=True)
    except BadValue as error:
        raise OperatorError(f"--listen: {error}") from None
    places = parse_bootstrap(bootstrap)
    security = renewed_security(command_config)

    from metaquorum.exporter.service import ExporterOptions, run

    run(ExporterOptions(places, where, security, interval_ms, min_insync_replicas, per_topic))
