"""``metaquorum producer-snapshots``: find producer snapshots that are missing, and make them again.

Tiered storage of Kafka copies no segment without one, and every broker before 2.8 threw most of
them away (KIP-952). The directory belongs to a broker that is stopped: one that runs holds its
lock, and would not look at new files before its next start.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence

import click
from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.disk import Disk
from metaquorum.storage.names import LOG, PRODUCER_SNAPSHOT, parse_segment_file, segment_file
from metaquorum.storage.offset_checkpoint import LOG_START_FILE, read_offsets
from metaquorum.storage.partition_log import RottenSegment
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_regeneration import PartitionProducers, SnapshotState
from metaquorum.storage.producer_snapshot import write_producers

EXPIRATION_MS = 86_400_000  # Kafka's default of producer.id.expiration.ms
_PARTITION = re.compile(r"(.+)-(\d+)")

EXAMPLES = """\b
Examples:
  metaquorum producer-snapshots check --log-dir /var/lib/kafka
  metaquorum producer-snapshots regenerate --log-dir /var/lib/kafka --dry-run
  metaquorum producer-snapshots regenerate --log-dir /var/lib/kafka/orders-0
"""


@frozen
class PartitionDirectory:
    """A directory of one partition: its path, its name, where the partition begins."""

    path: str
    name: str
    log_start: Offset


def wall_ms() -> int:
    """Milliseconds since 1970, by which producers expire."""
    return time.time_ns() // 1_000_000


def partition_directories(disk: Disk, log_dir: str) -> tuple[PartitionDirectory, ...]:
    """The partitions in a broker's log directory, or the one whose directory this is.

    Raises OperatorError when there is none.
    """
    log_dir = log_dir.rstrip("/") or "/"
    try:
        names = disk.names(log_dir)
    except FileNotFoundError:
        raise OperatorError(f"{log_dir}: there is no such directory") from None
    except NotADirectoryError:
        raise OperatorError(f"{log_dir} is no directory") from None
    if _holds_segments(names):
        parent, _, name = log_dir.rpartition("/")
        starts = read_offsets(disk, f"{parent or '.'}/{LOG_START_FILE}")
        return (PartitionDirectory(log_dir, name, starts.get(name, 0)),)
    starts = read_offsets(disk, f"{log_dir}/{LOG_START_FILE}")
    found = [
        PartitionDirectory(f"{log_dir}/{name}", name, starts.get(name, 0))
        for name in names
        if _PARTITION.fullmatch(name) and _is_partition(disk, f"{log_dir}/{name}")
    ]
    if not found:
        raise OperatorError(
            f"{log_dir}: neither a partition's directory nor a broker's with partitions in it"
        )
    return tuple(found)


def _is_partition(disk: Disk, path: str) -> bool:
    try:
        return _holds_segments(disk.names(path))
    except NotADirectoryError:
        return False


def _holds_segments(names: Sequence[str]) -> bool:
    return any(parse_segment_file(name, LOG) is not None for name in names)


def _producers(
    disk: Disk, log_dir: str, expiration_ms: int
) -> Iterator[tuple[PartitionDirectory, PartitionProducers]]:
    now_ms = wall_ms()
    for one in partition_directories(disk, log_dir):
        yield one, PartitionProducers(disk, one.path, one.log_start, now_ms, expiration_ms)


@click.group(name="producer-snapshots", epilog=EXAMPLES)
def producer_snapshots() -> None:
    """Find producer snapshots that tiered storage needs, and make missing ones again (KIP-952)."""


_LOG_DIR = click.option(
    "--log-dir",
    "log_dir",
    required=True,
    metavar="DIR",
    help="A broker's log directory, or the directory of one partition.",
)


@producer_snapshots.command(name="check", epilog=EXAMPLES)
@_LOG_DIR
def check_command(log_dir: str) -> int:
    """Name every closed segment without a valid producer snapshot; exit code 1 if there is one."""
    lacking = wanted = 0
    for partition, producers in _producers(PosixDisk(), log_dir, EXPIRATION_MS):
        for found in producers.wanted():
            wanted += 1
            if found.state is not SnapshotState.VALID:
                lacking += 1
                why = f": {found.why}" if found.why else ""
                click.echo(f"{_name(partition, found.offset)} is {found.state.value}{why}")
    click.echo(f"{wanted - lacking} of {wanted} producer snapshots are there and valid")
    return 1 if lacking else 0


@producer_snapshots.command(name="regenerate", epilog=EXAMPLES)
@_LOG_DIR
@click.option("--dry-run", is_flag=True, help="Replay and tell, but write nothing.")
@click.option(
    "--producer-id-expiration-ms",
    "expiration_ms",
    type=click.IntRange(1),
    default=EXPIRATION_MS,
    show_default=True,
    metavar="MS",
    help="The brokers' producer.id.expiration.ms: who wrote nothing for so long is forgotten.",
)
def regenerate_command(log_dir: str, dry_run: bool, expiration_ms: int) -> int:
    """Write the missing and the damaged ones; exit code 1 if one cannot be had."""
    disk = PosixDisk()
    lock = None if dry_run else DirectoryLock(_locked_directory(disk, log_dir))
    failed = 0
    try:
        for partition, producers in _producers(disk, log_dir, expiration_ms):
            for found in producers.wanted():
                if found.state is not SnapshotState.VALID:
                    failed += not _regenerate(partition, producers, found.offset, dry_run=dry_run)
    finally:
        if lock is not None:
            lock.release()
    return 1 if failed else 0


def _locked_directory(disk: Disk, log_dir: str) -> str:
    """The log directory that a broker would hold the lock of."""
    directories = partition_directories(disk, log_dir)
    return directories[0].path.rpartition("/")[0] or "."


def _regenerate(
    partition: PartitionDirectory, producers: PartitionProducers, offset: Offset, *, dry_run: bool
) -> bool:
    """Make one file, and say so; whether it could be made."""
    try:
        made = producers.state_at(offset)
    except RottenSegment as error:
        click.echo(f"{_name(partition, offset)} cannot be made: {error}", err=True)
        return False
    if not dry_run:
        write_producers(producers.disk, partition.path, offset, made.entries)
    done = "would be written" if dry_run else "written"
    click.echo(
        f"{_name(partition, offset)} {done}: {_count(len(made.entries), 'producer')}, replayed "
        f"{_count(made.replayed_segments, 'segment')} from offset {made.replayed_from}"
        + (f", looked at {made.looked_at_segments}" if made.looked_at_segments else "")
    )
    return True


def _name(partition: PartitionDirectory, offset: Offset) -> str:
    return f"{partition.name}/{segment_file(offset, PRODUCER_SNAPSHOT)}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
