"""The file of rules for Prometheus, and the page about its alerts."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from codegen.monitoring.alerts import ALERTS, GROUPS, RECORDINGS, Alert
from codegen.monitoring.expressions import DEPLOYED, JOB, Rendering, quoted, wrapped

PAGE: Final = "docs/reference/alerts.md"
RULES_FILE: Final = "metaquorum.rules.yml"
_NAMED_PAGE: Final = re.compile(r"\bdocs/([a-z/-]+\.md)")
_HEAD: Final = f"""\
# Recorded queries and alerts over what `metaquorum exporter` serves; about each alert:
# {PAGE}.
# They look at the targets of the job {JOB}; where yours has another name, replace it here.
# Written by `make generate` from codegen/monitoring.
groups:
  # One group, whose rules are evaluated in this order: alerts see what was recorded just before.
  - name: metaquorum
    rules:
"""


def rules_text(rendering: Rendering = DEPLOYED) -> str:
    """The whole file of rules."""
    return _HEAD + "\n".join([*_recorded(rendering), *_alerts(ALERTS, rendering)]) + "\n"


def _recorded(rendering: Rendering) -> Iterator[str]:
    for one in RECORDINGS:
        yield f"      - record: {one.name}"
        yield f"        expr: {quoted(rendering.query(one.query))}"


def _alerts(alerts: Iterable[Alert], rendering: Rendering) -> Iterator[str]:
    for one in alerts:
        yield f"      - alert: {one.name}"
        yield f"        expr: {quoted(rendering.query(one.query))}"
        yield f"        for: {rendering.duration(one.holds_for)}"
        yield "        labels:"
        yield f"          severity: {one.severity}"
        yield "        annotations:"
        yield f"          summary: {quoted(one.summary)}"
        yield f"          description: {quoted(one.meaning)}"
        yield f"          runbook: {quoted(one.runbook)}"
        yield f"          runbook_page: {quoted(f'{PAGE}#{one.name.lower()}')}"


_PAGE_HEAD: Final = f"""\
# Alerts

What the rules in `deploy/prometheus/{RULES_FILE}` wake people for ([how to load
them](../how-to/watch-a-quorum-with-prometheus.md)). They look at the targets of the job
`{JOB}`. An alert fires when its query has held for the time that stands there. `critical`
means that somebody should look now, `warning` that somebody should look today.

Each alert has the annotations `summary`, `description` (what it means), `runbook` (what to do) and
`runbook_page` (its section here). This page and the rules are written from one source, by `make
generate`.
"""


def page_text(rendering: Rendering = DEPLOYED) -> str:
    """The page: a table of all alerts, and a section on each."""
    rows = [
        f"| [{one.name}](#{one.name.lower()}) | {one.severity} | {_time(one)} |" for one in ALERTS
    ]
    parts = [_PAGE_HEAD, "\n".join(["| alert | severity | after |", "|---|---|---|", *rows]) + "\n"]
    for group in GROUPS:
        parts.append(f"## {group}\n")
        parts += [_section(one, rendering) for one in ALERTS if one.group == group]
    parts.append("## Recorded queries\n")
    for recording in RECORDINGS:
        parts.append(f"`{recording.name}`:\n")
        parts.append(_fence(rendering.query(recording.query)))
    return "\n".join(parts)


def _time(alert: Alert) -> str:
    return "at once" if alert.holds_for == "0s" else alert.holds_for


def _section(alert: Alert, rendering: Rendering) -> str:
    return "\n".join(
        [
            f"### {alert.name}\n",
            _wrapped(alert.meaning),
            _wrapped(f"**What to do.** {alert.runbook}"),
            f"{alert.severity.capitalize()}, {_time(alert)}:\n",
            _fence(rendering.query(alert.query)),
        ]
    )


def _fence(query: str) -> str:
    lines = textwrap.wrap(query, 96, break_long_words=False, break_on_hyphens=False)
    return "\n".join(["```text", *lines, "```\n"])


def _wrapped(text: str) -> str:
    """A paragraph; pages that it names become links."""
    return wrapped(_NAMED_PAGE.sub(r"[the page on it](../\1)", text))
