"""Widgets that show lines: a few fixed ones, a pane with a cursor, and lines to scroll through.

Each draws the lines that are visible and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from rich.cells import chop_cells
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from metaquorum.cli.top.layout import Pane
from metaquorum.cli.top.pieces import Line, Piece, fitted_line, line
from metaquorum.cli.top.rows import BrokerRow, ChangeRow, PartitionRow
from metaquorum.cli.top.sight import ReplicaRow

_CURSOR: Final = Style(reverse=True)
_FOCUS: Final = Style(underline=True)

MOVES: Final[list[BindingType]] = [
    Binding("up,k", "move(-1)", show=False),
    Binding("down,j", "move(1)", show=False),
    Binding("pageup", "page(-1)", show=False),
    Binding("pagedown", "page(1)", show=False),
    Binding("home", "move(-1000000)", show=False),
    Binding("end", "move(1000000)", show=False),
    Binding("enter", "choose", show=False),
]


class Lines(Widget):
    """Lines as they are; what is not covered by one is blank."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Have these lines from now on."""
        self._lines = lines
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        return self.strip(self._lines[y] if y < len(self._lines) else ())

    def strip(self, pieces: Line, over: Style | None = None) -> Strip:
        """A line in the width of this widget; ``over`` goes over all of its styles."""
        base = self.rich_style
        segments = []
        for one in fitted_line(pieces, self.size.width):
            style = base + Style.parse(one.style)
            segments.append(Segment(one.text, style if over is None else style + over))
        return Strip(segments, self.size.width)


class PaneView(Lines, can_focus=True):
    """A pane with its title and as many rows as there is room for, one of them under the cursor.

    The cursor stays with its row when rows come and go; at the first row it stays there.
    """

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    class Chosen(Message):
        """Somebody wants to look into this row."""

        def __init__(self, row: Any) -> None:
            super().__init__()
            self.row = row

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.pane: Pane | None = None
        self.cursor = 0
        self._top = 0
        self._key: object = None

    def show_pane(self, pane: Pane) -> None:
        """Have this pane from now on."""
        self.pane = pane
        if self._key is not None and self.cursor > 0:
            found = (at for at, row in enumerate(pane.rows) if key_of(row) == self._key)
            self.cursor = next(found, self.cursor)
        self._settle()

    def action_move(self, rows: int) -> None:
        """Move the cursor by so many rows."""
        self.cursor += rows
        self._settle()

    def action_page(self, pages: int) -> None:
        """Move the cursor by what is visible."""
        self.action_move(pages * max(1, self.size.height - 1))

    def action_choose(self) -> None:
        """Look into the row under the cursor."""
        if self.pane is not None and self.pane.rows:
            self.post_message(self.Chosen(self.pane.rows[self.cursor]))

    def render_line(self, y: int) -> Strip:
        """The title, then rows from the first visible one on."""
        pane = self.pane
        if pane is None:
            return self.strip(())
        if y == 0:
            return self.strip(pane.title, _FOCUS if self.has_focus else None)
        at = self._top + y - 1
        if at >= len(pane.rows):
            return self.strip(())
        is_here = self.has_focus and at == self.cursor
        return self.strip(pane.draw(pane.rows[at], self.size.width), _CURSOR if is_here else None)

    def on_resize(self) -> None:
        """The cursor stays visible."""
        self._settle()

    def _settle(self) -> None:
        rows = () if self.pane is None else self.pane.rows
        self.cursor = max(0, min(self.cursor, len(rows) - 1))
        self._key = key_of(rows[self.cursor]) if rows else None
        visible = max(1, self.size.height - 1)
        self._top = min(self._top, self.cursor, max(0, len(rows) - visible))
        self._top = max(self._top, self.cursor - visible + 1, 0)
        self.refresh()


class TextView(Lines, can_focus=True):
    """Lines of text to scroll through; long ones are wrapped.

    Where they are ``can_choose`` there is a cursor, and a line can be chosen.
    """

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    class Chosen(Message):
        """Somebody wants to look into what this line names."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, id: str, *, can_choose: bool = False) -> None:
        super().__init__(id)
        self.can_choose = can_choose
        self._texts: Sequence[str] = ()
        self._wrapped: list[str] = []
        self._at = 0
        self._top = 0

    @property
    def has_texts(self) -> bool:
        """Whether there is something to see."""
        return bool(self._texts)

    def show_texts(self, texts: Sequence[str]) -> None:
        """Have these lines from now on."""
        self._texts = texts
        self._wrap()

    def action_move(self, rows: int) -> None:
        """Move the cursor, or what is visible, by so many lines."""
        self._at += rows
        self._settle()

    def action_page(self, pages: int) -> None:
        """The same by what is visible."""
        self.action_move(pages * max(1, self.size.height))

    def action_choose(self) -> None:
        """Look into the line under the cursor."""
        if self.can_choose and self._at < len(self._wrapped):
            self.post_message(self.Chosen(self._wrapped[self._at]))

    def render_line(self, y: int) -> Strip:
        """A wrapped line."""
        at = self._top + y
        text = self._wrapped[at] if at < len(self._wrapped) else ""
        is_here = self.can_choose and at == self._at and at < len(self._wrapped)
        return self.strip(line(Piece(text)), _CURSOR if is_here else None)

    def on_resize(self) -> None:
        """Lines are wrapped anew."""
        self._wrap()

    def _wrap(self) -> None:
        width = max(1, self.size.width)
        self._wrapped = [part for text in self._texts for part in (chop_cells(text, width) or [""])]
        self._settle()

    def _settle(self) -> None:
        visible = max(1, self.size.height)
        last = len(self._wrapped) - (1 if self.can_choose else visible)
        self._at = max(0, min(self._at, last))
        if self.can_choose:
            self._top = max(min(self._top, self._at), self._at - visible + 1)
        else:
            self._top = self._at
        self.refresh()


def key_of(row: Any) -> object:
    """What tells a row from the others, and stays with it."""
    if isinstance(row, ChangeRow):
        return row.number
    if isinstance(row, PartitionRow):
        return row.name
    if isinstance(row, (BrokerRow, ReplicaRow)):
        return row.id
    return row
