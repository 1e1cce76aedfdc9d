"""The index: which API has which modules, and which record type which module."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.emit.text import Text
from codegen.schema import Kind, Message

_HEAD = '''\
# GENERATED from schemas/ by `make generate`: edit the schemas, not this file.
"""Which messages there are: APIs by key, metadata records by type. Codecs load on first use."""

from __future__ import annotations

from metaquorum.wire.registry import Api, Codec, RecordType, load_codec
'''

METADATA_LOG = "records"  # the folder of the records that the index lists

_FUNCTIONS = '''

def request_codec(key: int) -> Codec:
    """The module of the requests of this API; KeyError if there is none."""
    return load_codec(APIS[key].request_module)


def response_codec(key: int) -> Codec:
    """The module of the responses of this API; KeyError if there is none."""
    return load_codec(APIS[key].response_module)


def record_codec(type_id: int) -> Codec:
    """The module of the metadata records of this type; KeyError if there is none."""
    return load_codec(RECORDS[type_id].module)
'''


def emit_index(messages: Iterable[Message]) -> str:
    """The text of ``index.py``."""
    halves: dict[int, dict[Kind, Message]] = {}
    records: dict[int, Message] = {}
    for message in messages:
        if message.api_key is None:
            continue
        if message.kind is Kind.METADATA and message.folder == METADATA_LOG:
            records[message.api_key] = message
        elif message.kind in (Kind.REQUEST, Kind.RESPONSE):
            halves.setdefault(message.api_key, {})[message.kind] = message
    text = Text(_HEAD.splitlines())
    text.blank()
    text.line("# key, name, request module, response module, lowest, highest, flexible from")
    text.line("APIS: dict[int, Api] = {")
    text.depth = 1
    for key, found in sorted(halves.items()):
        request, response = found[Kind.REQUEST], found[Kind.RESPONSE]
        values = [
            str(key),
            f'"{request.name.removesuffix("Request")}"',
            f'"{request.module}"',
            f'"{response.module}"',
            *_versions(request),
        ]
        text.listing(f"{key}: Api(", values, "),")
    text.depth = 0
    text.line("}")
    text.blank()
    text.line("# type, name, module, lowest, highest, flexible from")
    text.line("RECORDS: dict[int, RecordType] = {")
    text.depth = 1
    for key, record in sorted(records.items()):
        values = [
            str(key),
            f'"{record.name}"',
            f'"{METADATA_LOG}.{record.module}"',
            *_versions(record),
        ]
        text.listing(f"{key}: RecordType(", values, "),")
    text.depth = 0
    text.line("}")
    return str(text) + _FUNCTIONS


def _versions(message: Message) -> list[str]:
    flexible = message.flexible & message.versions
    return [
        str(message.versions.lowest),
        str(message.versions.highest),
        str(flexible.lowest) if flexible else "None",
    ]
