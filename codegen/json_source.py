"""JSON with // comments, read so that every value remembers the line it stands on."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from attrs import define, frozen

Raw = str | int | float | bool | None

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*)*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS: dict[str, Raw] = {"true": True, "false": False, "null": None}
_MAX_DEPTH = 64


class SourceError(Exception):
    """A definition that cannot be read: the message begins with file, line and path."""


@frozen
class Node:
    """One JSON value: a scalar, a list of nodes, or a mapping from key to node."""

    value: Raw | list[Node] | dict[str, Node]
    line: int
    path: str


@define
class _Reader:
    text: str
    file: str
    strict: bool
    at: int = 0

    def fail(self, path: str, why: str) -> NoReturn:
        raise SourceError(f"{self.file}:{self.line()}:{path}: {why}")

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def peek(self) -> str:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def expect(self, mark: str, path: str) -> None:
        found = self.peek()
        if found != mark:
            self.fail(path, f"expected {mark!r}, found {found or 'the end of the file'!r}")
        self.at += 1

    def string(self, path: str) -> str:
        if self.peek() != '"':
            self.fail(path, "expected a string in double quotes")
        match = _STRING.match(self.text, self.at)
        if match is None:
            self.fail(path, "this string has no end on its line")
        self.at = match.end()
        return str(json.loads(match.group()))

    def value(self, path: str, depth: int = 0) -> Node:
        if depth > _MAX_DEPTH:
            self.fail(path, f"nested deeper than {_MAX_DEPTH} levels")
        mark = self.peek()
        line = self.line()
        if mark == "{":
            return Node(self.mapping(path, depth), line, path)
        if mark == "[":
            return Node(self.sequence(path, depth), line, path)
        if mark == '"':
            return Node(self.string(path), line, path)
        return Node(self.scalar(path), line, path)

    def scalar(self, path: str) -> Raw:
        for word, meaning in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            found = self.text[self.at : self.at + 12] or "the end of the file"
            self.fail(path, f"expected a value, found {found!r}")
        self.at = match.end()
        digits = match.group()
        return int(digits) if digits.lstrip("-").isdigit() else float(digits)

    def mapping(self, path: str, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        self.expect("{", path)
        if self.peek() == "}":
            self.at += 1
            return found
        while True:
            key = self.string(path)
            below = f"{path}.{key}" if path else key
            if key in found and self.strict:
                self.fail(below, "this key is here twice")
            self.expect(":", below)
            found[key] = self.value(below, depth + 1)
            if self.peek() != ",":
                self.expect("}", path)
                return found
            self.at += 1

    def sequence(self, path: str, depth: int) -> list[Node]:
        found: list[Node] = []
        self.expect("[", path)
        if self.peek() == "]":
            self.at += 1
            return found
        while True:
            found.append(self.value(f"{path}[{len(found)}]", depth + 1))
            if self.peek() != ",":
                self.expect("]", path)
                return found
            self.at += 1


def read_json(text: str, file: str, *, strict: bool = True) -> Node:
    """The one value that ``text`` holds; SourceError names file, line and path of a fault.

    Some of Kafka's own files say a key twice, the last one counts there: not ``strict``.
    """
    reader = _Reader(text, file, strict)
    node = reader.value("")
    if reader.peek():
        reader.fail("", "there is more text after the end of the definition")
    return node
