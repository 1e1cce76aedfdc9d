"""Delegation tokens with Kafka's own tool, at our nodes and through a broker of Kafka on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from tools.kafka import JavaHelper
from tools.kafka.broker import broker_on
from tools.kafka.helper import HelperFailed
from tools.kafka.ports import LOOPBACK, free_ports
from tools.kafka.tool import ToolResult
from tools.own_cluster import OwnCluster
from tools.process import until

PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
SECRETS = {"admin": "admin-s3cret", "alice": "alice-s3cret", "bob": "bob-s3cret"}
SHOWN = re.compile(r"^(\S{22})\s+(\S{86}==)\s+", re.MULTILINE)
USERS = " ".join(f'user_{name}="{secret}"' for name, secret in SECRETS.items())
OF_ALL = {
    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS;User:admin;User:alice",
    "delegation.token.secret.key": "t0ken-s3cret",
}
TOPIC = "orders"


@frozen
class Served:
    """Three controllers of ours whose clients authenticate, and a broker of Kafka on them."""

    controllers: OwnCluster
    broker: str
    directory: Path
    java: JavaHelper

    def follower(self) -> str:
        """Where a node that does not lead is reached."""
        leader = self.controllers.wait_led()
        return next(
            node.bootstrap_server
            for node_id, node in self.controllers.nodes.items()
            if node_id != leader
        )

    def run(self, tool: str, place: str, user: str, *words: str) -> ToolResult:
        """One of Kafka's tools, as a user."""
        config = self.directory / f"{user}.properties"
        rows = by_password(user).items()
        config.write_text("".join(f"{key}={value}\n" for key, value in rows))
        place_words = ("--bootstrap-server", place, "--command-config", str(config))
        return self.java.tool(tool, *place_words, *words)

    def tokens(self, place: str, user: str, *words: str) -> str:
        """What the tool says, which has to succeed."""
        done = self.run("delegation-tokens", place, user, *words)
        assert done.exit_code == 0, done.stdout + done.stderr
        return done.stdout

    def made(self, place: str, user: str, *words: str) -> tuple[str, str]:
        """Id and HMAC of a new token that bob may renew."""
        renewer = ("--renewer-principal", "User:bob")
        told = self.tokens(
            place, user, "--create", "--max-life-time-period", "-1", *renewer, *words
        )
        found = SHOWN.search(told)
        assert found is not None, told
        return found[1], found[2]

    def seen(self, place: str, user: str) -> set[str]:
        """The ids of the tokens of alice that a user sees.

        Without an owner Kafka's tool sends an empty list, which stands for no token.
        """
        told = self.tokens(place, user, "--describe", "--owner-principal", "User:alice")
        return {found[0] for found in SHOWN.findall(told)}


def by_password(user: str) -> dict[str, str]:
    """Kafka's client keys for a user."""
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": f'{PLAIN} required username="{user}" password="{SECRETS[user]}";',
    }


def by_token(token: tuple[str, str], mechanism: str = "SCRAM-SHA-256") -> dict[str, str]:
    """The same for who holds a token."""
    entry = f'{SCRAM} required username="{token[0]}" password="{token[1]}" tokenauth="true";'
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": entry,
    }


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Served]:
    directory = tmp_path_factory.mktemp("tokens")
    controllers = OwnCluster(
        directory / "own",
        properties={
            **OF_ALL,
            "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "listener.name.plaintext.plain.sasl.jaas.config": f"{PLAIN} required {USERS};",
        },
    )
    plain, clients = free_ports(2)
    with controllers:
        broker = broker_on(
            *(directory / "broker", controllers.bootstrap_controllers),
            *(controllers.nodes[1].cluster_id, java.tool),
            broker_id=100,
            more={
                **OF_ALL,
                "listeners": f"PLAINTEXT://{LOOPBACK}:{plain},CLIENTS://{LOOPBACK}:{clients}",
                "listener.security.protocol.map": (
                    "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,CLIENTS:SASL_PLAINTEXT"
                ),
                "inter.broker.listener.name": "PLAINTEXT",
                "listener.name.clients.plain.sasl.jaas.config": f"{PLAIN} required {USERS};",
                "listener.name.clients.scram-sha-256.sasl.jaas.config": f"{SCRAM} required;",
                "listener.name.clients.scram-sha-512.sasl.jaas.config": f"{SCRAM} required;",
                "offsets.topic.replication.factor": "1",
            },
        )
        with broker:
            made = java.tool(
                *("topics", "--bootstrap-server", f"{LOOPBACK}:{plain}"),
                *("--create", "--topic", TOPIC, "--partitions", "1"),
            )
            assert made.exit_code == 0, made.stdout + made.stderr
            yield Served(controllers, f"{LOOPBACK}:{clients}", directory, java)


def test_who_holds_a_token_reads_the_log_at_every_node_of_ours(served: Served) -> None:
    token = served.made(served.follower(), "alice")
    for node in served.controllers.nodes.values():
        place = node.bootstrap_server
        until(lambda at=place: token[0] in served.seen(at, "alice"), "the token does not come")
        for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
            config = by_token(token, mechanism)
            assert len(served.java.consume(place, count=2, config=config)) == 2
    with pytest.raises(HelperFailed, match="SaslAuthenticationException"):
        wrong = by_token((token[0], "x" + token[1][1:]))
        served.java.consume(served.follower(), count=1, config=wrong)
    told = "".join(node.log_file.read_text() for node in served.controllers.nodes.values())
    assert not any(secret in told for secret in (token[1], *SECRETS.values(), "t0ken-s3cret"))


def test_tokens_live_and_end_through_a_broker(served: Served) -> None:
    token = served.made(served.broker, "admin", "--owner-principal", "User:alice")
    until(lambda: token[0] in served.seen(served.broker, "alice"), "the token does not come")
    for place in (served.broker, served.follower()):
        assert all(token[0] in served.seen(place, user) for user in ("admin", "alice", "bob"))
    config = by_token(token)
    (path := served.directory / "token.properties").write_text(
        "".join(f"{key}={value}\n" for key, value in config.items())
    )
    listed = ("--bootstrap-server", served.broker, "--command-config", str(path), "--list")
    assert TOPIC in served.java.tool("topics", *listed).stdout

    renewed = ("--renew", "--renew-time-period", "3600000", "--hmac", token[1])
    assert "Completed renew operation" in served.tokens(served.broker, "bob", *renewed)
    ended = ("--expire", "--expiry-time-period", "-1", "--hmac", token[1])
    assert "Completed expire operation" in served.tokens(served.broker, "alice", *ended)
    until(lambda: token[0] not in served.seen(served.broker, "alice"), "the token does not go")
    with pytest.raises(HelperFailed, match="SaslAuthenticationException"):
        served.java.consume(served.controllers.nodes[1].bootstrap_server, count=1, config=config)


@pytest.mark.parametrize("at_broker", [False, True])
def test_a_token_of_another_takes_a_right(served: Served, at_broker: bool) -> None:
    place = served.broker if at_broker else served.follower()
    words = ("--create", "--max-life-time-period", "-1", "--owner-principal", "User:alice")
    refused = served.run("delegation-tokens", place, "bob", *words)
    assert refused.exit_code != 0
    assert "DelegationTokenAuthorizationException" in refused.stdout + refused.stderr


@pytest.mark.parametrize("at_broker", [False, True])
def test_a_token_of_another_is_not_renewed(served: Served, at_broker: bool) -> None:
    place = served.broker if at_broker else served.follower()
    words = ("--create", "--max-life-time-period", "-1")
    found = SHOWN.search(served.tokens(place, "admin", *words))
    assert found is not None
    renew = ("--renew", "--renew-time-period", "-1", "--hmac", found[2])
    refused = served.run("delegation-tokens", place, "bob", *renew)
    assert "DelegationTokenOwnerMismatchException" in refused.stdout + refused.stderr


def test_a_client_without_rights_alters_nothing_by_a_follower(served: Served) -> None:
    entity = ("--entity-type", "topics", "--entity-name", TOPIC)
    change = ("--alter", *entity, "--add-config", "retention.ms=60000")
    refused = served.run("configs", served.follower(), "bob", *change)
    assert refused.exit_code != 0
    assert "TopicAuthorizationException" in refused.stdout + refused.stderr
    allowed = served.run("configs", served.follower(), "alice", *change)
    assert allowed.exit_code == 0, allowed.stdout + allowed.stderr
    told = served.run("configs", served.broker, "alice", "--describe", *entity)
    assert "retention.ms=60000" in told.stdout
