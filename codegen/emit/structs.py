"""The Struct objects that a module needs, named after their codes."""

from __future__ import annotations

import re
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

    @staticmethod
    def size(codes: str) -> int:
        """The bytes of a run."""
        return calcsize(f">{codes}")

    def emit(self, text: Text) -> None:
        """One line for each, sorted."""
        for word, method, wanted in (
            ("read", "unpack_from", self.reads),
            ("rows", "iter_unpack", self.row_reads),
            ("write", "pack", self.writes),
        ):
            for codes in sorted(wanted):
                text.line(f'_{word}_{_word(codes)} = Struct(">{codes}").{method}')


def _word(codes: str) -> str:
    return packed_codes(codes).replace("?", "t")
