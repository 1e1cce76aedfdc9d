"""How many rows a message has, counted along its table before any of them becomes an object.

A row of three bytes decodes to hundreds, and takes a hundred times as long to serve as it took to
send. So a server counts first: elements of arrays at any depth, and
tagged fields that nobody knows. The count stops at the limit; it keeps nothing.

It judges nothing else: where bytes are no message it ends, and the decoder, which gets no further,
says what is wrong with them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from attrs import define, frozen

from metaquorum.wire.errors import DecodeError, Malformed
from metaquorum.wire.primitives import Buffer, get_uvarint
from metaquorum.wire.shape import FIXED_CODES, FieldShape, Shape, StructShape, holds, read_shape

_INT16: Final = struct.Struct(">h").unpack_from
_INT32: Final = struct.Struct(">i").unpack_from


@frozen
class _Skip:
    """Fields of a fixed size."""

    size_bytes: int

    def pass_over(self, walk: _Walk, at: int) -> int:
        return at + self.size_bytes


@frozen
class _Content:
    """A text or bytes: a length and what it counts. ``width_bytes`` is 0 for a varint."""

    width_bytes: int

    def pass_over(self, walk: _Walk, at: int) -> int:
        length, at = walk.length(self.width_bytes, at)
        return at + max(length, 0)


@frozen
class _Struct:
    """A struct in a struct; behind a mark where it may be null."""

    steps: Steps
    nullable: bool
    tagged: bool

    def pass_over(self, walk: _Walk, at: int) -> int:
        if self.nullable:
            mark = walk.buf[at]
            at += 1
            if mark == 0 if self.tagged else mark > 127:
                return at
        for step in self.steps:
            at = step.pass_over(walk, at)
        return at


@frozen
class _Rows:
    """An array: of structs (``steps``), of lengths and contents, or of fixed sizes."""

    name: str
    width_bytes: int
    steps: Steps
    fixed_bytes: int | None

    def pass_over(self, walk: _Walk, at: int) -> int:
        count, start = walk.length(self.width_bytes, at)
        if count <= 0:
            return start
        if count > len(walk.buf) - start:  # a lie: the decoder refuses it before it keeps anything
            raise IndexError
        walk.count(count, self.name, at)
        at = start
        if self.fixed_bytes is not None:
            return at + count * self.fixed_bytes
        steps = self.steps
        left = count
        try:
            while left:
                for step in steps:
                    at = step.pass_over(walk, at)
                left -= 1
        except _TooMany as too_many:
            too_many.path.append(f"{self.name}[{count - left}]")
            raise
        return at


@frozen
class _Tags:
    """The tagged fields at the end of a struct; those that are known have steps of their own."""

    known: dict[int, Any]

    def pass_over(self, walk: _Walk, at: int) -> int:
        buf = walk.buf
        count = buf[at]
        if count == 0:
            return at + 1
        place = at
        count, at = get_uvarint(buf, at)
        if count * 2 > len(buf) - at:
            raise IndexError
        walk.count(count, "unknown_tags", place)
        for _ in range(count):
            tag, at = get_uvarint(buf, at)
            size, at = get_uvarint(buf, at)
            if tag in self.known:
                self.known[tag].pass_over(walk, at)
            at += size
        return at


Steps = tuple[Any, ...]
"""Things with ``pass_over(walk, at)``, in the order of the wire."""


class _TooMany(Exception):
    """The limit is reached; ``path`` is filled in on the way out, innermost first."""

    def __init__(self, name: str, at: int) -> None:
        super().__init__(name, at)
        self.path = [name]
        self.at = at


@define
class _Walk:
    buf: bytes
    limit: int
    rows: int = 0

    def count(self, more: int, name: str, at: int) -> None:
        self.rows += more
        if self.rows > self.limit:
            raise _TooMany(name, at)

    def length(self, width_bytes: int, at: int) -> tuple[int, int]:
        """A length or a count and the position behind it; negative for null."""
        if width_bytes == 0:
            value = self.buf[at]
            at += 1
            if value > 127:
                value, at = get_uvarint(self.buf, at - 1)
            return value - 1, at
        if width_bytes == 2:
            return _INT16(self.buf, at)[0], at + 2
        return _INT32(self.buf, at)[0], at + 4


@frozen
class Piece:
    """Elements of an array: ``count`` of them from number ``first`` on, and where they lie."""

    first: int
    count: int
    start: int
    end: int
    is_last: bool = False


@frozen
class RowCounter:
    """Counts the rows of one message in one version.

    ``begins_with_rows``: the message may be read in ``pieces``, because an array that is never null
    comes first in it.
    """

    name: str
    steps: Steps
    begins_with_rows: bool = False

    @classmethod
    def of(cls, raw: Shape, version: int) -> RowCounter:
        """From the table at the end of a generated module."""
        shape = read_shape(raw)
        flexible = holds(shape.flexible, version)
        first = next(iter(shape.top.plain(version)), None)
        return cls(
            shape.top.name,
            _struct_steps(shape.top, version, flexible),
            first is not None and first.is_array and not holds(first.nullable, version),
        )

    def check(self, buf: Buffer, at: int, limit: int) -> int:
        """The rows of the message at ``at``, as far as it is one.

        Raises DecodeError, with the path and the position of the array that goes too far, when
        there are more than ``limit``.
        """
        walk = _Walk(bytes(buf) if not isinstance(buf, bytes) else buf, limit)
        try:
            for step in self.steps:
                at = step.pass_over(walk, at)
        except _TooMany as found:
            self._refuse(found, walk)
        except (IndexError, struct.error, Malformed):
            pass
        return walk.rows

    def pieces(self, buf: bytes, at: int, limit: int, piece_rows: int) -> Iterator[Piece]:
        """The elements of the array that the message at ``at`` begins with, about so many rows at a
        time, each piece as soon as its rows are counted.

        The last piece is ``is_last`` and goes on to the end of ``buf``; where these bytes are no
        message it begins before the fault. DecodeError as of ``check``, and for a single element of
        more than ``piece_rows`` rows: it would be a piece as long as it likes.
        """
        array = self.steps[0]
        walk = _Walk(buf, limit)
        count, start, first, number = 0, at, 0, -1
        try:
            count, start = walk.length(array.width_bytes, at)
            if count > len(buf) - start:  # a lie, as above
                raise IndexError
            walk.count(max(count, 0), array.name, at)
            end, counted = start, walk.rows
            for number in range(count):
                before = walk.rows
                for step in array.steps:
                    end = step.pass_over(walk, end)
                if walk.rows - before > piece_rows:
                    self._refuse_element(f"{array.name}[{number}]", end, walk.rows - before)
                done = number + 1 - first
                if walk.rows - counted + done >= piece_rows and number + 1 < count:
                    yield Piece(first, done, start, end)
                    start, first, counted = end, number + 1, walk.rows
            for step in self.steps[1:]:
                end = step.pass_over(walk, end)
        except _TooMany as found:
            if number >= 0:
                found.path.append(f"{array.name}[{number}]")
            self._refuse(found, walk)
        except (IndexError, struct.error, Malformed):
            pass
        yield Piece(first, max(count, 0) - first, start, len(buf), is_last=True)

    def _refuse_element(self, name: str, at: int, rows: int) -> NoReturn:
        raise DecodeError(f"{self.name}.{name}", at, f"{rows} rows are too many in one element")

    def _refuse(self, found: _TooMany, walk: _Walk) -> NoReturn:
        path = ".".join([self.name, *reversed(found.path)])
        why = f"{walk.rows} rows or more so far, {walk.limit} are allowed in one request"
        raise DecodeError(path, found.at, why) from None


def _struct_steps(shape: StructShape, version: int, flexible: bool) -> Steps:
    steps: list[Any] = []
    for each in shape.plain(version):
        step = _field_step(each, version, flexible)
        if isinstance(step, _Skip) and steps and isinstance(steps[-1], _Skip):
            step = _Skip(steps.pop().size_bytes + step.size_bytes)
        steps.append(step)
    if flexible:
        tagged = shape.tagged(version).items()
        known = {tag: _field_step(each, version, flexible) for tag, each in tagged}
        steps.append(_Tags(known))
    return tuple(steps)


def _field_step(each: FieldShape, version: int, flexible: bool) -> Any:
    compact = holds(each.flexible, version)
    if each.is_array:
        fixed = _fixed_bytes(each.element)
        if each.struct is not None:
            steps = _struct_steps(each.struct, version, flexible)
        else:
            steps = () if fixed is not None else (_content(each.element, compact),)
        return _Rows(each.attribute, 0 if compact else 4, steps, fixed)
    if each.struct is not None:
        return _Struct(
            _struct_steps(each.struct, version, flexible),
            holds(each.nullable, version),
            holds(each.tagged, version),
        )
    fixed = _fixed_bytes(each.element)
    return _content(each.element, compact) if fixed is None else _Skip(fixed)


def _fixed_bytes(element: str) -> int | None:
    code = FIXED_CODES.get(element)
    return None if code is None else struct.calcsize(f">{code}")


def _content(element: str, compact: bool) -> _Content:
    return _Content(0 if compact else 2 if element == "string" else 4)
