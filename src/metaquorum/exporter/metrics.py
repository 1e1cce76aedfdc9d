"""Every metric of the exporter; docs/reference/exporter-metrics.md has the same, held by a test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from metaquorum.exporter.kafka_metrics import KAFKAS_METRICS
from metaquorum.exporter.known import Known
from metaquorum.exporter.own_metrics import OWN_METRICS
from metaquorum.observe.metrics import Family

METRICS: Final = tuple(sorted((*KAFKAS_METRICS, *OWN_METRICS), key=lambda metric: metric.family))
"""All of them by name."""


def families(known: Known, *, per_topic: bool) -> Iterator[Family]:
    """Everything that there is to show, in the order of the names."""
    for metric in METRICS:
        if (per_topic or not metric.by_choice) and (family := metric.shown(known)) is not None:
            yield family
