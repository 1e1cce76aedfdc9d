"""AlterConfigs and IncrementalAlterConfigs: what the controller is asked, and what it is not."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.controller.commands import ConfigChange
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.metadata.state import MetadataState
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.guarded_client import guarded
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import alter_configs_request as whole
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated import incremental_alter_configs_request as single
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
SET, DELETE, APPEND, SUBTRACT = range(4)


@pytest.fixture
def services() -> FakeServices:
    return services_with_eight_records(state=MetadataState().committed())


def changes(kinds_and_names, op, validate_only=False):
    resources = [
        single.AlterConfigsResource(
            kind, name, [single.AlterableConfig("cleanup.policy", op, "delete")]
        )
        for kind, name in kinds_and_names
    ]
    return single.IncrementalAlterConfigsRequest(resources, validate_only)


def replacements(kinds_and_names, validate_only=False):
    resources = [
        whole.AlterConfigsResource(kind, name, [whole.AlterableConfig("cleanup.policy", "delete")])
        for kind, name in kinds_and_names
    ]
    return whole.AlterConfigsRequest(resources, validate_only)


def told(response) -> list[tuple[int, str, int]]:
    rows = response.responses
    return [(one.resource_type, one.resource_name, one.error_code) for one in rows]


ASKED = [
    *(
        (changes([(TOPIC, METADATA_TOPIC)], op, validate_only), version)
        for version in range(2)
        for op in (SET, DELETE, APPEND, SUBTRACT)
        for validate_only in (False, True)
    ),
    *((replacements([(TOPIC, METADATA_TOPIC)]), version) for version in range(3)),
]


def cleanup_policy(services):
    resource = DescribeConfigsResource(TOPIC, METADATA_TOPIC, ["cleanup.policy"])
    (config,) = (
        PipelineClient(services).ask(DescribeConfigsRequest([resource]), 4).results[0].configs
    )
    return config.value, config.read_only


@pytest.mark.parametrize(("message", "version"), ASKED)
def test_the_cleanup_policy_is_snapshot_whatever_is_asked_for(services, message, version):
    answer = PipelineClient(services).ask(message, version)
    assert told(answer) == [(TOPIC, METADATA_TOPIC, error_codes.INVALID_CONFIG)]
    assert "can only be read" in answer.responses[0].error_message
    assert cleanup_policy(services) == ("snapshot", True)
    assert not services.asked


@pytest.mark.parametrize("version", range(2))
def test_the_controller_is_asked_for_what_can_be_asked(services, version):
    named = [(TOPIC, "a"), (TOPIC, METADATA_TOPIC), (99, "x"), (BROKER, ""), (TOPIC, "b")]
    request = changes([*named, (TOPIC, "b")], APPEND)
    exchange = PipelineClient(services).send(request, version)
    ((command, _),) = services.asked
    operations = (("cleanup.policy", APPEND, "delete"),)
    assert command.changes == (
        ConfigChange(TOPIC, "a", operations), ConfigChange(BROKER, "", operations),
    )  # fmt: skip
    assert (command.voter_ids, command.validate_only) == (services.voter_ids(), False)
    services.answers[0].complete(((0, None), (error_codes.INVALID_CONFIG, "why")))
    assert told(exchange.response) == [
        (TOPIC, "a", 0),
        (TOPIC, METADATA_TOPIC, error_codes.INVALID_CONFIG),
        (99, "x", error_codes.UNSUPPORTED_VERSION),
        (BROKER, "", error_codes.INVALID_CONFIG),
        (TOPIC, "b", error_codes.INVALID_REQUEST),
    ]
    assert exchange.response.responses[3].error_message == "why"


@pytest.mark.parametrize("version", range(3))
def test_a_replacement_is_asked_for_as_one(services, version):
    exchange = PipelineClient(services).send(replacements([(GROUP, "g")], True), version)
    ((command, _),) = services.asked
    (one,) = command.changes
    assert one == ConfigChange(GROUP, "g", (("cleanup.policy", SET, "delete"),), replaces=True)
    assert command.validate_only
    services.answers[0].complete(((0, None),))
    assert told(exchange.response) == [(GROUP, "g", 0)]


def test_loggers_are_not_set(services):
    own, other = (LOGGER, "1"), (LOGGER, "2")
    assert told(PipelineClient(services).ask(changes([own, other], SET), 1)) == [
        (*own, error_codes.INVALID_CONFIG), (*other, error_codes.INVALID_REQUEST),
    ]  # fmt: skip
    answer = PipelineClient(services).ask(replacements([own]), 2)
    assert told(answer) == [(*own, error_codes.INVALID_REQUEST)]
    assert not services.asked


def test_settings_take_the_right_of_their_resource(services):
    named = [(TOPIC, "a"), (TOPIC, "b"), (GROUP, "g"), (GROUP, "h"), (BROKER, "1"), (METRICS, "m")]
    allowed = [(ResourceType.TOPIC, "a"), (ResourceType.GROUP, "g")]
    rights = [(Operation.ALTER_CONFIGS, *one) for one in allowed]
    exchange = guarded(services, *rights).send(changes(named, SET), 1)
    services.answers[0].complete(((0, None), (0, None)))
    assert [code for _, _, code in told(exchange.response)] == [
        *(0, error_codes.TOPIC_AUTHORIZATION_FAILED, 0, error_codes.GROUP_AUTHORIZATION_FAILED),
        *(error_codes.CLUSTER_AUTHORIZATION_FAILED,) * 2,
    ]
    of_cluster = (Operation.ALTER_CONFIGS, ResourceType.CLUSTER, CLUSTER_NAME)
    exchange = guarded(services, of_cluster).send(changes(named[4:], SET), 1)
    services.answers[1].complete(((0, None), (0, None)))
    assert [code for _, _, code in told(exchange.response)] == [0, 0]
