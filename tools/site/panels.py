"""Draws the panels of the dashboards from what a Prometheus recorded beside a cluster in trouble.

The recordings in `panel_data/` are made by the interop tests of the exporter, when they run with
DASHBOARDS_REWRITE=1. It is a process of its own: Sphinx takes matplotlib for a mock.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from matplotlib.ticker import MaxNLocator

from codegen.monitoring.dashboards_page import picture_name
from codegen.monitoring.panels import BANDS, DASHBOARDS, NUMBER, Panel
from pyspark_metaquorum.report.canvas import COLOURS, GREY, INK, canvas, svg

DATA: Final = Path(__file__).parent / "panel_data"
MOST_NAMES: Final = 8
Series = dict[str, Any]
_UNITS: Final = {
    "ms": "ms",
    "s": "s",
    "Bps": "bytes/s",
    "bytes": "bytes",
    "ops": "per second",
    "percentunit": "share",
}


def drawn(panel: Panel, rows: Sequence[Series], name: str) -> str:
    """One panel as an SVG element."""
    draw = {NUMBER: _number, BANDS: _bands}.get(panel.kind, _lines)
    return svg(draw(panel, rows), name)


def _number(panel: Panel, rows: Sequence[Series]) -> Any:
    figure, (axes,) = canvas(1.1)
    axes.set_axis_off()
    value = rows[0]["points"][-1][1]
    axes.text(0.01, 0.5, f"{value:g}", fontsize=28, color=INK, va="center")
    axes.text(0.12, 0.5, "at the end of the recording", color=GREY, va="center")
    return figure


def _lines(panel: Panel, rows: Sequence[Series]) -> Any:
    figure, (axes,) = canvas(2.6)
    for at, row in enumerate(_named(rows)):
        for piece in _pieces(row["points"]):
            xs, ys = zip(*piece, strict=True)
            colour = COLOURS[at % len(COLOURS)]
            style = "-" if at < len(COLOURS) else "--"
            axes.plot(xs, ys, style, color=colour, label=row["name"], linewidth=1.4)
    _time_of(axes)
    axes.set_ylabel(_UNITS.get(panel.unit, ""))
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.grid(axis="y")
    _legend_once(axes)
    return figure


def _bands(panel: Panel, rows: Sequence[Series]) -> Any:
    figure, (axes,) = canvas(1.0 + 0.36 * len(rows))
    words = dict(panel.values)
    colours: dict[float, str] = {}
    for at, row in enumerate(rows):
        for start, end, value in _runs(row["points"]):
            colour = colours.setdefault(value, COLOURS[len(colours) % len(COLOURS)])
            text = words.get(int(value), f"{value:g}")
            axes.barh(at, end - start, left=start, height=0.7, color=colour, label=text)
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.invert_yaxis()
    _time_of(axes)
    _legend_once(axes)
    return figure


def _named(rows: Sequence[Series]) -> Sequence[Series]:
    """Those that say the most, where there are more than a legend holds."""
    if len(rows) <= MOST_NAMES:
        return rows
    return sorted(rows, key=_peak, reverse=True)[:MOST_NAMES]


def _peak(row: Series) -> float:
    return max(float(value) for _, value in row["points"])


def _step(points: Sequence[Sequence[float]]) -> float:
    return min((b[0] - a[0] for a, b in pairwise(points)), default=1)


def _pieces(points: Sequence[Sequence[float]]) -> Iterator[Sequence[Sequence[float]]]:
    """Points without a gap between them."""
    step, first = _step(points), 0
    for at in range(1, len(points) + 1):
        if at == len(points) or points[at][0] - points[at - 1][0] > 2 * step:
            yield points[first:at]
            first = at


def _runs(points: Sequence[Sequence[float]]) -> Iterator[tuple[float, float, float]]:
    """From when to when the value was the same."""
    step = _step(points)
    for piece in _pieces(points):
        start, value = piece[0]
        for at, found in piece:
            if found != value:
                yield start, at, value
                start, value = at, found
        yield start, piece[-1][0] + step, value


def _time_of(axes: Any) -> None:
    axes.set_xlabel("seconds of the recording")
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))


def _legend_once(axes: Any) -> None:
    handles, names = axes.get_legend_handles_labels()
    once = dict(zip(names, handles, strict=True))
    if len(once) > 1:
        axes.legend(
            once.values(),
            once.keys(),
            loc="lower right",
            bbox_to_anchor=(1, 1.0),
            ncols=4,
            borderaxespad=0.2,
            frameon=False,
        )


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for board in DASHBOARDS:
        data = json.loads((DATA / f"{board.uid}.json").read_text(encoding="utf-8"))
        for panel in board.panels:
            name = picture_name(board, panel)
            text = drawn(panel, data[panel.title], name.removesuffix(".svg"))
            (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
