"""Clients that authenticate: Kafka's own, by every mechanism; users and rights while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.kafka import JavaHelper
from tools.kafka.helper import HelperFailed
from tools.own_node import OwnNode, metaquorum
from tools.process import until

PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
SECRETS = {"admin": "admin-s3cret", "alice": "alice-s3cret", "bob": "bob-s3cret"}
MODULES = {"PLAIN": PLAIN, "SCRAM-SHA-256": SCRAM, "SCRAM-SHA-512": SCRAM}


def login(user: str, mechanism: str, password: str | None = None) -> dict[str, str]:
    """Kafka's client keys for a user."""
    secret = SECRETS[user] if password is None else password
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": (
            f'{MODULES[mechanism]} required username="{user}" password="{secret}";'
        ),
    }


def command_config(directory: Path, user: str, mechanism: str) -> Path:
    """The same as a file for ``--command-config``."""
    path = directory / f"{user}.properties"
    rows = login(user, mechanism).items()
    path.write_text("".join(f"{key}={value}\n" for key, value in rows))
    return path


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node whose clients authenticate; nodes themselves are known by their listener."""
    users = " ".join(f'user_{name}="{secret}"' for name, secret in SECRETS.items())
    node = OwnNode(
        tmp_path_factory.mktemp("guarded"),
        {
            "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
            "listener.name.plaintext.plain.sasl.jaas.config": f"{PLAIN} required {users};",
            "connections.max.reauth.ms": "60000",
            "authorizer.class.name": ("org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
            "super.users": "User:ANONYMOUS;User:admin",
        },
    )
    node.format(
        *("--add-scram", f"SCRAM-SHA-256=[name=admin,password={SECRETS['admin']}]"),
        *("--add-scram", f"SCRAM-SHA-512=[name=admin,password={SECRETS['admin']}]"),
    )
    with node:
        yield node


@pytest.mark.parametrize("mechanism", MODULES)
def test_a_client_of_kafka_reads_the_log_as_who_it_is(
    guarded: OwnNode, java: JavaHelper, mechanism: str
) -> None:
    config = login("admin", mechanism)
    assert len(java.consume(guarded.bootstrap_server, count=2, config=config)) == 2


@pytest.mark.parametrize("mechanism", MODULES)
def test_a_wrong_password_is_told_as_such_and_no_secret_is_logged(
    guarded: OwnNode, java: JavaHelper, mechanism: str
) -> None:
    config = login("admin", mechanism, "wr0ng")
    with pytest.raises(HelperFailed, match="SaslAuthenticationException"):
        java.consume(guarded.bootstrap_server, count=1, config=config)
    told = "did not authenticate: wrong"
    until(lambda: told in guarded.log_file.read_text())  # a thread writes the log
    log = guarded.log_file.read_text()
    assert not any(secret in log for secret in (*SECRETS.values(), "wr0ng"))


def test_users_and_their_rights_come_and_go_while_it_runs(
    guarded: OwnNode, java: JavaHelper, tmp_path: Path
) -> None:
    place = ("--bootstrap-server", guarded.bootstrap_server)
    admin = ("--command-config", command_config(tmp_path, "admin", "SCRAM-SHA-512"))
    bob = login("bob", "SCRAM-SHA-256")
    user = ("--entity-type", "users", "--entity-name", "bob")

    with pytest.raises(HelperFailed, match="SaslAuthenticationException"):
        java.consume(guarded.bootstrap_server, count=1, config=bob)
    made = java.tool(
        *("configs", *place, *admin, "--alter", *user),
        *("--add-config", f"SCRAM-SHA-256=[password={SECRETS['bob']}]"),
    )
    assert made.exit_code == 0, made.stdout + made.stderr
    with pytest.raises(HelperFailed, match="TopicAuthorizationException"):
        java.consume(guarded.bootstrap_server, count=1, config=bob)
    rule = ("--operation", "Read", "--topic", "__cluster_metadata")
    allowed = java.tool("acls", *place, *admin, "--add", "--allow-principal", "User:bob", *rule)
    assert allowed.exit_code == 0, allowed.stdout + allowed.stderr
    assert java.consume(guarded.bootstrap_server, count=2, config=bob)

    as_bob = ("--command-config", command_config(tmp_path, "bob", "SCRAM-SHA-256"))
    refused = java.tool("acls", *place, *as_bob, "--list")
    assert "ClusterAuthorizationException" in refused.stdout + refused.stderr
    gone = java.tool(
        "configs", *place, *admin, "--alter", *user, "--delete-config", "SCRAM-SHA-256"
    )
    assert gone.exit_code == 0, gone.stdout + gone.stderr
    with pytest.raises(HelperFailed, match="SaslAuthenticationException"):
        java.consume(guarded.bootstrap_server, count=1, config=bob)


def test_python_clients_authenticate_too(guarded: OwnNode) -> None:
    import confluent_kafka as confluent

    for mechanism in MODULES:
        consumer = confluent.Consumer(
            {
                "bootstrap.servers": guarded.bootstrap_server,
                "group.id": "g",
                "security.protocol": "SASL_PLAINTEXT",
                "sasl.mechanism": mechanism,
                "sasl.username": "admin",
                "sasl.password": SECRETS["admin"],
            }
        )
        consumer.assign([confluent.TopicPartition("__cluster_metadata", 0, 0)])
        message = consumer.poll(10)
        assert message is not None
        assert message.error() is None
        consumer.close()


def test_our_own_tool_authenticates_too(guarded: OwnNode, tmp_path: Path) -> None:
    config = command_config(tmp_path, "admin", "SCRAM-SHA-512")
    place = ("--bootstrap-server", guarded.bootstrap_server)
    told = metaquorum("metadata-quorum", *place, "--command-config", config, "describe", "--status")
    assert told.exit_code == 0, told.stderr
    assert "LeaderId:" in told.stdout
    config.write_text(config.read_text().replace(SECRETS["admin"], "wr0ng"))
    refused = metaquorum(
        "metadata-quorum", *place, "--command-config", config, "describe", "--status"
    )
    assert refused.exit_code != 0
    assert "refuses 'admin'" in refused.stderr
    assert "wr0ng" not in refused.stdout + refused.stderr
