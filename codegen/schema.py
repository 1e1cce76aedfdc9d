"""The model of one message definition: frozen values, no text and no file behind them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import PurePosixPath

from attrs import field, frozen

from codegen.names import snake_case
from codegen.versions import NONE, Versions

Default = int | float | bool | str | None

# Fixed-width types: their struct code and their size in bytes.
FIXED: dict[str, tuple[str, int]] = {
    "bool": ("?", 1),
    "int8": ("b", 1),
    "int16": ("h", 2),
    "uint16": ("H", 2),
    "int32": ("i", 4),
    "uint32": ("I", 4),
    "int64": ("q", 8),
    "float64": ("d", 8),
    "uuid": ("16s", 16),
}
VARIABLE = ("string", "bytes", "records")
SCALARS = (*FIXED, *VARIABLE)

# The least and the greatest value that fits an integer type.
INTEGER_RANGES: dict[str, tuple[int, int]] = {
    "int8": (-(1 << 7), (1 << 7) - 1),
    "int16": (-(1 << 15), (1 << 15) - 1),
    "uint16": (0, (1 << 16) - 1),
    "int32": (-(1 << 31), (1 << 31) - 1),
    "uint32": (0, (1 << 32) - 1),
    "int64": (-(1 << 63), (1 << 63) - 1),
}


class Kind(Enum):
    """What a definition describes, in Kafka's words."""

    REQUEST = "request"
    RESPONSE = "response"
    HEADER = "header"
    METADATA = "metadata"
    DATA = "data"
    COORDINATOR_KEY = "coordinator-key"
    COORDINATOR_VALUE = "coordinator-value"


@frozen
class Place:
    """Where in which file something was written: for messages to people."""

    file: str = ""
    line: int = 0
    path: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.path}"


@frozen
class Field:
    """One field: ``element`` is the scalar type or struct name, ``array`` whether many of it.

    ``struct`` is the definition behind ``element`` when that names one. ``flexible`` is set
    where the field departs from its message (the client id of request headers).
    """

    name: str
    element: str
    array: bool
    versions: Versions
    nullable: Versions = NONE
    tag: int | None = None
    tagged: Versions = NONE
    default: Default = None
    has_null_default: bool = False
    ignorable: bool = False
    map_key: bool = False
    flexible: Versions | None = None
    about: str = ""
    struct: Struct | None = None
    place: Place = field(default=Place(), eq=False)

    @property
    def attribute(self) -> str:
        """The name of the field in Python."""
        return snake_case(self.name)

    @property
    def is_struct(self) -> bool:
        """Whether this is one struct, not an array of them."""
        return self.struct is not None and not self.array

    @property
    def type_text(self) -> str:
        """The type as the schema spells it."""
        return f"[]{self.element}" if self.array else self.element


@frozen
class Struct:
    """A named group of fields: the message itself, or what one of its fields holds."""

    name: str
    fields: tuple[Field, ...]
    versions: Versions
    about: str = ""
    place: Place = field(default=Place(), eq=False)


@frozen
class Message:
    """A whole definition. ``structs`` are its nested structs, inner ones first."""

    kind: Kind
    top: Struct
    versions: Versions
    flexible: Versions
    api_key: int | None = None
    structs: tuple[Struct, ...] = ()
    listeners: tuple[str, ...] = ()
    latest_unstable: bool = False
    file: str = ""
    stamp: str = ""
    place: Place = field(default=Place(), eq=False)

    @property
    def name(self) -> str:
        """The name of the message, which is its top struct's."""
        return self.top.name

    @property
    def module(self) -> str:
        """The name of the Python module that is generated from it."""
        return snake_case(self.name)

    @property
    def folder(self) -> str:
        """The folder of its schema below ``schemas/``, and of its module; empty for the top."""
        return "/".join(PurePosixPath(self.file).parts[1:-1])

    def all_structs(self) -> Iterator[Struct]:
        """Every struct once, inner ones before those that hold them, the message last."""
        yield from self.structs
        yield self.top
