"""The pictures of a report: each takes a table and gives a figure, or None if it is empty."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow.compute as pc
from matplotlib import dates
from matplotlib.ticker import MaxNLocator

from pyspark_metaquorum.report.canvas import (
    BAD,
    COLOURS,
    FAINT,
    GOOD,
    GREY,
    INK,
    NOTE,
    as_times,
    canvas,
    legend,
    moment,
    time_axis,
)

_BINS: Final = 80
_TOP: Final = 15
_LANES: Final = 14
_EPOCH_LABELS: Final = 60
Span = tuple[Any, Any]


def span_of(about: dict[str, Any]) -> Span:
    """From the first to the last record."""
    return moment(about["first_ms"]), moment(about["last_ms"])


def draw_epochs(table: Any, span: Span) -> Any | None:
    """Who led the quorum, and from when to when."""
    if table.num_rows == 0:
        return None
    table = table.sort_by("start_offset")
    leaders = table["leader_id"].to_pylist()
    starts, ends = as_times(table["started"]), as_times(table["ended"])
    ends = np.where(np.isnat(ends), span[1], ends)
    names = sorted(set(leaders))
    figure, (axes,) = canvas(1.1 + 0.45 * len(names))
    low, wide = dates.date2num(starts), dates.date2num(ends) - dates.date2num(starts)
    rows = [names.index(one) for one in leaders]
    colours = [COLOURS[row % len(COLOURS)] for row in rows]
    axes.barh(rows, wide, left=low, height=0.6, color=colours, edgecolor="white", linewidth=0.8)
    # However short it was, an epoch is seen.
    for row, left, colour in zip(rows, low, colours):
        axes.vlines(left, row - 0.38, row + 0.38, color=colour, linewidth=1.6)
    whole = max(float(np.ptp(dates.date2num(np.asarray(span)))), 1e-9)
    for row, left, width, epoch in zip(rows, low, wide, table["epoch"].to_pylist()):
        if width > whole * 0.02 * len(str(epoch)) ** 0.5 and table.num_rows <= _EPOCH_LABELS:
            at = left + width / 2
            axes.text(at, row, str(epoch), ha="center", va="center", color="white", fontsize=9)
    axes.set_yticks(range(len(names)), [f"controller {one}" for one in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    time_axis(axes, *span)
    return figure


def draw_churn(isr: Any, leaders: Any, span: Span) -> Any | None:
    """Replicas that came into sync and fell out of it, and leaders that changed."""
    if isr.num_rows == 0 and leaders.num_rows == 0:
        return None
    figure, (above, below) = canvas(4.2, rows=2)
    edges = _edges(span)
    width = float(edges[1] - edges[0])
    at = dates.date2num(as_times(isr["timestamp"]))
    for column, sign, colour, name in (
        ("joined", 1, GOOD, "joined the ISR"),
        ("left", -1, BAD, "left the ISR"),
    ):
        weights = pc.fill_null(pc.list_value_length(isr[column]), 0).to_numpy()
        counts, _ = np.histogram(at, edges, weights=weights)
        above.bar(edges[:-1], sign * counts, width, align="edge", color=colour, label=name)
    above.axhline(0, color=INK, linewidth=0.8)
    above.set_ylabel("replicas")
    clean = pc.fill_null(leaders["clean"], True).to_numpy(zero_copy_only=False).astype(bool)
    gone = leaders["leader_after"].to_numpy() < 0
    moved = dates.date2num(as_times(leaders["timestamp"]))
    bottom = np.zeros(len(edges) - 1)
    for chosen, colour, name in (
        (clean & ~gone, COLOURS[0], "new leader, in sync"),
        (~clean & ~gone, BAD, "new leader, out of sync"),
        (gone, NOTE, "no leader"),
    ):
        counts, _ = np.histogram(moved[chosen], edges)
        if counts.any():
            below.bar(edges[:-1], counts, width, bottom, align="edge", color=colour, label=name)
        bottom = bottom + counts
    below.set_ylabel("partitions")
    for axes in (above, below):
        axes.grid(axis="y")
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
        if axes.get_legend_handles_labels()[0]:
            legend(axes, columns=3, loc="lower left", at=(0, 1.0))
        time_axis(axes, *span)
    above.yaxis.set_major_formatter(lambda value, _: f"{abs(value):.0f}")
    return figure


def draw_growth(table: Any, span: Span) -> Any | None:
    """How many topics, partitions and brokers there were."""
    wanted = [name for name in ("topics", "partitions", "brokers") if _rows_of(table, name)]
    if not wanted:
        return None
    figure, rows = canvas(0.6 + 1.45 * len(wanted), rows=len(wanted))
    for axes, name, colour in zip(rows, wanted, COLOURS):
        one = table.filter(pc.equal(table["table"], name)).sort_by("until")
        until = np.minimum(as_times(one["until"]), span[1])
        count = one["count"].to_numpy()
        first = count[0] - (one["added"][0].as_py() - one["removed"][0].as_py())
        times = np.concatenate([[span[0]], until, [span[1]]])
        values = np.concatenate([[first], count, [count[-1]]])
        axes.step(times, values, where="post", color=colour, linewidth=1.8)
        axes.fill_between(times, values, step="post", color=colour, alpha=0.12)
        axes.set_title(f"{name}: {count[-1]:,}", color=colour, loc="left")
        axes.set_ylim(0, max(values) * 1.15 + 0.5)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
        axes.grid(axis="y")
        time_axis(axes, *span)
    return figure


def draw_movers(table: Any) -> Any | None:
    """The partitions with the most changes, and what changed."""
    kinds = (
        ("leader_changes", "leader", COLOURS[0]),
        ("isr_shrinks", "ISR shrank", BAD),
        ("isr_expands", "ISR grew", GOOD),
        ("moves", "replicas moved", COLOURS[3]),
    )
    total = sum(table[name].to_numpy() for name, _, _ in kinds)
    order = np.argsort(-total, kind="stable")[:_TOP]
    order = order[total[order] > 0][::-1]
    if not len(order):
        return None
    top = table.take(order)
    names = [f"{row['topic']}-{row['partition']}" for row in top.to_pylist()]
    figure, (axes,) = canvas(1.0 + 0.28 * len(names))
    left = np.zeros(len(names))
    for column, label, colour in kinds:
        values = top[column].to_numpy()
        if values.any():
            axes.barh(range(len(names)), values, 0.7, left, color=colour, label=label)
        left = left + values
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="x")
    axes.set_xlabel("changes")
    legend(axes, columns=4)
    return figure


def draw_configs(table: Any, span: Span) -> Any | None:
    """When which setting was changed; a lane a setting, the most changed ones above."""
    if table.num_rows == 0:
        return None
    counted = table.group_by("name").aggregate([("name", "count")]).to_pylist()
    counted.sort(key=lambda row: (-row["name_count"], row["name"]))
    lanes = [row["name"] for row in counted[:_LANES]]
    others = table.num_rows - sum(row["name_count"] for row in counted[:_LANES])
    names = [*lanes, f"{len(counted) - _LANES} others"] if others else lanes
    figure, (axes,) = canvas(1.2 + 0.3 * len(names))
    at = dates.date2num(as_times(table["timestamp"]))
    lane = {name: row for row, name in enumerate(lanes)}
    rows = np.array([lane.get(name, len(lanes)) for name in table["name"].to_pylist()])
    what = np.array(table["what"].to_pylist())
    for kind, colour, marker in (
        ("added", GOOD, "o"),
        ("changed", COLOURS[0], "D"),
        ("removed", BAD, "X"),
    ):
        chosen = what == kind
        if chosen.any():
            look = {"marker": marker, "label": kind, "edgecolors": "white", "linewidths": 0.6}
            axes.scatter(at[chosen], rows[chosen], s=34, c=colour, zorder=3, **look)
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="y")
    legend(axes, columns=3)
    time_axis(axes, *span)
    return figure


def draw_brokers(fencing: Any, sessions: Any, span: Span) -> Any | None:
    """When each broker was registered (pale) and serving (full)."""
    if sessions.num_rows == 0:
        return None
    names = sorted(set(sessions["broker_id"].to_pylist()))
    figure, (axes,) = canvas(1.1 + 0.38 * len(names))
    end = dates.date2num(span[1])
    for row in sessions.to_pylist():
        left = dates.date2num(row["registered"])
        right = end if row["ended"] is None else dates.date2num(row["ended"])
        place = names.index(row["broker_id"])
        axes.barh(place, right - left, 0.62, left, color=FAINT)
        axes.plot([left, left], [place - 0.38, place + 0.38], color=INK, linewidth=1)
    serving: dict[int, float] = {}
    for row in fencing.sort_by("offset").to_pylist():
        at, broker = dates.date2num(row["timestamp"]), row["broker_id"]
        if row["fenced"] is False and not row["in_controlled_shutdown"]:
            serving.setdefault(broker, at)
        elif broker in serving:
            begin = serving.pop(broker)
            axes.barh(names.index(broker), at - begin, 0.62, begin, color=COLOURS[2])
    for broker, begin in serving.items():
        axes.barh(names.index(broker), end - begin, 0.62, begin, color=COLOURS[2])
    axes.set_yticks(range(len(names)), [f"broker {one}" for one in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    time_axis(axes, *span)
    return figure


def draw_mix(table: Any) -> Any | None:
    """What the log is made of, by records and by bytes."""
    if table.num_rows == 0:
        return None
    top = table.sort_by([("bytes", "ascending")])
    top = top.slice(max(0, top.num_rows - _TOP))
    figure, (axes,) = canvas(1.0 + 0.3 * top.num_rows)
    rows = np.arange(top.num_rows)
    share = {}
    for column, colour, shift in (("records", COLOURS[0], 0.2), ("bytes", COLOURS[1], -0.2)):
        values = top[column].to_numpy().astype(float)
        whole = float(pc.sum(table[column]).as_py() or 0)
        share[column] = 100 * values / whole if whole else values
        axes.barh(rows + shift, share[column], 0.38, color=colour, label=column)
    for row, (records, size) in enumerate(
        zip(top["records"].to_pylist(), top["bytes"].to_pylist())
    ):
        at = max(share["records"][row], share["bytes"][row])
        sizes = f" {records:,} records, {_size(size)}"
        axes.text(at, row, sizes, va="center", fontsize=8.5, color=GREY)
    axes.set_yticks(rows, top["type"].to_pylist())
    axes.set_xlim(0, max(max(one) for one in share.values()) * 1.25 + 1)
    axes.set_xlabel("per cent of the whole")
    axes.grid(axis="x")
    legend(axes, columns=2)
    return figure


def _edges(span: Span) -> Any:
    low, high = dates.date2num(np.asarray(span))
    return np.linspace(low, max(high, low + 1 / 86_400), _BINS + 1)


def _rows_of(table: Any, name: str) -> bool:
    return bool(pc.any(pc.equal(table["table"], name)).as_py())


def _short(name: str) -> str:
    return name if len(name) <= 34 else f"{name[:16]}...{name[-15:]}"


def _size(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"
