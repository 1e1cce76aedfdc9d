"""DescribeConfigs: the settings of topics, of this node, of groups and of client metrics."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.metadata.state import MetadataState
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.fake_services import plain_config, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.topic_record import TopicRecord

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
OF_NODE, OF_ALL, FILE, DEFAULT = 2, 3, 4, 5
UNKNOWN, INT, LIST, CLASS, PASSWORD = 0, 3, 7, 8, 9
CONFIG_RECORD = 4


def house_with(*rows, **file):
    """A node whose log has these (resource name, key, value) for brokers, and this file."""
    state = MetadataState()
    for offset, (resource, key, value) in enumerate(rows, start=1):
        record = ConfigRecord(BROKER, resource, key, value)
        state.replay(MetadataRecord(CONFIG_RECORD, 0, record), offset, 1, 1_000)
    return services_with_eight_records(state=state.live(), config=plain_config(**file))


def ask(version, kind, name, keys=None, services=None, **fields):
    resource = DescribeConfigsResource(kind, name, keys)
    request = DescribeConfigsRequest(resources=[resource], **fields)
    return PipelineClient(services or house_with()).ask(request, version).results[0]


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
    services = house_with(num_partitions="7")
    (config,) = ask(4, BROKER, "1", ["num.partitions"], services, include_synonyms=True).configs
    assert [(one.value, one.source) for one in config.synonyms] == [("7", 4), ("1", 5)]


def test_secrets_are_never_told():
    services = house_with(ssl_key_password="hidden")
    (config,) = ask(4, BROKER, "1", ["ssl.key.password"], services, include_synonyms=True).configs
    assert (config.value, config.is_sensitive, config.config_type) == (None, True, PASSWORD)
    assert places(config) == [("ssl.key.password", None, FILE)]


def places(config):
    return [(one.name, one.value, one.source) for one in config.synonyms]


def one_of(services, name, key, version=4):
    (config,) = ask(version, BROKER, name, [key], services, include_synonyms=True).configs
    return config


@pytest.mark.parametrize("version", range(5))
def test_the_empty_name_tells_what_the_log_sets_for_all(version):
    services = house_with(("", "min.insync.replicas", "2"), ("1", "num.io.threads", "9"))
    result = ask(version, BROKER, "", None, services, include_synonyms=version > 0)
    (config,) = result.configs
    assert (result.error_code, result.error_message) == (0, "")
    assert (config.name, config.value) == ("min.insync.replicas", "2")
    assert (config.read_only, config.is_default, config.is_sensitive) == (False, False, False)
    if version > 0:
        assert config.config_source == OF_ALL
        assert places(config) == [("min.insync.replicas", "2", OF_ALL)]
    assert config.config_type == (INT if version >= 3 else UNKNOWN)


@pytest.mark.parametrize(
    "key",
    [
        "leader.replication.throttled.rate",
        "follower.replication.throttled.rate",
        "replica.alter.log.dirs.io.max.bytes.per.second",
    ],
)
def test_rates_of_replication_can_be_changed_at_run_time(key: str):
    assert not one_of(house_with(("1", key, "16800")), "1", key).read_only


def test_a_key_set_everywhere_has_the_nodes_value_and_all_synonyms():
    services = house_with(
        ("", "num.io.threads", "6"), ("1", "num.io.threads", "7"), ("2", "num.io.threads", "5"),
        num_io_threads="4",
    )  # fmt: skip
    config = one_of(services, "1", "num.io.threads")
    assert (config.value, config.config_source, config.read_only) == ("7", OF_NODE, False)
    name = "num.io.threads"
    assert places(config) == [
        (name, "7", OF_NODE), (name, "6", OF_ALL), (name, "4", FILE), (name, "8", DEFAULT),
    ]  # fmt: skip
    assert list(ask(4, BROKER, "1", [name], services).configs[0].synonyms) == []


def test_a_key_that_the_log_no_longer_sets_falls_back():
    services = house_with(("", "min.insync.replicas", "2"), ("", "min.insync.replicas", None))
    config = one_of(services, "1", "min.insync.replicas")
    assert (config.value, config.config_source) == ("1", DEFAULT)
    assert list(ask(4, BROKER, "", None, services).configs) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("node.id", "4"), ("num.io.threads", "x"), ("num.io.threads", "0"),
        ("ssl.keystore.type", "JKS"), ("log.retention.hours", "1"),
    ],
)  # fmt: skip
def test_a_record_that_cannot_hold_is_passed_over(key, value):
    services = house_with(("", key, value), ("1", key, value))
    assert list(ask(4, BROKER, "", None, services).configs) == []
    assert one_of(services, "1", key).config_source in (FILE, DEFAULT)


@pytest.mark.parametrize(
    "key",
    ["listeners", "sasl.jaas.config", "ssl.protocol", "listener.name.clients.ssl.keystore.type"],
)
def test_keys_of_one_node_cannot_be_set_for_all(key):
    services = house_with(("", key, "any"), ("1", key, "any"))
    assert list(ask(4, BROKER, "", None, services).configs) == []
    assert one_of(services, "1", key).config_source == OF_NODE


def test_keys_that_nobody_knows_may_be_secrets():
    services = house_with(("", "of.a.plugin", "a"), ("1", "of.another", "b"), super_users="User:c")
    told = [one_of(services, "1", key) for key in ("of.a.plugin", "of.another", "super.users")]
    assert [config.config_source for config in told] == [OF_ALL, OF_NODE, FILE]
    for config in told:
        assert (config.value, config.read_only, config.is_sensitive) == (None, True, True)
        assert config.config_type == UNKNOWN
        assert places(config) == [(config.name, None, config.config_source)]


def test_a_listeners_own_key_stands_before_the_key_of_all_listeners():
    key = "listener.name.clients.max.connections"
    config = one_of(house_with(("1", key, "50")), "1", key)
    assert (config.value, config.config_type, config.read_only) == ("50", INT, True)
    assert places(config) == [(key, "50", OF_NODE), ("max.connections", "2147483647", DEFAULT)]
    secret = one_of(
        house_with(("1", "listener.name.clients.plain.sasl.jaas.config", "x")),
        "1", "listener.name.clients.plain.sasl.jaas.config",
    )  # fmt: skip
    assert (secret.value, secret.config_type) == (None, PASSWORD)


def test_coarser_units_stand_in_for_finer_ones():
    services = house_with(("", "log.retention.ms", " 5000 "), log_retention_minutes="30")
    config = one_of(services, "1", "log.retention.ms")
    assert config.value == "5000"
    assert places(config) == [
        ("log.retention.ms", " 5000 ", OF_ALL), ("log.retention.minutes", "30", FILE),
        ("log.retention.hours", "168", DEFAULT),
    ]  # fmt: skip
    assert one_of(services, "", "log.retention.ms").value == " 5000 "
    unset = one_of(house_with(log_retention_minutes="30"), "1", "log.retention.ms")
    assert (unset.value, unset.config_source, places(unset)) == (None, DEFAULT, [])


@pytest.mark.parametrize("version", range(1, 5))
def test_both_names_of_the_nodes_id_stand_in_the_file_if_one_does(version):
    config = one_of(house_with(), "1", "broker.id", version)
    assert (config.value, config.config_source) == ("1", FILE)
    assert places(config) == [("broker.id", "1", FILE), ("broker.id", "-1", DEFAULT)]


def test_values_are_told_as_they_were_understood():
    services = house_with(
        ("", "log.cleanup.policy", "compact, delete"), ("1", "log.preallocate", "TRUE"),
        ("1", "num.io.threads", "+6"), ("1", "log.cleaner.min.cleanable.ratio", " 0.25"),
    )  # fmt: skip
    told = {config.name: config for config in ask(4, BROKER, "1", None, services).configs}
    assert told["log.cleanup.policy"].value == "compact,delete"
    assert told["log.preallocate"].value == "true"
    assert told["num.io.threads"].value == "6"
    assert told["log.cleaner.min.cleanable.ratio"].value == "0.25"
    assert told["log.cleanup.policy"].config_type == LIST
    assert told["principal.builder.class"].config_type == CLASS
    assert told["principal.builder.class"].documentation is None


@pytest.mark.parametrize("name", ["2", "x", "-1", "1 ", "²", "9" * 99])
def test_a_node_speaks_for_no_other(name):
    assert ask(4, BROKER, name).error_code == 42
    assert ask(4, LOGGER, name).error_code == 42


@pytest.mark.parametrize(("kind", "name"), [(BROKER, ""), (LOGGER, "1")])
def test_kinds_without_settings_have_an_empty_list(kind, name):
    result = ask(4, kind, name)
    assert (result.error_code, result.error_message, list(result.configs)) == (0, "", [])


def of_resources(*rows, **file):
    """A node whose log has a topic ``orders`` and these (type, name, key, value)."""
    state = MetadataState()
    topic = MetadataRecord(2, 0, TopicRecord("orders", b"t" * 16))
    configs = [MetadataRecord(CONFIG_RECORD, 0, ConfigRecord(*row)) for row in rows]
    for offset, record in enumerate([topic, *configs], start=1):
        state.replay(record, offset, 1, 1_000)
    return services_with_eight_records(state=state.live(), config=plain_config(**file))


def row_of(services, kind, name, key, version=4):
    (row,) = ask(version, kind, name, [key], services, include_synonyms=True).configs
    return row.value, row.config_source, places(row)


@pytest.mark.parametrize("version", range(5))
def test_every_setting_of_a_topic_is_told(version):
    services = of_resources((TOPIC, "orders", "retention.ms", "5"))
    rows = {one.name: one for one in ask(version, TOPIC, "orders", None, services).configs}
    assert len(rows) == 33 and "internal.segment.bytes" not in rows
    assert (rows["retention.ms"].value, rows["retention.ms"].read_only) == ("5", False)
    assert rows["segment.bytes"].value == "1073741824"
    if version == 0:
        assert rows["segment.bytes"].is_default and not rows["retention.ms"].is_default
    else:
        assert (rows["retention.ms"].config_source, rows["segment.bytes"].config_source) == (1, 5)
    assert rows["retention.ms"].config_type == (5 if version >= 3 else UNKNOWN)


def test_a_topic_inherits_from_records_of_brokers_file_and_default():
    key, of_brokers = "max.message.bytes", "message.max.bytes"
    rows = [
        (TOPIC, "orders", key, "4"), (BROKER, "1", of_brokers, "3"), (BROKER, "", of_brokers, "2"),
    ]  # fmt: skip
    places_of_brokers = [(of_brokers, str(n), s) for n, s in ((3, 2), (2, 3), (1, 4))]
    default = (of_brokers, "1048588", DEFAULT)
    for number, value in enumerate("4321"):
        services = of_resources(*rows[number:], message_max_bytes="1")
        expected = [(key, "4", 1), *places_of_brokers, default][number:]
        assert row_of(services, TOPIC, "orders", key) == (value, number + 1, expected)


def test_hours_stand_in_for_milliseconds_without_being_told_alone():
    services = of_resources(log_retention_hours="2")
    assert row_of(services, TOPIC, "orders", "retention.ms") == ("7200000", DEFAULT, [])
    services = of_resources((BROKER, "", "log.retention.ms", "77"), log_retention_hours="2")
    assert row_of(services, TOPIC, "orders", "retention.ms") == (
        "77", OF_ALL,
        [("log.retention.ms", "77", OF_ALL), ("log.retention.hours", "2", FILE),
         ("log.retention.hours", "168", DEFAULT)],
    )  # fmt: skip


def test_an_internal_or_unknown_setting_is_told_once_it_is_set():
    services = of_resources(
        (TOPIC, "orders", "internal.segment.bytes", "9"), (TOPIC, "orders", "of.a.release", "x")
    )
    assert row_of(services, TOPIC, "orders", "internal.segment.bytes")[0] == "9"
    (row,) = ask(4, TOPIC, "orders", ["of.a.release"], services).configs
    assert (row.value, row.is_sensitive, row.config_type) == (None, True, UNKNOWN)


def test_a_group_has_its_own_settings_the_files_or_the_defaults():
    key = "consumer.session.timeout.ms"
    default = (f"group.{key}", "45000", DEFAULT)
    assert row_of(of_resources(), GROUP, "g", key) == ("45000", DEFAULT, [default])
    file = {f"group_{key}".replace(".", "_"): "46000"}
    of_file = (f"group.{key}", "46000", FILE)
    assert row_of(of_resources(**file), GROUP, "g", key) == ("46000", FILE, [of_file, default])
    services = of_resources((GROUP, "g", key, "47000"), **file)
    own = (key, "47000", 8)
    assert row_of(services, GROUP, "g", key) == ("47000", 8, [own, of_file, default])
    assert len(list(ask(4, GROUP, "g", None, services).configs)) == 17


def test_a_subscription_has_its_own_settings_or_the_defaults():
    services = of_resources((METRICS, "m", "metrics", "a,b"))
    assert row_of(services, METRICS, "m", "metrics") == ("a,b", 7, [("metrics", "a,b", 7)])
    assert row_of(services, METRICS, "m", "interval.ms") == ("300000", DEFAULT, [])
    assert row_of(services, METRICS, "other", "match") == ("", DEFAULT, [])


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
    answer = PipelineClient(house_with()).ask(DescribeConfigsRequest(resources=named), 4)
    assert [(one.resource_type, one.resource_name) for one in answer.results] == [
        (BROKER, "1"), (TOPIC, METADATA_TOPIC),
    ]  # fmt: skip
    assert [config.name for config in answer.results[0].configs] == ["node.id"]
