"""No message repeats an argument that may be a secret, however a command line is misspelt."""

from __future__ import annotations

import io
from pathlib import Path

import click
import pytest

from metaquorum.cli.main import metaquorum, run
from metaquorum.cli.output import without_credentials
from tests.unit.cli.test_main import every_command

SECRET = "Hunter2Hunter2"
# These name a file, a place, a moment or something of Kafka's: a message has to say which.
SHOWN = {
    *("--api", "--at", "--bootstrap-controller", "--bootstrap-server", "--command-config"),
    *("--config", "--controller-directory-id", "--dir", "--feature", "--files", "--from"),
    *("--initial-controllers", "--key-decoder-class", "--metrics-listener", "--out", "--pcap"),
    *("--log-dir", "--release-version", "--snapshot", "--store", "--to", "--url"),
    "--value-decoder-class",
}
SCRAM = [
    "SCRAM-SHA-512=[name=a,saltedpassword={},salt={},iterations=8192]",
    "SCRAM-SHA-512=[name=a,saltedpasword={},salt=N3E=]",
    "SCRAM-SHA-512=[name=a,saltedpassword={},salt=N3E=,slat={}]",
    "SCRAM-SHA-512=[name=a,saltedpassword=*{},salt=N3E=]",
    "SCRAM-SHA-512=[name=a,saltedpassword=YCE=,salt=*{}]",
    "SCRAM-SHA-512=[name=a,saltedpassword={}]",
    "SCRAM-SHA-512=[name=a,salt={}]",
    "SCRAM-SHA-512=[name=a,saltedpassword{},salt=N3E=]",
    "SCRAM-SHA-512=[name=a,password={},iterations={}]",
    "SCRAM-SHA-512=[name=a,password={},iterations=1]",
    "SCRAM-SHA-512=[name=a,password=x,{}=password]",
    "SCRAM-SHA-512=[name=a,password=x,{}]",
    "SCRAM-SHA-512=[password={}]",
    "SCRAM-SHA-512=[name=a password={}]",
    "SCRAM-SHA-512=[name=a;password={}]",
    "SCRAM-SHA-512=name=a,password={}]",
    "SCRAM-SHA-512=[name=a,password={}",
    "SCRAM-SHA-512[name=a,password={}]",
    "SCRAM-SHA-512:[name=a,password:{}]",
    "SCRAM-SHA-999=[name=a,password={}]",
    "PLAIN-{}=[name=a]",
    "[name=a,password={}]",
    "name=a,password={}",
    "SCRAM-SHA-512",
    "{}",
]


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "server.properties"
    path.write_text(
        "process.roles=controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=C://a:9093\n"
        f"controller.quorum.bootstrap.servers=a:9093\nlog.dirs={tmp_path / 'data'}\n"
    )
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Everything that a command line which fails has to say."""
    assert run(words) != 0, words
    out, err = capsys.readouterr()
    assert not out and err, words
    return err


@pytest.mark.parametrize("argument", SCRAM)
def test_a_misspelt_scram_credential_is_not_repeated(
    argument: str, config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scram = argument.replace("{}", SECRET)
    line = ("storage", "format", "-s", "-t", "x", "-c", config)
    for words in (
        ("--add-scram", scram.replace("8192", "1")),
        ("-S", scram.replace("8192", "99999")),
        ("--add-scrma", scram),
        ("--add-scram", scram, scram),
        ("--add-scram" + scram,),
        ("-add-scram", scram),
        (scram,),
        ("--add-scram", *scram.partition("=")[::2], scram),
    ):
        assert SECRET not in said(capsys, *line, *words)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("command", list(every_command(metaquorum)), ids=" ".join)
def test_no_command_repeats_what_it_cannot_read(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        (f"--{SECRET}",),
        (f"--{SECRET}=x",),
        (f"--password={SECRET}",),
        (f"--password{SECRET}",),
        (f"-{SECRET}",),
        (f"-P{SECRET}",),
        ("--help-me", SECRET),
    ):
        assert SECRET not in said(capsys, *command, *words)


def leaves() -> list[tuple[tuple[str, ...], click.Command]]:
    found = []
    for names in every_command(metaquorum):
        command: click.Command = metaquorum
        for name in names:
            assert isinstance(command, click.Group)
            inner = command.get_command(click.Context(command), name)
            assert inner is not None
            command = inner
        if not isinstance(command, click.Group):
            found.append((names, command))
    return found


@pytest.mark.parametrize(("names", "command"), leaves(), ids=[" ".join(n) for n, _ in leaves()])
def test_no_command_repeats_the_value_of_an_option_that_names_nothing(
    names: tuple[str, ...],
    command: click.Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    for option in command.params:
        if not isinstance(option, click.Option) or option.is_flag:
            continue
        longest = max(option.opts, key=len)
        if longest in SHOWN:
            continue
        for words in ((longest, SECRET), (f"{longest}={SECRET}",), (longest[:-1], SECRET)):
            run([*names, *words])
            assert SECRET not in "".join(capsys.readouterr()), (names, words)


def test_no_command_repeats_an_argument_too_many(capsys: pytest.CaptureFixture[str]) -> None:
    for names, command in leaves():
        if any(isinstance(one, click.Argument) for one in command.params):
            continue
        needed = [
            word for one in command.params if one.required for word in (max(one.opts, key=len), "1")
        ]
        assert SECRET not in said(capsys, *names, *needed, SECRET, f"password={SECRET}")
    assert SECRET not in said(capsys, SECRET)
    assert SECRET not in said(capsys, "storage", SECRET)


@pytest.mark.parametrize(
    "words",
    [
        ("metrics", "--url", f"http://user:{SECRET}@127.0.0.1:1/metrics"),
        ("metrics", "--url", f"https://user:{SECRET}@a/metrics"),
        ("metrics", "--url", f"http://127.0.0.1:1/metrics?token={SECRET}"),
        ("metrics", "--metrics-listener", f"user:{SECRET}@a:x"),
        ("metadata-quorum", "explain", "--metrics-listener", f"user:{SECRET}@127.0.0.1:x"),
        ("tail", "--bootstrap-controller", f"user:{SECRET}@a:x"),
        ("tier", "check", "--store", f"s3n://key:{SECRET}@bucket/x"),
        ("tier", "check", "--store", f"https://a/b?sig={SECRET}"),
        ("tier", "check", "--store", "s3://b", "--endpoint-url", f"http://k:{SECRET}@[x"),
        ("pipeline", "run", "--from", "a:1", "--to", "b", "--conf", SECRET),
        ("server", "start", "CONFIG", "--override", SECRET),
        ("server", "start", "CONFIG", "--override", f"={SECRET}"),
        ("server", "start", "CONFIG", "--override", f"sasl.jaas.config={SECRET}"),
        ("server", "start", "CONFIG", "--override", f"ssl.keystore.password={SECRET}"),
    ],
    ids=lambda words: " ".join(words[:4]),
)
def test_credentials_in_urls_and_settings_are_not_repeated(
    words: tuple[str, ...],
    config: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert SECRET not in said(capsys, *(config if one == "CONFIG" else one for one in words))


@pytest.mark.parametrize(
    "content",
    [
        f"sasl.jaas.config={SECRET}",
        f"security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config=x {SECRET};",
        f"security.protocol=SSL\nssl.truststore.password={SECRET}\nssl.truststore.location=/x",
        f"security.protocol=SSL\nssl.keystore.type=PEM\nssl.keystore.key={SECRET}",
        f"password=\\u{SECRET}",
    ],
)
def test_what_is_in_the_file_of_command_config_is_not_repeated(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "client.properties"
    path.write_text(content)
    whom = ("--bootstrap-controller", "127.0.0.1:1", "--timeout", "0.1")
    run(["tail", "-q", *whom, "--command-config", str(path)])
    assert SECRET[:4] not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://u:p@h:1/x: refused", "http://***@h:1/x: refused"),
        ("s3a://k:s/s@bucket/x", "s3a://k:s/s@bucket/x"),
        ("a:9092 and u:p@b:9092", "a:9092 and ***@b:9092"),
        ("1@a:9093:ID,2@b:9093:ID", "1@a:9093:ID,2@b:9093:ID"),
        ("abfss://c@account/x", "abfss://***@account/x"),
        ("https://h/x?sig=s: refused", "https://h/x?***: refused"),
        ("what? no URL", "what? no URL"),
    ],
)
def test_urls_and_addresses_are_shown_without_credentials(text: str, shown: str) -> None:
    assert without_credentials(text) == shown
