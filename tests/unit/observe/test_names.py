"""The rule from MBeans to metric names."""

from __future__ import annotations

import pytest

from metaquorum.observe.names import MetricName, counter_family, metric_name


@pytest.mark.parametrize(
    ("mbean", "attribute", "family"),
    [
        (
            "kafka.server:type=raft-metrics",
            "current-leader",
            "kafka_server_raft_metrics_current_leader",
        ),
        (
            "kafka.controller:type=KafkaController,name=ActiveControllerCount",
            "Value",
            "kafka_controller_kafkacontroller_activecontrollercount",
        ),
        (
            "kafka.server:type=broker-metadata-metrics",
            "metadata-load-error-count",
            "kafka_server_broker_metadata_metrics_metadata_load_error_count",
        ),
        (
            "kafka.controller:type=ControllerEventManager,name=EventQueueTimeMs",
            "",
            "kafka_controller_controllereventmanager_eventqueuetimems",
        ),
    ],
)
def test_kafkas_mbeans_get_the_names_that_dashboards_know(
    mbean: str, attribute: str, family: str
) -> None:
    assert metric_name(mbean, attribute) == MetricName(family)


def test_properties_beyond_type_and_name_become_labels() -> None:
    assert metric_name("kafka.server:type=Fetch,name=Rate,client-id=a b,user=U") == MetricName(
        "kafka_server_fetch_rate", (("client_id", "a b"), ("user", "U"))
    )


@pytest.mark.parametrize("mbean", ["kafka.server", ":type=x", "a:", "a:type", "a:=x"])
def test_what_is_no_mbean_name_is_refused(mbean: str) -> None:
    with pytest.raises(ValueError, match="is not domain:type=T"):
        metric_name(mbean)


def test_a_meters_rate_gives_way_to_the_counters_total() -> None:
    assert counter_family("kafka_x_electionspersec") == "kafka_x_elections"
    assert counter_family("kafka_x_requests_total") == "kafka_x_requests"
    assert counter_family("kafka_x_requests") == "kafka_x_requests"
