"""Averages, maxima and rates over a sliding window, as Kafka's client metrics keep them.

A window is a few samples of fixed length; the oldest is dropped when a new one begins
(``metrics.num.samples``, ``metrics.sample.window.ms``). Time is an argument, in milliseconds.
"""

from __future__ import annotations

from attrs import Factory, define, field

DEFAULT_SAMPLES = 2
DEFAULT_SAMPLE_MS = 30_000


@define
class _Sample:
    began_ms: int
    count: int = 0
    total: float = 0
    highest: float | None = None


@define
class Window:
    """What was recorded lately: ``average``, ``highest`` and ``rate`` over live samples only."""

    samples_max: int = DEFAULT_SAMPLES
    sample_ms: int = DEFAULT_SAMPLE_MS
    _samples: list[_Sample] = field(factory=list, init=False)
    _last: _Sample | None = field(default=None, init=False)

    def record(self, value: float, now_ms: int) -> None:
        """Count one observation of ``value``."""
        last = self._last
        if last is None or now_ms - last.began_ms >= self.sample_ms:
            last = self._last = _Sample(now_ms)
            self._samples.append(last)
            del self._samples[: -self.samples_max]
        last.count += 1
        last.total += value
        if last.highest is None or value > last.highest:
            last.highest = value

    def average(self, now_ms: int) -> float | None:
        """The mean of what the window holds, None when it holds nothing."""
        live = self._live(now_ms)
        count = sum(sample.count for sample in live)
        return sum(sample.total for sample in live) / count if count else None

    def highest(self, now_ms: int) -> float | None:
        """The largest value in the window, None when it holds nothing."""
        live = self._live(now_ms)
        return max((one.highest for one in live if one.highest is not None), default=None)

    def rate(self, now_ms: int) -> float:
        """The recorded values, summed, per second.

        A young window counts as all but its last sample full, as in Kafka, so that the first
        observation after a start is not a spike.
        """
        live = self._live(now_ms)
        if not live:
            return 0.0
        shortest_ms = (self.samples_max - 1) * self.sample_ms
        elapsed_ms = max(now_ms - live[0].began_ms, shortest_ms, 1)
        return sum(sample.total for sample in live) * 1000 / elapsed_ms

    def _live(self, now_ms: int) -> list[_Sample]:
        oldest_ms = now_ms - self.samples_max * self.sample_ms
        return [sample for sample in self._samples if sample.began_ms > oldest_ms]


@define
class Distribution:
    """The last values of something, for quantiles; counts and sums go on for ever.

    Holds at most ``MAX_VALUES``: the memory of one is bounded, whatever is recorded.
    """

    MAX_VALUES = 1024

    count: int = 0
    total: float = 0
    _values: list[float] = Factory(list)

    def record(self, value: float) -> None:
        """Remember ``value``, in place of the oldest one once the memory is full."""
        if len(self._values) < self.MAX_VALUES:
            self._values.append(value)
        else:
            self._values[self.count % self.MAX_VALUES] = value
        self.count += 1
        self.total += value

    def quantiles(self, asked: tuple[float, ...]) -> tuple[float, ...]:
        """The values at these ranks (0 to 1) among those remembered; zeros when there are none."""
        ranked = sorted(self._values)
        if not ranked:
            return tuple(0.0 for _ in asked)
        last = len(ranked) - 1
        return tuple(ranked[min(last, round(rank * last))] for rank in asked)
