"""Messages as data: what the table at the end of every generated module means.

Codecs never look at it. The JSON form, and the search for the place of an error, do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from metaquorum.wire.message import UNSET

Shape = tuple[Any, ...]
Range = tuple[int, int] | None

FIXED_CODES = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "float64": "d",
    "uuid": "16s",
}


def holds(versions: Range, version: int) -> bool:
    """Whether the range has this version."""
    return versions is not None and versions[0] <= version <= versions[1]


@frozen
class FieldShape:
    """One field; ``default`` is ``message.UNSET`` for a struct with defaults of its own."""

    json_name: str
    attribute: str
    type: str
    versions: Range
    nullable: Range
    tag: int | None
    tagged: Range
    default: Any
    ignorable: bool
    flexible: Range
    struct: StructShape | None

    @property
    def is_array(self) -> bool:
        """Whether the value is a list."""
        return self.type.startswith("[]")

    @property
    def element(self) -> str:
        """The type of the value, or of each value of the list."""
        return self.type.removeprefix("[]")


@frozen
class StructShape:
    """One struct: its class and its fields in order."""

    make: Callable[..., Any]
    fields: tuple[FieldShape, ...]

    @property
    def name(self) -> str:
        """The name of the struct."""
        return str(self.make.__name__)

    def plain(self, version: int) -> Iterator[FieldShape]:
        """The fields that stand on the wire in this order, tagged ones left out."""
        for each in self.fields:
            if holds(each.versions, version) and not holds(each.tagged, version):
                yield each

    def tagged(self, version: int) -> dict[int, FieldShape]:
        """The tagged fields of this version by tag."""
        return {
            each.tag: each
            for each in self.fields
            if each.tag is not None
            and holds(each.versions, version)
            and holds(each.tagged, version)
        }


@frozen
class MessageShape:
    """A whole message."""

    top: StructShape
    versions: Range
    flexible: Range


def _read_struct(raw: Shape) -> StructShape:
    make, fields = raw
    return StructShape(make, tuple(_read_field(each) for each in fields))


def _read_field(raw: Shape) -> FieldShape:
    values = list(raw)
    if values[-1] is not None:
        values[-1] = _read_struct(values[-1])
    return FieldShape(*values)


def read_shape(raw: Shape) -> MessageShape:
    """The table of a generated module in a form that has names."""
    top, versions, flexible = raw
    return MessageShape(_read_struct(top), versions, flexible)


def is_default(each: FieldShape, value: Any) -> bool:
    """Whether ``value`` is what the field has when nobody sets it."""
    if each.default is UNSET and each.struct is not None:
        return bool(value == each.struct.make())
    if each.is_array and each.default == ():
        return value is not None and len(value) == 0
    return bool(value == each.default)
