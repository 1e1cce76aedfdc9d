"""Variable length integers of the record format: zig-zag for records, plain for frames.

Kafka protocol, "Record" and "Unsigned varint": seven bits a byte, least significant group first,
the top bit set on all bytes but the last.
"""

from __future__ import annotations

from metaquorum.records.errors import CorruptRecord

_MAX_BYTES_32 = 5
_MAX_BYTES_64 = 10
_TABLE_SIZE = 2048


def uvarint(value: int) -> bytes:
    """The unsigned form of ``value``, which is 0 or more."""
    if value < 0x80:
        if value < 0:
            raise ValueError(f"{value} has no unsigned form")
        return bytes((value,))
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def varint(value: int) -> bytes:
    """The zig-zag form of ``value``: -1 is 01, 1 is 02."""
    if 0 <= value < _TABLE_SIZE:
        return VARINTS[value]
    return uvarint(value << 1 if value >= 0 else (-value << 1) - 1)


# Lengths up to here are looked up, which is what makes building a batch cheap.
VARINTS: tuple[bytes, ...] = tuple(uvarint(value << 1) for value in range(_TABLE_SIZE))


def read_uvarint(
    buf: bytes | memoryview, at: int, max_bytes: int = _MAX_BYTES_32
) -> tuple[int, int]:
    """The unsigned number at ``at`` and the place after it; CorruptRecord when it does not end."""
    value = 0
    shift = 0
    try:
        for place in range(at, at + max_bytes):
            byte = buf[place]
            if byte < 0x80:
                return value | byte << shift, place + 1
            value |= (byte & 0x7F) << shift
            shift += 7
    except IndexError:
        raise CorruptRecord(f"a variable length number at byte {at} is cut off", at) from None
    raise CorruptRecord(f"a variable length number at byte {at} exceeds {max_bytes} bytes", at)


def read_varint(buf: bytes | memoryview, at: int) -> tuple[int, int]:
    """The zig-zag number of up to 32 bits at ``at`` and the place after it."""
    raw, after = read_uvarint(buf, at, _MAX_BYTES_32)
    return (raw >> 1) ^ -(raw & 1), after


def read_varlong(buf: bytes | memoryview, at: int) -> tuple[int, int]:
    """The zig-zag number of up to 64 bits at ``at`` and the place after it."""
    raw, after = read_uvarint(buf, at, _MAX_BYTES_64)
    return (raw >> 1) ^ -(raw & 1), after
