"""What a records field may hold without anybody reading it: pieces of files, and chains of them.

The encoder puts a slice among its parts as it is; the sender copies it from file to socket.
"""

from __future__ import annotations

from attrs import field, frozen


@frozen
class FileSlice:
    """``length_bytes`` of the file behind ``fd``, from ``position`` on.

    ``pin`` keeps the descriptor open for as long as the slice is held.
    """

    fd: int
    position: int
    length_bytes: int
    pin: object = field(default=None, eq=False, repr=False)

    def __len__(self) -> int:
        return self.length_bytes


@frozen
class SliceChain:
    """Several pieces that are one value on the wire, in order."""

    parts: tuple[bytes | memoryview | FileSlice, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))


RecordsValue = bytes | memoryview | FileSlice | SliceChain | None
