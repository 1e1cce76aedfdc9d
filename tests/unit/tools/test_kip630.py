"""The arithmetic of KIP-630's table: sizes by schema, by our encoder, and the KIP's own figures."""

from __future__ import annotations

import math

import pytest

from tools.bench import kip630
from tools.bench.kip630 import Cluster, Row


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """The table of the KIP's own cluster."""
    return kip630.table(Cluster())


def test_the_kips_own_figures_come_out_of_its_assumptions(rows: list[Row]) -> None:
    cluster = Cluster()
    assert (cluster.replicas_a_broker, cluster.leaders_a_broker) == (30_000, 10_000)
    row = rows[0]
    assert math.floor(row.log_mb * 100) / 100 == kip630.KIP_STOP_MB
    assert math.floor(row.sent_mb * 100) / 100 == kip630.KIP_ALL_MB


def test_todays_figures_are_those_that_kafkas_own_classes_gave(rows: list[Row]) -> None:
    _, today, ours, fence, our_fence = rows
    assert (today.log_bytes, today.sent_bytes) == (1_355_502, 134_194_698)
    assert (fence.log_bytes, fence.sent_bytes) == (87, 8_613)
    assert (ours.log_bytes, our_fence.log_bytes) == (today.log_bytes, fence.log_bytes)


@pytest.mark.parametrize(
    ("value_bytes", "offset_delta", "expected"),
    [(35, 0, 42), (35, 100, 43), (35, 9999, 44), (41, 0, 48), (41, 9999, 50), (19, 0, 26)],
)
def test_a_record_costs_what_its_fields_cost(
    value_bytes: int, offset_delta: int, expected: int
) -> None:
    assert kip630.record_bytes(value_bytes, offset_delta) == expected


@pytest.mark.parametrize("topics", [10, 300, 7_000])
def test_schema_and_encoder_agree_for_clusters_of_any_size(topics: int) -> None:
    cluster = Cluster(topics=topics)
    by_schema = kip630.batches_bytes(kip630.changed_value_bytes(cluster))
    assert by_schema == kip630.encoded_bytes([*kip630.changes(cluster)])


def test_varints_grow_where_they_should() -> None:
    grown = [
        number
        for number in range(20_000)
        if kip630.varint_bytes(number) > (kip630.varint_bytes(number - 1) if number else 0)
    ]
    assert grown == [0, 64, 8192]


def test_every_row_is_printed_beside_the_kips_figure(rows: list[Row]) -> None:
    shown = "\n".join(kip630.lines(rows))
    assert "1.14 MB, 113.29 MB" in shown
    assert "1,355,502 B" in shown
    assert "15,580 to 1" in shown
