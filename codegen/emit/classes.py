"""The classes of a message: plain classes with slots, written out as text.

attrs would make the same classes at import time for 0.3 to 1 ms each; as text they cost a
hundredth of that (docs/decisions/003).
"""

from __future__ import annotations

from codegen.emit.text import Text
from codegen.schema import Field, Message, Struct
from codegen.versions import Versions

_TYPES = {
    "bool": "bool",
    "int8": "int",
    "int16": "int",
    "uint16": "int",
    "int32": "int",
    "uint32": "int",
    "int64": "int",
    "float64": "float",
    "uuid": "bytes",
    "string": "str",
    "bytes": "Buffer",
}


def type_of(each: Field) -> str:
    """The annotation of the field in Python."""
    if each.element == "records":
        return "RecordsValue"
    base = each.struct.name if each.struct is not None else _TYPES[each.element]
    whole = f"Sequence[{base}]" if each.array else base
    return f"{whole} | None" if each.nullable else whole


def default_of(each: Field) -> str:
    """The default as an expression that cannot be changed by accident."""
    if each.has_null_default:
        return "None"
    if each.array:
        return "()"
    if each.struct is not None:
        return "UNSET" if each.nullable else "None"
    if each.element == "uuid":
        return "ZERO_UUID"
    if each.element in ("bytes", "records"):
        return 'b""'
    if isinstance(each.default, str):
        return '"' + each.default.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(each.default)


def _stored(each: Field) -> str:
    """What the constructor keeps: lists and structs are fresh for every message."""
    name = each.attribute
    if each.has_null_default:
        return name
    if each.array:
        return f"[] if {name} == () else {name}"
    if each.struct is not None:
        missing = "UNSET" if each.nullable else "None"
        return f"{each.struct.name}() if {name} is {missing} else {name}"
    return name


def note_of(each: Field, valid: Versions) -> str:
    """The comment above a field: what it is, and since or until when."""
    shown = each.versions & valid
    notes = []
    if shown != valid:
        notes.append(f"v{shown}" if shown.highest != valid.highest else f"v{shown.lowest}+")
    if each.tag is not None:
        notes.append(f"tag {each.tag}")
    about = each.about or f"{each.name}."
    return f"{about} ({', '.join(notes)})" if notes else about


def emit_class(text: Text, struct: Struct, message: Message) -> None:
    """One class: slots and a constructor; the rest comes from ``Message``."""
    text.blank(2)
    with text.block(f"class {struct.name}(Message):"):
        text.docstring(struct.about or f"{struct.name} of {message.name}.")
        text.blank()
        names = [f'"{each.attribute}"' for each in struct.fields]
        if names:
            text.listing("__slots__ = (", [*names, '"unknown_tags"'], ")")
        else:
            text.line('__slots__ = ("unknown_tags",)')
        text.blank()
        with text.block("def __init__("):
            text.line("self,")
            for each in struct.fields:
                text.comment(note_of(each, message.versions))
                annotation = type_of(each)
                if each.struct is not None and not each.array and not each.nullable:
                    annotation += " | None"
                text.line(f"{each.attribute}: {annotation} = {default_of(each)},")
            text.line("unknown_tags: Tags = (),")
        with text.block(") -> None:"):
            for each in struct.fields:
                stored = _stored(each)
                wide = each.array and stored != each.attribute
                annotation = f": {type_of(each)}" if wide else ""
                text.assign(f"self.{each.attribute}{annotation}", stored)
            text.line("self.unknown_tags = unknown_tags")
