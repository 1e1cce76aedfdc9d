"""Who led when, as a line of characters: epochs of the last minutes from left to right.

An epoch begins with ``|`` and its name where there is room, and goes on in ``=`` or ``-``, in
turns, so that it can be told from the next one without colours. ``.`` is a time when no leader was
known, a blank one of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch
from metaquorum.cli.top.pieces import LEADER_STYLES, MUTED, WARN, Line, Piece

_FILLS: Final = "=-"


@frozen
class Span:
    """A leader from ``since_ms`` on, -1 for none; times since 1970."""

    since_ms: int
    epoch: Epoch
    leader_id: NodeId

    @property
    def names(self) -> tuple[str, ...]:
        """As it stands in the band, the longest one first."""
        return f"e{self.epoch} node {self.leader_id} ", f"e{self.epoch} "


def band(spans: Sequence[Span], now_ms: int, window_ms: int, width: int) -> Line:
    """The line; ``spans`` are in the order of their times."""
    places: list[Span | None] = []
    at = -1
    for column in range(width):
        # The end of the column's time, so that what holds now is in the last one.
        until_ms = now_ms - window_ms + window_ms * (column + 1) // width
        while at + 1 < len(spans) and spans[at + 1].since_ms <= until_ms:
            at += 1
        places.append(spans[at] if at >= 0 else None)
    pieces: list[Piece] = []
    column = 0
    while column < width:
        span, end = places[column], column
        while end < width and places[end] is span:
            end += 1
        begins_here = column > 0 or (span is not None and span.since_ms > now_ms - window_ms)
        pieces.append(_drawn(span, end - column, begins_here, _FILLS[len(pieces) % 2]))
        column = end
    return tuple(pieces)


def _drawn(span: Span | None, width: int, begins_here: bool, fill: str) -> Piece:
    if span is None:
        return Piece(" " * width, MUTED)
    if span.leader_id < 0:
        return Piece("." * width, WARN)
    start = "|" if begins_here else ""
    room = width - len(start)
    name = next((one for one in span.names if len(one) < room), "")
    return Piece(f"{start}{name}".ljust(width, fill)[:width], style_of(span.leader_id))


def style_of(leader_id: NodeId) -> str:
    """The colour of a leader, the same in every epoch of it."""
    return LEADER_STYLES[leader_id % len(LEADER_STYLES)]
