"""``make run``: with Java and without, once and until Ctrl-C; nothing is left running."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tools.kafka import JavaHelper

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 120
LINE = re.compile(r"^ +\d+ +(?:-?\d+)  \d{4}-\d\d-\d\dT[\d:.]+Z  [A-Za-z]+Record v\d")


def environment(directory: Path, **changes: str) -> dict[str, str]:
    return {**os.environ, "METAQUORUM_RUN_DIR": str(directory / "run"), **changes}


def assert_gone(output: str) -> None:
    """The ports that were announced are nobody's any more."""
    found = re.search(r"clients: ([\d.]+):(\d+), controllers: ([\d.]+):(\d+)", output)
    assert found is not None, output
    for host, port in (found.group(1, 2), found.group(3, 4)):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, int(port)), 5).close()


def run_once(scratch: Path, **changes: str) -> str:
    """What it prints when it ends by itself."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.run"],
        cwd=ROOT,
        env=environment(scratch, ONCE="1", **changes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("with_java", [True, False], ids=["java", "no-java"])
def test_once_it_shows_the_status_the_log_and_a_change_and_ends(
    with_java: bool, tmp_path: Path, java: JavaHelper
) -> None:
    changes = {} if with_java else {"PATH": str(tmp_path)}
    shown = run_once(tmp_path, **changes)
    assert ("java, javac, mvn not found" in shown) is not with_java
    assert re.search(r"^LeaderId: +1$", shown, re.MULTILINE)
    assert re.search(r"^CurrentVoters: +\[\{\"id\": 1", shown, re.MULTILINE)
    lines = [line for line in shown.splitlines() if LINE.match(line)]
    assert "FeatureLevelRecord v0  name=metadata.version" in shown
    assert "ClientQuotaRecord v0" in lines[-1]
    assert "key=producer_byte_rate value=1048576.0" in lines[-1]
    assert_gone(shown)


def test_ctrl_c_ends_it_and_leaves_nothing_running(tmp_path: Path, java: JavaHelper) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.run"],
        cwd=ROOT,
        env=environment(tmp_path, ONCE=""),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        shown = ""
        for line in process.stdout:
            shown += line
            if "NoOpRecord" in line:
                break
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=TIMEOUT_S)
        assert process.returncode == 0, shown + rest
    finally:
        process.kill()
    assert_gone(shown)


@pytest.mark.parametrize("with_java", [True, False], ids=["java", "no-java"])
def test_three_voters_are_shown_and_the_next_leader_extends_the_log(
    with_java: bool, tmp_path: Path, java: JavaHelper
) -> None:
    changes = {} if with_java else {"PATH": str(tmp_path)}
    shown = run_once(tmp_path, NODES="3", **changes)
    epochs = re.findall(r"^LeaderEpoch: +(\d+)$", shown, re.MULTILINE)
    leaders = re.findall(r"^LeaderId: +(\d+)$", shown, re.MULTILINE)
    assert len(epochs) == len(leaders) == 2
    assert int(epochs[0]) < int(epochs[1]) and leaders[0] != leaders[1]
    for voters in re.findall(r"^CurrentVoters: +(.*)$", shown, re.MULTILINE):
        assert [f'"id": {node_id},' in voters for node_id in (1, 2, 3)] == [True] * 3
    assert re.search(rf"# node {leaders[1]} leads now, \d+ ms after the signal", shown)
    assert re.search(r"Candidate > Leader +\d+ +\d+ ", shown)
    records = [line for line in shown.splitlines() if LINE.match(line)]
    assert records[-1].split()[1] == epochs[1] and "ClientQuotaRecord v0" in records[-1]
    found = re.findall(r"controllers: ([\d.]+):(\d+)", shown)
    assert len(found) == 3
    for host, port in found:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, int(port)), 5).close()
