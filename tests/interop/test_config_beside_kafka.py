"""Configurations as Kafka's own classes read them, and what a whole file means there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.releases import parse_release
from metaquorum.config.jaas import parse_jaas
from metaquorum.config.key import BadValue
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.providers import resolve
from tests.unit.config import deployed_files
from tools.java.config_oracle import ConfigOracle, answered
from tools.kafka import jars

READINGS = Path(__file__).parents[1] / "unit/config/data/kafka_readings.json"
JAAS_CASES = 5_000
NEWEST = "4.4.0"
ENVIRON = {"METAQUORUM_SECRET": "s3cret", "METAQUORUM_EMPTY": "", **deployed_files.ENVIRON}
# What texts of JAAS are made of: every sign that the tokenizer acts on, and its neighbours.
MODULES = ("m", '"m"', "'a.b'", "1m", "-m", "m.n$o")
FLAGS = ("required", "ReQuired", '"optional"', "sufficient", "requisite", "reqired", "1")
GAPS = (" ", "\n", "/*x*/", "//c\n", "/\r", "", "\t")
NAMES = ("a", '"b c"', "user_x", "1k", "k-1", "''", "é")
SIGNS = ("=", " = ", "=", "/**/=", "")
VALUES = ("v", '"v"', "'v'", "1", "a1", "1a", "-x", "x-y.z", "true", "a@b", '"\\"')
IN_QUOTES = ("\\", "a", "t", "0", "7", "8", "\\101", "\\400", "\\\n", "'", "é", "€", "/", ";", "\r")
ENDS = (";", ";", "", ";;", "; ", ";//x", " ; m required;")


@pytest.fixture(scope="module")
def oracle() -> Iterator[ConfigOracle]:
    with ConfigOracle(environ=ENVIRON) as running:
        yield running


@pytest.mark.parametrize("version", [jars.KAFKA_VERSION, NEWEST])
def test_kafka_still_reads_the_texts_of_the_table_so(version: str) -> None:
    readings = json.loads(READINGS.read_text("utf-8"))
    assert answered(readings, version) == readings


def test_the_newest_releases_are_read_as_by_kafka() -> None:
    with ConfigOracle(NEWEST) as newest:
        for text in ("4.4", "4.4.0", "4.4.1-IV0", "4.4-IV0", "4.4-IV2", "4.4.0-SNAPSHOT"):
            assert parse_release(text).name == newest.answer("release", text)
        for text in ("4.5", "4.5-IV0", "4.5.0"):
            assert newest.answer("release", text) is None
            with pytest.raises(OperatorError):
                parse_release(text)


def jaas_text(chance: Random) -> str:
    parts = [chance.choice(MODULES), chance.choice(GAPS), chance.choice(FLAGS)]
    for _ in range(chance.randint(0, 4)):
        quoted = "".join(chance.choice(IN_QUOTES) for _ in range(chance.randint(0, 5)))
        value = chance.choice((*VALUES, f'"{quoted}"', f"'{quoted}'"))
        parts += [chance.choice(GAPS), chance.choice(NAMES), chance.choice(SIGNS), value]
    return "".join([*parts, chance.choice(GAPS), chance.choice(ENDS)])


def test_drawn_jaas_texts_are_read_as_by_kafka(oracle: ConfigOracle) -> None:
    chance = Random(27)
    accepted = 0
    for _ in range(JAAS_CASES):
        text = jaas_text(chance)
        theirs = oracle.answer("jaas", text)
        try:
            entry = parse_jaas(text, "key")
            ours = [{"module": entry.module, "options": entry.options}]
        except BadValue:
            ours = None
        assert ours == theirs, ascii(text)
        accepted += theirs is not None
    assert accepted > JAAS_CASES // 20


CLASSES = {
    f"config.providers.{name}.class": f"org.apache.kafka.common.config.provider.{kind}"
    for name, kind in (
        ("env", "EnvVarConfigProvider"),
        ("file", "FileConfigProvider"),
        ("dir", "DirectoryConfigProvider"),
    )
}
PROVIDERS = {"config.providers": "env,file,dir", **CLASSES}
ALLOWED = "config.providers.file.param.allowed.paths"
PATTERN = "config.providers.env.param.allowlist.pattern"
VALUES_WITH_VARIABLES = (
    "${env:METAQUORUM_SECRET}",
    "a${env:METAQUORUM_SECRET}b${env:METAQUORUM_SECRET}c",
    "${env:METAQUORUM_EMPTY}",
    "${env:METAQUORUM_NONE}",
    "${env::METAQUORUM_SECRET}",
    "${env:path:METAQUORUM_SECRET}",
    "${env:${env:METAQUORUM_SECRET}}",
    "$${env:METAQUORUM_SECRET}",
    "${ env:METAQUORUM_SECRET}",
    "${env:METAQUORUM_SECRET }",
    "${other:METAQUORUM_SECRET}${env:METAQUORUM_SECRET}",
    "${METAQUORUM_SECRET}",
    "${}",
    "${:}",
    "${env:}",
    "${file:DIR/p.properties:a}",
    "${file:DIR/p.properties:blanks}",
    "${file:DIR/p.properties:key with:colon}",
    "${file:DIR/p.properties:nested}",
    "${file:DIR/p.properties:umlaut}",
    "${file:DIR/p.properties:none}",
    "${file:DIR/none:a}",
    "${file:DIR/latin.properties:a}",
    "${file:DIR/escape.properties:a}",
    "${file:DIR:a}",
    "${file:a}",
    "${file:DIR/../DIR/p.properties:a}",
    "${file:DIR/sub/../p.properties:a}",
    "${dir:DIR:p.properties}",
    "${dir:DIR:text}",
    "${dir:DIR:link}",
    "${dir:DIR:sub}",
    "${dir:DIR:none}",
    "${dir:DIR/none:text}",
    "${dir:DIR/text:text}",
    "${dir:DIR:../text}",
    "${dir:DIR:sub/inner}",
    "${dir:DIR:latin}",
    "${dir:text}",
)
PARAMETERS: tuple[dict[str, str], ...] = (
    {},
    {"config.providers": "env, file"},
    {"config.providers": "env,env,none"},
    {"config.providers": "dir,,"},
    {"config.providers": ""},
    {ALLOWED: "DIR"},
    {ALLOWED: "DIR/"},
    {ALLOWED: "DIR/p.properties"},
    {ALLOWED: "DIR/sub,DIR/text"},
    {ALLOWED: "DIR/sub/.."},
    {ALLOWED: "DIR,"},
    {ALLOWED: "/"},
    {ALLOWED: "DIR, /"},
    {ALLOWED: "relative"},
    {ALLOWED: ""},
    {"config.providers.dir.param.allowed.paths": "DIR/sub"},
    {PATTERN: "METAQUORUM_S.*"},
    {PATTERN: "SECRET"},
    {PATTERN: "("},
    {PATTERN: ""},
    {"config.providers.env.class": "no.such.Class"},
    {"config.providers.env.class": ""},
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("provided")
    (where / "sub").mkdir()
    (where / "sub/inner").write_text("inner")
    (where / "text").write_text("line \nline\n")
    (where / "link").symlink_to(where / "text")
    (where / "latin").write_bytes(b"\xe9")
    (where / "latin.properties").write_bytes(b"a=\xe9")
    (where / "escape.properties").write_text("a=\\u12")
    (where / "p.properties").write_text(
        "a=b\nblanks = d  \nkey\\ with\\:colon=1\nnested=${env:METAQUORUM_SECRET}\n"
        "umlaut=ü\\u00fc\n"
    )
    return where


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_variables_are_resolved_as_by_kafka(
    parameters: dict[str, str], files: Path, oracle: ConfigOracle
) -> None:
    for value in VALUES_WITH_VARIABLES:
        properties = {
            key: text.replace("DIR", str(files))
            for key, text in {**PROVIDERS, **parameters, "value": value}.items()
        }
        theirs = oracle.answer("providers", properties)
        try:
            ours = resolve(properties, ENVIRON).values
        except BadValue as why:
            assert str(why).startswith(("value: ", "config.providers."))
            ours = None
        assert ours == theirs, value


@pytest.mark.parametrize("name", deployed_files.NAMES)
def test_a_deployed_file_means_the_same_to_kafka(
    name: str, tmp_path: Path, oracle: ConfigOracle
) -> None:
    properties = deployed_files.properties_of(name, tmp_path)
    # This class is in Strimzi's images only.
    properties = {
        key: text.replace("strimzienv,strimzisecrets", "strimzienv")
        for key, text in properties.items()
    }
    theirs = oracle.read_properties("node", properties)
    node, _ = NodeConfig.of(properties, name, host_name=lambda: "m", environ=ENVIRON)
    assert [[one.name, one.host or None, one.port, one.protocol] for one in node.listeners] == (
        theirs["listeners"]
    )
    told = [[one.name, one.host, one.port, one.protocol] for one in node.advertised_listeners]
    assert all(
        [listener, host or "m", port, protocol] in told
        for listener, host, port, protocol in theirs["advertised"]
    )
