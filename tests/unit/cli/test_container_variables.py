"""Variables of a container, as Apache Kafka's image reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.container_variables import (
    DEFAULTS,
    OF_THE_IMAGE,
    cluster_id_of,
    container_properties,
    flag_of,
    key_of,
    variable_of,
    with_variables,
)
from metaquorum.config.keys import known_keys


@pytest.mark.parametrize(
    ("variable", "key"),
    [
        ("KAFKA_NODE_ID", "node.id"),
        (
            "KAFKA_METADATA_SNAPSHOT_MIN_CHANGED__RECORDS_RATIO",
            "metadata.snapshot.min.changed_records.ratio",
        ),
        ("KAFKA_A___B__C_D", "a-b_c.d"),
        ("KAFKA_A____B", "a-.b"),
        (
            "KAFKA_LISTENER_NAME_CONTROLLER_SSL_KEYSTORE_TYPE",
            "listener.name.controller.ssl.keystore.type",
        ),
        ("KAFKA_METAQUORUM_LOG_FORMAT", "metaquorum.log.format"),
        ("KAFKA_KAFKA_METRICS_REPORTERS", "kafka.metrics.reporters"),
    ],
)
def test_underscores_stand_for_dots_underscores_and_dashes(variable: str, key: str):
    assert key_of(variable) == key


def test_every_key_has_a_variable_of_its_own():
    assert {key_of(variable_of(key)): key for key in known_keys()} == {
        key: key for key in known_keys()
    }
    assert not {variable_of(key) for key in known_keys()} & OF_THE_IMAGE


def test_other_variables_and_those_of_java_are_no_keys():
    environ = dict.fromkeys([*OF_THE_IMAGE, "HOME", "MY_KAFKA_X"], "x") | {"KAFKA_NODE_ID": "1"}
    assert container_properties(environ, None) == ({"node.id": "1", **DEFAULTS}, frozenset())


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("a b", "a b"),
        ("  a", "a"),
        ("x=y:z#!", "x=y:z#!"),
        ("C:\\\\keys", "C:\\keys"),
        ("one \\\n  two", "one two"),
        ("\\u00e9\u4e2d", "\u00e9\u4e2d"),
        ("", ""),
    ],
)
def test_a_value_is_what_it_is_in_a_properties_file(value: str, read: str):
    assert container_properties({"KAFKA_NODE_ID": value}, None)[0]["node.id"] == read


def test_variables_count_before_the_file_and_defaults_last(tmp_path: Path):
    file = tmp_path / "server.properties"
    file.write_text("node.id=1\nbroker.rack=a\n")
    properties, of_file = container_properties({"KAFKA_NODE_ID": "2"}, str(file))
    assert properties == {"node.id": "2", "broker.rack": "a", **DEFAULTS}
    assert of_file == {"broker.rack"}
    file.write_text("log.dir=/data\n")
    assert container_properties({"KAFKA_NODE_ID": "2"}, str(file))[0] == {
        "node.id": "2",
        "log.dir": "/data",
    }


def test_an_empty_advertised_listener_is_none():
    environ = {"KAFKA_NODE_ID": "1", "KAFKA_ADVERTISED_LISTENERS": ""}
    assert "advertised.listeners" not in container_properties(environ, None)[0]


def test_stores_and_their_passwords_are_files_among_the_secrets(tmp_path: Path):
    (tmp_path / "keys.p12").write_bytes(b"\x00")
    (tmp_path / "password").write_text("s3cret\n")
    environ = {
        "KAFKA_SSL_KEYSTORE_FILENAME": "keys.p12",
        "KAFKA_SSL_KEYSTORE_CREDENTIALS": "password",
        "KAFKA_SSL_KEY_CREDENTIALS": "password",
    }
    assert container_properties(environ, None, str(tmp_path))[0] == {
        "ssl.keystore.location": f"{tmp_path}/keys.p12",
        "ssl.keystore.password": "s3cret",
        "ssl.key.password": "s3cret",
        **DEFAULTS,
    }


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "there is no configuration: set KAFKA_NODE_ID"),
        ({"KAFKA_NODE_ID": "\\u12"}, "KAFKA_NODE_ID: a backslash followed by u"),
        ({"KAFKA_SSL_KEY_CREDENTIALS": "x"}, "KAFKA_SSL_KEY_CREDENTIALS: cannot read /etc/kafka/"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(environ: dict[str, str], told: str):
    with pytest.raises(OperatorError) as refused:
        container_properties(environ, None)
    assert str(refused.value).startswith(told)


def test_messages_name_variables_in_place_of_keys():
    message = "\n".join(
        [
            "the environment has 3 problems:",
            "  node.id: 'x' is not a number",
            "  metadata.log.segment.bytes: 1 is out of bounds",
            "  neither controller.quorum.voters nor controller.quorum.bootstrap.servers is set",
            "  set listeners and log.dirs.",
        ]
    )
    told = with_variables(message, ("my.key",), frozenset({"metadata.log.segment.bytes"}))
    assert told.splitlines() == [
        "the environment has 3 problems:",
        "  KAFKA_NODE_ID (node.id): 'x' is not a number",
        "  metadata.log.segment.bytes: 1 is out of bounds",
        "  neither KAFKA_CONTROLLER_QUORUM_VOTERS nor "
        "KAFKA_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS is set",
        "  set listeners and KAFKA_LOG_DIRS.",
    ]
    assert with_variables("my.key is odd", ("my.key",), frozenset()).startswith("KAFKA_MY_KEY (")


def test_a_cluster_id_has_two_names_and_one_value():
    assert cluster_id_of({}) is None
    assert cluster_id_of({"CLUSTER_ID": ""}) is None
    assert cluster_id_of({"CLUSTER_ID": "a", "KAFKA_CLUSTER_ID": "a"}) == "a"
    assert cluster_id_of({"KAFKA_CLUSTER_ID": "b"}) == "b"
    with pytest.raises(OperatorError, match="different"):
        cluster_id_of({"CLUSTER_ID": "a", "KAFKA_CLUSTER_ID": "b"})


def test_a_flag_says_true_or_false():
    assert [flag_of({"F": text}, "F") for text in ("true", " True", "false", "")] == [1, 1, 0, 0]
    with pytest.raises(OperatorError, match="F: write true or false"):
        flag_of({"F": "yes"}, "F")
