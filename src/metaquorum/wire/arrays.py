"""Structs whose size is known only at run time: arrays of numbers between fixed-width fields.

Both tables fill themselves: asked for a length they have not met, they make the Struct for it and
keep it, within a limit.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from metaquorum.wire.errors import Malformed
from metaquorum.wire.primitives import ONE_BYTE, uvarint

KEPT_LENGTHS: Final = 1_024  # Structs of arrays longer than this are made anew each time
KEPT_SHAPES: Final = 4_096  # beyond so many combinations a table starts over


class ArrayReads(dict[int, Callable[[bytes, int], tuple[Any, ...]]]):
    """Length on the wire -> a function that unpacks the elements and the fields behind them.

    ``more`` is one where the length on the wire is one more than the count (compact arrays).
    """

    def __init__(self, code: str, after: str, more: int) -> None:
        super().__init__()
        self.code = code
        self.after = after
        self.more = more

    def __missing__(self, length: int) -> Callable[[bytes, int], tuple[Any, ...]]:
        count = length - self.more
        if count < 0:
            raise Malformed("null, where null is not allowed")
        read = Struct(f">{_repeated(self.code, count)}{self.after}").unpack_from
        if length < KEPT_LENGTHS:
            self[length] = read
        return read


class ArrayWrites(dict[Any, Callable[..., bytes]]):
    """Counts of its arrays -> a function that packs them and the fields between.

    ``pieces`` is like ``"3iB *i B *i x"``: codes, and starred ones for arrays. The key is the
    count of the array, or a tuple of counts where there are several.
    """

    def __init__(self, pieces: str) -> None:
        super().__init__()
        self.pieces = pieces.split()

    def __missing__(self, key: int | tuple[int, ...]) -> Callable[..., bytes]:
        counts = iter((key,) if isinstance(key, int) else key)
        formats: list[str] = []
        longer: list[int] = []  # arguments that are lengths of more than one byte
        arguments = 0
        for piece in self.pieces:
            if not piece.startswith("*"):
                formats.append(piece)
                arguments += len(Struct(f">{piece}").unpack(bytes(Struct(f">{piece}").size)))
                continue
            count = next(counts)
            if formats and formats[-1].endswith("B") and count + 1 >= len(ONE_BYTE):
                formats[-1] = f"{formats[-1][:-1]}{len(uvarint(count + 1))}s"
                longer.append(arguments - 1)
            formats.append(_repeated(piece[1:], count))
            arguments += count
        pack = Struct(">" + "".join(formats)).pack
        write = _with_long_lengths(pack, longer) if longer else pack
        if len(self) >= KEPT_SHAPES:
            self.clear()
        self[key] = write
        return write


def _repeated(code: str, count: int) -> str:
    return code * count if code.endswith("s") else f"{count}{code}"


def _with_long_lengths(pack: Callable[..., bytes], longer: list[int]) -> Callable[..., bytes]:
    def write(*values: Any) -> bytes:
        changed = list(values)
        for index in longer:
            changed[index] = uvarint(changed[index])
        return pack(*changed)

    return write
