"""Does a definition make sense? Faults are reported with file, line and path, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from codegen.json_source import SourceError
from codegen.layout import Layouts
from codegen.schema import VARIABLE, Field, Kind, Message, Struct
from codegen.versions import Versions

_KEYED = (
    Kind.REQUEST,
    Kind.RESPONSE,
    Kind.METADATA,
    Kind.COORDINATOR_KEY,
    Kind.COORDINATOR_VALUE,
)


def validate_all(messages: Iterable[Message]) -> None:
    """Every message by itself, then names and keys across all; SourceError lists the faults."""
    messages = list(messages)
    faults = [fault for message in messages for fault in faults_of(message)]
    faults += _across(messages)
    if faults:
        raise SourceError("\n".join(faults))


def faults_of(message: Message) -> list[str]:
    """What is wrong with one message; nothing for a good one."""
    faults = list(_message_faults(message))
    for struct in message.all_structs():
        faults += _struct_faults(struct, message)
    if not faults and message.versions:
        faults += _layout_faults(message)
    return faults


def _message_faults(message: Message) -> Iterator[str]:
    place = message.place
    stem = PurePosixPath(message.file).stem
    if message.file and stem != message.module:
        yield f"{place}name: {message.name} belongs into {message.module}.json"
    if message.kind in _KEYED and message.api_key is None:
        yield f"{place}apiKey: a {message.kind.value} has a key"
    if message.kind in (Kind.REQUEST, Kind.RESPONSE):
        ending = message.kind.value.capitalize()
        if not message.name.endswith(ending):
            yield f"{place}name: the name of a {message.kind.value} ends in {ending}"
    flexible = message.flexible & message.versions
    if flexible and flexible.highest != message.versions.highest:
        yield f"{place}flexibleVersions: once flexible, a message stays so"
    names = [struct.name for struct in message.all_structs()]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{place}: two structs are called {name}"


def _struct_faults(struct: Struct, message: Message) -> Iterator[str]:
    attributes: dict[str, str] = {"unknown_tags": "unknown tags"}
    tags: dict[int, Field] = {}
    for each in struct.fields:
        if each.attribute in attributes:
            yield f"{each.place}.name: {each.name} is called like {attributes[each.attribute]}"
        attributes[each.attribute] = each.name
        yield from _field_faults(each, message)
        if each.tag is None:
            continue
        other = tags.get(each.tag)
        if other is not None and other.tagged & each.tagged:
            yield f"{each.place}.tag: tag {each.tag} is {other.name}'s already"
        tags[each.tag] = each
    for number in range(len(tags)):
        if number not in tags:
            yield f"{struct.place}: tag {number} of {struct.name} is left out, tags have no gaps"
            break


def _field_faults(each: Field, message: Message) -> Iterator[str]:
    place = each.place
    if not each.name.isascii() or not each.name.isalnum():
        yield f"{place}.name: {each.name!r} is not made of letters and digits"
    if message.versions and each.versions.lowest > message.versions.highest:
        last = message.versions.highest
        yield f"{place}.versions: {each.versions} begins after version {last}, the last one"
    if each.tag is None and each.tagged:
        yield f"{place}: taggedVersions without a tag"
    if each.tag is not None and not each.tagged:
        yield f"{place}: a tag without taggedVersions"
    if not each.tagged.within(each.versions):
        yield f"{place}.taggedVersions: {each.tagged} goes beyond versions {each.versions}"
    if not _inside(each.tagged, message.flexible, message):
        yield f"{place}.taggedVersions: only flexible versions have tags"
    if each.tagged and each.tagged.highest != each.versions.highest:
        yield f"{place}.taggedVersions: a field that became tagged stays so"
    scalar = not each.array and each.struct is None
    if each.nullable and scalar and each.element not in VARIABLE:
        yield f"{place}.nullableVersions: a {each.element} cannot be null"
    if each.has_null_default:
        everywhere = each.versions & message.versions
        if not everywhere.within(each.nullable):
            yield f"{place}.default: null, but the field is nullable only in {each.nullable}"
    if each.map_key and (each.array or each.struct is not None):
        yield f"{place}.mapKey: only a scalar can be a key"
    if each.element == "records" and (each.array or each.tagged):
        yield f"{place}.type: records are neither tagged nor elements of an array"
    if each.flexible is not None and each.element != "string":
        yield f"{place}.flexibleVersions: only a text may depart from its message"


def _inside(inner: Versions, outer: Versions, message: Message) -> bool:
    return (inner & message.versions).within(outer)


def _layout_faults(message: Message) -> Iterator[str]:
    for layout in Layouts.of(message).distinct:
        for slot in layout.slots:
            if slot.layout is not None and slot.field.array and not slot.layout.least_bytes:
                yield f"{slot.field.place}: elements of no bytes, in version {layout.first}"


def _across(messages: list[Message]) -> Iterator[str]:
    names: dict[str, Message] = {}
    keys: dict[tuple[Kind, int, str], Message] = {}
    for message in messages:
        if message.name in names:
            yield f"{message.place}name: {names[message.name].file} defines {message.name} too"
        names[message.name] = message
        if message.api_key is None or message.kind not in _KEYED:
            continue
        # Each log of records numbers its own.
        key = (message.kind, message.api_key, message.folder)
        if key in keys:
            yield f"{message.place}apiKey: {message.api_key} is {keys[key].name}'s already"
        keys[key] = message
    for (kind, number, folder), message in sorted(keys.items(), key=lambda item: item[1].file):
        if kind not in (Kind.REQUEST, Kind.RESPONSE):
            continue
        other = Kind.RESPONSE if kind is Kind.REQUEST else Kind.REQUEST
        half = keys.get((other, number, folder))
        if half is None:
            yield f"{message.place}apiKey: no {other.value} has the key {number}"
        elif half.versions != message.versions:
            yield f"{message.place}validVersions: {half.name} has {half.versions}"
