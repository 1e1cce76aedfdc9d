"""A bit that turns on a disk."""

from __future__ import annotations

from random import Random

from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_batches

EPOCH_BYTES = range(12, 16)
"""Where a batch names its epoch: outside its checksum, so that rot there goes unseen."""


def turn_a_bit(content: bytearray, random: Random) -> None:
    """Turn one bit of a run of batches, but none that no checksum of the format covers."""
    at = random.randrange(len(content))
    start = 0
    try:
        for header, _ in walk_batches(bytes(content)):
            if at < start + header.size_bytes:
                break
            start += header.size_bytes
    except BatchError:
        start = 0
    if at - start in EPOCH_BYTES:
        at = min(start + EPOCH_BYTES.stop, len(content) - 1)  # no batch is that short
    content[at] ^= 1 << random.randrange(8)
