"""Python text, line by line: indentation, wrapping at 100 columns, and comments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import define, field

WIDTH = 100


@define
class Text:
    """Lines under construction; the result is final, no formatter runs over it."""

    lines: list[str] = field(factory=list)
    depth: int = 0

    def line(self, text: str = "") -> None:
        """One line at the present indentation; an empty one has no spaces."""
        self.lines.append("    " * self.depth + text if text else "")

    def blank(self, count: int = 1) -> None:
        """So many empty lines."""
        self.lines.extend([""] * count)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A line that ends in a colon, and what is indented below it."""
        self.line(head)
        with self.indented():
            yield

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Lines one step further to the right."""
        self.depth += 1
        yield
        self.depth -= 1

    def listing(self, before: str, items: Sequence[str], after: str) -> None:
        """``before item, item after`` on one line if it fits, else wrapped inside.

        A comma that begins ``after`` is dropped where it is wrapped: each item has one then.
        """
        whole = before + ", ".join(items) + after
        if len(whole) + 4 * self.depth <= WIDTH or not items:
            self.line(whole)
            return
        self.line(before.rstrip())
        self.depth += 1
        row = ""
        for item in items:
            if row and len(row) + len(item) + 2 + 4 * self.depth > WIDTH:
                self.line(row)
                row = ""
            row += f" {item}," if row else f"{item},"
        self.line(row)
        self.depth -= 1
        self.line(after.lstrip(", "))

    def assign(self, target: str, value: str) -> None:
        """``target = value``, in parentheses and wrapped where it is long."""
        whole = f"{target} = {value}"
        if len(whole) + 4 * self.depth <= WIDTH:
            self.line(whole)
            return
        self.line(f"{target} = (")
        for row in textwrap.wrap(value, WIDTH - 4 * self.depth - 4, break_long_words=False):
            self.line(f"    {row}")
        self.line(")")

    def condition(self, parts: Sequence[str], word: str) -> None:
        """``if one or other:``, wrapped in parentheses where it is long."""
        whole = f"if {f' {word} '.join(parts)}:"
        if len(whole) + 4 * self.depth <= WIDTH:
            self.line(whole)
            return
        self.line("if (")
        for index, part in enumerate(parts):
            text = f"{word} {part}" if index else part
            first, *rest = textwrap.wrap(text, WIDTH - 4 * self.depth - 8, break_long_words=False)
            self.line(f"    {first}")
            for row in rest:
                self.line(f"        {row}")
        self.line("):")

    def comment(self, text: str) -> None:
        """A comment, wrapped; nothing for an empty text."""
        for row in textwrap.wrap(text, WIDTH - 4 * self.depth - 2):
            self.line(f"# {row}")

    def docstring(self, text: str) -> None:
        """A docstring, on one line if it fits."""
        escaped = text.replace("\\", "\\\\").replace('"""', "'''")
        room = WIDTH - 4 * self.depth
        if len(escaped) + 6 <= room and not escaped.endswith('"'):
            self.line(f'"""{escaped}"""')
            return
        first, *rest = textwrap.wrap(escaped, room - 3)
        self.line(f'"""{first}')
        for row in rest:
            self.line(row)
        self.line('"""')

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"
