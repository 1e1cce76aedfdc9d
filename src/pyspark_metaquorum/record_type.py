"""What the columns of one record type are made of: a tree of named fields."""

from __future__ import annotations

from attrs import frozen


@frozen
class Part:
    """One field: ``element`` is the type in the schema's words, or ``struct`` with ``parts``."""

    name: str
    element: str
    many: bool = False
    parts: tuple[Part, ...] = ()


@frozen
class RecordType:
    """A record type: its number, its name in the schemas, and the module of its codec."""

    number: int
    name: str
    module: str
    parts: tuple[Part, ...]

    @property
    def column(self) -> str:
        """The column that holds the fields: the name in snake case, as the module has it."""
        return self.module.rpartition(".")[2]
