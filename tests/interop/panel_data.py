"""What the queries of a dashboard answer over the time of a test, and how the site gets it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Final

from codegen.monitoring.expressions import JOB, Rendering
from codegen.monitoring.panels import Dashboard
from tools.prometheus import Prometheus

SITE_DATA: Final = Path(__file__).resolve().parents[2] / "tools/site/panel_data"
REWRITE: Final = "DASHBOARDS_REWRITE"
STEP_S: Final = 3
SHOWN: Final = Rendering(f'job=~"{JOB}",instance=~".+"')
RATE_INTERVAL: Final = "5s"
_LABEL: Final = re.compile(r"\{\{(\w+)\}\}")


def answers_of(
    prometheus: Prometheus, board: Dashboard, since_s: float
) -> dict[str, list[dict[str, Any]]]:
    """Series of each panel since then, by its title, as Grafana would ask for and name them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for panel in board.panels:
        rows = found.setdefault(panel.title, [])
        for query, legend in panel.queries:
            text = SHOWN.query(query).replace("$__rate_interval", RATE_INTERVAL)
            series = prometheus.query_range(text, since_s, STEP_S)
            assert series, f"{panel.title}: no answer to {text}"
            rows += [_named(one, legend, since_s) for one in series]
    return found


def _named(series: dict[str, Any], legend: str, since_s: float) -> dict[str, Any]:
    labels = series["metric"]
    name = _LABEL.sub(lambda label: labels.get(label[1], ""), legend)
    points = [[round(at - since_s), float(f"{float(value):.4g}")] for at, value in series["values"]]
    return {"name": name, "points": points}


def kept_for_the_site(board: Dashboard, answers: dict[str, list[dict[str, Any]]]) -> None:
    """Write them to where the site draws its pictures from, when this was asked for."""
    if os.environ.get(REWRITE):
        SITE_DATA.mkdir(exist_ok=True)
        lines = [
            f"{json.dumps(title)}: {json.dumps(rows, separators=(',', ':'))}"
            for title, rows in answers.items()
        ]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (SITE_DATA / f"{board.uid}.json").write_text(text, encoding="utf-8")
