"""The producer state file that Kafka keeps beside its segments, ``<offset>.snapshot``.

Version 1, a CRC-32C over all that follows it, the number of entries, 46 bytes each. The offset in
the name is exclusive: the state after every record before it. The metadata log has no producers,
so its files are empty ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct

from crc32c import crc32c

from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import PRODUCER_SNAPSHOT, segment_file
from metaquorum.storage.producer_state import LastBatch, ProducerEntry

EMPTY = bytes.fromhex("000148674bc700000000")
VERSION = 1
_HEAD = Struct(">hI")
_COUNT = Struct(">i")
_ENTRY = Struct(">qhiqiqiq")
_NO_LAST = LastBatch(-1, NO_OFFSET, 0)


class DamagedSnapshot(Exception):
    """The file is none that Kafka would load; the text says why."""


def encode_producers(entries: Iterable[ProducerEntry]) -> bytes:
    """The whole file. Kafka's own stands in the order of a Java map, and is read in any order."""
    rows = []
    for one in entries:
        last = one.last or _NO_LAST
        rows.append(
            _ENTRY.pack(
                one.producer_id,
                one.epoch,
                last.last_sequence,
                last.last_offset,
                last.offset_delta,
                one.timestamp_ms,
                one.coordinator_epoch,
                one.transaction_first_offset,
            )
        )
    body = _COUNT.pack(len(rows)) + b"".join(rows)
    return _HEAD.pack(VERSION, crc32c(body)) + body


def decode_producers(content: bytes) -> tuple[ProducerEntry, ...]:
    """The entries of a file, in its order; DamagedSnapshot for what Kafka would throw away."""
    if len(content) < len(EMPTY):
        raise DamagedSnapshot(f"it has {len(content)} bytes, a producer snapshot has at least 10")
    version, crc = _HEAD.unpack_from(content)
    if version != VERSION:
        raise DamagedSnapshot(f"version {version}, only version 1 is known")
    body = memoryview(content)[_HEAD.size :]
    computed = crc32c(body)
    if computed != crc:
        raise DamagedSnapshot(f"checksum {computed:08x} computed, {crc:08x} in the file")
    (count,) = _COUNT.unpack_from(body)
    if count < 0 or len(body) != _COUNT.size + count * _ENTRY.size:
        raise DamagedSnapshot(f"{count} entries do not fit {len(content)} bytes")
    return tuple(_entry(row) for row in _ENTRY.iter_unpack(body[_COUNT.size :]))


def _entry(row: tuple[int, ...]) -> ProducerEntry:
    producer_id, epoch, sequence, offset, delta, timestamp_ms, coordinator_epoch, first = row
    last = LastBatch(sequence, offset, delta) if offset >= 0 else None
    return ProducerEntry(producer_id, epoch, coordinator_epoch, timestamp_ms, first, last)


def read_producers(disk: Disk, directory: str, offset: Offset) -> tuple[ProducerEntry, ...] | None:
    """The entries of the file for ``offset``, None without one; DamagedSnapshot."""
    try:
        content = disk.read_bytes(f"{directory}/{segment_file(offset, PRODUCER_SNAPSHOT)}")
    except FileNotFoundError:
        return None
    return decode_producers(content)


def write_producers(
    disk: Disk, directory: str, offset: Offset, entries: Iterable[ProducerEntry]
) -> None:
    """Put the file for ``offset`` in its place, whole or not at all; raises DiskFailed."""
    name = segment_file(offset, PRODUCER_SNAPSHOT)
    replace_durably(disk, directory, name, encode_producers(entries))


def write_empty_producer_snapshot(disk: Disk, directory: str, offset: Offset) -> None:
    """The state as of ``offset``: nothing. Not synced, as Kafka rebuilds a missing one."""
    file = disk.open(f"{directory}/{segment_file(offset, PRODUCER_SNAPSHOT)}", create=True)
    try:
        file.truncate(0)
        file.append([EMPTY])
    finally:
        file.close()
