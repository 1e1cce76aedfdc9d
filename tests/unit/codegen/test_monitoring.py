"""The rules and dashboards in `deploy/` ask for what the exporter serves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from codegen.monitoring.alerts import ALERTS, CRITICAL, GROUPS, RECORDINGS, WARNING
from codegen.monitoring.dashboards_page import page_text as dashboards_page_text
from codegen.monitoring.dashboards_page import picture_name, with_pictures
from codegen.monitoring.expressions import DEPLOYED, Rendering, duration_text
from codegen.monitoring.grafana import WIDTH, dashboard_files
from codegen.monitoring.panels import DASHBOARDS
from codegen.monitoring.rules import page_text, rules_text
from metaquorum.exporter.known import BEGUN_ANEW
from metaquorum.exporter.metrics import METRICS
from metaquorum.exporter.source import REASONS

ROOT = Path(__file__).resolve().parents[3]
QUERIES = [
    *((one.name, one.query) for one in (*RECORDINGS, *ALERTS)),
    *(
        (f"{board.title}: {panel.title}", query)
        for board in DASHBOARDS
        for panel in board.panels
        for query, _ in panel.queries
    ),
]
# Of the Python client's own, and what Prometheus adds to each target.
OTHERS = {
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "scrape_duration_seconds",
    "up",
}
ASKED = re.compile(r"([a-zA-Z_:][\w:]*)\{(@[^}]*)\}")


@pytest.mark.parametrize(("name", "query"), QUERIES, ids=[name for name, _ in QUERIES])
def test_a_query_asks_for_series_and_labels_that_there_are(name: str, query: str) -> None:
    labels = {one.series: set(one.labels) for one in METRICS}
    recorded = {one.name for one in RECORDINGS}
    asked = ASKED.findall(query)
    assert asked or query.startswith("max by (alertname) (ALERTS{")
    for series, inside in asked:
        assert series in labels or series in OTHERS | recorded, series
        for label in re.findall(r"(\w+)[=!]~?\"", inside):
            assert label in labels[series], (series, label)


def test_reasons_in_queries_are_those_of_the_exporter() -> None:
    for name, query in QUERIES:
        for label, known in (("reason", REASONS), ("why", BEGUN_ANEW)):
            for words in re.findall(rf"\b{label}[=!]~?\"([^\"]+)\"", query):
                assert set(words.split("|")) <= set(known), name


def test_every_reason_to_fail_has_an_alert() -> None:
    named = " ".join(re.findall(r'reason=~?"([^"]+)"', " ".join(one.query for one in ALERTS)))
    assert set(re.split(r"[ |]", named)) == set(REASONS) - {"not-yet"}


def test_every_recorded_query_is_used() -> None:
    asked = " ".join(query for _, query in QUERIES)
    assert [one.name for one in RECORDINGS if one.name not in asked] == []


def test_an_alert_has_a_severity_a_runbook_and_a_section() -> None:
    page = page_text()
    assert len({one.name for one in ALERTS}) == len(ALERTS)
    for one in ALERTS:
        assert one.severity in (CRITICAL, WARNING)
        assert one.group in GROUPS
        assert one.runbook.endswith(".") and one.meaning.endswith(".")
        section = page.split(f"### {one.name}\n")[1].split("\n#")[0]
        assert "**What to do.**" in section
        assert f"runbook_page: 'docs/reference/alerts.md#{one.name.lower()}'" in rules_text()


def test_pages_that_a_runbook_names_exist() -> None:
    named = re.findall(r"docs/[a-z/-]+\.md", " ".join(one.runbook for one in ALERTS))
    assert named and [name for name in named if not (ROOT / name).exists()] == []


def test_a_rendering_makes_all_durations_shorter_by_one_factor() -> None:
    short = Rendering(minute_ms=1_000)
    text = "rate(a{@}[<10m>]) > 5000 and b{@} > <3h in ms>"
    assert DEPLOYED.query(text) == (
        'rate(a{job="kafka-quorum"}[10m]) > 5000 and b{job="kafka-quorum"} > 10800000'
    )
    assert short.query(text) == (
        'rate(a{job="kafka-quorum"}[10s]) > 5000 and b{job="kafka-quorum"} > 180000'
    )
    assert short.duration("30s") == "500ms"
    written = re.compile(r"\[\d+[a-z]+\]")
    assert [name for name, query in QUERIES if written.search(query)] == []


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0s"), (500, "500ms"), (90_000, "90s"), (300_000, "5m"), (86_400_000, "1d")],
)
def test_a_duration_is_written_in_its_largest_unit(ms: int, text: str) -> None:
    assert duration_text(ms) == text


def test_panels_of_a_dashboard_have_places_of_their_own() -> None:
    for name, text in dashboard_files().items():
        panels = json.loads(text)["panels"]
        assert len({one["id"] for one in panels}) == len(panels)
        taken: set[tuple[int, int]] = set()
        for one in panels:
            at = one["gridPos"]
            cells = {
                (x, y)
                for x in range(at["x"], at["x"] + at["w"])
                for y in range(at["y"], at["y"] + at["h"])
            }
            assert not cells & taken and max(x for x, _ in cells) < WIDTH, (name, one["title"])
            taken |= cells


def test_titles_of_panels_are_told_apart() -> None:
    for board in DASHBOARDS:
        titles = [panel.title.lower() for panel in board.panels]
        assert len(set(titles)) == len(titles)


def test_the_page_of_the_dashboards_has_a_place_for_each_picture() -> None:
    shown = with_pictures(dashboards_page_text(), lambda name: f"<{name}>")
    for board in DASHBOARDS:
        for panel in board.panels:
            section = shown.split(f"#### {panel.title}\n")[1:]
            assert any(f"<{picture_name(board, panel)}>" in one.split("\n#")[0] for one in section)
            assert panel.about


def test_the_site_has_recorded_data_for_each_panel() -> None:
    for board in DASHBOARDS:
        data = json.loads((ROOT / f"tools/site/panel_data/{board.uid}.json").read_text())
        assert list(data) == [panel.title for panel in board.panels]
        assert all(one["points"] for rows in data.values() for one in rows)
