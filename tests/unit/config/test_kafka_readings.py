"""Our readings of addresses, voters, releases, JAAS texts and files against Kafka's own.

``data/kafka_readings.json`` holds what classes of the real Kafka read out of each text, null where
they refuse it; ``tests/interop/test_config_beside_kafka.py`` asks them again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.releases import parse_release
from metaquorum.cli.target import parse_bootstrap
from metaquorum.client.metadata_log import parse_addresses
from metaquorum.config.jaas import parse_jaas
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import Listener, parse_host_port, parse_voter
from metaquorum.config.node_config import NodeConfig

READINGS = json.loads((Path(__file__).parent / "data/kafka_readings.json").read_text("utf-8"))
MACHINE = "this.machine"

# Where we refuse what Kafka accepts: it finds out later, when it dials or binds.
NO_HOST = {":9093", "[]:9093", "PLAINTEXT://:9093", "1@:1"}
NO_IPV6_ADDRESS = {"h:1:9093", "1@h:1:2", "2001:db8::7", "::1", "[::1", "1:2:3:4:5:6:7:8"}
ANY_INTERFACE = {"1@[::]:1"}
NO_NODE_ID = {"-1@h:1", "\u0661@h:1"}
# Blanks around an element are no part of it; Kafka's lists take them away before.
BLANKS = {" h:1", "\th:1", "h:1\n", "h:1 ", "SASL_SSL://h:1 ", "[::1]:1 ", " 1@h:1"}


def rows(what: str) -> list[Any]:
    return [pytest.param(asked, told, id=ascii(asked)) for asked, told in READINGS[what]]


@pytest.mark.parametrize(("text", "kafka"), rows("address"))
def test_an_address_is_read_as_by_kafka(text: str, kafka: list[Any] | None) -> None:
    if text in NO_HOST | NO_IPV6_ADDRESS:
        assert kafka is not None
        kafka = None
    elif text in BLANKS:
        assert kafka is None
        return
    try:
        place = parse_host_port(text)
        ours = [[place.host, place.port]]
    except BadValue:
        ours = None
    assert ours == kafka


@pytest.mark.parametrize(("text", "kafka"), rows("address"))
def test_bootstrap_options_and_spark_read_the_same_addresses(
    text: str, kafka: list[Any] | None
) -> None:
    if text in NO_HOST | NO_IPV6_ADDRESS | BLANKS or text.endswith(":0") or "," in text:
        return  # refused, or no single address
    try:
        assert [[one.host, one.port] for one in parse_bootstrap(text)] == kafka
        assert [list(one) for one in parse_addresses(text)] == kafka
    except OperatorError:
        assert kafka is None


@pytest.mark.parametrize(("text", "kafka"), rows("voter"))
def test_a_static_voter_is_read_as_by_kafka(text: str, kafka: list[Any] | None) -> None:
    if text in NO_HOST | NO_IPV6_ADDRESS | ANY_INTERFACE | NO_NODE_ID:
        assert kafka is not None
        kafka = None
    elif text in BLANKS:
        assert kafka is None
        return
    try:
        voter = parse_voter(text)
        ours = [[voter.id, voter.host, voter.port]]
    except BadValue:
        ours = None
    assert ours == kafka


@pytest.mark.parametrize(("text", "kafka"), rows("release"))
def test_a_release_is_read_as_by_kafka(text: str, kafka: str | None) -> None:
    try:
        ours = parse_release(text).name
    except OperatorError:
        ours = None
    assert ours == kafka


@pytest.mark.parametrize(("text", "kafka"), rows("jaas"))
def test_a_jaas_text_is_read_as_by_kafka(text: str, kafka: list[Any] | None) -> None:
    try:
        entry = parse_jaas(text, "sasl.jaas.config")
        ours = [{"module": entry.module, "options": entry.options}]
    except BadValue as why:
        assert str(why).startswith("sasl.jaas.config: ")
        ours = None
    assert ours == kafka


def endpoint(one: Listener) -> list[Any]:
    return [one.name, one.host, one.port, one.protocol]


@pytest.mark.parametrize(("changes", "kafka"), rows("node"))
def test_listeners_of_a_controller_are_told_as_by_kafka(
    changes: dict[str, str], kafka: dict[str, list[list[Any]]] | None
) -> None:
    properties = {**READINGS["base of node"], **changes}
    try:
        node, _ = NodeConfig.of(properties, "test", host_name=lambda: MACHINE)
    except OperatorError:
        assert kafka is None
        return
    assert kafka is not None
    assert sorted(map(endpoint, node.listeners)) == sorted(
        [name, host or "", port, protocol] for name, host, port, protocol in kafka["listeners"]
    )
    if changes.get("listeners") == "CONTROLLER://[::]:9093":
        assert kafka["advertised"][0][1] == "::"  # nobody could dial it: ours is as for 0.0.0.0
        changes = {**changes, "listeners": "CONTROLLER://0.0.0.0:9093"}
        kafka = next(told for asked, told in READINGS["node"] if asked == changes)
    assert list(map(endpoint, node.advertised_controller_listeners)) == [
        [name, MACHINE if host is None else host, port, protocol]
        for name, host, port, protocol in kafka["advertised"]
    ]
