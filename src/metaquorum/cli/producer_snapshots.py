"""``metaquorum producer-snapshots``: find producer snapshots that are missing, and make them again.

Tiered storage of Kafka copies no segment without one, and every broker before 2.8 threw most of
them away (KIP-952). The directory belongs to a broker that is stopped: one that runs holds its
lock, and would not look at new files before its next start.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.clock import wall_ms
from metaquorum.cli.command import Group
from metaquorum.cli.shared_options import expiration_option, output_option
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.disk import Disk
from metaquorum.storage.missing_snapshots import (
    EXPIRATION_MS,
    SnapshotMade,
    make_missing,
    wanted_of,
)
from metaquorum.storage.partition_directories import PartitionDirectory, partition_directories
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_regeneration import FoundSnapshot, SnapshotState

EXAMPLES = """\b
Examples:
  metaquorum producer-snapshots check --log-dir /var/lib/kafka
  metaquorum producer-snapshots regenerate --log-dir /var/lib/kafka --dry-run
  metaquorum producer-snapshots regenerate --log-dir /var/lib/kafka/orders-0
"""


@click.group(cls=Group, name="producer-snapshots", epilog=EXAMPLES)
def producer_snapshots() -> None:
    """Find producer snapshots that tiered storage needs, and make missing ones again (KIP-952)."""


_LOG_DIR = click.option(
    "--log-dir",
    "log_dir",
    required=True,
    metavar="DIR",
    help="A broker's log directory, or the directory of one partition.",
)


_OUTPUT = output_option("One readable line a file, or one JSON object a line.")


@producer_snapshots.command(name="check", epilog=EXAMPLES)
@_LOG_DIR
@_OUTPUT
def check_command(log_dir: str, output: str) -> int:
    """Name every closed segment without a valid producer snapshot; exit code 1 if there is one."""
    lacking = wanted = failed = 0
    disk = PosixDisk()
    for partition in partition_directories(disk, os.path.abspath(log_dir)):
        try:
            places = _places(disk, partition)
        except OperatorError as error:
            failed += 1
            click.echo(f"metaquorum: {error}", err=True)
            continue
        for found in places:
            wanted += 1
            lacking += found.state is not SnapshotState.VALID
            _show(SnapshotMade(partition, found), output)
    if output == "line":
        click.echo(f"{wanted - lacking} of {wanted} producer snapshots are there and valid")
    return 1 if lacking or failed else 0


def _show(one: SnapshotMade, output: str) -> None:
    """A line for a snapshot that is missing or damaged; an object for every one."""
    if output == "json":
        click.echo(json.dumps(_facts(one)))
    elif one.found.state is not SnapshotState.VALID:
        why = f": {one.found.why}" if one.found.why else ""
        click.echo(f"{one.name} is {one.found.state.value}{why}")


def _facts(one: SnapshotMade) -> dict[str, object]:
    made = one.made
    return {
        "file": one.name,
        "found": one.found.state.value,
        "why": one.problem or one.found.why,
        "producers": None if made is None else len(made.entries),
        "replayed_from": None if made is None else made.replayed_from,
        "replayed_segments": None if made is None else made.replayed_segments,
        "looked_at_segments": None if made is None else made.looked_at_segments,
    }


def _places(disk: Disk, partition: PartitionDirectory) -> tuple[FoundSnapshot, ...]:
    return wanted_of(disk, partition, wall_ms(), EXPIRATION_MS)[1]


@producer_snapshots.command(name="regenerate", epilog=EXAMPLES)
@_LOG_DIR
@click.option("--dry-run", is_flag=True, help="Replay and tell, but write nothing.")
@expiration_option(
    "The brokers' producer.id.expiration.ms: who wrote nothing for so long is forgotten."
)
@_OUTPUT
def regenerate_command(log_dir: str, dry_run: bool, expiration_ms: int, output: str) -> int:
    """Write the missing and the damaged ones; exit code 1 if one cannot be had."""
    disk = PosixDisk()
    partitions = partition_directories(disk, os.path.abspath(log_dir))
    lock = None if dry_run else DirectoryLock(partitions[0].log_dir)
    failed = 0
    try:
        for one in _made(disk, partitions, expiration_ms, dry_run):
            failed += _tell(one, output, dry_run=dry_run)
    finally:
        if lock is not None:
            lock.release()
    return 1 if failed else 0


def _made(
    disk: Disk, partitions: tuple[PartitionDirectory, ...], expiration_ms: int, dry_run: bool
) -> Iterator[SnapshotMade | str]:
    """What was made of each partition; a text for one that cannot be looked at."""
    now_ms = wall_ms()
    for partition in partitions:
        try:
            yield from make_missing(disk, partition, now_ms, expiration_ms, dry_run=dry_run)
        except OperatorError as error:
            yield str(error)


def _tell(one: SnapshotMade | str, output: str, *, dry_run: bool) -> bool:
    """Say what was made of one; whether it failed."""
    if isinstance(one, str):
        click.echo(f"metaquorum: {one}", err=True)
        return True
    if output == "json":
        click.echo(json.dumps(_facts(one)))
        return bool(one.problem)
    if one.problem:
        click.echo(f"{one.name} cannot be made: {one.problem}", err=True)
        return True
    if one.made is not None:
        done = "would be written" if dry_run else "written"
        made = one.made
        click.echo(
            f"{one.name} {done}: {_count(len(made.entries), 'producer')}, replayed "
            f"{_count(made.replayed_segments, 'segment')} from offset {made.replayed_from}"
            + (f", looked at {made.looked_at_segments}" if made.looked_at_segments else "")
        )
    return False


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
