"""One thing that the weather does at one moment, as a value with a text form."""

from __future__ import annotations

from attrs import frozen

from metaquorum.base.clock import Millis


@frozen
class Happening:
    """One thing that the weather does at one moment; all arguments are whole numbers."""

    at_ms: Millis
    kind: str
    args: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, at_ms: Millis, kind: str, **args: int) -> Happening:
        """A happening with its arguments by name."""
        return cls(at_ms, kind, tuple(args.items()))

    def get(self, name: str, default: int = 0) -> int:
        """One argument."""
        for known, value in self.args:
            if known == name:
                return value
        return default

    @property
    def line(self) -> str:
        """The happening as a line of a file."""
        tail = "".join(f" {name}={value}" for name, value in self.args)
        return f"at {self.at_ms} {self.kind}{tail}"
