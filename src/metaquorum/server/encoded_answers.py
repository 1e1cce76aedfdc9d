"""Answers to fetches as bytes, kept for the next one who gets the same.

When a record is committed, hundreds of observers that stand at the end of the log are told the same.
The house gives them all one object; here it is encoded once, and the others get its bytes with their
correlation id put in.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from attrs import define, field, frozen

from metaquorum.base.limits import ENCODED_ANSWERS
from metaquorum.server.sender import in_memory
from metaquorum.wire.primitives import Parts
from metaquorum.wire.slices import FileSlice

_ID_BEGINS: Final = 4  # after the size of the frame
_ID_ENDS: Final = 8


@frozen
class _Kept:
    answer: Any
    version: int
    before: bytes
    after: Parts


@define(eq=False)
class EncodedAnswers:
    """The latest few, by the object that was encoded and the version it was encoded in."""

    hits: int = 0
    _kept: deque[_Kept] = field(factory=lambda: deque(maxlen=ENCODED_ANSWERS))

    def find(self, answer: Any, version: int, correlation_id: int) -> Parts | None:
        """The frame of an answer that was encoded before, for another request."""
        for one in self._kept:
            if one.answer is answer and one.version == version:
                self.hits += 1
                after = one.after
                if len(after) > 1:
                    after[:] = _joined(after)
                word = correlation_id.to_bytes(4, "big", signed=True)
                first = after[0]
                if len(after) == 1 and not isinstance(first, FileSlice):
                    return [b"%b%b%b" % (one.before, word, first)]
                return [one.before + word, *after]
        return None

    def keep(self, answer: Any, version: int, parts: Parts) -> None:
        """Keep a whole frame: its size and its correlation id are in memory, whatever follows."""
        at = next((at for at, one in enumerate(parts) if isinstance(one, FileSlice)), len(parts))
        first = b"".join(parts[:at])  # type: ignore[arg-type]
        rest: Parts = [first[_ID_ENDS:], *parts[at:]]
        self._kept.append(_Kept(answer, version, first[:_ID_BEGINS], rest))


def _joined(parts: Parts) -> Parts:
    """The same in one part if small pieces of files can be read without waiting."""
    read = [in_memory(part) if isinstance(part, FileSlice) else part for part in parts]
    if any(isinstance(part, FileSlice) for part in read):
        return read
    return [b"".join(read)]  # type: ignore[arg-type]
