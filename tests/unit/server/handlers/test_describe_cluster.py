"""DescribeCluster: two kinds of listeners, and the one that stands for both."""

from __future__ import annotations

import pytest

from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.config.listeners import HostPort
from metaquorum.testing.fake_services import CLUSTER_ID, plain_config, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest

BOTH_KINDS = "CONTROLLER://127.0.0.1:0,PLAINTEXT://127.0.0.1:0"


def ask(version, endpoint_type=1, *, services=None, listener="CONTROLLER", **fields):
    request = DescribeClusterRequest(endpoint_type=endpoint_type, **fields)
    return PipelineClient(services or services_with_eight_records(), listener).ask(request, version)


@pytest.mark.parametrize(("version", "endpoint_type"), [(0, 1), (1, 1), (1, 2), (2, 1), (2, 2)])
def test_the_only_kind_of_listener_serves_clients_of_both_kinds(version, endpoint_type):
    response = ask(version, endpoint_type)
    assert (response.error_code, response.cluster_id) == (0, CLUSTER_ID)
    assert response.endpoint_type == endpoint_type
    assert response.controller_id == 1
    assert [(b.broker_id, b.host, b.port, b.rack) for b in response.brokers] == [
        (1, "127.0.0.1", 9093, None)
    ]
    assert not any(broker.is_fenced for broker in response.brokers)


@pytest.mark.parametrize(
    ("listener", "version", "endpoint_type", "code"),
    [
        ("CONTROLLER", 0, 1, 42),
        ("CONTROLLER", 1, 1, 114),
        ("CONTROLLER", 2, 1, 114),
        ("CONTROLLER", 2, 2, 0),
        ("PLAINTEXT", 0, 1, 0),
        ("PLAINTEXT", 1, 1, 0),
        ("PLAINTEXT", 1, 2, 114),
        ("PLAINTEXT", 2, 2, 114),
    ],
)
def test_beside_the_other_kind_a_listener_is_for_its_own_kind_only(
    listener, version, endpoint_type, code
):
    services = services_with_eight_records(config=plain_config(BOTH_KINDS))
    response = ask(version, endpoint_type, services=services, listener=listener)
    assert response.error_code == code
    assert bool(response.error_message) == bool(code)
    assert bool(list(response.brokers)) == (not code)


@pytest.mark.parametrize("endpoint_type", [0, 3, -1])
def test_an_unknown_kind_is_unsupported(endpoint_type):
    assert ask(1, endpoint_type).error_code == 115


def test_an_unreachable_leader_is_no_controller_to_controller_clients():
    services = services_with_eight_records(leading=LeaderAndEpoch(9, 3))
    assert ask(2, 2, services=services).controller_id == -1
    assert ask(2, 1, services=services).controller_id == 1


def test_the_leader_is_the_controller_where_it_is_listed():
    places = {"CONTROLLER": {2: HostPort("b", 1), 1: HostPort("a", 1)}}
    services = services_with_eight_records(leading=LeaderAndEpoch(2, 3), places=places)
    assert ask(2, 2, services=services).controller_id == 2
    assert [broker.broker_id for broker in ask(2, 2, services=services).brokers] == [1, 2]


def test_authorized_operations_are_told_only_when_asked_for():
    assert ask(1).cluster_authorized_operations == -(1 << 31)
    response = ask(1, include_cluster_authorized_operations=True)
    assert response.cluster_authorized_operations == 8096


@pytest.mark.parametrize(("level", "code"), [(14, 35), (15, 0)])
def test_controllers_are_told_from_the_level_at_which_they_register(level, code):
    services = services_with_eight_records()
    services.features.finalized["metadata.version"] = level
    response = ask(2, 2, services=services)
    assert (response.error_code, bool(list(response.brokers))) == (code, not code)
    assert ask(2, 1, services=services).error_code == 0
