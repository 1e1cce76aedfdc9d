"""``make cluster``: brokers, clients and a killed controller; it ends by itself, or by Ctrl-C."""

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
TIMEOUT_S = 240
WATCHED = re.compile(
    r"^[0-9:]{8}  active controller (\d|-)  acknowledged +(\d+)  read +(\d+)", re.M
)


def started(directory: Path, **changes: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tools.run_brokers"],
        cwd=ROOT,
        env={**os.environ, "METAQUORUM_CLUSTER_DIR": str(directory / "cluster"), **changes},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def assert_gone(shown: str) -> None:
    found = re.findall(r"clients: ([\d.]+):(\d+)", shown)
    assert len(found) == 3
    for host, port in found:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, int(port)), 5).close()


def test_no_record_is_lost_when_the_active_controller_is_killed(
    tmp_path: Path, java: JavaHelper
) -> None:
    process = started(tmp_path, ONCE="1")
    shown, _ = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, shown
    assert len(re.findall(r"Leader: 10[123]\b.*Isr: [\d,]{11}", shown)) == 6
    killed = re.search(r"kill -9 of controller (\d)", shown)
    next_one = re.search(r"controller (\d) is active \d+ ms later", shown)
    assert killed and next_one and killed[1] != next_one[1]
    acknowledged = [int(one) for _, one, _ in WATCHED.findall(shown)]
    assert acknowledged == sorted(acknowledged) and acknowledged[-1] > acknowledged[3]
    assert "Created topic made-after-it." in shown
    ended = re.search(
        r"(\d+) records acknowledged, .* 0 lost, 0 doubled; .*fenced: 0$", shown, re.M
    )
    assert ended and int(ended[1]) > 0
    assert_gone(shown)


def test_ctrl_c_ends_it_with_the_same_judgement(tmp_path: Path, java: JavaHelper) -> None:
    process = started(tmp_path, ONCE="")
    try:
        assert process.stdout is not None
        shown = ""
        for line in process.stdout:
            shown += line
            if "made-after-it." in line:
                break
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=TIMEOUT_S)
        assert process.returncode == 0, shown + rest
        assert "0 lost, 0 doubled" in rest
    finally:
        process.kill()
    assert_gone(shown)
