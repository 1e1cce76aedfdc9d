"""How many rows a large Produce has, counted before any of them becomes an object.

A row of eight bytes decodes to a hundred and more. A Produce is large because of its records, so
one that is large because of its rows is nothing that a client sends, and would cost gigabytes.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_LARGE_PRODUCE_ROWS
from metaquorum.wire.primitives import Buffer, Malformed, get_uvarint

_TRANSACTIONS_FROM: Final = 3
_FLEXIBLE_FROM: Final = 9
_TOPIC_IDS_FROM: Final = 13
_UUID_BYTES: Final = 16
_ACKS_AND_TIMEOUT_BYTES: Final = 6


def check_produce_shape(frame: Buffer, version: int, at: int) -> None:
    """Raise PeerError for a ProduceRequest at ``at`` of more rows than a large one may have.

    Also for one with tagged fields, of which Produce has none, and for one that is cut.
    """
    try:
        _Walk(frame, version, at).check()
    except (IndexError, Malformed):
        raise PeerError("a large Produce that ends within its rows") from None


class _Walk:
    """A position that moves over fields without keeping any."""

    def __init__(self, frame: Buffer, version: int, at: int) -> None:
        self._frame = frame
        self._version = version
        self._flexible = version >= _FLEXIBLE_FROM
        self._at = at
        self._rows = 0

    def check(self) -> None:
        if self._version >= _TRANSACTIONS_FROM:
            self._skip(self._length(2))
        self._skip(_ACKS_AND_TIMEOUT_BYTES)
        for _ in range(self._count()):
            self._skip(_UUID_BYTES if self._version >= _TOPIC_IDS_FROM else self._length(2))
            for _ in range(self._count()):
                self._skip(4)
                self._skip(self._length(4))
                self._no_tags()
            self._no_tags()
        self._no_tags()

    def _count(self) -> int:
        count = self._length(4)
        self._rows += count
        if self._rows > MAX_LARGE_PRODUCE_ROWS:
            raise PeerError(
                f"a Produce of {len(self._frame)} bytes and {self._rows} rows or more; "
                f"{MAX_LARGE_PRODUCE_ROWS} are allowed in one that large"
            )
        return count

    def _length(self, width_bytes: int) -> int:
        """A length or a count; null, which the decoder judges, has nothing behind it."""
        if self._flexible:
            value, self._at = get_uvarint(self._frame, self._at)
            return max(value - 1, 0)
        self._skip(width_bytes)
        field = self._frame[self._at - width_bytes : self._at]
        return max(int.from_bytes(field, "big", signed=True), 0)

    def _no_tags(self) -> None:
        if self._flexible:
            count, self._at = get_uvarint(self._frame, self._at)
            if count:
                raise PeerError(f"a large Produce with {count} tagged fields; it has none")

    def _skip(self, count: int) -> None:
        self._at += count
        if self._at > len(self._frame):
            raise IndexError
