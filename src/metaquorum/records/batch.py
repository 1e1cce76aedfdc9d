"""The 61-byte header of a record batch of format 2: read, check, stamp.

Kafka protocol, "Record Batch". The CRC covers everything from the attributes on; base offset,
length, leader epoch and magic lie outside, so a batch is built once and stamped late.
"""

from __future__ import annotations

from struct import Struct

from attrs import define
from crc32c import crc32c

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.errors import (
    ChecksumMismatch,
    CorruptBatch,
    TruncatedBatch,
    UnknownMagic,
)

BATCH_OVERHEAD_BYTES = 61
LENGTH_OVERHEAD_BYTES = 12  # base offset and the length field itself
CRC_START_BYTES = 21  # the attributes: first byte that the CRC covers
MAGIC = 2
LEAST_LENGTH = BATCH_OVERHEAD_BYTES - LENGTH_OVERHEAD_BYTES

COMPRESSION_MASK = 0x07
TIMESTAMP_TYPE_BIT = 0x08
TRANSACTIONAL_BIT = 0x10
CONTROL_BIT = 0x20
DELETE_HORIZON_BIT = 0x40

_HEADER = Struct(">qiibIhiqqqhii")
_LENGTH = Struct(">i")
_MAGIC_BYTE = 16
# Of message sets v0 and v1: checksum, magic, attributes, two lengths; v1 has a timestamp too.
_LEAST_MESSAGE_LENGTHS = (14, 22)
_STAMP_OFFSET = Struct(">q")
_STAMP_EPOCH = Struct(">i")
_MAX_SEQUENCE = 2**31 - 1


@define
class BatchHeader:
    """What a batch says about itself before any record is read.

    ``length_bytes`` is the field on the wire: the bytes after it, twelve less than the batch has.
    """

    base_offset: Offset
    length_bytes: int
    leader_epoch: Epoch
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp_ms: Millis
    max_timestamp_ms: Millis
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    @property
    def last_offset(self) -> Offset:
        """The offset of the last record slot; compaction never lowers it."""
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> Offset:
        """The base offset of the batch that follows in a dense log."""
        return self.base_offset + self.last_offset_delta + 1

    @property
    def size_bytes(self) -> int:
        """The whole batch, header included."""
        return self.length_bytes + LENGTH_OVERHEAD_BYTES

    @property
    def is_control(self) -> bool:
        """Whether its records are for the replicas and not for consumers."""
        return self.attributes & CONTROL_BIT != 0

    @property
    def is_transactional(self) -> bool:
        """Whether a producer's transaction decides over its records."""
        return self.attributes & TRANSACTIONAL_BIT != 0

    @property
    def compression(self) -> int:
        """The codec's number: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd."""
        return self.attributes & COMPRESSION_MASK

    @property
    def timestamp_type(self) -> int:
        """0 when producers stamp records, 1 when the log does (then all carry the maximum)."""
        return 1 if self.attributes & TIMESTAMP_TYPE_BIT else 0

    @property
    def delete_horizon_ms(self) -> Millis | None:
        """When tombstones in it may go (KIP-534); it takes the base timestamp's place."""
        return self.base_timestamp_ms if self.attributes & DELETE_HORIZON_BIT else None

    @property
    def last_sequence(self) -> int:
        """The producer's sequence number of the last slot, -1 without one; wraps to 0."""
        if self.base_sequence == -1:
            return -1
        last = self.base_sequence + self.last_offset_delta
        return last if last <= _MAX_SEQUENCE else last - _MAX_SEQUENCE - 1


def read_header(buf: bytes | memoryview, at: int = 0) -> BatchHeader:
    """The header at ``at``; the records need not be in the buffer yet.

    Raises TruncatedBatch, UnknownMagic, or CorruptBatch for a length that no batch has.
    """
    if len(buf) - at < BATCH_OVERHEAD_BYTES:
        refuse_message_set(buf, at)
        raise TruncatedBatch(f"{len(buf) - at} bytes are left, a batch header has 61", at)
    header = BatchHeader(*_HEADER.unpack_from(buf, at))
    if header.magic != MAGIC:
        refuse_message_set(buf, at)
        raise UnknownMagic(f"message format {header.magic}, only format 2 is read", at)
    if header.length_bytes < LEAST_LENGTH:
        raise CorruptBatch(f"length field {header.length_bytes}, at least 49 is needed", at)
    return header


def refuse_message_set(buf: bytes | memoryview, at: int = 0) -> None:
    """UnknownMagic, with its reason, when an entry of a message set v0 or v1 starts at ``at``.

    Those come from before Kafka 0.11; an entry may be shorter than the header of a batch, but
    has its magic at the same place. One that is cut off is none yet, nor is a run of zeros.
    """
    if len(buf) - at <= _MAGIC_BYTE or (magic := buf[at + _MAGIC_BYTE]) >= MAGIC:
        return
    (length_bytes,) = _LENGTH.unpack_from(buf, at + 8)
    least = _LEAST_MESSAGE_LENGTHS[magic]
    if least <= length_bytes <= len(buf) - at - LENGTH_OVERHEAD_BYTES:
        raise UnknownMagic(
            f"message format {magic}, only format 2 is read: this is a message set v{magic}, "
            "as Kafka wrote it before 0.11",
            at,
        )


def check(buf: bytes | memoryview, at: int = 0) -> BatchHeader:
    """The header of a batch that is all there and whose checksum is right.

    Raises what ``read_header`` does, TruncatedBatch for missing records, ChecksumMismatch.
    """
    header = read_header(buf, at)
    if header.last_offset_delta < 0 or header.record_count < 0:
        raise CorruptBatch(
            f"last offset delta {header.last_offset_delta}, record count {header.record_count}", at
        )
    end = at + header.size_bytes
    if end > len(buf):
        raise TruncatedBatch(
            f"the batch has {header.size_bytes} bytes, {len(buf) - at} are there", at
        )
    computed = checksum(buf, at, end)
    if computed != header.crc:
        raise ChecksumMismatch(
            f"checksum {computed:08x} computed, {header.crc:08x} in the header", at
        )
    return header


def checksum(buf: bytes | memoryview, start: int, end: int) -> int:
    """The CRC-32C that a batch from ``start`` to ``end`` should carry."""
    return crc32c(memoryview(buf)[start + CRC_START_BYTES : end])


def stamp(batch: bytes | memoryview, base_offset: Offset, leader_epoch: Epoch) -> bytes:
    """The same batch at another place in the log: one copy, checksum untouched."""
    return b"".join(
        (
            _STAMP_OFFSET.pack(base_offset),
            batch[8:12],
            _STAMP_EPOCH.pack(leader_epoch),
            batch[16:],
        )
    )
