"""The file of epoch starts, ``leader-epoch-checkpoint``: Kafka's text, checked against the log.

Version 0, the number of entries, then a line "epoch start-offset" each.
"""

from __future__ import annotations

from itertools import pairwise

from metaquorum.base.epochs import EpochStarts
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import EPOCH_FILE

_VERSION = "0"


def encode_epochs(epochs: EpochStarts) -> bytes:
    """The file's text, a line feed at its end."""
    lines = [_VERSION, str(len(epochs)), *(f"{epoch} {start}" for epoch, start in epochs)]
    return ("\n".join(lines) + "\n").encode()


def decode_epochs(content: bytes) -> EpochStarts | None:
    """The epochs in a file, None if it is none (or breaks its own count or order).

    Kafka creates the file empty: no epochs.
    """
    lines = content.decode("utf-8", "replace").splitlines()
    if not lines:
        return EpochStarts()
    try:
        if lines[0].strip() != _VERSION or int(lines[1]) != len(lines) - 2:
            return None
        pairs = [tuple(map(int, line.split())) for line in lines[2:]]
    except (ValueError, IndexError):
        return None
    if any(len(pair) != 2 for pair in pairs):
        return None
    rising = all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))
    if not rising:
        return None
    return EpochStarts(tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))


def read_epochs(disk: Disk, directory: str) -> EpochStarts | None:
    """The epochs that the file tells, None without a readable file."""
    try:
        return decode_epochs(disk.read_bytes(f"{directory}/{EPOCH_FILE}"))
    except FileNotFoundError:
        return None


def write_epochs(disk: Disk, directory: str, epochs: EpochStarts) -> None:
    """Replace the file durably; raises DiskFailed."""
    replace_durably(disk, directory, EPOCH_FILE, encode_epochs(epochs))
