"""A metric of the exporter: its name, what it is, and how its rows are read from what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from metaquorum.exporter.cells import PartitionFigures
from metaquorum.exporter.figures import LogFigures, QuorumFigures
from metaquorum.exporter.known import Known
from metaquorum.observe.metrics import Family, Kind, Sample
from metaquorum.observe.names import counter_family, metric_name

Labels = tuple[tuple[str, str], ...]
Row = tuple[Labels, float | None]
Read = Callable[[Known], Iterable[Row]]

_SUFFIXES: Final = {Kind.COUNTER: "_total", Kind.TEXT: "_info"}


@frozen
class Metric:
    """A family, its labels, and what reads its rows; rows without a value are left out.

    Those ``by_choice`` are shown with ``--per-topic`` alone.
    """

    family: str
    kind: Kind
    about: str
    read: Read
    labels: tuple[str, ...] = ()
    by_choice: bool = False

    @property
    def series(self) -> str:
        """The name that its samples have."""
        return self.family + _SUFFIXES.get(self.kind, "")

    def shown(self, known: Known) -> Family | None:
        """The family as it is now, None when there is nothing to show."""
        suffix = _SUFFIXES.get(self.kind, "")
        samples = tuple(
            Sample(suffix, labels, float(value))
            for labels, value in self.read(known)
            if value is not None
        )
        return Family(self.family, self.kind, self.about, samples) if samples else None


def of_log(read: Callable[[LogFigures], float | None]) -> Read:
    """A number of the log, left out while nothing of it is known."""
    return lambda known: () if known.log is None else (((), read(known.log)),)


def of_quorum(read: Callable[[QuorumFigures], float | None]) -> Read:
    """A number of the quorum, likewise."""
    return lambda known: () if known.quorum is None else (((), read(known.quorum)),)


def of_all(read: Callable[[Known], float | None]) -> Read:
    """A number of everything that is known."""
    return lambda known: (((), read(known)),)


def partition_sum(read: Callable[[PartitionFigures], float]) -> Read:
    """A number of all partitions."""
    return of_log(lambda log: read(log.partitions))


def event(name: str) -> Read:
    """How often an event was counted."""
    return of_log(lambda log: log.events.get(name, 0))


def labelled(label: str, values: Callable[[LogFigures], Mapping[Any, float]]) -> Read:
    """A row for each entry of the log's figures, with its key as the label."""

    def rows(known: Known) -> Iterator[Row]:
        if known.log is not None:
            for key, value in values(known.log).items():
                yield ((label, str(key)),), value

    return rows


def once_a_node(read: Callable[[Known], Iterator[Row]]) -> Read:
    """A node that came back with another directory has two rows until the old one expires.

    The first one counts: series may not be told twice.
    """

    def rows(known: Known) -> Iterator[Row]:
        told: set[Labels] = set()
        for labels, value in read(known):
            if labels not in told:
                told.add(labels)
                yield labels, value

    return rows


def gauge(mbean: str, attribute: str, read: Read, about: str, *labels: str) -> Metric:
    """A gauge, named by its MBean and attribute."""
    family = metric_name(mbean, attribute).family
    return Metric(family, Kind.GAUGE, about, read, labels=labels)


def counter(mbean: str, read: Read, about: str, *labels: str) -> Metric:
    """A counter, named by its MBean."""
    family = counter_family(metric_name(mbean).family)
    return Metric(family, Kind.COUNTER, about, read, labels=labels)


def text(mbean: str, attribute: str, read: Read, about: str, *labels: str) -> Metric:
    """A series of value 1 whose labels are what it tells."""
    return Metric(metric_name(mbean, attribute).family, Kind.TEXT, about, read, labels=labels)
