"""docs/reference/exporter-metrics.md names every metric of the exporter, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from metaquorum.exporter.metrics import METRICS
from metaquorum.exporter.source import REASONS
from metaquorum.exporter.tally import KINDS
from metaquorum.observe.metrics import Kind
from tests.unit.client.fake_quorum import FakeQuorum
from tests.unit.exporter.exported_quorum import Exported
from tests.unit.exporter.small_cluster import LOG

PAGE = Path(__file__).resolve().parents[3] / "docs/reference/exporter-metrics.md"
ROW = re.compile(r"^\| `([a-z_]+)(?:\{([a-z_, ]+)\})?` \| (gauge|counter|info) \| (.+) \|$", re.M)


def test_the_page_has_each_metric_with_its_labels_and_meaning() -> None:
    told = {
        name: (labels, kind, about)
        for name, labels, kind, about in ROW.findall(PAGE.read_text(encoding="utf-8"))
    }
    assert told == {
        metric.series: (", ".join(metric.labels), metric.kind.value, metric.about)
        for metric in METRICS
    }


def test_no_two_metrics_share_a_name() -> None:
    assert len({metric.family for metric in METRICS}) == len(METRICS)
    for metric in METRICS:
        assert not metric.family.endswith("_total" if metric.kind is Kind.COUNTER else "_info")


def test_the_page_has_every_reason_and_kind() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [word for word in (*REASONS, *KINDS.values()) if f"`{word}`" not in text] == []


def test_samples_have_the_labels_that_are_told() -> None:
    one = Exported(FakeQuorum.of(3, log=list(LOG), high_watermark=8), per_topic=True)
    one.readers.poller.poll()
    one.follow(4)
    labels = {metric.family: metric.labels for metric in METRICS}
    shown = 0
    for family in one.exporter.families():
        for sample in family.samples:
            assert tuple(name for name, _ in sample.labels) == labels[family.name]
            shown += 1
    assert shown > 80
