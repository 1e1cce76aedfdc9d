"""Encoders: one straight-line function per distinct layout, appending parts to a list.

The Struct of a fixed-width run also writes the first byte of the length behind it, or the zero
that stands for no tagged fields; the rare longer length and the rare tag replace that byte.
"""

from __future__ import annotations

from attrs import define, field

from codegen.emit.classes import default_of
from codegen.emit.getters import default_struct
from codegen.emit.structs import Structs
from codegen.emit.text import Text
from codegen.layout import Layout, Layouts, Slot, State
from codegen.names import snake_case
from codegen.schema import FIXED, Field

_TAKEN = frozenset(("m", "n", "out", "messages", "tags", "part", "many"))


def putter_name(layout: Layout, *, many: bool) -> str:
    """The name of the function that writes this layout, once or for every message given."""
    plural = "many_" if many else ""
    return f"_put_{plural}{snake_case(layout.struct.name)}_v{layout.first}"


def is_set(each: Field) -> str:
    """The condition under which a field differs from its default."""
    value = f"m.{each.attribute}"
    if each.has_null_default:
        return f"{value} is not None"
    if each.struct is not None and not each.array:
        shared = default_struct(each.struct.name)
        return f"({value} is not {shared} and {value} != {shared})"
    if each.array or each.element in ("bytes", "records"):
        return f"({value} is None or len({value}))" if each.nullable else value
    default = default_of(each)
    if each.element == "bool":
        return f"not {value}" if each.default else value
    if default in ("0", '""') and not each.nullable:
        return value
    return f"{value} != {default}"


@define
class Putters:
    """Writes the encoders of one message into ``text``."""

    layouts: Layouts
    structs: Structs
    text: Text
    run: list[tuple[str, str]] = field(factory=list)  # (expression, code) not yet written

    def emit(self) -> None:
        """Every encoder, inner structs first."""
        for layout, (one, many) in self.layouts.ways_used().items():
            if layout.of(State.TAGGED):
                self._emit_tags(layout)
            name = layout.struct.name
            if one:
                self.text.blank(2)
                head = f"def {putter_name(layout, many=False)}"
                with self.text.block(f"{head}(out: Parts, m: {name}) -> None:"):
                    self._body(layout)
            if many:
                self.text.blank(2)
                head = f"def {putter_name(layout, many=True)}("
                args = ["out: Parts", f"messages: Sequence[{name}]"]
                self.text.listing(head, args, ") -> None:")
                self.text.depth += 1
                with self.text.block("for m in messages:"):
                    self._body(layout)
                self.text.depth -= 1

    def _body(self, layout: Layout) -> None:
        before = len(self.text.lines)
        for slot in layout.of(State.ABSENT):
            if not slot.field.ignorable:
                with self.text.block(f"if {is_set(slot.field)}:"):
                    self.text.line(f'refuse_field("{slot.field.attribute}")')
        if not layout.flexible:
            with self.text.block("if m.unknown_tags:"):
                self.text.line('refuse_field("unknown_tags")')
        for slot in layout.of(State.PLAIN):
            self._plain(slot, "out")
        if layout.flexible:
            self.run.append(("0", "x"))
        self._flush("out")
        if layout.flexible:
            known = [is_set(slot.field) for slot in layout.of(State.TAGGED)]
            self.text.listing("if (", [" or ".join(["m.unknown_tags", *known])], "):")
            self.text.depth += 1
            if known:
                self.text.line(f"put_tags(out, {self._tags_name(layout)}(m), m.unknown_tags)")
            else:
                self.text.line("put_tags(out, [], m.unknown_tags)")
            self.text.depth -= 1
        if len(self.text.lines) == before:
            self.text.line("pass")

    def _flush(self, out: str) -> None:
        """Write what has gathered in ``run``."""
        if not self.run:
            return
        codes = "".join(code for _, code in self.run)
        values = [value for value, code in self.run if code != "x"]
        self.run = []
        if codes == "x":
            self.text.line(f'{out}.append(b"\\0")')
        else:
            self.text.listing(f"{out}.append({self.structs.write(codes)}(", values, "))")

    def _plain(self, slot: Slot, out: str) -> None:
        each = slot.field
        value = f"m.{each.attribute}"
        if slot.code is not None:
            if each.element == "uuid":
                with self.text.block(f"if len({value}) != 16:"):
                    self.text.line(f'refuse_uuid("{each.attribute}")')
            self.run.append((value, slot.code))
            return
        if each.is_struct:
            self._struct(slot, out)
            return
        local = each.attribute + "_" if each.attribute in _TAKEN else each.attribute
        self._prepare(slot, local)
        if slot.compact and not self.run:
            is_text = each.element == "string" and not each.array
            longer = "long_text_head(n)" if is_text else "long_head(n)"
            self.text.line(f"{out}.append(ONE_BYTE[n] if n < 128 else {longer})")
        else:
            self.run.append(("n if n < 128 else 0" if slot.compact else "n", slot.head_code or "b"))
            self._flush(out)
            if slot.compact:
                is_text = each.element == "string" and not each.array
                with self.text.block("if n > 127:"):
                    self.text.line(f"{'lengthen_text' if is_text else 'lengthen'}({out}, n)")
        self._content(slot, local, out)

    def _struct(self, slot: Slot, out: str) -> None:
        assert slot.layout is not None
        value = f"m.{slot.field.attribute}"
        put = f"{putter_name(slot.layout, many=False)}({out}, {value})"
        if not slot.nullable:
            self._flush(out)
            self.text.line(put)
            return
        self.run.append((f"-1 if {value} is None else 1", "b"))
        self._flush(out)
        with self.text.block(f"if {value} is not None:"):
            self.text.line(put)

    def _prepare(self, slot: Slot, local: str) -> None:
        """The value in a local variable and its length in ``n``, as it goes on the wire."""
        each = slot.field
        value = f"m.{each.attribute}"
        more = " + 1" if slot.compact else ""
        null = "0" if slot.compact else "-1"
        if each.element == "string" and not each.array:
            if slot.nullable:
                self.text.line(f'{local} = b"" if {value} is None else {value}.encode()')
                self.text.line(f"n = {null} if {value} is None else len({local}){more}")
                return
            self.text.line(f"{local} = {self._not_null(each)}.encode()")
        else:
            self.text.line(f"{local} = {value}")
            if slot.nullable:
                self.text.line(f"n = {null} if {local} is None else len({local}){more}")
                return
            if each.nullable or each.element == "records":
                with self.text.block(f"if {local} is None:"):
                    self.text.line(f'refuse_null("{each.attribute}")')
        self.text.line(f"n = len({local}){more}")

    @staticmethod
    def _not_null(each: Field) -> str:
        value = f"m.{each.attribute}"
        return f"not_null({value})" if each.nullable else value

    def _content(self, slot: Slot, local: str, out: str) -> None:
        """What follows the length."""
        each = slot.field
        if each.element == "string" and not each.array:
            self.text.line(f"{out}.append({local})")
            return
        if slot.nullable:
            self.text.line(f"if {local} is not None:")
            self.text.depth += 1
        if each.struct is not None:
            assert slot.layout is not None
            self.text.line(f"{putter_name(slot.layout, many=True)}({out}, {local})")
        elif each.array and each.element in FIXED and each.element != "uuid":
            code = FIXED[each.element][0]
            size = "n - 1" if slot.compact else "n"
            self.text.line(f'{out}.append(many("{code}", {size}).pack(*{local}))')
        elif each.array:
            kind = {"uuid": "uuids", "string": "texts"}.get(each.element, "slices")
            form = "compact_" if slot.compact and kind != "uuids" else ""
            self.text.line(f"put_{form}{kind}({out}, {local})")
        elif each.element == "records":
            self.text.line(f"put_records({out}, {local})")
        else:
            self.text.line(f"{out}.append({local})")
        if slot.nullable:
            self.text.depth -= 1

    def _tags_name(self, layout: Layout) -> str:
        return f"_tags_of_{snake_case(layout.struct.name)}_v{layout.first}"

    def _emit_tags(self, layout: Layout) -> None:
        """The tagged fields that differ from their defaults, encoded."""
        self.text.blank(2)
        head = f"def {self._tags_name(layout)}(m: {layout.struct.name})"
        with self.text.block(f"{head} -> list[tuple[int, bytes]]:"):
            self.text.line("tags: list[tuple[int, bytes]] = []")
            for slot in layout.of(State.TAGGED):
                with self.text.block(f"if {is_set(slot.field)}:"):
                    self.text.line(
                        "part: Parts = []" if slot is layout.of(State.TAGGED)[0] else "part = []"
                    )
                    self._plain(slot, "part")
                    self._flush("part")
                    self.text.line(f"tags.append(({slot.field.tag}, joined(part)))")
            self.text.line("return tags")
