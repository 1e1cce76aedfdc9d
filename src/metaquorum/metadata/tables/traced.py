"""A small mapping that remembers for each key which record set it."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import TypeVar, overload

from metaquorum.metadata.origin import NO_ORIGIN, Origin

V = TypeVar("V")
T = TypeVar("T")


class Traced(Mapping[str, V]):
    """Text to value, never edited; equal to any mapping with the same values, whatever the origin.

    Each change copies, so that a view of the past keeps what it had. One resource has few keys.
    """

    __slots__ = ("_origins", "_values")

    def __init__(
        self, values: dict[str, V] | None = None, origins: dict[str, Origin] | None = None
    ) -> None:
        self._values = values or {}
        self._origins = origins or {}

    def __getitem__(self, key: str) -> V:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    # What the dictionary does itself is many times quicker than what Mapping makes of the above.

    def __contains__(self, key: object) -> bool:
        return key in self._values

    @overload
    def get(self, key: str, /) -> V | None: ...

    @overload
    def get(self, key: str, default: V | T, /) -> V | T: ...

    def get(self, key: str, default: V | T | None = None, /) -> V | T | None:
        return self._values.get(key, default)

    def items(self) -> ItemsView[str, V]:
        return self._values.items()

    def values(self) -> ValuesView[V]:
        return self._values.values()

    def __repr__(self) -> str:
        return f"Traced({self._values!r})"

    def origin(self, key: str) -> Origin:
        """The record that set ``key``; NO_ORIGIN when nothing is known of it."""
        return self._origins.get(key, NO_ORIGIN)

    def changed(self, key: str, value: V, origin: Origin) -> Traced[V]:
        """This mapping after a record set ``key``."""
        return Traced({**self._values, key: value}, {**self._origins, key: origin})

    def without(self, key: str) -> Traced[V]:
        """This mapping after ``key`` was taken away; it need not have been there."""
        if key not in self._values:
            return self
        return Traced(
            {other: value for other, value in self._values.items() if other != key},
            {other: origin for other, origin in self._origins.items() if other != key},
        )
