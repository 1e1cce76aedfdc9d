"""The table at the end of every module: the message as data.

The JSON form and the search for the place of an error walk it; the codecs never look at it.
"""

from __future__ import annotations

from codegen.emit.classes import default_of
from codegen.emit.text import Text
from codegen.names import camel_case, snake_case
from codegen.schema import Field, Message, Struct
from codegen.versions import Versions


def shape_name(struct: Struct) -> str:
    """The constant that holds the table of one struct."""
    return f"_{snake_case(struct.name).upper()}_SHAPE"


def emit_shapes(text: Text, message: Message) -> None:
    """One table for each struct, then ``SHAPE`` for the message."""
    text.blank()
    text.comment(
        "name, attribute, type, versions, nullable, tag, tagged, default, ignorable, "
        "flexible, struct"
    )
    for struct in message.all_structs():
        with text.block(f"{shape_name(struct)}: Shape = ("):
            text.line(f"{struct.name},")
            with text.block("("):
                for each in struct.fields:
                    text.listing("(", _row(each, message), "),")
            text.line("),")
        text.line(")")
    valid = _range(message.versions, message.versions)
    flexible = _range(message.flexible, message.versions)
    text.line(f"SHAPE: Shape = ({shape_name(message.top)}, {valid}, {flexible})")


def _row(each: Field, message: Message) -> list[str]:
    default = default_of(each)
    if each.struct is not None and not each.array and not each.has_null_default:
        default = "UNSET"  # a struct's default is the struct's own business
    flexible = message.flexible if each.flexible is None else each.flexible
    return [
        f'"{camel_case(each.name)}"',
        f'"{each.attribute}"',
        f'"{each.type_text}"',
        _range(each.versions, message.versions),
        _range(each.nullable, message.versions),
        str(each.tag),
        _range(each.tagged, message.versions),
        default,
        str(each.ignorable),
        _range(flexible, message.versions),
        shape_name(each.struct) if each.struct is not None else "None",
    ]


def _range(versions: Versions, valid: Versions) -> str:
    both = versions & valid
    return f"({both.lowest}, {both.highest})" if both else "None"
