"""Times, amounts and lists as short texts, with their units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

UNKNOWN: Final = "-"


def minutes(time_ms: int) -> str:
    """``10m``, ``2m30s``, ``45s``."""
    whole, seconds = divmod(time_ms // 1_000, 60)
    if not whole:
        return f"{seconds}s"
    return f"{whole}m" + (f"{seconds}s" if seconds else "")


def time_text(time_ms: int) -> str:
    """A length of time in at most eight characters: ``950 ms``, ``3.2 s``, ``4m10s``, ``3h20m``."""
    if time_ms < 1_000:
        return f"{time_ms} ms"
    if time_ms < 60_000:
        return f"{time_ms / 1_000:.1f} s"
    hours, left_ms = divmod(time_ms, 3_600_000)
    if not hours:
        return minutes(time_ms)
    days, hours_left = divmod(hours, 24)
    return f"{days}d{hours_left}h" if days else f"{hours}h{left_ms // 60_000}m"


def age_text(since_ms: int | None) -> str:
    """How old something is."""
    return "never known" if since_ms is None else f"{time_text(since_ms)} old"


def clock_text(time_ms: int) -> str:
    """The time of the day in UTC; a dash where there is none."""
    if time_ms < 0:
        return "--:--:--"
    seconds = time_ms // 1_000 % 86_400
    return f"{seconds // 3_600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def bytes_text(count: float) -> str:
    """A number of bytes: ``512 B``, ``2.1 kB``, ``3.4 MB``."""
    if count < 1_000:
        return f"{count:.0f} B"
    return f"{count / 1e3:.1f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"


def counted(count: int, word: str) -> str:
    """``1 topic``, ``2 topics``."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def ids_text(ids: Sequence[int]) -> str:
    """``1,2,3``; a dash for none."""
    return ",".join(map(str, ids)) or UNKNOWN
