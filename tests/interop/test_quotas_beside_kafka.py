"""The same quota requests to a real cluster and to us: what it takes we take, what it refuses too.

The exceptions are those of docs/decisions/014-quotas-where-kafka-is-loose.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from attrs import frozen

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import alter_client_quotas_request as alter
from metaquorum.wire.generated import describe_client_quotas_request as describe
from metaquorum.wire.generated import error_codes
from tools.kafka import JavaHelper, KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode

ALTER_CLIENT_QUOTAS, DESCRIBE_CLIENT_QUOTAS = 49, 48
EXACT, DEFAULT, ANY = 0, 1, 2
Entity = tuple[tuple[str, str | None], ...]
PRODUCER, CONSUMER = "producer_byte_rate", "consumer_byte_rate"
PERCENT, MUTATION = "request_percentage", "controller_mutation_rate"
CONNECTIONS = "connection_creation_rate"

USER, CLIENT, IP = ("user", "u"), ("client-id", "c"), ("ip", "10.0.0.1")


@frozen
class Change:
    """One entry of an AlterClientQuotas request: (key, value, remove) of one entity."""

    entity: Entity
    ops: tuple[tuple[str, float, bool], ...]


def change(*entity: tuple[str, str | None], ops: dict[str, float] | None = None) -> list[Change]:
    values = {PRODUCER: 10.0} if ops is None else ops
    return [Change(entity, tuple((key, value, False) for key, value in values.items()))]


VALUES = (0.0, -1.0, -0.0, 0.5, 1.5, 1e-9, 10.0000001, 2.0**53 + 2, 1e18, 9.3e18, 1e300, math.inf)
ADDRESSES = ("", "abc def", "no.such.host.invalid", "999.1.1.1", "010.1.1.1", "1", "::1", "[::1]")
REQUESTS: dict[str, list[Change]] = {
    "a user": change(USER),
    "a client": change(CLIENT),
    "a user's client": change(USER, CLIENT),
    "a client's user": change(CLIENT, USER),
    "the default user": change(("user", None)),
    "the defaults of both": change(("user", None), ("client-id", None)),
    "the default address": change(("ip", None), ops={CONNECTIONS: 3.0}),
    "several quotas": change(USER, ops={PRODUCER: 5.0, CONSUMER: 6.0, PERCENT: 7.5}),
    "an unknown type": change(("group", "x")),
    "a type in capitals": change(("USER", "a")),
    "no type": change(("", "x")),
    "no entity": change(),
    "no name": change(("user", "")),
    "a long name": change(("user", "x" * 30_000)),
    "a name beyond ASCII": change(("user", "Ünïcødé £")),
    "an unknown quota": change(USER, ops={"nope": 10.0}),
    "no quota's name": change(USER, ops={"": 10.0}),
    "no quota": change(USER, ops={}),
    "a good and an unknown quota": change(("user", "half"), ops={PRODUCER: 5.0, "nope": 1.0}),
    "an address with a client's quota": change(IP),
    "a user with an address's quota": change(USER, ops={CONNECTIONS: 3.0}),
    "a user at an address": change(USER, IP),
    "a client at an address": change(CLIENT, IP, ops={CONNECTIONS: 3.0}),
    "all three": change(USER, CLIENT, IP),
    "a good and a bad entry": change(("user", "good")) + change(USER, ops={"nope": 5.0}),
    "nothing": [],
    "removed with a value": [Change((USER,), ((PRODUCER, -5.0, True),))],
    "removed though never set": [Change((("user", "never"),), ((PRODUCER, 0.0, True),))],
    "an unknown one removed": [Change((USER,), (("nope", 0.0, True),))],
    "set and removed": [Change((USER,), ((PRODUCER, 5.0, False), (PRODUCER, 0.0, True)))],
    "set twice": [Change((USER,), ((PRODUCER, 5.0, False), (PRODUCER, 6.0, False)))],
    **{
        f"{key} {value}": change(USER, ops={key: value})
        for key in (PRODUCER, CONSUMER, PERCENT, MUTATION)
        for value in VALUES
    },
    **{f"{CONNECTIONS} {value}": change(IP, ops={CONNECTIONS: value}) for value in VALUES},
    **{f"address {name!r}": change(("ip", name), ops={CONNECTIONS: 3.0}) for name in ADDRESSES},
}
STRICTER = {
    "the same type twice": change(("user", "a"), ("user", "b")),
    "not a number": change(USER, ops={PRODUCER: math.nan}),
    f"{PERCENT} inf": change(USER, ops={PERCENT: math.inf}),
    f"{MUTATION} inf": change(USER, ops={MUTATION: math.inf}),
}
Filter = tuple[list[tuple[str, int, str | None]], bool]
FILTERS: dict[str, Filter] = {
    "everything": ([], False),
    "strictly nothing": ([], True),
    "any user": ([("user", ANY, None)], False),
    "strictly any user": ([("user", ANY, None)], True),
    "the default user": ([("user", DEFAULT, None)], False),
    "one user": ([("user", EXACT, "u")], False),
    "both": ([("user", ANY, None), ("client-id", ANY, None)], False),
    "strictly both defaults": ([("user", DEFAULT, None), ("client-id", DEFAULT, None)], True),
    "any address": ([("ip", ANY, None)], False),
    "a user at an address": ([("user", ANY, None), ("ip", ANY, None)], False),
    "a type twice": ([("user", ANY, None), ("user", ANY, None)], False),
    "an unknown type": ([("group", ANY, None)], False),
    "no type": ([("", ANY, None)], False),
    "an unknown way to match": ([("user", 7, None)], False),
    "exactly null": ([("user", EXACT, None)], False),
    "the default by name": ([("user", DEFAULT, "x")], False),
    "any by name": ([("user", ANY, "x")], False),
}


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Connection]:
    """A connection to a broker of a real cluster."""
    with KafkaCluster(
        tmp_path_factory.mktemp("kafka"), controllers=1, format_tool=java.tool
    ) as cluster:
        (port,) = cluster.broker_ports.values()
        with Connection.open(LOOPBACK, port) as connection:
            yield connection


def altered(connection: Connection, changes: list[Change], validate_only: bool) -> list[str]:
    """The names of the error codes that an AlterClientQuotas request is answered with."""
    entries = [
        alter.EntryData(
            entity=[alter.EntityData(kind, name) for kind, name in one.entity],
            ops=[alter.OpData(*op) for op in one.ops],
        )
        for one in changes
    ]
    request = alter.AlterClientQuotasRequest(entries=entries, validate_only=validate_only)
    answer = connection.ask(ALTER_CLIENT_QUOTAS, 1, request)
    return [error_codes.NAMES[row.error_code] for row in answer.entries]


def described(connection: Connection, wanted: Filter) -> tuple[str, object]:
    """Error code and, in an order of our own, the quotas of a DescribeClientQuotas answer."""
    components = [describe.ComponentData(*one) for one in wanted[0]]
    request = describe.DescribeClientQuotasRequest(components=components, strict=wanted[1])
    answer = connection.ask(DESCRIBE_CLIENT_QUOTAS, 1, request)
    found = sorted(
        (
            sorted((part.entity_type, part.entity_name or "<default>") for part in row.entity),
            sorted((one.key, one.value) for one in row.values),
        )
        for row in answer.entries or ()
    )
    return error_codes.NAMES[answer.error_code], found


def test_what_kafka_takes_and_refuses_we_take_and_refuse(node: OwnNode, kafka: Connection) -> None:
    with Connection.open(LOOPBACK, node.port) as own:
        different = []
        for name, changes in REQUESTS.items():
            if name in STRICTER:
                continue
            for validate_only in (True, False):
                theirs = altered(kafka, changes, validate_only)
                ours = altered(own, changes, validate_only)
                if ours != theirs:
                    different.append((name, validate_only, theirs, ours))
        assert not different


def test_what_we_are_stricter_about_is_refused_whole(node: OwnNode) -> None:
    with Connection.open(LOOPBACK, node.port) as own:
        before = described(own, ([], False))
        for name, changes in STRICTER.items():
            assert altered(own, changes, False) == ["INVALID_REQUEST"], name
        assert described(own, ([], False)) == before


def test_what_was_set_is_described_alike(
    node: OwnNode, kafka: Connection, java: JavaHelper
) -> None:
    with Connection.open(LOOPBACK, node.port) as own:
        for changes in REQUESTS.values():
            if changes not in STRICTER.values():
                altered(kafka, changes, False)
                altered(own, changes, False)
        # A broker answers from its own image, which follows the controller's: an administrator's
        # later change that it shows means that it shows all before.
        altered(kafka, change(("user", "zz-last")), False)
        altered(own, change(("user", "zz-last")), False)
        last: Filter = ([("user", EXACT, "zz-last")], True)
        for _ in range(1000):
            if described(kafka, last)[1]:
                break
        different = [
            (name, described(kafka, wanted), described(own, wanted))
            for name, wanted in FILTERS.items()
            if described(kafka, wanted) != described(own, wanted)
        ]
        assert not different
