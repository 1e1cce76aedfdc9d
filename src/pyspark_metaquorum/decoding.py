"""Record batches in, Arrow batches out.

A record that cannot be decoded becomes a row with its ``problem`` and its ``raw`` bytes; a batch
whose framing is broken becomes one row more, which names the place and says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import numpy as np
from attrs import define, field

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import control_type
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_records
from metaquorum.records.record import Record
from metaquorum.wire.errors import DecodeError
from pyspark_metaquorum.chunk import Chunk, Kind
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.generated.record_types import CONTROLS
from pyspark_metaquorum.log_bytes import Fault
from pyspark_metaquorum.places import (
    Values,
    WaitingBatch,
    WaitingBatches,
    values_in,
    values_of,
)
from pyspark_metaquorum.readers import (
    FRONT_BYTES,
    LEFT_OUT,
    Reader,
    Readers,
    Strange,
    codec_of,
)
from pyspark_metaquorum.record_type import RecordType

ROWS_PER_BATCH: Final = 10_000
Raw = Literal["unknown", "always", "never"]
_FEW: Final = 32  # below, a record by itself is read sooner than so many side by side
_MANY: Final = 1_000  # so many at least are read together, where more rows are asked for
_NO_END: Final = 1 << 63
_MARKERS = 2  # control types 0 and 1 end transactions of producers; they have no schema


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
    _waiting: WaitingBatches = field(factory=WaitingBatches)
    _readers: Readers = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._wanted = record_types() if self.types is None else self.types
        self._chunk = Chunk(self._wanted, self.source)
        self._readers = Readers(self._wanted)

    def take(
        self, header: BatchHeader, data: bytes | memoryview, snapshot: OffsetAndEpoch | None = None
    ) -> Iterator[Any]:
        """The records of one batch; yields an Arrow batch whenever enough have come together."""
        waiting = self._waiting
        if header.is_control or not waiting.add(header, data, snapshot):
            self._settle()
            self._one_by_one(header, data, snapshot)
        enough = self.rows_per_batch
        if len(self._chunk) + waiting.records >= enough and waiting.records >= min(enough, _MANY):
            self._settle()
        if len(self._chunk) >= enough:
            yield self.flush()

    def take_values(self, values: Any, offsets: Any, timestamps_ms: Any) -> None:
        """Metadata records that came without their batch, as through a consumer: Arrow arrays."""
        self._settle()
        self._together(values_in(values, offsets, timestamps_ms))
        self._chunk.seal(None, None, False, (None, None))

    def fault(self, fault: Fault, snapshot: OffsetAndEpoch | None = None) -> None:
        """A row that says what is wrong where no batch could be read."""
        self._settle()
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
        self._settle()
        if len(self._chunk):
            yield self.flush()

    def flush(self) -> Any:
        """The rows so far as one Arrow batch; the next ones begin anew."""
        self._settle()
        batch = self._chunk.batch()
        self._chunk = Chunk(self._wanted, self.source)
        return batch

    def _settle(self) -> None:
        """Read the batches that wait: together, or one by one if they are small or odd."""
        waiting = self._waiting
        batches, records = waiting.batches, waiting.records
        waiting.batches, waiting.records = [], 0
        if records < _FEW:
            for one in batches:
                self._one_by_one(one.header, one.data, one.snapshot)
            return
        values, odd = values_of(batches)
        if not len(odd):
            self._batches(values, batches)
            return
        alone = set(odd.tolist())
        for place, one in enumerate(batches):
            if place not in alone:
                waiting.batches.append(one)
                waiting.records += len(one.starts)
                continue
            self._settle()
            self._one_by_one(one.header, one.data, one.snapshot)
        self._settle()

    def _batches(self, values: Values, batches: Sequence[WaitingBatch]) -> None:
        """Records of usual batches."""
        low = 0 if self.first is None else self.first
        high = _NO_END if self.until is None else self.until
        if low > 0 or high < _NO_END:
            whole: Any = np.array([one.snapshot is not None for one in batches])
            within = (values.offsets >= low) & (values.offsets < high)
            values = values.chosen(within | whole[values.batch])
        rows = self._together(values)
        counts = np.bincount(values.batch[rows], minlength=len(batches))
        for one, count in zip(batches, counts.tolist()):
            header, ids = one.header, _ids(one.snapshot)
            self._chunk.seal(header.leader_epoch, header.base_offset, False, ids, count)

    def _one_by_one(
        self, header: BatchHeader, data: bytes | memoryview, snapshot: OffsetAndEpoch | None
    ) -> None:
        """A batch whose records are read each by itself, in whatever form they are."""
        chunk = self._chunk
        take = self._controls if header.is_control else self._metadata
        try:
            take(chunk, self._in_range(walk_records(data, header), snapshot))
        except BatchError as error:
            self._broken(chunk, header.base_offset, str(error))
        chunk.seal(header.leader_epoch, header.base_offset, header.is_control, _ids(snapshot))

    def _in_range(
        self, records: Iterator[Record], snapshot: OffsetAndEpoch | None
    ) -> Iterator[Record]:
        first, until = self.first, self.until
        if snapshot is not None or (first is None and until is None):
            return records
        low = 0 if first is None else first
        high = _NO_END if until is None else until
        return (record for record in records if low <= record.offset < high)

    def _metadata(self, chunk: Chunk, records: Iterator[Record]) -> None:
        find = self._readers.find
        for record in records:
            value: Any = record.value or b""  # always bytes, as the walk over records says
            reader = find(value[:FRONT_BYTES])
            if reader is LEFT_OUT:
                continue
            if isinstance(reader, Reader):
                row = chunk.place(record.offset, record.timestamp_ms, reader.kind)
                self._fill(chunk, row, value, reader)
            elif strange := self._readers.strange(value):
                row = chunk.place(record.offset, record.timestamp_ms, strange.kind)
                self._fill(chunk, row, value, strange)

    def _together(self, values: Values) -> Any:
        """Records read side by side, type by type; the numbers of those that became rows."""
        chunk = self._chunk
        kinds: Any = np.full(len(values), -1)  # -1 is no row
        readers: list[tuple[Reader, Any]] = []
        alone: dict[int, Reader | Strange] = {}
        fronts = values.fronts()
        for front in np.unique(fronts).tolist():
            (which,) = np.nonzero(fronts == front)
            text = b"" if front < 0 else front.to_bytes(FRONT_BYTES, "big")
            reader = self._readers.find(text)
            if isinstance(reader, Reader):
                kinds[which] = chunk.number_of(reader.kind)
                readers.append((reader, which))
            elif reader is None:
                for number, value in zip(which.tolist(), values.chosen(which).each()):
                    if strange := self._readers.strange(value):
                        kinds[number] = chunk.number_of(strange.kind)
                        alone[number] = strange
        (placed,) = np.nonzero(kinds >= 0)
        rows: Any = np.zeros(len(values), np.int64)
        rows[placed] = np.arange(len(chunk), len(chunk) + len(placed))
        chunk.place_all(values.offsets[placed], values.timestamps_ms[placed], kinds[placed])
        for reader, which in readers:
            rest = self._side_by_side(chunk, reader, values, which, rows)
            alone |= dict.fromkeys(rest.tolist(), reader)
        numbers: Any = np.array(sorted(alone), np.int64)
        singly = zip(numbers.tolist(), rows[numbers].tolist(), values.chosen(numbers).each())
        for number, row, value in singly:
            self._fill(chunk, row, value, alone[number])
        return placed

    def _side_by_side(
        self, chunk: Chunk, reader: Reader, values: Values, which: Any, rows: Any
    ) -> Any:
        """Some records of one type and version; the numbers of those still to be read."""
        way = reader.together if len(which) >= _FEW else None
        if way is None:
            return which
        chosen = values.chosen(which)
        columns, marked = way.read(values.seen, chosen.starts + FRONT_BYTES, chosen.ends)
        rest = which[marked]
        if len(rest):
            which = which[~marked]
            chosen = values.chosen(which)
            columns, _ = way.read(values.seen, chosen.starts + FRONT_BYTES, chosen.ends)
        if reader.known.parts:
            chunk.together[reader.column].append((rows[which], columns))
        if self.raw == "always":
            chunk.raw.update(zip(rows[which].tolist(), chosen.each()))
        return rest

    def _fill(self, chunk: Chunk, row: int, value: bytes, how: Reader | Strange) -> None:
        """Read one record into its row."""
        if isinstance(how, Strange):
            if how.problem is not None:
                self._say(chunk, row, value, how.problem)
            else:
                self._keep(chunk, row, value, how.column, how.message)
            return
        try:
            message, after = how.get(value, FRONT_BYTES, how.version)
        except DecodeError as error:
            self._say(chunk, row, value, str(error))
            return
        self._keep(chunk, row, value, how.column, message)
        if after != len(value):
            chunk.problems[row] = f"{len(value) - after} bytes are left over after the record"
            chunk.raw[row] = value

    def _keep(self, chunk: Chunk, row: int, value: bytes, column: str, message: Any) -> None:
        chunk.rows[column].append(row)
        chunk.messages[column].append(message)
        if self.raw == "always":
            chunk.raw[row] = value

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
        module = codec_of(known)
        try:
            message = module.decode(record.value or b"", module.LOWEST_VERSION)
        except DecodeError as error:
            self._unreadable(chunk, record, Kind(known.name, known.number, None), str(error))
            return
        kind = Kind(known.name, known.number, message.version)
        row = chunk.place(record.offset, record.timestamp_ms, kind)
        self._keep(chunk, row, bytes(record.value or b""), known.column, message)

    def _unreadable(self, chunk: Chunk, record: Record, kind: Kind, why: str) -> None:
        row = chunk.place(record.offset, record.timestamp_ms, kind)
        self._say(chunk, row, record.value, why)

    def _say(self, chunk: Chunk, row: int, value: bytes | memoryview | None, why: str) -> None:
        chunk.problems[row] = why
        if self.raw != "never" and value is not None:
            chunk.raw[row] = bytes(value)

    def _broken(self, chunk: Chunk, offset: Offset, why: str) -> None:
        chunk.problems[chunk.place(offset, 0, Kind(None, None, None))] = why


def _ids(snapshot: OffsetAndEpoch | None) -> tuple[int | None, int | None]:
    return (None, None) if snapshot is None else (snapshot.offset, snapshot.epoch)


def decoded(batches: Sequence[tuple[BatchHeader, bytes]], decoder: Decoder) -> Iterator[Any]:
    """All rows of some batches, for callers that have them at hand."""
    for header, data in batches:
        yield from decoder.take(header, data)
    yield from decoder.rest()
