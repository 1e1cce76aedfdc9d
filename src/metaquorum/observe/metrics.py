"""The registry of metrics: plain objects, read when asked for, named by their MBeans.

A gauge is a function that is called at a scrape and nothing before, so watching costs the
running server nothing. A function may answer None: then there is nothing to show, and the series
is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from attrs import define, field, frozen

from metaquorum.observe.names import MetricName, counter_family, metric_name, sanitized
from metaquorum.observe.windows import Distribution

Reading = float | int | bool | None
QUANTILES = (0.5, 0.75, 0.95, 0.98, 0.99, 0.999)


class Kind(Enum):
    """What a family is, in OpenMetrics' words."""

    GAUGE = "gauge"
    COUNTER = "counter"
    TEXT = "info"
    SUMMARY = "summary"


@define
class Counter:
    """A number that only grows."""

    value: int = 0

    def add(self, amount: int = 1) -> None:
        """Count ``amount`` more; ValueError for less than nothing."""
        if amount < 0:
            raise ValueError(f"a counter cannot go back by {-amount}")
        self.value += amount


@frozen
class Sample:
    """One line of a scrape: what follows the family's name, the labels, the number."""

    suffix: str
    labels: tuple[tuple[str, str], ...]
    value: float


@frozen
class Family:
    """All samples of one name."""

    name: str
    kind: Kind
    about: str
    samples: tuple[Sample, ...]


@define
class _Member:
    labels: tuple[tuple[str, str], ...]
    read: Callable[[], Iterator[Sample]]


@define
class _Group:
    kind: Kind
    about: str
    members: list[_Member] = field(factory=list)


class Registry:
    """Every metric of a node. Registering the same series twice is a ValueError."""

    def __init__(self) -> None:
        self._groups: dict[str, _Group] = {}

    def gauge(self, mbean: str, attribute: str, read: Callable[[], Reading], about: str) -> None:
        """Show what ``read`` answers as attribute ``attribute`` of ``mbean``."""
        name = metric_name(mbean, attribute)

        def samples() -> Iterator[Sample]:
            value = read()
            if value is not None:
                yield Sample("", name.labels, float(value))

        self._add(name.family, Kind.GAUGE, about, name, samples)

    def gauges(
        self, mbean: str, label: str, read: Callable[[], Iterable[tuple[object, float]]], about: str
    ) -> None:
        """A gauge of each thing that there is now: what stands in its ``label``, and its number."""
        self.table(mbean, (label,), lambda: (((one,), value) for one, value in read()), about)

    def table(
        self,
        mbean: str,
        labels: tuple[str, ...],
        read: Callable[[], Iterable[tuple[tuple[object, ...], Reading]]],
        about: str,
    ) -> None:
        """A gauge of each row that there is now: what stands in its labels, and its number."""
        name = metric_name(mbean)

        def samples() -> Iterator[Sample]:
            for words, value in read():
                if value is not None:
                    told = zip(labels, map(str, words), strict=True)
                    yield Sample("", (*name.labels, *told), float(value))

        self._add(name.family, Kind.GAUGE, about, name, samples)

    def text(
        self,
        mbean: str,
        attribute: str,
        read: Callable[[], str | None],
        about: str,
        label: str | None = None,
    ) -> None:
        """Show a text as a label, named as the attribute, of a series whose value is 1.

        With ``label`` the label is named so, and the attribute may be empty.
        """
        name = metric_name(mbean, attribute)
        label = label or sanitized(attribute)

        def samples() -> Iterator[Sample]:
            value = read()
            if value is not None:
                yield Sample("_info", (*name.labels, (label, value)), 1.0)

        self._add(name.family, Kind.TEXT, about, name, samples)

    def counter(self, mbean: str, about: str, read: Callable[[], int] | None = None) -> Counter:
        """A counter to add to; with ``read``, its number is asked for at each scrape instead."""
        name = metric_name(mbean)
        counter = Counter()

        def samples() -> Iterator[Sample]:
            yield Sample("_total", name.labels, float(read() if read else counter.value))

        self._add(counter_family(name.family), Kind.COUNTER, about, name, samples)
        return counter

    def histogram(self, mbean: str, about: str, values: Distribution | None = None) -> Distribution:
        """Something whose values are recorded one by one and shown as quantiles.

        ``values`` is where they are recorded already; without it a new one is made.
        """
        name = metric_name(mbean)
        distribution = values if values is not None else Distribution()

        def samples() -> Iterator[Sample]:
            values = distribution.quantiles(QUANTILES)
            for rank, value in zip(QUANTILES, values, strict=True):
                yield Sample("", (*name.labels, ("quantile", str(rank))), value)
            yield Sample("_count", name.labels, float(distribution.count))
            yield Sample("_sum", name.labels, float(distribution.total))

        self._add(name.family, Kind.SUMMARY, about, name, samples)
        return distribution

    def families(self) -> Iterator[Family]:
        """Everything there is to show, read now, in the order of the names."""
        for name, group in sorted(self._groups.items()):
            samples = tuple(sample for member in group.members for sample in member.read())
            if samples:
                yield Family(name, group.kind, group.about, samples)

    def _add(
        self,
        family: str,
        kind: Kind,
        about: str,
        name: MetricName,
        read: Callable[[], Iterator[Sample]],
    ) -> None:
        group = self._groups.setdefault(family, _Group(kind, about))
        if group.kind is not kind:
            raise ValueError(f"{family} is a {group.kind.value}, not a {kind.value}")
        if any(member.labels == name.labels for member in group.members):
            raise ValueError(f"{family}{dict(name.labels) or ''} is registered already")
        group.members.append(_Member(name.labels, read))
