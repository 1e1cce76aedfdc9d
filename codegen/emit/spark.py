"""The columns of the metadata log's records, for tables: one struct of fields a record type."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.emit.index import METADATA_LOG
from codegen.emit.text import WIDTH, Text
from codegen.schema import Field, Kind, Message, Struct

_HEAD = '''\
# GENERATED from schemas/ by `make generate`: edit the schemas, not this file.
"""Every record type of the metadata log with its fields, as columns are made of them."""

from __future__ import annotations

from typing import Final

from pyspark_metaquorum.record_type import Part, RecordType
'''

# Control records have no api key of their own: the type is in the record's key (KIP-595, 630, 853).
_CONTROL = {
    "LeaderChangeMessage": 2,
    "SnapshotHeaderRecord": 3,
    "SnapshotFooterRecord": 4,
    "KRaftVersionRecord": 5,
    "VotersRecord": 6,
}


def emit_record_types(messages: Iterable[Message]) -> str:
    """The text of ``record_types.py``: metadata records by type, then control records."""
    metadata: dict[int, Message] = {}
    controls: dict[int, Message] = {}
    for message in messages:
        if message.kind is Kind.METADATA and message.folder == METADATA_LOG:
            if message.api_key is not None and message.versions:
                metadata[message.api_key] = message
        elif message.name in _CONTROL:
            controls[_CONTROL[message.name]] = message
    text = Text(_HEAD.splitlines())
    for name, about, found in (
        ("METADATA", "Metadata records by their type.", metadata),
        ("CONTROLS", "Control records by the type in their key.", controls),
    ):
        text.blank()
        text.line(f"# {about}")
        text.line(f"{name}: Final[dict[int, RecordType]] = {{")
        text.depth = 1
        for number, message in sorted(found.items()):
            _record(text, number, message)
        text.depth = 0
        text.line("}")
    return str(text)


def _record(text: Text, number: int, message: Message) -> None:
    folder = f"{message.folder}/" if message.folder else ""
    module = f"{folder}{message.module}".replace("/", ".")
    text.line(f"{number}: RecordType(")
    with text.indented():
        text.line(f'{number}, "{message.name}", "{module}",')
        _parts(text, "(", message.top, "),")
    text.line("),")


def _parts(text: Text, before: str, struct: Struct, after: str) -> None:
    text.line(before)
    with text.indented():
        for one in struct.fields:
            _part(text, one)
    text.line(after)


def _part(text: Text, one: Field) -> None:
    many = ", True" if one.array else ""
    if one.struct is None:
        row = f'Part("{one.attribute}", "{one.element}"{many}),'
        if len(row) + 4 * text.depth > WIDTH:
            raise ValueError(f"{one.place}: the name is too long for a line")
        text.line(row)
        return
    text.line("Part(")
    with text.indented():
        text.line(f'"{one.attribute}", "struct", {one.array},')
        _parts(text, "(", one.struct, "),")
    text.line("),")
