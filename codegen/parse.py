"""Message definitions in Kafka's JSON format -> the model of ``schema.py``.

Errors are SourceError: ``file:line:path: what is wrong``. What the format allows is read here;
whether a definition makes sense is asked by ``validate.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import xxhash
from attrs import define, evolve, field

from codegen.json_source import Node, SourceError, read_json
from codegen.schema import INTEGER_RANGES, SCALARS, Default, Field, Kind, Message, Place, Struct
from codegen.versions import NONE, BadVersions, Versions, parse_versions

_MESSAGE_KEYS = frozenset(
    (
        "name",
        "type",
        "apiKey",
        "validVersions",
        "flexibleVersions",
        "deprecatedVersions",
        "fields",
        "commonStructs",
        "listeners",
        "latestVersionUnstable",
        "about",
    )
)
_FIELD_KEYS = frozenset(
    (
        "name",
        "type",
        "versions",
        "fields",
        "nullableVersions",
        "default",
        "ignorable",
        "entityType",
        "mapKey",
        "about",
        "taggedVersions",
        "tag",
        "flexibleVersions",
        "zeroCopy",
    )
)
_COMMON_KEYS = frozenset(("name", "versions", "fields", "about"))


def parse_file(path: Path, shown_as: str | None = None) -> Message:
    """The message that one file defines."""
    return parse_text(path.read_text(encoding="utf-8"), shown_as or str(path))


def parse_text(text: str, file: str, *, strict: bool = True) -> Message:
    """The message that ``text`` defines; ``file`` is only named in errors and headers."""
    return _Parser(file).message(read_json(text, file, strict=strict), text)


@define
class _Parser:
    file: str
    common: dict[str, Struct] = field(factory=dict)
    found: dict[str, Struct] = field(factory=dict)  # in the order in which they were finished
    unread: dict[str, Node] = field(factory=dict)  # common structs not yet needed

    def message(self, node: Node, text: str) -> Message:
        keys = self.mapping(node, _MESSAGE_KEYS)
        name = self.text(node, keys, "name")
        kind_text = self.text(node, keys, "type")
        if kind_text not in {kind.value for kind in Kind}:
            known = ", ".join(kind.value for kind in Kind)
            self.fail(keys["type"], f"{kind_text!r} is no kind of message; there are {known}")
        valid = self.versions(node, keys, "validVersions", None)
        # Kafka leaves it out only where no version is left.
        flexible = self.versions(node, keys, "flexibleVersions", None if valid else NONE)
        for common in self.items(keys, "commonStructs"):
            common_keys = self.mapping(common, _COMMON_KEYS)
            common_name = self.text(common, common_keys, "name")
            if common_name in self.unread:
                self.fail(common, f"the common struct {common_name} is defined twice")
            self.unread[common_name] = common
        fields = tuple(self.field(item) for item in self.items(keys, "fields"))
        for left in list(self.unread):
            self.common_struct(left, node)
        top = Struct(name, fields, valid, self.optional_text(keys, "about"), self.place(node))
        return Message(
            kind=Kind(kind_text),
            top=top,
            versions=valid,
            flexible=flexible,
            api_key=self.integer(keys, "apiKey"),
            structs=tuple(self.found.values()),
            listeners=tuple(str(item.value) for item in self.items(keys, "listeners")),
            latest_unstable=self.flag(keys, "latestVersionUnstable"),
            file=self.file,
            stamp=xxhash.xxh3_64_hexdigest(text.encode()),
            place=self.place(node),
        )

    def field(self, node: Node) -> Field:
        keys = self.mapping(node, _FIELD_KEYS)
        type_text = self.text(node, keys, "type")
        array = type_text.startswith("[]")
        element = type_text[2:] if array else type_text
        tagged = self.versions(node, keys, "taggedVersions", NONE)
        versions = self.versions(node, keys, "versions", tagged or None)
        name = self.text(node, keys, "name")
        made = Field(
            name=name,
            element=element,
            array=array,
            versions=versions,
            nullable=self.versions(node, keys, "nullableVersions", NONE),
            tag=self.integer(keys, "tag"),
            tagged=tagged,
            ignorable=self.flag(keys, "ignorable"),
            map_key=self.flag(keys, "mapKey"),
            flexible=(
                self.versions(node, keys, "flexibleVersions", NONE)
                if "flexibleVersions" in keys
                else None
            ),
            about=self.optional_text(keys, "about"),
            struct=self.struct_of(node, keys, element, versions),
            place=self.place(node),
        )
        default, is_null = self.default(keys, made)
        return evolve(made, default=default, has_null_default=is_null)

    def struct_of(
        self, node: Node, keys: Mapping[str, Node], element: str, versions: Versions
    ) -> Struct | None:
        if element in SCALARS:
            if "fields" in keys:
                self.fail(node, f"a field of type {element} has no fields of its own")
            return None
        if not element[:1].isupper():
            self.fail(keys["type"], f"{element!r} is neither a type nor the name of a struct")
        if "fields" not in keys:
            return self.common_struct(element, node)
        if element in self.found or element in self.unread:
            self.fail(node, f"the struct {element} is defined twice")
        fields = tuple(self.field(item) for item in self.items(keys, "fields"))
        about = self.optional_text(keys, "about")
        made = Struct(element, fields, versions, about, self.place(node))
        self.found[element] = made
        return made

    def common_struct(self, name: str, user: Node) -> Struct:
        if name in self.unread:
            node = self.unread.pop(name)
            keys = self.mapping(node, _COMMON_KEYS)
            versions = self.versions(node, keys, "versions", None)
            fields = tuple(self.field(item) for item in self.items(keys, "fields"))
            about = self.optional_text(keys, "about")
            made = Struct(name, fields, versions, about, self.place(node))
            self.common[name] = self.found[name] = made
        if name not in self.common:
            self.fail(user, f"no struct {name} is defined here or among the common structs")
        return self.common[name]

    def default(self, keys: Mapping[str, Node], made: Field) -> tuple[Default, bool]:
        """The default in Python's terms, and whether it is null."""
        node = keys.get("default")
        raw = node.value if node is not None else ""
        if isinstance(raw, list | dict):
            self.fail(keys["default"], "a default is a number, a text, true, false or null")
        if raw is None:  # JSON's own null says nothing to Kafka's generator; only the text counts
            node, raw = None, ""
        if raw == "null" and not self.is_number(made):
            return None, True
        if made.array or made.struct is not None or made.element in ("bytes", "records"):
            if raw != "":
                self.fail(keys["default"], "only null can be the default of such a field")
            return None, False
        return self.scalar_default(node, raw, made), False

    @staticmethod
    def is_number(made: Field) -> bool:
        return not made.array and (made.element in INTEGER_RANGES or made.element == "float64")

    def scalar_default(self, node: Node | None, raw: Default, made: Field) -> Default:
        element = made.element
        if element == "string":
            return str(raw)
        if element == "bool":
            known: dict[Default, bool] = {"": False, "true": True, "false": False}
            if isinstance(raw, bool):
                return raw
            if raw in known:
                return known[raw]
        elif element == "uuid":
            if raw == "":
                return None
        elif isinstance(raw, bool):
            pass
        elif element == "float64":
            return self.number(node, raw, float, made)
        else:
            return self.number(node, raw, lambda text: int(text, 0), made)
        assert node is not None  # an absent default is settled above
        return self.fail(node, f"{raw!r} is no default for a field of type {element}")

    def number(self, node: Node | None, raw: Default, read: object, made: Field) -> int | float:
        if raw == "":
            return 0.0 if made.element == "float64" else 0
        assert node is not None and callable(read)
        try:
            value: int | float = read(str(raw))
        except ValueError:
            self.fail(node, f"{raw!r} is no {made.element}")
        low, high = INTEGER_RANGES.get(made.element, (value, value))
        if not low <= value <= high:
            self.fail(node, f"{raw} does not fit {made.element}: it holds {low} to {high}")
        return value

    # Reading single keys.

    def mapping(self, node: Node, known: frozenset[str]) -> dict[str, Node]:
        if not isinstance(node.value, dict):
            self.fail(node, "expected an object in braces")
        for key, below in node.value.items():
            if key not in known:
                self.fail(below, f"unknown key {key!r}; known are {', '.join(sorted(known))}")
        return node.value

    def items(self, keys: Mapping[str, Node], key: str) -> list[Node]:
        if key not in keys:
            return []
        node = keys[key]
        if not isinstance(node.value, list):
            self.fail(node, "expected a list in brackets")
        return node.value

    def text(self, node: Node, keys: Mapping[str, Node], key: str) -> str:
        if key not in keys:
            self.fail(node, f"the key {key!r} is missing")
        value = keys[key].value
        if not isinstance(value, str) or not value:
            self.fail(keys[key], "expected a text")
        return value

    def optional_text(self, keys: Mapping[str, Node], key: str) -> str:
        if key not in keys:
            return ""
        value = keys[key].value
        if not isinstance(value, str):
            self.fail(keys[key], "expected a text")
        return " ".join(value.split())

    def integer(self, keys: Mapping[str, Node], key: str) -> int | None:
        if key not in keys:
            return None
        value = keys[key].value
        if isinstance(value, str) and value.isascii() and value.isdigit():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self.fail(keys[key], "expected a number that is not negative")
        return value

    def flag(self, keys: Mapping[str, Node], key: str) -> bool:
        if key not in keys:
            return False
        value = keys[key].value
        if value in ("true", "false"):
            return value == "true"
        if not isinstance(value, bool):
            self.fail(keys[key], "expected true or false")
        return value

    def versions(
        self, node: Node, keys: Mapping[str, Node], key: str, missing: Versions | None
    ) -> Versions:
        if key not in keys:
            if missing is None:
                self.fail(node, f"the key {key!r} is missing")
            return missing
        value = keys[key].value
        try:
            return parse_versions(str(value))
        except BadVersions as error:
            self.fail(keys[key], str(error))

    def place(self, node: Node) -> Place:
        return Place(self.file, node.line, node.path)

    def fail(self, node: Node, why: str) -> NoReturn:
        raise SourceError(f"{self.file}:{node.line}:{node.path}: {why}")
