"""How a value is read, by its first bytes: nearly all begin with three that say it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from attrs import define, field, frozen

from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import (
    FRAME_VERSION,
    decode_metadata_record,
    read_metadata_frame,
)
from metaquorum.wire.errors import DecodeError
from pyspark_metaquorum.chunk import Kind
from pyspark_metaquorum.generated.record_types import METADATA
from pyspark_metaquorum.record_type import RecordType
from pyspark_metaquorum.side_by_side import SideBySide, side_by_side

FRONT_BYTES: Final = 3  # frame version, type and version, a byte each
LEFT_OUT: Final = object()  # in the place of a reader: such records become no rows


@frozen(eq=False)
class Reader:
    """How the records of one type and version are decoded, and what is said of them."""

    known: RecordType
    column: str
    get: Callable[[bytes, int, int], tuple[Any, int]]
    version: int
    kind: Kind

    @property
    def together(self) -> SideBySide | None:
        """How many of them are read at once; None if they are not."""
        return side_by_side(_module(self.known), self.version)


@frozen(eq=False)
class Strange:
    """What became of a value that no reader is for."""

    kind: Kind
    column: str = ""
    message: Any = None
    problem: str | None = None


@define(eq=False)
class Readers:
    """The readers of the record types that are wanted, each made when it is first needed."""

    wanted: tuple[RecordType, ...]
    known: dict[bytes, Reader | object] = field(factory=dict)

    def find(self, front: bytes) -> Reader | object | None:
        """The reader of values that begin so, or LEFT_OUT; None where they are strange."""
        found = self.known.get(front)
        if found is None and (found := self._made(front)) is not None:
            self.known[front] = found
        return found

    def _made(self, front: bytes) -> Reader | object | None:
        if len(front) < FRONT_BYTES or front[0] != FRAME_VERSION or max(front) > 0x7F:
            return None
        known = METADATA.get(front[1])
        if known is None:
            return None
        if known not in self.wanted:
            return LEFT_OUT
        codec, version = codec_of(known), front[2]
        if not codec.LOWEST_VERSION <= version <= codec.HIGHEST_VERSION:
            return None
        kind = Kind(known.name, known.number, version)
        return Reader(known, known.column, codec.get, version, kind)

    def strange(self, value: bytes) -> Strange | None:
        """A value that no reader is for: of a newer version, or one that cannot be read.

        Newer versions are read as the server's replay reads them. None if it becomes no row.
        """
        kind = Kind(None, None, None)
        try:
            number, version, _ = read_metadata_frame(value)
            known = METADATA.get(number)
            kind = Kind(None if known is None else known.name, number, version)
            if known is None:
                return Strange(kind, problem="an unknown record type")
            if known not in self.wanted:
                return None
            return Strange(kind, known.column, decode_metadata_record(value).message)
        except (BatchError, DecodeError) as error:
            return Strange(kind, problem=str(error))


def codec_of(known: RecordType) -> Any:
    """The generated module that reads records of a type."""
    return import_module(_module(known))


def _module(known: RecordType) -> str:
    return f"metaquorum.wire.generated.{known.module}"
