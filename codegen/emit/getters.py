"""Decoders: one straight-line function per distinct layout of a message.

Arrays of structs are loops inside it; only structs that stand alone have functions of their own.

Neighbouring fixed-width fields are read by one Struct, which also takes the first byte (or the
whole fixed-width length) of what follows them. There are no try blocks and few bounds checks: a
slice that runs past the end leaves a position past the end, which the next read notices: in
flexible messages the tags at the very end, in others a last check.
"""

from __future__ import annotations

from attrs import define, field, frozen

from codegen.emit.classes import default_of
from codegen.emit.local_names import LocalNames, row_name
from codegen.emit.structs import Structs
from codegen.emit.text import Text
from codegen.layout import Layout, Layouts, Slot, State
from codegen.names import snake_case
from codegen.schema import FIXED

ONE_BYTE_MAX = 127  # the largest varint of one byte


def getter_name(layout: Layout) -> str:
    """The name of the function that reads this layout."""
    return f"_get_{snake_case(layout.struct.name)}_v{layout.first}"


def default_struct(name: str) -> str:
    """The module's shared instance of a struct's defaults: never edited, only compared."""
    return f"_NO_{snake_case(name).upper()}"


@frozen
class _Array:
    """An array of numbers whose elements are read together with what follows them."""

    target: str
    code: str
    length: str  # the variable that holds the length on the wire
    more: int


@define
class Getters:
    """Writes the decoders of one message into ``text``."""

    layouts: Layouts
    structs: Structs
    text: Text
    run: list[tuple[str, str]] = field(factory=list)  # (target, code) not yet read
    array: _Array | None = None  # to be read before the run
    names: LocalNames = field(factory=LocalNames)

    def emit(self) -> None:
        """Every decoder, inner structs first; elements of arrays are read where the array is."""
        for layout, (one, _) in self.layouts.ways_used().items():
            if layout.of(State.TAGGED):
                self._emit_tags(layout)
            if one:
                self._emit_one(layout)

    def _emit_one(self, layout: Layout) -> None:
        self.text.blank(2)
        self.names = LocalNames()
        name = layout.struct.name
        view = ", view: memoryview" if self.layouts.has_view(layout) else ""
        args = ["buf: bytes" + view, "at: int"]
        self.text.listing(f"def {getter_name(layout)}(", args, f") -> tuple[{name}, int]:")
        with self.text.indented():
            self.text.line(f"m = new({name})")
            self._body(layout, "m")
            if not layout.flexible and layout.struct is self.layouts.message.top:
                with self.text.block("if at > len(buf):  # a slice at the end was short"):
                    self.text.line("raise IndexError")
            self.text.line("return m, at")

    def _rows(self, slot: Slot, target: str, count: str) -> None:
        """An array of structs: its elements one after the other."""
        layout = slot.layout
        assert layout is not None
        each = slot.field
        owner = f"{layout.struct.name} in {each.name}"
        rows = self.names.of(each.attribute, f"{owner}, all")
        row = self.names.of(row_name(each.element), owner)
        left = self.names.of(f"left_{each.attribute}", owner)
        typed = f": list[{each.element}]" if self.names.is_first(rows) else ""
        self.text.line(f"{rows}{typed} = []")
        self.text.line(f"{target} = {rows}")
        self.text.line(f"{left} = {count}")
        if layout.is_fixed and layout.codes:
            self._fast_rows(layout, rows, row, left)
        with self.text.block(f"while {left}:"):
            self.text.line(f"{left} -= 1")
            self.text.line(f"{row} = new({each.element})")
            self.text.line(f"{rows}.append({row})")
            self._body(layout, row)

    def _fast_rows(self, layout: Layout, rows: str, row: str, left: str) -> None:
        """Rows of one size whose tag bytes are all zero are read by one iterator."""
        size = layout.least_bytes
        tests = [f"{left} > 4"]
        codes = layout.codes
        if layout.flexible:
            tag_bytes = f"buf[at + {size - 1} : at + {size} * {left} : {size}]"
            tests.append(f"{tag_bytes} == bytes({left})")
            codes += "x"
        self.text.condition(tests, "and")
        self.text.depth += 1
        self.text.line(f"end = at + {size} * {left}")
        blanks = ["new", f"repeat({layout.struct.name}, {left})"]
        self.text.listing(f"{rows} += map(", blanks, ")")
        self.text.line(f"{left} = 0")
        targets = [f"{row}.{slot.field.attribute}" for slot in layout.of(State.PLAIN)]
        read = self.structs.rows(codes)
        self.text.listing(f"for {row}, values in zip(", [rows, f"{read}(buf[at:end])"], "):")
        self.text.depth += 1
        self.text.listing("(", targets, ",) = values" if len(targets) == 1 else ") = values")
        self._defaults(layout, row)
        self.text.depth -= 1
        self.text.line("at = end")
        self.text.depth -= 1

    def _body(self, layout: Layout, m: str) -> None:
        for slot in layout.of(State.PLAIN):
            self._plain(slot, m)
        if layout.flexible:
            self.run.append(("tags", "B"))
        self._flush()
        self._defaults(layout, m)
        if not layout.flexible:
            return
        with self.text.block("if tags:"):
            if layout.of(State.TAGGED):
                view = "view, " if self.layouts.has_view(layout) else ""
                self.text.line(f"at = {self._tags_name(layout)}({m}, buf, {view}at - 1)")
            else:
                self.text.assign(f"{m}.unknown_tags, at", "get_tags(buf, at - 1)")

    def _defaults(self, layout: Layout, m: str) -> None:
        for slot in layout.slots:
            if slot.state is State.PLAIN:
                continue
            each = slot.field
            value = default_of(each)
            if value == "()":
                value = "[]"
            elif each.struct is not None and not each.has_null_default:
                value = default_struct(each.struct.name)
            self.text.line(f"{m}.{each.attribute} = {value}")
        self.text.line(f"{m}.unknown_tags = ()")

    def _flush(self) -> None:
        """Read what has gathered in ``array`` and ``run``."""
        codes = "".join(code for _, code in self.run)
        targets = [target for target, _ in self.run]
        array, self.array, self.run = self.array, None, []
        if array is not None:
            read = f"{self.structs.read_array(array.code, codes, array.more)}[{array.length}]"
            size = self.structs.size(array.code)
            rest = self.structs.size(codes) - size * array.more
            if targets:
                targets.insert(0, f"*{array.target}")
                self.text.listing("(", targets, f") = {read}(buf, at)")
            else:
                self.text.assign(array.target, f"[*{read}(buf, at)]")
            step = f"{size} * {array.length}" if size > 1 else array.length
            sign = "-" if rest < 0 else "+"
            self.text.line(f"at += {step} {sign} {abs(rest)}" if rest else f"at += {step}")
        elif codes:
            if codes == "B":
                self.text.line(f"{targets[0]} = buf[at]")
            elif len(targets) == 1:
                self.text.line(f"({targets[0]},) = {self.structs.read(codes)}(buf, at)")
            else:
                self.text.listing("(", targets, f") = {self.structs.read(codes)}(buf, at)")
            self.text.line(f"at += {self.structs.size(codes)}")

    def _plain(self, slot: Slot, m: str) -> None:
        target = f"{m}.{slot.field.attribute}"
        if slot.code is not None:
            self.run.append((target, slot.code))
            return
        head = slot.head_code
        if head is None:
            self._flush()
            self._value(slot, target)
            return
        is_numbers = slot.field.array and slot.field.element in FIXED
        length = f"n_{slot.field.attribute}" if is_numbers else "n"
        self.run.append((length, head))
        self._flush()
        if slot.nullable:
            is_null = f"{length} == 0" if head == "B" else f"{length} < 0"
            with self.text.block(f"if {is_null}:"):
                self.text.line(f"{target} = None")
            with self.text.block("else:"):
                self._long(slot, length, may_be_zero=False)
                self._value(slot, target)
                self._flush()
            return
        self._long(slot, length, may_be_zero=not (is_numbers and head == "B"))
        self._value(slot, target)

    def _long(self, slot: Slot, length: str, *, may_be_zero: bool) -> None:
        """What the head does not settle: varints of several bytes, counts, negative lengths."""
        head = slot.head_code
        if head == "b":
            return
        each = slot.field
        if each.is_struct:
            with self.text.block(f"if {length} > {ONE_BYTE_MAX}:"):
                self.text.line(f"{length}, at = get_uvarint(buf, at - 1)")
            return
        if head == "B":
            test = f"{length} > {ONE_BYTE_MAX}"
            test = f"{length} == 0 or {test}" if may_be_zero else test
            if each.array:
                call = f"long_count(buf, at, {slot.least_element_bytes})"
            else:
                call = f"{'long_text' if each.element == 'string' else 'long_size'}(buf, at)"
            with self.text.block(f"if {test}:"):
                if each.element in ("bytes", "records") and not each.array:
                    self._two_byte_size(call, may_be_zero)
                else:
                    self.text.line(f"{length}, at = {call}")
            return
        if each.array:
            test = f"not 0 <= {length} < 128" if may_be_zero else f"{length} > {ONE_BYTE_MAX}"
            with self.text.block(f"if {test}:"):
                self.text.line(f"check_count(buf, at, {length}, {slot.least_element_bytes})")
        elif may_be_zero:
            with self.text.block(f"if {length} < 0:"):
                self.text.line("refuse_null()")

    def _two_byte_size(self, call: str, may_be_zero: bool) -> None:
        """Sizes of bytes are rarely below 127, mostly below 16 KiB: worth a line of their own."""
        test = "n and 0 < buf[at] < 128" if may_be_zero else "0 < buf[at] < 128"
        with self.text.block(f"if {test}:"):
            self.text.line("n += (buf[at] << 7) - 128")
            self.text.line("at += 1")
        with self.text.block("else:"):
            self.text.line(f"n, at = {call}")

    def _value(self, slot: Slot, target: str) -> None:
        """The value itself; ``n`` is its size or count, one more where lengths are varints."""
        each = slot.field
        more = 1 if slot.head_code == "B" else 0
        count = "n - 1" if more else "n"
        if each.is_struct:
            assert slot.layout is not None
            view = "view, " if self.layouts.has_view(slot.layout) else ""
            self.text.line(f"{target}, at = {getter_name(slot.layout)}(buf, {view}at)")
        elif each.struct is not None:
            self._rows(slot, target, count)
        elif not each.array:
            self.text.line(f"end = at + {count}")
            if each.element == "string":
                self.text.line(f"{target} = buf[at:end].decode()")
            else:
                self.text.line(f"{target} = view[at:end]")
            self.text.line("at = end")
        elif each.element in FIXED:
            code = FIXED[each.element][0]
            self.array = _Array(target, code, f"n_{each.attribute}", more)
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
        self.names = LocalNames()
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
                    self._plain(slot, "m")
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
