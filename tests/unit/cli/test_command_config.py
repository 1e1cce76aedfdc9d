"""Kafka's client keys for our own tools: who a client is, and what is not spoken."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.target import login_of, parse_target, read_command_config
from metaquorum.client.login import Login

MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule required"
JAAS = f'{MODULE} username="admin" password="s3cret";'
KEYS = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanism": "SCRAM-SHA-512",
    "sasl.jaas.config": JAAS,
}


def test_a_login_is_read_from_kafkas_keys(tmp_path: Path) -> None:
    path = tmp_path / "admin.properties"
    path.write_text("".join(f"{key}={value}\n" for key, value in KEYS.items()))
    target = parse_target("localhost:9092", None, str(path))
    assert target.login == Login("SCRAM-SHA-512", "admin", "s3cret")
    assert "s3cret" not in repr(target)


def test_without_sasl_nobody_is_anybody() -> None:
    assert login_of({}) is None
    assert login_of({**KEYS, "security.protocol": "PLAINTEXT"}) is None


@pytest.mark.parametrize(
    "change",
    [
        {"sasl.mechanism": "GSSAPI"},
        {"sasl.jaas.config": ""},
        {"sasl.jaas.config": f'{MODULE} username="admin";'},
        {"sasl.jaas.config": f'{MODULE} username="admin" password="s3cret'},
    ],
)
def test_a_login_that_cannot_be_used_is_told_without_its_secret(change: dict[str, str]) -> None:
    with pytest.raises(OperatorError) as refused:
        login_of({**KEYS, **change})
    assert "s3cret" not in str(refused.value)


def test_a_protocol_that_is_not_spoken_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    path.write_text("security.protocol=SASL_SSL\n")
    with pytest.raises(OperatorError, match="SASL_SSL is not spoken here yet"):
        read_command_config(str(path))
