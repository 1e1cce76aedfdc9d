"""The missing producer snapshots of a partition, made one after the other and reported (KIP-952).

The command and the job on Spark are two ways to call this, so that they write equal files.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.storage.disk import Disk, DiskFailed, beside_of
from metaquorum.storage.names import PRODUCER_SNAPSHOT, segment_file
from metaquorum.storage.partition_directories import PartitionDirectory
from metaquorum.storage.producer_regeneration import (
    FoundSnapshot,
    PartitionProducers,
    Regenerated,
    SnapshotState,
)
from metaquorum.storage.producer_snapshot import write_producers

EXPIRATION_MS: Millis = 86_400_000  # Kafka's default of producer.id.expiration.ms


@frozen
class SnapshotMade:
    """One place of a snapshot: what was there, and what was ``made`` of it.

    ``problem`` says why nothing could be made, else it is empty; of a valid file nothing is made.
    """

    partition: PartitionDirectory
    found: FoundSnapshot
    made: Regenerated | None = None
    problem: str = ""

    @property
    def name(self) -> str:
        """The file, by its partition's directory and its own name."""
        return f"{self.partition.name}/{segment_file(self.found.offset, PRODUCER_SNAPSHOT)}"


def wanted_of(
    disk: Disk, partition: PartitionDirectory, now_ms: Millis, expiration_ms: Millis
) -> tuple[PartitionProducers, tuple[FoundSnapshot, ...]]:
    """The producers of one partition, and every place of a snapshot with what is there.

    Raises OperatorError for a partition that cannot be looked at.
    """
    try:
        producers = PartitionProducers(
            disk, partition.path, partition.log_start, now_ms, expiration_ms
        )
        return producers, producers.wanted()
    except OSError as error:
        where = error.filename or partition.path
        raise OperatorError(f"{where}: {error.strerror or error}") from None


def make_missing(
    disk: Disk,
    partition: PartitionDirectory,
    now_ms: Millis,
    expiration_ms: Millis,
    *,
    dry_run: bool = False,
) -> Iterator[SnapshotMade]:
    """Every place where tiered storage wants a snapshot, in order; missing ones are written.

    A damaged one is taken for missing, a valid one is never touched. Raises OperatorError for a
    partition that cannot be looked at.
    """
    producers, places = wanted_of(disk, partition, now_ms, expiration_ms)
    for found in places:
        if found.state is SnapshotState.VALID:
            yield SnapshotMade(partition, found)
            continue
        try:
            made = producers.state_at(found.offset)
            if not dry_run:
                _write(disk, partition, made)
        except OperatorError as error:
            yield SnapshotMade(partition, found, problem=str(error))
        except DiskFailed as error:
            yield SnapshotMade(partition, found, problem=str(error))
            return  # a disk that failed is not tried again
        except OSError as error:
            why = f"{error.filename or partition.path}: {error.strerror or error}"
            yield SnapshotMade(partition, found, problem=why)
        else:
            yield SnapshotMade(partition, found, made)


def _write(disk: Disk, partition: PartitionDirectory, made: Regenerated) -> None:
    """The whole file, or nothing: what was written beside its place goes when it fails."""
    offset: Offset = made.offset
    try:
        write_producers(disk, partition.path, offset, made.entries)
    except OSError:
        with suppress(OSError):  # the first failure is the one to tell
            disk.unlink(beside_of(partition.path, segment_file(offset, PRODUCER_SNAPSHOT)))
        raise
