"""Options that several commands have, written once so that they mean the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Option = Callable[[Any], Any]


def output_option(help: str) -> Option:
    """``-o line|json``: what standard output is made of."""
    return click.option(
        "-o",
        "--output",
        type=click.Choice(["line", "json"]),
        default="line",
        show_default=True,
        help=help,
    )


def expiration_option(help: str) -> Option:
    """``--producer-id-expiration-ms``, with Kafka's default."""
    from metaquorum.storage.missing_snapshots import EXPIRATION_MS  # not for the others to load

    return click.option(
        "--producer-id-expiration-ms",
        "expiration_ms",
        type=click.IntRange(1),
        default=EXPIRATION_MS,
        show_default=True,
        metavar="MS",
        help=help,
    )


def bootstrap_controller_option(*, required: bool = True) -> Option:
    """``--bootstrap-controller``: where a command that follows the leader begins."""
    return click.option(
        "--bootstrap-controller",
        "bootstrap",
        required=required,
        metavar="HOST:PORT[,...]",
        help="One or more controllers to begin with; the leader is found through them.",
    )


def command_config_option() -> Option:
    """``--command-config``: Kafka's client keys, for every command that connects."""
    return click.option(
        "--command-config",
        metavar="FILE",
        help="Properties of the client: security.protocol, ssl.*, sasl.*.",
    )


def endpoint_url_option() -> Option:
    """``--endpoint-url``: where an object store listens."""
    return click.option(
        "--endpoint-url",
        metavar="URL",
        help="Where a store that speaks the protocol of S3 listens, if it is not Amazon's.",
    )


def leader_timeout_option(
    about: str = "Give up when the quorum has no leader for so long.",
) -> Option:
    """``--timeout``: how long a quorum may be without a leader, in seconds."""
    return click.option(
        "--timeout",
        "timeout_s",
        type=click.FloatRange(min=0.001),
        default=30.0,
        show_default=True,
        metavar="SECONDS",
        help=about,
    )


def min_insync_replicas_option() -> Option:
    """``--min-insync-replicas``: of topics for which the metadata log says nothing."""
    return click.option(
        "--min-insync-replicas",
        type=click.IntRange(1, 2**31 - 1),
        default=1,
        show_default=True,
        metavar="N",
        help="What the files of the brokers say, for topics for which the log says nothing.",
    )
