"""The registry, and the text that scrapers get."""

from __future__ import annotations

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from metaquorum.observe.metrics import Registry
from metaquorum.observe.openmetrics import Exposition

RAFT = "kafka.server:type=raft-metrics"
OPENMETRICS = "application/openmetrics-text; version=1.0.0"


def lines_of(registry: Registry, accept: str = OPENMETRICS) -> list[str]:
    _, body = Exposition(registry).render(accept)
    return [line for line in body.decode().splitlines() if "process_" not in line]


def test_a_gauge_is_read_when_it_is_asked_for() -> None:
    registry, now = Registry(), {"leader": 1}
    registry.gauge(RAFT, "current-leader", lambda: now["leader"], "who leads")
    now["leader"] = 3
    assert lines_of(registry) == [
        "# HELP kafka_server_raft_metrics_current_leader who leads",
        "# TYPE kafka_server_raft_metrics_current_leader gauge",
        "kafka_server_raft_metrics_current_leader 3.0",
        "# EOF",
    ]


def test_a_gauge_without_an_answer_is_left_out() -> None:
    registry = Registry()
    registry.gauge(RAFT, "number-of-observers", lambda: None, "observers")
    assert lines_of(registry) == ["# EOF"]


def test_a_text_is_a_label_of_a_series_that_is_one() -> None:
    registry = Registry()
    registry.text(RAFT, "current-state", lambda: "leader", "state")
    assert 'kafka_server_raft_metrics_current_state_info{current_state="leader"} 1.0' in lines_of(
        registry
    )


def test_counters_end_in_total_and_never_go_back() -> None:
    registry = Registry()
    counter = registry.counter("kafka.controller:type=ControllerStats,name=XPerSec", "x")
    counter.add()
    counter.add(2)
    with pytest.raises(ValueError, match="cannot go back"):
        counter.add(-1)
    assert "kafka_controller_controllerstats_x_total 3.0" in lines_of(registry)


def test_a_counter_may_be_read_from_elsewhere() -> None:
    registry = Registry()
    registry.counter("metaquorum:type=Server,name=Requests", "requests", read=lambda: 7)
    assert "metaquorum_server_requests_total 7.0" in lines_of(registry)


def test_a_histogram_is_shown_as_quantiles_count_and_sum() -> None:
    registry = Registry()
    registry.histogram("kafka.controller:type=E,name=TimeMs", "time").record(4)
    lines = lines_of(registry)
    assert 'kafka_controller_e_timems{quantile="0.99"} 4.0' in lines
    assert "kafka_controller_e_timems_count 1.0" in lines
    assert "kafka_controller_e_timems_sum 4.0" in lines


def test_one_family_may_have_members_with_different_labels() -> None:
    registry = Registry()
    registry.gauge("kafka.server:type=T,listener=A", "n", lambda: 1, "n")
    registry.gauge("kafka.server:type=T,listener=B", "n", lambda: 2, "n")
    lines = lines_of(registry)
    assert 'kafka_server_t_n{listener="A"} 1.0' in lines
    assert 'kafka_server_t_n{listener="B"} 2.0' in lines


def test_the_same_series_cannot_be_registered_twice() -> None:
    registry = Registry()
    registry.gauge(RAFT, "x", lambda: 1, "x")
    with pytest.raises(ValueError, match="registered already"):
        registry.gauge(RAFT, "x", lambda: 2, "x")


def test_one_name_cannot_be_of_two_kinds() -> None:
    registry = Registry()
    registry.gauge("a:type=b", "c", lambda: 1, "x")
    with pytest.raises(ValueError, match="is a gauge, not a counter"):
        registry.counter("a:type=b,name=c", "x")


def test_the_accept_header_chooses_between_the_two_texts() -> None:
    exposition = Exposition(Registry())
    kind, body = exposition.render("application/openmetrics-text; version=1.0.0; charset=utf-8")
    assert kind.startswith("application/openmetrics-text; version=1.0.0")
    assert body.endswith(b"# EOF\n")
    for accept in ("", "text/plain", "*/*"):
        kind, body = exposition.render(accept)
        assert kind.startswith("text/plain; version=0.0.4")
        assert not body.endswith(b"# EOF\n")


def test_what_is_written_can_be_parsed_again() -> None:
    registry = Registry()
    registry.text("a:type=b", "c", lambda: 'quote " backslash \\ line\n', "odd")
    registry.histogram("a:type=h,name=x", "h").record(1)
    registry.counter("a:type=c,name=x", "c").add(5)
    _, body = Exposition(registry).render(OPENMETRICS)
    families = {f.name: f for f in text_string_to_metric_families(body.decode())}
    assert families["a_b_c"].samples[0].labels == {"c": 'quote " backslash \\ line\n'}
    assert families["a_c_x"].samples[0].value == 5
    assert families["a_h_x"].type == "summary"


def test_the_processs_own_figures_stand_beside_ours() -> None:
    _, body = Exposition(Registry()).render(OPENMETRICS)
    assert b"process_resident_memory_bytes " in body
