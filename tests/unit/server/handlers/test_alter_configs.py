"""AlterConfigs and IncrementalAlterConfigs: every setting is refused, and nothing is changed."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.testing.fake_services import services_with_eight_records
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

REFUSED = [
    (TOPIC, METADATA_TOPIC, error_codes.INVALID_CONFIG),
    (TOPIC, "orders", error_codes.UNKNOWN_TOPIC_OR_PARTITION),
    (TOPIC, "a b", error_codes.INVALID_TOPIC_EXCEPTION),
    (BROKER, "1", error_codes.INVALID_REQUEST),
    (BROKER, "", error_codes.INVALID_REQUEST),
    (LOGGER, "1", error_codes.INVALID_REQUEST),
    (METRICS, "m", error_codes.INVALID_REQUEST),
    (GROUP, "g", error_codes.INVALID_REQUEST),
    (99, "x", error_codes.INVALID_REQUEST),
]


def cleanup_policy(services):
    resource = DescribeConfigsResource(TOPIC, METADATA_TOPIC, ["cleanup.policy"])
    (config,) = (
        PipelineClient(services).ask(DescribeConfigsRequest([resource]), 4).results[0].configs
    )
    return config.value, config.read_only


@pytest.mark.parametrize(
    ("message", "version"),
    [
        *(
            (
                single.IncrementalAlterConfigsRequest(
                    [
                        single.AlterConfigsResource(
                            kind, name, [single.AlterableConfig("cleanup.policy", op, "delete")]
                        )
                        for kind, name, _ in REFUSED
                    ],
                    validate_only,
                ),
                version,
            )
            for version in range(2)
            for op in (SET, DELETE, APPEND, SUBTRACT)
            for validate_only in (False, True)
        ),
        *(
            (
                whole.AlterConfigsRequest(
                    [
                        whole.AlterConfigsResource(
                            kind, name, [whole.AlterableConfig("cleanup.policy", "delete")]
                        )
                        for kind, name, _ in REFUSED
                    ]
                ),
                version,
            )
            for version in range(3)
        ),
    ],
)
def test_the_cleanup_policy_is_snapshot_whatever_is_asked_for(message, version):
    services = services_with_eight_records()
    answer = PipelineClient(services).ask(message, version)
    told = [(one.resource_type, one.resource_name, one.error_code) for one in answer.responses]
    assert told == REFUSED
    assert "can only be read" in answer.responses[0].error_message
    assert all(one.error_message for one in answer.responses)
    assert cleanup_policy(services) == ("snapshot", True)
