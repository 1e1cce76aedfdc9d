"""Encoders: one straight-line function per distinct layout of a message, appending to a list.

The Struct of a fixed-width run also writes the arrays of numbers in it, the first byte of the
length behind it, or the zero that stands for no tagged fields; the rare longer length and the
rare tag replace that byte.
"""

from __future__ import annotations

from attrs import define, evolve, field

from codegen.emit.classes import default_of
from codegen.emit.getters import default_struct
from codegen.emit.local_names import LocalNames, row_name
from codegen.emit.structs import Structs
from codegen.emit.text import Text
from codegen.layout import Layout, Layouts, Slot, State
from codegen.names import snake_case
from codegen.schema import FIXED, Field, Struct
from codegen.versions import NONE


def putter_name(layout: Layout) -> str:
    """The name of the function that writes this layout."""
    return f"_put_{snake_case(layout.struct.name)}_v{layout.first}"


def _is_numbers(slot: Slot) -> bool:
    each = slot.field
    return each.array and each.element in FIXED and each.element != "uuid"


def _is_text(slot: Slot) -> bool:
    return slot.field.element == "string" and not slot.field.array


def _known_to_be_set(slot: Slot) -> Slot:
    """The slot as it is behind a condition under which it differs from a default that is null."""
    if not slot.field.has_null_default or slot.field.is_struct:
        return slot
    return evolve(slot, nullable=False, field=evolve(slot.field, nullable=NONE))


@define
class Putters:
    """Writes the encoders of one message into ``text``."""

    layouts: Layouts
    structs: Structs
    text: Text
    run: list[tuple[str, str]] = field(factory=list)  # (expression, code) not yet written
    counts: list[str] = field(factory=list)  # of the arrays in the run
    names: LocalNames = field(factory=LocalNames)

    def emit(self) -> None:
        """Every encoder, inner structs first; elements of arrays are written where it is."""
        for layout, (one, _) in self.layouts.ways_used().items():
            if layout.of(State.TAGGED):
                self._emit_tags(layout)
            if one:
                self.text.blank(2)
                self.names = LocalNames()
                args = ["out: Parts", f"m: {layout.struct.name}"]
                self.text.listing(f"def {putter_name(layout)}(", args, ") -> None:")
                self.text.depth += 1
                self._body(layout, "m", "out")
                self.text.depth -= 1

    def _body(self, layout: Layout, m: str, out: str) -> None:
        before = len(self.text.lines)
        for slot in layout.of(State.ABSENT):
            if not slot.field.ignorable:
                self._guard(
                    self._parts_set(slot.field, m), f'refuse_field("{slot.field.attribute}")'
                )
        if not layout.flexible:
            self._guard([f"{m}.unknown_tags"], 'refuse_field("unknown_tags")')
        for slot in layout.of(State.PLAIN):
            self._plain(slot, m, out)
        if layout.flexible:
            self.run.append(("", "x"))
        self._flush(out)
        if layout.flexible:
            known = [
                part for slot in layout.of(State.TAGGED) for part in self._parts_set(slot.field, m)
            ]
            tags = f"{self._tags_name(layout)}({m})" if known else "[]"
            self.text.condition([f"{m}.unknown_tags", *known], "or")
            with self.text.indented():
                self.text.listing("put_tags(", [out, tags, f"{m}.unknown_tags"], ")")
        if len(self.text.lines) == before:
            self.text.line("pass")

    def _parts_set(self, each: Field, m: str) -> list[str]:
        """Conditions, joined by ``or``, under which a field of ``m`` differs from its default."""
        value = f"{m}.{each.attribute}"
        if each.has_null_default:
            return [f"{value} is not None"]
        if each.struct is not None and not each.array:
            return [self._struct_is_set(each, each.struct, value)]
        if each.array or each.element in ("bytes", "records"):
            return [f"{value} is None", f"len({value})"] if each.nullable else [value]
        default = default_of(each)
        if each.element == "bool":
            return [f"not {value}" if each.default else value]
        return [f"{value} != {default}"]

    def _struct_is_set(self, each: Field, struct: Struct, value: str) -> str:
        shared = default_struct(struct.name)
        if each.nullable or any(below.struct is not None for below in struct.fields):
            return f"({value} is not {shared} and {value} != {shared})"
        local = self.names.of(each.attribute, f"{struct.name} in {each.name}")
        inner = [part for below in struct.fields for part in self._parts_set(below, local)]
        inner.append(f"{local}.unknown_tags")
        return f"(({local} := {value}) is not {shared} and ({' or '.join(inner)}))"

    def _guard(self, conditions: list[str], then: str) -> None:
        """``if one or other: then``, one condition a line where they are many."""
        self.text.condition(conditions, "or")
        self.text.line(f"    {then}")

    def _flush(self, out: str) -> None:
        """Write what has gathered in ``run``."""
        if not self.run:
            return
        values = [value for value, code in self.run if code != "x"]
        codes = [code for _, code in self.run]
        counts, self.run, self.counts = self.counts, [], []
        if counts:
            pieces: list[str] = []
            for code in codes:
                if code.startswith("*") or not pieces or pieces[-1].startswith("*"):
                    pieces.append(code)
                else:
                    pieces[-1] += code
            table = self.structs.write_arrays(pieces)
            self.text.assign("write", f"{table}[{', '.join(counts)}]")
            self.text.listing(f"{out}.append(write(", values, "))")
        elif codes == ["x"]:
            self.text.line(f'{out}.append(b"\\0")')
        else:
            write = self.structs.write("".join(codes))
            self.text.listing(f"{out}.append({write}(", values, "))")

    def _plain(self, slot: Slot, m: str, out: str) -> None:
        each = slot.field
        value = f"{m}.{each.attribute}"
        if slot.code is not None:
            if each.element == "uuid":
                self._guard([f"len({value}) != 16"], f'refuse_uuid("{each.attribute}")')
            self.run.append((value, slot.code))
            return
        if each.is_struct:
            self._struct(slot, value, out)
            return
        local = self.names.of(each.attribute, f"{m}.{each.name}")
        self._prepare(slot, value, local)
        if _is_numbers(slot) and not slot.nullable:
            count = f"n_{each.attribute}"
            self.run.append((f"{count} + 1" if slot.compact else count, slot.head_code or "i"))
            self.run.append((f"*{local}", f"*{FIXED[each.element][0]}"))
            self.counts.append(count)
            return
        if slot.compact and each.element in ("bytes", "records"):
            self._flush(out)  # they are rarely so short that their length is one byte
        if slot.compact and not self.run:
            longer = "long_text_head(n)" if _is_text(slot) else "long_head(n)"
            self.text.line(f"{out}.append(ONE_BYTE[n] if n < 128 else {longer})")
        else:
            head = "n if n < 128 else 0" if slot.compact else "n"
            self.run.append((head, slot.head_code or "i"))
            self._flush(out)
            if slot.compact:
                lengthen = "lengthen_text" if _is_text(slot) else "lengthen"
                self._guard(["n > 127"], f"{lengthen}({out}, n)")
        self._content(slot, local, out)

    def _struct(self, slot: Slot, value: str, out: str) -> None:
        assert slot.layout is not None
        put = f"{putter_name(slot.layout)}({out}, {value})"
        if not slot.nullable:
            self._flush(out)
            if slot.field.nullable:
                self._guard([f"{value} is None"], f'refuse_null("{slot.field.attribute}")')
            self.text.line(put)
            return
        head = slot.head_code or "b"
        null = "0" if head == "B" else "-1"
        self.run.append((f"{null} if {value} is None else 1", head))
        self._flush(out)
        self._guard([f"{value} is not None"], put)

    def _prepare(self, slot: Slot, value: str, local: str) -> None:
        """The value in a local variable and its length in ``n``, as it goes on the wire."""
        each = slot.field
        more = " + 1" if slot.compact else ""
        null = "0" if slot.compact else "-1"
        if _is_text(slot):
            if slot.nullable:
                self.text.assign(local, f'b"" if {value} is None else {value}.encode()')
                self.text.assign("n", f"{null} if {value} is None else len({local}){more}")
                return
            given = f"not_null({value})" if each.nullable else value
            self.text.line(f"{local} = {given}.encode()")
        else:
            self.text.line(f"{local} = {value}")
            if slot.nullable:
                self.text.assign("n", f"{null} if {local} is None else len({local}){more}")
                return
            if each.nullable or each.element == "records":
                self._guard([f"{local} is None"], f'refuse_null("{each.attribute}")')
            if _is_numbers(slot):
                self.text.line(f"n_{each.attribute} = len({local})")
                return
        self.text.line(f"n = len({local}){more}")

    def _content(self, slot: Slot, local: str, out: str) -> None:
        """What follows the length."""
        each = slot.field
        if _is_text(slot):
            self.text.line(f"{out}.append({local})")
            return
        if slot.nullable:
            self.text.line(f"if {local} is not None:")
            self.text.depth += 1
        if each.struct is not None:
            assert slot.layout is not None
            row = self.names.of(row_name(each.element), f"{each.element} in {local}")
            with self.text.block(f"for {row} in {local}:"):
                self._body(slot.layout, row, out)
        elif _is_numbers(slot):
            table = self.structs.write_arrays([f"*{FIXED[each.element][0]}"])
            self.text.line(f"{out}.append({table}[len({local})](*{local}))")
        elif each.array:
            kind = {"uuid": "uuids", "string": "texts"}.get(each.element, "slices")
            form = "compact_" if slot.compact and kind != "uuids" else ""
            self.text.line(f"put_{form}{kind}({out}, {local})")
        elif each.element == "records":
            self.text.line(f"if type({local}) is bytes:")
            self.text.line(f"    {out}.append({local})")
            self.text.line("else:")
            self.text.line(f"    put_records({out}, {local})")
        else:
            self.text.line(f"{out}.append({local})")
        if slot.nullable:
            self.text.depth -= 1

    def _tags_name(self, layout: Layout) -> str:
        return f"_tags_of_{snake_case(layout.struct.name)}_v{layout.first}"

    def _emit_tags(self, layout: Layout) -> None:
        """The tagged fields that differ from their defaults, encoded."""
        self.names = LocalNames()
        self.text.blank(2)
        args = [f"m: {layout.struct.name}"]
        head = f"def {self._tags_name(layout)}("
        self.text.listing(head, args, ") -> list[tuple[int, bytes]]:")
        with self.text.indented():
            self.text.line("tags: list[tuple[int, bytes]] = []")
            before = "part: Parts = []"
            for slot in layout.of(State.TAGGED):
                self.text.condition(self._parts_set(slot.field, "m"), "or")
                self.text.depth += 1
                first = len(self.text.lines)
                self.text.line(before)
                self._plain(_known_to_be_set(slot), "m", "part")
                self._flush("part")
                if not self._written_as_one_part(slot.field.tag, first):
                    self.text.line(f"tags.append(({slot.field.tag}, joined(part)))")
                    before = "part = []"
                self.text.depth -= 1
            self.text.line("return tags")

    def _written_as_one_part(self, tag: int | None, first: int) -> bool:
        """If the value of a tag, written from line ``first`` on, is one part, write it anew without
        a list of parts; whether it is.
        """
        lines = self.text.lines
        appends = [at for at in range(first, len(lines)) if "part.append(" in lines[at]]
        if len(appends) != 1 or any("(part, " in line for line in lines[first:]):
            return False
        at = appends[0]
        value = "".join(line.strip() if n else line for n, line in enumerate(lines[at:]))
        value = value.strip().removeprefix("part.append(").removesuffix(")")
        del lines[at:]
        del lines[first]
        self.text.listing("tags.append((", [str(tag), value], "))")
        return True
