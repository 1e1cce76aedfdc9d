"""What happened, one line an event: virtual milliseconds, who, what."""

from __future__ import annotations

from zlib import crc32

import trio
from attrs import define, field


@define(eq=False)
class Trace:
    """The lines of one run. Equal runs have equal lines, byte for byte."""

    lines: list[str] = field(factory=list)

    def note(self, who: str, what: str) -> None:
        """Add a line with the present virtual time."""
        self.lines.append(f"{trio.current_time() * 1_000:12.3f} {who:<10} {what}")

    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines) + "\n"


def digest(data: bytes) -> str:
    """A few letters that differ where bytes do."""
    return f"{len(data)} bytes {crc32(data):08x}"
