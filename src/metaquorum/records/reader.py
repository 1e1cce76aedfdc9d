"""Walk batches without decoding records; walk the records of one batch.

Keys and values come out as ``bytes``: a view would be cheaper by nothing for small values, and
would keep a whole fetch response alive for the sake of one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

from metaquorum.base.limits import MAX_HEADERS_PER_RECORD
from metaquorum.records.batch import (
    BATCH_OVERHEAD_BYTES,
    BatchHeader,
    read_header,
    refuse_message_set,
)
from metaquorum.records.builder import SAME_FRONT_BYTES, usual_fronts
from metaquorum.records.compression import NONE, decompress
from metaquorum.records.errors import BatchError, CorruptRecord, TruncatedBatch
from metaquorum.records.java_text import java_text
from metaquorum.records.record import Headers, Record
from metaquorum.records.varints import read_uvarint, read_varint, read_varlong, varint

# Stands for a front beyond the table: no record begins so, as its time would be too long a number.
_NO_FRONT = b"\xff" * 16
# By the first two bytes of a record: the length of its length; then, if it is a usual one, the
# bytes of its value's length, where the value begins, and where the number of headers stands.
_Row = tuple[int, bytes, int, int]
_FITS_NOTHING: _Row = (0, b"", 0, 0)
_KNOWN_LENGTHS = 1024  # rows for each range; what is beyond is worked out again
_USUAL: tuple[dict[bytes, _Row], ...] = ({}, {}, {}, {})
LEAST_RECORD_BYTES = 7  # length, attributes, two deltas, two null lengths, header count


def walk_batches(buf: bytes | memoryview, at: int = 0) -> Iterator[tuple[BatchHeader, memoryview]]:
    """Whole batches from ``at`` on, unchecked; a cut-off one at the end is left out.

    Raises UnknownMagic or CorruptBatch when a header cannot be one, as there is no way on then.
    """
    view = memoryview(buf)
    end = len(view)
    while end - at >= BATCH_OVERHEAD_BYTES:
        header = read_header(view, at)
        after = at + header.size_bytes
        if after > end:
            return
        yield header, view[at:after]
        at = after
    refuse_message_set(view, at)


def walk_records(batch: bytes | memoryview, header: BatchHeader | None = None) -> Iterator[Record]:
    """The records of one whole batch, in order.

    Raises CorruptRecord when framing or count are wrong, and what ``records_body`` does.
    """
    if header is None:
        header = read_header(batch)
    return walk_body(records_body(batch, header), header)


def records_body(batch: bytes | memoryview, header: BatchHeader) -> bytes:
    """The records of one whole batch as they lie one after the other, unpacked.

    Raises CorruptRecord when they are too short for their count, CorruptBatch when they cannot be
    unpacked, UnsupportedCodec for an unknown codec and where the library for it is missing.
    """
    if header.size_bytes > len(batch):
        raise TruncatedBatch(f"the batch has {header.size_bytes} bytes, {len(batch)} are there")
    raw = memoryview(batch)[BATCH_OVERHEAD_BYTES : header.size_bytes]
    if header.compression == NONE:
        body = bytes(raw)
    elif header.record_count == 0:
        body = b""  # as Kafka's reader does: what holds nothing is not unpacked
    else:
        body = decompress(header.compression, raw)
    if header.record_count * LEAST_RECORD_BYTES > len(body):
        raise CorruptRecord(f"{header.record_count} records do not fit {len(body)} bytes")
    return body


def walk_body(body: bytes, header: BatchHeader) -> Iterator[Record]:
    """The records of a body. Most of the metadata log's look alike, and are read without a call.

    Raises CorruptRecord when framing or count are wrong.
    """
    at = 0
    base = offset = header.base_offset
    count, end = header.record_count, len(body)
    usual_ms = header.max_timestamp_ms if header.timestamp_type else header.base_timestamp_ms
    fronts = chain(usual_fronts(count), repeat(_NO_FRONT))
    try:
        for (first, stop), rows in zip(SAME_FRONT_BYTES, _USUAL):
            if first >= count:
                break
            for offset, front in zip(range(base + first, base + min(stop, count)), fronts):
                row = rows.get(body[at : at + 2]) or _usual_row(rows, body[at : at + 2], front)
                lead, text, value_at, last = row
                if body[at + lead : at + value_at] == front + text and not body[at + last]:
                    yield Record(offset, usual_ms, None, body[at + value_at : at + last])
                    at += last + 1
                    continue
                size, at = read_uvarint(body, at)
                after = at + (size >> 1)
                if size & 1 or after > end:
                    raise CorruptRecord(f"a length of {_signed(size)} bytes does not fit")
                yield _record(body, at, after, header)
                at = after
    except IndexError:
        raise CorruptRecord(f"record {offset - base} of the batch is cut off") from None
    except BatchError as error:
        raise CorruptRecord(f"record {offset - base} of the batch: {error.reason}") from None
    if at != end:
        raise CorruptRecord(f"{end - at} bytes are left after {count} records")


def _usual_row(rows: dict[bytes, _Row], key: bytes, front: bytes) -> _Row:
    """Where the parts of a usual record lie whose first two bytes are ``key``.

    A usual record has a null key and no headers, so that its length says how long its value is.
    A length of more than two bytes gets a row that fits nothing.
    """
    if front is _NO_FRONT:
        return _FITS_NOTHING
    size, lead = key[0], 1
    if size >= 0x80:
        if key[1] >= 0x80:
            return _FITS_NOTHING
        size += (key[1] << 7) - 0x80
        lead = 2
    rest = (size >> 1) - len(front) - 1  # the value with its length
    row = _FITS_NOTHING
    for value in (rest - 1, rest - 2):
        text = varint(max(value, 0))
        if not size & 1 and value >= 0 and len(text) == rest - value:
            last = lead + len(front) + rest
            row = (lead, text, last - value, last)
    if len(rows) < _KNOWN_LENGTHS:
        rows[key] = row
    return row


def _signed(raw: int) -> int:
    return (raw >> 1) ^ -(raw & 1)


def _record(body: bytes, at: int, after: int, header: BatchHeader) -> Record:
    """Any record, from its attributes at ``at`` to its end at ``after``."""
    delta_ms = body[at + 1]
    at += 2
    if delta_ms:
        delta_ms, at = read_varlong(body, at - 1)
    delta = body[at]
    at += 1
    if delta >= 0x80:
        delta, at = _number(body, at - 1)
    if delta & 1:
        raise CorruptRecord("a negative offset delta")
    key, at = _field(body, at, after)
    value, at = _field(body, at, after)
    headers: Headers = ()
    if body[at]:
        headers, at = _headers(body, at, after)
    else:
        at += 1
    if at != after:
        raise CorruptRecord(f"its fields end at byte {at}, its length says {after}")
    stamped_ms = (
        header.max_timestamp_ms if header.timestamp_type else header.base_timestamp_ms + delta_ms
    )
    return Record(header.base_offset + (delta >> 1), stamped_ms, key, value, headers)


def _number(body: bytes, at: int) -> tuple[int, int]:
    """A number of 32 bits before its zig-zag is undone; two bytes are the usual case."""
    high = body[at + 1]
    if high < 0x80:
        return body[at] & 0x7F | high << 7, at + 2
    return read_uvarint(body, at)


def _field(body: bytes, at: int, limit: int) -> tuple[bytes | None, int]:
    """A nullable byte field: a length below zero is null, as in Kafka's reader; -1 is written."""
    size = body[at]
    at += 1
    if size >= 0x80:
        size, at = _number(body, at - 1)
    size = (size >> 1) ^ -(size & 1)
    if size < 0:
        return None, at
    if at + size > limit:
        raise CorruptRecord(f"a field of {size} bytes does not fit")
    return body[at : at + size], at + size


def _headers(body: bytes, at: int, limit: int) -> tuple[Headers, int]:
    count, at = read_varint(body, at)
    if count < 0 or count > limit - at or count > MAX_HEADERS_PER_RECORD:
        raise CorruptRecord(f"{count} headers do not fit")
    found: list[tuple[str, bytes | None]] = []
    for _ in range(count):
        key, at = _field(body, at, limit)
        if key is None:
            raise CorruptRecord("a header without a name")
        value, at = _field(body, at, limit)
        found.append((java_text(key), value))
    return tuple(found), at
