"""One module for one message: header, imports, classes, codecs, the entry points, the shape."""

from __future__ import annotations

import re

from codegen.emit.classes import emit_class
from codegen.emit.getters import Getters, default_struct, getter_name
from codegen.emit.putters import Putters, putter_name
from codegen.emit.shapes import emit_shapes
from codegen.emit.structs import Structs
from codegen.emit.text import Text
from codegen.layout import Layouts
from codegen.schema import Kind, Message

GENERATOR = 1  # rises whenever the emitted text changes for an unchanged schema

_PRIMITIVES = (
    "Buffer", "DECODE_FAULTS", "ENCODE_FAULTS", "ONE_BYTE", "Parts", "Tags", "check_count",
    "decode_failure", "encode_failure", "get_compact_slices", "get_compact_texts", "get_slices",
    "get_tag_count", "get_tag_head", "get_tags", "get_texts", "get_uvarint", "joined", "lengthen",
    "lengthen_text", "long_count", "long_head", "long_size", "long_text", "long_text_head",
    "not_null", "put_compact_slices", "put_compact_texts", "put_records", "put_slices", "put_tags",
    "put_texts", "put_uuids", "refuse_field", "refuse_null", "refuse_size", "refuse_uuid", "whole",
)  # fmt: skip
_UNKEYED = {Kind.HEADER, Kind.DATA}


def emit_module(message: Message) -> str:
    """The whole text of a message's module."""
    body = Text()
    structs = Structs()
    layouts = Layouts.of(message)
    for struct in message.all_structs():
        emit_class(body, struct, message)
    codecs = Text()
    Getters(layouts, structs, codecs).emit()
    Putters(layouts, structs, codecs).emit()
    body.blank(2)
    structs.emit(body)
    for struct in message.structs:
        shared = default_struct(struct.name)
        if any(re.search(rf"\b{shared}\b", line) for line in codecs.lines):
            body.line(f"{shared} = {struct.name}()")
    body.lines += codecs.lines
    _emit_doors(body, layouts)
    emit_shapes(body, message)
    return str(_head(message, str(body))) + str(body)


def header(text: Text, source: str, stamp: str) -> None:
    """The lines that tell everybody to look elsewhere."""
    text.line(f"# GENERATED from {source} by `make generate`.")
    text.line(f"# Edit the schema, not this file. Schema xxh3 {stamp}, generator {GENERATOR}.")


def summary(message: Message) -> str:
    """What the message is, in one sentence."""
    about = message.top.about or f"{message.name}."
    key = ""
    if message.kind in (Kind.REQUEST, Kind.RESPONSE):
        key = f"Api key {message.api_key}, v"
    elif message.kind not in _UNKEYED:
        key = f"Record type {message.api_key}, v"
    flexible = message.flexible & message.versions
    never = f"flexible from {flexible.lowest}" if flexible else "never flexible"
    return f"{about} {key or 'V'}ersions {message.versions}, {never}."


def _head(message: Message, body: str) -> Text:
    text = Text()
    header(text, message.file, message.stamp)
    text.docstring(summary(message))
    text.blank()
    text.line("from __future__ import annotations")
    text.blank()
    if "Sequence[" in body:
        text.line("from collections.abc import Sequence")
    if "repeat(" in body:
        text.line("from itertools import repeat")
    text.line("from struct import Struct")
    text.line("from typing import Final")
    text.blank()
    if "ZERO_UUID" in body:
        text.line("from metaquorum.base.ids import ZERO_UUID")
    tables = [word for word in ("ArrayReads", "ArrayWrites") if f"= {word}(" in body]
    if tables:
        text.line(f"from metaquorum.wire.arrays import {', '.join(tables)}")
    words = "UNSET, Message, new" if re.search(r"\bUNSET\b", body) else "Message, new"
    text.line(f"from metaquorum.wire.message import {words}")
    used = [word for word in _PRIMITIVES if re.search(rf"\b{word}\b", body)]
    used.sort(key=lambda word: (not word.isupper(), word.islower(), word))
    text.listing("from metaquorum.wire.primitives import (", used, ")")
    text.line("from metaquorum.wire.shape import Shape")
    if "RecordsValue" in body:
        text.line("from metaquorum.wire.slices import RecordsValue")
    text.blank()
    if message.kind not in _UNKEYED:
        text.line(f"API_KEY: Final = {message.api_key}")
    text.line(f'NAME: Final = "{message.name}"')
    text.line(f"LOWEST_VERSION: Final = {message.versions.lowest}")
    text.line(f"HIGHEST_VERSION: Final = {message.versions.highest}")
    flexible = message.flexible & message.versions
    from_version = str(flexible.lowest) if flexible else "None"
    text.line(f"FLEXIBLE_FROM: Final[int | None] = {from_version}")
    return text


def _emit_doors(text: Text, layouts: Layouts) -> None:
    """The public functions, and the tables from version to codec behind them."""
    name = layouts.message.name
    text.blank(2)
    for table, name_of in (("_GET", getter_name), ("_PUT", putter_name)):
        rows = [f"{version}: {name_of(top)}" for version, top in layouts.top.items()]
        text.listing(f"{table} = {{", rows, "}")
    view = ", memoryview(data)" if any(map(layouts.has_view, layouts.top.values())) else ""
    for function, result in (("decode", name), ("get", f"tuple[{name}, int]")):
        text.blank(2)
        args = ["version: int", "at: int = 0"]
        if function == "get":
            args = ["at: int", "version: int"]
        text.listing(f"def {function}(", ["buf: Buffer", *args], f") -> {result}:")
        with text.indented():
            if function == "decode":
                text.docstring(
                    f"The {name} that begins at ``at``, in this version; what follows it is "
                    "ignored. DecodeError names the place of a fault."
                )
            else:
                text.docstring("The same, and the position behind it.")
            text.line("data = buf if type(buf) is bytes else whole(buf)")
            with text.block("try:"):
                only = "[0]" if function == "decode" else ""
                text.line(f"return _GET[version](data{view}, at){only}")
            with text.block("except DECODE_FAULTS as fault:"):
                text.line("raise decode_failure(SHAPE, data, version, at, fault) from None")
    text.blank(2)
    text.listing("def encode(", [f"message: {name}", "version: int"], ") -> bytes:")
    with text.indented():
        text.docstring(
            "The message on the wire. EncodeError names the field of a fault, UnsupportedField "
            "one that this version cannot carry and must not drop."
        )
        text.line("out: Parts = []")
        with text.block("try:"):
            text.line("_PUT[version](out, message)")
        with text.block("except ENCODE_FAULTS as fault:"):
            text.line("raise encode_failure(SHAPE, message, version, fault) from fault")
        text.line("return joined(out)")
    text.blank(2)
    args = ["parts: Parts", f"message: {name}", "version: int"]
    text.listing("def put(", args, ") -> None:")
    with text.indented():
        text.docstring("The same, appended to ``parts``, with file slices as they are.")
        text.line("start = len(parts)")
        with text.block("try:"):
            text.line("_PUT[version](parts, message)")
        with text.block("except ENCODE_FAULTS as fault:"):
            text.line("del parts[start:]")
            text.line("raise encode_failure(SHAPE, message, version, fault) from fault")
