"""A layout for people: what stands on the wire in one version of a message, in order."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.layout import Layout, Layouts, Slot, State
from codegen.schema import FIXED, Message
from codegen.versions import NEWEST


def find(messages: list[Message], name: str) -> list[Message]:
    """The messages meant by a name: ``VoteRequest``, ``vote_request``, or ``Vote`` for both."""
    return [
        message
        for message in messages
        if name in (message.name, message.module)
        or message.name in (f"{name}Request", f"{name}Response")
    ]


def show(message: Message, version: int) -> Iterator[str]:
    """The lines; ValueError for a version that the message does not have."""
    if version not in message.versions:
        raise ValueError(f"{message.name} has versions {message.versions}, not {version}")
    layouts = Layouts.of(message)
    layout = layouts.top[version]
    same = [number for number, other in layouts.top.items() if other == layout]
    key = "" if message.api_key is None else f", key {message.api_key}"
    form = "flexible" if layout.flexible else "not flexible"
    yield f"{message.name} version {version} ({message.kind.value}{key}, {form})"
    yield f"layout of version{'s' if len(same) > 1 else ''} {', '.join(map(str, same))}"
    yield from _struct(layout, "  ")


def _struct(layout: Layout, indent: str) -> Iterator[str]:
    run: list[Slot] = []
    for slot in layout.of(State.PLAIN):
        if slot.code is not None:
            run.append(slot)
            yield from _slot(slot, indent)
            continue
        yield from _run(run, indent)
        run = []
        yield from _slot(slot, indent)
        yield from _inside(slot, indent)
    yield from _run(run, indent)
    tagged = layout.of(State.TAGGED)
    if layout.flexible:
        yield f"{indent}{'tags':<28} varint count, then tag, size and value of each"
    for slot in tagged:
        yield from _slot(slot, f"{indent}  ")
        yield from _inside(slot, f"{indent}  ")
    absent = [slot.field.attribute for slot in layout.of(State.ABSENT)]
    if absent:
        yield f"{indent}{'not in this version':<28} {', '.join(absent)}"


def _slot(slot: Slot, indent: str) -> Iterator[str]:
    each = slot.field
    words = [_type(slot)]
    if slot.nullable:
        words.append("may be null")
    if slot.state is State.TAGGED:
        words.insert(0, f"tag {each.tag}:")
    if each.versions.highest != NEWEST or each.versions.lowest:
        words.append(f"(versions {each.versions})")
    yield f"{indent}{each.attribute:<28} {' '.join(words)}"


def _type(slot: Slot) -> str:
    each = slot.field
    length = "varint" if slot.compact else "int32"
    if each.array:
        return f"{length} count of {each.element}, {slot.least_element_bytes}+ bytes each"
    if each.struct is not None:
        return f"struct {each.element}"
    if each.element in FIXED:
        size = FIXED[each.element][1]
        return f"{each.element}, {size} byte{'s' if size > 1 else ''}"
    if each.element == "string" and not slot.compact:
        length = "int16"
    return f"{length} length, {each.element}"


def _run(run: list[Slot], indent: str) -> Iterator[str]:
    if len(run) > 1:
        names = f"{run[0].field.attribute} to {run[-1].field.attribute}"
        codes = "".join(slot.code or "" for slot in run)
        yield f"{indent}{'':<28} ^ {names} are read at once: {codes}"


def _inside(slot: Slot, indent: str) -> Iterator[str]:
    if slot.layout is not None:
        yield from _struct(slot.layout, f"{indent}  ")
