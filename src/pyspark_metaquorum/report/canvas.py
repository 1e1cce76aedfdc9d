"""How pictures look: sizes, colours, axes of time; and how they become SVG without a date in it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any, Final

import matplotlib
import numpy as np
from matplotlib import dates
from matplotlib.figure import Figure

WIDTH_IN: Final = 10.0
INK: Final = "#24292f"
FAINT: Final = "#d0d7de"
GREY: Final = "#8c959f"
GOOD: Final = "#2f8f5b"
BAD: Final = "#c4432b"
NOTE: Final = "#b7791f"
# Distinguished by most eyes, in this order.
COLOURS: Final = (
    "#3b6fb6",
    "#d9822b",
    "#5a9e6f",
    "#a4508b",
    "#7a6a53",
    "#3fa7b5",
    "#c2547d",
    "#8a8f3c",
)
_STYLE: Final = {
    "svg.fonttype": "none",
    "svg.hashsalt": "metaquorum",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}


def canvas(height_in: float, rows: int = 1) -> tuple[Any, Sequence[Any]]:
    """A figure with axes one above the other, which share the time below them."""
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
        found = figure.subplots(rows, 1, sharex=True, squeeze=False)
    return figure, [row[0] for row in found]


def legend(axes: Any, *, columns: int, loc: str = "lower right", at: Any = (1, 1.0)) -> None:
    """What the colours mean, above the picture by default."""
    axes.legend(loc=loc, bbox_to_anchor=at, ncols=columns, borderaxespad=0.2, frameon=False)


def time_axis(axes: Any, first: Any, last: Any) -> None:
    """Time along the bottom, in UTC, with a little room at both ends."""
    low, high = dates.date2num([first, last])
    room = max((high - low) * 0.015, 0.5 / 86_400)
    axes.set_xlim(low - room, high + room)
    locator = dates.AutoDateLocator(minticks=4, maxticks=9, tz="UTC")
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, tz="UTC"))
    axes.grid(axis="x")


def as_times(column: Any) -> Any:
    """A column of timestamps as numpy has them; null is not-a-time."""
    return column.cast("timestamp[us]").to_numpy(zero_copy_only=False).astype("datetime64[us]")


def moment(value_ms: int | None) -> Any:
    """Milliseconds since 1970 as numpy has them."""
    return np.datetime64(0 if value_ms is None else value_ms, "ms").astype("datetime64[us]")


def svg(figure: Any, name: str) -> str:
    """The figure as an element for a page: it scales with it, and its ids begin with ``name``."""
    out = io.StringIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r'(<svg [^>]*?)width="[^"]*" height="[^"]*"', r"\1", text, count=1)
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", text)


def png(figure: Any) -> bytes:
    """The same as pixels, to look at one picture."""
    out = io.BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(out, format="png", dpi=110)
    return out.getvalue()
