"""Where in a message an error is: the slow walk that runs only after a codec has failed.

The walk reads the same bytes (or the same message) field by field along the module's table, and
stops at the first thing that is not right. Its time and memory are bounded by the buffer: it
keeps nothing and looks at every byte at most once.
"""

from __future__ import annotations

import struct
from typing import Any, NoReturn

from metaquorum.wire.errors import DecodeError, EncodeError, Malformed, UnsupportedField
from metaquorum.wire.primitives import MAX_TEXT_BYTES, get_uvarint
from metaquorum.wire.shape import (
    FIXED_CODES,
    FieldShape,
    MessageShape,
    Shape,
    StructShape,
    holds,
    is_default,
    read_shape,
)


def place_in_bytes(raw: Shape, buf: bytes, version: int, at: int, fault: Exception) -> DecodeError:
    """The error to raise for bytes that a decoder refused."""
    shape = read_shape(raw)
    name = shape.top.name
    if not holds(shape.versions, version):
        return DecodeError(name, at, _no_version(shape, version))
    walk = _Walk(buf, version, shape)
    try:
        walk.struct(shape.top, name, at)
    except DecodeError as found:
        return found
    return DecodeError(name, at, f"it cannot be decoded: {fault}")


def _no_version(shape: MessageShape, version: int) -> str:
    low, high = shape.versions or (0, -1)
    return f"version {version} is not known, {low} to {high} are"


class _Walk:
    """One pass over the bytes; methods take and return positions."""

    def __init__(self, buf: bytes, version: int, shape: MessageShape) -> None:
        self.buf = buf
        self.version = version
        self.flexible = holds(shape.flexible, version)

    def fail(self, path: str, at: int, why: str) -> NoReturn:
        raise DecodeError(path, min(at, len(self.buf)), why)

    def struct(self, shape: StructShape, path: str, at: int) -> int:
        for each in shape.plain(self.version):
            at = self.field(each, f"{path}.{each.attribute}", at)
        return self.tags(shape, path, at) if self.flexible else at

    def fixed(self, element: str, path: str, at: int) -> int:
        size = struct.calcsize(f">{FIXED_CODES[element]}")
        left = len(self.buf) - at
        if left < size:
            self.fail(path, at, f"{element} takes {size} bytes, {left} are left")
        return at + size

    def field(self, each: FieldShape, path: str, at: int) -> int:
        nullable = holds(each.nullable, self.version)
        if not each.is_array and each.element in FIXED_CODES:
            return self.fixed(each.element, path, at)
        if each.struct is not None and not each.is_array:
            if nullable:
                tagged = holds(each.tagged, self.version)
                is_null, at = self.null_mark(path, at, tagged=tagged)
                if is_null:
                    return at
            return self.struct(each.struct, path, at)
        compact = holds(each.flexible, self.version)
        kind = each.type if each.is_array else each.element
        length, end = self.length(kind, compact, nullable, path, at)
        if length is None:
            return end
        if not each.is_array:
            return self.content(each.element, length, path, end)
        least = self.least_bytes(each, compact)
        left = len(self.buf) - end
        if length * least > left:
            self.fail(path, at, f"{length} elements of {least} bytes or more, {left} are left")
        return self.elements(each, length, compact, path, end)

    def null_mark(self, path: str, at: int, *, tagged: bool) -> tuple[bool, int]:
        """Whether a struct is null: a negative byte says so, or a varint of 0 inside of a tag."""
        if tagged:
            mark, end = self.uvarint(path, at)
            return mark == 0, end
        end = self.fixed("int8", path, at)
        return self.buf[at] > 127, end

    def length(
        self, kind: str, compact: bool, nullable: bool, path: str, at: int
    ) -> tuple[int | None, int]:
        """The length or count before a value, None for null."""
        if compact:
            value, end = self.uvarint(path, at)
            value -= 1
        else:
            end = self.fixed("int16" if kind == "string" else "int32", path, at)
            value = int.from_bytes(self.buf[at:end], "big", signed=True)
        if value < 0:
            if not nullable:
                self.fail(path, at, "null, where null is not allowed")
            if compact and end - at > 1:
                self.fail(path, at, "null in a varint of more than one byte")
            return None, end
        if kind == "string" and value > MAX_TEXT_BYTES:
            self.fail(path, at, f"a text of {value} bytes, the most is {MAX_TEXT_BYTES}")
        return value, end

    def uvarint(self, path: str, at: int) -> tuple[int, int]:
        try:
            return get_uvarint(self.buf, at)
        except IndexError:
            self.fail(path, at, "the buffer ends within a varint")
        except Malformed as fault:
            self.fail(path, at, str(fault))

    def content(self, element: str, length: int, path: str, at: int) -> int:
        left = len(self.buf) - at
        if length > left:
            self.fail(path, at, f"{length} bytes, with {left} left")
        if element == "string":
            try:
                self.buf[at : at + length].decode()
            except UnicodeDecodeError as fault:
                self.fail(path, at + fault.start, "not UTF-8")
        return at + length

    def elements(self, each: FieldShape, count: int, compact: bool, path: str, at: int) -> int:
        if each.element in FIXED_CODES:
            return at + count * self.least_bytes(each, compact)
        for index in range(count):
            below = f"{path}[{index}]"
            if each.struct is not None:
                at = self.struct(each.struct, below, at)
            else:
                length, at = self.length(each.element, compact, False, below, at)
                at = self.content(each.element, length or 0, below, at)
        return at

    def least_bytes(self, each: FieldShape, compact: bool) -> int:
        if each.element in FIXED_CODES:
            return struct.calcsize(f">{FIXED_CODES[each.element]}")
        if each.struct is None:
            return 1 if compact else 2 if each.element == "string" else 4
        return self.least_struct_bytes(each.struct)

    def least_struct_bytes(self, shape: StructShape) -> int:
        total = 1 if self.flexible else 0
        for each in shape.plain(self.version):
            if each.is_array or each.element not in FIXED_CODES:
                if each.struct is not None and not each.is_array:
                    nullable = holds(each.nullable, self.version)
                    total += 1 if nullable else self.least_struct_bytes(each.struct)
                elif holds(each.flexible, self.version):
                    total += 1
                else:
                    total += 2 if each.type == "string" else 4
            else:
                total += struct.calcsize(f">{FIXED_CODES[each.element]}")
        return total

    def tags(self, shape: StructShape, path: str, at: int) -> int:
        where = f"{path}.unknown_tags"
        count, after = self.uvarint(where, at)
        left = len(self.buf) - after
        if count * 2 > left:
            self.fail(where, at, f"{count} tagged fields, with {left} bytes left")
        known = shape.tagged(self.version)
        last = -1
        at = after
        for _ in range(count):
            tag, after = self.uvarint(where, at)
            if tag <= last:
                self.fail(where, at, f"tag {tag} after tag {last}: tags rise, once each")
            last = tag
            size, start = self.uvarint(where, after)
            left = len(self.buf) - start
            if size > left:
                self.fail(where, after, f"tag {tag} of {size} bytes, with {left} left")
            at = start + size
            if tag in known:
                each = known[tag]
                end = self.field(each, f"{path}.{each.attribute}", start)
                if end != at:
                    why = f"tag {tag} says {size} bytes, its value takes {end - start}"
                    self.fail(f"{path}.{each.attribute}", start, why)
        return at


def place_in_message(raw: Shape, message: object, version: int, fault: Exception) -> EncodeError:
    """The error to raise for a message that an encoder refused."""
    shape = read_shape(raw)
    name = shape.top.name
    if not holds(shape.versions, version):
        return EncodeError(name, _no_version(shape, version))
    try:
        _check_struct(shape, shape.top, message, version, name)
    except EncodeError as found:
        return found
    return EncodeError(name, f"it cannot be encoded: {fault}")


def _check_struct(
    whole: MessageShape, shape: StructShape, message: Any, version: int, path: str
) -> None:
    if not isinstance(message, shape.make):  # type: ignore[arg-type]  # make is a class
        raise EncodeError(path, f"expected {shape.name}, found {type(message).__name__}")
    for each in shape.fields:
        below = f"{path}.{each.attribute}"
        value = getattr(message, each.attribute)
        if holds(each.versions, version):
            _check_field(whole, each, value, version, below)
        elif not each.ignorable and not is_default(each, value):
            raise UnsupportedField(below, f"version {version} cannot carry it")
    if message.unknown_tags and not holds(whole.flexible, version):
        raise UnsupportedField(f"{path}.unknown_tags", f"version {version} has no tags")


def _check_field(
    whole: MessageShape, each: FieldShape, value: Any, version: int, path: str
) -> None:
    if value is None:
        if not holds(each.nullable, version):
            raise EncodeError(path, f"null, which version {version} cannot carry")
        return
    if not each.is_array:
        _check_value(whole, each, value, version, path)
        return
    if isinstance(value, str | bytes) or not hasattr(value, "__len__"):
        raise EncodeError(path, f"expected a sequence, found {type(value).__name__}")
    for index, element in enumerate(value):
        _check_value(whole, each, element, version, f"{path}[{index}]")


def _check_value(
    whole: MessageShape, each: FieldShape, value: Any, version: int, path: str
) -> None:
    if each.struct is not None:
        _check_struct(whole, each.struct, value, version, path)
    elif each.element == "uuid":
        if not isinstance(value, bytes) or len(value) != 16:
            raise EncodeError(path, f"expected the 16 bytes of a uuid, found {value!r}")
    elif each.element in FIXED_CODES:
        try:
            struct.pack(f">{FIXED_CODES[each.element]}", value)
        except (struct.error, TypeError, OverflowError) as fault:
            raise EncodeError(path, f"{value!r} is no {each.element}: {fault}") from None
    elif each.element == "string":
        _check_text(value, path)


def _check_text(value: Any, path: str) -> None:
    if not isinstance(value, str):
        raise EncodeError(path, f"expected a text, found {type(value).__name__}")
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise EncodeError(path, "a surrogate, which UTF-8 cannot carry") from None
    if size > MAX_TEXT_BYTES:
        raise EncodeError(path, f"a text of {size} bytes, the most is {MAX_TEXT_BYTES}")
