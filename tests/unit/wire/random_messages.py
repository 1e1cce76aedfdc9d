"""Random messages of any kind, made along the table at the end of each generated module."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, cast

import metaquorum.wire.generated
from metaquorum.wire.message import UNSET
from metaquorum.wire.registry import Codec
from metaquorum.wire.shape import FieldShape, MessageShape, StructShape, holds, read_shape

GENERATED = Path(metaquorum.wire.generated.__file__ or "").parent
_NOT_MESSAGES = {"__init__", "index", "error_codes"}

_RANGES = {
    "int8": (-(1 << 7), (1 << 7) - 1),
    "int16": (-(1 << 15), (1 << 15) - 1),
    "uint16": (0, (1 << 16) - 1),
    "int32": (-(1 << 31), (1 << 31) - 1),
    "uint32": (0, (1 << 32) - 1),
    "int64": (-(1 << 63), (1 << 63) - 1),
}
_LETTERS = ["a", "Z", "-", "é", "ß", "中", "\U0001f600", '"', "\\", "\n"]


def all_codecs() -> list[Codec]:
    """Every generated module that holds a message, in the order of their names."""
    names = [
        path.relative_to(GENERATED).with_suffix("").as_posix().replace("/", ".")
        for path in sorted(GENERATED.rglob("*.py"))
        if path.stem not in _NOT_MESSAGES
    ]
    package = metaquorum.wire.generated.__name__
    return [cast(Codec, import_module(f"{package}.{name}")) for name in names]


def versions_of(codec: Codec) -> range:
    """Every version of the message."""
    return range(codec.LOWEST_VERSION, codec.HIGHEST_VERSION + 1)


class Maker:
    """Draws messages; the same ``random`` draws the same messages."""

    def __init__(self, codec: Codec, random: Random, *, unknown_tags: bool = True) -> None:
        self.shape: MessageShape = read_shape(codec.SHAPE)
        self.random = random
        self.unknown_tags = unknown_tags

    def message(self, version: int) -> Any:
        """One message that ``version`` can carry."""
        return self._struct(self.shape.top, version)

    def _struct(self, shape: StructShape, version: int) -> Any:
        fields: dict[str, Any] = {}
        for each in shape.fields:
            if not holds(each.versions, version):
                continue
            if holds(each.tagged, version) and self.random.random() < 0.5:
                continue
            if self.random.random() < 0.1 and each.default is not UNSET and each.default != ():
                continue
            fields[each.attribute] = self._field(each, version)
        if self.unknown_tags and holds(self.shape.flexible, version):
            known = sum(1 for each in shape.fields if each.tag is not None)
            fields["unknown_tags"] = self._tags(known)
        return shape.make(**fields)

    def _tags(self, above: int) -> tuple[tuple[int, bytes], ...]:
        if self.random.random() < 0.8:
            return ()
        tags = sorted({above + self.random.choice((0, 1, 200, 70_000)) for _ in range(2)})
        return tuple((tag, self.random.randbytes(self.random.choice((0, 3, 130)))) for tag in tags)

    def _field(self, each: FieldShape, version: int) -> Any:
        if holds(each.nullable, version) and self.random.random() < 0.2:
            return None
        if not each.is_array:
            return self._value(each, version)
        count = self.random.choice((0, 1, 1, 2, 3, 5))
        if each.struct is None and self.random.random() < 0.05:
            count = 130
        return [self._value(each, version) for _ in range(count)]

    def _value(self, each: FieldShape, version: int) -> Any:
        random = self.random
        if each.struct is not None:
            return self._struct(each.struct, version)
        if each.element in _RANGES:
            low, high = _RANGES[each.element]
            return random.choice((low, high, random.randint(low, high), 0 if low < 0 else 7))
        if each.element == "bool":
            return random.random() < 0.5
        if each.element == "float64":
            return random.choice((0.0, -1.5, 1e7, 1e-5, random.uniform(-1e9, 1e9)))
        if each.element == "uuid":
            return random.randbytes(16)
        size = random.choice((0, 1, 5, 20, 126, 127, 200)) if random.random() < 0.3 else 6
        if each.element == "string":
            return "".join(random.choice(_LETTERS) for _ in range(size))
        return memoryview(random.randbytes(size))
