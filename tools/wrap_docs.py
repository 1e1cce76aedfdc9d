"""Wrap the prose of the pages at 100 columns, as code is: ``python -m tools.wrap_docs [--check]``.

Tables, code blocks, headings, quotes and lines with HTML stay as they are; so does whatever fits
already, so that a page whose lines are short enough is not changed. Generated pages are left out.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

COLUMNS = 100
ROOT = Path(__file__).resolve().parents[1]
_BULLET = re.compile(r"^( *)([-*]|\d+\.) +")
_FIXED = re.compile(r"^ *(\||#|>|<|\[[^]]+\]:)|^(?: {4}|\t)|^ *$")
"""Lines that are no prose: tables, headings, quotes, HTML, references, indented code, nothing."""


def pages() -> list[Path]:
    """What is written by hand: README and ``docs/``, without the generated protocol pages."""
    found = [p for p in sorted((ROOT / "docs").rglob("*.md")) if not _is_generated(p)]
    return [ROOT / "README.md", *found]


def _is_generated(page: Path) -> bool:
    folder = ROOT / "docs" / "protocol"
    return folder in page.parents and page.name != "README.md"


def long_lines(text: str) -> list[int]:
    """The numbers of lines of prose that are too long and could be wrapped."""
    return [n for n, line, is_prose in _lines(text) if is_prose and _is_too_long(line)]


def wrapped(text: str) -> str:
    """The text with every paragraph wrapped that has a line that is too long."""
    out: list[str] = []
    paragraph: list[str] = []
    for _, line, is_prose in _lines(text):
        if paragraph and (not is_prose or _BULLET.match(line)):
            out += _wrapped_paragraph(paragraph)
            paragraph = []
        if is_prose:
            paragraph.append(line)
        else:
            out.append(line)
    return "\n".join(out + _wrapped_paragraph(paragraph)) + "\n"


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Number, line, whether it is prose."""
    is_fenced = in_list = False
    for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
        is_fence = line.lstrip().startswith("```")
        is_fenced ^= is_fence
        is_bullet = _BULLET.match(line) is not None
        in_list = is_bullet or (in_list and (line.startswith(" ") or not line))
        is_fixed = _FIXED.match(line) is not None
        if in_list and line.startswith("    ") and line.strip() and "|" not in line[:12]:
            is_fixed = False  # of a nested list, or the text of a numbered one
        yield number, line, not (is_fenced or is_fence or is_fixed)


def _is_too_long(line: str) -> bool:
    """A line of one word, a link for instance, cannot be helped."""
    return len(line) > COLUMNS and " " in line[len(line) - len(line.lstrip()) : COLUMNS]


def _wrapped_paragraph(lines: list[str]) -> list[str]:
    if not any(_is_too_long(line) for line in lines):
        return lines
    bullet = _BULLET.match(lines[0])
    first = bullet[0] if bullet else " " * (len(lines[0]) - len(lines[0].lstrip()))
    rest = " " * len(first) if bullet or len(lines) < 2 else _indent_of(lines[1])
    text = " ".join([lines[0][len(first) :].strip(), *(line.strip() for line in lines[1:])])
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _indent_of(line: str) -> str:
    return " " * (len(line) - len(line.lstrip()))


def main(arguments: list[str]) -> int:
    """Wrap the named pages, or all; with ``--check`` only name the lines, and exit 1."""
    named = [Path(one).resolve() for one in arguments if not one.startswith("-")]
    found = 0
    for page in named or pages():
        text = page.read_text(encoding="utf-8")
        if "--check" in arguments:
            for number in long_lines(text):
                print(f"{page.relative_to(ROOT)}:{number}")
                found += 1
        elif (better := wrapped(text)) != text:
            page.write_text(better, encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
