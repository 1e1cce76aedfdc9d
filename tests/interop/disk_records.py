"""What a metadata directory holds, read with nothing but ``struct``: the reference for clients.

Deliberately none of our own codecs: a mistake they share with the server would not show.
"""

from __future__ import annotations

from pathlib import Path
from struct import Struct

from attrs import frozen

from tools.process import until

HEADER = Struct(">qiibIhiqqqhii")
CONTROL_BIT = 0x20
CODEC_BITS = 0x07


@frozen
class DiskRecord:
    """One data record as it lies in a segment."""

    offset: int
    epoch: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None


def data_records(metadata_directory: Path) -> list[DiskRecord]:
    """Every data record of every segment, in order; a cut-off tail is left out."""
    found: list[DiskRecord] = []
    for segment in sorted(metadata_directory.glob("*.log")):
        found.extend(segment_records(segment.read_bytes()))
    return found


def records_until(metadata_directory: Path, offset: int) -> list[DiskRecord]:
    """The data records up to an offset, once the node has written that one.

    What is committed stands on a majority of the voters: any one of several, the leader too, may
    still have to write it. ``offset`` is a data record's that a client has seen.
    """

    def written() -> list[DiskRecord]:
        records = data_records(metadata_directory)
        return [one for one in records if one.offset <= offset] if _reaches(records, offset) else []

    return until(written, f"{metadata_directory} has no record {offset}")


def _reaches(records: list[DiskRecord], offset: int) -> bool:
    return bool(records) and records[-1].offset >= offset


def segment_records(raw: bytes) -> list[DiskRecord]:
    """The data records of one segment's bytes."""
    found: list[DiskRecord] = []
    at = 0
    while at + HEADER.size <= len(raw):
        base_offset, length, epoch, _, _, attributes, _, base_ms, *_, count = HEADER.unpack_from(
            raw, at
        )
        end = at + 12 + length
        if length <= 0 or end > len(raw):
            break
        place = at + HEADER.size
        assert attributes & CODEC_BITS == 0, "the metadata log is not compressed"
        for _ in range(count):
            record, place = _record(raw, place, base_offset, epoch, base_ms)
            if not attributes & CONTROL_BIT:
                found.append(record)
        at = end
    return found


def _record(
    raw: bytes, at: int, base_offset: int, epoch: int, base_ms: int
) -> tuple[DiskRecord, int]:
    size, at = _varint(raw, at)
    end = at + size
    delta_ms, at = _varint(raw, at + 1)
    delta, at = _varint(raw, at)
    key, at = _bytes(raw, at)
    value, at = _bytes(raw, at)
    return DiskRecord(base_offset + delta, epoch, base_ms + delta_ms, key, value), end


def _bytes(raw: bytes, at: int) -> tuple[bytes | None, int]:
    size, at = _varint(raw, at)
    if size < 0:
        return None, at
    return raw[at : at + size], at + size


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return (value >> 1) ^ -(value & 1), at
