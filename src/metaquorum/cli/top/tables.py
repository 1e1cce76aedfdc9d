"""The rows of the panes in columns, and the filter that rows are chosen by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from metaquorum.cli.top.pieces import (
    BAD,
    GOOD,
    HEADING,
    MUTED,
    PLAIN,
    STRONG,
    WARN,
    Line,
    Piece,
    fitted,
    fitted_line,
    line,
)
from metaquorum.cli.top.rows import OFFLINE, UNDER_MIN, BrokerRow, ChangeRow, PartitionRow
from metaquorum.cli.top.sight import ReplicaRow
from metaquorum.cli.top.texts import UNKNOWN, clock_text, ids_text, time_text
from metaquorum.metadata.tables.nodes import BrokerState
from metaquorum.metadata.tables.topics import NO_LEADER

_GAP: Final = "  "

VOTER_COLUMNS: Final = (
    ("NODE", 4, True),
    ("ROLE", 8, False),
    ("STATE", 9, False),
    ("LAG", 9, True),
    ("BEHIND", 8, True),
    ("ASKED", 8, True),
    ("END POINT", 0, False),
)
BROKER_COLUMNS: Final = (
    ("BROKER", 6, True),
    ("STATE", 11, False),
    ("RACK", 8, False),
    ("LEADERS", 7, True),
    ("REPLICAS", 8, True),
    ("DIRS OFF", 8, True),
    ("END POINT", 0, False),
)
Columns = tuple[tuple[str, int, bool], ...]
"""Heading, width (0 for what is left), whether it is set to the right."""


def heading(columns: Columns, width: int) -> Line:
    """The line above the rows."""
    return _cells(columns, [Piece(name, HEADING) for name, _, _ in columns], width)


def _cells(columns: Columns, cells: Sequence[Piece], width: int) -> Line:
    left = width - sum(size for _, size, _ in columns) - len(_GAP) * (len(columns) - 1)
    made: list[Piece] = []
    for (_, size, right), cell in zip(columns, cells, strict=True):
        text = fitted(cell.text, size or max(0, left), right=right)
        made += [Piece(text, cell.style), Piece(_GAP)]
    return fitted_line(made[:-1], width)


def draw_replica(row: ReplicaRow, width: int) -> Line:
    """A voter or an observer."""
    if not row.answers:
        state = Piece("silent", BAD if row.is_voter else WARN)
    elif row.is_caught_up:
        state = Piece("caught up", GOOD)
    else:
        state = Piece("behind", WARN)
    style = STRONG if row.role == "leader" else PLAIN
    return _cells(
        VOTER_COLUMNS,
        [
            Piece(str(row.id), style),
            Piece(row.role, style),
            state,
            Piece(UNKNOWN if row.lag is None else f"{row.lag:,}"),
            Piece(UNKNOWN if row.behind_ms is None else time_text(row.behind_ms)),
            Piece(UNKNOWN if row.since_fetch_ms is None else time_text(row.since_fetch_ms)),
            Piece(row.end_point or UNKNOWN),
        ],
        width,
    )


def draw_broker(row: BrokerRow, width: int) -> Line:
    """A broker."""
    styles = {BrokerState.UNFENCED: GOOD, BrokerState.CONTROLLED_SHUTDOWN: WARN}
    return _cells(
        BROKER_COLUMNS,
        [
            Piece(str(row.id)),
            Piece(row.state_words, styles.get(row.state, BAD)),
            Piece(UNKNOWN if row.rack is None else row.rack),
            Piece(f"{row.leaders:,}"),
            Piece(f"{row.replicas:,}"),
            Piece(str(row.directories_offline), BAD if row.directories_offline else PLAIN),
            Piece(row.end_point or UNKNOWN),
        ],
        width,
    )


def draw_partition(row: PartitionRow, width: int) -> Line:
    """A partition in trouble."""
    leader = "none" if row.leader == NO_LEADER else str(row.leader)
    where = f"leader {leader}  isr {ids_text(row.in_sync)} of {ids_text(row.replicas)}"
    is_bad = row.troubles[0] in (OFFLINE, UNDER_MIN)
    troubles = ", ".join(row.troubles)
    name_width = max(8, min(len(row.name), width - len(where) - len(troubles) - 2 * len(_GAP)))
    return fitted_line(
        line(
            fitted(row.name, name_width),
            _GAP,
            Piece(troubles, BAD if is_bad else WARN),
            _GAP,
            where,
        ),
        width,
    )


def draw_change(row: ChangeRow, width: int) -> Line:
    """A change of the log."""
    style = {"leader": STRONG, "broker": WARN, "log": MUTED}.get(row.kind, PLAIN)
    place = f"{clock_text(row.time_ms)} {row.offset:>7}  "
    words = fitted(row.words, max(0, width - len(place)))
    return fitted_line(line(Piece(place, MUTED), Piece(words, style)), width)


def chosen(rows: Sequence[Any], wanted: str) -> Sequence[Any]:
    """The rows in which the text is, in any case."""
    if not wanted:
        return rows
    text = wanted.lower()
    return [row for row in rows if text in _text_of(row)]


def _text_of(row: Any) -> str:
    """What a filter looks in."""
    if isinstance(row, PartitionRow):
        return f"{row.name} {' '.join(row.troubles)} leader {row.leader}".lower()
    if isinstance(row, BrokerRow):
        return f"{row.id} {row.state_words} {row.rack or ''} {row.end_point}".lower()
    if isinstance(row, ReplicaRow):
        return f"{row.id} {row.role} {row.end_point}".lower()
    return f"{row.offset} {row.words}".lower()
