"""What can go wrong between bytes and messages, always with the place where it did."""

from __future__ import annotations

from metaquorum.base.errors import PeerError


class DecodeError(PeerError):
    """Bytes that are not the message they should be.

    ``path`` names the field (``FetchRequest.topics[3].partitions[0].fetch_offset``), ``at`` is
    its position in the buffer that was given, ``why`` a sentence.
    """

    def __init__(self, path: str, at: int, why: str) -> None:
        super().__init__(path, at, why)
        self.path = path
        self.at = at
        self.why = why

    def __str__(self) -> str:
        return f"{self.path} at byte {self.at}: {self.why}"


class EncodeError(ValueError):
    """A message that cannot be written: the fault is ours, ``path`` names the field.

    An answer that cannot be written fails its request, a record the change that it is part of.
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class UnsupportedField(EncodeError):
    """A field is set that this version cannot carry, and must not be dropped (not ignorable)."""


class Malformed(ValueError):
    """Raised on the fast paths, without a place; the module's entry point turns it into another."""
