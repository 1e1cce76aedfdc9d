"""Dashboards as Grafana's JSON."""

from __future__ import annotations

import json
from typing import Any, Final

from codegen.monitoring.expressions import JOB, Rendering
from codegen.monitoring.panels import BANDS, DASHBOARDS, NUMBER, Dashboard, Panel

SCHEMA: Final = 38
"""The version of Grafana's model: 10.0 and newer read it, and make newer ones of it."""
WIDTH: Final = 24
SELECTOR: Final = 'job=~"$job",instance=~"$instance"'
SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}
RENDERING: Final = Rendering(SELECTOR)
_SIZES: Final = {NUMBER: (4, 4), BANDS: (12, 7)}
_USUAL_SIZE: Final = (12, 8)


def dashboard_files() -> dict[str, str]:
    """The text of each dashboard by the name of its file."""
    return {f"{one.uid}.json": dashboard_text(one) for one in DASHBOARDS}


def dashboard_text(board: Dashboard) -> str:
    """One dashboard, ready to be imported or provisioned."""
    shown: dict[str, Any] = {
        "uid": board.uid,
        "title": board.title,
        "description": board.about,
        "tags": ["kafka", "metaquorum"],
        "schemaVersion": SCHEMA,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "timezone": "",
        "templating": {"list": _variables()},
        "annotations": {"list": []},
        "links": [
            {"title": other.title, "type": "link", "url": f"/d/{other.uid}", "keepTime": True}
            for other in DASHBOARDS
            if other is not board
        ],
        "panels": _panels(board),
    }
    return json.dumps(shown, indent=2) + "\n"


def _variables() -> list[dict[str, Any]]:
    metric = "metaquorum_exporter_source_up"
    return [
        {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"},
        _variable("job", "Job", f"label_values({metric}, job)", JOB),
        _variable("instance", "Exporter", f'label_values({metric}{{job=~"$job"}}, instance)', None),
    ]


def _variable(name: str, label: str, query: str, first: str | None) -> dict[str, Any]:
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "sort": 1,
        "current": {} if first is None else {"text": first, "value": first},
    }


def _panels(board: Dashboard) -> list[dict[str, Any]]:
    """Rows one below the other; panels fill a row from the left."""
    made: list[dict[str, Any]] = []
    top = 0
    for title, panels in board.rows:
        made.append(
            {
                "id": len(made) + 1,
                "type": "row",
                "title": title,
                "collapsed": False,
                "gridPos": {"x": 0, "y": top, "w": WIDTH, "h": 1},
                "panels": [],
            }
        )
        top, left, lowest = top + 1, 0, 0
        for panel in panels:
            width, height = _SIZES.get(panel.kind, _USUAL_SIZE)
            if left + width > WIDTH:
                top, left, lowest = top + lowest, 0, 0
            place = {"x": left, "y": top, "w": width, "h": height}
            made.append({"id": len(made) + 1, **_panel(panel), "gridPos": place})
            left, lowest = left + width, max(lowest, height)
        top += lowest
    return made


def _panel(panel: Panel) -> dict[str, Any]:
    return {
        "type": panel.kind,
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "targets": [
            {
                "refId": chr(ord("A") + number),
                "datasource": SOURCE,
                "expr": RENDERING.query(query),
                "legendFormat": legend,
                "range": True,
            }
            for number, (query, legend) in enumerate(panel.queries)
        ],
        "fieldConfig": {"defaults": _defaults(panel), "overrides": []},
        "options": _options(panel),
    }


def _defaults(panel: Panel) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.bad_from is not None:
        steps.append({"color": "red", "value": panel.bad_from})
    made: dict[str, Any] = {
        "unit": panel.unit,
        "thresholds": {"mode": "absolute", "steps": steps},
    }
    if panel.values:
        options = {
            str(value): {"text": text, "index": at} for at, (value, text) in enumerate(panel.values)
        }
        made["mappings"] = [{"type": "value", "options": options}]
    return made


def _options(panel: Panel) -> dict[str, Any]:
    if panel.kind == NUMBER:
        colour = "none" if panel.bad_from is None else "value"
        return {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": colour}
    if panel.kind == BANDS:
        return {"showValue": "auto", "mergeValues": True}
    return {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}}
