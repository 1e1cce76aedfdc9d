"""DescribeConfigs: the topic's log, this node's keys, and nothing of anybody else."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.testing.fake_house import house_of_eight, plain_config
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32


def ask(version, kind, name, keys=None, house=None, **fields):
    resource = DescribeConfigsResource(kind, name, keys)
    request = DescribeConfigsRequest(resources=[resource], **fields)
    return PipelineClient(house or house_of_eight()).ask(request, version).results[0]


@pytest.mark.parametrize("version", range(5))
def test_the_topic_tells_what_holds_for_its_log(version):
    result = ask(version, TOPIC, METADATA_TOPIC)
    told = {config.name: config.value for config in result.configs}
    assert result.error_code == 0
    assert told["message.timestamp.type"] == "CreateTime"
    assert told["segment.bytes"] == "1073741824"
    assert all(config.read_only for config in result.configs)


@pytest.mark.parametrize("version", range(5))
def test_a_node_tells_its_own_keys_and_where_they_come_from(version):
    told = {config.name: config for config in ask(version, BROKER, "1").configs}
    assert told["node.id"].value == "1"
    assert told["socket.request.max.bytes"].value == "104857600"
    if version == 0:
        assert told["socket.request.max.bytes"].is_default
        assert not told["node.id"].is_default
    else:
        assert told["node.id"].config_source == 4
        assert told["socket.request.max.bytes"].config_source == 5


def test_only_the_names_that_were_asked_for_are_told():
    names = [config.name for config in ask(4, BROKER, "1", ["node.id", "absent"]).configs]
    assert names == ["node.id"]
    assert len(list(ask(4, BROKER, "1", []).configs)) > 100


def test_synonyms_name_the_file_before_the_default():
    house = house_of_eight(config=plain_config(num_partitions="7"))
    (config,) = ask(4, BROKER, "1", ["num.partitions"], house, include_synonyms=True).configs
    assert [(one.value, one.source) for one in config.synonyms] == [("7", 4), ("1", 5)]


def test_secrets_are_never_told():
    house = house_of_eight(config=plain_config(ssl_key_password="hidden"))
    (config,) = ask(4, BROKER, "1", ["ssl.key.password"], house, include_synonyms=True).configs
    assert (config.value, config.is_sensitive, list(config.synonyms)) == (None, True, [])


@pytest.mark.parametrize("name", ["2", "x", "-1", "1 ", "²", "9" * 99])
def test_a_node_speaks_for_no_other(name):
    assert ask(4, BROKER, name).error_code == 42
    assert ask(4, LOGGER, name).error_code == 42


@pytest.mark.parametrize(
    ("kind", "name"), [(BROKER, ""), (LOGGER, "1"), (METRICS, "m"), (GROUP, "g")]
)
def test_kinds_without_settings_have_an_empty_list(kind, name):
    result = ask(4, kind, name)
    assert (result.error_code, result.error_message, list(result.configs)) == (0, "", [])


@pytest.mark.parametrize("kind", [LOGGER, METRICS, GROUP])
def test_a_resource_needs_a_name(kind):
    assert ask(4, kind, "").error_code == 42


@pytest.mark.parametrize(("name", "code"), [("absent", 3), ("", 17), (".", 17), ("a b", 17)])
def test_topics_that_are_not_there_or_cannot_be(name, code):
    assert ask(4, TOPIC, name).error_code == code


@pytest.mark.parametrize("kind", [0, 1, 3, 64, -1])
def test_an_unknown_kind_is_invalid(kind):
    assert ask(4, kind, "x").error_code == 42


def test_a_resource_named_again_and_again_is_described_once():
    named = [
        DescribeConfigsResource(BROKER, "1", None),
        DescribeConfigsResource(TOPIC, METADATA_TOPIC, None),
        DescribeConfigsResource(BROKER, "1", ["node.id"]),
    ]
    answer = PipelineClient(house_of_eight()).ask(DescribeConfigsRequest(resources=named), 4)
    assert [(one.resource_type, one.resource_name) for one in answer.results] == [
        (BROKER, "1"), (TOPIC, METADATA_TOPIC),
    ]  # fmt: skip
    assert [config.name for config in answer.results[0].configs] == ["node.id"]
