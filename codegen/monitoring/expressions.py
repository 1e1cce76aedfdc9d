"""Queries as they are written here, and as Prometheus and Grafana take them.

``{@}`` after a metric's name, or ``{@,role="voter"}``, stands for what selects the exporters.
``<15m>`` is a duration, ``<3h in ms>`` the same as a number. Tests render durations shorter, all by
one factor; numbers that are not written so are thresholds of their own and stay as they are.
"""

from __future__ import annotations

import re
import textwrap
from typing import Final

from attrs import frozen

JOB: Final = "kafka-quorum"
MINUTE_MS: Final = 60_000
_UNITS_S: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_DURATION: Final = re.compile(r"<(\d+)([smhd])( in ms)?>")


@frozen
class Rendering:
    """How queries are rendered: ``selector`` inside braces, and how long a minute is."""

    selector: str = f'job="{JOB}"'
    minute_ms: int = MINUTE_MS

    def query(self, text: str) -> str:
        """A query as Prometheus takes it, on one line."""
        return _DURATION.sub(self._replaced, " ".join(text.split())).replace("@", self.selector)

    def duration(self, text: str) -> str:
        """A duration, ``5m`` say, as Prometheus takes it."""
        return duration_text(self._ms(int(text[:-1]), text[-1]))

    def _replaced(self, found: re.Match[str]) -> str:
        ms = self._ms(int(found[1]), found[2])
        return str(ms) if found[3] else duration_text(ms)

    def _ms(self, count: int, unit: str) -> int:
        return count * _UNITS_S[unit] * self.minute_ms // 60


DEPLOYED: Final = Rendering()
"""As the files in `deploy/` have it."""


def duration_text(ms: int) -> str:
    """Milliseconds in the largest unit that leaves no rest."""
    for unit, seconds in reversed(_UNITS_S.items()):
        if ms and ms % (seconds * 1_000) == 0:
            return f"{ms // (seconds * 1_000)}{unit}"
    return f"{ms}ms" if ms else "0s"


def quoted(text: str) -> str:
    """A YAML scalar in single quotes."""
    return "'" + text.replace("'", "''") + "'"


def wrapped(text: str) -> str:
    """A paragraph of a page, in lines of at most 100 signs."""
    lines = textwrap.wrap(text, 100, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"
