"""Record batches in, Arrow batches out.

A record that cannot be decoded becomes a row with its ``problem`` and its ``raw`` bytes; a batch
whose framing is broken becomes one row more, which names the place and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Final, Literal

from attrs import define, field, frozen

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import control_type
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import (
    FRAME_VERSION,
    decode_metadata_record,
    read_metadata_frame,
)
from metaquorum.records.reader import walk_records
from metaquorum.records.record import Record
from metaquorum.wire.errors import DecodeError
from pyspark_metaquorum.chunk import Chunk, Kind
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.generated.record_types import CONTROLS, METADATA
from pyspark_metaquorum.log_bytes import Fault
from pyspark_metaquorum.record_type import RecordType

ROWS_PER_BATCH: Final = 10_000
Raw = Literal["unknown", "always", "never"]
_MARKERS = 2  # control types 0 and 1 end transactions of producers; they have no schema


@frozen(eq=False)
class _Reader:
    """How the records of one type and version are decoded, and what is said of them."""

    get: Callable[[bytes, int, int], tuple[Any, int]]
    version: int
    column: str
    kind: Kind


_Bound = tuple[
    Callable[[bytes, int, int], tuple[Any, int]],
    int,
    Kind,
    Callable[[int], None],
    Callable[[Any], None],
]
_LEFT_OUT: Final = object()  # in the place of a reader: such records become no rows


@define(eq=False)
class Decoder:
    """Turns batches of one source into Arrow batches of at most about ``rows_per_batch`` rows.

    Only records of ``types`` are decoded and become rows, with what is not known or not readable;
    None is all of them. Only offsets from ``first`` up to ``until`` (not included) become rows
    where these are given; they do not apply to snapshots.
    """

    source: str
    types: tuple[RecordType, ...] | None = None
    raw: Raw = "unknown"
    rows_per_batch: int = ROWS_PER_BATCH
    first: Offset | None = None
    until: Offset | None = None
    _chunk: Chunk = field(init=False)
    _wanted: tuple[RecordType, ...] = field(init=False)
    _readers: dict[bytes, _Reader | object] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._wanted = record_types() if self.types is None else self.types
        self._chunk = Chunk(self._wanted, self.source)

    def take(
        self, header: BatchHeader, data: bytes | memoryview, snapshot: OffsetAndEpoch | None = None
    ) -> Iterator[Any]:
        """The records of one batch; yields an Arrow batch whenever enough have come together."""
        chunk = self._chunk
        take = self._controls if header.is_control else self._metadata
        try:
            take(chunk, self._in_range(walk_records(data, header), snapshot))
        except BatchError as error:
            self._broken(chunk, header.base_offset, str(error))
        chunk.seal(header.leader_epoch, header.base_offset, header.is_control, _ids(snapshot))
        if len(chunk) >= self.rows_per_batch:
            yield self.flush()

    def take_values(self, records: Iterator[Record]) -> None:
        """Metadata records that came without their batch, as through a consumer."""
        self._metadata(self._chunk, records)
        self._chunk.seal(None, None, False, (None, None))

    def fault(self, fault: Fault, snapshot: OffsetAndEpoch | None = None) -> None:
        """A row that says what is wrong where no batch could be read."""
        header = fault.header
        offset = -1 if header is None else header.base_offset
        self._broken(self._chunk, offset, f"byte {fault.position}: {fault.why}")
        chunk, ids = self._chunk, _ids(snapshot)
        if header is not None:
            chunk.seal(header.leader_epoch, header.base_offset, header.is_control, ids)
        else:
            chunk.seal(-1, -1, False, ids)

    def rest(self) -> Iterator[Any]:
        """What has not been yielded yet."""
        if len(self._chunk):
            yield self.flush()

    def flush(self) -> Any:
        """The rows so far as one Arrow batch; the next ones begin anew."""
        batch = self._chunk.batch()
        self._chunk = Chunk(self._wanted, self.source)
        return batch

    def _in_range(
        self, records: Iterator[Record], snapshot: OffsetAndEpoch | None
    ) -> Iterator[Record]:
        first, until = self.first, self.until
        if snapshot is not None or (first is None and until is None):
            return records
        low = 0 if first is None else first
        high = 1 << 63 if until is None else until
        return (record for record in records if low <= record.offset < high)

    def _metadata(self, chunk: Chunk, records: Iterator[Record]) -> None:
        """The loop over records: nearly all begin with three bytes that say how to read them."""
        bound: dict[bytes, _Bound | None] = {}
        place_offset, place_time, place_kind = chunk.placers()
        row = len(chunk) - 1
        keep = self.raw == "always"
        for record in records:
            value: Any = record.value or b""  # always bytes, as the walk over records says
            front = value[:3]
            if front in bound:
                how = bound[front]
            else:
                reader = self._readers.get(front) or self._find(value)
                if reader is None:
                    row += self._strange(chunk, record, value)
                    continue
                how = bound[front] = _bound(reader, chunk)
            if how is None:
                continue
            get, version, kind, add_row, add_message = how
            try:
                message, after = get(value, 3, version)
            except DecodeError as error:
                self._unreadable(chunk, record, kind, str(error))
                row += 1
                continue
            row += 1
            place_offset(record.offset)
            place_time(record.timestamp_ms)
            place_kind(kind)
            add_row(row)
            add_message(message)
            if after != len(value):
                chunk.problems[row] = f"{len(value) - after} bytes are left over after the record"
                chunk.raw[row] = value
            elif keep:
                chunk.raw[row] = value

    def _find(self, value: bytes) -> _Reader | object | None:
        """The reader for a value that begins so, kept for the next; None when it is strange."""
        front = value[:3]
        if len(front) < 3 or front[0] != FRAME_VERSION or front[1] > 0x7F or front[2] > 0x7F:
            return None
        known = METADATA.get(front[1])
        if known is None:
            return None
        found: _Reader | object = _LEFT_OUT
        if self.types is None or known in self.types:
            module, version = _codec(known), front[2]
            if not module.LOWEST_VERSION <= version <= module.HIGHEST_VERSION:
                return None
            kind = Kind(known.name, known.number, version)
            found = _Reader(module.get, version, known.column, kind)
        self._readers[front] = found
        return found

    def _strange(self, chunk: Chunk, record: Record, value: bytes) -> int:
        """A record that no reader is for: of a newer version, or one that cannot be read.

        Newer versions are read as the server's replay reads them. Tells how many rows it became.
        """
        kind = Kind(None, None, None)
        try:
            number, version, _ = read_metadata_frame(value)
            known = METADATA.get(number)
            kind = Kind(None if known is None else known.name, number, version)
            if known is None:
                self._unreadable(chunk, record, kind, "an unknown record type")
                return 1
            if known not in self._wanted:
                return 0
            message = decode_metadata_record(value).message
        except (BatchError, DecodeError) as error:
            self._unreadable(chunk, record, kind, str(error))
            return 1
        row = chunk.place(record.offset, record.timestamp_ms, kind)
        chunk.rows[known.column].append(row)
        chunk.messages[known.column].append(message)
        if self.raw == "always":
            chunk.raw[row] = value
        return 1

    def _controls(self, chunk: Chunk, records: Iterator[Record]) -> None:
        for record in records:
            try:
                number = control_type(record)
            except BatchError as error:
                self._unreadable(chunk, record, Kind(None, None, None), str(error))
                continue
            known = CONTROLS.get(number)
            if known is None:
                why = "a producer's marker" if number < _MARKERS else "an unknown control record"
                self._unreadable(chunk, record, Kind(None, number, None), why)
            elif self.types is None or known in self.types:
                self._control(chunk, record, known)

    def _control(self, chunk: Chunk, record: Record, known: RecordType) -> None:
        module = _codec(known)
        try:
            message = module.decode(record.value or b"", module.LOWEST_VERSION)
        except DecodeError as error:
            self._unreadable(chunk, record, Kind(known.name, known.number, None), str(error))
            return
        kind = Kind(known.name, known.number, message.version)
        row = chunk.place(record.offset, record.timestamp_ms, kind)
        chunk.rows[known.column].append(row)
        chunk.messages[known.column].append(message)
        if self.raw == "always":
            chunk.raw[row] = bytes(record.value or b"")

    def _unreadable(self, chunk: Chunk, record: Record, kind: Kind, why: str) -> None:
        row = chunk.place(record.offset, record.timestamp_ms, kind)
        chunk.problems[row] = why
        if self.raw != "never" and record.value is not None:
            chunk.raw[row] = bytes(record.value)

    def _broken(self, chunk: Chunk, offset: Offset, why: str) -> None:
        chunk.problems[chunk.place(offset, 0, Kind(None, None, None))] = why


def _bound(reader: _Reader | object, chunk: Chunk) -> _Bound | None:
    """A reader with the lists that it fills; None for records that become no rows."""
    if not isinstance(reader, _Reader):
        return None
    column = reader.column
    lists = chunk.rows[column].append, chunk.messages[column].append
    return reader.get, reader.version, reader.kind, *lists


def _ids(snapshot: OffsetAndEpoch | None) -> tuple[int | None, int | None]:
    return (None, None) if snapshot is None else (snapshot.offset, snapshot.epoch)


def decoded(batches: Sequence[tuple[BatchHeader, bytes]], decoder: Decoder) -> Iterator[Any]:
    """All rows of some batches, for callers that have them at hand."""
    for header, data in batches:
        yield from decoder.take(header, data)
    yield from decoder.rest()


def _codec(known: RecordType) -> Any:
    return import_module(f"metaquorum.wire.generated.{known.module}")
