"""What a reader gets: pieces of files instead of bytes."""

from __future__ import annotations

from metaquorum.base.offsets import Offset
from metaquorum.base.value import value
from metaquorum.wire.slices import FileSlice


@value
class ReadPlan:
    """Whole batches in order; the first one may begin before the offset that was asked for."""

    slices: tuple[FileSlice, ...]
    next_offset: Offset
    size_bytes: int
