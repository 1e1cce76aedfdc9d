"""The Struct objects that a module needs, named after their codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from struct import calcsize

from attrs import define, field

from codegen.emit.text import Text

_RUNS = re.compile(r"16s|(.)\1*")


def packed_codes(codes: str) -> str:
    """``iiiqq16s`` as ``3i2q16s``."""

    def shorter(match: re.Match[str]) -> str:
        run = match.group()
        return run if run == "16s" or len(run) == 1 else f"{len(run)}{run[0]}"

    return _RUNS.sub(shorter, codes)


@define
class Structs:
    """Which Structs were asked for, and the names of their bound methods."""

    reads: set[str] = field(factory=set)
    writes: set[str] = field(factory=set)
    row_reads: set[str] = field(factory=set)
    array_reads: set[tuple[str, str, int]] = field(factory=set)
    array_writes: set[str] = field(factory=set)

    def read(self, codes: str) -> str:
        """The name of an ``unpack_from``."""
        self.reads.add(packed_codes(codes))
        return f"_read_{_word(codes)}"

    def write(self, codes: str) -> str:
        """The name of a ``pack``."""
        self.writes.add(packed_codes(codes))
        return f"_write_{_word(codes)}"

    def rows(self, codes: str) -> str:
        """The name of an ``iter_unpack``."""
        self.row_reads.add(packed_codes(codes))
        return f"_rows_{_word(codes)}"

    def read_array(self, code: str, after: str, more: int) -> str:
        """The name of a table: length on the wire -> ``unpack_from`` of so many, then ``after``.

        ``more`` is what the length on the wire is above the count: one for compact arrays.
        """
        self.array_reads.add((code, packed_codes(after), more))
        return f"_read_array_{_array_word(code, after, more)}"

    def write_arrays(self, pieces: Sequence[str]) -> str:
        """The name of a table: counts of the starred pieces -> ``pack`` of all of them."""
        self.array_writes.add(" ".join(pieces))
        return "_write_" + _pieces_word(" ".join(pieces))

    @staticmethod
    def size(codes: str) -> int:
        """The bytes of a run."""
        return calcsize(f">{codes}")

    def emit(self, text: Text) -> None:
        """One line for each, sorted."""
        for code, after, more in sorted(self.array_reads):
            word = _array_word(code, after, more)
            text.line(f'_read_array_{word} = ArrayReads("{code}", "{after}", {more})')
        for word, method, wanted in (
            ("read", "unpack_from", self.reads),
            ("rows", "iter_unpack", self.row_reads),
            ("write", "pack", self.writes),
        ):
            for codes in sorted(wanted):
                text.line(f'_{word}_{_word(codes)} = Struct(">{codes}").{method}')

        for pieces in sorted(self.array_writes):
            text.line(f'_write_{_pieces_word(pieces)} = ArrayWrites("{pieces}")')


def _array_word(code: str, after: str, more: int) -> str:
    form = "c" if more else "n"
    return f"{form}{code}_{_word(after)}" if after else f"{form}{code}"


def _pieces_word(pieces: str) -> str:
    return "_".join(
        f"many_{piece[1:]}" if piece.startswith("*") else _word(piece) for piece in pieces.split()
    )


def _word(codes: str) -> str:
    return packed_codes(codes).replace("?", "t")
