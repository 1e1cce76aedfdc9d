"""What comes out of key stores and trust stores, and what is said of those that hold nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.config.key import BadValue
from metaquorum.config.tls_settings import TlsSettings
from metaquorum.testing.certificates import Authority, written
from metaquorum.testing.fake_services import SetClock
from metaquorum.tls.context import client_context, server_context
from metaquorum.tls.reloading import LOOK_MS, ReloadedContext
from metaquorum.tls.stores import read_anchors, read_key

AUTHORITY = Authority()
NODE = AUTHORITY.identity("node")


def settings(**keys: str | Path) -> TlsSettings:
    given = {"ssl." + key.replace("_", "."): str(text) for key, text in keys.items()}
    return TlsSettings.read(given.get)


def pem(path: Path, text: str, **more: str) -> TlsSettings:
    return settings(keystore_type="PEM", keystore_location=written(path / "k.pem", text), **more)


def test_a_pem_file_holds_the_key_and_its_chain(tmp_path: Path) -> None:
    assert server_context(pem(tmp_path, NODE.pem())) is not None
    told = pem(tmp_path, NODE.certificate_pem + AUTHORITY.pem + NODE.key_pem("s3cret"))
    with pytest.raises(BadValue, match=r"is ssl\.key\.password right") as refused:
        server_context(told)
    assert "s3cret" not in str(refused.value)
    opened = pem(tmp_path, NODE.certificate_pem + NODE.key_pem("s3cret"), key_password="s3cret")
    assert server_context(opened) is not None
    assert "s3cret" not in repr(read_key(opened))


def test_pem_may_stand_in_one_line() -> None:
    lines = {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.key": NODE.key_pem().replace("\n", " "),
        "ssl.keystore.certificate.chain": NODE.certificate_pem.replace("\n", ""),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.certificates": AUTHORITY.pem.replace("\n", " "),
        "ssl.client.auth": "required",
    }
    context = server_context(TlsSettings.read(lines.get))
    assert len(context.get_ca_certs()) == 1


def test_a_pkcs12_file_holds_the_same_whatever_its_type_is_called(tmp_path: Path) -> None:
    path, trusted = tmp_path / "k.p12", tmp_path / "t.p12"
    path.write_bytes(NODE.pkcs12("s3cret", AUTHORITY.own))
    trusted.write_bytes(AUTHORITY.trust_pkcs12("s3cret"))
    for kind in ("JKS", "PKCS12"):
        told = settings(
            keystore_type=kind,
            keystore_location=path,
            keystore_password="s3cret",
            truststore_location=trusted,
            truststore_password="s3cret",
        )
        assert client_context(told).cert_store_stats()["x509"] == 1
        key = read_key(told)
        assert key is not None
        assert key.pem.count("BEGIN CERTIFICATE") == 2
    with pytest.raises(BadValue, match="or its password is another"):
        read_key(settings(keystore_location=path, keystore_password="s3cre"))
    with pytest.raises(BadValue, match="holds no private key"):
        read_key(settings(keystore_location=trusted, keystore_password="s3cret"))


def test_a_jks_file_is_refused_with_the_command_that_converts_it(tmp_path: Path) -> None:
    path = tmp_path / "k.jks"
    path.write_bytes(b"\xfe\xed\xfe\xed" + bytes(20))
    with pytest.raises(BadValue, match="keytool -importkeystore"):
        read_key(settings(keystore_location=path))


def test_files_of_another_kind_are_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match=r"set ssl\.keystore\.type=PEM"):
        read_key(settings(keystore_location=written(tmp_path / "k", NODE.pem())))
    with pytest.raises(BadValue, match="No such file"):
        read_key(settings(keystore_location=tmp_path / "none"))
    with pytest.raises(BadValue, match="0 private keys and 1 certificates"):
        read_key(pem(tmp_path, NODE.certificate_pem))
    other = AUTHORITY.identity("other").key_pem()
    with pytest.raises(BadValue, match="not that of the private key"):
        server_context(pem(tmp_path, other + NODE.certificate_pem))
    path = written(tmp_path / "t.pem", "nothing")
    with pytest.raises(BadValue, match="holds no certificate"):
        read_anchors(settings(truststore_type="PEM", truststore_location=path))


def test_suites_have_javas_names_and_bring_their_protocols_along(tmp_path: Path) -> None:
    name = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
    context = server_context(pem(tmp_path, NODE.pem(), cipher_suites=name))
    assert context.maximum_version == context.minimum_version
    of_12 = [one["name"] for one in context.get_ciphers() if one["protocol"] == "TLSv1.2"]
    assert of_12 == ["ECDHE-ECDSA-AES256-GCM-SHA384"]
    for names, why in (
        ("TLS_AES_256_GCM_SHA384", "offered together or not at all"),
        ("TLS_RSA_WITH_NOTHING", "TLS_RSA_WITH_NOTHING is not known here"),
    ):
        with pytest.raises(BadValue, match=why):
            server_context(pem(tmp_path, NODE.pem(), cipher_suites=names))


def test_changed_files_are_used_and_broken_ones_are_not(tmp_path: Path) -> None:
    told, clock = pem(tmp_path, NODE.pem()), SetClock()
    lines: list[str] = []
    context = ReloadedContext(told, server_context, clock, lines.append)
    first = context.current()
    written(tmp_path / "k.pem", "broken")
    assert context.current() is first
    for _ in range(3):
        clock.now += LOOK_MS
        assert context.current() is first
    assert [line.split(",")[0] for line in lines] == ["the certificates in use stay in use"]
    written(tmp_path / "k.pem", AUTHORITY.identity("new").pem())
    clock.now += LOOK_MS
    assert context.current() is not first
    assert context.reloads == 1
    assert "read anew" in lines[1]
