"""The page: figures of the landed log with their pictures and tables, in one file of HTML."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, Final

from attrs import frozen

from pyspark_metaquorum.report import pictures
from pyspark_metaquorum.report.canvas import svg
from pyspark_metaquorum.report.landed_tables import LandedTables

_ROWS: Final = 50
_CSS: Final = """
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 66rem; padding: 2rem 1.25rem 4rem; background: #fff;
  color: #24292f; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.75rem 0 0.25rem; }
p { margin: 0.25rem 0 0.75rem; color: #57606a; }
code, td, th { font-variant-numeric: tabular-nums; }
nav a { margin-right: 1rem; color: #3b6fb6; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.75rem;
  margin: 1.5rem 0 0.75rem; padding: 0; }
.tiles div { border: 1px solid #d0d7de; border-radius: 8px; padding: 0.6rem 0.9rem; }
.tiles dt { font-size: 0.8rem; color: #57606a; } .tiles dd { margin: 0; font-size: 1.35rem; }
.warning { border-left: 4px solid #c4432b; background: #fdf1ee; color: #24292f;
  padding: 0.7rem 1rem; margin: 1rem 0; }
figure { margin: 0; } figure svg { width: 100%; height: auto; display: block; }
details { margin-top: 0.5rem; } summary { cursor: pointer; color: #3b6fb6; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.82rem; margin-top: 0.5rem; }
th, td { text-align: left; padding: 0.2rem 0.9rem 0.2rem 0; border-bottom: 1px solid #eaeef2;
  vertical-align: top; white-space: nowrap; max-width: 30rem; overflow: hidden;
  text-overflow: ellipsis; }
th { color: #57606a; font-weight: 600; }
@media print { details { display: none; } }
"""


@frozen
class Section:
    """A heading, what it is about, a picture, and a table to go with it."""

    anchor: str
    title: str
    about: str
    draw: Callable[[Mapping[str, Any], pictures.Span], Any | None]
    table: str
    columns: tuple[str, ...]
    newest: str | None = None  # the column by which the last rows are shown first


_SECTIONS: Final = (
    Section(
        "epochs",
        "Quorum epochs",
        "Who led the quorum. A bar is an epoch, from its leader's first record to the next "
        "leader's first one; gaps of elections are in the bar before them.",
        lambda report, span: pictures.draw_epochs(report["leader_epochs"], span),
        "leader_epochs",
        ("epoch", "leader_id", "start_offset", "started", "lasted_ms", "voters"),
        "epoch",
    ),
    Section(
        "churn",
        "ISR and leader churn",
        "Replicas that joined and left in-sync sets (above), and partitions whose leader "
        "changed (below). Creation and deletion of partitions are not counted.",
        lambda report, span: pictures.draw_churn(
            report["isr_changes"], report["leader_changes"], span
        ),
        "leader_changes",
        ("offset", "timestamp", "topic", "partition", "leader_before", "leader_after", "clean"),
        "offset",
    ),
    Section(
        "growth",
        "Growth",
        "How many topics, partitions and brokers there were.",
        lambda report, span: pictures.draw_growth(report["growth"], span),
        "growth",
        ("table", "from", "until", "added", "removed", "count"),
        "until",
    ),
    Section(
        "movers",
        "Top movers",
        "The partitions that changed most, and in what.",
        lambda report, span: pictures.draw_movers(report["top_movers"]),
        "top_movers",
        (
            "topic",
            "partition",
            "changes",
            "leader_changes",
            "isr_shrinks",
            "isr_expands",
            "moves",
            "last_change",
        ),
    ),
    Section(
        "configs",
        "Config changes",
        "Each change of a dynamic setting; those that were changed most are above.",
        lambda report, span: pictures.draw_configs(report["config_audit"], span),
        "config_audit",
        (
            "offset",
            "timestamp",
            "what",
            "resource_type",
            "resource",
            "name",
            "value_before",
            "value_after",
        ),
        "offset",
    ),
    Section(
        "brokers",
        "Brokers",
        "Pale: registered, but fenced or shutting down. Full: serving. A line marks each "
        "registration.",
        lambda report, span: pictures.draw_brokers(
            report["fencing"], report["broker_sessions"], span
        ),
        "broker_sessions",
        ("broker_id", "broker_epoch", "registered", "ended", "unfenced", "serving_ms"),
        "broker_epoch",
    ),
    Section(
        "mix",
        "What the log is made of",
        "Records by their type, and the bytes of their values.",
        lambda report, span: pictures.draw_mix(report["record_mix"]),
        "record_mix",
        ("type", "records", "bytes", "share", "first", "last"),
    ),
)
_DRAWN: Final = (
    "leader_epochs",
    "isr_changes",
    "leader_changes",
    "growth",
    "top_movers",
    "config_audit",
    "fencing",
    "broker_sessions",
    "record_mix",
)


def make_page(tables: LandedTables) -> str:
    """The whole page. Raises OperatorError for tables that cannot be read."""
    report = {name: tables.table(f"report/{name}") for name in _DRAWN}
    span = pictures.span_of(tables.about)
    parts = [_head(tables.about), _tiles(tables), _warning(tables)]
    parts.append("<nav>")
    parts += [f'<a href="#{one.anchor}">{escape(one.title)}</a>' for one in _SECTIONS]
    parts.append("</nav>")
    parts += [_section(tables, one, one.draw(report, span)) for one in _SECTIONS]
    parts.append("</body></html>")
    return "\n".join(part for part in parts if part) + "\n"


def _head(about: dict[str, Any]) -> str:
    source = escape(str(about["source"]))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'  # or a browser asks the page's server for one
        f"<title>Metadata log of {source}</title><style>{_CSS}</style></head><body>"
        f"<h1>Metadata log of <code>{source}</code></h1>"
        f"<p>{_time(about['first_ms'])} to {_time(about['last_ms'])} UTC, up to offset "
        f"{about['end']:,} in epoch {about['epoch']:,}</p>"
    )


def _tiles(tables: LandedTables) -> str:
    about = tables.about
    now = {
        name: tables.table(f"history/{name}", ["valid_to_offset"])["valid_to_offset"].null_count
        for name in ("topics", "partitions", "brokers", "configs", "acls")
    }
    summary = {
        "records": about["records"],
        **now,
        "ISR changes": tables.count("report/isr_changes"),
        "leader changes": tables.count("report/leader_changes"),
        "could not be read": about["problems"],
    }
    inside = "".join(
        f"<div><dt>{name}</dt><dd>{count:,}</dd></div>" for name, count in summary.items()
    )
    return f'<dl class="tiles">{inside}</dl>'


def _warning(tables: LandedTables) -> str:
    about = tables.about
    if not about["problems"]:
        return ""
    until = (
        f" The tables end before it, at offset {about['end']:,}."
        if about["end"] < about["landed_end"]
        else ""
    )
    columns = ["source", "offset", "type_id", "version", "problem"]
    rows = tables.table("errors", columns)
    shown = _table(rows.slice(0, _ROWS).to_pylist(), tuple(columns))
    return (
        f'<div class="warning"><strong>Not everything could be read.</strong>{until}'
        f"<details><summary>what</summary>{shown}</details></div>"
    )


def _section(tables: LandedTables, one: Section, figure: Any | None) -> str:
    title = f'<h2 id="{one.anchor}">{escape(one.title)}</h2><p>{escape(one.about)}</p>'
    if figure is None:
        return f"<section>{title}<p><em>Nothing of this is in the log.</em></p></section>"
    rows = tables.table(f"report/{one.table}", list(one.columns))
    if one.newest is not None:
        rows = rows.sort_by([(one.newest, "descending")])
    count = rows.num_rows
    summary = f"the last {_ROWS} of {count:,} rows" if count > _ROWS else f"{count:,} rows"
    if one.newest is None and count > _ROWS:
        summary = f"the first {_ROWS} of {count:,} rows"
    table = _table(rows.slice(0, _ROWS).to_pylist(), one.columns)
    return (
        f'<section>{title}<figure role="img" aria-label="{escape(one.title)}">'
        f"{svg(figure, one.anchor)}</figure><details><summary>"
        f"<code>report/{one.table}</code>: {summary}</summary>{table}</details></section>"
    )


def _table(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> str:
    def lines() -> Iterator[str]:
        yield "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
        for row in rows:
            yield "".join(f"<td>{escape(_text(row[name]))}</td>" for name in columns)

    inside = "".join(f"<tr>{line}</tr>" for line in lines())
    return f'<div class="scroll"><table>{inside}</table></div>'


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)


def _time(value_ms: int | None) -> str:
    if value_ms is None:
        return "?"
    at = datetime.datetime.fromtimestamp(value_ms / 1_000, datetime.UTC)
    return at.strftime("%Y-%m-%d %H:%M:%S")
