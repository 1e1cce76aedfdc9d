"""How much a second, over the last ten: what quotas are compared with.

As Kafka counts (``quota.window.num`` 11, ``quota.window.size.seconds`` 1): amounts are summed in
windows of a second, eleven of them are kept, and what came is divided by the time they span, which
counts as ten seconds at least. So who was quiet may come in a burst of ten seconds' worth.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis

WINDOW_MS: Final = 1_000
WINDOWS: Final = 11
_LEAST_SPAN_MS: Final = (WINDOWS - 1) * WINDOW_MS


@define(eq=False)
class Rate:
    """Amounts by window, the oldest first."""

    _windows: deque[tuple[Millis, float]] = field(factory=deque)

    def record(self, amount: float, now: Millis) -> None:
        """So much came just now."""
        if self._windows and now - self._windows[-1][0] < WINDOW_MS:
            began, so_far = self._windows.pop()
            self._windows.append((began, so_far + amount))
        else:
            self._windows.append((now, amount))

    def a_second(self, now: Millis) -> float:
        """How much came a second of late."""
        total, span_ms = self._seen(now)
        return total * 1_000 / span_ms

    def excess_ms(self, bound: float, now: Millis) -> Millis:
        """For how long nothing more may come until the rate is ``bound`` a second; 0 within it."""
        total, span_ms = self._seen(now)
        rate = total * 1_000 / span_ms
        if rate <= bound:
            return 0
        if bound <= 0:
            return span_ms
        return round((rate - bound) / bound * span_ms)

    def _seen(self, now: Millis) -> tuple[float, Millis]:
        while self._windows and now - self._windows[0][0] >= WINDOWS * WINDOW_MS:
            self._windows.popleft()
        if not self._windows:
            return 0.0, _LEAST_SPAN_MS
        span_ms = max(now - self._windows[0][0], _LEAST_SPAN_MS)
        return sum(amount for _, amount in self._windows), span_ms
