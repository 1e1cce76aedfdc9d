"""Records to one batch, by any codec, with a size that is known before it is built.

Every record carries the batch's own timestamp (delta 0), which is what Kafka's raft readers
demand of the metadata log (KIP-595).
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from crc32c import crc32c

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_BATCH_BYTES, MAX_RECORDS_PER_BATCH
from metaquorum.base.memo import Memo
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, CONTROL_BIT, LENGTH_OVERHEAD_BYTES, MAGIC
from metaquorum.records.compression import NONE, compress
from metaquorum.records.varints import VARINTS, varint

KeyValue = tuple[bytes | None, bytes | None]

_FRONT = Struct(">qiibI")
_COVERED = Struct(">hiqqqhii")
# Values below it have both their own length and the record's in the table.
_TABLED = len(VARINTS) - 16
_NULL = varint(-1)
_NO_HEADERS = b"\x00"
_RECORD_OVERHEAD_BYTES = 21  # Kafka's own bound: five varints of five bytes less what is fixed

# Ranges of offset deltas whose varints are of one length, and so are the fronts that hold them.
SAME_FRONT_BYTES = ((0, 1 << 6), (1 << 6, 1 << 13), (1 << 13, 1 << 20), (1 << 20, 1 << 31))
# Attributes 0, timestamp delta 0, the offset delta, null key: how the usual record begins.
_FRONTS: list[bytes] = [b"\x00\x00" + text + _NULL for text in VARINTS[:64]]


def usual_fronts(count: int) -> list[bytes]:
    """How the first ``count`` records of a batch usually begin after their length.

    The table grows on demand, to MAX_RECORDS_PER_BATCH entries; it may be longer than asked.
    """
    for delta in range(len(_FRONTS), min(count, MAX_RECORDS_PER_BATCH)):
        _FRONTS.append(b"\x00\x00" + varint(delta) + _NULL)
    return _FRONTS


def build_batch(
    records: Sequence[KeyValue],
    *,
    timestamp_ms: Millis,
    base_offset: Offset = 0,
    leader_epoch: Epoch = 0,
    control: bool = False,
    compression: int = NONE,
) -> bytes:
    """One batch of ``records``, pairs of key and value; at least one is needed.

    Raises ValueError without records and for compressed control records, which no Kafka writes;
    UnsupportedCodec for an unknown codec and where the library for it is missing.
    """
    count = len(records)
    if count == 0:
        raise ValueError("a batch of the metadata log holds at least one record")
    body = b"".join(_record_parts(records, count))
    if compression != NONE:
        if control:
            raise ValueError("control records are never compressed")
        body = compress(compression, body)
    covered = _COVERED.pack(
        compression | (CONTROL_BIT if control else 0),
        count - 1,
        timestamp_ms,
        timestamp_ms,
        -1,
        -1,
        -1,
        count,
    )
    size_bytes = BATCH_OVERHEAD_BYTES + len(body)
    front = _FRONT.pack(
        base_offset,
        size_bytes - LENGTH_OVERHEAD_BYTES,
        leader_epoch,
        MAGIC,
        crc32c(body, crc32c(covered)),
    )
    return b"".join((front, covered, body))


def _record_parts(records: Sequence[KeyValue], count: int) -> list[bytes]:
    """The pieces of all records in order; one join makes the body.

    What ends a record, the number of its headers, is written by the one after it: a piece less.
    """
    parts: list[bytes] = []
    texts = VARINTS
    fronts = usual_fronts(count)
    for first, stop in SAME_FRONT_BYTES:
        if first >= len(fronts):
            break
        leads = _LEADS[len(fronts[first])]
        for (key, value), front in zip(records[first:stop], fronts[first:stop]):
            if key is None and value is not None and (size := len(value)) < _TABLED:
                parts += (leads[size], front, texts[size], value)
            else:
                _put_record(parts, front[:-1], key, value)
    for delta in range(len(fronts), count):
        key, value = records[delta]
        _put_record(parts, b"\x00\x00" + varint(delta), key, value)
    parts[0] = parts[0][1:]  # no record before the first one
    parts.append(_NO_HEADERS)
    return parts


def _leads(front_bytes: int) -> list[bytes]:
    """By the length of a value: the end of the record before, then the usual record's length."""
    return [
        _NO_HEADERS + varint(front_bytes + len(VARINTS[size]) + size + 1) for size in range(_TABLED)
    ]


_LEADS: Final = Memo(_leads)


def _put_record(parts: list[bytes], place: bytes, key: bytes | None, value: bytes | None) -> None:
    """Any record: ``place`` is what stands between its length and its key."""
    key_text, key = (_NULL, b"") if key is None else (varint(len(key)), key)
    value_text, value = (_NULL, b"") if value is None else (varint(len(value)), value)
    size = len(place) + len(key_text) + len(key) + len(value_text) + len(value) + 1
    parts += (_NO_HEADERS + varint(size), place, key_text, key, value_text, value)


def record_bound_bytes(key: bytes | None, value: bytes | None) -> int:
    """The most that one record can take up inside a batch."""
    return _RECORD_OVERHEAD_BYTES + len(key or b"") + len(value or b"")


def records_bound_bytes(records: Sequence[KeyValue]) -> int:
    """The most that these records can take up inside a batch."""
    if len(records) == 1:
        return record_bound_bytes(*records[0])
    size = _RECORD_OVERHEAD_BYTES * len(records)
    for key, value in records:
        size += len(key or b"") + len(value or b"")
    return size


class BatchBuilder:
    """Collects records until a size or count is reached that was fixed beforehand.

    The bound is never too small: what was accepted fits ``limit_bytes`` when it is built.
    """

    def __init__(
        self, limit_bytes: int = MAX_BATCH_BYTES, limit_records: int = MAX_RECORDS_PER_BATCH
    ) -> None:
        if limit_bytes <= BATCH_OVERHEAD_BYTES + _RECORD_OVERHEAD_BYTES:
            raise ValueError(f"{limit_bytes} bytes hold no record")
        self.limit_bytes = limit_bytes
        self.limit_records = limit_records
        self.bound_bytes = BATCH_OVERHEAD_BYTES
        self._records: list[KeyValue] = []

    def __len__(self) -> int:
        return len(self._records)

    def add(self, key: bytes | None, value: bytes | None) -> bool:
        """Take one more record; False, and nothing taken, when it would not fit."""
        records = self._records
        bound_bytes = self.bound_bytes + record_bound_bytes(key, value)
        if bound_bytes > self.limit_bytes or len(records) >= self.limit_records:
            return False
        records.append((key, value))
        self.bound_bytes = bound_bytes
        return True

    def add_all(self, records: Sequence[KeyValue], records_bytes: int) -> bool:
        """Take these records one after the other; False, and none taken, when one would not fit.

        ``records_bytes`` is what ``records_bound_bytes`` says of them.
        """
        if len(self._records) + len(records) > self.limit_records:
            return False
        bound_bytes = self.bound_bytes + records_bytes
        if bound_bytes > self.limit_bytes:
            return False
        self._records += records
        self.bound_bytes = bound_bytes
        return True

    def build(
        self,
        *,
        timestamp_ms: Millis,
        base_offset: Offset = 0,
        leader_epoch: Epoch = 0,
        control: bool = False,
    ) -> bytes:
        """The batch of what was taken so far, which may go on growing afterwards.

        It is never compressed: these are the batches of the metadata log and of its snapshots,
        which Kafka leaves uncompressed too.
        """
        return build_batch(
            self._records,
            timestamp_ms=timestamp_ms,
            base_offset=base_offset,
            leader_epoch=leader_epoch,
            control=control,
        )
