"""``python -m tools.three_nodes``: a quorum in one terminal, hurt by commands, told by lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 120


def told(directory: Path, *commands: str) -> subprocess.CompletedProcess[str]:
    """What it prints while these commands are typed, and its end."""
    return subprocess.run(
        [sys.executable, "-m", "tools.three_nodes", "--directory", directory / "three"],
        cwd=ROOT,
        input="".join(f"{line}\n" for line in commands),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def test_a_killed_leader_is_replaced_and_the_table_shows_it(
    tmp_path: Path,
) -> None:
    done = told(tmp_path, "kill leader", "wait", "status", "quit")
    assert done.returncode == 0, done.stdout + done.stderr
    led = re.findall(r"  node (\d)  Candidate > Leader, epoch (\d+), ", done.stdout)
    assert len(led) >= 2 and led[0][0] != led[-1][0] and int(led[0][1]) < int(led[-1][1])
    assert re.search(rf"leader {led[0][0]} is gone: its connection was closed", done.stdout)
    rows = [line.split() for line in done.stdout.splitlines() if re.match(r"[123]  +\S", line)]
    last = {row[0]: row for row in rows[-3:]}
    assert last[led[0][0]][1] == "gone"
    assert "Leader" in last[led[-1][0]]
    assert "\x1b" not in done.stdout


def test_a_node_is_stopped_started_paused_and_resumed(tmp_path: Path) -> None:
    done = told(
        tmp_path, "stop 3", "start 3", "wait", "pause 3", "status", "resume 3", "start 3", "status"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "node 3  stopped" in done.stdout
    assert re.search(r"^3 +pid \d+, paused ", done.stdout, re.MULTILINE)
    assert "node 3 runs already" in done.stdout


def test_what_is_no_command_is_said(tmp_path: Path) -> None:
    done = told(tmp_path, "dance", "kill 7", "help", "quit")
    assert "'dance' is no command; type help" in done.stdout
    assert "'7' is none of 1, 2, 3" in done.stdout
    assert "SIGSTOP" in done.stdout
