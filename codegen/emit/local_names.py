"""Names of local variables in one generated function: like the field, and never shared."""

from __future__ import annotations

from attrs import define, field

_TAKEN = ("m", "n", "at", "end", "buf", "view", "out", "tags", "tag", "left", "values", "part")


@define
class LocalNames:
    """Gives out names; each owner, a struct's field or a struct, has its own."""

    owners: dict[str, str] = field(factory=lambda: dict.fromkeys(_TAKEN, ""))

    def of(self, name: str, owner: str) -> str:
        """``name``, or with underscores behind it if somebody else has it."""
        while self.owners.setdefault(name, owner) != owner:
            name += "_"
        return name
