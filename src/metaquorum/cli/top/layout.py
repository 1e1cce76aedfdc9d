"""How a sight is laid out in lines: a head, the band of epochs, and four panes.

Each of these fits a width of 80 columns without a cut where names are of the usual length; what
is longer ends with ``~``, and whole where one looks into it. Only rows that are shown are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from attrs import frozen

from metaquorum.cli.top.band import band
from metaquorum.cli.top.history import EVENTS_MS
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
    fitted_line,
    line,
    plain_text,
)
from metaquorum.cli.top.rows import (
    NOT_PREFERRED,
    OFFLINE,
    REASSIGNING,
    UNDER_MIN,
    UNDER_REPLICATED,
)
from metaquorum.cli.top.sight import Sight
from metaquorum.cli.top.tables import (
    BROKER_COLUMNS,
    VOTER_COLUMNS,
    chosen,
    draw_broker,
    draw_change,
    draw_partition,
    draw_replica,
    heading,
)
from metaquorum.cli.top.texts import (
    UNKNOWN,
    age_text,
    bytes_text,
    clock_text,
    counted,
    minutes,
    time_text,
)
from metaquorum.exporter import tally
from metaquorum.exporter.followed_log import LEADER_CHANGES
from metaquorum.exporter.known import LOG, QUORUM
from metaquorum.metadata.tables.nodes import BrokerState

VOTERS: Final = "voters"
BROKERS: Final = "brokers"
PARTITIONS: Final = "partitions"
CHANGES: Final = "changes"
PANES: Final = (VOTERS, BROKERS, PARTITIONS, CHANGES)
HEAD_LINES: Final = 6
LEAST_ROWS: Final = 2  # of each pane, before the one that is looked at gets more


@frozen
class Pane:
    """One table: its title, its rows, and how one of them is drawn in a width."""

    name: str
    title: Line
    rows: Sequence[Any]
    draw: Callable[[Any, int], Line]


# ---------------------------------------------------------------- head


def head_lines(sight: Sight, width: int, window_ms: int, *, is_paused: bool = False) -> list[Line]:
    """``HEAD_LINES`` lines: cluster, leader, rates, events, counts, and the band of epochs."""
    clock = clock_text(sight.wall_ms)
    right = f"{'PAUSED  ' if is_paused else ''}{clock} UTC"
    cluster = line(Piece("cluster ", MUTED), Piece(sight.cluster_id or "not known yet", STRONG))
    label = f"{minutes(window_ms)} "
    drawn = band(sight.spans, sight.wall_ms, window_ms, max(0, width - len(label)))
    return [
        (*fitted_line(cluster, max(0, width - len(right) - 1)), Piece(f" {right}")),
        fitted_line(_leader(sight), width),
        fitted_line(_sources(sight), width),
        fitted_line(_second_line_of_sources(sight), width),
        fitted_line(_counts(sight), width),
        fitted_line((Piece(label, MUTED), *drawn), width),
    ]


def _leader(sight: Sight) -> Line:
    watermark = UNKNOWN if sight.high_watermark is None else f"{sight.high_watermark:,}"
    if sight.leader_id < 0:
        return line(Piece("no leader known", BAD), f"; high watermark {watermark}")
    if sight.leader_since_ms is None:
        since = ""
    else:
        at_least = "" if sight.since_is_exact else "at least "
        since = f", for {at_least}{time_text(max(0, sight.wall_ms - sight.leader_since_ms))}"
    words = f"{sight.leader_id}, epoch {sight.epoch}"
    if not sight.has_leader:
        last = f"; the last one was {words}; high watermark {watermark}"
        return line(Piece("NO LEADER ANSWERS", BAD), last)
    return line("leader ", Piece(words, STRONG), since, f"; high watermark {watermark}")


def _sources(sight: Sight) -> Line:
    """Rates, and how old what is known is; who cannot be reached, in their place."""
    failing = [
        f"{name}: {one.failing}, {age_text(one.since_ms)}"
        for name, one in sorted(sight.sources.items())
        if one.failing is not None
    ]
    if failing:
        if all(one.since_ms is None and not one.why for one in sight.sources.values()):
            return line(Piece("asking for the first time", WARN))
        return line(Piece("CANNOT REACH ", BAD), "; ".join(failing))
    rates = sight.rates
    per_s = UNKNOWN if rates.records_per_s is None else f"{rates.records_per_s:,.1f}"
    bytes_per_s = UNKNOWN if rates.bytes_per_s is None else bytes_text(rates.bytes_per_s)
    ages = ", ".join(
        f"{name} {age_text(sight.sources[name].since_ms)}"
        for name in (LOG, QUORUM)
        if name in sight.sources
    )
    return line(f"{per_s} records/s, {bytes_per_s}/s; {ages}")


def _second_line_of_sources(sight: Sight) -> Line:
    """Events of the last minute, or of the part that was seen; or why nobody can be reached."""
    for _, one in sorted(sight.sources.items()):
        if one.failing is not None and one.why:
            return line(Piece(one.why, WARN))
    if not sight.log_is_read:
        place = UNKNOWN if sight.position is None else f"{sight.position:,}"
        return line(Piece(f"reading the log, at offset {place}", WARN))
    events = sight.rates.events
    count = {name: events.get(name, 0) for name in events}
    elections, fenced = count.get(LEADER_CHANGES, 0), count.get(tally.BROKERS_FENCED, 0)
    shrinks, expands = count.get(tally.ISR_SHRINKS, 0), count.get(tally.ISR_EXPANDS, 0)
    moved = count.get(tally.LEADERS_CHANGED, 0)
    seen_ms = sight.rates.events_ms
    if seen_ms == 0:
        return line("events are counted from now on")
    minute = "minute" if seen_ms >= EVENTS_MS else time_text(seen_ms)
    return line(
        f"last {minute}: ",
        Piece(counted(elections, "election"), WARN if elections else PLAIN),
        ", ",
        Piece(counted(fenced, "fencing"), WARN if fenced else PLAIN),
        ", ISR ",
        Piece(f"-{shrinks} +{expands}", WARN if shrinks else PLAIN),
        f", {counted(moved, 'partition leader')} moved",
    )


def _counts(sight: Sight) -> Line:
    states = sight.broker_states
    active, fenced = states.get(BrokerState.UNFENCED, 0), states.get(BrokerState.FENCED, 0)
    leaving = states.get(BrokerState.CONTROLLED_SHUTDOWN, 0)
    return line(
        "brokers: ",
        Piece(f"{active} active", PLAIN),
        ", ",
        Piece(f"{fenced} fenced", BAD if fenced else PLAIN),
        ", ",
        Piece(f"{leaving} in shutdown", WARN if leaving else PLAIN),
        f"; {counted(sight.topics, 'topic')}, {counted(sight.partitions.all, 'partition')}",
    )


# ---------------------------------------------------------------- panes


def panes(sight: Sight, width: int, wanted: str = "") -> list[Pane]:
    """All panes, of rows in which the text ``wanted`` is (in any case)."""
    return [
        Pane(VOTERS, heading(VOTER_COLUMNS, width), chosen(sight.replicas, wanted), draw_replica),
        Pane(BROKERS, heading(BROKER_COLUMNS, width), chosen(sight.brokers, wanted), draw_broker),
        Pane(
            PARTITIONS,
            fitted_line(_partitions_title(sight, width), width),
            chosen(sight.partition_rows, wanted),
            draw_partition,
        ),
        Pane(
            CHANGES,
            fitted_line((Piece("CHANGES, the newest first", HEADING),), width),
            chosen(sight.changes, wanted),
            draw_change,
        ),
    ]


_SHORT: Final = {
    UNDER_MIN: "min ISR",
    UNDER_REPLICATED: "under",
    REASSIGNING: "moving",
    NOT_PREFERRED: "not pref.",
}


def _partitions_title(sight: Sight, width: int) -> Line:
    found = sight.partitions
    counts = [
        (OFFLINE, found.offline, BAD),
        (UNDER_MIN, found.under_min_in_sync, BAD),
        (UNDER_REPLICATED, found.under_replicated, WARN),
        (REASSIGNING, found.reassigning, WARN),
        # Those without a leader are not led by the preferred one either; they are told as offline.
        (NOT_PREFERRED, max(0, found.not_preferred - found.offline), WARN),
    ]
    told = [one for one in counts if one[1]]
    title = Piece("PARTITIONS ", HEADING)
    if not told:
        return line(title, Piece("none is in trouble", GOOD))
    for short in (False, True):
        made: list[Piece] = [title]
        for name, count, style in told:
            word = _SHORT.get(name, name) if short else name
            made += [Piece(f"{count:,} {word}", style), Piece(", ")]
        if sum(len(one.text) for one in made[:-1]) <= width:
            break
    return tuple(made[:-1])


# ---------------------------------------------------------------- heights


def shares(lines: int, wanted: Sequence[int], focus: int) -> list[int]:
    """How many lines each pane has, its title included, of so many for all of them.

    ``wanted`` are their rows. Each has its title and ``LEAST_ROWS``; then the one in focus gets
    what it wants, then the others, the first one first; what is left goes to the last.
    """
    made = [0] * len(wanted)
    left = lines

    def give(at: int, rows: int) -> None:
        nonlocal left
        more = max(0, min(rows - made[at], left))
        made[at] += more
        left -= more

    for at in range(len(wanted)):
        give(at, 1)
    for rows in range(1, LEAST_ROWS + 1):
        for at in (focus, *(one for one in range(len(wanted)) if one != focus)):
            give(at, 1 + min(wanted[at], rows))
    for at in (focus, *(one for one in range(len(wanted)) if one != focus)):
        give(at, 1 + wanted[at])
    made[-1] += left
    return made


def page_lines(sight: Sight, width: int, rows: int, window_ms: int) -> Iterator[str]:
    """The whole screen as plain text, at most so many rows of a pane."""
    for one in head_lines(sight, width, window_ms):
        yield plain_text(one)
    for pane in panes(sight, width):
        yield ""
        yield plain_text(pane.title)
        for row in pane.rows[:rows]:
            yield plain_text(pane.draw(row, width))
        if len(pane.rows) > rows:
            yield f"and {len(pane.rows) - rows:,} more"
