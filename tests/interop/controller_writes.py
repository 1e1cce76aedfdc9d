"""Changes of many kinds, asked of any controller in plain requests: a state worth comparing."""

from __future__ import annotations

from typing import Any

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import (
    alter_user_scram_credentials_request,
    broker_heartbeat_request,
    broker_registration_request,
    create_topics_request,
    incremental_alter_configs_request,
)
from tools.differential.fake_brokers import FEATURES
from tools.kafka.ports import LOOPBACK

CREATE_TOPICS, INCREMENTAL_ALTER_CONFIGS, ALTER_SCRAM = 19, 44, 51
REGISTER_BROKER, BROKER_HEARTBEAT = 62, 63
TOPIC, BROKER = 2, 4
FIRST_BROKER_ID = 101


def write_everything(port: int, cluster_id: str, *, life: int) -> None:
    """A broker, topics, configs and SCRAM users, in the ``life``-th start of a controller."""
    with Connection.open(LOOPBACK, port, timeout_ms=20_000) as connection:
        register_broker(connection, cluster_id, life)
        _create_topics(connection, life)
        _alter_configs(connection, life)
        _alter_scram(connection, life)


def _ask(connection: Connection, api_key: int, request: Any) -> Any:
    return connection.ask(api_key, connection.best_version(api_key), request)


def register_broker(connection: Connection, cluster_id: str, life: int) -> None:
    """Register a broker that does not exist, and beat once for it."""
    wire = broker_registration_request
    answer = _ask(
        connection,
        REGISTER_BROKER,
        wire.BrokerRegistrationRequest(
            broker_id=FIRST_BROKER_ID + life,
            cluster_id=cluster_id,
            incarnation_id=bytes([life]) * 16,
            listeners=[wire.Listener("PLAINTEXT", LOOPBACK, 9092, 0)],
            features=[wire.Feature(name, low, high) for name, (low, high) in FEATURES.items()],
            rack=f"rack-{life}",
            log_dirs=[bytes([200 + life]) * 16],
        ),
    )
    assert answer.error_code == 0, answer
    beat = broker_heartbeat_request.BrokerHeartbeatRequest(
        broker_id=FIRST_BROKER_ID + life,
        broker_epoch=answer.broker_epoch,
        current_metadata_offset=answer.broker_epoch + 1,
    )
    beaten = _ask(connection, BROKER_HEARTBEAT, beat)
    assert (beaten.error_code, beaten.is_fenced) == (0, False), beaten


def _create_topics(connection: Connection, life: int) -> None:
    wire = create_topics_request
    configs = [wire.CreatableTopicConfig("cleanup.policy", "compact")]
    topics = [
        wire.CreatableTopic(f"topic-{life}-{number}", 3, 1, [], configs if number else [])
        for number in range(2)
    ]
    answer = _ask(connection, CREATE_TOPICS, wire.CreateTopicsRequest(topics, 10_000, False))
    assert [one.error_code for one in answer.topics] == [0, 0], answer


def _alter_configs(connection: Connection, life: int) -> None:
    wire = incremental_alter_configs_request
    resources = [
        wire.AlterConfigsResource(
            BROKER, "", [wire.AlterableConfig("log.cleaner.threads", 0, "2")]
        ),
        wire.AlterConfigsResource(
            TOPIC, f"topic-{life}-0", [wire.AlterableConfig("retention.ms", 0, str(life))]
        ),
    ]
    request = wire.IncrementalAlterConfigsRequest(resources, False)
    answer = _ask(connection, INCREMENTAL_ALTER_CONFIGS, request)
    assert [one.error_code for one in answer.responses] == [0, 0], answer


def _alter_scram(connection: Connection, life: int) -> None:
    wire = alter_user_scram_credentials_request
    users = [
        wire.ScramCredentialUpsertion(
            f"user-{life}-{mechanism}", mechanism, 4096, b"salt", bytes(32)
        )
        for mechanism in (1, 2)
    ]
    request = wire.AlterUserScramCredentialsRequest([], users)
    answer = _ask(connection, ALTER_SCRAM, request)
    assert [one.error_code for one in answer.results] == [0, 0], answer
