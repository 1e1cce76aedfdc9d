"""Kafka's client keys for our own tools: who a client is, and what is not spoken."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.target import parse_target
from metaquorum.client.login import Login
from metaquorum.client.security import Security
from metaquorum.testing.certificates import Authority, written

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
    assert target.security.login == Login("SCRAM-SHA-512", "admin", "s3cret")
    assert "s3cret" not in repr(target)


def test_without_sasl_nobody_is_anybody() -> None:
    assert Security.read({}) == Security()
    assert Security.read({**KEYS, "security.protocol": "PLAINTEXT"}) == Security()


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
        Security.read({**KEYS, **change})
    assert "s3cret" not in str(refused.value)


def test_a_protocol_that_is_none_is_refused() -> None:
    with pytest.raises(OperatorError, match="SASL_TLS is not known"):
        Security.read({"security.protocol": "SASL_TLS"})


def test_tls_verifies_names_unless_that_is_turned_off(tmp_path: Path) -> None:
    trusted = {
        "security.protocol": "SSL",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(written(tmp_path / "t.pem", Authority().pem)),
    }
    tls = Security.read(trusted).tls
    assert tls is not None
    assert tls.context.check_hostname
    unnamed = {**trusted, "ssl.endpoint.identification.algorithm": ""}
    tls = Security.read(unnamed).tls
    assert tls is not None
    assert not tls.context.check_hostname
    with pytest.raises(OperatorError, match="No such file"):
        Security.read({**trusted, "ssl.truststore.location": str(tmp_path / "none")})
