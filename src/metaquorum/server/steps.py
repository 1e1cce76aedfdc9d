"""Answers that take long to make, made in steps, so that nobody else has to wait for all of it.

A handler whose answer may be thousands of rows long returns ``InSteps``: a generator that does a
little work between two ``yield``s and returns the answer. ``server.turns`` takes the steps, one a
turn of the loop. A long list of rows is best encoded as it is made (``RowsApart``), because neither
its objects nor their encoding then are ever there all at once.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, TypeVar

from attrs import define, field, frozen

from metaquorum.base.limits import MAX_RESPONSE_BYTES
from metaquorum.wire.frames import too_large
from metaquorum.wire.primitives import Parts, uvarint

T = TypeVar("T")

_MOST_AT_ONCE: Final = 100  # the count of so many takes a byte where counts are varints


@frozen
class InSteps:
    """What a handler returns in place of an answer that takes long."""

    steps: Generator[None, None, Any]


def taken(steps: Generator[None, None, T]) -> T:
    """What comes of all steps, taken in one go."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        made: T = end.value
        return made


@frozen
class Encoded:
    """An answer that is encoded already, its header left out.

    One that ``features`` alone can change is the same for everybody who asks in the same bytes.
    """

    body: Parts
    features: object = None


@define
class RowsApart:
    """Encodes an answer whose last field is its one long array, some rows at a time.

    ``codec`` is the generated module, ``empty`` the answer without rows, ``name`` the attribute of
    the array. In a flexible version nothing but an empty list of tags follows the array.
    """

    codec: Any
    empty: Any
    name: str
    version: int
    flexible_from: int
    _rows: Parts = field(factory=list)
    _count: int = 0
    _size_bytes: int = 0

    @property
    def _is_flexible(self) -> bool:
        return self.version >= self.flexible_from

    @property
    def _tail_bytes(self) -> int:
        return 1 if self._is_flexible else 0

    @property
    def _count_bytes(self) -> int:
        return 1 if self._is_flexible else 4

    def add(self, rows: Sequence[Any]) -> None:
        """Encode these rows behind those that were added before; a hundred at most.

        EncodeError once they are more than an answer may be.
        """
        if not 0 < len(rows) <= _MOST_AT_ONCE:
            raise ValueError(f"{len(rows)} rows were to be encoded at once")
        setattr(self.empty, self.name, rows)
        some = self.codec.encode(self.empty, self.version)
        added = some[len(self._head()) + self._count_bytes : len(some) - self._tail_bytes]
        self._size_bytes += len(added)
        if self._size_bytes > MAX_RESPONSE_BYTES:
            raise too_large(self._size_bytes)
        self._rows.append(added)
        self._count += len(rows)

    def done(self) -> Encoded:
        """The whole answer."""
        count = uvarint(self._count + 1) if self._is_flexible else self._count.to_bytes(4, "big")
        tail = bytes(self._tail_bytes)
        return Encoded([self._head(), count, *self._rows, tail])

    def _head(self) -> bytes:
        """What stands in front of the array."""
        setattr(self.empty, self.name, [])
        none: bytes = self.codec.encode(self.empty, self.version)
        return none[: len(none) - self._count_bytes - self._tail_bytes]
