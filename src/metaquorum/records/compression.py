"""Codecs of a batch by their number; gzip is read and written, the others are refused by name.

KRaft leaders write the metadata log uncompressed, but a reader must accept gzip: Kafka protocol,
"Record Batch", attributes bits 0 to 2.
"""

from __future__ import annotations

import zlib

from metaquorum.base.limits import MAX_DECOMPRESSED_BATCH_BYTES
from metaquorum.records.errors import CorruptBatch, UnsupportedCodec

NONE = 0
GZIP = 1
NAMES = ("none", "gzip", "snappy", "lz4", "zstd")

_GZIP_WINDOW = 31  # zlib's way to ask for the gzip wrapper


def compress(codec: int, records: bytes) -> bytes:
    """``records`` by ``codec``; UnsupportedCodec for all but none and gzip."""
    if codec == NONE:
        return records
    if codec == GZIP:
        squeezer = zlib.compressobj(wbits=_GZIP_WINDOW)
        return squeezer.compress(records) + squeezer.flush()
    raise UnsupportedCodec(f"records cannot be written with {_spoken(codec)}")


def decompress(codec: int, blob: bytes | memoryview) -> bytes:
    """The records behind ``blob``, at most MAX_DECOMPRESSED_BATCH_BYTES of them.

    Raises UnsupportedCodec, and CorruptBatch for bytes that are not of that codec.
    """
    if codec == NONE:
        return bytes(blob)
    if codec == GZIP:
        return _gunzip(blob)
    raise UnsupportedCodec(f"records are compressed with {_spoken(codec)}; only gzip is read here")


def _spoken(codec: int) -> str:
    return f"{NAMES[codec]} (codec {codec})" if codec < len(NAMES) else f"unknown codec {codec}"


def _gunzip(blob: bytes | memoryview) -> bytes:
    out: list[bytes] = []
    room = MAX_DECOMPRESSED_BATCH_BYTES
    rest: bytes | memoryview = blob
    while rest:  # a gzip stream may have several members
        member = zlib.decompressobj(_GZIP_WINDOW)
        try:
            part = member.decompress(rest, room + 1)
        except zlib.error as error:
            raise CorruptBatch(f"the gzip stream is broken: {error}") from None
        room -= len(part)
        if room < 0:
            raise CorruptBatch(f"more than {MAX_DECOMPRESSED_BATCH_BYTES} bytes when unpacked")
        if not member.eof:
            raise CorruptBatch("the gzip stream ends too early")
        out.append(part)
        rest = member.unused_data
    return b"".join(out)
