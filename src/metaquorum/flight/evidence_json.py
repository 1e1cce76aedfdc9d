"""Items of evidence as lines of JSON, and back; every refusal names the file and the line."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import Enum
from typing import Any, Final

import attrs

from metaquorum.base.errors import OperatorError
from metaquorum.flight.evidence import KINDS, Evidence, Outcome, ReplicaSeen
from metaquorum.recover.json_fields import Fields

KIND: Final = "kind"
MAX_NAME_CHARS: Final = 300
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def to_line(item: Evidence) -> bytes:
    """One line, its end included."""
    content = {KIND: _NAMES[type(item)], **attrs.asdict(item, value_serializer=_plain)}
    return as_line(content)


def as_line(content: dict[str, Any]) -> bytes:
    """An object on a line of its own."""
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def read_object(line: bytes, place: str) -> Fields:
    """The object on a line; OperatorError says what the line is instead."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        raise OperatorError(f"{place}: it is no JSON") from None
    return Fields.of(content, place)


def from_fields(fields: Fields) -> Evidence | None:
    """The item in an object; None for a kind that is not known, as of a later version."""
    kind = KINDS.get(fields.text(KIND))
    if kind is None:
        return None
    return kind(**_values(kind, fields))


def _values(kind: type[Any], fields: Fields) -> dict[str, Any]:
    return {
        one.name: _READERS.get(one.name, _number)(fields, one.name) for one in attrs.fields(kind)
    }


def _plain(_: Any, __: Any, value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _number(fields: Fields, name: str) -> int:
    return fields.integer(name, least=-1)


def _ids(fields: Fields, name: str) -> tuple[int, ...]:
    return fields.ids(name)


def _text(fields: Fields, name: str) -> str:
    text = fields.text(name)
    if len(text) > MAX_NAME_CHARS:
        fields.refuse(name, f"a text of at most {MAX_NAME_CHARS} characters")
    return text


def _flag(fields: Fields, name: str) -> bool:
    return fields.flag(name)


def _maybe_flag(fields: Fields, name: str) -> bool | None:
    return fields.maybe(name, fields.flag)


def _id(fields: Fields, name: str) -> int:
    return fields.integer(name, least=-1, most=2**31 - 1)


def _outcome(fields: Fields, name: str) -> Outcome:
    try:
        return Outcome(fields.text(name))
    except ValueError:
        return Outcome.OTHER


def _replicas(fields: Fields, name: str) -> tuple[ReplicaSeen, ...]:
    return tuple(ReplicaSeen(**_values(ReplicaSeen, one)) for one in fields.children(name))


_READERS: Final[dict[str, Callable[[Fields, str], Any]]] = {
    "epoch": _id,
    "node_id": _id,
    "leader_id": _id,
    "voters": _ids,
    "granting": _ids,
    "incarnation": _text,
    "name": _text,
    "reason": _text,
    "role": _text,
    "fenced": _maybe_flag,
    "in_shutdown": _flag,
    "address": _text,
    "by_tls": _flag,
    "is_voter": _flag,
    "is_prompt": _flag,
    "outcome": _outcome,
    "replicas": _replicas,
}
"""How a field is read by its name; the others are whole numbers from -1 on."""
