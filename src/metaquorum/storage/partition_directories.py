"""The partitions in a broker's log directory, and where each of them begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.storage.disk import Disk
from metaquorum.storage.names import LOG, parse_segment_file
from metaquorum.storage.offset_checkpoint import LOG_START_FILE, read_offsets

_PARTITION = re.compile(r"(.+)-(\d+)")
_DEPTH = 8  # directories above a partition's, when a whole cluster is looked through


@frozen
class PartitionDirectory:
    """A directory of one partition: its path and name, and where the partition begins."""

    path: str
    name: str
    log_start: Offset

    @property
    def log_dir(self) -> str:
        """The broker's log directory, of which it holds the lock."""
        return self.path.rpartition("/")[0] or "."

    @property
    def topic_and_number(self) -> tuple[str, int]:
        """What the name says; OperatorError where it is no partition's."""
        found = _PARTITION.fullmatch(self.name)
        if found is None:
            raise OperatorError(f"{self.path}: not the directory of a partition, by its name")
        return found.group(1), int(found.group(2))


def partition_directories(disk: Disk, log_dir: str) -> tuple[PartitionDirectory, ...]:
    """The partitions in a broker's log directory, or the one whose directory this is.

    Raises OperatorError when there is none.
    """
    log_dir = log_dir.rstrip("/") or "/"
    names = _names(disk, log_dir)
    if _holds_segments(names):
        parent, _, name = log_dir.rpartition("/")
        return _listed(disk, parent or ".", [(log_dir, name)])
    found = _inside(disk, log_dir, names)
    if not found:
        raise OperatorError(
            f"{log_dir}: neither a partition's directory nor a broker's with partitions in it"
        )
    return _listed(disk, log_dir, found)


def all_partition_directories(disk: Disk, root: str) -> tuple[PartitionDirectory, ...]:
    """Every partition below a directory: of a broker, or of a whole cluster's brokers.

    Raises OperatorError when there is none.
    """
    try:
        return partition_directories(disk, root)
    except OperatorError:
        _names(disk, root.rstrip("/") or "/")
    found = tuple(_below(disk, root.rstrip("/") or "/", _DEPTH))
    if not found:
        raise OperatorError(f"{root}: no partition's directory in it, nor below it")
    return found


def _below(disk: Disk, directory: str, depth: int) -> list[PartitionDirectory]:
    found: list[PartitionDirectory] = []
    try:
        names = disk.names(directory)
    except (NotADirectoryError, FileNotFoundError):
        return found
    found += _listed(disk, directory, _inside(disk, directory, names))
    known = {one.name for one in found}
    if depth:
        for name in names:
            if name not in known:
                found += _below(disk, f"{directory}/{name}", depth - 1)
    return found


def _names(disk: Disk, directory: str) -> list[str]:
    try:
        return disk.names(directory)
    except FileNotFoundError:
        raise OperatorError(f"{directory}: there is no such directory") from None
    except NotADirectoryError:
        raise OperatorError(f"{directory} is no directory") from None


def _inside(disk: Disk, log_dir: str, names: Sequence[str]) -> list[tuple[str, str]]:
    return [
        (f"{log_dir}/{name}", name)
        for name in names
        if _PARTITION.fullmatch(name) and _is_partition(disk, f"{log_dir}/{name}")
    ]


def _listed(
    disk: Disk, log_dir: str, found: list[tuple[str, str]]
) -> tuple[PartitionDirectory, ...]:
    if not found:
        return ()
    starts = read_offsets(disk, f"{log_dir}/{LOG_START_FILE}")
    return tuple(PartitionDirectory(path, name, starts.get(name, 0)) for path, name in found)


def _is_partition(disk: Disk, path: str) -> bool:
    try:
        return _holds_segments(disk.names(path))
    except NotADirectoryError:
        return False


def _holds_segments(names: Sequence[str]) -> bool:
    return any(parse_segment_file(name, LOG) is not None for name in names)
