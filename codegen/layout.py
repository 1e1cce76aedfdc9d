"""(struct, version) -> Layout: what stands on the wire, in which order and in which form.

Two versions whose layouts are equal share one getter and one putter. A layout says of every
field whether it is absent, plain or tagged in that version, whether it may be null, and whether
its length is a varint (compact); nested structs are part of it.
"""

from __future__ import annotations

from enum import Enum

from attrs import define, field, frozen

from codegen.schema import FIXED, Field, Message, Struct

HEAD_BYTES = {"string": 2, "bytes": 4, "records": 4}


class State(Enum):
    """Where a field is in one version."""

    ABSENT = "absent"
    PLAIN = "plain"
    TAGGED = "tagged"


@frozen
class Slot:
    """One field in one layout."""

    field: Field
    state: State
    nullable: bool = False
    compact: bool = False
    layout: Layout | None = None  # of the struct behind the field

    @property
    def code(self) -> str | None:
        """The struct code of a single fixed-width value, else None."""
        if self.field.array or self.field.struct is not None:
            return None
        return FIXED[self.field.element][0] if self.field.element in FIXED else None

    @property
    def head_code(self) -> str | None:
        """The code of what stands before a value of variable size; None where nothing does."""
        if self.field.is_struct:
            if not self.nullable:
                return None
            return "B" if self.state is State.TAGGED else "b"  # null is 0 in a tag, else -1
        if self.compact:
            return "B"
        return "h" if self.field.element == "string" and not self.field.array else "i"

    @property
    def least_bytes(self) -> int:
        """The fewest bytes that this field takes on the wire, tags aside."""
        if self.state is not State.PLAIN:
            return 0
        if self.code is not None:
            return FIXED[self.field.element][1]
        if self.field.is_struct and not self.nullable:
            assert self.layout is not None
            return self.layout.least_bytes
        return {"b": 1, "B": 1, "h": 2, "i": 4}[self.head_code or "b"]

    @property
    def least_element_bytes(self) -> int:
        """The fewest bytes of one element of this array."""
        if self.layout is not None:
            return self.layout.least_bytes
        if self.field.element in FIXED:
            return FIXED[self.field.element][1]
        return 1 if self.compact else HEAD_BYTES[self.field.element]


@frozen
class Layout:
    """The wire form of one struct in one or more versions; ``first`` is the lowest of them."""

    struct: Struct = field(eq=lambda struct: struct.name)
    slots: tuple[Slot, ...]
    flexible: bool
    first: int = field(eq=False)

    def of(self, state: State) -> list[Slot]:
        """The slots in one state, tagged ones in the order of their tags."""
        found = [slot for slot in self.slots if slot.state is state]
        if state is State.TAGGED:
            found.sort(key=lambda slot: slot.field.tag or 0)
        return found

    @property
    def is_fixed(self) -> bool:
        """Whether, tags aside, every value of this layout has the same size."""
        return all(slot.code is not None for slot in self.of(State.PLAIN))

    @property
    def codes(self) -> str:
        """The struct codes of a fixed layout."""
        return "".join(slot.code or "" for slot in self.of(State.PLAIN))

    @property
    def least_bytes(self) -> int:
        """The fewest bytes that such a struct takes on the wire."""
        return sum(slot.least_bytes for slot in self.slots) + (1 if self.flexible else 0)

    @property
    def has_slices(self) -> bool:
        """Whether a value may hold a memoryview of the buffer."""
        for slot in self.slots:
            if slot.state is State.ABSENT:
                continue
            if slot.field.element in ("bytes", "records"):
                return True
            if slot.layout is not None and slot.layout.has_slices:
                return True
        return False


@define
class Layouts:
    """All distinct layouts of one message, inner structs first."""

    message: Message
    distinct: dict[Layout, Layout] = field(factory=dict)
    top: dict[int, Layout] = field(factory=dict)  # by version

    @classmethod
    def of(cls, message: Message) -> Layouts:
        """The layouts of every valid version."""
        layouts = cls(message)
        for version in message.versions:
            layouts.top[version] = layouts._layout(message.top, version)
        return layouts

    def _layout(self, struct: Struct, version: int) -> Layout:
        slots = tuple(self._slot(each, version) for each in struct.fields)
        made = Layout(struct, slots, version in self.message.flexible, version)
        return self.distinct.setdefault(made, made)

    def _slot(self, each: Field, version: int) -> Slot:
        if version not in each.versions:
            return Slot(each, State.ABSENT)
        flexible = self.message.flexible if each.flexible is None else each.flexible
        return Slot(
            field=each,
            state=State.TAGGED if version in each.tagged else State.PLAIN,
            nullable=version in each.nullable,
            compact=version in flexible,
            layout=self._layout(each.struct, version) if each.struct is not None else None,
        )

    def has_view(self, layout: Layout) -> bool:
        """Whether the getter takes a memoryview too; of the message all do or none does."""
        if layout.struct is self.message.top:
            return any(each.has_slices for each in self.top.values())
        return layout.has_slices

    def ways_used(self) -> dict[Layout, tuple[bool, bool]]:
        """For every layout whether it is used singly, and whether as an array's element."""
        ways = dict.fromkeys(self.distinct, (False, False))
        for layout in self.top.values():
            ways[layout] = (True, ways[layout][1])
        for layout in self.distinct:
            for slot in layout.slots:
                if slot.layout is not None:
                    one, many = ways[slot.layout]
                    ways[slot.layout] = (one or not slot.field.array, many or slot.field.array)
        return ways
