"""The text that Prometheus scrapes; prometheus_client writes it.

It takes long to import, so only a node that is to be scraped imports this, at its start.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.process_collector import ProcessCollector

from metaquorum.observe.metrics import Family


class Families(Protocol):
    """Whatever has families to show: a registry of a node, or what an exporter knows."""

    def families(self) -> Iterable[Family]:
        """All of them as they are now."""


class _Collector:
    """Our families in prometheus_client's form, with the process's own figures behind them."""

    def __init__(self, registry: Families) -> None:
        self._registry = registry
        self._process = ProcessCollector(registry=None)

    def collect(self) -> Iterable[Metric]:
        for family in self._registry.families():
            yield _converted(family)
        yield from self._process.collect()


def _converted(family: Family) -> Metric:
    metric = Metric(family.name, family.about, family.kind.value)
    for sample in family.samples:
        metric.add_sample(family.name + sample.suffix, dict(sample.labels), sample.value)
    return metric


class Exposition:
    """The answers to scrapes of one registry."""

    def __init__(self, registry: Families) -> None:
        self._collector = _Collector(registry)

    def render(self, accept: str) -> tuple[str, bytes]:
        """Content type and body: OpenMetrics for an Accept header that asks for it, else the
        older Prometheus text."""
        encoder, content_type = choose_encoder(accept)
        return content_type, encoder(self._collector)
