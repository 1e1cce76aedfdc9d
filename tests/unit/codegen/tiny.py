"""A schema of a few lines for the tests of the generator."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from codegen.emit.module import emit_module
from codegen.parse import parse_text
from codegen.schema import Message


def schema_text(*fields: dict[str, Any], **changes: Any) -> str:
    """A request of key 7 called TinyRequest, versions 0-2, flexible from 2."""
    top: dict[str, Any] = {
        "apiKey": 7,
        "type": "request",
        "name": "TinyRequest",
        "validVersions": "0-2",
        "flexibleVersions": "2+",
        "fields": list(fields),
    }
    return json.dumps(top | changes, indent=1)


def schema(*fields: dict[str, Any], **changes: Any) -> Message:
    """The same, parsed."""
    return parse_text(schema_text(*fields, **changes), "schemas/tiny_request.json")


def named(name: str, kind: str, versions: str = "0+", **more: Any) -> dict[str, Any]:
    """One field."""
    return {"name": name, "type": kind, "versions": versions} | more


def module(message: Message) -> Any:
    """The generated module, imported."""
    made = ModuleType("tiny")
    exec(compile(emit_module(message), "tiny.py", "exec"), made.__dict__)
    return made
