"""Output that cannot be written, and characters that the terminal does not have."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import click
import pytest

from metaquorum.cli import output
from metaquorum.cli.main import metaquorum, run
from tests.every_record import LOG_NAME, log
from tests.unit.cli.command_runs import run_all
from tests.unit.cli.test_main import every_command
from tests.unit.storage.tiered_partition import orders

FULL = "metaquorum: cannot write to standard output: No space left on device\n"
CLOSED = "metaquorum: cannot write to standard output: Bad file descriptor\n"
HELPS = [[*words, "--help"] for words in every_command(metaquorum)] + [["--help"], ["--version"]]
NAME = "caf\u00e9-\u4e2d-\U0001f600"
METRICS = f'# HELP a {NAME}\n# TYPE a gauge\na{{name="{NAME}"}} 1\n'
CHANGES = {
    "node": 1,
    "changes": [
        {
            **dict.fromkeys(("wall_ms", "epoch", "log_end_offset"), 1),
            "before": "follower",
            "after": "leader",
            "leader": 1,
            "why": NAME,
        }
    ],
}


class Metrics(BaseHTTPRequestHandler):
    """A node's metrics listener."""

    def do_GET(self) -> None:
        text = METRICS if self.path == "/metrics" else json.dumps(CHANGES)
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def listener() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Metrics) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def lines(tmp_path: Path, listener: str) -> list[list[str]]:
    """A command line for each kind of output: lines, JSON, tables, bytes."""
    data = tmp_path / NAME
    partition = data / "__cluster_metadata-0"
    partition.mkdir(parents=True)
    (partition / LOG_NAME).write_bytes(log())
    config = tmp_path / "server.properties"
    config.write_text(
        "process.roles=controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=C://a:9093\n"
        "controller.quorum.bootstrap.servers=a:9093\n"
        f"log.dirs={json.dumps(str(data))[1:-1]}\n"
    )
    broker = str(orders(tmp_path).parent)
    Path(broker, "replication-offset-checkpoint").write_text("0\n1\norders 0 6\n")
    log_dir = ("--log-dir", str(data), "--quiet")
    return [
        ["storage", "random-uuid"],
        ["storage", "version-mapping"],
        ["storage", "feature-dependencies", "--feature", "transaction.version=2"],
        ["storage", "info", "-c", str(config)],
        ["storage", "info", "-c", str(config), "-o", "json"],
        ["storage", "format", "-s", "-t", "x", "-c", str(config)],
        ["dump-log", "--cluster-metadata-decoder", "--files", str(partition / LOG_NAME)],
        ["dump-log", "--files", str(partition / LOG_NAME), "-o", "json"],
        ["metadata", "ls", *log_dir],
        ["metadata", "find", *log_dir],
        ["metadata", "cat", "/local/version", *log_dir],
        ["metadata", "tree", "/", *log_dir, "-o", "json"],
        ["metadata", "diff", "0", "end", *log_dir],
        ["metadata", "diff", "0", "end", *log_dir, "-o", "json"],
        ["producer-snapshots", "check", "--log-dir", broker],
        ["producer-snapshots", "regenerate", "--log-dir", broker, "--dry-run"],
        ["tier", "upload", "--log-dir", broker, "--to", str(tmp_path / "store"), "--dry-run"],
        ["metrics", "--metrics-listener", listener],
        ["metrics", "--metrics-listener", listener, "-o", "json"],
        ["metadata-quorum", "explain", "--metrics-listener", listener],
        ["metadata-quorum", "explain", "--metrics-listener", listener, "-o", "json"],
    ]


def test_help_of_every_command_on_a_full_disk_is_one_line(tmp_path: Path) -> None:
    for ended in run_all(HELPS, "/dev/full", tmp_path):
        assert (ended.exit_code, ended.error) == (1, FULL), ended.words


def test_output_of_every_kind_on_a_full_disk_is_one_line(
    lines: list[list[str]], tmp_path: Path
) -> None:
    for ended in run_all(lines, "/dev/full", tmp_path):
        assert (ended.exit_code, ended.error) == (1, FULL), ended.words


def test_output_to_a_descriptor_that_is_closed_is_one_line(
    lines: list[list[str]], tmp_path: Path
) -> None:
    for ended in run_all([*lines, ["--help"]], "closed", tmp_path):
        assert (ended.exit_code, ended.error) == (1, CLOSED), ended.words


def test_a_pipe_that_nobody_reads_ends_a_command_quietly(
    lines: list[list[str]], tmp_path: Path
) -> None:
    for ended in run_all([*lines, ["--help"]], "pipe", tmp_path):
        assert (ended.exit_code, ended.error) == (128 + signal.SIGPIPE, ""), ended.words


@pytest.mark.parametrize("encoding", ["latin-1:strict", "ascii"])
def test_characters_that_a_terminal_lacks_are_spelled(
    encoding: str, lines: list[list[str]], tmp_path: Path
) -> None:
    for json_too in (True, False):
        some = [line for line in lines if ("json" in line) is json_too]
        out = tmp_path / f"out-{json_too}"
        for ended in run_all(some, out, tmp_path, PYTHONIOENCODING=encoding):
            assert "Traceback" not in ended.error and ended.exit_code in (0, 1), ended
        text = out.read_bytes().decode(encoding.partition(":")[0])
        assert "\\u4e2d" in text
        for line in text.splitlines() if json_too else ():
            json.loads(line)


def test_what_latin_1_lacks_is_spelled_as_json_spells_it(
    lines: list[list[str]], tmp_path: Path
) -> None:
    info = next(line for line in lines if line[:2] == ["storage", "info"])
    out = tmp_path / "out"
    run_all([info], out, tmp_path, PYTHONIOENCODING="latin-1")
    assert "caf\u00e9-\\u4e2d-\\ud83d\\ude00" in out.read_text("latin-1")


def test_a_name_that_is_no_utf_8_does_not_end_a_command(tmp_path: Path) -> None:
    path = os.fsdecode(bytes(tmp_path) + b"/\xff.log")
    (ended,) = run_all([["dump-log", "--files", path]], tmp_path / "out", tmp_path)
    assert "Traceback" not in ended.error
    assert ended.exit_code == 1


def test_standard_error_that_cannot_be_written_changes_no_exit_code(tmp_path: Path) -> None:
    program = "from metaquorum.cli.main import main; main()"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program, "storage", "info", "-c", str(tmp_path / "absent")],
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
        )
    assert (done.returncode, done.stdout) == (1, b"")


def test_ctrl_c_ends_a_command_with_130_and_no_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(click.Command, "invoke", interrupted)
    assert run(["storage", "random-uuid"]) == 130
    assert capsys.readouterr() == ("", "")


def test_an_error_that_nobody_foresaw_is_one_line_of_places(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("secret")

    monkeypatch.setattr(click.Command, "invoke", broken)
    assert run(["storage", "random-uuid"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("metaquorum: unexpected KeyError at test_output.py:")
    assert error.count("\n") == 1 and "secret" not in error
    monkeypatch.setenv("METAQUORUM_TRACEBACK", "1")
    with pytest.raises(KeyError):
        run(["storage", "random-uuid"])


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("behind", ["write", "flush"])
def test_an_interrupt_right_behind_a_write_repeats_no_line(
    behind: str, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, writes = os.pipe()
    monkeypatch.setattr(output, f"_{stream.upper()}", writes)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    output.prepare_output()

    def interrupt(frame: object, event: str, called: object) -> None:
        if event == "c_return" and getattr(called, "__name__", "") == behind:
            sys.setprofile(None)
            raise KeyboardInterrupt

    written = getattr(sys, stream)
    with pytest.raises(KeyboardInterrupt):
        sys.setprofile(interrupt)
        written.write("a line\n")
        written.flush()
    written.flush()
    os.close(writes)
    assert os.read(reads, 100) == b"a line\n"
    os.close(reads)
