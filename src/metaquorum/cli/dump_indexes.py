"""What ``dump-log`` prints of the files beside a segment: indexes and producer snapshots.

Index entries are checked against the log, as Kafka's tool does; what does not fit is collected
in ``IndexFaults`` and printed at the end of the whole run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from struct import Struct
from typing import Final

from attrs import define, field
from crc32c import crc32c

from metaquorum.base.errors import OperatorError
from metaquorum.cli.dump_batches import (
    Line,
    base_offset,
    optional_text,
    raw_batches,
    read_any_header,
)
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_records

OFFSET_ENTRY: Final = Struct(">ii")
TIME_ENTRY: Final = Struct(">qi")
TRANSACTION_ENTRY: Final = Struct(">hqqqq")
PRODUCER_ENTRY: Final = Struct(">qhiqiqiq")
_SNAPSHOT_FRONT = Struct(">hIi")
_SNAPSHOT_COVERED = 6  # the checksum covers everything after itself
_MAX_INDEX_BYTES = 2**31 - 1


class ProducerSnapshotDamaged(Exception):
    """A ``.snapshot`` file that cannot be read; the text names it and says why."""


@define
class IndexFaults:
    """Entries that the log does not bear out, by file."""

    offset_mismatches: dict[str, list[tuple[int, int]]] = field(factory=dict)
    time_mismatches: dict[str, list[tuple[int, int]]] = field(factory=dict)
    out_of_order: dict[str, list[tuple[int, int]]] = field(factory=dict)
    not_found: dict[str, list[tuple[int, int]]] = field(factory=dict)

    def report(self) -> Iterator[str]:
        """The lines for standard error, as Kafka's tool has them."""
        for found, title, one, other in (
            (self.offset_mismatches, "Mismatches in :", "Index offset", "log offset"),
            (
                self.time_mismatches,
                "Found timestamp mismatch in :",
                "Index timestamp",
                "log timestamp",
            ),
            (
                self.out_of_order,
                "Found out of order timestamp in :",
                "Index timestamp",
                "Previously indexed timestamp",
            ),
        ):
            for path, pairs in found.items():
                yield title + path
                yield from (f"  {one}: {first}, {other}: {second}" for first, second in pairs)
        for path, pairs in self.not_found.items():
            yield f"The following indexed offsets are not found in the log. {path}"
            yield from (
                f"Indexed offset: {first}, found log offset: {second}" for first, second in pairs
            )


def offset_index_lines(
    path: str, *, verify_only: bool, max_message_bytes: int, faults: IndexFaults
) -> Iterator[Line]:
    """The entries of an ``.index`` file, each checked against the batch that it points at."""
    base, log = base_offset(path), _log_beside(path)
    entries = list(OFFSET_ENTRY.iter_unpack(_whole_entries(path, OFFSET_ENTRY)))
    if not entries:
        yield _empty_line(path)
    for at, (relative, position) in enumerate(entries):
        offset = base + relative
        if offset == base and at > 0:
            return  # what follows is space that was preallocated and never used
        last = _last_offset_at(log, position, max_message_bytes)
        if last != offset:
            faults.offset_mismatches.setdefault(path, []).append((offset, last))
        if not verify_only:
            yield Line(
                f"offset: {offset} position: {position}",
                {"kind": "index-entry", "offset": offset, "position": position},
            )


def time_index_lines(path: str, *, verify_only: bool, faults: IndexFaults) -> Iterator[Line]:
    """The entries of a ``.timeindex`` file, each checked against the batch with its offset."""
    base, log = base_offset(path), _log_beside(path)
    beside = f"{path.removesuffix('.timeindex')}.index"
    offsets = list(OFFSET_ENTRY.iter_unpack(_whole_entries(beside, OFFSET_ENTRY)))
    previous = -1
    for at, (timestamp, relative) in enumerate(
        TIME_ENTRY.iter_unpack(_whole_entries(path, TIME_ENTRY))
    ):
        offset = base + relative
        if offset == base and at > 0:
            return
        _check_time(path, log, timestamp, offset, _position_for(offsets, relative), faults)
        if previous >= timestamp:
            faults.out_of_order.setdefault(path, []).append((timestamp, previous))
        if not verify_only:
            yield Line(
                f"timestamp: {timestamp} offset: {offset}",
                {"kind": "time-index-entry", "timestamp": timestamp, "offset": offset},
            )
        previous = timestamp


def sanity_line(path: str) -> Line:
    """The line that says an index looks as an index must; OperatorError says why it does not."""
    _log_beside(path)
    is_time = path.endswith(".timeindex")
    entry = TIME_ENTRY if is_time else OFFSET_ENTRY
    entries = list(entry.iter_unpack(_whole_entries(path, entry)))
    if not is_time and not entries:
        return _empty_line(path)
    if is_time and entries and entries[-1][0] < entries[0][0]:
        raise OperatorError(
            f"{path}: the last timestamp, {entries[-1][0]}, is before the first, {entries[0][0]}"
        )
    if entries and entries[-1][1 if is_time else 0] < 0:
        raise OperatorError(f"{path}: the last entry points before the segment")
    return Line(f"{path} passed sanity check.", {"kind": "sanity", "passed": True})


def _empty_line(path: str) -> Line:
    return Line(f"{path} is empty.", {"kind": "empty-index"})


def transaction_index_lines(path: str) -> Iterator[Line]:
    """The aborted transactions of a ``.txnindex`` file; OperatorError for an unknown version."""
    for version, producer, first, last, stable in TRANSACTION_ENTRY.iter_unpack(
        _whole_entries(path, TRANSACTION_ENTRY)
    ):
        if version > 0:
            raise OperatorError(f"{path}: an entry of version {version}, only version 0 is known")
        facts: dict[str, object] = {
            "version": version,
            "producerId": producer,
            "firstOffset": first,
            "lastOffset": last,
            "lastStableOffset": stable,
        }
        text = " ".join(f"{name}: {value}" for name, value in facts.items())
        yield Line(text, {"kind": "aborted-transaction", **facts})


def producer_snapshot_lines(path: str) -> Iterator[Line]:
    """The producers of a ``.snapshot`` file; ProducerSnapshotDamaged when it is."""
    raw = read_file(path)
    if len(raw) < _SNAPSHOT_FRONT.size:
        raise ProducerSnapshotDamaged(
            f"{path}: {len(raw)} bytes, a producer snapshot has at least 10"
        )
    version, crc, count = _SNAPSHOT_FRONT.unpack_from(raw)
    if version != 1:
        raise ProducerSnapshotDamaged(f"{path}: version {version}, only version 1 is known")
    if crc32c(raw[_SNAPSHOT_COVERED:]) != crc:
        raise ProducerSnapshotDamaged(f"{path}: its checksum is not the one of its content")
    if len(raw) != _SNAPSHOT_FRONT.size + count * PRODUCER_ENTRY.size:
        raise ProducerSnapshotDamaged(f"{path}: {count} producers do not fit {len(raw)} bytes")
    for entry in PRODUCER_ENTRY.iter_unpack(raw[_SNAPSHOT_FRONT.size :]):
        yield _producer_line(*entry)


def read_file(path: str) -> bytes:
    """The whole of an index or snapshot file; OperatorError says why it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_INDEX_BYTES)
    except OSError as error:
        raise OperatorError(f"cannot read {path}: {error.strerror}") from None


def _producer_line(
    producer: int,
    epoch: int,
    last_sequence: int,
    last_offset: int,
    delta: int,
    timestamp: int,
    coordinator_epoch: int,
    first_offset: int,
) -> Line:
    open_since = None if first_offset < 0 else first_offset
    facts: dict[str, object] = {
        "producerId": producer,
        "producerEpoch": epoch,
        "coordinatorEpoch": coordinator_epoch,
        "currentTxnFirstOffset": open_since,
        "lastTimestamp": timestamp,
    }
    shown = {**facts, "currentTxnFirstOffset": optional_text(open_since)}
    if last_offset >= 0:
        batch: dict[str, object] = {
            "firstSequence": _back(last_sequence, delta),
            "lastSequence": last_sequence,
            "lastOffset": last_offset,
            "offsetDelta": delta,
            "timestamp": timestamp,
        }
        facts |= batch
        shown |= batch
    text = " ".join(f"{name}: {value}" for name, value in shown.items())
    return Line(text, {"kind": "producer", **facts})


def _back(sequence: int, by: int) -> int:
    """A sequence number ``by`` steps earlier; the numbers go round at 2^31."""
    return sequence - by if sequence >= by else 2**31 - (by - sequence)


def _whole_entries(path: str, entry: Struct) -> bytes:
    raw = read_file(path)
    return raw[: len(raw) // entry.size * entry.size]


def _log_beside(path: str) -> str:
    log = f"{path.rpartition('.')[0]}.log"
    if not os.path.exists(log):
        raise OperatorError(f"{path}: an index is checked against its log, and {log} is not there")
    return log


def _last_offset_at(log: str, position: int, max_bytes: int) -> int:
    if position < 0:
        raise OperatorError(
            f"{log}: the index points to byte {position}, before the log begins; it is damaged. "
            "Remove it: a start makes it anew"
        )
    with open(log, "rb") as file:
        end = min(os.fstat(file.fileno()).st_size, position + max_bytes)
        for at, batch in raw_batches(file, log, end, position):
            return read_any_header(log, at, batch).last_offset
    raise OperatorError(
        f"{log}: no whole batch of at most {max_bytes} bytes stands at byte {position}, "
        "where the index points; try a larger --max-message-size"
    )


def _position_for(offsets: list[tuple[int, int]], relative: int) -> int:
    """Where to begin to look for an offset: at the last entry that is not above it."""
    position = 0
    for at, (offset, place) in enumerate(offsets):
        if offset > relative or (at > 0 and offset == 0):
            break
        position = place
    return position


def _check_time(
    path: str, log: str, timestamp: int, offset: int, position: int, faults: IndexFaults
) -> None:
    with open(log, "rb") as file:
        end = os.fstat(file.fileno()).st_size
        for at, batch in raw_batches(file, log, end, position):
            header = read_any_header(log, at, batch)
            if header.last_offset < offset:
                continue
            if header.last_offset > offset:
                faults.not_found.setdefault(path, []).append((offset, header.last_offset))
                return
            try:
                latest = max(record.timestamp_ms for record in walk_records(batch, header))
            except (BatchError, ValueError):
                latest = header.max_timestamp_ms
            if latest != timestamp:
                faults.time_mismatches.setdefault(path, []).append((timestamp, latest))
            return
    faults.not_found.setdefault(path, []).append((offset, -1))
