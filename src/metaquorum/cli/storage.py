"""``metaquorum storage``: format log directories, look at them, draw ids.

Flags, output and files are those of Kafka's ``kafka-storage.sh``; KIP-853 and KIP-1170 say what a
format writes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid, is_never_drawn, random_uuid, uuid_text
from metaquorum.cli.clock import wall_ms
from metaquorum.cli.command import Group
from metaquorum.config.node_config import NodeConfig

if TYPE_CHECKING:
    from metaquorum.cli.format_plan import FormatOrder, FormatPlan
    from metaquorum.storage.disk import Disk

EXAMPLES = """\b
Examples:
  metaquorum storage random-uuid
  metaquorum storage format -t MkU3OEVBNTcwNTJENDM2Qk -c server.properties --standalone
  metaquorum storage info -c server.properties
"""
FORMAT_EXAMPLES = """\b
Examples:
  # the first and only voter of a new quorum
  metaquorum storage format -t MkU3OEVBNTcwNTJENDM2Qk -c server.properties --standalone
  # one of three first voters; the same list on each of them
  metaquorum storage format -t MkU3OEVBNTcwNTJENDM2Qk -c server.properties -I \\
      1@a:9093:JEXY6aqzQY-32P5TStzaFg,2@b:9093:MvDxzVmcRsaTz33bUuRU6A,3@c:9093:07R5amHmR32VDA6jHkGbTA
  # a controller that joins later
  metaquorum storage format -t MkU3OEVBNTcwNTJENDM2Qk -c server.properties -N
  # with a user that brokers and clients can log in as
  metaquorum storage format -t MkU3OEVBNTcwNTJENDM2Qk -c server.properties --standalone \\
      -S 'SCRAM-SHA-256=[name=alice,password=secret]'
"""
FEATURE_EXAMPLES = """\b
Examples:
  metaquorum storage version-mapping --release-version 4.0-IV3
  metaquorum storage feature-dependencies --feature transaction.version=2
"""


def draw_uuid() -> Uuid:
    """A random id that Kafka would hand out: never reserved, never beginning with a dash."""
    while is_never_drawn(drawn := random_uuid(os.urandom(16))):
        pass
    return drawn


def draw_salt() -> bytes:
    """A random salt for a password."""
    from secrets import randbits

    from metaquorum.cli.scram_argument import SALT_BITS, salt_of

    return salt_of(randbits(SALT_BITS))


def read_config(path: str) -> NodeConfig:
    """The configuration at ``path``, its warnings printed."""
    config, warnings = NodeConfig.load(path)
    for warning in warnings:
        click.echo(f"metaquorum: warning: {warning}", err=True)
    return config


config_option = click.option(
    "-c", "--config", "config_path", required=True, metavar="FILE", help="The server.properties."
)

output_option = click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Kafka's own text, or one JSON object.",
)


@click.group(cls=Group, epilog=EXAMPLES)
def storage() -> None:
    """Format log directories, and look at them."""


@storage.command("random-uuid", epilog=EXAMPLES)
def random_uuid_command() -> None:
    """Print a random id, for a cluster or a directory."""
    click.echo(uuid_text(draw_uuid()))


@storage.command("format", epilog=FORMAT_EXAMPLES)
@config_option
@click.option("-t", "--cluster-id", required=True, metavar="ID", help="The cluster's id.")
@click.option(
    "-s", "--standalone", is_flag=True, help="This controller is the first and only voter."
)
@click.option(
    "-N",
    "--no-initial-controllers",
    "joining",
    is_flag=True,
    help="The voters are formatted elsewhere; this node joins them.",
)
@click.option(
    "-I",
    "--initial-controllers",
    metavar="ID@HOST:PORT:DIRECTORY,...",
    help="The first voters; the same list on each of them.",
)
@click.option(
    "-g",
    "--ignore-formatted",
    is_flag=True,
    help="Leave formatted directories as they are and format the others.",
)
@click.option(
    "-r",
    "--release-version",
    "release",
    metavar="RELEASE",
    help="The release whose features the cluster begins with; 4.3-IV0 unless given.",
)
@click.option(
    "-f",
    "--feature",
    "features",
    multiple=True,
    metavar="FEATURE=LEVEL",
    help="Another level for one feature; may be given several times.",
)
@click.option(
    "-S",
    "--add-scram",
    "scram",
    multiple=True,
    metavar="MECHANISM=[name=...,...]",
    help="A user's first SCRAM credential; may be given several times.",
)
@click.option(
    "--legacy-bootstrap",
    "legacy",
    is_flag=True,
    help="Write the two files that releases before 4.4 read, in place of one (not Kafka's flag).",
)
@output_option
def format_command(
    config_path: str,
    cluster_id: str,
    standalone: bool,
    joining: bool,
    initial_controllers: str | None,
    ignore_formatted: bool,
    release: str | None,
    features: tuple[str, ...],
    scram: tuple[str, ...],
    legacy: bool,
    output: str,
) -> int:
    """Make empty log directories those of a node of a cluster."""
    from metaquorum.cli.format_plan import FormatOrder
    from metaquorum.cli.releases import parse_feature, parse_release

    order = FormatOrder(
        cluster_id=checked_cluster_id(cluster_id),
        standalone=standalone,
        joining=joining,
        initial_controllers=initial_controllers,
        ignore_formatted=ignore_formatted,
        release=None if release is None else parse_release(release),
        features=dict(parse_feature(text) for text in features),
        scram=scram,
        legacy=legacy,
    )
    as_json = output == "json"
    plan = run_format(read_config(config_path), order, (lambda _: None) if as_json else click.echo)
    if as_json:
        _echo_json(plan.facts())
    return 0


def run_format(
    config: NodeConfig, order: FormatOrder, say: Callable[[str], None], disk: Disk | None = None
) -> FormatPlan:
    """Plan, then write, to the real disk or another; says what Kafka's tool prints."""
    from metaquorum.cli.format_directories import directories_to_format, format_directory, look_at
    from metaquorum.cli.format_plan import plan_format
    from metaquorum.storage.posix import PosixDisk

    disk = disk if disk is not None else PosixDisk()
    found = look_at(disk, config)
    for path, reason in found.unusable.items():
        click.echo(f"{path} {reason}; it is left out.", err=True)
    paths = directories_to_format(disk, config, order, found)
    plan = plan_format(config, order, paths, draw_uuid, draw_salt)
    if not plan.directories:
        say("All of the log directories are already formatted.")
        return plan
    say(plan.bootstrap_line())
    now_ms = wall_ms()
    comment = _java_date(now_ms)
    for one in plan.directories:
        _make_writable(disk, one.path)  # all of them before any is formatted
    for one in plan.directories:
        say(f"Formatting {one.kind} {one.path} with metadata.version {plan.release.name}.")
        try:
            format_directory(disk, plan, one, now_ms, comment, legacy=order.legacy)
        except OSError as error:
            raise OperatorError(f"cannot format {one.path}: {error.strerror or error}") from None
    return plan


@storage.command("info", epilog=EXAMPLES)
@config_option
@output_option
def info_command(config_path: str, output: str) -> int:
    """Show the directories of a configuration, whose they are, and what is wrong with them."""
    from metaquorum.cli.storage_info import storage_info
    from metaquorum.storage.posix import PosixDisk

    info = storage_info(PosixDisk(), read_config(config_path))
    if output == "json":
        _echo_json(info.facts())
    else:
        click.echo("".join(f"{line}\n" for line in info.lines()), nl=False)
    return 1 if info.problems else 0


@storage.command("version-mapping", epilog=FEATURE_EXAMPLES)
@click.option("-r", "--release-version", "release", metavar="RELEASE", help="Such as 4.0-IV3.")
def version_mapping_command(release: str | None) -> None:
    """Show the feature levels that a cluster of a release begins with."""
    from metaquorum.cli.releases import (
        DEFAULT_RELEASE,
        Release,
        default_level,
        feature_names,
        parse_release,
    )

    chosen = Release(DEFAULT_RELEASE) if release is None else parse_release(release)
    click.echo(f"metadata.version={chosen.level} ({chosen.called or chosen.name})")
    for name in feature_names():
        click.echo(f"{name}={default_level(name, chosen)}")


@storage.command("feature-dependencies", epilog=FEATURE_EXAMPLES)
@click.option("-f", "--feature", "features", multiple=True, required=True, metavar="FEATURE=LEVEL")
def feature_dependencies_command(features: tuple[str, ...]) -> None:
    """Show which levels of other features a feature's level needs."""
    from metaquorum.cli.releases import dependency_lines, parse_feature

    for text in features:
        for line in dependency_lines(*parse_feature(text)):
            click.echo(line)


def _echo_json(facts: dict[str, object]) -> None:
    from metaquorum.wire.json_form import json_text

    click.echo(json_text(facts))


def _make_writable(disk: Disk, path: str) -> None:
    """Make a directory, durably with its parents, that the format may write to."""
    missing, above = [], path
    while above and not disk.exists(above):
        missing.append(above)
        above = os.path.dirname(above)
    try:
        for one in reversed(missing):
            disk.make_directory(one)
            disk.sync_directory(os.path.dirname(one) or os.curdir)
    except OSError as error:
        raise OperatorError(f"cannot make {path}: {error.strerror or error}") from None
    if os.path.exists(path) and not os.access(path, os.W_OK | os.X_OK):
        raise OperatorError(f"cannot format {path}: it may not be written to")


def checked_cluster_id(text: str) -> str:
    """The id of a cluster; OperatorError if it is no single word."""
    if not text.strip() or any(sign.isspace() for sign in text):
        raise OperatorError(
            "--cluster-id: it must be one word, such as those that random-uuid draws"
        )
    return text


def _java_date(now_ms: int) -> str:
    """The moment as Java's properties files have it in their second line."""
    from javaproperties import java_timestamp

    return java_timestamp(now_ms / 1000)
