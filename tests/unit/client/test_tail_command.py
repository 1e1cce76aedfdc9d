from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from metaquorum.cli import main
from metaquorum.client import metadata_log
from metaquorum.client.leader_link import LeaderLink
from tests.unit.client.fake_quorum import FakeQuorum, data_batch, feature, leader_change
from tools.kafka.tool import ToolResult

LOG = [
    leader_change(0, 1, 1),
    data_batch(1, 1, feature("a", 1), feature("b", 2)),
    data_batch(3, 1, feature("c", 3)),
]


@pytest.fixture
def quorum(monkeypatch: pytest.MonkeyPatch) -> FakeQuorum:
    """A quorum that the command reaches in place of the network."""
    one = FakeQuorum.of(log=LOG, high_watermark=3)

    def link(bootstrap: list[tuple[str, int]], timeout_ms: int, opened: object) -> LeaderLink:
        return LeaderLink(
            bootstrap, timeout_ms, open=one.open, now=lambda: one.now_s, sleep=one.sleep
        )

    monkeypatch.setattr(metadata_log, "LeaderLink", link)
    return one


Run = Callable[..., ToolResult]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command with these arguments, to its end."""

    def one(*arguments: str) -> ToolResult:
        code = main.run(["tail", "--bootstrap-controller", "c1:9001", *arguments])
        return ToolResult(code, *capsys.readouterr())

    return one


def test_it_prints_what_is_committed_and_says_who_leads(quorum: FakeQuorum, run: Run) -> None:
    done = run()
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["0", "1", "2"]
    assert "name=b featureLevel=2" in done.stdout
    assert done.stderr == "# controller 1 leads in epoch 1 at c1:9001\n"


def test_quiet_says_nothing_but_records(quorum: FakeQuorum, run: Run) -> None:
    assert run("-q").stderr == ""


def test_json_is_one_object_a_line(quorum: FakeQuorum, run: Run) -> None:
    rows = [json.loads(line) for line in run("-o", "json").stdout.splitlines()]
    assert [(row["offset"], row["type"]) for row in rows] == [
        (0, "LeaderChangeMessage"),
        (1, "FeatureLevelRecord"),
        (2, "FeatureLevelRecord"),
    ]


def test_offsets_and_types_narrow_what_is_shown(quorum: FakeQuorum, run: Run) -> None:
    assert [line.split()[0] for line in run("--from-offset", "2").stdout.splitlines()] == ["2"]
    shown = run("--types", "leaderchangeMESSAGE, NoOpRecord").stdout
    assert [line.split()[0] for line in shown.splitlines()] == ["0"]
    shown = run("--types", "FEATURE_LEVEL_RECORD").stdout  # as dump-log writes it
    assert [line.split()[0] for line in shown.splitlines()] == ["1", "2"]
    assert run("--from-offset", "end").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--from-offset", "-1"), "'beginning' or 'end'"),
        (("--from-offset", "9223372036854775808"), "'beginning' or 'end'"),
        (
            ("--types", "TopicRecord,Nonsense"),
            "no record types; known: AbortTransaction",
        ),
        (("--types", " , "), "no record type given"),
        (("--from-offset", "99"), "there is no 99 yet"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_message(
    quorum: FakeQuorum, run: Run, arguments: tuple[str, ...], told: str
) -> None:
    done = run(*arguments)
    assert done.exit_code == 1
    assert told in done.stderr.splitlines()[-1]
    assert done.stdout == ""


@pytest.mark.parametrize(("follow", "code"), [((), 130), (("--follow",), 0)])
def test_an_interrupt_ends_it_cleanly(
    quorum: FakeQuorum, run: Run, follow: tuple[str, ...], code: int
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    quorum.before[2] = interrupt
    assert run(*follow).exit_code == code
