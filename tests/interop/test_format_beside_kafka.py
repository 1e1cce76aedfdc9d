"""``storage format`` beside the tools of Kafka 4.3.1 and 4.4.0: arguments, messages, bytes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define

from metaquorum.cli.main import run
from metaquorum.records.reader import walk_batches, walk_records
from tools.kafka import JavaHelper

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
ZERO = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
OLDER = "bootstrap.checkpoint"
VOTERS = "1@localhost:9093:dddddddddddddddddddd1A,2@[::1]:9094:dddddddddddddddddddd2A"
CONTROLLER = {
    "process.roles": "controller",
    "node.id": "1",
    "listeners": "CONTROLLER://localhost:9093",
    "controller.listener.names": "CONTROLLER",
    "controller.quorum.bootstrap.servers": "localhost:9093",
    "log.dirs": "d1,d2",
    "metadata.log.dir": "m",
}
BROKER = {"process.roles": "broker", "listeners": "PLAINTEXT://localhost:9092"}
STATIC = {"controller.quorum.bootstrap.servers": "", "controller.quorum.voters": "1@localhost:9093"}
SALTED = "SCRAM-SHA-512=[name=alice,iterations=8192,salt=N3E=,saltedpassword=YCE=]"
USERS = ("-S", SALTED, "-S", "SCRAM-SHA-256=[name=bob,salt=,password=s]")
A = "SCRAM-SHA-256="

REFUSED = (
    "SCRAM-SHA-256",
    " x ",
    "",
    "=[name=a]",
    "x=y",
    "scram-sha-256=[name=a,password=x]",
    "SCRAM-SHA-256 =[name=a,password=x]",
    A,
    A + " [name=a,password=x]",
    A + "[",
    A + "]",
    A + "[name=a,password=x]y",
    A + "[]",
    A + "[,]",
    A + "[,name=a,password=x]",
    A + "[name=a,,password=x]",
    A + '[name=a,password="x,y"]',
    A + "[name,password=x]",
    A + "[ name=a,password=x]",
    A + "[name=a]",
    A + "[name=a,other=1]",
    A + "[name=a,saltedpassword=YCE=]",
    A + "[name=a,iterations=x,salt=*]",
    A + "[name=a,salt=*,saltedpassword=*]",
    A + "[name=a,salt=N,password=x]",
    A + "[name=a,salt==,password=x]",
    A + "[name=a,salt=N3=,password=x]",
    A + "[name=a,salt=N3E==,password=x]",
    A + "[name=a,salt=N3E=N3E=,password=x]",
    A + "[name=a,salt=N3-_,password=x]",
    A + "[name=a,salt=N3E=,saltedpassword=*]",
    A + "[name=a,password=x,iterations=]",
    A + "[name=a,password=x,iterations= 4096]",
    A + "[name=a,password=x,iterations=2147483648]",
    A + "[name=a,password=x,other=1,iterations=x]",
    A + "[name=a,password=x,b=1,a=1,iterations=1]",
    A + "[name=a,password=,iterations=4095]",
    "SCRAM-SHA-512=[name=a,password=,iterations=16385]",
)
TAKEN = (
    A + "[name=a,salt=N3E=,password=secret]",
    A + '[salt="N3E",password="s",name="a b"]',
    A + "[name=,salt=N3==,password=a=b]",
    A + '[name=a,salt=N3E=,password="]',
    A + "[name=\u00e4\U0001f600,salt=+/+/,password=\u00fc]",
    A + "[name=a,salt=,password=x,saltedpassword=*,]",
    "\t" + A + "[name=a,salt=N3E=,saltedpassword=YCE=,iterations=+04096] ",
    SALTED,
)


@define
class Formatted:
    """What a tool left behind and said."""

    exit_code: int
    said: str
    refused: str
    files: dict[str, bytes]

    def values(self, name: str) -> list[list[tuple[bytes | None, bytes | None]]]:
        """Keys and values of a snapshot, batch by batch; times and checksums left out."""
        return [
            [
                (None if one.key is None else bytes(one.key), bytes(one.value or b""))
                for one in walk_records(batch, header)
            ]
            for header, batch in walk_batches(self.files[name])
        ]


@define
class BothTools:
    """Formats the same place twice, with their tool and with ours: outputs follow its name."""

    java: JavaHelper
    directory: Path
    capture: pytest.CaptureFixture[str]

    def theirs(self, *arguments: str, again: bool = False, **changes: str) -> Formatted:
        """Kafka's tool on a fresh directory, or ``again`` on the one that is there."""
        config = self._prepared(changes, again=again)
        done = self.java.tool("storage", "format", "-t", CLUSTER, "-c", config, *arguments)
        lines = [line for line in done.stderr.splitlines() if not line.startswith("\tat ")]
        return self._result(done.exit_code, done.stdout, lines[-1] if lines else "")

    def ours(self, *arguments: str, again: bool = False, **changes: str) -> Formatted:
        """Our command, likewise."""
        config = self._prepared(changes, again=again)
        self.capture.readouterr()
        code = run(["storage", "format", "-t", CLUSTER, "-c", str(config), *arguments])
        told = self.capture.readouterr()
        return self._result(code, told.out, told.err.removeprefix("metaquorum: ").rstrip("\n"))

    def _prepared(self, changes: dict[str, str], *, again: bool) -> Path:
        config = self.directory / "c.properties"
        if not again:
            shutil.rmtree(self.directory)
            self.directory.mkdir()
            rows = CONTROLLER | changes
            for key in ("log.dirs", "metadata.log.dir"):
                rows[key] = ",".join(str(self.directory / one) for one in rows[key].split(","))
            config.write_text("".join(f"{key}={text}\n" for key, text in rows.items() if text))
        return config

    def _result(self, exit_code: int, said: str, refused: str) -> Formatted:
        files = {
            str(path.relative_to(self.directory)): path.read_bytes()
            for path in sorted(self.directory.rglob("*"))
            if path.is_file() and path.name != "c.properties"
        }
        return Formatted(exit_code, said, refused, files)


@pytest.fixture(scope="module")
def java_440() -> Iterator[JavaHelper]:
    """Kafka 4.4.0's server jar, which holds its storage tool."""
    with JavaHelper(version="4.4.0") as helper:
        yield helper


@pytest.fixture
def tools_440(
    java_440: JavaHelper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> BothTools:
    return BothTools(java_440, tmp_path, capsys)


@pytest.fixture
def tools_431(java: JavaHelper, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> BothTools:
    return BothTools(java, tmp_path, capsys)


def test_scram_arguments_are_refused_for_the_same_reasons(tools_440: BothTools) -> None:
    for argument in REFUSED:
        theirs = tools_440.theirs("--standalone", "-S", argument)
        ours = tools_440.ours("--standalone", "-S", argument)
        assert (theirs.exit_code, ours.exit_code) == (1, 1), argument
        assert _kind(ours.refused) == _kind(theirs.refused), argument
        assert ours.files == {}


def _kind(refused: str) -> str:
    """The words in front of what was given: Kafka repeats that, and ours never does."""
    for given in (r"mechanism .*is not", r"component.*", r"argument.*", r"(?<=\w): .*"):
        refused = re.sub(given, "", refused)
    return refused.removesuffix(" ")


def test_scram_arguments_that_are_taken_give_the_same_records(tools_440: BothTools) -> None:
    flags = ("--standalone", "-r", "4.3")
    for argument in TAKEN:
        theirs, ours = (tool(*flags, "-S", argument) for tool in (tools_440.theirs, tools_440.ours))
        assert (theirs.exit_code, ours.exit_code) == (0, 0), argument
        assert ours.said == theirs.said, argument
        assert ours.values(f"m/{ZERO}")[1] == theirs.values(f"m/{ZERO}")[1], argument


def test_what_kafkas_tool_dies_of_is_refused_in_words(tools_440: BothTools) -> None:
    for argument in (A + "[name=a,password=]", A + "[name=a,salt=N3E=,saltedpassword=]"):
        assert tools_440.theirs("--standalone", "-S", argument).exit_code == 1
        assert "is empty" in tools_440.ours("--standalone", "-S", argument).refused


LAYOUTS = {
    "first voters": (("-I", VOTERS, "-r", "4.3"), {}),
    "joining": (("-N", "-r", "4.3"), {}),
    "static voters": (("-r", "4.4"), STATIC),
    "static voters of 3.5": (("-r", "3.5-IV2"), STATIC),
    "broker": (("-r", "4.3"), BROKER),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_files_hold_what_those_of_4_4_0_hold(tools_440: BothTools, layout: str) -> None:
    arguments, changes = LAYOUTS[layout]
    theirs, ours = (
        tool(*arguments, *USERS, **changes) for tool in (tools_440.theirs, tools_440.ours)
    )
    assert (ours.exit_code, ours.said) == (theirs.exit_code, theirs.said)
    _same_files(ours, theirs)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_legacy_files_hold_what_those_of_4_3_1_hold(tools_431: BothTools, layout: str) -> None:
    if layout == "broker":  # one of 4.3.1 gets a bootstrap file too, and never reads it
        arguments, changes = LAYOUTS["first voters"]
    else:
        arguments, changes = LAYOUTS[layout]
    arguments = tuple(text.replace("4.4", "4.3") for text in arguments)
    theirs = tools_431.theirs(*arguments, *USERS, **changes)
    ours = tools_431.ours("--legacy-bootstrap", *arguments, *USERS, **changes)
    assert (ours.exit_code, ours.said) == (theirs.exit_code, theirs.said)
    _same_files(ours, theirs)


def _same_files(ours: Formatted, theirs: Formatted) -> None:
    assert ours.files.keys() == theirs.files.keys()
    for name, content in theirs.files.items():
        assert len(ours.files[name]) == len(content), name
        if name.endswith(".checkpoint"):
            assert _untimed(ours, name) == _untimed(theirs, name), name


def _untimed(formatted: Formatted, name: str) -> list[object]:
    """A snapshot's records but for its header, which holds a time."""
    batches = formatted.values(name)
    return [batches[0][1:], *batches[1:]]


@pytest.mark.parametrize(("flags", "exit_code"), [((), 1), (("-g",), 0)])
def test_formatting_again_ends_with_the_same_exit_code(
    tools_440: BothTools, flags: tuple[str, ...], exit_code: int
) -> None:
    for tool in (tools_440.theirs, tools_440.ours):
        first = tool("--standalone")
        second = tool("--standalone", *flags, again=True)
        assert (first.exit_code, second.exit_code) == (0, exit_code)
        assert second.files == first.files
