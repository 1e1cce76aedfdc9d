"""Pages for people: one a message, an index, and the error codes; Markdown, from the schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.answers import Answers
from codegen.emit.error_codes import ErrorCode
from codegen.emit.examples import API_VERSIONS, Example, emit_example
from codegen.schema import Field, Kind, Message, Struct
from codegen.versions import NEWEST, Versions

_HEAD = "<!-- Generated from schemas/ by `make generate`. Edit the schema, not this page. -->\n\n"
_CONTROLLED_SHUTDOWN = 7  # its version 0 alone has request header v0
_NO_ANSWERS = Answers(None, ())
_INDENT = "&nbsp;&nbsp;"
_TITLES = {
    Kind.REQUEST: "Requests and responses",
    Kind.RESPONSE: "Requests and responses",
    Kind.HEADER: "Headers",
    Kind.METADATA: "Metadata records",
    Kind.DATA: "Control records, files and embedded data",
    Kind.COORDINATOR_KEY: "Records of the coordinators",
    Kind.COORDINATOR_VALUE: "Records of the coordinators",
}


def page_name(message: Message) -> str:
    """Where the page of a message is, below the folder of the pages."""
    folder = f"{message.folder}/" if message.folder else ""
    return f"{folder}{message.module}.md"


def emit_page(
    message: Message,
    examples: list[Example] | None = None,
    answers: Answers = _NO_ANSWERS,
    codes: Iterable[ErrorCode] = (),
) -> str:
    """One message: what it is for, every field of every version, its errors, an example."""
    rows = [
        f"# {message.name}\n",
        f"{message.top.about}\n" if message.top.about else "",
        _facts(message),
        "\n| field | type | versions | null in | tag | default | what it says |",
        "|---|---|---|---|---|---|---|",
        *(_row(one, depth, message) for one, depth in _walk(message.top, 0)),
    ]
    rows += ["\n## Versions\n", "| version | header | comes | goes |", "|---|---|---|---|"]
    rows += _changes(message)
    rows += _errors(message, answers, {one.name: one for one in codes})
    rows += emit_example(message, examples or [])
    return _HEAD + "\n".join(row for row in rows if row) + "\n"


def emit_page_index(messages: Iterable[Message]) -> str:
    """The table of contents."""
    groups: dict[str, list[Message]] = {}
    for message in messages:
        groups.setdefault(_TITLES[message.kind], []).append(message)
    lines = [
        "# Protocol\n",
        "Every message, record and file format of ours, drawn from `schemas/`. The codes that",
        "answers carry: [errors](errors.md).",
    ]
    for title in dict.fromkeys(_TITLES.values()):
        if title not in groups:
            continue
        lines += [
            f"\n## {title}\n",
            "| key | message | versions | flexible | |",
            "|---|---|---|---|---|",
        ]
        ranked = sorted(groups[title], key=lambda one: (_key(one), one.name))
        lines += [
            f"| {_text(one.api_key)} | [{one.name}]({page_name(one)}) | {one.versions} "
            f"| {_flexible(one)} | {one.top.about} |"
            for one in ranked
        ]
    return _HEAD + "\n".join(lines) + "\n"


def emit_errors_page(codes: Iterable[ErrorCode]) -> str:
    """All error codes."""
    lines = ["# Error codes\n", "| code | name | try again | what it says |", "|---|---|---|---|"]
    lines += [
        f"| {one.code} | `{one.name}` | {'yes' if one.retriable else 'no'} | {one.message} |"
        for one in codes
    ]
    return _HEAD + "\n".join(lines) + "\n"


def _facts(message: Message) -> str:
    parts = [message.kind.value]
    if message.api_key is not None:
        parts.append(f"key {message.api_key}")
    parts.append(f"versions {message.versions}")
    flexible = _flexible(message)
    parts.append(f"flexible versions {flexible}" if flexible else "never flexible")
    if message.latest_unstable:
        parts.append(f"version {message.versions.highest} is not stable yet")
    return " · ".join(parts)


def _walk(struct: Struct, depth: int) -> Iterator[tuple[Field, int]]:
    for one in struct.fields:
        yield one, depth
        if one.struct is not None:
            yield from _walk(one.struct, depth + 1)


def _row(one: Field, depth: int, message: Message) -> str:
    versions = one.versions & message.versions
    nullable = one.nullable & versions
    default = "null" if one.has_null_default else _text(one.default)
    marks = [
        mark for mark, is_set in (("key", one.map_key), ("ignorable", one.ignorable)) if is_set
    ]
    about = one.about + (f" ({', '.join(marks)})" if marks else "")
    tag = "" if one.tag is None else f"{one.tag} in {one.tagged & message.versions}"
    cells = [
        f"{_INDENT * depth}{one.name}",
        f"`{one.type_text}`",
        str(versions),
        str(nullable) if nullable else "",
        tag,
        f"`{default}`" if default else "",
        about,
    ]
    return f"| {' | '.join(cells)} |"


def _changes(message: Message) -> Iterator[str]:
    """One row for each version: its header, and which fields come or go, or that tags begin."""
    fields = [(path, versions) for path, versions in _paths(message.top, "", message.versions)]
    for version in message.versions:
        if version == message.versions.lowest:
            begin = "compact lengths and tagged fields" if version in message.flexible else ""
            yield f"| {version} | {_header(message, version)} | {begin} |  |"
            continue
        comes = [path for path, versions in fields if versions.lowest == version]
        goes = [path for path, versions in fields if versions.highest == version - 1]
        if version == message.flexible.lowest:
            comes.append("compact lengths and tagged fields")
        header = _header(message, version)
        yield f"| {version} | {header} | {', '.join(comes)} | {', '.join(goes)} |"


def _header(message: Message, version: int) -> str:
    """The version of the header before the message, where it has one."""
    flexible = int(version in message.flexible)
    if message.kind is Kind.REQUEST:
        is_bare = message.api_key == _CONTROLLED_SHUTDOWN and version == 0
        return f"request v{0 if is_bare else 1 + flexible}"
    if message.kind is Kind.RESPONSE:
        return f"response v{0 if message.api_key == API_VERSIONS else flexible}"
    return ""


def _errors(message: Message, answers: Answers, codes: dict[str, ErrorCode]) -> Iterator[str]:
    """Where an answer carries codes, and which; nothing for what carries none."""
    fields = [f"`{path}`" for path in _every_path(message.top, "") if path.endswith("ErrorCode")]
    if message.kind is not Kind.RESPONSE or not fields:
        return
    yield "\n## Errors\n"
    up = "../" if message.folder else ""
    yield f"Codes stand in {', '.join(fields)}. What every code means: [errors]({up}errors.md)."
    served = (
        "*here*: this server answers with it."
        if answers.ours is not None
        else "This server does not serve the API."
    )
    yield f"{served} *Kafka*: Apache Kafka's sources or KIPs name it for this"
    yield "answer, which is no complete list: any code may come, and a client must expect that."
    named = [one for one in codes.values() if one.name in {*(answers.ours or ()), *answers.kafka}]
    if not named:
        return
    yield "\n| code | name | here | Kafka | try again |\n|---|---|---|---|---|"
    for one in named:
        marks = (one.name in (answers.ours or ()), one.name in answers.kafka, one.retriable)
        shown = " | ".join("yes" if mark else "" for mark in marks)
        yield f"| {one.code} | `{one.name}` | {shown} |"


def _every_path(struct: Struct, prefix: str) -> Iterator[str]:
    for one in struct.fields:
        yield f"{prefix}{one.name}"
        if one.struct is not None:
            yield from _every_path(one.struct, f"{prefix}{one.name}.")


def _paths(struct: Struct, prefix: str, within: Versions) -> Iterator[tuple[str, Versions]]:
    for one in struct.fields:
        versions = one.versions & within
        if not versions:
            continue
        path = f"{prefix}{one.name}"
        yield path, versions
        if one.struct is not None:
            inner = _paths(one.struct, f"{path}.", versions)
            # What comes and goes with its parent is told by the parent's own name.
            yield from (
                (name, Versions(*_own(found, versions)))
                for name, found in inner
                if found != versions
            )


def _own(found: Versions, parent: Versions) -> tuple[int, int]:
    lowest = -1 if found.lowest == parent.lowest else found.lowest
    highest = NEWEST if found.highest == parent.highest else found.highest
    return lowest, highest


def _flexible(message: Message) -> str:
    flexible = message.flexible & message.versions
    return str(flexible) if flexible else ""


def _key(message: Message) -> int:
    return -1 if message.api_key is None else message.api_key


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
