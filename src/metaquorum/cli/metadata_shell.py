"""ls, cat, find and tree over the metadata state; text as Kafka's shell prints it, or JSON.

What is printed goes to ``out`` line by line, complaints to ``err``; each command returns whether
all that was asked for was there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import define

from metaquorum.cli.metadata_paths import Found, find
from metaquorum.cli.metadata_text import zoned_time
from metaquorum.cli.metadata_tree import Directory, Leaf, Node
from metaquorum.metadata.origin import Origin

Say = Callable[[str], None]


@define
class Shell:
    """A tree, where we are in it, and how to show it.

    ``width`` is that of a terminal, in which ``ls`` sets columns; None for one name a line.
    """

    root: Directory
    out: Say
    err: Say
    as_json: bool = False
    with_provenance: bool = False
    width: int | None = None
    working: str = "/"

    def list_(self, paths: Sequence[str]) -> bool:
        """``ls``: the names in directories, files first."""
        found, whole = self._found("ls", paths or ["."], "no such file or directory.")
        if self.as_json:
            for one in found:
                row: dict[str, Any] = {"name": one.name, "directory": _is_directory(one.node)}
                if isinstance(one.node, Directory):
                    row["entries"] = one.node.names()
                self._json(row)
            return whole
        files = [one.name for one in found if not _is_directory(one.node)]
        directories = [one for one in found if isinstance(one.node, Directory)]
        self._columns(files)
        for number, one in enumerate(directories):
            assert isinstance(one.node, Directory)
            if number or files:
                self.out("")
            if len(found) > 1:
                self.out(f"{one.name}:")
            self._columns(one.node.names())
        return whole

    def cat(self, paths: Sequence[str]) -> bool:
        """``cat``: what is in files."""
        whole = True
        for path in paths:
            found, there = self._found("cat", [path], "No such file or directory.")
            whole = whole and there
            for one in found:
                if not isinstance(one.node, Leaf):
                    self.err(f"cat: {path}: Is a directory")
                    whole = False
                elif self.as_json:
                    self._json({"path": path, **_traced(one.node, self.with_provenance)})
                else:
                    self.out(one.node.text)
                    self._provenance(one.node, "")
        return whole

    def find(self, paths: Sequence[str]) -> bool:
        """``find``: the paths of everything below."""
        whole = True
        for path in paths or ["."]:
            found, there = self._found("find", [path], "no such file or directory.")
            whole = whole and there
            for one in found:
                for place, node in _below(path.rstrip("/") if path != "/" else "", one.node):
                    if self.as_json:
                        self._json({"path": place or "/", "directory": _is_directory(node)})
                    else:
                        self.out(place or "/")
        return whole

    def tree(self, paths: Sequence[str]) -> bool:
        """``tree``: everything below, files with what is in them."""
        whole = True
        for path in paths:
            found, there = self._found("tree", [path], "No such file or directory.")
            whole = whole and there
            for one in found:
                if self.as_json:
                    self._json(_nested(one.node, self.with_provenance))
                else:
                    self._tree(one.node, 0)
        return whole

    def _tree(self, node: Node, depth: int) -> None:
        indent = "  " * depth
        if isinstance(node, Leaf):
            self.out(indent + node.text)
            self._provenance(node, indent)
            return
        for name in node.names():
            self.out(f"{indent}{name}:")
            child = node.child(name)
            if child is not None:
                self._tree(child, depth + 1)

    def _found(self, verb: str, paths: Sequence[str], why: str) -> tuple[list[Found], bool]:
        every: list[Found] = []
        whole = True
        for path in paths:
            found = find(self.root, path, self.working)
            if not found:
                self.err(f"{verb}: {path}: {why}")
                whole = False
            every += found
        return every, whole

    def _provenance(self, leaf: Leaf, indent: str) -> None:
        if self.with_provenance and leaf.origin is not None and leaf.origin.offset >= 0:
            self.out(f"{indent}# {origin_text(leaf.origin)}")

    def _columns(self, names: Sequence[str]) -> None:
        for line in columns(names, self.width):
            self.out(line)

    def _json(self, value: Any) -> None:
        self.out(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


def origin_text(origin: Origin) -> str:
    """Where an entry comes from, in words."""
    what = "in the snapshot up to" if origin.from_snapshot else "set at"
    return f"{what} offset {origin.offset}, epoch {origin.epoch}, {_time(origin.timestamp_ms)}"


def origin_row(origin: Origin | None) -> dict[str, Any] | None:
    """The same for JSON; null when nothing is known."""
    if origin is None or origin.offset < 0:
        return None
    return {
        "offset": origin.offset,
        "epoch": origin.epoch,
        "time": _time(origin.timestamp_ms),
        "timestamp": origin.timestamp_ms,
        "fromSnapshot": origin.from_snapshot,
    }


def columns(names: Sequence[str], width: int | None) -> Iterator[str]:
    """Names one a line, or as many columns, filled downwards, as ``width`` has room for."""
    if width is None or not names:
        yield from names
        return
    for count in range(min(len(names), max(1, width // 3)), 0, -1):
        rows = -(-len(names) // count)
        piles = [names[at : at + rows] for at in range(0, len(names), rows)]
        widths = [max(map(len, pile)) + 2 for pile in piles]
        if sum(widths) - 2 <= width or count == 1:
            for row in range(rows):
                cells = (
                    pile[row].ljust(wide) for pile, wide in zip(piles, widths) if row < len(pile)
                )
                yield "".join(cells).rstrip()
            return


def _time(timestamp_ms: int) -> str:
    return zoned_time(timestamp_ms).removesuffix("[UTC]")


def _is_directory(node: Node) -> bool:
    return isinstance(node, Directory)


def _below(place: str, node: Node) -> Iterator[tuple[str, Node]]:
    yield place, node
    if isinstance(node, Directory):
        for name in node.names():
            child = node.child(name)
            if child is not None:
                yield from _below(f"{place}/{name}", child)


def _nested(node: Node, with_provenance: bool) -> Any:
    """A subtree as one value. Names that open nothing are left out: see ``metadata_tree``."""
    if isinstance(node, Leaf):
        return _traced(node, True) if with_provenance else node.value
    children = ((name, node.child(name)) for name in (*node.names(), *node.hidden()))
    return {name: _nested(child, with_provenance) for name, child in children if child is not None}


def _traced(leaf: Leaf, with_provenance: bool) -> dict[str, Any]:
    if not with_provenance:
        return {"value": leaf.value}
    return {"value": leaf.value, "provenance": origin_row(leaf.origin)}
