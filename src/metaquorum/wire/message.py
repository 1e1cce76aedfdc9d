"""What all generated messages share: equality by value, a readable form, a changed copy.

A message is built once and read from then on; nobody edits one that was handed over. Absent
tagged structs of a decoded message are shared between messages for that reason.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeVar

M = TypeVar("M", bound="Message")

new: Final = object.__new__  # decoders fill every slot themselves

UNSET: Final[Any] = object()  # the default of a nullable struct whose default is not null


AnyMessage: TypeAlias = Any
"""A message whose class is known by its API key alone, so only when the node runs.

A type checker knows no field of ``Message``. Code that reads fields of whatever was decoded says
so by this name; code that only passes a message on says ``Message``.
"""


class Message:
    """Base of every generated message and struct; ``__slots__`` lists the fields in order."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # equal by value, and not frozen

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{self.__class__.__name__}({fields})"


def evolve(message: M, **changes: object) -> M:
    """A copy of ``message`` with some fields changed; TypeError for a field it does not have."""
    values = {name: getattr(message, name) for name in message.__slots__}
    unknown = changes.keys() - values.keys()
    if unknown:
        raise TypeError(f"{type(message).__name__} has no field {', '.join(sorted(unknown))}")
    return type(message)(**(values | changes))
