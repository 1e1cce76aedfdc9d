"""``metaquorum container``: the entry point of an image, configured by variables (decision 228)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import click
from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Group
from metaquorum.cli.container_variables import (
    SOURCE,
    cluster_id_of,
    container_properties,
    flag_of,
    variable_of,
    with_variables,
)
from metaquorum.config.node_config import NodeConfig

if TYPE_CHECKING:
    from metaquorum.cli.releases import Release

EXAMPLES = """\b
Examples:
  KAFKA_NODE_ID=1 KAFKA_PROCESS_ROLES=controller ... metaquorum container start
  metaquorum container health
  metaquorum container variable metadata.log.dir    # KAFKA_METADATA_LOG_DIR
"""
START_HELP = """Run the node that the variables of the environment describe.

KAFKA_* variables are keys of a server.properties, as with Apache Kafka's image; a mounted
server.properties has what no variable says.

With CLUSTER_ID, directories that are empty are formatted first; directories that are formatted have
to be those of that cluster and node. Who the first voters are is said by one of
METAQUORUM_STANDALONE=true, METAQUORUM_INITIAL_CONTROLLERS=ID@HOST:PORT:DIRECTORY,... (the same for
each of them), METAQUORUM_NO_INITIAL_CONTROLLERS=true or KAFKA_CONTROLLER_QUORUM_VOTERS.
METAQUORUM_RELEASE_VERSION is the release whose features the cluster begins with.
"""
MOUNTED_FILE = "/mnt/shared/config/server.properties"
FLAGS = {
    "METAQUORUM_STANDALONE": "--standalone",
    "METAQUORUM_INITIAL_CONTROLLERS": "--initial-controllers",
    "METAQUORUM_NO_INITIAL_CONTROLLERS": "--no-initial-controllers",
    "METAQUORUM_RELEASE_VERSION": "--release-version",
    "CLUSTER_ID": "--cluster-id",
}
EXIT_TERMINATED = 143  # 128 + SIGTERM

file_option = click.option(
    "-c",
    "--config",
    "path",
    metavar="FILE",
    default=MOUNTED_FILE,
    show_default=True,
    help="A server.properties that may be mounted there.",
)


@click.group(cls=Group, epilog=EXAMPLES)
def container() -> None:
    """Run a node in a container, configured by KAFKA_* variables."""


@container.command("start", epilog=EXAMPLES, help=START_HELP)
@file_option
def start(path: str) -> int:
    # The first process of a container has no default action for a signal: until the node
    # listens, SIGTERM would do nothing.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_TERMINATED))
    given = Given.of(os.environ, path)
    log_format = given.config.log_format
    for warning in given.warnings:
        _remark(log_format, "configuration-warning", warning)
    cluster_id = cluster_id_of(os.environ)
    with _named_by_variables(given.config.given, given.of_file):
        if cluster_id is not None:
            say = partial(_remark, log_format, "format")
            _format(given.config, cluster_id, os.environ, say)
        given.config.check_servable()

    from metaquorum.node.lifecycle import run

    return run(given.config)


@container.command("health", epilog=EXAMPLES)
@file_option
def health(path: str) -> int:
    """Ask the node of this container whether it is ready; exit code 0 if it is."""
    from metaquorum.cli.metrics import fetch
    from metaquorum.config.listeners import HostPort, is_wildcard

    place = Given.of(os.environ, path).config.metrics_listener
    if place is None:
        raise OperatorError(
            f"{variable_of('metrics.listener')} is not set, so the node cannot be asked; "
            "write e.g. :9404"
        )
    host = "localhost" if not place.host or is_wildcard(place.host) else place.host
    click.echo(fetch(f"http://{HostPort(host, place.port)}/readyz")[1].strip())
    return 0


@container.command("variable", epilog=EXAMPLES)
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
def variable(keys: tuple[str, ...]) -> None:
    """Print the variables that are for keys of a server.properties."""
    for key in keys:
        click.echo(variable_of(key))


@frozen
class Given:
    """What the variables and the mounted file say, and which keys are the file's."""

    config: NodeConfig
    warnings: list[str]
    of_file: frozenset[str]

    @classmethod
    def of(cls, environ: Mapping[str, str], path: str) -> Given:
        """OperatorError tells all that is wrong, each by its variable."""
        file = path if path != MOUNTED_FILE or os.path.exists(path) else None
        properties, of_file = container_properties(environ, file)
        with _named_by_variables(properties, of_file):
            config, warnings = NodeConfig.of(properties, SOURCE, environ=environ)
        shown = [with_variables(warning, properties, of_file) for warning in warnings]
        return cls(config, shown, of_file)


@contextmanager
def _named_by_variables(keys: Iterable[str], of_file: frozenset[str]) -> Iterator[None]:
    """Errors about keys and options become errors about variables."""
    try:
        yield
    except OperatorError as error:
        text = with_variables(str(error), keys, of_file)
        for name, option in FLAGS.items():
            text = text.replace(option, name)
        raise OperatorError(text) from None


def _format(
    config: NodeConfig, cluster_id: str, environ: Mapping[str, str], say: Callable[[str], None]
) -> None:
    """Format what is empty, unless all is formatted for this cluster and node already."""
    from metaquorum.cli.format_directories import look_at
    from metaquorum.cli.format_plan import FormatOrder
    from metaquorum.cli.storage import checked_cluster_id, run_format
    from metaquorum.storage.posix import PosixDisk

    for path, found in look_at(PosixDisk(), config).formatted.items():
        if found.cluster_id != cluster_id:
            raise OperatorError(
                f"CLUSTER_ID is {cluster_id}, and {path} belongs to cluster {found.cluster_id}"
            )
    order = FormatOrder(
        cluster_id=checked_cluster_id(cluster_id),
        standalone=flag_of(environ, "METAQUORUM_STANDALONE"),
        joining=flag_of(environ, "METAQUORUM_NO_INITIAL_CONTROLLERS"),
        initial_controllers=environ.get("METAQUORUM_INITIAL_CONTROLLERS") or None,
        ignore_formatted=True,
        release=_release(environ),
    )
    run_format(config, order, say)


def _release(environ: Mapping[str, str]) -> Release | None:
    from metaquorum.cli.releases import parse_release

    text = environ.get("METAQUORUM_RELEASE_VERSION")
    try:
        return parse_release(text) if text else None
    except OperatorError as error:
        raise OperatorError(f"METAQUORUM_RELEASE_VERSION: {error}") from None


def _remark(log_format: str, event: str, text: str) -> None:
    from metaquorum.cli.server import remark_line

    with suppress(OSError):  # nobody reads it: no reason not to start
        click.echo(remark_line(log_format, event, text), err=True)
