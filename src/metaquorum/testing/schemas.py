"""The schemas as the tests read them: straight from the JSON, by a reader of their own.

The generator has its own reader, layouts and opinions; a mistake there must not be repeated
here, so nothing of it is used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

SCHEMAS = Path(__file__).parents[3] / "schemas"

Default = int | float | bool | str | bytes | None

ZERO_UUID = bytes(16)
_NUMBERS = ("int8", "int16", "uint16", "int32", "uint32", "int64")


@frozen
class Range:
    """Versions from ``low`` to ``high``, both included; nothing when high is below low."""

    low: int
    high: int

    def __contains__(self, version: int) -> bool:
        return self.low <= version <= self.high

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))


def read_range(text: str | None) -> Range:
    """``"3+"``, ``"0-2"``, ``"1"``, ``"none"`` or None."""
    if text is None or text == "none":
        return Range(0, -1)
    if text.endswith("+"):
        return Range(int(text[:-1]), 32_767)
    low, _, high = text.partition("-")
    return Range(int(low), int(high or low))


@frozen
class FieldText:
    """One field of a schema. ``fields`` is set where its element is a struct."""

    name: str
    element: str
    array: bool
    versions: Range
    nullable: Range
    tagged: Range
    tag: int | None
    default: Default
    null_default: bool
    ignorable: bool
    flexible: Range | None
    fields: tuple[FieldText, ...] | None

    @property
    def key(self) -> str:
        """The field's key in Kafka's JSON form."""
        return self.name[0].lower() + self.name[1:]

    def is_tagged(self, version: int) -> bool:
        return self.tag is not None and version in self.tagged

    def default_value(self, version: int) -> Any:
        """What a reader finds where this field was not sent, in the plain form of values."""
        if self.array:
            return None if self.null_default else []
        if self.fields is not None:
            return None if self.null_default else default_struct(self.fields, version)
        if self.element == "records":
            return None if version in self.nullable else b""
        return self.default


@frozen
class MessageText:
    """One schema file."""

    name: str
    kind: str
    api_key: int | None
    versions: Range
    flexible: Range
    fields: tuple[FieldText, ...]
    module: str  # below metaquorum.wire.generated

    def is_flexible(self, version: int) -> bool:
        return version in self.flexible


def default_struct(fields: tuple[FieldText, ...], version: int) -> dict[str, Any]:
    """A struct with nothing set."""
    return {f.key: f.default_value(version) for f in fields if version in f.versions}


@cache
def all_messages() -> tuple[MessageText, ...]:
    """Every schema of the repository, by file name."""
    files = sorted(p for p in SCHEMAS.rglob("*.json") if p.name != "error_codes.json")
    return tuple(_message(path) for path in files)


@cache
def message(name: str) -> MessageText:
    """The schema called ``name``, such as VoteRequest."""
    return next(m for m in all_messages() if m.name == name)


def _message(path: Path) -> MessageText:
    raw = json.loads(path.read_text())
    common = {struct["name"]: struct["fields"] for struct in raw.get("commonStructs", ())}
    return MessageText(
        name=raw["name"],
        kind=raw["type"],
        api_key=raw.get("apiKey"),
        versions=read_range(raw["validVersions"]),
        flexible=read_range(raw["flexibleVersions"]),
        fields=tuple(_field(f, common) for f in raw["fields"]),
        module=".".join(path.relative_to(SCHEMAS).with_suffix("").parts),
    )


def _field(raw: Mapping[str, Any], common: Mapping[str, Any]) -> FieldText:
    array = raw["type"].startswith("[]")
    element = raw["type"].removeprefix("[]")
    inner = raw.get("fields", common.get(element))
    default_text = raw.get("default")
    null_default = default_text == "null"
    return FieldText(
        name=raw["name"],
        element=element,
        array=array,
        versions=read_range(raw["versions"]),
        nullable=read_range(raw.get("nullableVersions")),
        tagged=read_range(raw.get("taggedVersions")),
        tag=raw.get("tag"),
        default=None if null_default else _default(element, default_text),
        null_default=null_default,
        ignorable=raw.get("ignorable", False),
        flexible=read_range(raw["flexibleVersions"]) if "flexibleVersions" in raw else None,
        fields=None if inner is None else tuple(_field(f, common) for f in inner),
    )


def _default(element: str, text: str | None) -> Default:
    if element in _NUMBERS:
        return int(text or "0", 0)
    if element == "bool":
        return text == "true"
    if element == "float64":
        return float(text or "0")
    if element == "uuid":
        return ZERO_UUID
    if element == "bytes":
        return b""
    if element == "records":
        return None
    return text or ""
