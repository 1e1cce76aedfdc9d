"""The page about the dashboards: what each panel shows. The site adds pictures of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codegen.monitoring.expressions import wrapped
from codegen.monitoring.panels import DASHBOARDS, Dashboard, Panel

PAGE: Final = "docs/reference/dashboards.md"
_HEAD: Final = """\
# Dashboards

What the panels of the dashboards in `deploy/grafana/` show ([how to load
them](../how-to/watch-a-quorum-with-prometheus.md)). On the site of this documentation each has a
picture, drawn from what a Prometheus recorded beside three controllers and three brokers of Apache
Kafka in trouble. This page and the dashboards are written from one source, by `make generate`.
"""


def page_text() -> str:
    """The page: a section for each dashboard, and a heading for each panel."""
    return "\n".join([_HEAD, *(_section(one) for one in DASHBOARDS)])


def _section(board: Dashboard) -> str:
    parts = [f"## {board.title}\n", wrapped(f"`{board.uid}.json`. {board.about}.")]
    for title, panels in board.rows:
        parts.append(f"### {board.title}: {title.lower()}\n")
        for panel in panels:
            parts += [f"#### {panel.title}\n", wrapped(f"{panel.about}.")]
    return "\n".join(parts)


def picture_name(board: Dashboard, panel: Panel) -> str:
    """The file of a panel's picture, in the folder of pictures that the site is built with."""
    return f"{board.uid}-{panel.title.lower().replace(' ', '-')}.svg"


def with_pictures(page: str, element: Callable[[str], str]) -> str:
    """The page with an element of HTML below each panel, by the name of its picture."""
    parts = page.split("\n#### ")
    panels = [(board, panel) for board in DASHBOARDS for panel in board.panels]
    made = [parts[0]]
    for part, (board, panel) in zip(parts[1:], panels, strict=True):
        about, rest = part[: (cut := part.find(".\n") + 2)], part[cut:]
        html = element(picture_name(board, panel))
        made.append(f"{about}\n```{{raw}} html\n{html}\n```\n{rest}")
    return "\n#### ".join(made)
