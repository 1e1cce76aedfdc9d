"""What is read of TLS from a configuration, and that no secret is told when it cannot be."""

from __future__ import annotations

import pytest

from metaquorum.config.key import BadValue
from metaquorum.config.tls_settings import PEM, PKCS12, TlsSettings

KEYS = {
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": "all.pem",
    "ssl.client.auth": "required",
}
OWN = "listener.name.clients."


def of(protocol: str = "SSL", **more: str) -> TlsSettings:
    given = {**KEYS, **{key.replace("__", "."): text for key, text in more.items()}}
    return TlsSettings.of_listener(given, "CLIENTS", protocol)


def test_a_listeners_own_keys_come_before_those_of_all() -> None:
    told = TlsSettings.of_listener(
        {**KEYS, OWN + "ssl.keystore.location": "own.p12", OWN + "ssl.keystore.type": "pkcs12"},
        "CLIENTS",
        "SSL",
    )
    assert told.keystore is not None
    assert (told.keystore.location, told.keystore.type) == ("own.p12", PKCS12)
    assert told.files == ("own.p12",)


def test_with_sasl_only_the_listeners_own_key_requests_certificates() -> None:
    assert of().client_auth == "required"
    assert of("SASL_SSL").client_auth == "none"
    own = {**KEYS, OWN + "ssl.client.auth": "requested"}
    assert TlsSettings.of_listener(own, "CLIENTS", "SASL_SSL").client_auth == "requested"


def test_key_and_certificates_may_stand_in_the_configuration_itself() -> None:
    given = {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.key": "s3cret",
        "ssl.keystore.certificate.chain": "chain",
        "ssl.key.password": "s3cret2",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.certificates": "trusted",
    }
    told = TlsSettings.read(given.get)
    assert told.keystore is not None
    assert told.truststore is not None
    assert (told.keystore.type, told.keystore.text) == (PEM, "s3cret\nchain")
    assert told.truststore.text == "trusted"
    assert told.files == ()
    assert "s3cret" not in repr(told)


def test_old_protocols_beside_one_that_is_spoken_do_nothing() -> None:
    assert of(ssl__enabled__protocols="SSLv2Hello,TLSv1,TLSv1.2").protocols == ("TLSv1.2",)
    assert of(ssl__enabled__protocols="TLSv1.3,TLSv1.1,TLSv1.2").protocols == ("TLSv1.3", "TLSv1.2")


def test_blanks_around_a_password_do_not_count() -> None:
    told = of(
        ssl__keystore__type=" PKCS12 ", ssl__keystore__password=" s3cret\n", ssl__key__password=" "
    )
    assert told.keystore is not None
    assert (told.keystore.type, told.keystore.password) == (PKCS12, "s3cret")
    assert told.key_password is None


def test_names_are_checked_unless_the_text_is_empty() -> None:
    name = "ssl.endpoint.identification.algorithm"
    assert TlsSettings.read({}.get).checks_names
    assert not TlsSettings.read({name: ""}.get).checks_names
    with pytest.raises(BadValue, match="LDAPS"):
        TlsSettings.read({name: "LDAPS"}.get)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"ssl.keystore.location": ""}, "needs a key and"),
        ({"ssl.keystore.password": "s3cret"}, "a PEM file has none"),
        ({"ssl.keystore.key": "s3cret"}, "go together"),
        (
            {"ssl.keystore.key": "s3cret", "ssl.keystore.certificate.chain": "x"},
            "leave one of them out",
        ),
        ({"ssl.truststore.certificates": "x"}, "only PEM"),
        ({"ssl.keystore.type": "BKS"}, "'BKS' is not known here"),
        ({"ssl.client.auth": "maybe"}, "'maybe' is not known here"),
        ({"ssl.enabled.protocols": "TLSv1.1,SSLv3"}, r"TLSv1\.1, SSLv3 is not spoken here"),
        ({"ssl.enabled.protocols": "TLSv1.2,TLSv9"}, r"TLSv9 is not spoken here"),
        ({"ssl.principal.mapping.rules": "RULE"}, "neither DEFAULT nor"),
    ],
)
def test_what_cannot_be_right_is_told_without_secrets(more: dict[str, str], why: str) -> None:
    with pytest.raises(BadValue, match=why) as told:
        TlsSettings.of_listener({**KEYS, **more}, "CLIENTS", "SSL")
    assert "s3cret" not in str(told.value)
