"""A broker's files of offsets by partition, beside its partitions: Kafka's text, read only.

Version 0, the number of entries, then a line "topic partition offset" each. A broker takes a file
that it cannot read for an empty one; a tool that decides by it says so.
"""

from __future__ import annotations

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.storage.disk import Disk

LOG_START_FILE = "log-start-offset-checkpoint"
HIGH_WATERMARK_FILE = "replication-offset-checkpoint"
_VERSION = "0"


def read_offsets(disk: Disk, path: str) -> dict[str, Offset]:
    """Offsets by the names of partitions' directories; nothing without the file.

    Raises OperatorError for a file that is there and is none.
    """
    try:
        lines = disk.read_bytes(path).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return {}
    if not lines:
        return {}
    try:
        if lines[0].strip() != _VERSION or int(lines[1]) != len(lines) - 2:
            raise ValueError
        rows = [line.split() for line in lines[2:]]
        return {f"{topic}-{int(number)}": int(offset) for topic, number, offset in rows}
    except (ValueError, IndexError):
        raise OperatorError(f"{path} is no file of offsets, or was cut off") from None
