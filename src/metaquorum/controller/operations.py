"""What a controller did since its process began, in counts: for metrics alone."""

from __future__ import annotations

from attrs import define


@define
class Operations:
    """``started``: commands and turns of periodic work. ``timed_out``: commands whose deadline had
    passed on arrival. ``heartbeats_timed_out``: heartbeats that were not answered in time.
    """

    started: int = 0
    timed_out: int = 0
    heartbeats_timed_out: int = 0
