"""ListConfigResources: which resources are told, by kind."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.config.listeners import HostPort
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.partitions import Cluster
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.list_config_resources_request import ListConfigResourcesRequest
from metaquorum.wire.generated.records.config_record import ConfigRecord

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
PLACES = {"CONTROLLER": {1: HostPort("a", 1), 2: HostPort("b", 2)}, "OTHER": {3: HostPort("c", 3)}}


def client(topics: int = 0) -> PipelineClient:
    cluster = Cluster.of([101])
    cluster.register(102, fenced=True)
    cluster.topic("t", [101])
    for number in range(topics):
        cluster.topic(f"more-{number}", [101])
    for kind, name in ((GROUP, "g"), (METRICS, "m"), (BROKER, "55"), (TOPIC, "t")):
        cluster.replay(MetadataRecord(4, 0, ConfigRecord(kind, name, "key", "value")))
    return PipelineClient(services_with_eight_records(state=cluster.state.live(), places=PLACES))


def told(*kinds: int, version: int = 1) -> list[tuple[int, str]]:
    answer = client().ask(ListConfigResourcesRequest(list(kinds)), version)
    assert answer.error_code == error_codes.NONE
    return [(one.resource_type, one.resource_name) for one in answer.config_resources]


def test_topics_are_all_told_and_the_metadata_topic_with_them() -> None:
    assert told(TOPIC) == [(TOPIC, "__cluster_metadata"), (TOPIC, "t")]


@pytest.mark.parametrize("kind", [BROKER, LOGGER])
def test_nodes_are_those_of_the_listener_and_brokers_that_serve(kind: int) -> None:
    assert told(kind) == [(kind, "1"), (kind, "2"), (kind, "101")]


@pytest.mark.parametrize(("kind", "name"), [(METRICS, "m"), (GROUP, "g")])
def test_groups_and_subscriptions_are_told_if_they_have_settings(kind: int, name: str) -> None:
    assert told(kind) == [(kind, name)]


def test_no_kinds_are_all_kinds() -> None:
    both = told()
    assert both == [one for kind in (TOPIC, BROKER, LOGGER, METRICS, GROUP) for one in told(kind)]
    assert told(GROUP, METRICS, GROUP) == [(METRICS, "m"), (GROUP, "g")]


def test_version_0_tells_of_client_metrics_alone() -> None:
    assert told(version=0) == [(METRICS, "m")]


@pytest.mark.parametrize("kinds", [[1], [GROUP, 3], [-1]])
def test_a_kind_without_settings_is_not_supported(kinds: list[int]) -> None:
    answer: Any = client().ask(ListConfigResourcesRequest(kinds), 1)
    assert answer.error_code == error_codes.UNSUPPORTED_VERSION
    assert answer.config_resources == []


def test_hundreds_of_topics_are_all_told() -> None:
    answer = client(topics=300).ask(ListConfigResourcesRequest([TOPIC]), 1)
    assert len(answer.config_resources) == 302
