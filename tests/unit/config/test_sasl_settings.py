"""What a listener with SASL offers, and that no secret is told when it cannot be read."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.client.security import Security
from metaquorum.config.key import BadValue
from metaquorum.config.link_settings import LinkSettings
from metaquorum.config.listeners import Listener
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.sasl_settings import SaslSettings, jaas_options
from metaquorum.testing.fake_services import plain_config

MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required"
JAAS = "listener.name.clients.plain.sasl.jaas.config"
LISTENERS = "CLIENTS://127.0.0.1:0,CONTROLLER://127.0.0.1:0"


def read(**more: str) -> SaslSettings:
    given = {"sasl.enabled.mechanisms": "SCRAM-SHA-512", **more}
    return SaslSettings.read(given, "CLIENTS", 0, 100)


def servable(protocols: str, **more: str) -> None:
    given = {"listeners": LISTENERS, "listener.security.protocol.map": protocols, **more}
    properties = {**plain_config().given, **given}
    node, warnings = NodeConfig.of(properties, "test", host_name=lambda: "here")
    assert "s3cret" not in f"{node} {warnings}"
    node.check_servable()


def test_mechanisms_are_the_listeners_own_or_those_of_all() -> None:
    assert read().mechanisms == ("SCRAM-SHA-512",)
    own = {"listener.name.clients.sasl.enabled.mechanisms": "SCRAM-SHA-256, SCRAM-SHA-512"}
    assert read(**own).mechanisms == ("SCRAM-SHA-256", "SCRAM-SHA-512")
    other = {"listener.name.others.sasl.enabled.mechanisms": "PLAIN"}
    assert read(**other).mechanisms == ("SCRAM-SHA-512",)


def test_users_of_plain_stand_in_the_jaas_entry_of_the_listener() -> None:
    text = f'{MODULE} username="me" password="mine" user_me="mine" user_a=b user_q="x\\"y;=z";'
    told = read(**{"sasl.enabled.mechanisms": "PLAIN", JAAS: text})
    assert told.plain_users == {"me": "mine", "a": "b", "q": 'x"y;=z'}
    assert "mine" not in repr(told)


@pytest.mark.parametrize(
    "given",
    [
        {"sasl.enabled.mechanisms": "GSSAPI"},
        {"sasl.enabled.mechanisms": "SCRAM-SHA-512,OAUTHBEARER"},
        {"sasl.enabled.mechanisms": " "},
        {"sasl.enabled.mechanisms": "PLAIN"},
        {"sasl.enabled.mechanisms": "PLAIN", JAAS: "s3cret"},
        {"sasl.enabled.mechanisms": "PLAIN", JAAS: f'{MODULE} user_a="s3cret"'},
        {"sasl.enabled.mechanisms": "PLAIN", JAAS: f'{MODULE} user_a="s3cret" "s3cret";'},
        {"sasl.enabled.mechanisms": "PLAIN", JAAS: 'other.Module required user_a="s3cret";'},
    ],
)
def test_what_cannot_be_offered_is_told_without_a_secret(given: dict[str, str]) -> None:
    with pytest.raises(BadValue) as refused:
        read(**given)
    assert "s3cret" not in str(refused.value)
    with pytest.raises(OperatorError) as unservable:
        servable("CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT", **given)
    assert str(refused.value) in str(unservable.value)
    assert "s3cret" not in str(unservable.value)


def test_kafkas_default_mechanism_is_not_offered() -> None:
    with pytest.raises(OperatorError, match="GSSAPI"):
        servable("CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT")


def test_listeners_of_controllers_say_as_whom_a_node_comes_to_others() -> None:
    scram = {
        "sasl.enabled.mechanisms": "SCRAM-SHA-256",
        "sasl.mechanism.controller.protocol": "SCRAM-SHA-256",
    }
    servable("CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT", **scram)
    with pytest.raises(OperatorError, match="as whom this node comes to others"):
        servable("CLIENTS:PLAINTEXT,CONTROLLER:SASL_PLAINTEXT", **scram)
    own = "org.apache.kafka.common.security.scram.ScramLoginModule required username=n password=p;"
    jaas = {"listener.name.controller.scram-sha-256.sasl.jaas.config": own}
    servable("CLIENTS:PLAINTEXT,CONTROLLER:SASL_PLAINTEXT", **scram, **jaas)


def test_listeners_that_encrypt_need_a_key() -> None:
    scram = {"sasl.enabled.mechanisms": "SCRAM-SHA-256"}
    for protocol in ("SSL", "SASL_SSL"):
        with pytest.raises(OperatorError, match=f"CLIENTS speaks {protocol}"):
            servable(f"CLIENTS:{protocol},CONTROLLER:PLAINTEXT", **scram)


def test_a_lifetime_that_is_no_number_is_told() -> None:
    with pytest.raises(OperatorError, match=r"connections\.max\.reauth\.ms"):
        servable(
            "CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            **{"sasl.enabled.mechanisms": "SCRAM-SHA-256", "connections.max.reauth.ms": "soon"},
        )


def test_options_are_read_as_java_reads_them() -> None:
    module, options = jaas_options(" a.B  REQUIRED\n x='1 2'  y = z ; ", "k")
    assert (module, options) == ("a.B", {"x": "1 2", "y": "z"})


@pytest.mark.parametrize(
    ("quoted", "password"),
    [
        (r'"a\tb"', "a\tb"),
        (r'"b\101\0z"', "bA\0z"),
        (r'"C:\\new"', "C:\\new"),
        (r'"say \"hi\""', 'say "hi"'),
        ("'it\"s'", 'it"s'),
        ('"// no comment /* here */"', "// no comment /* here */"),
    ],
)
def test_a_password_means_the_same_to_listener_link_and_client(quoted: str, password: str) -> None:
    jaas = f"{MODULE}/*users*/username='n'password={quoted}user_n={quoted};// end"
    given = {
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.controller.protocol": "PLAIN",
        JAAS: jaas,
    }
    assert SaslSettings.read(given, "CLIENTS", 0, 100).plain_users == {"n": password}
    listener = Listener("CLIENTS", "h", 1, "SASL_PLAINTEXT")
    assert LinkSettings.read(given, listener).password == password
    client = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}
    login = Security.read({**client, "sasl.jaas.config": jaas}).login
    assert login is not None
    assert (login.user, login.password) == ("n", password)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "names no login module"),
        ("m", "after the login module"),
        ("m s3cret p=q;", "after the login module"),
        ("m required p=s3cret", "no semicolon"),
        ("m required s3cret;", 'NAME="VALUE"'),
        ("m required p=1s3cret;", "begins with a digit"),
        ("1 required p=s3cret;", "does not begin with a login module"),
        ("m required p=s3cret; m required;", "2 login modules"),
    ],
)
def test_a_bad_jaas_text_is_told_without_its_words(text: str, why: str) -> None:
    with pytest.raises(BadValue, match=r"^k: ") as told:
        jaas_options(text, "k")
    assert why in str(told.value)
    assert "s3cret" not in str(told.value)
