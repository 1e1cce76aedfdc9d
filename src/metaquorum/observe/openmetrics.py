"""The text that Prometheus scrapes; prometheus_client writes it, imported at the first scrape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from metaquorum.observe.metrics import Family, Registry

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric


class _Collector:
    """Our families in prometheus_client's form, with the process's own figures behind them."""

    def __init__(self, registry: Registry) -> None:
        from prometheus_client.process_collector import ProcessCollector

        self._registry = registry
        self._process = ProcessCollector(registry=None)

    def collect(self) -> Iterable[Metric]:
        for family in self._registry.families():
            yield _converted(family)
        yield from self._process.collect()


def _converted(family: Family) -> Metric:
    from prometheus_client.metrics_core import Metric

    metric = Metric(family.name, family.about, family.kind.value)
    for sample in family.samples:
        metric.add_sample(family.name + sample.suffix, dict(sample.labels), sample.value)
    return metric


class Exposition:
    """The answers to scrapes of one registry."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._collector: _Collector | None = None

    def render(self, accept: str) -> tuple[str, bytes]:
        """Content type and body: OpenMetrics for an Accept header that asks for it, else the
        older Prometheus text."""
        from prometheus_client.exposition import choose_encoder

        if self._collector is None:
            self._collector = _Collector(self._registry)
        encoder, content_type = choose_encoder(accept)
        return content_type, encoder(self._collector)
