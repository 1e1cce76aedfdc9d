"""What a records field may hold without anybody reading it: places in files."""

from __future__ import annotations

from attrs import field

from metaquorum.base.value import value


@value
class FileSlice:
    """Bytes of an open file, sent from there.

    ``fd`` is read from ``position`` on for ``length_bytes``; ``pin`` keeps the file open and is
    of no other meaning here. A slice of a log ends before ``end_offset``: code that cuts the log
    below it must stop its being sent first, as other bytes will stand in its place.
    """

    fd: int
    position: int
    length_bytes: int
    pin: object = field(default=None, eq=False, repr=False)
    end_offset: int = field(default=-1, eq=False)

    def __len__(self) -> int:
        return self.length_bytes


@value
class SliceChain:
    """Several pieces, in memory or in files, that are one value on the wire."""

    parts: tuple[bytes | memoryview | FileSlice, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))


RecordsValue = bytes | memoryview | FileSlice | SliceChain | None
Parts = list[bytes | memoryview | FileSlice]
