"""Lines made of pieces with styles, and texts of others that fit a number of columns.

A style is a text that rich knows. The lines say the same without any of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen
from rich.cells import cell_len, set_cell_size

from metaquorum.base.quoting import printable

PLAIN: Final = ""
STRONG: Final = "bold"
MUTED: Final = "dim"
GOOD: Final = "green"
WARN: Final = "yellow"
BAD: Final = "bold red"
HEADING: Final = "bold"
LEADER_STYLES: Final = ("cyan", "green", "magenta", "blue", "bright_cyan", "bright_magenta")
CUT: Final = "~"  # stands at the end of a text that was cut


@frozen
class Piece:
    """Some text in one style."""

    text: str
    style: str = PLAIN


Line = tuple[Piece, ...]


def line(*parts: str | Piece) -> Line:
    """A line of texts and pieces."""
    return tuple(Piece(one) if isinstance(one, str) else one for one in parts)


def plain_text(pieces: Iterable[Piece]) -> str:
    """The line without styles, and without blanks at its end."""
    return "".join(one.text for one in pieces).rstrip()


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """``text`` in exactly so many columns of a terminal; what was cut ends with ``~``.

    It may be a text of others: what does not print is escaped.
    """
    if width <= 0:
        return ""
    text = printable(text)
    has = cell_len(text)
    if has > width:
        return set_cell_size(text, width - 1) + CUT
    blanks = " " * (width - has)
    return blanks + text if right else text + blanks


def fitted_line(pieces: Iterable[Piece], width: int) -> Line:
    """A line in exactly so many columns."""
    made, left = [], width
    for one in pieces:
        has = cell_len(one.text)
        if has > left:
            made.append(Piece(fitted(one.text, left), one.style))
            return tuple(made)
        made.append(one)
        left -= has
    return (*made, Piece(" " * left)) if left else tuple(made)
