"""Variables in values: who resolves them, what stays as it is, and that secrets are not told."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.target import parse_target
from metaquorum.client.security import Security
from metaquorum.config.key import BadValue
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.providers import Resolved, resolve
from metaquorum.server.sockets.tls_listeners import server_contexts
from metaquorum.testing.fake_services import SetClock, plain_config

PACKAGE = "org.apache.kafka.common.config.provider."
PROVIDERS = {
    "config.providers": "env,file,dir",
    "config.providers.env.class": f"{PACKAGE}EnvVarConfigProvider",
    "config.providers.file.class": f"{PACKAGE}FileConfigProvider",
    "config.providers.dir.class": f"{PACKAGE}DirectoryConfigProvider",
}
ENVIRON = {"PASSWORD": "s3cret-word", "PORT": "9093"}
FILE_PATHS = "config.providers.file.param.allowed.paths"
DIR_PATHS = "config.providers.dir.param.allowed.paths"


def resolved(value: str, **more: str) -> Resolved:
    changes = {key.replace("__", "."): text for key, text in more.items()}
    return resolve({**PROVIDERS, **changes, "value": value}, ENVIRON)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "some.properties").write_text("user=me\nword=${env:PASSWORD}\nlatin=ü\n")
    (tmp_path / "word").write_text("s3cret-word\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/word").write_text("other")
    return tmp_path


def test_a_variable_gives_way_to_what_its_provider_knows(files: Path) -> None:
    assert resolved("a${env:PASSWORD}b${env:PORT}").values["value"] == "as3cret-wordb9093"
    assert resolved(f"${{file:{files}/some.properties:user}}").values["value"] == "me"
    assert resolved(f"${{file:{files}/some.properties:latin}}").values["value"] == "ü"
    assert resolved(f"${{dir:{files}:word}}").values["value"] == "s3cret-word\n"


def test_what_a_provider_gave_is_not_resolved_again(files: Path) -> None:
    told = resolved(f"${{file:{files}/some.properties:word}}")
    assert told.values["value"] == "${env:PASSWORD}"
    assert told.warnings == ()


@pytest.mark.parametrize("text", ["${env:NONE}", "${other:x}", "${dir:/none:x}", "${file:x}"])
def test_a_variable_that_nobody_knows_stays_and_warns(text: str) -> None:
    told = resolved(text)
    assert told.values["value"] == text
    assert len(told.warnings) == 1
    assert told.warnings[0].startswith("value: ")


def test_without_providers_a_variable_is_a_text() -> None:
    told = resolve({"value": "${env:PASSWORD}"}, ENVIRON)
    assert (told.values, told.warnings) == ({"value": "${env:PASSWORD}"}, ())


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("${file:/none/a:b}", "value: ${file:/none/a:b}: cannot read /none/a: No such file"),
        ("${file:/:b}", "value: ${file:/:b}: cannot read /: Is a directory"),
        ("${file:a\0:b}", "it is no path"),
        ("${env:path:PASSWORD}", "a variable of the environment has no path"),
    ],
)
def test_a_provider_that_fails_names_the_key(value: str, why: str) -> None:
    with pytest.raises(BadValue) as told:
        resolved(value)
    assert why in str(told.value)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"config.providers.env.class": "com.acme.Vault"}, "config.providers.env.class: 'com.acme"),
        ({"config.providers.env.class": ""}, "config.providers.env.class: ''"),
        (
            {"config.providers.env.param.allowlist.pattern": "("},
            "config.providers.env.param.allowlist.pattern: it is no regular expression",
        ),
        ({FILE_PATHS: "here"}, f"{FILE_PATHS}: 'here' is not an absolute path"),
        ({DIR_PATHS: "/, /tmp"}, f"{DIR_PATHS}: ' /tmp' is not an absolute path"),
    ],
)
def test_a_bad_provider_names_its_key(changes: dict[str, str], why: str) -> None:
    with pytest.raises(BadValue) as told:
        resolve({**PROVIDERS, **changes}, ENVIRON)
    assert why in str(told.value)


def test_only_names_that_match_whole_are_taken_from_the_environment() -> None:
    pattern = "config__providers__env__param__allowlist__pattern"
    assert resolved("${env:PORT}", **{pattern: "PO.*"}).values["value"] == "9093"
    assert resolved("${env:PORT}", **{pattern: "OR"}).values["value"] == "${env:PORT}"
    assert resolved("${env:PASSWORD}", **{pattern: "PORT"}).values["value"] == "${env:PASSWORD}"


@pytest.mark.parametrize("path", ["{0}/../x", "{0}x", "{0}/inner/../../x", "x", "/", "/etc/passwd"])
def test_nothing_outside_of_the_allowed_paths_is_read(path: str, files: Path) -> None:
    where = path.format(files / "inner")
    for provider, key in (("file", FILE_PATHS), ("dir", DIR_PATHS)):
        text = f"${{{provider}:{where}:word}}"
        told = resolve({**PROVIDERS, key: str(files / "inner"), "value": text}, ENVIRON)
        assert told.values["value"] == text


def test_a_key_of_a_directory_is_a_file_in_it(files: Path) -> None:
    allowed = {DIR_PATHS.replace(".", "__"): str(files)}
    assert resolved(f"${{dir:{files}/inner:word}}", **allowed).values["value"] == "other"
    for key in ("../word", "inner/word", "inner", "..", ""):
        text = f"${{dir:{files}:{key}}}"
        assert resolved(text, **allowed).values["value"] == text


def test_an_allowed_path_that_is_not_there_warns(files: Path) -> None:
    told = resolved("x", **{FILE_PATHS.replace(".", "__"): f"{files}/none"})
    assert told.warnings == (
        f"{FILE_PATHS}: there is no {files}/none, so that nothing below it can be read",
    )


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("strimzienv", "PORT"),
        ("strimzifile", "{0}/some.properties:user"),
        ("strimzidir", "{0}:word"),
    ],
)
def test_strimzis_names_are_providers_without_a_class(
    name: str, variable: str, files: Path
) -> None:
    text = f"${{{name}:{variable.format(files)}}}"
    told = resolve({"config.providers": name, "value": text}, ENVIRON)
    assert told.values["value"] in ("9093", "me", "s3cret-word\n")


def test_strimzis_older_class_reads_the_environment() -> None:
    changes = {"config.providers.env.class": "io.strimzi.kafka.EnvVarConfigProvider"}
    told = resolve({**PROVIDERS, **changes, "value": "${env:PORT}"}, ENVIRON)
    assert told.values["value"] == "9093"


def node_with(**changes: str) -> tuple[NodeConfig, list[str]]:
    given = {key.replace("__", "."): text for key, text in changes.items()}
    properties = {**plain_config().given, **PROVIDERS, **given}
    return NodeConfig.of(properties, "test", host_name=lambda: "here", environ=ENVIRON)


@pytest.mark.parametrize(
    "changes",
    [
        {"num__partitions": "${env:PASSWORD}"},
        {"listeners": "${env:PASSWORD}"},
        {"controller__quorum__bootstrap__servers": "h:1,${env:PASSWORD}"},
        {"log__cleanup__policy": "delete,${env:PASSWORD}"},
        {"max__connections__per__ip__overrides": "${env:PASSWORD}"},
    ],
)
def test_no_problem_of_a_file_shows_what_a_provider_gave(changes: dict[str, str]) -> None:
    with pytest.raises(OperatorError) as told:
        node_with(**changes)
    assert "s3cret" not in str(told.value).lower()
    assert "${env:PASSWORD}" in str(told.value)


def test_nothing_that_is_found_later_shows_it_either() -> None:
    node, warnings = node_with(super__users="${env:PASSWORD}")
    assert "s3cret" not in f"{node!r}{warnings}"
    changed, _ = node_with(
        authorizer__class__name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        super__users="${env:PASSWORD}",
    )
    with pytest.raises(OperatorError) as told:
        changed.check_servable()
    assert "s3cret" not in str(told.value)


def test_keys_of_tls_that_cannot_be_used_do_not_show_it() -> None:
    node, _ = node_with(
        listener__security__protocol__map="CONTROLLER:SSL",
        ssl__keystore__type="PEM",
        ssl__keystore__location="${env:PASSWORD}",
    )
    with pytest.raises(OperatorError) as told:
        server_contexts(node, SetClock(), print)
    assert "s3cret" not in str(told.value)
    assert "${env:PASSWORD}" in str(told.value)


def test_a_nodes_values_come_from_providers() -> None:
    node, _ = node_with(controller__quorum__bootstrap__servers="h:${env:PORT}")
    assert node.bootstrap_servers[0].port == 9093
    assert node.text_of("controller.quorum.bootstrap.servers") == "h:9093"


def test_blanks_around_a_secret_of_a_file_do_not_count(files: Path) -> None:
    (files / "key.pem").write_text("x")
    node, _ = node_with(
        listener__security__protocol__map="CONTROLLER:SSL",
        ssl__keystore__location=f"{files}/key.p12",
        ssl__keystore__type="PKCS12",
        ssl__keystore__password=f"${{dir:{files}:word}}",
    )
    tls = node.tls_of(node.controller_listeners[0])
    assert tls is not None
    assert tls.keystore is not None
    assert tls.keystore.password == "s3cret-word"


CLIENT = """
security.protocol=SASL_PLAINTEXT
sasl.mechanism=PLAIN
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \\
  username="me" password="${dir:DIRECTORY:key}";
client.id=${dir:DIRECTORY:id}
config.providers=dir
config.providers.dir.class=org.apache.kafka.common.config.provider.DirectoryConfigProvider
"""


def test_a_clients_file_takes_values_from_providers(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("${dir:x:y}")
    (tmp_path / "id").write_text("tool\n")
    file = tmp_path / "client.properties"
    file.write_text(CLIENT.replace("DIRECTORY", str(tmp_path)))
    target = parse_target("h:1", None, str(file))
    assert target.client_id == "tool"
    assert target.security.login is not None
    assert target.security.login.password == "${dir:x:y}"


def test_a_clients_variable_that_stays_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "client.properties"
    file.write_text(CLIENT.replace("DIRECTORY", str(tmp_path)))
    parse_target("h:1", None, str(file))
    assert "sasl.jaas.config: ${dir:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "changes",
    [
        {"security.protocol": "${env:METAQUORUM_WORD}"},
        {"security.protocol": "SASL_SSL", "sasl.mechanism": "${env:METAQUORUM_WORD}"},
    ],
)
def test_a_clients_problem_does_not_show_what_a_provider_gave(
    changes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METAQUORUM_WORD", "s3cret-word")
    with pytest.raises(OperatorError) as told:
        Security.read({**PROVIDERS, **changes})
    assert "s3cret" not in str(told.value).lower()
