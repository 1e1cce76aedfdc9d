"""Decoders: one straight-line function per distinct layout.

Neighbouring fixed-width fields are read by one Struct, which also takes the first byte (or the
whole fixed-width length) of what follows them. There are no try blocks and few bounds checks: a
slice that runs past the end leaves a position past the end, which the next read, or the door of
the module, notices.
"""

from __future__ import annotations

from attrs import define, field

from codegen.emit.classes import default_of
from codegen.emit.structs import Structs
from codegen.emit.text import Text
from codegen.layout import Layout, Layouts, Slot, State
from codegen.names import snake_case
from codegen.schema import FIXED

ONE_BYTE_MAX = 127  # the largest varint of one byte


def getter_name(layout: Layout, *, many: bool) -> str:
    """The name of the function that reads this layout, once or so many times."""
    plural = "many_" if many else ""
    return f"_get_{plural}{snake_case(layout.struct.name)}_v{layout.first}"


def default_struct(name: str) -> str:
    """The module's shared instance of a struct's defaults: never edited, only compared."""
    return f"_NO_{snake_case(name).upper()}"


@define
class Getters:
    """Writes the decoders of one message into ``text``."""

    layouts: Layouts
    structs: Structs
    text: Text
    run: list[tuple[str, str]] = field(factory=list)  # (target, code) not yet read

    def emit(self) -> None:
        """Every decoder, inner structs first."""
        for layout, (one, many) in self.layouts.ways_used().items():
            if layout.of(State.TAGGED):
                self._emit_tags(layout)
            if one:
                self._emit_one(layout)
            if many:
                self._emit_many(layout)

    def _emit_one(self, layout: Layout) -> None:
        self.text.blank(2)
        name = layout.struct.name
        view = ", view: memoryview" if self.layouts.has_view(layout) else ""
        head = f"(buf: bytes{view}, at: int) -> tuple[{name}, int]:"
        with self.text.block(f"def {getter_name(layout, many=False)}{head}"):
            self._body(layout)
            self.text.line("return m, at")

    def _emit_many(self, layout: Layout) -> None:
        self.text.blank(2)
        name = layout.struct.name
        view = ", view: memoryview" if self.layouts.has_view(layout) else ""
        function = getter_name(layout, many=True)
        args = ["buf: bytes" + view, "at: int", "count: int"]
        self.text.listing(f"def {function}(", args, f") -> tuple[list[{name}], int]:")
        self.text.depth += 1
        self.text.line(f"found: list[{name}] = []")
        if layout.is_fixed and layout.codes:
            self._fast_rows(layout)
        with self.text.block("for _ in range(count):"):
            self._body(layout)
            self.text.line("found.append(m)")
        self.text.line("return found, at")
        self.text.depth -= 1

    def _fast_rows(self, layout: Layout) -> None:
        """Rows of one size whose tag bytes are all zero are read by one iterator."""
        size = layout.least_bytes
        self.text.line(f"end = at + {size} * count")
        test = "count > 2"
        codes = layout.codes
        if layout.flexible:
            test += f" and buf[at + {size - 1} : end : {size}] == bytes(count)"
            codes += "x"
        with self.text.block(f"if {test}:"):
            with self.text.block(f"for row in {self.structs.rows(codes)}(buf[at:end]):"):
                self.text.line(f"m = new({layout.struct.name})")
                targets = [f"m.{slot.field.attribute}" for slot in layout.of(State.PLAIN)]
                tail = ",) = row" if len(targets) == 1 else ") = row"
                self.text.listing("(", targets, tail)
                self._defaults(layout)
                self.text.line("found.append(m)")
            self.text.line("return found, end")

    def _body(self, layout: Layout) -> None:
        self.text.line(f"m = new({layout.struct.name})")
        for slot in layout.of(State.PLAIN):
            self._plain(slot)
        if layout.flexible:
            self.run.append(("tags", "B"))
        self._flush()
        self._defaults(layout)
        if not layout.flexible:
            return
        with self.text.block("if tags:"):
            if layout.of(State.TAGGED):
                view = "view, " if self.layouts.has_view(layout) else ""
                self.text.line(f"at = {self._tags_name(layout)}(m, buf, {view}at - 1)")
            else:
                self.text.line("m.unknown_tags, at = get_tags(buf, at - 1)")

    def _defaults(self, layout: Layout) -> None:
        for slot in layout.slots:
            if slot.state is State.PLAIN:
                continue
            each = slot.field
            value = default_of(each)
            if value == "()":
                value = "[]"
            elif each.struct is not None and not each.has_null_default:
                value = default_struct(each.struct.name)
            self.text.line(f"m.{each.attribute} = {value}")
        self.text.line("m.unknown_tags = ()")

    def _flush(self) -> None:
        """Read what has gathered in ``run``."""
        if not self.run:
            return
        codes = "".join(code for _, code in self.run)
        targets = [target for target, _ in self.run]
        self.run = []
        if codes == "B":
            self.text.line(f"{targets[0]} = buf[at]")
        else:
            read = self.structs.read(codes)
            if len(targets) == 1:
                self.text.line(f"({targets[0]},) = {read}(buf, at)")
            else:
                self.text.listing("(", targets, f") = {read}(buf, at)")
        self.text.line(f"at += {self.structs.size(codes)}")

    def _plain(self, slot: Slot) -> None:
        target = f"m.{slot.field.attribute}"
        if slot.code is not None:
            self.run.append((target, slot.code))
            return
        head = slot.head_code
        if head is None:
            self._flush()
            self._value(slot, target)
            return
        self.run.append(("n", head))
        self._flush()
        if slot.nullable:
            with self.text.block("if n == 0:" if slot.compact and head == "B" else "if n < 0:"):
                self.text.line(f"{target} = None")
            with self.text.block("else:"):
                self._long(slot, may_be_zero=False)
                self._value(slot, target)
        else:
            self._long(slot, may_be_zero=True)
            self._value(slot, target)

    def _long(self, slot: Slot, *, may_be_zero: bool) -> None:
        """What the head does not settle: varints of several bytes, counts, negative lengths."""
        head = slot.head_code
        if head == "b":
            return
        each = slot.field
        if head == "B":
            test = "not 0 < n < 128" if may_be_zero else f"n > {ONE_BYTE_MAX}"
            if each.array:
                call = f"long_count(buf, at, {slot.least_element_bytes})"
            else:
                call = f"{'long_text' if each.element == 'string' else 'long_size'}(buf, at)"
            with self.text.block(f"if {test}:"):
                self.text.line(f"n, at = {call}")
            return
        if each.array:
            test = "not 0 <= n < 128" if may_be_zero else f"n > {ONE_BYTE_MAX}"
            with self.text.block(f"if {test}:"):
                self.text.line(f"check_count(buf, at, n, {slot.least_element_bytes})")
        elif may_be_zero:
            with self.text.block("if n < 0:"):
                self.text.line("refuse_null()")

    def _value(self, slot: Slot, target: str) -> None:
        """The value itself; ``n`` is its size or count, one more where lengths are varints."""
        each = slot.field
        count = "n - 1" if slot.head_code == "B" else "n"
        if each.struct is not None:
            assert slot.layout is not None
            view = "view, " if self.layouts.has_view(slot.layout) else ""
            name = getter_name(slot.layout, many=each.array)
            tail = f", {count}" if each.array else ""
            self.text.line(f"{target}, at = {name}(buf, {view}at{tail})")
            return
        if not each.array:
            self.text.line(f"end = at + {count}")
            if each.element == "string":
                self.text.line(f"{target} = buf[at:end].decode()")
            else:
                self.text.line(f"{target} = view[at:end]")
            self.text.line("at = end")
            return
        if each.element in FIXED and each.element != "uuid":
            code, size = FIXED[each.element]
            self.text.line(f'{target} = [*many("{code}", {count}).unpack_from(buf, at)]')
            step = f"{size} * n - {size}" if count == "n - 1" else f"{size} * n"
            self.text.line(f"at += {step}" if size > 1 else f"at += {count}")
        elif each.element == "uuid":
            self.text.line(f"{target}, at = get_uuids(buf, at, {count})")
        else:
            kind = "texts" if each.element == "string" else "slices"
            form = "compact_" if slot.compact else ""
            source = "buf" if kind == "texts" else "buf, view"
            self.text.line(f"{target}, at = get_{form}{kind}({source}, at, {count})")

    def _tags_name(self, layout: Layout) -> str:
        return f"_get_tags_{snake_case(layout.struct.name)}_v{layout.first}"

    def _emit_tags(self, layout: Layout) -> None:
        """The tagged fields that this layout knows; any other is kept as it came."""
        self.text.blank(2)
        view = ", view: memoryview" if self.layouts.has_view(layout) else ""
        args = [f"m: {layout.struct.name}", "buf: bytes" + view, "at: int"]
        self.text.listing(f"def {self._tags_name(layout)}(", args, ") -> int:")
        self.text.depth += 1
        self.text.line("left, at = get_tag_count(buf, at)")
        self.text.line("tag = -1")
        self.text.line("unknown: list[tuple[int, bytes]] = []")
        with self.text.block("while left:"):
            self.text.line("left -= 1")
            self.text.line("tag, tag_end, at = get_tag_head(buf, at, tag)")
            word = "if"
            for slot in layout.of(State.TAGGED):
                with self.text.block(f"{word} tag == {slot.field.tag}:"):
                    self._plain(slot)
                    self._flush()
                word = "elif"
            with self.text.block("else:"):
                self.text.line("unknown.append((tag, buf[at:tag_end]))")
                self.text.line("at = tag_end")
            with self.text.block("if at != tag_end:"):
                self.text.line("refuse_size()")
        self.text.line("m.unknown_tags = tuple(unknown)")
        self.text.line("return at")
        self.text.depth -= 1
