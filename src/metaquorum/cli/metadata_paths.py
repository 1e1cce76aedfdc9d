"""Paths in the tree of the metadata state: ``..``, ``*``, ``?`` and ``{a,b}``, as Kafka's shell.

A name with a slash in it (a client metrics resource, a user) is written with a backslash before
the slash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from metaquorum.cli.metadata_tree import Directory, Node

_PARTS = re.compile(r"(?:\\/|[^/])+")
_PATTERN = re.compile(r"[*?{]")


@frozen
class Found:
    """A node, and what it is called."""

    name: str
    node: Node


def absolute(path: str, working: str = "/") -> list[str]:
    """The parts of ``path`` from the root on, ``.`` and ``..`` resolved."""
    parts: list[str] = []
    whole = path if path.startswith("/") else f"{working}/{path}"
    for part in _PARTS.findall(whole):
        if part == "..":
            parts[-1:] = []
        elif part != ".":
            parts.append(part)
    return parts


def find(root: Directory, path: str, working: str = "/") -> list[Found]:
    """What ``path`` names, in order; nothing when there is nothing of that name."""
    return list(_walk(Found("/", root), absolute(path, working)))


def _walk(at: Found, parts: list[str]) -> Iterator[Found]:
    if not parts:
        yield at
        return
    if not isinstance(at.node, Directory):
        return
    part, left = parts[0], parts[1:]
    plain = part.replace("\\/", "/")
    child = at.node.child(plain)
    if child is not None:
        yield from _walk(Found(plain, child), left)
    elif _PATTERN.search(part):
        wanted = _compiled(plain)
        for name in at.node.names():
            child = at.node.child(name) if wanted.fullmatch(name) else None
            if child is not None:
                yield from _walk(Found(name, child), left)


def _compiled(pattern: str) -> re.Pattern[str]:
    """A glob as a regular expression; braces that do not close stand for themselves."""
    out = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        close = pattern.find("}", at) if char == "{" else -1
        if char == "*":
            out.append(".*")
        elif char == "?":
            out.append(".")
        elif close > 0:
            choices = pattern[at + 1 : close].split(",")
            out.append("(?:" + "|".join(map(re.escape, choices)) + ")")
            at = close
        else:
            out.append(re.escape(char))
        at += 1
    return re.compile("".join(out), re.DOTALL)
