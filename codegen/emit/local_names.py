"""Names of local variables in one generated function: like the field, and never shared."""

from __future__ import annotations

from attrs import define, field

from codegen.names import snake_case

_TAKEN = (
    "m",
    "n",
    "at",
    "end",
    "buf",
    "view",
    "out",
    "tags",
    "tag",
    "left",
    "values",
    "part",
    "write",
)


_LONGEST_ROW = 22


@define
class LocalNames:
    """Gives out names; each owner, a struct's field or a struct, has its own."""

    owners: dict[str, str] = field(factory=lambda: dict.fromkeys(_TAKEN, ""))

    typed: set[str] = field(factory=set)

    def is_first(self, name: str) -> bool:
        """Whether nobody asked this before: a name is given its type once."""
        first = name not in self.typed
        self.typed.add(name)
        return first

    def of(self, name: str, owner: str) -> str:
        """``name``, or with underscores behind it if another has it."""
        while self.owners.setdefault(name, owner) != owner:
            name += "_"
        return name


def row_name(struct: str) -> str:
    """What one element of an array is called: its struct's name, or the end of a long one."""
    name = snake_case(struct)
    while len(name) > _LONGEST_ROW and "_" in name:
        name = name.partition("_")[2]
    return name
