"""The server's figures, as a scrape shows them."""

from __future__ import annotations

from metaquorum.observe.metrics import Registry
from metaquorum.server.sockets.listener import Server
from metaquorum.server.sockets.metrics import register_server_metrics
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest


def readings(server: Server | None) -> dict[tuple[str, str], float]:
    registry = Registry()
    register_server_metrics(registry, ["CONTROLLER"], lambda: server)
    return {
        (family.name, dict(sample.labels).get("request", "")): sample.value
        for family in registry.families()
        for sample in family.samples
    }


def test_before_the_server_runs_everything_is_zero():
    assert set(readings(None).values()) == {0}


def test_requests_are_counted_by_api_under_kafkas_name():
    client = PipelineClient(services_with_eight_records())
    client.ask(ListGroupsRequest(), 0)
    server = Server.of(client.services)
    server.pipeline = client.pipeline
    told = readings(server)
    assert told["kafka_network_requestmetrics_requests", "ListGroups"] == 1
    assert told["kafka_network_requestmetrics_requests", "Fetch"] == 0
    assert told["kafka_server_socket_server_metrics_connection_count", ""] == 0
