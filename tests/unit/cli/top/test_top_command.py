"""``metaquorum top``: its command line, one page, JSON, and a real terminal of 80x24."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from itertools import count

import pytest

from metaquorum.cli.main import run
from metaquorum.cli.top.command import EXIT_NOT_KNOWN
from metaquorum.cli.top.watch import Watch
from tests.unit.cli.top.watched_quorum import Watched, calm, troubled

CONTROLLER = ("top", "--bootstrap-controller", "localhost:1")
WITHIN_S = 30.0


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--interval-ms", "5"), "--interval-ms"),
        (("--window", "1"), "--window"),
        (("--rows", "0"), "--rows"),
        (("-o", "yaml"), "--output"),
        (("--command-config", "missing.properties"), "missing.properties"),
    ],
)
def test_what_cannot_be_used_is_named(
    more: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*CONTROLLER, *more]) != 0
    assert named in capsys.readouterr().err


def test_without_a_terminal_the_page_is_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115
    assert run(CONTROLLER) == 1
    assert "no terminal for the screen; --once" in capsys.readouterr().err


def test_without_textual_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert run(CONTROLLER) == 1
    assert "pip install 'metaquorum[top]'" in capsys.readouterr().err


def test_only_one_package_and_only_the_screen_load_textual() -> None:
    code = (
        "import sys, metaquorum.cli.top.command, metaquorum.cli.top.watch, "
        "metaquorum.cli.top.layout, metaquorum.cli.top.looks; "
        "print('textual' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.fixture
def over(monkeypatch: pytest.MonkeyPatch) -> Callable[[Watched], None]:
    """Have the command watch this quorum, whose readers have read already."""

    def put(one: Watched) -> None:
        monkeypatch.setattr("metaquorum.cli.top.watch.watch_of", lambda *_: one.watch)
        monkeypatch.setattr(Watch, "start", lambda self: None)

    return put


def test_once_prints_a_page_and_says_that_all_is_known(
    over: Callable[[Watched], None], capsys: pytest.CaptureFixture[str]
) -> None:
    over(troubled())
    assert run([*CONTROLLER, "--once", "--rows", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "leader 2, epoch 5, for 53.0 s; high watermark 24"
    assert "audit-0   offline  leader none  isr - of 103" in lines
    assert "and 2 more" in lines
    assert not any("\x1b" in line for line in lines)


def test_once_as_json_has_what_the_screen_has(
    over: Callable[[Watched], None], capsys: pytest.CaptureFixture[str]
) -> None:
    over(troubled())
    assert run([*CONTROLLER, "--once", "-o", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["leaderId"], shown["leaderEpoch"], shown["hasLeader"]) == (2, 5, True)
    assert [row["state"] for row in shown["brokers"]] == ["in shutdown", "fenced", "active"]
    assert shown["partitions"]["underMinInSync"] == 1
    assert shown["partitionsInTrouble"][0]["troubles"] == ["offline"]
    assert [row["leaderId"] for row in shown["epochs"]] == [1, 2]
    assert [row["answers"] for row in shown["replicas"]] == [True, False, True]
    assert shown["changes"][0]["kind"] == "broker"


def test_once_tells_by_its_code_that_not_all_is_known(
    over: Callable[[Watched], None], capsys: pytest.CaptureFixture[str]
) -> None:
    one = calm()
    one.lose()
    one.look()
    times = count()
    one.watch.readers.now_ms = lambda: next(times)
    over(one)
    assert run([*CONTROLLER, "--once", "--timeout", "0.001"]) == EXIT_NOT_KNOWN
    assert "CANNOT REACH quorum: no-answer" in capsys.readouterr().out


def test_json_without_once_is_a_line_for_each_interval(
    over: Callable[[Watched], None], capsys: pytest.CaptureFixture[str]
) -> None:
    one = calm()
    over(one)
    waited: list[float] = []

    class Stopping:
        def wait(self, seconds: float) -> bool:
            waited.append(seconds)
            if len(waited) == 3:
                raise KeyboardInterrupt
            return False

        def set(self) -> None: ...

    one.watch.readers.stopping = Stopping()  # type: ignore[assignment]
    assert run([*CONTROLLER, "-o", "json", "--interval-ms", "250"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["leaderId"] for line in lines] == [1, 1, 1]
    assert waited == [0.25] * 3


@pytest.mark.slow
def test_a_terminal_of_80x24_shows_it_and_q_leaves_it() -> None:
    """The real process in a terminal: nobody answers at its address."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(slave)
    process = subprocess.Popen(
        [sys.executable, "-c", "from metaquorum.cli.main import main; main()", *CONTROLLER],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
        start_new_session=True,
    )
    try:
        seen = _until_shown(master, b"not known yet")
        assert b"? help  Tab pane" in seen
        os.write(master, b"q")
        _until_shown(master, b"\x1b[?1049l")
        assert process.wait(WITHIN_S) == 0
        assert termios.tcgetattr(slave) == before
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


def _until_shown(master: int, wanted: bytes) -> bytes:
    """What came until the text was among it."""
    seen, ends = b"", time.monotonic() + WITHIN_S
    while wanted not in seen or (b"1049l" not in wanted and b"? help" not in seen):
        assert time.monotonic() < ends, seen
        if select.select([master], [], [], 1.0)[0]:
            seen += os.read(master, 65_536)
    return seen
