"""Reading the JSON of a file that somebody carried here: each field by name and kind.

Every refusal is an OperatorError that names the file and the place in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeVar

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid, parse_uuid

T = TypeVar("T")
_INT64 = 1 << 63
_INT32 = 1 << 31
_MAX_TEXT_CHARS = 10_000
_MAX_ITEMS = 1_000_000


@frozen
class Fields:
    """One JSON object, and ``place``: its file and where it stands in it."""

    content: dict[str, Any]
    place: str

    @classmethod
    def of(cls, content: Any, place: str) -> Fields:
        """The fields of what should be an object."""
        if not isinstance(content, dict):
            raise OperatorError(f"{place}: it is no JSON object")
        return cls(content, place)

    @classmethod
    def parsed(cls, text: str, place: str, kind: str, version: int) -> Fields:
        """The fields of a whole file, which names its ``kind`` and version."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise OperatorError(f"{place}: it is no JSON ({error})") from None
        fields = cls.of(content, place)
        found = fields.content.get("kind")
        if found != kind:
            raise OperatorError(f"{place}: it is no {kind}; its kind is {str(found)[:100]!r}")
        if (written := fields.integer("version", least=1)) != version:
            raise OperatorError(f"{place}: version {written}, known is {version}")
        return fields

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.content.get(name) is not None

    def integer(self, name: str, *, least: int = 0, most: int = _INT64 - 1) -> int:
        """A whole number within bounds."""
        value = self.content.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.refuse(name, f"a whole number from {least} to {most}")
        return value

    def id(self, name: str) -> int:
        """A node id or an epoch: 32 bits."""
        return self.integer(name, most=_INT32 - 1)

    def text(self, name: str) -> str:
        """A text of a bounded length."""
        value = self.content.get(name)
        if not isinstance(value, str) or len(value) > _MAX_TEXT_CHARS:
            self.refuse(name, f"a text of at most {_MAX_TEXT_CHARS} characters")
        return value

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self.content.get(name)
        if not isinstance(value, bool):
            self.refuse(name, "true or false")
        return value

    def uuid(self, name: str) -> Uuid:
        """A directory id in Kafka's text."""
        try:
            return parse_uuid(self.text(name))
        except ValueError:
            self.refuse(name, "a uuid of 22 characters")

    def child(self, name: str) -> Fields:
        """The object in a field."""
        return Fields.of(self.content.get(name), f"{self.place}, {name}")

    def children(self, name: str) -> Iterator[Fields]:
        """The objects in a list."""
        for at, item in enumerate(self.items(name)):
            yield Fields.of(item, f"{self.place}, {name}[{at}]")

    def ids(self, name: str) -> tuple[int, ...]:
        """A list of node ids."""
        rows = self.items(name)
        return tuple(Fields({"id": one}, f"{self.place}, {name}").id("id") for one in rows)

    def maybe(self, name: str, read: Callable[[str], T]) -> T | None:
        """What ``read`` makes of the field; None where it is null."""
        return read(name) if self.has(name) else None

    def refuse(self, name: str, wanted: str) -> NoReturn:
        """OperatorError: the field is not what it should be."""
        shown = repr(self.content.get(name))[:100]
        raise OperatorError(f"{self.place}: {name} is {shown}, and should be {wanted}")

    def items(self, name: str) -> list[Any]:
        """What is in a list of a bounded length."""
        value = self.content.get(name)
        if not isinstance(value, list) or len(value) > _MAX_ITEMS:
            self.refuse(name, f"a list of at most {_MAX_ITEMS} items")
        return value
