"""What the list and a run look like, as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tools.other_loads.load import Load
from tools.other_loads.running import Result


def list_text(loads: Sequence[Load]) -> str:
    """A row for each load: its name, its length, what it is."""
    width = max(len(one.name) for one in loads)
    head = f"{'load':<{width}}  {'seconds':>7}  what"
    rows = [f"{one.name:<{width}}  {one.seconds:>7.0f}  {one.what}" for one in loads]
    return "\n".join([head, *rows])


def list_json(loads: Sequence[Load]) -> str:
    """The same as a list of objects."""
    rows = [{"name": one.name, "seconds": one.seconds, "what": one.what} for one in loads]
    return json.dumps(rows, indent=2)


def as_text(results: Sequence[Result]) -> str:
    """A row for each load with its verdict and what was counted; below it every fault."""
    width = max([len(one.load) for one in results] + [4])
    rows = [f"{'load':<{width}}  {'on':<5}  {'seconds':>7}  {'verdict':<7}  counts"]
    for one in results:
        counts = ", ".join(f"{name} {count}" for name, count in one.found.counts.items())
        verdict = "good" if one.is_good else "FAULTS"
        rows.append(
            f"{one.load:<{width}}  {one.on:<5}  {one.seconds:>7.0f}  {verdict:<7}  {counts}"
        )
        rows += [f"  {line}" for fault in one.found.faults for line in fault.splitlines()]
    return "\n".join(rows)


def as_json(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The same as a list of objects."""
    return [
        {
            "load": one.load,
            "on": one.on,
            "seconds": round(one.seconds, 1),
            "good": one.is_good,
            "counts": one.found.counts,
            "faults": one.found.faults,
        }
        for one in results
    ]
