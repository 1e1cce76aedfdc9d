"""Files as Strimzi, Confluent, Bitnami and Apache's image write them load as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.config.node_config import NodeConfig
from metaquorum.config.sasl_settings import SaslSettings
from tests.unit.config.deployed_files import DIRECTORY, ENVIRON, NAMES, SECRET, properties_of


def loaded(name: str, mounts: Path) -> tuple[NodeConfig, list[str]]:
    properties = properties_of(name, mounts)
    return NodeConfig.of(properties, name, host_name=lambda: "this.machine", environ=ENVIRON)


@pytest.mark.parametrize("name", NAMES)
def test_a_deployed_file_loads(name: str, tmp_path: Path) -> None:
    node, warnings = loaded(name, tmp_path)
    if name != "strimzi-combined":  # there is no broker here
        node.check_servable()
    assert SECRET not in "".join(warnings) + repr(node)


@pytest.mark.parametrize(
    "name", ["strimzi-controller-env", "strimzi-controller-secrets", "strimzi-combined"]
)
def test_a_file_of_strimzi_loads_where_nothing_is_mounted(name: str) -> None:
    path = DIRECTORY / f"{name}.properties"
    node, _ = NodeConfig.load(path, host_name=lambda: "this.machine", environ=ENVIRON)
    assert node.controller_listener_names == ("CONTROLPLANE-9090",)


def test_strimzis_store_passwords_come_from_the_environment(tmp_path: Path) -> None:
    node, warnings = loaded("strimzi-controller-env", tmp_path)
    assert warnings == []
    tls = node.tls_of(node.controller_listeners[0])
    assert tls is not None
    assert tls.keystore is not None
    assert tls.truststore is not None
    assert (tls.keystore.password, tls.truststore.password) == (SECRET, SECRET)


def test_strimzis_rack_comes_from_a_file(tmp_path: Path) -> None:
    node, warnings = loaded("strimzi-combined", tmp_path)
    assert warnings == []
    assert node.text_of("broker.rack") == "zone-a"
    assert node.advertised_listeners[-1].host == "10.1.2.3"


def test_strimzis_provider_of_kubernetes_secrets_is_a_warning(tmp_path: Path) -> None:
    node, warnings = loaded("strimzi-controller-secrets", tmp_path)
    assert warnings[0].startswith("config.providers.strimzisecrets.class: ")
    assert [one.partition(":")[0].rpartition(".")[2] for one in warnings[1:]] == [
        "certificates",
        "chain",
        "key",
    ]
    assert str(node.advertised_listeners[0]) == (
        "CONTROLPLANE-9090://prod-controllers-4.prod-kafka-brokers.kafka.svc.cluster.local:9090"
    )


def test_confluents_file_of_passwords_is_read(tmp_path: Path) -> None:
    node, warnings = loaded("confluent-operator-controller", tmp_path)
    tls = node.tls_of(node.controller_listeners[0])
    assert tls is not None
    assert tls.keystore is not None
    assert (tls.keystore.password, tls.key_password) == (SECRET, SECRET)
    assert tls.protocols == ("TLSv1.2",)
    assert "ssl.enabled.protocols: TLSv1.1, TLSv1 is not spoken here; TLSv1.2, TLSv1.3 are" in (
        warnings
    )


def test_bitnamis_escaped_password_is_read(tmp_path: Path) -> None:
    node, _ = loaded("bitnami-controller", tmp_path)
    assert node.links.password == 'aB3\\kq"9'
    sasl = node.sasl_of(node.controller_listeners[0])
    assert isinstance(sasl, SaslSettings)
    assert sasl.plain_users == {"controller_user": 'aB3\\kq"9'}


def test_the_images_wildcard_gives_way_to_the_nodes_own_voter(tmp_path: Path) -> None:
    node, _ = loaded("cp-kafka-controller", tmp_path)
    assert str(node.advertised_listeners[0]) == "CONTROLLER://controller-2:29093"


def test_all_three_providers_serve_one_file(tmp_path: Path) -> None:
    node, warnings = loaded("environment-controller", tmp_path)
    assert warnings == []
    assert str(node.bootstrap_servers[0]) == "kafka-7.controllers:9093"
    sasl = node.sasl_of(node.controller_listeners[0])
    assert sasl is not None
    assert sasl.plain_users == {"node": SECRET, "admin": SECRET}
