"""Right checksums for batches that were tampered with: chance alone never finds one."""

from __future__ import annotations

from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, LEAST_LENGTH, checksum

_LENGTH_AT = 8
_BODY_AT = 12
_CRC_AT = 17


def with_right_checksums(data: bytes) -> bytes:
    """``data`` with a right checksum in every batch that its length fields lead to."""
    out = bytearray(data)
    for at, end in batch_bounds(data):
        crc_at = at + _CRC_AT
        out[crc_at : crc_at + 4] = checksum(bytes(out), at, end).to_bytes(4, "big")
    return bytes(out)


def batch_bounds(data: bytes) -> list[tuple[int, int]]:
    """Where batches begin and end, if their length fields are believed."""
    found = []
    at = 0
    while at + BATCH_OVERHEAD_BYTES <= len(data):
        length_at = at + _LENGTH_AT
        length = int.from_bytes(data[length_at : length_at + 4], "big", signed=True)
        end = at + _BODY_AT + length
        if length < LEAST_LENGTH or end > len(data):
            break
        found.append((at, end))
        at = end
    return found
