"""The producer state file that Kafka keeps beside its segments, ``<offset>.snapshot``.

The metadata log has no producers, so it is always the empty one: version 1, checksum, count 0.
"""

from __future__ import annotations

from metaquorum.base.offsets import Offset
from metaquorum.storage.disk import Disk
from metaquorum.storage.names import PRODUCER_SNAPSHOT, segment_file

EMPTY = bytes.fromhex("000148674bc700000000")


def write_empty_producer_snapshot(disk: Disk, directory: str, offset: Offset) -> None:
    """The state as of ``offset``: nothing. Not synced, as Kafka rebuilds a missing one."""
    file = disk.open(f"{directory}/{segment_file(offset, PRODUCER_SNAPSHOT)}", create=True)
    try:
        file.truncate(0)
        file.append([EMPTY])
    finally:
        file.close()
