"""The five codecs of a batch by their number, read and written.

KRaft leaders write the metadata log uncompressed (KIP-595 asks readers to take any codec all the
same); producers of other logs may choose any. Kafka protocol, "Record Batch", attributes bits 0
to 2. gzip is the standard library's; the others need the extra ``metaquorum[compression]``, which
is loaded by the first batch that needs it.
"""

from __future__ import annotations

import zlib

from metaquorum.base.limits import MAX_COMPRESSED_FRAMES, MAX_DECOMPRESSED_BATCH_BYTES
from metaquorum.records.errors import CorruptBatch, UnpackedTooLarge, UnsupportedCodec

NONE = 0
GZIP = 1
SNAPPY = 2
LZ4 = 3
ZSTD = 4
NAMES = ("none", "gzip", "snappy", "lz4", "zstd")

_GZIP_WINDOW = 31  # zlib's way to ask for the gzip wrapper


def compress(codec: int, records: bytes) -> bytes:
    """``records`` by ``codec``, framed as Kafka's own writers frame it.

    UnsupportedCodec for numbers above 4 and where the extra is not installed.
    """
    if codec == NONE:
        return records
    if codec == GZIP:
        squeezer = zlib.compressobj(wbits=_GZIP_WINDOW)
        return squeezer.compress(records) + squeezer.flush()
    if codec == SNAPPY:
        from metaquorum.records import compression_snappy

        return compression_snappy.pack(records)
    if codec == LZ4:
        from metaquorum.records import compression_lz4

        return compression_lz4.pack(records)
    if codec == ZSTD:
        from metaquorum.records import compression_zstd

        return compression_zstd.pack(records)
    raise UnsupportedCodec(f"records cannot be written with {_spoken(codec)}")


def decompress(codec: int, blob: bytes | memoryview) -> bytes:
    """The records behind ``blob``, at most MAX_DECOMPRESSED_BATCH_BYTES of them.

    No more than that is ever unpacked, whatever ``blob`` claims. Raises UnsupportedCodec,
    UnpackedTooLarge, and CorruptBatch for bytes that are not of that codec; places are counted
    from the first byte after the header of the batch.
    """
    limit_bytes = MAX_DECOMPRESSED_BATCH_BYTES
    if codec == NONE:
        return bytes(blob)
    if codec == GZIP:
        return _gunzip(memoryview(blob), limit_bytes)
    if codec == SNAPPY:
        from metaquorum.records import compression_snappy

        return compression_snappy.unpack(blob, limit_bytes)
    if codec == LZ4:
        from metaquorum.records import compression_lz4

        return compression_lz4.unpack(blob, limit_bytes)
    if codec == ZSTD:
        from metaquorum.records import compression_zstd

        return compression_zstd.unpack(blob, limit_bytes)
    raise UnsupportedCodec(f"records are compressed with {_spoken(codec)}, which no Kafka writes")


def _spoken(codec: int) -> str:
    return f"{NAMES[codec]} (codec {codec})" if codec < len(NAMES) else f"unknown codec {codec}"


def _gunzip(blob: memoryview, limit_bytes: int) -> bytes:
    out: list[bytes] = []
    room = limit_bytes
    at = 0
    while at < len(blob):  # a gzip stream may have several members
        if len(out) == MAX_COMPRESSED_FRAMES:
            raise CorruptBatch(f"a gzip stream of more than {MAX_COMPRESSED_FRAMES} members")
        member = zlib.decompressobj(_GZIP_WINDOW)
        try:
            part = member.decompress(blob[at:], room + 1)
        except zlib.error as error:
            raise CorruptBatch(
                f"the gzip stream is broken in the member at byte {at} of the records: {error}"
            ) from None
        room -= len(part)
        if room < 0:
            raise UnpackedTooLarge(limit_bytes)
        if not member.eof:
            raise CorruptBatch(
                f"the gzip stream ends too early, at byte {len(blob)} of the records"
            )
        out.append(part)
        at = len(blob) - len(member.unused_data)
    return b"".join(out)
